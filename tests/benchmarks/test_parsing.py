"""How long the parts of third-order decoding take (`make benchmark`, CPU seconds). Nothing here is decided by timing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from problems import get_task
from solvers import get_solver

SEED = 21
KINDS = ("arborescence", "grand_siblings", "tri_siblings", "head_bigrams")


@pytest.fixture(scope="module", params=["short", "20", "30", "40"])
def instance(request: pytest.FixtureRequest) -> Any:
    return get_task("parsing").generate(SEED, request.param)


def test_build_graph(benchmark: Any, instance: Any) -> None:
    benchmark.group = "build parsing"
    assert benchmark(get_task("parsing").graph, instance).number_of_factors > 0


@pytest.mark.parametrize("name", ["ad3", "subgradient"])
def test_solve(benchmark: Any, instance: Any, name: str) -> None:
    benchmark.group = f"solve parsing {instance.number_of_words} words"
    solver = get_solver(name)
    solver.solve(get_task("parsing").generate(SEED, "tiny"))  # imports and compilation are not timed
    solution = benchmark.pedantic(solver.solve, args=(instance,), rounds=5, iterations=1)
    benchmark.extra_info.update(status=solution.status, iterations=solution.iterations)
    assert solution.structure is not None


@pytest.mark.parametrize("face", ["maximize", "project"])
@pytest.mark.parametrize("kind", KINDS)
def test_faces(benchmark: Any, instance: Any, kind: str, face: str) -> None:
    """All factors of a kind once; projections are cold and exact, unlike those within AD3."""
    blocks = {block.kind: block for block in get_task("parsing").graph(instance).blocks}
    if kind not in blocks:
        pytest.skip(f"the sentence has no factor of kind {kind}")
    block = blocks[kind]
    point = np.random.default_rng(0).normal(0.5, 0.7, len(block.variables))
    getattr(block, face)(point)
    benchmark.group = f"{face} {kind}"
    benchmark.extra_info["factors"] = len(block)
    benchmark(getattr(block, face), point)
