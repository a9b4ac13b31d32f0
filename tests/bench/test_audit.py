"""The audit: every kind of lie is found, its author named where that is possible, and honest records pass."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import made_records
from rich.console import Console

from bench.analysis.audit import Finding, audit, has_errors, with_audit
from bench.analysis.statistics.cells import best_known
from bench.analysis.statistics.summary import summary
from bench.output.findings import show
from bench.records.fields import NOT_KEPT
from bench.runner.handover import tuples
from problems import get_task
from problems.extraction.instance import Concept, ExtractionInstance
from problems.factor_graph import FactorGraph
from solvers import get_solver

SMALL = ExtractionInstance("small", (3, 2, 2), (Concept("x", 5.0, (0,)), Concept("y", 4.0, (1, 2))), 5)


def row(solver: str, objective: float | None = None, **more: Any) -> dict[str, Any]:
    return {"solver": solver, "objective": objective, "key": f"{solver}{more.get('repetition', 0)}", **more}


def findings(*rows: dict[str, Any], instances: Any = None, traces: Any = ()) -> list[tuple[str, tuple[str, ...], str]]:
    return [(f.kind, f.labels, f.severity) for f in audit(made_records(rows, traces), instances)]


# -- structures --------------------------------------------------------------------------------------------------------


def test_structures_are_scored_again() -> None:
    rows = [
        row("right", 9.0, structure=[0, 1], bound=9.0),
        row("overfull", 9.0, structure=[0, 1, 2], status="feasible"),
        row("dear", 7.5, structure=[0], status="feasible"),
        row("cheap", 5.0, structure=[0], status="feasible", bound=9.5),
        row("malformed", 5.0, structure=[[0]], status="feasible"),
        row("silent", None, structure=[0], status="feasible"),
        row("honest miss", None, structure=[0, 1, 2], status="infeasible"),
        row("modest", None, structure=[0], status="infeasible"),
    ]
    found = findings(*rows, instances={"a": SMALL})
    assert found == [
        ("structure", ("overfull",), "error"),
        ("objective", ("dear",), "error"),
        ("structure", ("malformed",), "error"),
        ("objective", ("silent",), "error"),
        ("infeasible", ("modest",), "error"),
    ]
    texts = {f.labels[0]: f.text for f in audit(made_records(rows), {"a": SMALL})}
    assert texts["overfull"] == "the structure is not feasible: 7 words are more than the budget of 5."
    assert texts["dear"] == "the structure is worth 5, not 7.5."
    assert findings(*rows, instances={}) == findings(*rows)


def test_a_structure_that_was_too_large_to_keep_is_a_warning() -> None:
    large = row("large", 9.0, bound=9.0, structure=None, message=f"{NOT_KEPT} (2000000 characters).")
    edited = row("edited", 9.0, bound=9.0, structure=None)
    found = findings(large, edited, instances={"a": SMALL})
    assert found == [("structure", ("edited",), "error"), ("structure", ("large",), "warning")]


@pytest.mark.parametrize("task", ["extraction", "summarization"])
def test_solutions_pass_after_a_journey_through_json(task: str) -> None:
    instance = get_task(task).generate(seed=2, size="tiny")
    rows = []
    for name in ("ilp-highs", "ilp-glpk", "ad3"):
        solution = get_solver(name).solve(instance)
        structure = json.loads(json.dumps(solution.structure))
        assert tuples(structure) == solution.structure
        more = {"status": solution.status, "bound": None if solution.bound == float("inf") else solution.bound}
        rows.append(row(name, solution.objective, structure=structure, magnitude=solution.magnitude, task=task, **more))
    assert audit(made_records(rows), {"a": instance}) == []
    changed = [rows[0] | {"objective": rows[0]["objective"] * 1.001}]
    assert findings(*changed, instances={"a": instance})[0][0] == "objective"


def test_bare_graphs_are_scored_again() -> None:
    graph = FactorGraph()
    graph.add_budget(graph.add_variables([1.0, 2.0]), 1)
    rows = [row("s", 2.0, structure=[0, 1]), row("t", 3.0, structure=[1, 1])]
    assert findings(*rows, instances={"a": graph}) == [("structure", ("t",), "error")]


def test_a_refuted_structure_proves_nothing() -> None:
    rows = [row("liar", 12.0, structure=[0, 1, 2], status="feasible"), row("s", 9.0, structure=[0, 1], bound=9.0)]
    assert findings(*rows) == [("optimum", ("s",), "error")]  # the runner's "ok" is believed
    assert findings(*rows, instances={"a": SMALL}) == [("structure", ("liar",), "error")]


# -- contradictions ----------------------------------------------------------------------------------------------------


def test_the_lower_of_two_optima_is_wrong() -> None:
    records = made_records([row("s", 10.0, bound=10.0), row("t", 9.0, bound=9.0), row("u", 9.0, status="feasible")])
    (finding,) = audit(records)
    assert (finding.kind, finding.labels, finding.keys) == ("optimum", ("t",), ("t0",))
    assert finding.text == "9 is not optimal: s has a verified structure worth 10."


def test_a_structure_above_a_bound_proves_the_bound_wrong() -> None:
    rows = [
        row("s", 10.0, status="feasible"),
        row("lp", None, status="relaxed", bound=9.9, audit=""),
        row("stopped", None, status="timeout", bound=9.0, audit=""),
        row("fine", None, status="relaxed", bound=10.0, audit=""),
    ]
    assert findings(*rows) == [("bound", ("lp",), "error"), ("bound", ("stopped",), "error")]


def test_a_bound_below_ones_own_objective_is_wrong() -> None:
    assert findings(row("s", 10.0, status="feasible", bound=9.0)) == [("bound", ("s",), "error")]


def test_infeasible_is_refuted_by_a_structure_and_not_by_a_miss() -> None:
    says = row("s", None, status="infeasible", audit="")
    assert findings(says, row("t", 1.0)) == [("infeasible", ("s",), "error")]
    large_miss = row("s", None, status="infeasible", message=f"{NOT_KEPT} (2000000 characters).")
    assert findings(large_miss, row("t", 1.0)) == []
    miss = row("t", 100.0, status="infeasible", structure=[1])
    assert findings(says, miss) == []
    assert findings(miss, row("u", 5.0, bound=5.0)) == []


def test_an_unverified_claim_leaves_both_in_doubt() -> None:
    claim = row("claims", 11.0, status="feasible", audit="")
    for other in (
        row("s", 10.0),
        row("s", None, status="relaxed", bound=10.0, audit=""),
        row("s", None, status="infeasible", audit=""),
    ):
        assert findings(claim, other) == [("contradiction", ("claims", "s"), "error")]
    assert findings(claim, row("s", 11.0)) == []


def test_other_instances_do_not_contradict() -> None:
    assert findings(row("s", 10.0, bound=10.0), row("t", 9.0, bound=9.0, instance="b")) == []


@pytest.mark.parametrize(("magnitude", "wrong"), [(0.0, True), (1e9, False)])
def test_tolerances_are_relative_to_values_and_scores(magnitude: float, wrong: bool) -> None:
    """1e-6 of the value, and 1e-12 of the sum of absolute scores (here 1e-3)."""
    rows = [row("s", 1.0001, magnitude=magnitude), row("t", 1.0, magnitude=magnitude)]
    assert bool(findings(*rows)) is wrong
    assert findings(row("s", 1.0000005), row("t", 1.0)) == []
    assert findings(row("s", 1e-9), row("t", 0.9e-9)) != []


def test_repetitions_of_one_lie_are_one_finding() -> None:
    rows = [row("s", 10.0), *(row("t", 9.0, repetition=number) for number in range(3))]
    (finding,) = audit(made_records(rows))
    assert finding.keys == ("t0", "t1", "t2")


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0, 5)), min_size=1, max_size=6))
def test_honest_records_have_no_errors_and_lowered_bounds_do(values: list[tuple[float, float]]) -> None:
    optimum = max(value for value, _ in values)
    rows = [
        row(f"s{number}", value, bound=optimum if value == optimum else optimum + slack)
        | {"status": "optimal" if value == optimum else "feasible"}
        for number, (value, slack) in enumerate(values)
    ]
    assert findings(*rows) == []
    lowered = row("low", None, status="relaxed", bound=optimum - 0.01, audit="")
    assert findings(*rows, lowered) == [("bound", ("low",), "error")]


# -- traces, repetitions, clocks ---------------------------------------------------------------------------------------


def trace(key: str, *points: tuple[float | None, float | None]) -> dict[str, Any]:
    return {"key": key, "points": [{"seconds": 1.0, "objective": value, "bound": bound} for value, bound in points]}


def test_traces_are_held_against_facts_and_their_own_answer() -> None:
    rows = [row("s", 10.0), row("t", 8.0, status="feasible", bound=12.0, traced=True)]
    assert findings(*rows, traces=[trace("t0", (1.0, 20.0), (8.0, 12.0), (None, None))]) == []
    assert findings(*rows, traces=[trace("t0", (8.0, 9.0), (8.0, 12.0))]) == [("bound", ("t",), "error")]
    assert findings(*rows, traces=[trace("t0", (9.5, 12.0))]) == []  # a later rounding may be worse than an earlier one


def test_differing_repetitions_are_a_warning_unless_a_limit_explains_them() -> None:
    one = row("s", 5.0, status="feasible")
    assert findings(one, row("s", 6.0, status="feasible", repetition=1)) == [("repetitions", ("s",), "warning")]
    assert findings(one, row("s", 5.0, status="optimal", repetition=1)) == [("repetitions", ("s",), "warning")]
    assert findings(one, row("s", None, status="crash", audit="", repetition=1)) == [("repetitions", ("s",), "warning")]
    assert findings(one, row("s", None, status="timeout", audit="", repetition=1)) == []
    assert findings(one, row("s", 6.0, status="feasible", limit_hit="time", repetition=1)) == []
    timed = {"options": {"time_limit": 1.0}, "status": "feasible"}
    assert findings(row("s", 5.0, **timed), row("s", 6.0, repetition=1, **timed)) == []
    free = {"options": {"time_limit": None}, "status": "feasible"}
    assert findings(row("s", 5.0, **free), row("s", 6.0, repetition=1, **free)) == [("repetitions", ("s",), "warning")]


def test_a_label_that_stands_for_two_things_is_a_warning() -> None:
    assert findings(row("s", solver_version="1"), row("s", solver_version="2", repetition=1)) == [
        ("mixed", ("s",), "warning")
    ]
    assert findings(row("s", options={"k": 1}), row("s", options={"k": 2}, repetition=1)) == [
        ("mixed", ("s",), "warning")
    ]


def test_clocks_that_exceed_the_measured_time() -> None:
    parts = {"build_seconds": 1.0, "solve_seconds": 1.0, "round_seconds": None}
    assert findings(row("s", cpu_seconds=1.5, **parts)) == [("clock", ("s",), "warning")]
    assert findings(row("s", cpu_seconds=1.99, **parts)) == []
    assert findings(row("s", cpu_seconds=None, **parts)) == []


# -- what becomes of it ------------------------------------------------------------------------------------------------


def test_a_cell_that_failed_its_own_audit_is_an_error() -> None:
    found = audit(made_records([row("s", 1.0, audit="the bound lies below the objective")]))
    assert [(f.kind, f.text) for f in found] == [("cell", "the bound lies below the objective")]
    assert has_errors(found)


def test_warnings_alone_are_no_error() -> None:
    assert not has_errors([Finding("clock", "a", ("s",), "text", "warning")])
    assert not has_errors([])


def test_refuted_optima_are_not_counted_as_solved() -> None:
    rows = [
        row("s", 10.0, cpu_seconds=5.0, status="feasible"),
        row("t", 9.0, cpu_seconds=1.0),
        row("u", 9.0, cpu_seconds=2.0, status="feasible"),
    ]
    records = made_records(rows)
    assert summary(records)["wins"].tolist() == [0, 1, 0]
    marked = with_audit(records)
    assert marked["audit"].tolist() == ["ok", "9 is not optimal: s has a verified structure worth 10.", "ok"]
    assert records["audit"].tolist() == ["ok", "ok", "ok"]
    table = summary(marked)
    assert table["wins"].tolist() == [1, 0, 0]  # no proof is left: the best known value is the target
    assert table["wrong"].tolist() == [0, 1, 0]
    assert table["share"].tolist()[::2] == [100, 90]
    assert type(marked) is type(records)
    assert marked.traces is not None


def test_a_wrong_bound_does_not_cost_the_best_structure() -> None:
    rows = [
        row("s", 9.0, structure=[0, 1], bound=8.0, status="feasible"),
        row("t", 5.0, structure=[0], status="feasible"),
    ]
    marked = with_audit(made_records(rows), {"a": SMALL})
    assert marked["audit"].tolist()[0].startswith("the bound 8 is wrong")
    assert best_known(marked) == {"a": 9.0}
    again = with_audit(marked)
    assert best_known(again) == {"a": 9.0}


def test_a_second_scoring_can_verify_what_the_runner_doubted() -> None:
    rows = [
        row("s", 9.0, structure=[0, 1], status="feasible", audit="the bound 8 lies below the objective 9", bound=8.0)
    ]
    assert best_known(with_audit(made_records(rows), {"a": SMALL})) == {"a": 9.0}
    assert best_known(with_audit(made_records(rows))) == {}


def test_errors_are_printed_in_red_and_texts_are_not_markup() -> None:
    out = io.StringIO()
    many = [Finding("cell", f"i{number}", ("s [bold]",), "[red]is not markup") for number in range(5)]
    show([*many, Finding("clock", "z", ("t",), "odd", "warning")], Console(file=out, force_terminal=True, width=60))
    text = out.getvalue()
    assert "\x1b[1;31merror: i0: s [bold]: [red]is not markup" in text
    assert "i3" not in text
    assert "... and 2 more like this." in text
    assert "\x1b[33mwarning: z: t: odd" in text
    assert text.index("error") < text.index("warning")
