"""How objects show themselves to a person: one short line, or a small HTML table in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

LONGEST_NAME = 60


def short_line(kind: object, name: str, *facts: str) -> str:
    """`<ParsingInstance 'short-3': 9 words, order 3>`; empty facts are left out."""
    cut = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."
    title = f"{type(kind).__name__} {cut!r}" if name else type(kind).__name__
    return f"<{title}: {', '.join(fact for fact in facts if fact)}>"


def many(count: int, noun: str) -> str:
    """`1 word`, `2,000 words`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def facts_table(title: str, facts: Iterable[tuple[str, str]]) -> str:
    """An HTML table of names and values; nothing in it is taken as HTML."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in facts
    )
    return f'<table><caption style="text-align:left">{escape(title)}</caption><tbody>{rows}</tbody></table>'
