"""What a paper claims, what we found, and the verdict. Verdicts are computed from data (`verdicts`), never typed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from ..analysis.statistics.ratios import SpeedUp
from ..analysis.statistics.values import holm
from ..output.table_columns import with_interval
from ..output.tables import Table
from .evidence import Difference, Evidence
from .verdicts import DECIDED, FEWEST, LEVEL, RULES, UNDECIDED, VERDICTS, Ruling, Verdict, untestable

UNMEASURED = untestable("nothing was measured")


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper beside what we measured, if we did. `ratio` is the one number that decides, as text.

    `settings` are those that could decide the verdict: instances, caps, limits. `today` judges a speed against the fastest rival here.
    """

    name: str
    where: str
    text: str
    published: str
    ours: str = "not both were run"
    ratio: str = ""
    ruling: Ruling = UNMEASURED
    why: str = ""
    settings: str = ""
    today: Ruling | None = None

    def __post_init__(self) -> None:
        """Rulings are lists in files."""
        object.__setattr__(self, "ruling", Ruling(*self.ruling))
        if self.today is not None:
            object.__setattr__(self, "today", Ruling(*self.today))

    @property
    def verdict(self) -> Verdict:
        return self.ruling.verdict


def judged_by_people(name: str, where: str, text: str, published: str) -> Claim:
    """Human judgements are no business of a computer's."""
    why = "Human judgements cannot be computed; the published values are shown."
    return Claim(name, where, text, published, "no people were asked", "", untestable("human judgements"), why)


def holm_corrected(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of one table: a decision that is not significant after Holm's correction over all tested ones is undecided.

    Those that are undecided by themselves belong to the family, too: they were tested, and are the least significant of it.
    """
    family = [
        claim
        for claim in claims
        if claim.verdict == UNDECIDED or (claim.verdict in DECIDED and claim.ruling.p is not None)
    ]
    values = holm([1.0 if claim.verdict == UNDECIDED else claim.ruling.p for claim in family])
    unsure = {
        claim.name for claim, value in zip(family, values, strict=True) if claim.verdict in DECIDED and value >= LEVEL
    }
    return [_undecided(claim, len(family)) if claim.name in unsure else claim for claim in claims]


def _undecided(claim: Claim, family: int) -> Claim:
    said = f"By itself it would be {claim.verdict}, which is not significant among {family} claims (Holm)."
    return replace(claim, ruling=claim.ruling.turned(LEVEL / family), why=f"{claim.why} {said}".strip())


def with_settings(claims: Iterable[Claim], settings: str) -> list[Claim]:
    """The same settings for all claims of a run, unless a claim has its own."""
    return [replace(claim, settings=claim.settings or settings) for claim in claims]


def difference_text(found: Difference, places: int = 2, unit: str = "") -> str:
    """A difference with its interval, for a claim's reason."""
    values = f"{found.difference:+.{places}f}{unit} [{found.low:+.{places}f}, {found.high:+.{places}f}]"
    few = "; too few for a verdict" if found.items < FEWEST else ""
    return f"difference {values} over {found.items} items{few}"


def ratio_text(found: Evidence, published: float | None = None) -> str:
    """A quotient of means with its interval: 0.935 [0.844, 1.006] (paper 0.992)."""
    paper = "" if published is None else f" (paper {published:.3f})"
    if not isfinite(found.value):
        return f"none, of a reference of 0{paper}"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]{paper}"


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
    """All claims, each with the piece that tested it, in full; `claims_page` is for readers."""
    headings = ["piece", "claim", "where", "published", "ours", "ratio", "verdict", "fastest here"]
    headings += ["rule", "items", "settings", "why"]
    rows = []
    for piece, claim in claims:
        today = "" if claim.today is None else claim.today.verdict
        row = [piece, claim.text, claim.where, claim.published, claim.ours, claim.ratio, claim.verdict, today]
        rows.append([*row, claim.ruling.rule, str(claim.ruling.items or ""), claim.settings, claim.why])
    return Table("Claims and verdicts", headings, rows, list(RULES), left=len(headings))
