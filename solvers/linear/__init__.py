"""LP and ILP backends, one file per library. The table names them without importing anything."""

from __future__ import annotations

BACKENDS: dict[str, str] = {
    "ilp-cbc": "solvers.linear.cbc:Cbc",
    "ilp-cpsat": "solvers.linear.cpsat:CpSat",
    "ilp-glpk": "solvers.linear.glpk:GlpkInteger",
    "ilp-gurobi": "solvers.linear.gurobi:GurobiInteger",
    "ilp-highs": "solvers.linear.highs:HighsInteger",
    "ilp-pulp": "solvers.linear.pulp_any:PulpAny",
    "ilp-scip": "solvers.linear.scip:Scip",
    "ilp-xpress": "solvers.linear.xpress:XpressInteger",
    "lp-clp": "solvers.linear.clp:Clp",
    "lp-glop": "solvers.linear.glop:Glop",
    "lp-glpk": "solvers.linear.glpk:GlpkRelaxation",
    "lp-gurobi": "solvers.linear.gurobi:GurobiRelaxation",
    "lp-highs": "solvers.linear.highs:HighsSimplex",
    "lp-highs-ipm": "solvers.linear.highs:HighsInteriorPoint",
    "lp-pdlp": "solvers.linear.pdlp:Pdlp",
    "lp-xpress": "solvers.linear.xpress:XpressRelaxation",
}
