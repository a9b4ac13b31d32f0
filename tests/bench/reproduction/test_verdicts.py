"""The rules of verdicts: each looks at an interval, and no rule decides more than its interval does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval
from bench.reproduction.claims import Claim, claims_table, counted, difference_text, times
from bench.reproduction.verdicts import (
    FAILS,
    FEWEST,
    HOLDS,
    PAPER_ONLY,
    SHARE,
    SLACK,
    UNDECIDED,
    UNTESTABLE,
    VERDICTS,
    Difference,
    Share,
    above,
    faster,
    higher,
    judge,
    kept,
    most,
    share,
    sure,
    together,
)

FACTOR = 10.0  # a published one; half of it has to be reached


def by(low: float, high: float, pairs: int = 6) -> SpeedUp:
    return SpeedUp(Interval((low + high) / 2, low, high), "optimal", pairs, 0)


POSITIVE = st.floats(0.01, 1000.0)
INTERVALS = st.tuples(POSITIVE, POSITIVE).map(sorted)


def test_a_speed_up_needs_half_of_the_published_factor_over_its_whole_interval() -> None:
    reaches, misses, both = by(5.0, 6.0), by(4.0, 4.9), by(4.9, 5.1)
    assert faster(FACTOR, reaches, reaches) == HOLDS
    assert faster(FACTOR, reaches, None) == HOLDS
    assert faster(FACTOR, reaches, misses) == faster(FACTOR, reaches, both) == PAPER_ONLY
    assert faster(FACTOR, misses, by(50.0, 60.0)) == FAILS
    assert faster(FACTOR, both, by(50.0, 60.0)) == UNDECIDED
    assert faster(FACTOR, None, by(50.0, 60.0)) == UNTESTABLE
    assert faster(FACTOR, by(50.0, 60.0, FEWEST - 1), None) == UNTESTABLE
    assert faster(FACTOR, by(math.nan, math.nan), None) == UNTESTABLE


@given(INTERVALS, INTERVALS, POSITIVE)
def test_a_verdict_on_speed_is_what_the_intervals_say(paper: list[float], best: list[float], published: float) -> None:
    found = faster(published, by(*paper), by(*best))
    needed = SHARE * published
    assert (found == FAILS) == (paper[1] < needed)
    assert (found == UNDECIDED) == (paper[0] < needed <= paper[1])
    assert (found == HOLDS) == (paper[0] >= needed and best[0] >= needed)
    assert (found == PAPER_ONLY) == (paper[0] >= needed > best[0])


@given(INTERVALS, POSITIVE, st.floats(1.0, 100.0))
def test_more_speed_is_never_worse(paper: list[float], published: float, more: float) -> None:
    order = [FAILS, UNDECIDED, HOLDS]
    slow, quick = (faster(published, by(*(factor * end for end in paper)), None) for factor in (1.0, more))
    assert order.index(quick) >= order.index(slow)


def test_quality_is_kept_within_one_per_cent_of_what_the_paper_lost() -> None:
    assert kept(0.99, Share(0.99, 0.981, 1.0, 6)) == HOLDS
    assert kept(0.99, Share(0.97, 0.96, 0.979, 6)) == FAILS
    assert kept(0.99, Share(0.98, 0.97, 0.99, 6)) == UNDECIDED
    assert kept(1.2, Share(1.0, 0.991, 1.01, 6)) == HOLDS  # a gain need not be repeated
    assert kept(0.99, Share(1.0, 1.0, 1.0, FEWEST - 1)) == UNTESTABLE


@given(st.floats(0.5, 1.5), st.tuples(st.floats(0.1, 2.0), st.floats(0.1, 2.0)).map(sorted))
def test_kept_is_what_the_interval_says(published: float, ends: list[float]) -> None:
    needed = min(published, 1.0) - SLACK
    found = kept(published, Share(sum(ends) / 2, ends[0], ends[1], FEWEST))
    assert found == (HOLDS if ends[0] >= needed else FAILS if ends[1] < needed else UNDECIDED)


SCORES = st.lists(st.floats(0.1, 100.0), min_size=1, max_size=12)


@given(SCORES, st.floats(0.1, 10.0))
def test_a_share_of_proportional_scores_is_their_factor(scores: list[float], factor: float) -> None:
    found = share([factor * score for score in scores], scores)
    assert found.items == len(scores)
    assert [found.share, found.low, found.high] == pytest.approx([factor] * 3)


@given(SCORES, st.data())
def test_a_share_lies_between_the_extreme_ratios(scores: list[float], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.floats(0.1, 100.0), min_size=len(scores), max_size=len(scores)))
    found = share(others, scores)
    ratios = [one / other for one, other in zip(others, scores, strict=True)]
    slack = 1e-9 * max(ratios)
    assert min(ratios) - slack <= found.low <= found.high <= max(ratios) + slack
    assert found.share == pytest.approx(sum(others) / sum(scores))
    assert share(others, scores) == found  # seeded


def test_a_share_of_nothing() -> None:
    nothing = share([], [])
    assert nothing.items == 0
    assert math.isnan(nothing.share)
    assert kept(0.99, nothing) == UNTESTABLE
    undefined = share([1.0] * FEWEST, [0.0] * FEWEST)
    assert kept(0.99, undefined) == UNTESTABLE


def test_higher_needs_a_sure_difference_and_enough_items() -> None:
    found, verdict = higher([2.0, 3.0, 2.5, 3.5, 2.2], [1.0, 2.0, 1.5, 2.5, 1.2])
    assert (found.difference, verdict) == (pytest.approx(1.0), HOLDS)
    assert higher([1.0, 2.0, 3.0, 1.0, 2.0], [2.0, 1.0, 3.0, 2.0, 1.0])[1] == UNDECIDED
    assert higher([1.0, 2.0, 1.5, 2.5, 1.2], [2.0, 3.0, 2.5, 3.5, 2.2])[1] == FAILS
    assert higher([1.0] * 5, [1.0] * 5)[1] == FAILS  # no difference at all
    assert higher([2.0] * 4, [1.0] * 4)[1] == UNTESTABLE


@given(st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0)).map(sorted), st.integers(0, 20))
def test_sure_is_what_the_interval_says(ends: list[float], items: int) -> None:
    found = sure(Difference(sum(ends) / 2, ends[0], ends[1], 0.5, items))
    if items < FEWEST:
        assert found == UNTESTABLE
    else:
        assert found == (HOLDS if ends[0] > 0 else FAILS if ends[1] <= 0 else UNDECIDED)


@given(st.tuples(POSITIVE, POSITIVE).map(sorted), POSITIVE)
def test_above_never_decides_against_its_interval(ends: list[float], threshold: float) -> None:
    found = above(*ends, threshold, FEWEST)
    assert (found == UNDECIDED) == (ends[0] < threshold <= ends[1])
    assert above(*ends, threshold, FEWEST - 1) == UNTESTABLE


def test_several_parts() -> None:
    assert together(HOLDS, True) == HOLDS
    assert together(HOLDS, False) == together(UNTESTABLE, False) == together(UNDECIDED, FAILS) == FAILS
    assert together(UNTESTABLE, True) == together(UNTESTABLE, UNDECIDED) == UNTESTABLE
    assert together(UNDECIDED, HOLDS) == together(UNDECIDED, PAPER_ONLY) == UNDECIDED
    assert together(PAPER_ONLY, HOLDS) == PAPER_ONLY
    assert (judge(True), judge(False)) == (HOLDS, FAILS)


@given(st.lists(st.sampled_from(VERDICTS), min_size=1), st.randoms())
def test_the_order_of_parts_says_nothing(parts: list, chance) -> None:  # type: ignore[no-untyped-def, type-arg]
    mixed = chance.sample(parts, len(parts))
    assert together(*mixed) == together(*parts)
    assert most(mixed) == most(parts)


def test_most_is_more_than_half() -> None:
    assert most([HOLDS, HOLDS, FAILS]) == HOLDS
    assert most([HOLDS, FAILS]) == FAILS
    assert most([HOLDS, UNDECIDED, FAILS]) == UNDECIDED
    assert most([HOLDS, HOLDS, UNTESTABLE]) == UNTESTABLE


def test_how_numbers_are_written() -> None:
    assert [times(value) for value in (1.234, 25.62, 123.4, None, float("nan"))] == [
        *("1.23x", "25.6x", "123x", "none", "none")
    ]
    found = Difference(0.5, -0.25, 1.0, 0.2, 6)
    assert difference_text(found, 1, " s") == "difference +0.5 s [-0.2, +1.0] over 6 items"
    assert difference_text(found._replace(items=3)).endswith("over 3 items; too few for a verdict")


def test_all_claims_in_one_table() -> None:
    claims = [
        Claim(name, "Table 1", "A is faster.", "2x", "3x", "1.5", verdict)
        for name, verdict in (("a", HOLDS), ("b", FAILS))
    ]
    table = claims_table(("piece", claim) for claim in claims)
    assert [row[6] for row in table.rows] == [HOLDS, FAILS]
    assert counted(claims) == {**dict.fromkeys(VERDICTS, 0), HOLDS: 1, FAILS: 1}
