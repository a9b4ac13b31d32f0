"""The backbone: brute force, all exact backends and all relaxations must tell one story of every graph."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given, settings
from licences import LICENSED, covered
from scaled import scaled

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.summarization.generate import generate_zipf
from solvers import Solution, get_solver
from solvers.linear import BACKENDS

EXACT = ("ilp-cbc", "ilp-cpsat", "ilp-glpk", "ilp-gurobi", "ilp-highs", "ilp-scip", "ilp-xpress")
NETWORKS = ("maxsat-rc2", "wcsp-toulbar2")  # exact as well, but not on large instances
RELAXED = ("lp-clp", "lp-glop", "lp-glpk", "lp-gurobi", "lp-highs", "lp-highs-ipm", "lp-pdlp", "lp-xpress")
TOLERANCE = {"lp-pdlp": 1e-4}


def check(solution: Solution, task: object, instance: object) -> None:
    """What must hold of any solution, whoever made it."""
    if solution.structure is not None:
        assert task.broken(instance, solution.structure) is None  # type: ignore[attr-defined]
        assert solution.objective == task.objective(instance, solution.structure)  # type: ignore[attr-defined]
        assert "bound is wrong" not in solution.message
    assert min(solution.build_seconds, solution.solve_seconds, solution.round_seconds) >= 0.0


@settings(max_examples=max(100, settings().max_examples))
@given(factor_graphs())
def test_every_solver_agrees_on_small_graphs(graph: FactorGraph) -> None:
    from problems import task_of

    task = task_of(graph)
    best = get_solver("brute-force").solve(graph)
    for name in (*EXACT, *NETWORKS):
        found = get_solver(name).solve(graph)
        check(found, task, graph)
        assert found.status == best.status, name
        if best.status == "optimal":
            assert found.objective == pytest.approx(best.objective, abs=1e-6), name
    bounds = {}
    for name in RELAXED:
        relaxed = get_solver(name).solve(graph)
        check(relaxed, task, graph)
        bounds[name] = relaxed.bound
        if relaxed.status != "infeasible" and best.status == "optimal":
            assert relaxed.bound >= best.objective - 1e-6, name
        if relaxed.status == "optimal":
            assert relaxed.objective == pytest.approx(best.objective, abs=1e-5), name
    reference = bounds["lp-highs"]
    for name, bound in bounds.items():
        assert bound == pytest.approx(reference, rel=TOLERANCE.get(name, 1e-6), abs=TOLERANCE.get(name, 1e-6)), name


@pytest.mark.parametrize("factor", [1e-30, 1e-9, 1e-6, 1e6, 1e9, 1e30])
def test_every_solver_agrees_whatever_the_unit_of_scores(factor: float) -> None:
    from problems import task_of

    @settings(max_examples=12)
    @given(factor_graphs())
    def agree(small: FactorGraph) -> None:
        graph = scaled(small, factor)
        task, best = task_of(graph), get_solver("brute-force").solve(graph)
        size = 1e-6 * abs(best.objective) + 1e-9 * graph.magnitude
        for name in (*EXACT, *NETWORKS, *RELAXED):
            found = get_solver(name, time_limit=30.0).solve(graph)
            check(found, task, graph)
            if best.status == "optimal":
                assert found.bound >= best.objective - size, name
            if name not in RELAXED:
                assert found.status == best.status, name
            if found.status == "optimal":
                assert found.objective == pytest.approx(best.objective, rel=2e-6, abs=size), name

    agree()


@pytest.mark.parametrize("unit", [1e-9, 3.3e-6, 1.1e-3, 1.0, 1e5 + 0.5, 1e15, 1e30])
def test_every_solver_agrees_whatever_the_unit_of_costs(unit: float) -> None:
    rng = np.random.default_rng(7)
    for ratios, most in ((rng.integers(1, 9, 8), 15), (rng.random(8), 2.0), (np.append(rng.random(7), 1e9), 2.0)):
        graph = FactorGraph()
        graph.add_knapsack(graph.add_variables(rng.random(8).round(3)), ratios * unit, most * unit)
        best = get_solver("brute-force").solve(graph)
        for name in (*EXACT, *NETWORKS, *RELAXED):
            found = get_solver(name).solve(graph)
            assert found.bound >= best.objective - 1e-6, name
            if name not in RELAXED:
                assert (found.status, found.message) == ("optimal", ""), name
                assert found.objective == pytest.approx(best.objective), name


@pytest.mark.parametrize("name", [*sorted(BACKENDS), *NETWORKS])
def test_no_time_limit_makes_a_feasible_problem_infeasible(name: str) -> None:
    """CBC says so of any program when its time is up in preprocessing; toulbar2 raises before its search."""
    if name in LICENSED:
        instance, least = generate_zipf(1, 15), 182.0
    else:
        instance, least = get_task("summarization").generate(1), 224.0
    for limit in (1e-9, 0.001, 0.01, 0.03, 0.1, 0.2, 0.4):
        solution = get_solver(name, time_limit=limit).solve(instance)
        assert solution.status in ("optimal", "feasible", "relaxed", "timeout"), limit
        assert solution.bound >= least, limit  # the optimum is above this


@pytest.mark.parametrize("budget", [10**8, 10**30, 10**400])
@pytest.mark.parametrize("task_name", ["extraction", "summarization"])
def test_budgets_beyond_everything_are_no_budgets(task_name: str, budget: int) -> None:
    task = get_task(task_name)
    instance = dataclasses.replace(task.generate(1, "tiny"), budget=budget)
    size = task.graph(instance).number_of_variables
    assert task.broken(instance, task.round(instance, np.full(size, 0.5), "search")) is None
    objectives = [get_solver(name).solve(instance).objective for name in ("ilp-cpsat", "ilp-highs", "lp-glop")]
    assert objectives == pytest.approx([objectives[0]] * 3)


@pytest.mark.parametrize(("task_name", "size"), [("extraction", "tac"), ("summarization", "tac")])
@pytest.mark.parametrize("seed", [11, pytest.param(12, marks=pytest.mark.slow)])
def test_every_solver_agrees_on_tac(task_name: str, size: str, seed: int) -> None:
    task = get_task(task_name)
    instance = task.generate(seed, size)
    solutions = {name: get_solver(name, time_limit=120.0).solve(instance) for name in covered(EXACT, instance)}
    for name, solution in solutions.items():
        check(solution, task, instance)
        assert solution.status == "optimal", name
    objectives = np.array([solution.objective for solution in solutions.values()])
    assert objectives == pytest.approx(objectives[0], rel=1e-6)
    bounds = {name: get_solver(name).solve(instance) for name in covered(RELAXED, instance)}
    for name, relaxed in bounds.items():
        check(relaxed, task, instance)
        assert relaxed.bound == pytest.approx(bounds["lp-highs"].bound, rel=TOLERANCE.get(name, 1e-6)), name
        assert relaxed.bound >= objectives[0] * (1 - 1e-9), name
        assert relaxed.objective <= objectives[0] * (1 + 1e-9), name


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_every_solver_agrees_on_zipf(seed: int) -> None:
    task = get_task("summarization")
    instance = task.generate(seed, "zipf")
    solutions = {name: get_solver(name, time_limit=300.0).solve(instance) for name in covered(EXACT, instance)}
    proved = [solution.objective for solution in solutions.values() if solution.status == "optimal"]
    assert len(proved) >= 3
    assert proved == pytest.approx([proved[0]] * len(proved), rel=1e-6)
    for name, solution in solutions.items():
        check(solution, task, instance)
        assert solution.objective <= proved[0] * (1 + 1e-6), name
        assert solution.bound >= proved[0] * (1 - 1e-6), name


def test_infeasible_graphs_are_called_so() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.0])
    graph.add_logic("xor", x)
    graph.add_logic("xor", x[:1])
    graph.add_logic("xor", x[1:])
    for name in (*EXACT, *NETWORKS, *RELAXED, "brute-force"):
        solution = get_solver(name).solve(graph)
        assert solution.status == "infeasible", name
        assert solution.structure is None
        assert math.isnan(solution.gap)


def test_fractional_relaxation_without_a_feasible_rounding_is_relaxed() -> None:
    """A frustrated triangle: the relaxation is all halves, and no 0/1 point exists at all."""
    graph = FactorGraph()
    x = graph.add_variables([0.0, 0.0, 0.0])
    for first, second in ((0, 1), (1, 2), (0, 2)):
        graph.add_logic("xor", [x[first], x[second]])
    relaxed = get_solver("lp-highs").solve(graph)
    assert relaxed.status == "relaxed"
    assert relaxed.integral is False
    assert relaxed.posteriors == pytest.approx([0.5, 0.5, 0.5])
    assert get_solver("ilp-highs").solve(graph).status == "infeasible"


@pytest.mark.parametrize("name", ["ilp-cpsat", "ilp-gurobi", "ilp-highs", "ilp-xpress"])
def test_traces_hold_a_rising_incumbent_and_a_falling_bound(name: str) -> None:
    instance = generate_zipf(3, 12) if name in LICENSED else get_task("summarization").generate(3, "zipf")
    solution = get_solver(name, trace=True, time_limit=20.0).solve(instance)
    assert len(solution.trace) >= 3
    seconds = [point.seconds for point in solution.trace]
    assert seconds == sorted(seconds)
    objectives = [point.objective for point in solution.trace if not math.isnan(point.objective)]
    bounds = [point.bound for point in solution.trace if not math.isnan(point.bound)]
    assert all(later >= earlier - 1e-6 for earlier, later in itertools.pairwise(objectives))
    assert all(later <= earlier + 1e-6 for earlier, later in itertools.pairwise(bounds))
    assert objectives[-1] == pytest.approx(solution.objective, rel=1e-6)
    assert all(bound >= solution.objective * (1 - 1e-6) for bound in bounds)


@pytest.mark.parametrize("name", [*EXACT, *RELAXED])
def test_same_seed_same_answer(name: str) -> None:
    instance = get_task("summarization").generate(4, "tiny")
    first, second = (get_solver(name, seed=7).solve(instance) for _ in range(2))
    assert first.structure == second.structure
    assert first.bound == second.bound
