"""What a paper claims, what we found, and the verdict. Verdicts are computed from data, never typed in.

The rules are few and the same for all papers:

- A speed-up *holds* if at least half of the published factor is reached, against the paper's solver and against the fastest
  rival here; against the paper's solver alone it *holds against the paper's solver only*. Where that solver is absent the
  claim is *not testable here*, and the factor against the fastest rival is told all the same.
- "A is better than B" holds if the 95 % interval of a paired bootstrap of the difference lies above 0, and does not if nothing of
  the interval does. If 0 lies inside, these items cannot tell: the claim is *undecided*. With fewer than five items (quick runs)
  it is not testable.
- "As good as" holds if no more is lost than in the paper and one per cent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from ..learning.significance import Difference, paired_bootstrap
from ..output.tables import Table

Verdict = Literal["holds", "holds against the paper's solver only", "does not hold", "undecided", "not testable here"]
HOLDS: Verdict = "holds"
PAPER_ONLY: Verdict = "holds against the paper's solver only"
FAILS: Verdict = "does not hold"
UNDECIDED: Verdict = "undecided"
UNTESTABLE: Verdict = "not testable here"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

SHARE = 0.5  # of a published speed-up that has to be reached
FEWEST = 5  # items of a paired bootstrap; fewer say nothing
SLACK = 0.01  # how much more than in the paper may be lost where quality is said to be kept


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper beside what we measured. `ratio` is the one number that decides, as text."""

    name: str
    where: str
    text: str
    published: str
    ours: str
    ratio: str
    verdict: Verdict
    why: str = ""

    def document(self) -> dict[str, str]:
        return asdict(self)


def claim_of(document: dict[str, Any]) -> Claim:
    return Claim(**document)


def judge(holds: bool) -> Verdict:
    return HOLDS if holds else FAILS


def faster(published: float, paper_solver: float | None, best: float | None) -> Verdict:
    """Of a speed-up: our factors against the paper's solver and against the fastest rival; None where there is none."""
    if paper_solver is None:
        return UNTESTABLE
    if paper_solver < SHARE * published:
        return FAILS
    return HOLDS if best is None or best >= SHARE * published else PAPER_ONLY


def kept(published: float, ours: float) -> Verdict:
    """Of a quality that is kept: both are ours over the reference's, in the paper and here."""
    return judge(ours >= min(published, 1.0) - SLACK)


def higher(first: Sequence[float], second: Sequence[float]) -> tuple[Difference, Verdict]:
    """Is the first better, item by item? The difference with its interval, and the verdict."""
    found = paired_bootstrap(np.asarray(first, float), np.asarray(second, float))
    return found, sure(found)


def sure(found: Difference) -> Verdict:
    """Of "the first is better", from the interval of the difference."""
    if found.items < FEWEST:
        return UNTESTABLE
    if found.low > 0.0:
        return HOLDS
    return FAILS if found.high <= 0.0 else UNDECIDED


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


def said(found: Difference, digits: int = 2, unit: str = "") -> str:
    """A difference with its interval, for a claim's reason."""
    values = f"{found.difference:+.{digits}f}{unit} [{found.low:+.{digits}f}, {found.high:+.{digits}f}]"
    few = "; too few for a verdict" if found.items < FEWEST else ""
    return f"difference {values} over {found.items} items{few}"


def times(value: float | None) -> str:
    """A factor with three digits: 25.6x."""
    if value is None or value != value:
        return "none"
    return f"{value:.2f}x" if value < 9.995 else f"{value:.1f}x" if value < 99.95 else f"{value:.0f}x"


def counted(claims: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims have each verdict, in the verdicts' order."""
    found = [claim.verdict for claim in claims]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def claims_table(claims: Iterable[tuple[str, Claim]], title: str = "Claims and verdicts") -> Table:
    """All claims, each with the piece that tested it."""
    headings = ["piece", "claim", "where", "published", "ours", "ratio", "verdict", "why"]
    rows = [
        [piece, claim.text, claim.where, claim.published, claim.ours, claim.ratio, claim.verdict, claim.why]
        for piece, claim in claims
    ]
    notes = [
        f"A speed-up holds if at least {SHARE:.0%} of the published factor is reached; better: 95 % interval of a paired bootstrap above 0 (undecided: 0 lies inside).",
        f"As good as: no more than {SLACK:.0%} of the reference is lost beyond what the paper lost.",
    ]
    return Table(title, headings, rows, notes, left=8)
