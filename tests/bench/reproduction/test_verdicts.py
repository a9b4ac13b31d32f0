"""The rules of verdicts: each looks at an interval, and no rule decides more than its interval does."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval
from bench.reproduction.evidence import NORMAL, Difference, Evidence, proportion, quickness, share
from bench.reproduction.verdicts import (
    DECIDED,
    EQUAL,
    FEWEST,
    HALF,
    LEVEL,
    NOT_REPRODUCED,
    OPPOSITE,
    POWER,
    REPRODUCED,
    SLACK,
    SURE,
    UNDECIDED,
    UNTESTABLE,
    VERDICTS,
    WEAKER,
    Ruling,
    at_least,
    at_most,
    at_similar_rates,
    better,
    effect,
    equal_on_all,
    faster,
    higher,
    kept,
    most,
    no_slower,
    together,
)


def by(low: float, high: float, pairs: int = 600) -> SpeedUp:
    return SpeedUp(Interval(math.sqrt(low * high), low, high), "optimal", pairs, 0)


def of(low: float, high: float, items: int = 6) -> Evidence:
    return Evidence((low + high) / 2, low, high, items)


POSITIVE = st.floats(0.01, 1000.0)
INTERVALS = st.tuples(POSITIVE, POSITIVE).map(sorted)


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ((6.0, 8.0), REPRODUCED),  # half of 10 times is enough
        ((5.1, 50.0), REPRODUCED),
        ((5.1, 6.0), UNDECIDED),  # a second recording could turn it
        ((2.0, 4.0), WEAKER),
        ((0.9, 4.0), NOT_REPRODUCED),
        ((0.4, 0.8), OPPOSITE),
        ((0.5, 0.9), UNDECIDED),  # not sure enough
        ((2.0, 6.0), UNDECIDED),
        ((0.5, 20.0), UNDECIDED),
    ],
)
def test_a_speed_up_of_ten(ends: tuple[float, float], verdict: str) -> None:
    assert faster(10.0, by(*ends)).verdict == verdict
    assert faster(10.0, by(*ends, pairs=FEWEST - 1)).verdict == UNTESTABLE
    assert faster(10.0, None).verdict == UNTESTABLE
    assert faster(10.0, by(math.nan, math.nan)).verdict == UNTESTABLE


@given(INTERVALS, POSITIVE, st.floats(1.0, 10.0))
def test_an_effect_is_what_its_interval_says(ends: list[float], nothing: float, factor: float) -> None:
    low, high = ends
    enough = factor * nothing
    found = effect(of(low, high), nothing, enough).verdict
    if of(low, high).flat:
        assert found == UNTESTABLE
        return
    sure = of(low, high).z(nothing) >= SURE
    assert (found == OPPOSITE) == (high < nothing and sure)
    assert (found == REPRODUCED) == (low > nothing and low >= enough)
    assert (found == WEAKER) == (low > nothing and high < enough and sure)
    assert (found == NOT_REPRODUCED) == (low <= nothing <= high < enough)
    assert found != UNTESTABLE


ORDER = [OPPOSITE, NOT_REPRODUCED, WEAKER, REPRODUCED]


@given(INTERVALS, POSITIVE, st.floats(1.0, 100.0))
def test_more_speed_is_never_worse(ends: list[float], published: float, more: float) -> None:
    slow, quick = (faster(max(2.0, published), by(*(factor * end for end in ends))).verdict for factor in (1.0, more))
    if UNDECIDED not in (slow, quick):
        assert ORDER.index(quick) >= ORDER.index(slow)


@given(INTERVALS, POSITIVE, st.integers(0, 12))
def test_bounds_are_what_the_interval_says(ends: list[float], limit: float, items: int) -> None:
    low, high = ends
    least, top = (rule(of(low, high, items), limit).verdict for rule in (at_least, at_most))
    if items < FEWEST or of(low, high).flat:
        assert least == top == UNTESTABLE
        return
    assert least == (REPRODUCED if low >= limit else NOT_REPRODUCED if high < limit else UNDECIDED)
    assert top == (REPRODUCED if high <= limit else NOT_REPRODUCED if low > limit else UNDECIDED)


@given(INTERVALS, POSITIVE, st.floats(1.0, 10.0), st.booleans())
def test_what_is_decided_is_significant_and_what_is_not_needs_more_items(
    ends: list[float], nothing: float, factor: float, relative: bool
) -> None:
    """`p` below the level is the same as an interval without the threshold; that is what Holm's correction relies on."""
    middle = math.sqrt(ends[0] * ends[1]) if relative else sum(ends) / 2
    found = effect(Evidence(middle, *ends, 6, relative), nothing, factor * nothing)
    if found.verdict in DECIDED:
        assert found.p is not None
        assert found.p <= LEVEL + 1e-6
        assert found.items is None
    else:
        assert found.p is None
        assert found.items is None or found.items >= 6


