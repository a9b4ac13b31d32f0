"""The report's figures: drawings that follow the page's colours, as wide as can be read, on screens and in print."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from ..output.plots.compact import compact
from ..output.plots.looks import follows_the_page
from .piece import Shown

PNG_DPI = 200
HALF = 500.0  # 72nds of an inch: a wider drawing cannot be read at half of the page's width
TALL = 1.2  # height over width from which a drawing gets a whole column in print


def pictures_part(folder: Path, pictures: Sequence[Shown]) -> str:
    """Figures side by side where two can be read at half of the page's width; each other one has a row of its own."""
    drawings = [_embedded(folder, picture.stem) for picture in pictures]
    rows, place = [], 0
    while place < len(pictures):
        pair = all(drawing.width <= HALF for drawing in drawings[place : place + 2]) and place + 1 < len(pictures)
        for number in range(place, place + 1 + pair):
            rows.append(_figure(drawings[number], pictures[number], alone=not pair))
        place += 1 + pair
    return f'<div class="figures">{"".join(rows)}</div>' if rows else ""


def cover_part(folder: Path, picture: Shown, narrow: str) -> str:
    """A figure with its caption; `narrow` is the stem of the one for small screens."""
    source = f'<source media="screen and (max-width: 40rem)" srcset="{_embedded(folder, narrow).data}">'
    return _figure(_embedded(folder, picture.stem), picture, source=source)


class Drawing(NamedTuple):
    """A picture as the page holds it, and its size in 72nds of an inch."""

    data: str
    width: float
    height: float


def _figure(drawing: Drawing, picture: Shown, alone: bool = False, source: str = "") -> str:
    image = f'<img src="{drawing.data}" alt="{escape(picture.alt, quote=True)}">'
    if source:
        image = f"<picture>{source}{image}</picture>"
    else:  # what is wide scrolls sideways on small screens
        image = f'<div class="pan" tabindex="0" role="region" aria-label="Figure">{image}</div>'
    kinds = [*(["across"] if alone else []), *(["tall"] if drawing.height > TALL * drawing.width else [])]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return f"<figure{kind}>{image}<figcaption>{escape(picture.caption)}</figcaption></figure>"


def _embedded(folder: Path, stem: str) -> Drawing:
    """A drawing that follows the page's colours; where there is none, its PNG."""
    svg = folder / f"{stem}.svg"
    if svg.exists():
        text = svg.read_text(encoding="utf-8")
        kind, data = "svg+xml", follows_the_page(compact(text)).encode()
        found = re.search(r'<svg\b[^>]*? width="([\d.]+)pt" height="([\d.]+)pt"', text)
        width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    else:
        kind, data = "png", (folder / f"{stem}.png").read_bytes()
        width, height = (pixels * 72 / PNG_DPI for pixels in struct.unpack(">II", data[16:24]))  # a PNG's header
    return Drawing(f"data:image/{kind};base64,{base64.b64encode(data).decode()}", width, height)
