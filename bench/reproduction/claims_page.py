"""`claims.md`: all verdicts in one narrow table, then the rule and the reason of each, and the settings of a piece once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..output.escaping import markdown_text
from ..output.tables import Table
from .claims import Claim
from .verdicts import RULES

TITLE = "Claims and verdicts"
HEADINGS = ("piece", "claim", "where", "published", "ours", "ratio", "verdict", "fastest here")


def claims_page(claims: Mapping[str, Sequence[Claim]]) -> str:
    """The claims of each piece as Markdown."""
    rows = [_row(piece, claim) for piece, own in claims.items() for claim in own]
    parts = [Table(TITLE, list(HEADINGS), rows, list(RULES), left=len(HEADINGS)).markdown()]
    parts += [_reasons(piece, own) for piece, own in claims.items() if own]
    return "\n".join(parts)


def _row(piece: str, claim: Claim) -> list[str]:
    today = "" if claim.today is None else claim.today.verdict
    return [piece, claim.text, claim.where, claim.published, claim.ours, claim.ratio, claim.verdict, today]


def _reasons(piece: str, claims: Sequence[Claim]) -> str:
    """Why each claim has its verdict; settings that all claims of the piece share come once, at the end."""
    shared = _shared(claim.settings for claim in claims)
    lines = [f"## {markdown_text(piece)}", ""]
    for claim in claims:
        lines.append(f"- **{markdown_text(claim.verdict)}**: {markdown_text(claim.text)}")
        said = [f"Rule: {claim.ruling.rule}." if claim.ruling.rule else "", claim.why]
        if claim.ruling.items:
            said.append(f"About {claim.ruling.items} items would decide.")
        if not shared and claim.settings:
            said.append(f"Settings: {claim.settings}.")
        lines += [f"    - {markdown_text(text)}" for text in said if text]
    if shared:
        lines += ["", "Settings that could decide these verdicts:", ""]
        lines += [f"- {markdown_text(part)}" for part in shared.split("; ")]
    return "\n".join([*lines, ""])


def _shared(settings: Iterable[str]) -> str:
    """The settings of all, if they are the same."""
    found = set(settings)
    return found.pop() if len(found) == 1 else ""
