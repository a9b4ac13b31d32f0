"""Looking solvers up, and what is said of unknown names and bad options."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import pytest

from problems import get_task, task_of
from problems.errors import InputError
from problems.extraction.instance import ExtractionInstance
from problems.factor_graph import FactorGraph
from solvers import SOLVERS, get_solver, make_solver, solver_class
from solvers.base import Solution, meets
from solvers.conclude import from_posteriors, judge


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_every_solver_of_the_table_exists(name: str) -> None:
    chosen = solver_class(name)
    assert chosen.name == name
    assert chosen.unavailable() is None, "all required packages bring their solvers"
    assert chosen.version()
    assert get_solver(name).options == {field.name: field.default for field in dataclasses.fields(chosen)}


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ilp-cpsatt", {}, "unknown solver 'ilp-cpsatt': did you mean 'ilp-cpsat'?"),
        ("nothing like it", {}, "names are valid, such as"),
        ("ilp-highs", {"timelimit": 3}, "unknown option 'timelimit' of solver 'ilp-highs': did you mean 'time_limit'?"),
        (
            "ilp-highs",
            {"time_limit": -1},
            "option 'time_limit' of solver 'ilp-highs' must be above 0 and finite, not -1",
        ),
        ("ilp-highs", {"time_limit": "soon"}, "must be a number or none, not 'soon'"),
        ("ilp-highs", {"seed": 1.5}, "option 'seed' of solver 'ilp-highs' must be a whole number, not 1.5"),
        ("ilp-highs", {"trace": 1}, "option 'trace' of solver 'ilp-highs' must be true or false, not 1"),
        ("ilp-highs", {"time_limit": float("inf")}, "must be above 0 and finite, not inf"),
        ("ilp-highs", {"rounding": "paper"}, "unknown option 'rounding' of solver 'ilp-highs'"),
        ("greedy", {"scaling": -1.0}, "option 'scaling' of solver 'greedy' must be at least 0"),
        ("brute-force", {"max_structures": 0}, "must be at least 1, not 0"),
        ("greedy", {"scaling": float("inf")}, "must be at least 0 and at most 10, not inf"),
        ("greedy", {"scaling": 1e9}, "must be at least 0 and at most 10"),
        ("ilp-cpsat", {"linearization_level": -1}, "must be 0, 1 or 2, not -1"),
        ("ilp-cpsat", {"linearization_level": 99}, "must be 0, 1 or 2, not 99"),
        ("lp-pdlp", {"tolerance": 1e-300}, "must be at least 1e-12 and below 1, not 1e-300"),
        ("ilp-highs", {"name": 1}, "unknown option 'name' of solver 'ilp-highs'"),
        ("ilp-highs", {"task": "extraction"}, "unknown option 'task' of solver 'ilp-highs'"),
        (3, {}, "; see `dualbench list solvers`."),
    ],
)
def test_bad_names_and_options_are_one_sentence(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        make_solver(name, None, options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_rounding_is_refused_before_solving() -> None:
    instance = get_task("summarization").generate(0, "tiny")
    with pytest.raises(InputError, match="unknown rounding 'papper' of task 'summarization': did you mean 'paper'"):
        get_solver("lp-highs", rounding="papper").solve(instance)


def test_solver_of_another_task_is_refused() -> None:
    with pytest.raises(InputError, match="'greedy' does not solve task 'summarization', only extraction"):
        get_solver("greedy", task="summarization")
    with pytest.raises(InputError, match="task 'extraction' only"):
        get_solver("greedy").solve(get_task("summarization").generate(0, "tiny"))
    with pytest.raises(InputError, match="not int"):
        get_solver("ilp-highs").solve(3)


def test_brute_force_refuses_large_instances() -> None:
    with pytest.raises(InputError, match="more than brute force's limit of 2000000"):
        get_solver("brute-force").solve(get_task("summarization").generate(0, "zipf"))
    graph = FactorGraph()
    graph.add_variables(np.zeros(1100))
    with pytest.raises(InputError, match="has more than 1e308 structures"):
        get_solver("brute-force").solve(graph)
    with pytest.raises(InputError, match="has more than 1e308 structures"):
        get_solver("brute-force").solve(ExtractionInstance("long", (1,) * 1100, (), 3))


def test_gap_and_optimality() -> None:
    assert Solution("feasible", objective=200.0, bound=250.0).gap == pytest.approx(0.2)
    assert Solution("feasible", objective=0.0, bound=0.0).gap == 0.0
    assert Solution("optimal", objective=0.0, bound=1e-15, magnitude=10.0).gap == 0.0
    for unit in (1e-30, 1e-9, 1.0, 1e9, 1e90):
        assert Solution("feasible", objective=-2.0 * unit, bound=-1.0 * unit).gap == pytest.approx(0.5)
        assert meets(200.0 * unit, (200.0 + 1e-4) * unit)
        assert not meets(200.0 * unit, (200.0 + 3e-4) * unit)
        assert not meets(0.0, 1e-9 * unit, magnitude=unit)
        assert meets(0.0, 1e-13 * unit, magnitude=unit)
        assert meets(-200.0 * unit, -200.0 * unit)
    assert not meets(1.0, math.inf)


def test_a_bound_below_the_objective_proves_nothing() -> None:
    graph = FactorGraph()
    graph.add_variables([1.0, 2.0])
    task = task_of(graph)
    wrong = judge(task, graph, (1, 1), 2.5)
    assert (wrong.status, wrong.objective) == ("feasible", 3.0)
    assert "bound is wrong: 2.5 lies below" in wrong.message
    right = judge(task, graph, (1, 1), 3.0 - 1e-9)
    assert (right.status, right.message) == ("optimal", "")
    assert judge(task, graph, (1, 1), math.inf).status == "feasible"


def test_only_rounding_is_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow check of feasibility must not show in `round_seconds`."""
    task = get_task("summarization")
    instance = task.generate(0, "tiny")

    def slow(*_: object) -> None:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass

    monkeypatch.setattr(task, "broken", slow)
    assignment = task.assignment(instance, ())
    for posteriors in (assignment, assignment + 0.5):
        assert from_posteriors(task, instance, posteriors, 100.0, None).round_seconds < 0.15


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ad3", {"eta": 0}, "option 'eta' of solver 'ad3' must be above 0 and finite, not 0"),
        ("ad3", {"eta": float("inf")}, "must be above 0 and finite, not inf"),
        ("ad3", {"max_iterations": 0}, "must be at least 1, not 0"),
        ("ad3", {"over_relaxation": 2.0}, "must be between 0 and 2, not 2.0"),
        ("ad3", {"gap_tolerance": -1e-3}, "must be at least 0, not -0.001"),
        ("ad3", {"time_limit": -1}, "must be above 0 and finite, not -1"),
        (
            "subgradient",
            {"step_rule": "steepest"},
            "must be one of 'dual-increase', 'diminishing', 'best', not 'steepest'",
        ),
        ("subgradient", {"step": -1.0}, "option 'step' of solver 'subgradient' must be above 0 and finite"),
        ("ad3-exact", {"max_nodes": 0}, "option 'max_nodes' of solver 'ad3-exact' must be at least 1"),
    ],
)
def test_bad_options_of_dual_decomposition(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        get_solver(name, **options)
    assert said in str(caught.value)
