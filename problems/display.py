"""How objects show themselves to a person: one short line, or a small HTML table in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .errors import shortened

LONGEST_NAME, LONGEST_TEXT = 60, 300


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


class InNotebooks:
    """Something whose `repr` is a short line: a notebook shows that line and more."""

    def _repr_html_(self) -> str:
        return facts_table(repr(self)[1:-1], self._details())

    def _details(self) -> list[tuple[str, str]]:
        """Names and values beside the short line: the beginning of the text, where there is one."""
        words = tuple(getattr(self, "words", ()))
        return [("words", shortened(" ".join(words), LONGEST_TEXT))] if words else []
