"""Markdown from plain values: tables, escaped cells, anchors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$", re.MULTILINE)


def cell(text: object) -> str:
    """One cell of a table, without line breaks. Bars need a backslash outside of code only."""
    parts = re.split(r"(`[^`]*`)", " ".join(str(text).split()))
    return "".join(part if part.startswith("`") else part.replace("|", "\\|") for part in parts)


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; nothing where there are no rows."""
    lines = [f"| {' | '.join(cell(value) for value in row)} |" for row in rows]
    if not lines:
        return ""
    top = [f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}"]
    return "\n".join([*top, *lines]) + "\n"


def read_table(text: str) -> list[dict[str, str]]:
    """The rows of the first table of a page, by heading; bars that are escaped stay so."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    if len(lines) < 3:
        return []
    rows = [[part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]


def without_title(text: str) -> tuple[str, str]:
    """The title of a page and the rest of it."""
    first, _, rest = text.lstrip().partition("\n")
    if first.startswith("# "):
        return first.removeprefix("# ").strip(), rest.strip() + "\n"
    return "", text


def demoted(text: str, levels: int = 1) -> str:
    """A page whose headings stand that many levels lower."""
    return HEADING.sub(lambda found: f"{'#' * levels}{found[0]}", text)


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    paragraph = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    found = re.match(r"(.*?(?<!e\.g)(?<!i\.e)(?<!al)(?<!Eq)\.)(?=\s|$)", paragraph)
    return found[1] if found else paragraph


def with_suffixes(names: Sequence[str]) -> str:
    """Names of which many are others with a suffix: `10`, `20`, also with `-flow`, `-chart`; `hard`."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        if not any(name.startswith(f"{other}-") for other in names):
            suffixes = tuple(other.removeprefix(name) for other in names if other.startswith(f"{name}-"))
            groups.setdefault(suffixes, []).append(name)
    parts = []
    for suffixes, own in groups.items():
        also = f", also with {', '.join(f'`{suffix}`' for suffix in suffixes)}" if suffixes else ""
        parts.append(", ".join(f"`{name}`" for name in own) + also)
    return "; ".join(parts)


def prose(docstring: str | None) -> str:
    """A docstring as a paragraph of Markdown: square brackets outside of code are no links."""
    parts = re.split(r"(`[^`]*`)", inspect.cleandoc(docstring or ""))
    return "".join(part if part.startswith("`") else part.replace("[", "\\[") for part in parts)
