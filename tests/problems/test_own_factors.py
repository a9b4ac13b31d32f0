"""Factors written in plain Python: the example of docs/own-factors.md, and what is said of broken ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.foreign import Factor
from solvers import get_solver

PAGE = Path(__file__).parent.parent.parent / "docs" / "own-factors.md"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def test_the_documented_example_has_one_optimum(example: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    graph = example["graph"]
    best = get_solver("brute-force").solve(graph)
    assert get_solver("ilp-highs").solve(graph).objective == pytest.approx(best.objective)
    exact = get_solver("ad3-exact").solve(graph)
    assert (exact.status, exact.structure) == ("optimal", best.structure)
    for name in ("ad3", "subgradient"):
        found = get_solver(name).solve(graph)
        assert found.bound >= best.objective - 1e-9
        assert found.objective == pytest.approx(best.objective)


@pytest.mark.parametrize("seed", range(8))
def test_foreign_factors_in_random_graphs(example: dict[str, Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    x = graph.add_variables(rng.normal(size=8))
    graph.add_factor(example["ExactlyK"](2, 0.5), x[:5], rng.random(5) < 0.4)
    graph.add_factor(example["ExactlyK"](1, 0.0), x[4:])
    graph.add_logic("or", x[2:6], rng.random(4) < 0.5)
    graph.add_pair(x[0], x[6], float(rng.normal()))
    best = get_solver("brute-force").solve(graph)
    for name in ("ilp-highs", "ilp-cpsat", "ad3-exact"):
        found = get_solver(name).solve(graph)
        assert found.status == best.status
        assert found.objective == pytest.approx(best.objective, abs=1e-6)
    for name in ("ad3", "subgradient", "lp-highs"):
        assert (
            get_solver(name, **({} if name == "lp-highs" else {"max_iterations": 300})).solve(graph).bound
            >= best.objective - 1e-6
        )


class Xor(Factor):
    """The built-in xor, written in Python."""

    def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
        configuration = np.zeros(len(scores))
        configuration[scores.argmax()] = 1.0
        return configuration, 0.0


def test_a_foreign_copy_of_a_built_in_factor_makes_the_same_iterates() -> None:
    from solvers.ad3_engine import Engine

    rng = np.random.default_rng(0)
    engines = []
    scores = rng.normal(size=9)
    for foreign in (False, True):
        graph = FactorGraph()
        x = graph.add_variables(scores)
        graph.add_budget(x, 3)
        for links in (x[:4], x[3:7], x[6:]):
            graph.add_factor(Xor(), links) if foreign else graph.add_logic("xor", links)
        engines.append(Engine(graph, 1.0))
    for _ in range(50):
        for engine in engines:
            engine.iterate(1, 0.0)
        assert engines[0].state.u == pytest.approx(engines[1].state.u, abs=1e-9)
        assert engines[0].dual_value() == pytest.approx(engines[1].dual_value(), abs=1e-9)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "must return a configuration and its own score"),
        ((np.zeros(2), 0.0), "must return 3 zeros and ones"),
        ((np.full(3, 0.5), 0.0), "must return 3 zeros and ones"),
        ((np.zeros(3), float("nan")), "finite own score"),
    ],
)
def test_broken_factors_get_one_sentence(answer: object, said: str) -> None:
    class Broken(Factor):
        def maximize(self, scores: np.ndarray) -> Any:
            return answer

    graph = FactorGraph()
    graph.add_factor(Broken(), graph.add_variables([1.0, 2.0, 3.0]))
    with pytest.raises(InputError, match=said):
        get_solver("ad3").solve(graph)


def test_factors_without_rows_cannot_be_given_to_ilp_solvers() -> None:
    graph = FactorGraph()
    graph.add_factor(Xor(), graph.add_variables([1.0, 2.0]))
    with pytest.raises(InputError, match="factor 'Xor' has no `constrain`"):
        get_solver("ilp-highs").solve(graph)
    with pytest.raises(InputError, match=r"expected a problems\.factors\.foreign\.Factor, not str"):
        graph.add_factor("xor", [0, 1])  # type: ignore[arg-type]
