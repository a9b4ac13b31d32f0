"""CPU times of the dynamic programs of sentence compression on planted sentences at rate 0.7.

The whole `solve()` call is timed: tables, back-pointers, decoding, repair, and the harness's own check of the structure.
"""

from __future__ import annotations

from typing import Any

import pytest

from problems import get_task
from solvers import get_solver

SEEDS = range(10)
CASES = [
    *(("dp-exact", {"lengths": lengths}, size) for lengths in ("all", "given") for size in ("30", "40", "100")),
    *(("dp-exact", {"algorithm": "paper"}, size) for size in ("30", "40")),
    *(("dp-lagrangian", {}, size) for size in ("30", "40", "100")),
    *(("dp-lagrangian", {"search": "subgradient"}, size) for size in ("30", "40")),
    *(("dp-lagrangian", {"algorithm": "paper"}, size) for size in ("30", "40")),
    *((name, {}, "30") for name in ("dp-tree", "dp-bigram")),
]


@pytest.mark.parametrize(("name", "options", "size"), CASES)
def test_solve(benchmark: Any, name: str, options: dict[str, Any], size: str) -> None:
    """Ten sentences, one after the other: divide by ten."""
    task = get_task("compression")
    instances = [task.generate(seed, size) for seed in SEEDS]
    solver = get_solver(name, **options)
    solver.solve(task.generate(0, "tiny"))  # imports and compilation are not timed
    benchmark.group = f"compression, {size} words, {len(instances)} sentences"
    solutions = benchmark.pedantic(
        lambda: [solver.solve(each) for each in instances], rounds=1 if size == "100" else 5, iterations=1
    )
    assert {solution.status for solution in solutions} == {"optimal" if solver.exact else "feasible"}
    benchmark.extra_info["solve_seconds"] = [solution.solve_seconds for solution in solutions]
    benchmark.extra_info["repaired"] = sum(solution.info.get("repaired", 0.0) for solution in solutions)


@pytest.mark.parametrize("size", ["30", "40"])
@pytest.mark.parametrize("algorithm", ["fast", "paper"])
def test_lagrangian_iteration(benchmark: Any, algorithm: str, size: str) -> None:
    """One evaluation of the relaxed problem, decoding included."""
    from solvers.dynamic.compression import arc_table, bigram_table
    from solvers.dynamic.relaxation import Relaxation, load_kernels

    load_kernels(algorithm)  # type: ignore[arg-type]
    instance = get_task("compression").generate(0, size)
    relaxation = Relaxation(arc_table(instance), bigram_table(instance), algorithm)  # type: ignore[arg-type]
    benchmark.group = f"compression, {size} words, one evaluation"
    benchmark(relaxation.maximize, 0.1)
    assert 0 < relaxation.kept() <= int(size)
