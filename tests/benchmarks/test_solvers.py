"""How long building and solving take (`make benchmark`, in CPU seconds, children such as CBC included).

Nothing here is decided by timing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from licences import covers

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.linear import BACKENDS

SEED = 21
SOLVERS = [*sorted(set(BACKENDS) - {"ilp-pulp"}), "ad3", "ad3-exact", "subgradient"]
TASKS = ("extraction", "summarization")


@pytest.fixture(scope="module", params=TASKS)
def instance(request: pytest.FixtureRequest) -> Any:
    return get_task(request.param).generate(SEED, "tac")


def test_build_graph(benchmark: Any, instance: Any) -> None:
    """Instance to factor graph."""
    benchmark.group = f"build {instance.task}"
    graph = benchmark(get_task(instance.task).graph, instance)
    assert graph.number_of_factors > 0


def test_build_linear_program(benchmark: Any, instance: Any) -> None:
    """Factor graph to the arrays that every backend reads."""
    benchmark.group = f"build {instance.task}"
    program = benchmark(get_task(instance.task).graph(instance).linear_program)
    assert program.number_of_rows > 0


@pytest.mark.parametrize("name", SOLVERS)
def test_solve(benchmark: Any, instance: Any, name: str) -> None:
    """The whole `solve()` call of each backend."""
    benchmark.group = f"solve {instance.task}"
    if not covers(name, instance):
        pytest.skip("the licence in force does not cover it")
    solver = get_solver(name, time_limit=60.0)
    solver.solve(get_task(instance.task).generate(SEED, "tiny"))  # imports and compilation are not timed
    solution = benchmark.pedantic(solver.solve, args=(instance,), rounds=3, iterations=1)
    benchmark.extra_info.update(
        status=solution.status,
        build_seconds=solution.build_seconds,
        solve_seconds=solution.solve_seconds,
        round_seconds=solution.round_seconds,
        build_share=solution.build_seconds / solution.cpu_seconds,
    )
    assert solution.status in ("optimal", "feasible")


@pytest.mark.parametrize("rounding", ["paper", "search"])
def test_round(benchmark: Any, instance: Any, rounding: str) -> None:
    """Both roundings of one LP solution."""
    benchmark.group = f"round {instance.task}"
    task = get_task(instance.task)
    relaxed = get_solver("lp-highs").solve(instance)
    task.round(instance, relaxed.posteriors, rounding)
    structure = benchmark(task.round, instance, relaxed.posteriors, rounding)
    benchmark.extra_info["share_of_bound"] = task.objective(instance, structure) / relaxed.bound
    assert task.broken(instance, structure) is None


def test_ad3_iteration(benchmark: Any, instance: Any) -> None:
    """One hundred iterations from the start, in which every factor is still active."""
    from solvers.ad3_engine import Engine, load_kernels

    load_kernels()
    benchmark.group = f"ad3 {instance.task}"
    graph = get_task(instance.task).graph(instance)
    engine = Engine(graph, 2.0, 1.6)

    def iterate() -> int:
        before = engine.factor_solves
        engine.iterate(100, 0.0)
        return engine.factor_solves - before

    solves = benchmark.pedantic(iterate, rounds=5, iterations=1)
    benchmark.extra_info["factor_solves"] = solves
    assert engine.iterations >= 100


@pytest.mark.parametrize("kind", ["xor", "or_out", "budget", "knapsack", "pair", "dense", "subtree"])
def test_project(benchmark: Any, kind: str) -> None:
    """One thousand projections of each kind at a typical size (cold: memories are made anew)."""
    rng = np.random.default_rng(0)
    graph = FactorGraph()
    for _ in range(1000):
        degree = {"or_out": 3, "pair": 2, "subtree": 25, "budget": 40, "knapsack": 40}.get(kind, 8)
        x = graph.add_variables(rng.normal(size=degree))
        if kind in ("xor", "or_out"):
            graph.add_logic(kind, x)
        elif kind == "budget":
            graph.add_budget(x, 6)
        elif kind == "knapsack":
            graph.add_knapsack(x, rng.integers(1, 30, degree), 100)
        elif kind == "pair":
            graph.add_pair(x[0], x[1], 0.5)
        elif kind == "dense":
            graph.add_dense([x[:4], x[4:]], rng.normal(size=16))
        else:
            parents = [-1, *(int(rng.integers(node)) for node in range(1, degree))]
            graph.add_subtree_deletion(x, parents, rng.normal(size=degree), rng.random(degree) < 0.5)
    (block,) = graph.blocks
    points = rng.normal(0.5, 0.7, len(block.variables))
    block.project(points)  # compilation is not timed
    benchmark.group = "1000 projections"
    z = benchmark(block.project, points)
    assert z.min() >= -1e-9
    assert z.max() <= 1.0 + 1e-9
