"""Coverage, which only AD3's presolve makes: its faces agree with enumeration, and its projections are projections."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems.factors.coverage import Coverage
from problems.linear_program import ProgramBuilder

values = st.one_of(st.integers(-4, 6).map(lambda value: value / 4), st.floats(-3, 3), st.sampled_from([1e6, -1e6]))
scores = st.one_of(st.integers(-4, 4).map(lambda value: value / 2), st.floats(-3, 3))


def coverage(score: float, negated: list[bool]) -> Coverage:
    none, count = np.zeros(2, dtype=np.int64), len(negated)
    return Coverage(
        starts=np.array([0, count]),
        variables=np.arange(count),
        negated=np.array(negated),
        int_starts=none,
        ints=np.zeros(0, dtype=np.int64),
        float_starts=np.arange(2),
        floats=np.array([score]),
    )


@st.composite
def factors(draw: st.DrawFn) -> tuple[Coverage, np.ndarray]:
    """A factor, and a number for each link."""
    degree = draw(st.integers(1, 6))
    negated = draw(st.lists(st.booleans(), min_size=degree, max_size=degree))
    return coverage(draw(scores), negated), np.array(draw(st.lists(values, min_size=degree, max_size=degree)))


@given(factors())
def test_maximize_equals_enumeration_and_the_linear_program(drawn: tuple[Coverage, np.ndarray]) -> None:
    block, linear = drawn
    found, point = block.maximize(linear)
    configurations, own = block.enumerate(0)
    assert found[0] == pytest.approx((configurations @ linear + own).max(), abs=1e-9)
    assert linear @ point + block.score(point)[0] == pytest.approx(found[0], abs=1e-9)
    builder = ProgramBuilder()
    builder.add_columns(linear)
    block.constrain(builder)
    optimum = lp_optimum(builder.build())
    assert optimum is not None
    assert found[0] == pytest.approx(optimum[0], rel=1e-9, abs=1e-7)


@given(factors(), st.sampled_from([1.0, 0.1, 25.0]))
def test_projections_meet_the_optimality_conditions(drawn: tuple[Coverage, np.ndarray], scale: float) -> None:
    """No 0/1 point gains on z in the linearized problem: z maximizes (a - z) y + scale * own(y)."""
    block, point = drawn
    z = block.project(point, scale)
    assert z.min() >= 0.0
    assert z.max() <= 1.0
    literals = np.where(block.negated, 1.0 - z, z)
    score = float(block.floats[0])
    own = score * (min(1.0, literals.sum()) if score > 0 else literals.max())
    configurations, worth = block.enumerate(0)
    best = (configurations @ (point - z) + scale * worth).max()
    assert (point - z) @ z + scale * own >= best - 1e-8 * max(1.0, abs(best))
