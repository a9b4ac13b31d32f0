"""The report's parts as plain HTML: tables, passages, claims. Nothing needs a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ..output.report.parts import csv_link, words_part
from ..output.tables import Table
from .claims import Claim, claims_table, counted
from .piece import Passage
from .store import Kept
from .verdicts import NOT_REPRODUCED, OPPOSITE, REPRODUCED, VERDICTS, WEAKER

MOST_NAMES = 6  # of folded rows
CLASSES = {REPRODUCED: "good", WEAKER: "partly", NOT_REPRODUCED: "bad", OPPOSITE: "bad"}


def table_part(
    table: Table, level: int = 4, first: Sequence[int] | None = None, name: str = "table", data: Table | None = None
) -> str:
    """A table with its notes and its CSV (of `data`, if that is another one).

    The rows that are not among the `first` are folded under them.
    """
    shown = [place for place, row in enumerate(table.rows) if row] if first is None else list(first)
    others = [place for place, row in enumerate(table.rows) if row and place not in shown]
    title = escape(table.title)
    head = f'<div class="titled"><h{level}>{title}</h{level}>{csv_link(data or table, name)}</div>'
    more = ""
    if others:
        names = list(dict.fromkeys(_named(table, place) for place in others))
        cut = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        said = f"{len(others)} more rows: {'; '.join(names[:MOST_NAMES])}{cut}"
        more = f'<details class="more"><summary>{escape(said)}</summary>{_table(table, others, f"{title}, more rows")}</details>'
    return head + _table(table, shown, title) + more + notes_part(table.notes)


def unbroken(text: str) -> str:
    """Numbers, their intervals and units stay on one line."""
    return re.sub(
        r"\S+ \[[^]]+\](?: m?s\b)?|\b[\d.]+ m?s\b", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text
    )


def thousands(text: str) -> str:
    """A text with the thousands of its numbers grouped, as everywhere on the page; years and parts of names stay."""
    return re.sub(r"(?<![\w.,^-])(?!(?:19|20)\d\d\b)\d{4,}(?!\w)", lambda found: f"{int(found[0]):,}", text)


def _named(table: Table, place: int) -> str:
    """A row by its solver, or whatever names it."""
    row = table.rows[place]
    return (
        row[table.headings.index("solver")].rstrip("*") if "solver" in table.headings else row[max(table.left - 1, 0)]
    )


def _table(table: Table, places: Sequence[int], caption: str) -> str:
    """Some rows, in a box that scrolls sideways and can be reached by keyboard."""
    head = "".join(
        f'<th scope="col"{"" if place < table.left else " class=number"}>{escape(text) or NO_TEXT}</th>'
        for place, text in enumerate(table.headings)
    )
    body: list[str] = []
    before = 0
    for place in places:
        row = table.rows[place]
        apart = bool(body) and any(not between for between in table.rows[before:place])
        cells = [f'<th scope="row">{escape(row[0]) or NO_TEXT}</th>']
        cells += [
            f'<td class="wide">{unbroken(escape(text))}</td>'
            if column < table.left
            else f'<td class="number">{unbroken(escape(thousands(text)))}</td>'
            for column, text in enumerate(row[1:], start=1)
        ]
        body.append(f"<tr{' class=apart' if apart else ''}>{''.join(cells)}</tr>")
        before = place
    return _scrolled("<table>", caption, head, body)


def _scrolled(element: str, caption: str, head: str, rows: Sequence[str]) -> str:
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f'{element}<caption class="hidden-text">{caption}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


NO_TEXT = '<span class="hidden-text">(no name)</span>'


def notes_part(notes: Sequence[str]) -> str:
    return '<ul class="note">' + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>" if notes else ""


def folded(title: str, body: str) -> str:
    """What few readers want: one line that opens. It is not printed unless it is open."""
    return f'<details class="more"><summary>{escape(title)}</summary>{body}</details>' if body else ""


def passages_part(passages: Sequence[Passage]) -> str:
    """The first text, and the others folded under it."""
    first, rest = passages[:1], passages[1:]
    more = f"{len(rest)} more {'text' if len(rest) == 1 else 'texts'}"
    return "".join(map(passage_part, first)) + folded(more, "".join(map(passage_part, rest)))


def passage_part(passage: Passage) -> str:
    """Text with its removed words greyed out, as in the papers."""
    lines = "".join(f"<p>{words_part(line)}</p>" for line in passage.lines)
    return f'<div class="output"><h5>{escape(passage.title)}</h5>{lines}</div>'


def claims_part(claims: Sequence[Claim], piece: str) -> str:
    """Claims with both numbers, the ratio and the verdict in words (colour only repeats it)."""
    if not claims:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Claim", "Published", "Ours", "Ratio", "Verdict"))
    rows = []
    for claim in claims:
        items = f" About {claim.ruling.items} items would decide." if claim.ruling.items else ""
        said = [claim.why, f"Rule: {claim.ruling.rule}.{items}" if claim.ruling.rule else "", claim.settings]
        reasons = "".join(f"<p>{escape(text)}</p>" for text in said if text)
        why = f'<details class="why"><summary>why</summary>{reasons}</details>' if reasons else ""
        rows.append(
            f'<tr><th scope="row" class="wide">{escape(claim.text)} <span class="note">({escape(claim.where)})</span></th>'
            f'<td class="wide">{escape(thousands(claim.published))}</td><td class="wide">{escape(thousands(claim.ours))}{why}</td>'
            f"<td>{escape(claim.ratio)}</td>{_verdict(claim)}</tr>"
        )
    link = csv_link(claims_table((piece, claim) for claim in claims), f"{piece}-claims")
    table = _scrolled('<table class="claims">', f"Claims tested by {escape(piece)}", head, rows)
    return f'<div class="titled"><h4>Claims</h4>{link}</div>{table}'


def _verdict(claim: Claim) -> str:
    """Against the paper's solver, and below it against the fastest one here."""
    today = "" if claim.today is None else f'<br><span class="note">fastest here: {escape(claim.today.verdict)}</span>'
    return f'<td class="verdict {CLASSES.get(claim.verdict, "open")}">{escape(claim.verdict)}{today}</td>'


def verdict_counts(kept: dict[str, list[Kept]]) -> Table:
    """How many claims of each paper have which verdict."""
    rows = []
    for paper, pieces in kept.items():
        found = counted(claim for each in pieces for claim in each.claims)
        if sum(found.values()):
            rows.append([paper, str(sum(found.values())), *(str(found[verdict]) for verdict in VERDICTS)])
    return Table("Claims by verdict", ["paper", "claims", *VERDICTS], rows, [])
