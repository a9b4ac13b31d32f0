"""Factors of one's own against the same ones built in (`make benchmark`): iterations of AD3 and of subgradient.

Nothing here is decided by timing; `docs/own-factors.md` has the ratios.
"""

from __future__ import annotations

from typing import Any

import pytest
from own_twins import graph_of

from solvers.ad3_engine import Engine
from solvers.subgradient_engine import SubgradientEngine

CASES = [
    (kind, how)
    for kind in ("xor", "pair", "dense")
    for how in ("built in", "own", "Python")
    if how != "Python" or kind == "xor"
]
COUNT, ITERATIONS = 1000, 100


@pytest.mark.parametrize(("kind", "how"), CASES)
@pytest.mark.parametrize("method", ["ad3", "subgradient"])
def test_iterations(benchmark: Any, method: str, kind: str, how: str) -> None:
    benchmark.group = f"{method}, {kind}"
    iterations = 5 if how == "Python" else ITERATIONS
    benchmark.extra_info["iterations"] = iterations
    graph = graph_of(kind, how, COUNT)

    def begun() -> tuple[tuple[Any], dict[str, Any]]:
        if method == "ad3":
            engine: Any = Engine(graph, 2.0)
            engine.iterate(1, 0.0)
        else:
            engine = SubgradientEngine(graph, 1.0, "diminishing")
            engine.descend(1)
        return (engine,), {}

    def advance(engine: Any) -> None:
        engine.iterate(iterations, 0.0) if method == "ad3" else engine.descend(iterations)
        assert engine.iterations > 1

    benchmark.pedantic(advance, setup=begun, rounds=5, iterations=1)
