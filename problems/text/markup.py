"""The text of news documents in SGML or XML, as TAC and DUC have them: `<DOC> ... <TEXT> <P> ... </P> </TEXT> </DOC>`.

Only what stands in TEXT is read; headline, date and numbers stand outside of it. P parts paragraphs; where there is none, blank lines do.
A summary may be a text without TEXT (`<SUM ...> ... </SUM>`): then everything counts. Nothing is resolved or executed: markup is cut out.
"""

from __future__ import annotations

import html
import re

from ..errors import InputError

KNOWN = frozenset({"doc", "text", "p", "sum"})
LONGEST_TAG = 500  # characters; what is longer is no tag
_TAG = re.compile(rf"<[/!?]?[A-Za-z][^<>]{{0,{LONGEST_TAG}}}>")
_NAME = re.compile(r"[A-Za-z]+")
_BLANK = re.compile(r"\n[ \t\r]*\n")


def is_marked_up(text: str) -> bool:
    return any(_name(tag[0]) in KNOWN for tag in _TAG.finditer(text))


def paragraphs_of(text: str, where: object = "the document") -> list[str]:
    """The paragraphs of a text, with markup or without; lines are joined up to a blank line, because texts are often wrapped."""
    if not is_marked_up(text):
        return _parted(text)
    pieces = _pieces(text)
    names = {name for name, _, _ in pieces}
    if "text" not in names and "doc" in names:
        raise InputError(f"{where}: the element <DOC> has no <TEXT>; expected the document's text there.")
    inside, found = "text" not in names, [""]
    for name, closing, following in pieces:
        if name == "text":
            inside = not closing
        if name in ("text", "p", "doc"):
            found.append("")
        if inside:
            found[-1] += f" {following}" if name != "p" else following
    return [part for block in found for part in _parted(html.unescape(block))]


def _pieces(text: str) -> list[tuple[str, bool, str]]:
    """Each tag's name, whether it closes, and the text up to the next one; the text before the first has no name."""
    found, name, closing, start = [], "", False, 0
    for tag in _TAG.finditer(text):
        found.append((name, closing, text[start : tag.start()]))
        name, closing, start = _name(tag[0]), tag[0].startswith("</"), tag.end()
    return [*found, (name, closing, text[start:])]


def _name(tag: str) -> str:
    found = _NAME.search(tag)
    return found[0].lower() if found else ""


def _parted(text: str) -> list[str]:
    return [part for block in _BLANK.split(text) if (part := " ".join(block.split()))]
