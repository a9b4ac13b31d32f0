"""Headings that can stand alone: `F1` below a group `Written` becomes `Written F1`, and what the paper printed says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_PUBLISHED = re.compile(r"paper(?:'s|:)?\s+(.*)")
_GROUP = re.compile(r"[^\s:]+: ")
_UNIT = re.compile(r" (?:%|\([^()]*\)|m?s)$")


def full(headings: Sequence[str]) -> list[str]:
    """No heading twice. Each has its group's words once: those of the paper, then those of the heading before it.

    A heading that begins with `paper` opens the paper's columns, one with another word and a colon closes them.
    """
    published, sides, names = False, [], []
    for heading in headings:
        match = _PUBLISHED.fullmatch(heading)
        published = match is not None or (published and not _GROUP.match(heading))
        sides.append("paper: " if published else "")
        names.append(match[1] if match and not heading.startswith("paper's") else heading)
    found = [
        text if text.startswith("paper's") else side + text
        for side, text in zip(sides, grouped(names, sides), strict=True)
    ]
    return numbered(found)


def grouped(names: Sequence[str], sides: Sequence[str] = ()) -> list[str]:
    """A name that its side has several times takes over the words that begin the last name of several words."""
    keys = list(zip(sides or [""] * len(names), names, strict=True))
    often, found, group, before = Counter(keys), [], "", ""
    for side, name in keys:
        words = _UNIT.sub("", name).split()
        group = "" if side != before else group
        if len(words) > 1:
            group = " ".join(words[:-1])
        repeated = often[side, name] > 1 and len(words) == 1 and group
        found.append(f"{group} {name}" if repeated else name)
        before = side
    return found


def numbered(names: Sequence[str]) -> list[str]:
    """A name that stood before has its number behind it."""
    found: list[str] = []
    for name in names:
        number, text = 1, name
        while text in found:
            number += 1
            text = f"{name} ({number})"
        found.append(text)
    return found