@given(INTERVALS, POSITIVE, st.booleans())
def test_standard_errors_are_those_of_the_side(ends: list[float], threshold: float, relative: bool) -> None:
    middle = math.sqrt(ends[0] * ends[1]) if relative else sum(ends) / 2
    found = Evidence(middle, *ends, 6, relative)
    if ends[1] - ends[0] > 1e-3 * ends[1]:
        assert found.z(ends[0]) == pytest.approx(NORMAL)
        assert found.z(ends[1]) == pytest.approx(NORMAL)
        outside = threshold < ends[0] * (1 - 1e-9) or threshold > ends[1] * (1 + 1e-9)
        if outside or ends[0] * (1 + 1e-9) < threshold < ends[1] * (1 - 1e-9):
            assert (found.z(threshold) > NORMAL) == outside


def test_an_interval_that_ends_at_its_value() -> None:
    """Percentiles of a bootstrap may: nothing below was ever drawn."""
    skewed = Evidence(1.0, 1.0, 2.0, 6)
    assert (skewed.z(0.5), skewed.z(1.0), skewed.z(2.0)) == (math.inf, 0.0, pytest.approx(NORMAL))
    assert effect(skewed, 0.5, 0.6).p == 0.0


def test_how_many_items_would_decide() -> None:
    """Half the distance of the interval's end needs four times the items."""
    surely = (1.0 + POWER / NORMAL) ** 2  # four times in five, not every second time
    assert at_least(Evidence(1.0, 0.0, 2.0, 10), 0.5).items == math.ceil(40 * surely)
    assert effect(Evidence(1.0, -1.0, 3.0, 10), 0.0, 2.5).items == math.ceil(10 * (2 / 1.5) ** 2 * surely)
    assert at_least(Evidence(1.0, 0.0, 2.0, 10), 1.0).items is None  # on the threshold: never


def test_quality_is_kept_within_one_per_cent_of_what_the_paper_lost() -> None:
    assert kept(0.99, of(0.981, 1.0)).verdict == REPRODUCED
    assert kept(0.99, of(0.96, 0.979)).verdict == NOT_REPRODUCED
    assert kept(0.99, of(0.97, 0.99)).verdict == UNDECIDED
    assert kept(1.2, of(0.991, 1.01)).verdict == REPRODUCED  # a gain need not be repeated
    assert kept(1.2, of(1 - 2 * SLACK, 1 - 1.5 * SLACK)).verdict == NOT_REPRODUCED


def test_f1_is_compared_where_rates_are_surely_similar() -> None:
    """Equal rates on all items are what the comparison wants."""
    ruling = Ruling(REPRODUCED, "r", 0.01, None, 6)
    for rates in (of(0.96, 1.04), share([0.7] * 6, [0.7] * 6)):
        assert at_similar_rates(ruling, rates, 0.05) == ruling._replace(rule="r; rates within 5% of each other")
    for rates in (of(0.94, 1.04), of(0.96, 1.06), of(0.99, 1.01, FEWEST - 1), share([], [])):
        assert at_similar_rates(ruling, rates, 0.05).verdict == UNTESTABLE


def test_a_gain_has_to_be_half_of_the_published_one() -> None:
    assert HALF == 0.5
    assert better(1.10, of(1.05, 1.2)).verdict == REPRODUCED
    assert better(1.10, of(1.01, 1.04)).verdict == WEAKER
    assert better(1.10, of(0.99, 1.04)).verdict == NOT_REPRODUCED
    assert better(1.10, of(0.97, 0.99)).verdict == OPPOSITE
    assert better(1.10, of(0.97, 1.2)).verdict == UNDECIDED
    assert better(0.98, of(1.01, 1.2)).verdict == REPRODUCED  # the text claims a gain that its table does not have


