"""Times to a bound near the relaxation's optimum, by hand; and the targets that a plan gives to solvers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_records import made_records

from bench import run
from bench.analysis.audit.contradictions import mixed_findings
from bench.analysis.statistics.bounds import fastest_lp, iterations_to_bound, relaxed_optima, times_to_bound
from bench.experiments.experiment import read_experiment
from bench.experiments.plan import Plan
from bench.output.bound_table import bound_table, has_bounds
from bench.records.frame import Records
from problems import get_task
from problems.errors import InputError
from solvers import get_solver


def lp(instance: str, bound: float, build: float, solve: float, **more: Any) -> dict[str, Any]:
    times = {"build_seconds": build, "solve_seconds": solve, "round_seconds": 9.0, "cpu_seconds": build + solve + 9.0}
    return {"solver": "lp-glop", "instance": instance, "bound": bound, "status": "feasible", **times, **more}


def aimed(instance: str, bound: float, build: float, solve: float, steps: int, **more: Any) -> dict[str, Any]:
    own = {"solver": "ad3", "label": "ad3 to 0.1 %", "iterations": steps, "options": {"bound_target": 7.0}}
    return lp(instance, bound, build, solve, **(own | more))


def example() -> Records:
    return made_records(
        [
            lp("a", 100.0, 1.0, 3.0),
            lp("a", 100.0, 1.0, 5.0, repetition=1),
            lp("a", 100.05, 0.5, 1.0, solver="lp-highs"),
            lp("b", -10.0, 1.0, 1.0),
            {"solver": "ilp-highs", "instance": "a", "bound": 90.0},  # the 0/1 optimum is no target
            aimed("a", 100.09, 1.0, 1.0, 15),
            aimed("a", 100.09, 1.0, 3.0, 15, repetition=1),
            aimed("a", 100.09, 9.0, 9.0, 15, traced=True),
            aimed("b", -9.995, 0.5, 1.0, 7),
            aimed("c", 0.0, 0.1, 0.1, 1),  # no LP solver told its optimum
            lp("a", 100.0, 0.1, 0.1, solver="ad3", options={"bound_target": None}),  # it stops at no bound
        ]
    )


def test_times_and_iterations_by_hand() -> None:
    records = example()
    assert relaxed_optima(records) == {"a": 100.0, "b": -10.0}
    times = times_to_bound(records).set_index(["label", "instance_digest"])
    assert times.loc[("ad3 to 0.1 %", "a"), ["seconds", "iterations"]].tolist() == [3.0, 15.0]
    assert times.loc[("ad3 to 0.1 %", "b"), ["seconds", "iterations"]].tolist() == [1.5, 7.0]
    assert times.loc[("lp-glop", "a"), "seconds"] == 5.0  # the median of 4 and 6; rounding is not counted
    assert ("ad3 to 0.1 %", "c") not in times.index
    assert {"ad3", "ilp-highs"}.isdisjoint(times.index.get_level_values("label"))
    assert fastest_lp(times.reset_index()).to_dict() == {"a": 1.5, "b": 2.0}


def test_iterations_are_read_from_traces() -> None:
    """The first point at the target; the end where there is none, which is the record's own last bound."""
    rows = [lp(name, 99.0, 1.0, 1.0, solver="ad3", traced=True, key=name, iterations=50) for name in "abc"]
    bounds = {"a": (110.0, 100.0, 99.5), "b": (110.0, 105.0, 101.0), "c": (110.0, 109.0, 108.0)}
    traces = [
        {
            "key": name,
            "points": [{"iteration": 10 * (place + 1), "bound": bound} for place, bound in enumerate(found)],
        }
        for name, found in bounds.items()
    ]
    rows[2]["bound"] = 107.0
    found = iterations_to_bound(made_records(rows, traces), dict.fromkeys("abc", 100.0))
    assert found["iterations"].tolist() == [20.0, 50.0, 50.0]
    assert found["reached"].tolist() == [True, True, False]


def test_what_never_gets_there_has_no_time() -> None:
    records = example()
    times = times_to_bound(records, within=0.0006).set_index(["label", "instance_digest"])["seconds"]
    assert np.isinf(times["ad3 to 0.1 %", "a"])
    assert np.isfinite(times["ad3 to 0.1 %", "b"])
    assert np.isinf(
        times_to_bound(records, within=0.0).set_index(["label", "instance_digest"])["seconds"]["lp-highs", "a"]
    )
    (row,) = (row for row in bound_table(records, within=0.0006).rows if row and row[0] == "ad3 to 0.1 %")
    assert row[1:] == ["1 of 2", "-", "-", "-"]


