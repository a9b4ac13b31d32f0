"""The rules by which a paper's claim is judged: the same for all papers, each from an interval and never from one number.

An *effect* is a quantity with a value that means "nothing" (a speed-up of 1) and one that is enough (half of what was published):

    opposite | not reproduced | weaker | reproduced      where the whole 95 % interval lies: below nothing, around nothing but
                                                         below enough, between the two, above enough; else undecided

A *bound* is a quantity that has to stay on one side of a limit ("no more than", "as good as"): reproduced, not reproduced or undecided.
Fewer than five items, as in quick runs, are not testable, and neither is an interval without width: items that all say the same do not
say how much others may differ. Every ruling says its rule, how sure it is (`p`, for Holm's correction within a table) and, where it is
undecided, about how many items would decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, erfc, isfinite, isnan, log, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

from scipy.stats import binomtest

from ..analysis.statistics.ratios import SpeedUp
from .evidence import NORMAL, RERUN, Difference, Evidence, proportion, quickness

Verdict = Literal["reproduced", "weaker", "not reproduced", "opposite", "undecided", "not testable"]
REPRODUCED: Verdict = "reproduced"
WEAKER: Verdict = "weaker"
NOT_REPRODUCED: Verdict = "not reproduced"
OPPOSITE: Verdict = "opposite"
UNDECIDED: Verdict = "undecided"
UNTESTABLE: Verdict = "not testable"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
DECIDED = (REPRODUCED, WEAKER, NOT_REPRODUCED, OPPOSITE)

HALF = 0.5  # of a published effect that has to be reached
FEWEST = 5  # items of an interval; fewer say nothing
SLACK = 0.01  # how much more than in the paper may be lost where quality is said to be kept
HOPELESS = 100.0  # times the items: the value lies on the threshold, and no number of items is worth naming
SURE = 2.575829  # standard errors from no effect (99 %) of a verdict that there is one, or its opposite
POWER = 0.841621  # normal quantile of 0.8: as many items are named as decide four times in five
LEVEL = 0.05  # of an interval's error, and of a family of claims after Holm's correction
EQUAL = 0.9  # share of items that surely have equal answers where two systems are said to be the same
SAME = "both give the same answer on every item"
CONSTANT = "all items say the same, so that the interval has no width"
RULES = (
    f"reproduced: the whole 95 % interval reaches {HALF:.0%} of the published effect. weaker: there is an effect, but surely a smaller "
    "one. not reproduced: the interval reaches no such effect. opposite: surely the other way round. undecided: the interval leaves it open.",
    f"Kept quality: no more than {SLACK:.0%} of the reference is lost beyond what the paper lost. Fewer than {FEWEST} items, or the same "
    "answers of both on every item: not testable.",
    "Speeds are judged against the paper's own solver; `fastest here` judges the same claim against the fastest rival that we have.",
    f"Intervals are over items (bootstrap, Student's factor for few), and of times also over recordings: a second one moves a quotient by {RERUN:.0%} "
    "(standard deviation). That there is an effect, or its opposite, must be sure at 99 %. A verdict that a second run could turn is undecided.",
    "A decision counts if it is significant after Holm's correction over the claims of its table; `items`: about how many would decide "
    "four times in five.",
)


class Ruling(NamedTuple):
    """A verdict and the rule that it was found by. `p` and `seen` are of a decided one: of how many items. `items` would decide an undecided one."""

    verdict: Verdict
    rule: str = ""
    p: float | None = None
    items: int | None = None
    seen: int | None = None

    def turned(self, level: float) -> Ruling:
        """Undecided, where it is not significant at this level: with about as many items as would make it so."""
        items = _needed(self.seen, _errors(self.p), _errors(level)) if self.seen and self.p else None
        return Ruling(UNDECIDED, self.rule, None, items)


def untestable(why: str) -> Ruling:
    return Ruling(UNTESTABLE, why)


def effect(found: Evidence | None, nothing: float, enough: float, rule: str = "") -> Ruling:
    """Of a quantity that is `nothing` without the effect, and at least `enough` where it is as published (with `HALF` of it)."""
    rule = rule or f"{nothing:g}: no effect; from {enough:.4g} on: reproduced"
    if found is None or _unfit(found):
        return _untold(found, rule)
    sure = found.z(nothing) >= SURE  # else one run in twenty without any effect would contradict the others
    if found.high < nothing:
        return _decided(OPPOSITE, rule, found, nothing) if sure else _open(rule, found, nothing)
    if found.low > nothing and found.low >= enough:
        return _decided(REPRODUCED, rule, found, enough)
    if found.low > nothing and found.high < enough:
        return _decided(WEAKER, rule, found, nothing, enough) if sure else _open(rule, found, nothing, enough)
    if found.high < enough:
        return _decided(NOT_REPRODUCED, rule, found, enough)
    return _open(rule, found, nothing, enough)


def at_least(found: Evidence | None, limit: float, rule: str = "") -> Ruling:
    """Of "no less than"."""
    rule = rule or f"at least {limit:.4g}"
    if found is None or _unfit(found):
        return _untold(found, rule)
    if found.low >= limit:
        return _decided(REPRODUCED, rule, found, limit)
    return _decided(NOT_REPRODUCED, rule, found, limit) if found.high < limit else _open(rule, found, limit)


def at_most(found: Evidence | None, limit: float, rule: str = "") -> Ruling:
    """Of "no more than"."""
    rule = rule or f"at most {limit:.4g}"
    if found is None or _unfit(found):
        return _untold(found, rule)
    turned = found._replace(value=-found.value, low=-found.high, high=-found.low, factor=False)
    return at_least(turned, -limit, rule)


def _unfit(found: Evidence) -> str:
    """Why nothing can be told from an interval; empty where something can."""
    if found.items < FEWEST:
        return f"{found.items} items are too few"
    if isnan(found.low) or isnan(found.high):
        return "the interval is undefined"
    return "" if not found.flat else SAME if found.same_answers else CONSTANT


def _untold(found: Evidence | None, rule: str) -> Ruling:
    return untestable(f"{rule}; {'nothing to compare' if found is None else _unfit(found)}")


def _decided(verdict: Verdict, rule: str, found: Evidence, *thresholds: float) -> Ruling:
    """The threshold that is the least sure decides how sure the verdict is."""
    return Ruling(verdict, rule, max(erfc(found.z(each) / sqrt(2.0)) for each in thresholds), None, found.items)


def _open(rule: str, found: Evidence, *thresholds: float) -> Ruling:
    """An interval shrinks with the root of the number of items; the threshold that is the easier to exclude counts."""
    inside = [found.z(each) for each in thresholds if found.low <= each <= found.high]
    z = max(inside, default=NORMAL)  # just outside: a few more items would do
    return Ruling(UNDECIDED, rule, None, _needed(found.items, z))


def _errors(p: float) -> float:
    """Standard errors that a two-sided p stands for."""
    return NormalDist().inv_cdf(1.0 - p / 2.0)


def _needed(items: int, z: float, sure: float = NORMAL) -> int | None:
    """About how many items would exclude, four times in five, a threshold that is `z` standard errors away now."""
    factor = ((sure + POWER) / z) ** 2 if z > 0.0 and isfinite(z) else HOPELESS
    return ceil(items * factor) if factor < HOPELESS else None


SEVERITY = (OPPOSITE, NOT_REPRODUCED, UNTESTABLE, UNDECIDED, WEAKER, REPRODUCED)


def together(*parts: Ruling) -> Ruling:
    """Of a claim with several parts: the worst decides, and the least sure of those that have the same verdict."""
    worst = min((part.verdict for part in parts), key=SEVERITY.index)
    same = [part for part in parts if part.verdict == worst]
    rule = "; ".join(dict.fromkeys(part.rule for part in parts if part.rule))
    known = [part for part in same if part.p is not None]
    sign = -1 if worst in (REPRODUCED, WEAKER) else 1  # these have to hold of all parts; of the others one is enough
    deciding = min(known, key=lambda part: (sign * (part.p or 0.0), part.seen or 0), default=Ruling(worst))
    items = max((part.items for part in same if part.items), default=None)
    return Ruling(worst, rule, deciding.p, items, deciding.seen)


def most(differences: Sequence[float], rule: str = "more than half of them surely") -> Ruling:
    """Of a claim about most of several cases: the share of gains among them, with its exact interval, against one half."""
    gains, losses, count = (
        sum(each > 0 for each in differences),
        sum(each < 0 for each in differences),
        len(differences),
    )
    if count < FEWEST:
        return untestable(f"{rule}; {count} are too few")
    for verdict, hits in ((REPRODUCED, gains), (OPPOSITE, losses)):
        if proportion(hits, count).low > 0.5:
            return Ruling(verdict, rule, float(binomtest(hits, count, 0.5).pvalue), None, count)
    return _open(rule, proportion(gains, count), 0.5)


def equal_on_all(equal: int, items: int) -> Ruling:
    """Of an identity: one item without it refutes it; where all have it, the exact interval of their share says whether they are many enough."""
    rule = f"equal on all, and on surely {EQUAL:.0%} of others"
    if items < FEWEST:
        return untestable(f"{rule}; {items} items are too few")
    if equal < items:
        return Ruling(NOT_REPRODUCED, rule, 0.0, None, items)
    found = at_least(proportion(equal, items), EQUAL, rule)
    return found if found.verdict == REPRODUCED else found._replace(items=ceil(log(LEVEL / 2.0) / log(EQUAL)))


def faster(published: float, found: SpeedUp | None) -> Ruling:
    """Of a published speed-up."""
    rule = f"1x: no effect; from {HALF * published:.3g}x on, half of the published factor: reproduced"
    return effect(quickness(found), 1.0, HALF * published, rule)


def no_slower(found: SpeedUp | None, limit: float) -> Ruling:
    return at_least(quickness(found), limit, f"at least {limit:.3g} times as fast")


def kept(published: float, ours: Evidence) -> Ruling:
    """Of a quality that is kept; `published` is the system's value over the reference's in the paper."""
    return at_least(ours, min(published, 1.0) - SLACK)


def at_similar_rates(ruling: Ruling, rates: Evidence, tolerance: float) -> Ruling:
    """F1 can be compared where both systems surely keep as many words, but for this share; elsewhere nothing can be said of it."""
    rule = f"{ruling.rule}; rates within {tolerance:.0%} of each other"
    if rates.items < FEWEST or rates.low < 1.0 - tolerance or rates.high > 1.0 + tolerance:
        return untestable(f"{rule}, which they are not surely")
    return ruling._replace(rule=rule)


def better(published: float, ours: Evidence) -> Ruling:
    """Of one system's mean over another's, both in the paper and here: at least half of the published gain."""
    return effect(ours, 1.0, 1.0 + HALF * max(published - 1.0, 0.0))


def higher(found: Difference) -> Ruling:
    """Of "the first is better" where no number was published: any sure difference."""
    return effect(Evidence(found.difference, found.low, found.high, found.items), 0.0, 0.0, "a difference above 0")
