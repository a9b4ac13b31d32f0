"""The rules by which a paper's claim is judged. They are the same for all papers, and each looks at an interval, never at one number.

- A speed-up *holds* if the whole 95 % interval reaches at least half of the published factor, against the paper's solver and against the
  fastest rival here; against the paper's solver alone it *holds against the paper's solver only*. It *does not hold* if nothing of the
  interval does, and is *undecided* otherwise. Where the paper's solver is absent the claim is *not testable here*.
- "A is better than B" holds if the 95 % interval of a paired bootstrap of the difference lies above 0, and does not if nothing of
  the interval does. If 0 lies inside, these items cannot tell: the claim is undecided.
- "As good as" holds if, over the whole interval of A's mean over B's, no more is lost than in the paper and one per cent.
- With fewer than five items (quick runs) nothing is testable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from problems.errors import InputError

from ..analysis.statistics.ratios import SpeedUp

Verdict = Literal["holds", "holds against the paper's solver only", "does not hold", "undecided", "not testable here"]
HOLDS: Verdict = "holds"
PAPER_ONLY: Verdict = "holds against the paper's solver only"
FAILS: Verdict = "does not hold"
UNDECIDED: Verdict = "undecided"
UNTESTABLE: Verdict = "not testable here"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

SHARE = 0.5  # of a published speed-up that has to be reached
FEWEST = 5  # items of an interval; fewer say nothing
SLACK = 0.01  # how much more than in the paper may be lost where quality is said to be kept
SAMPLES = 10_000  # of a bootstrap
CHUNK = 1_000_000  # resampled numbers at a time
RULES = (
    f"A speed-up holds if its 95 % interval reaches {SHARE:.0%} of the published factor; better: 95 % interval of a paired bootstrap "
    "above 0; undecided: the interval has both sides.",
    f"As good as: no more than {SLACK:.0%} of the reference is lost beyond what the paper lost. Fewer than {FEWEST} items: not testable.",
)


def above(low: float, high: float, threshold: float, items: int) -> Verdict:
    """Of "the value is at least the threshold", from its interval."""
    if items < FEWEST or np.isnan(low):
        return UNTESTABLE
    if low >= threshold:
        return HOLDS
    return FAILS if high < threshold else UNDECIDED


def below(low: float, high: float, threshold: float, items: int) -> Verdict:
    """Of "the value is at most the threshold", from its interval."""
    return above(-high, -low, -threshold, items)


def faster(published: float, paper_solver: SpeedUp | None, best: SpeedUp | None) -> Verdict:
    """Of a speed-up: our factors against the paper's solver and against the fastest rival; None where there is none."""
    against_paper = reaches(paper_solver, SHARE * published)
    if against_paper != HOLDS or best is None:
        return against_paper
    return HOLDS if reaches(best, SHARE * published) == HOLDS else PAPER_ONLY


def reaches(found: SpeedUp | None, threshold: float) -> Verdict:
    """Of "at least so many times as fast"; None where there is nothing to compare."""
    return UNTESTABLE if found is None else above(found.times.low, found.times.high, threshold, found.pairs)


class Share(NamedTuple):
    """The mean of one system over that of another, item by item, with its 95 % interval."""

    share: float
    low: float
    high: float
    items: int


def share(first: Sequence[float], second: Sequence[float], seed: int = 1) -> Share:
    """The first's mean over the second's, by a paired bootstrap over items."""
    one, other = np.asarray(first, float), np.asarray(second, float)
    if not len(one):
        return Share(np.nan, np.nan, np.nan, 0)
    chosen = np.random.default_rng(seed).integers(len(one), size=(SAMPLES, len(one)))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = one[chosen].mean(axis=1) / other[chosen].mean(axis=1)
        whole = float(one.mean() / other.mean())
    low, high = np.nanpercentile(found, [2.5, 97.5]) if np.isfinite(found).any() else (np.nan, np.nan)
    return Share(whole, float(low), float(high), len(one))


def kept(published: float, ours: Share) -> Verdict:
    """Of a quality that is kept; `published` is the system's value over the reference's in the paper."""
    return above(ours.low, ours.high, min(published, 1.0) - SLACK, ours.items)


class Difference(NamedTuple):
    """first - second with its 95 % interval; `p` is the two-sided bootstrap probability of a difference of the other sign."""

    difference: float
    low: float
    high: float
    p: float
    items: int


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], samples: int = SAMPLES, seed: int = 1
) -> Difference:
    """Percentile bootstrap of mean(first) - mean(second) over test items (sentences or topics), the same ones drawn for both."""
    if len(first) != len(second) or not len(first):
        raise InputError(
            f"a paired bootstrap needs the same items of both systems, not {len(first)} and {len(second)}."
        )
    values = np.asarray(first, float) - np.asarray(second, float)
    rng, rows = np.random.default_rng(seed), max(1, CHUNK // len(values))
    parts = [min(rows, samples - start) for start in range(0, samples, rows)]
    found = np.concatenate([values[rng.integers(len(values), size=(part, len(values)))].mean(axis=1) for part in parts])
    low, high = np.percentile(found, [2.5, 97.5])
    tails = min((found <= 0).mean(), (found >= 0).mean())
    return Difference(float(values.mean()), float(low), float(high), min(1.0, 2.0 * float(tails)), len(values))


def higher(first: Sequence[float], second: Sequence[float]) -> tuple[Difference, Verdict]:
    """Is the first better, item by item? The difference with its interval, and the verdict."""
    found = paired_bootstrap(first, second)
    return found, sure(found)


def sure(found: Difference) -> Verdict:
    """Of "the first is better", from the interval of the difference."""
    if found.items < FEWEST:
        return UNTESTABLE
    if found.low > 0.0:
        return HOLDS
    return FAILS if found.high <= 0.0 else UNDECIDED


def judge(holds: bool) -> Verdict:
    """Of a claim about a count or a proof, which has no interval."""
    return HOLDS if holds else FAILS


def together(*parts: Verdict | bool) -> Verdict:
    """Of a claim with several parts: it holds if all do, and fails with the first that fails; else the weakest part decides."""
    if False in parts or FAILS in parts:
        return FAILS
    return next((weak for weak in (UNTESTABLE, UNDECIDED, PAPER_ONLY) if weak in parts), HOLDS)


def most(parts: Sequence[Verdict]) -> Verdict:
    """Of a claim about most of several cases: more than half of them decide."""
    if UNTESTABLE in parts:
        return UNTESTABLE
    if 2 * parts.count(HOLDS) > len(parts):
        return HOLDS
    return FAILS if 2 * parts.count(FAILS) >= len(parts) else UNDECIDED
