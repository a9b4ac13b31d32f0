"""How long building and solving take (`make benchmark`, in CPU seconds, children such as CBC included).

Nothing here is decided by timing.
"""

from __future__ import annotations

from typing import Any

import pytest

from problems import get_task
from solvers import get_solver
from solvers.linear import BACKENDS

SEED = 21
SOLVERS = sorted(set(BACKENDS) - {"ilp-pulp"})
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