def test_failed_and_wrong_cells_tell_nothing() -> None:
    rows = [lp("a", 50.0, 1.0, 1.0, audit="objective: wrong"), lp("a", 100.0, 1.0, 1.0, solver="lp-highs")]
    rows += [aimed("a", 100.0, 1.0, 1.0, 3), aimed("a", 100.0, 1.0, 1.0, 3, repetition=1, audit="objective: wrong")]
    records = made_records(rows)
    assert relaxed_optima(records) == {"a": 100.0}
    times = times_to_bound(records).set_index("label")["seconds"]
    assert np.isinf(times["lp-glop"])
    assert np.isinf(times["ad3 to 0.1 %"])  # one repetition is enough


def test_the_table_has_ratios_to_the_fastest_lp() -> None:
    rows = {row[0]: row for row in bound_table(example()).rows if row}
    assert rows["ad3 to 0.1 %"][1] == "2 of 2"
    assert rows["ad3 to 0.1 %"][4].startswith("1.22")  # the median of 3 / 1.5 and 1.5 / 2, on logarithms
    assert rows["lp-glop"][3] == ""  # no iterations


def test_a_run_without_targets_has_no_such_table() -> None:
    records = made_records([lp("a", 1.0, 1.0, 1.0), lp("a", 1.0, 1.0, 1.0, solver="ad3", traced=True)])
    assert not has_bounds(records)
    with pytest.raises(InputError, match="bound_within"):
        bound_table(records)


def experiment(**more: Any) -> dict[str, Any]:
    return {
        "name": "targets",
        "task": "extraction",
        "trace": True,
        "instances": {"generate": {"size": "tiny", "count": 2, "seed": 3}},
        "solvers": [
            {"name": "lp-glop"},
            {"name": "ad3"},
            {"name": "ad3", "label": "aimed", "bound_within": 0.01},
            {"name": "subgradient", "label": "subgradient, aimed", "bound_within": 0.01, **more},
        ],
    }


def test_a_plan_gives_each_instance_its_target() -> None:
    plan = Plan(read_experiment(experiment()), dict.fromkeys(("lp-glop", "ad3", "subgradient"), "1"))
    cells = list(plan)
    task, relaxation = get_task("extraction"), get_solver("lp-glop", "extraction")
    optima = [relaxation.solve(task.generate(seed, "tiny")).bound for seed in (3, 4)]
    for label in ("aimed", "subgradient, aimed"):
        own = [cell for cell in cells if cell.solver.label == label]
        assert [cell.options["bound_target"] for cell in own] == pytest.approx([1.01 * value for value in optima])
        assert all(cell.options["bound_target"] == cell.solver.options["bound_target"] for cell in own)
        assert not any(cell.traced for cell in own)  # they are there for their times
    assert all(cell.options.get("bound_target") is None for cell in cells if cell.solver.label == "ad3")
    assert any(cell.traced for cell in cells if cell.solver.label == "ad3")
    assert len({cell.key for cell in cells}) == len(cells) == sum(plan.counts())


@pytest.mark.parametrize("wrong", [0, -1, 2, "0.1 %", True])
def test_shares_that_are_none_are_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="bound_within"):
        read_experiment(experiment(bound_within=wrong))


def test_solvers_without_the_option_and_two_targets_are_refused() -> None:
    with pytest.raises(InputError, match="bound_target"):
        read_experiment(experiment(bound_target=1.0))
    with pytest.raises(InputError, match="bound_target"):
        read_experiment(experiment() | {"solvers": [{"name": "ilp-highs", "bound_within": 0.01}]})


def test_a_run_stops_at_the_target_and_is_in_the_table(tmp_path: Path) -> None:
    records = run(experiment(), out=tmp_path / "run")
    (row,) = (row for row in bound_table(records, within=0.01).rows if row and row[0] == "aimed")
    assert row[1] == "2 of 2"
    whole, soon = (records[(records["label"] == label) & ~records["traced"]] for label in ("ad3", "aimed"))
    assert (soon["iterations"].to_numpy() <= whole["iterations"].to_numpy()).all()
    assert soon["message"].str.contains("target|tolerance|certificate").all()
    assert "mixed" not in " ".join(records["audit"].astype(str))


def test_targets_of_instances_are_one_setting_and_others_are_not() -> None:
    rows = [
        {"label": "x", "solver": "ad3", "solver_version": "1", "options": {"bound_target": value}, "key": str(value)}
        for value in (1.0, 2.0, None)
    ]
    known = [row | {"instance": "a", "size": "", "task": "extraction"} for row in rows]
    assert not list(mixed_findings(known[:2]))
    assert list(mixed_findings(known))
