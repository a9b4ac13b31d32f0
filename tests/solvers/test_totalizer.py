"""The generalised totalizer against enumeration."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.networks.totalizer import at_most

pytest.importorskip("pysat")


def allowed(literals: list[int], costs: list[int], budget: int) -> set[tuple[int, ...]]:
    """The assignments of the literals' variables that some values of the auxiliary variables go with, says a SAT solver."""
    from pysat.solvers import Solver

    count = max(map(abs, literals))
    numbers = itertools.count(count + 1)
    with Solver("g3", bootstrap_with=list(at_most(literals, costs, budget, lambda: next(numbers)))) as oracle:
        signs = itertools.product((-1, 1), repeat=count)
        given = ([sign * x for x, sign in enumerate(some, 1)] for some in signs)
        return {tuple(assumed) for assumed in given if oracle.solve(assumptions=assumed)}


@given(st.data())
def test_exactly_what_the_budget_allows_is_allowed(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    signs = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=count, max_size=count))
    costs = data.draw(st.lists(st.integers(1, 9) | st.integers(1, 2**45), min_size=count, max_size=count))
    budget = data.draw(st.integers(0, sum(costs) + 1))
    literals = [sign * x for x, sign in enumerate(signs, 1)]
    expected = {
        tuple(value * x for x, value in enumerate(values, 1))
        for values in itertools.product((-1, 1), repeat=count)
        if sum(cost for cost, sign, value in zip(costs, signs, values, strict=True) if sign == value) <= budget
    }
    assert allowed(literals, costs, budget) == expected


def test_equal_sums_share_their_variables() -> None:
    """Costs of 1 to 3 have few sums, powers of two have all of them."""
    sizes = []
    for costs in ([1 + x % 3 for x in range(12)], [2**x for x in range(12)]):
        numbers = itertools.count(13)
        clauses = list(at_most(list(range(1, 13)), costs, sum(costs) // 2, lambda: next(numbers)))  # noqa: B023
        sizes.append((next(numbers), len(clauses)))
    assert sizes[0][0] < 60
    assert sizes[1][0] > 100
    assert sizes[0][1] < sizes[1][1]
