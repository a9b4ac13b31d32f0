"""What a paper claims, what we found, and the verdict. Verdicts are computed from data (`verdicts`), never typed in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..analysis.statistics.ratios import SpeedUp
from ..output.table_columns import with_interval
from ..output.tables import Table
from .verdicts import FEWEST, RULES, UNTESTABLE, VERDICTS, Difference, Verdict


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper beside what we measured, if we did. `ratio` is the one number that decides, as text."""

    name: str
    where: str
    text: str
    published: str
    ours: str = "not both were run"
    ratio: str = ""
    verdict: Verdict = UNTESTABLE
    why: str = ""


def judged_by_people(name: str, where: str, text: str, published: str) -> Claim:
    """Human judgements are no business of a computer's."""
    why = "Human judgements cannot be computed; the published values are shown."
    return Claim(name, where, text, published, "no people were asked", "", UNTESTABLE, why)


def difference_text(found: Difference, places: int = 2, unit: str = "") -> str:
    """A difference with its interval, for a claim's reason."""
    values = f"{found.difference:+.{places}f}{unit} [{found.low:+.{places}f}, {found.high:+.{places}f}]"
    few = "; too few for a verdict" if found.items < FEWEST else ""
    return f"difference {values} over {found.items} items{few}"


def times(value: float | None) -> str:
    """A factor with three digits: 25.6x."""
    if value is None or value != value:
        return "none"
    return f"{value:.2f}x" if value < 9.995 else f"{value:.1f}x" if value < 99.95 else f"{value:.0f}x"


def speed(found: SpeedUp | None) -> str:
    """A speed-up with its interval: 9.10x [7.20, 11.0]."""
    if found is None:
        return "none"
    factor, _, ends = with_interval(*found.times).partition(" ")
    return f"{factor}x {ends}".rstrip()


def counted(claims: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims have each verdict, in the verdicts' order."""
    found = [claim.verdict for claim in claims]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def claims_table(claims: Iterable[tuple[str, Claim]]) -> Table:
    """All claims, each with the piece that tested it."""
    headings = ["piece", "claim", "where", "published", "ours", "ratio", "verdict", "why"]
    rows = [
        [piece, claim.text, claim.where, claim.published, claim.ours, claim.ratio, claim.verdict, claim.why]
        for piece, claim in claims
    ]
    return Table("Claims and verdicts", headings, rows, list(RULES), left=8)
