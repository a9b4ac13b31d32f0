"""`rounding = "none"`: the posteriors alone, for training."""

from __future__ import annotations

import numpy as np
import pytest

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from solvers import get_solver


def triangle() -> FactorGraph:
    """Three variables of which no two may be true: the relaxation is (1/2, 1/2, 1/2)."""
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.0, 1.0])
    for first, second in ((0, 1), (1, 2), (0, 2)):
        graph.add_logic("at_most_one", [x[first], x[second]])
    return graph


@pytest.mark.parametrize("name", ["ad3", "lp-highs", "lp-glop"])
def test_fractional_posteriors_stay(name: str) -> None:
    solution = get_solver(name, rounding="none").solve(triangle())
    assert solution.structure is None
    assert solution.status == "relaxed"
    assert solution.posteriors is not None
    np.testing.assert_allclose(solution.posteriors, 0.5, atol=1e-4)
    assert solution.bound == pytest.approx(1.5, abs=1e-3)


def test_the_posteriors_are_those_of_the_rounded_run() -> None:
    instance = get_task("summarization").generate(3, "tiny")
    plain = get_solver("ad3").solve(instance)
    bare = get_solver("ad3", rounding="none").solve(instance)
    np.testing.assert_array_equal(plain.posteriors, bare.posteriors)
    assert bare.bound == plain.bound


def test_solvers_that_need_a_rounding_refuse() -> None:
    for name in ("subgradient", "ad3-exact"):
        with pytest.raises(InputError, match="unknown rounding 'none'"):
            get_solver(name, rounding="none").solve(triangle())
    with pytest.raises(InputError, match="0 where nothing is rounded"):
        get_solver("ad3", rounding="none", gap_tolerance=0.1)