def test_without_a_published_number_any_sure_difference_counts() -> None:
    assert higher(Difference(1.0, 0.5, 1.5, 0.0, 6)).verdict == REPRODUCED
    assert higher(Difference(0.0, -0.5, 0.5, 1.0, 6)).verdict == UNDECIDED
    assert higher(Difference(-1.0, -1.5, -0.5, 0.0, 6)).verdict == OPPOSITE
    assert higher(Difference(0.0, 0.0, 0.0, 1.0, 6)).verdict == UNTESTABLE


@pytest.mark.parametrize("limit", [0.5, 1.0, 2.0])
def test_an_interval_without_width_decides_nothing(limit: float) -> None:
    """Eight identical answers do not say that others are identical too; nor do eight gains of the same size."""
    scores = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.2, 0.1]
    alike, lower = share(scores, scores), share([0.889 * score for score in scores], scores)
    assert (alike.low, alike.high, alike.same_answers) == (1.0, 1.0, True)
    assert lower.flat
    assert not lower.same_answers
    for rule in (at_least, at_most, lambda found, limit: effect(found, limit, limit)):
        assert rule(alike, limit).verdict == rule(lower, limit).verdict == UNTESTABLE
        assert rule(alike, limit).rule.endswith("; both give the same answer on every item")
        assert rule(lower, limit).rule.endswith("; all items say the same, so that the interval has no width")
    assert rule(share(scores, [*scores[:-1], 0.2]), limit).verdict != UNTESTABLE  # one that differs is enough


def test_an_identity_needs_many_equal_items() -> None:
    """All of 36: the exact interval of their share begins at 0.9025."""
    assert EQUAL == 0.9
    assert [equal_on_all(count, count).verdict for count in (4, 35, 36)] == [UNTESTABLE, UNDECIDED, REPRODUCED]
    assert equal_on_all(8, 8).items == 36
    assert equal_on_all(99, 100).verdict == NOT_REPRODUCED  # an identity that does not hold once does not hold


def test_no_slower_than_a_part() -> None:
    assert no_slower(by(0.6, 0.9), 0.5).verdict == REPRODUCED
    assert no_slower(by(0.2, 0.4), 0.5).verdict == NOT_REPRODUCED
    assert quickness(None) is None


SCORES = st.lists(st.floats(0.1, 100.0), min_size=1, max_size=12)


@given(SCORES, st.floats(0.1, 10.0))
def test_a_share_of_proportional_scores_is_their_factor(scores: list[float], factor: float) -> None:
    found = share([factor * score for score in scores], scores)
    assert found.items == len(scores)
    assert [found.value, found.low, found.high] == pytest.approx([factor] * 3)


@given(SCORES, st.data())
def test_a_share_lies_between_the_extreme_ratios(scores: list[float], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.floats(0.1, 100.0), min_size=len(scores), max_size=len(scores)))
    found = share(others, scores)
    ratios = [one / other for one, other in zip(others, scores, strict=True)]
    slack = 1e-9 * max(ratios)
    assert min(ratios) - slack <= found.value <= max(ratios) + slack
    assert found.low - slack <= found.value <= found.high + slack
    if min(ratios) == max(ratios):
        assert found.high - found.low <= slack
    assert found.value == pytest.approx(sum(others) / sum(scores))
    assert share(others, scores) == found  # seeded


def test_a_share_of_nothing() -> None:
    nothing = share([], [])
    assert nothing.items == 0
    assert math.isnan(nothing.value)
    assert kept(0.99, nothing).verdict == UNTESTABLE
    undefined = share([1.0] * FEWEST, [0.0] * FEWEST)
    assert kept(0.99, undefined).verdict == UNTESTABLE


