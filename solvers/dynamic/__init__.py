"""Dynamic programs and other exact algorithms for single tasks, one file each. The table names them without importing."""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "dp-lagrangian": "solvers.dynamic.dp_lagrangian:DpLagrangian",
    "dp-tree": "solvers.dynamic.dp_tree:DpTree",
    "dp-eisner": "solvers.dynamic.dp_eisner:Eisner",
    "dp-mst": "solvers.dynamic.dp_mst:MaximumSpanningTree",
    "dp-ngram": "solvers.dynamic.dp_ngram:DpNgram",
    "dp-transduction": "solvers.dynamic.dp_transduction:DpTransduction",
}
