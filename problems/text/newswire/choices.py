"""Choosing among wordings: the part of the shorthand (see `notation.py`) that is settled before a tree is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Option = TypeVar("Option")


def pick(rng: np.random.Generator, options: Sequence[Option]) -> Option:
    return options[int(rng.random() * len(options))]


def expand(text: str, rng: np.random.Generator, optional: float) -> str:
    """Settle the choices of a template; each `[...]` is told with probability `optional`."""
    out: list[str] = []
    i = 0
    while i < len(text):
        if text[i] not in "{[":
            out.append(text[i])
            i += 1
            continue
        end = _matching(text, i)
        options = _alternatives(text[i + 1 : end])
        if text[i] == "{" and len(options) == 1:
            out.append(text[i : end + 1])
        elif text[i] == "{" or (optional > 0 and rng.random() < optional):
            out.append(expand(pick(rng, options), rng, optional))
        i = end + 1
    return "".join(out)


def _matching(text: str, start: int) -> int:
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "{[") - (text[i] in "}]")
        if depth == 0:
            return i
    raise ValueError(f"unclosed {text[start]!r} in {text!r}")


def _alternatives(text: str) -> list[str]:
    options = [""]
    depth = 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        if character == "|" and depth == 0:
            options.append("")
        else:
            options[-1] += character
    return options