@given(st.integers(0, 60), st.integers(1, 60))
def test_a_proportion_has_an_interval_inside_of_0_and_1(hits: int, items: int) -> None:
    """The exact one: at either end, as many hits or more (or fewer) have a probability of 2.5 %."""
    hits = min(hits, items)
    found = proportion(hits, items)

    def probability(of: range, share: float) -> float:
        return sum(math.comb(items, k) * share**k * (1 - share) ** (items - k) for k in of)

    assert found.low == 0.0 if hits == 0 else probability(range(hits, items + 1), found.low) == pytest.approx(0.025)
    assert found.high == 1.0 if hits == items else probability(range(hits + 1), found.high) == pytest.approx(0.025)
    assert found.low <= found.value <= found.high
    assert proportion(0, 0).items == 0


RULINGS = st.builds(Ruling, st.sampled_from(VERDICTS), st.just("r"), st.none() | st.floats(0, 1), st.none())


def test_several_parts() -> None:
    good, bad, open_, small = (Ruling(verdict) for verdict in (REPRODUCED, NOT_REPRODUCED, UNDECIDED, WEAKER))
    assert together(good, good).verdict == REPRODUCED
    assert together(good, bad).verdict == together(open_, bad).verdict == NOT_REPRODUCED
    assert together(bad, Ruling(OPPOSITE)).verdict == OPPOSITE
    assert together(Ruling(UNTESTABLE), open_).verdict == UNTESTABLE
    assert together(open_, small).verdict == UNDECIDED
    assert together(small, good).verdict == WEAKER
    assert together(Ruling(REPRODUCED, p=0.01), Ruling(REPRODUCED, p=0.03)).p == 0.03  # all have to hold
    assert together(Ruling(OPPOSITE, p=0.01), Ruling(OPPOSITE, p=0.03)).p == 0.01  # one is enough


@given(st.lists(RULINGS, min_size=1), st.randoms())
def test_the_order_of_parts_says_nothing(parts: list, chance) -> None:  # type: ignore[no-untyped-def, type-arg]
    mixed = chance.sample(parts, len(parts))
    assert together(*mixed) == together(*parts)


@pytest.mark.parametrize(
    ("gains", "losses", "verdict"),
    [(6, 0, REPRODUCED), (9, 1, REPRODUCED), (8, 2, UNDECIDED), (5, 0, UNDECIDED), (5, 5, UNDECIDED), (1, 9, OPPOSITE)],
)
def test_most_is_surely_more_than_half(gains: int, losses: int, verdict: str) -> None:
    """Clopper and Pearson's interval of 8 of 10 begins at 0.44, that of 5 of 5 at 0.48."""
    found = most([0.1] * gains + [-3.0] * losses)
    assert found.verdict == verdict
    assert (found.p is None) == (verdict == UNDECIDED)
    assert found.p is None or found.p <= LEVEL
    assert (proportion(gains, gains + losses).low > 0.5) == (verdict == REPRODUCED)


def test_what_neither_gains_nor_loses_is_no_gain() -> None:
    assert most([0.1] * 6 + [0.0] * 6).verdict == UNDECIDED
    assert most([-0.1] * 6).verdict == OPPOSITE
    assert most([0.1] * 4).verdict == most([]).verdict == UNTESTABLE
    assert most([1.0, -1.0] * 5).items is None  # on the threshold: never
    few = most([1.0] * 8 + [-1.0] * 2).items
    assert few is not None
    assert most([1.0] * round(0.8 * few) + [-1.0] * (few - round(0.8 * few))).verdict == REPRODUCED


@given(st.floats(1e-6, 0.04), st.integers(5, 500), st.integers(2, 20))
def test_a_turned_decision_says_how_many_items_would_decide(p: float, seen: int, family: int) -> None:
    """The more, the stricter the level; more than those that were not enough."""
    ruling = Ruling(REPRODUCED, "r", p, None, seen)
    found, stricter = ruling.turned(LEVEL / family), ruling.turned(LEVEL / (family + 1))
    assert found[:3] == (UNDECIDED, "r", None)
    assert found.items is not None
    assert stricter.items is not None
    assert stricter.items >= found.items
    assert found.items > seen or p < LEVEL / family
    assert Ruling(REPRODUCED, "r", p).turned(LEVEL).items is None  # of a recorded ruling that has no count
