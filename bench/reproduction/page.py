"""The report's parts as plain HTML: tables, figures, passages, claims. Nothing needs a script."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ..output.report.parts import words_part
from ..output.tables import Table
from .claims import Claim, counted
from .piece import Passage, Shown
from .store import Kept
from .verdicts import NOT_REPRODUCED, OPPOSITE, REPRODUCED, VERDICTS, WEAKER

LARGEST_SVG = 250_000  # bytes; larger drawings are embedded as PNG
ACROSS = 1.7  # width over height from which a figure gets the whole width
CLASSES = {REPRODUCED: "good", WEAKER: "partly", NOT_REPRODUCED: "bad", OPPOSITE: "bad"}


def table_part(table: Table, level: int = 4) -> str:
    """A table with its notes, in a box that scrolls sideways and can be reached by keyboard."""
    head = "".join(
        f'<th scope="col"{"" if place < table.left else " class=number"}>{escape(text) or NO_TEXT}</th>'
        for place, text in enumerate(table.headings)
    )
    body, apart = [], False
    for row in table.rows:
        if not row:
            apart = True
            continue
        cells = [f'<th scope="row">{escape(row[0]) or NO_TEXT}</th>']
        cells += [
            f'<td class="{"wide" if place < table.left else "number"}">{escape(text)}</td>'
            for place, text in enumerate(row[1:], start=1)
        ]
        body.append(f"<tr{' class=apart' if apart else ''}>{''.join(cells)}</tr>")
        apart = False
    title = escape(table.title)
    return f"<h{level}>{title}</h{level}>{_scrolled('<table>', title, head, body)}{notes_part(table.notes)}"


def _scrolled(element: str, caption: str, head: str, rows: Sequence[str]) -> str:
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">'
        f'{element}<caption class="hidden-text">{caption}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


NO_TEXT = '<span class="hidden-text">(no name)</span>'


def notes_part(notes: Sequence[str]) -> str:
    return '<ul class="note">' + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>" if notes else ""


def picture_part(folder: Path, picture: Shown) -> str:
    """A figure with its caption; a large drawing is embedded as PNG."""
    svg, png = folder / f"{picture.stem}.svg", folder / f"{picture.stem}.png"
    chosen, kind = (svg, "svg+xml") if svg.exists() and svg.stat().st_size <= LARGEST_SVG else (png, "png")
    data = base64.b64encode(chosen.read_bytes()).decode()
    width, height = struct.unpack(">II", png.read_bytes()[16:24])  # a PNG's header
    return (
        f'<figure{" class=across" if width > ACROSS * height else ""}><img src="data:image/{kind};base64,{data}" alt="{escape(picture.alt, quote=True)}">'
        f"<figcaption>{escape(picture.caption)}</figcaption></figure>"
    )


def passage_part(passage: Passage) -> str:
    """Text with its removed words greyed out, as in the papers."""
    lines = "".join(f"<p>{words_part(line)}</p>" for line in passage.lines)
    return f'<div class="output"><h5>{escape(passage.title)}</h5>{lines}</div>'


def claims_part(claims: Sequence[Claim], caption: str) -> str:
    """Claims with both numbers, the ratio and the verdict in words (colour only repeats it)."""
    if not claims:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Claim", "Published", "Ours", "Ratio", "Verdict"))
    rows = []
    for claim in claims:
        items = f" About {claim.ruling.items} items would decide." if claim.ruling.items else ""
        said = [claim.why, f"Rule: {claim.ruling.rule}.{items}" if claim.ruling.rule else "", claim.settings]
        why = "".join(f'<br><span class="note">{escape(text)}</span>' for text in said if text)
        rows.append(
            f'<tr><th scope="row" class="wide">{escape(claim.text)} <span class="note">({escape(claim.where)})</span></th>'
            f'<td class="wide">{escape(claim.published)}</td><td class="wide">{escape(claim.ours)}{why}</td>'
            f"<td>{escape(claim.ratio)}</td>{_verdict(claim)}</tr>"
        )
    return "<h4>Claims</h4>" + _scrolled('<table class="claims">', escape(caption), head, rows)


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
