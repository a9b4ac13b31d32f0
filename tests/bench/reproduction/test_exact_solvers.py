"""The table of exact solvers: proofs only, each ratio against the fastest exact solver, every kind with its best."""

from __future__ import annotations

from typing import Any

import pytest
from made_records import made_records

from bench.experiments.experiment import built_in
from bench.reproduction.exact_solvers import HEADINGS, KINDS, RACES, exact_rows, kind_of
from bench.reproduction.runs import run_cells
from solvers import solver_names

COUNT = 5
SECONDS = {"ilp-gurobi": 0.1, "ilp-glpk": 0.3, "ilp-cbc": 0.2, "ad3-exact": 0.4, "ad3": 0.01, "wcsp-toulbar2": 5.0}


def rows(*skipped: str) -> list[dict[str, Any]]:
    """All prove the optimum but `ad3`; `ilp-cbc` fails once; `wcsp-toulbar2` is always stopped."""
    found = []
    for place in range(COUNT):
        for repetition in range(3):
            for name, seconds in SECONDS.items():
                row = {"instance": f"i-{place}", "size": "tac", "repetition": repetition, "solver": name}
                nothing: dict[str, Any] = dict.fromkeys(("cpu_seconds", "objective", "bound", "structure"))
                if name in skipped:
                    found.append({**row, **nothing, "status": "skipped"})
                elif name == "wcsp-toulbar2" or (name == "ilp-cbc" and place == 0):
                    found.append({**row, **nothing, "status": "timeout"})
                else:
                    status = "feasible" if name == "ad3" else "optimal"
                    bound = 120.0 if name == "ad3" else 100.0
                    values = {"cpu_seconds": seconds, "objective": 100.0, "bound": bound, "structure": [1]}
                    found.append({**row, **values, "status": status})
    return found


def table(*skipped: str) -> dict[str, str]:
    labels = {"solvers": [{"label": name} for name in SECONDS]}
    (row,) = exact_rows(*run_cells(made_records(rows(*skipped), experiment=labels)))
    return dict(zip(HEADINGS, row, strict=True))


def test_every_kind_stands_beside_the_fastest() -> None:
    found = table()
    assert found["fastest exact solver"] == "ilp-gurobi: 100 [100, 100] ms"
    assert found["commercial ILP"] == "the fastest"
    assert found["open ILP"] == "ilp-glpk: 3.00 [3.00, 3.00]"  # ilp-cbc is faster, but proves less
    assert found["combinatorial"] == "ad3-exact: 4.00 [4.00, 4.00]"  # ad3 is faster, but proves nothing
    assert found["WCSP, MaxSAT"] == f"none: 0 of {COUNT}"
    assert (found["instances"], found["size"]) == (str(COUNT), "tac")


def test_what_was_skipped_is_not_a_failure() -> None:
    found = table("ilp-gurobi", "wcsp-toulbar2")
    assert found["fastest exact solver"] == "ilp-glpk: 300 [300, 300] ms"
    assert found["commercial ILP"] == found["WCSP, MaxSAT"] == "skipped"


def test_a_proof_of_some_instances_says_so() -> None:
    found = table("ilp-glpk", "ilp-gurobi")
    assert found["open ILP"].startswith(f"ilp-cbc ({COUNT - 1} of {COUNT}): ")


@pytest.mark.parametrize(
    ("solver", "kind"),
    [
        ("lp-gurobi", "commercial ILP"),
        ("ilp-xpress", "commercial ILP"),
        ("ilp-cpsat", "open ILP"),
        ("lp-highs", "open ILP"),
        ("maxsat-rc2", "WCSP, MaxSAT"),
        ("dp-exact", "combinatorial"),
    ],
)
def test_kinds(solver: str, kind: str) -> None:
    assert solver in solver_names()
    assert kind_of(solver) == kind
    assert kind in KINDS


def test_races_are_experiments() -> None:
    assert set(RACES) <= set(built_in())
