"""Names and messages that others chose, written so that no format takes a part of them as a command."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_BLANK = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
}
_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # some spreadsheets take the wide forms for these
_NO_FORMULA = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?( \[[^=@|!]*\])?|-")


def plain_text(text: str) -> str:
    r"""One line of characters that can be seen: control characters and changes of direction become `\x1b` and the like."""
    return _CONTROL.sub(lambda found: ascii(found.group())[1:-1], _BLANK.sub(" ", text))


def html_text(text: str) -> str:
    """Text that is no part of an element, an attribute or an entity."""
    return escape(plain_text(text))


def short_names(names: Iterable[str], longest: int) -> dict[str, str]:
    """Names of at most so many characters, with an ellipsis within those that had more; different ones stay different."""
    given = list(dict.fromkeys(names))
    found = {name: name for name in given if len(name) <= longest}
    taken = set(found)
    for name in given:
        if name in found:
            continue
        short, number, end = "", 1, "\N{HORIZONTAL ELLIPSIS}" + name[-(longest // 3) :]
        while not short or short in taken:
            short = name[: longest - len(end)] + end
            number += 1
            end = f"\N{HORIZONTAL ELLIPSIS}{number}"
        found[name] = short
        taken.add(short)
    return found


def latex_text(text: str) -> str:
    """Text in which every character that LaTeX reads as a command stands for itself."""
    escaped = "".join(_LATEX.get(character, character) for character in plain_text(text))
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash


def markdown_text(text: str) -> str:
    """Text that opens no HTML element, entity, link or code, and no other cell of a table."""
    escaped = re.sub(r"[\\|`]", r"\\\g<0>", plain_text(text))
    escaped = re.sub(r"\](?=[(\[:])", r"\\]", escaped)
    return re.sub(r"&(?=#?\w+;)", "&amp;", re.sub(r"<(?=[A-Za-z/!?])", "&lt;", escaped))


def csv_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula; numbers, also negative ones, stay as they are."""
    plain = plain_text(text)
    harmless = not plain.lstrip().startswith(_FORMULA) or _NO_FORMULA.fullmatch(plain)
    return plain if harmless else "'" + plain


def figure_text(text: str) -> str:
    """Text that is no formula and no hidden entry of a legend in a figure."""
    plain = plain_text(text).replace("$", r"\$")
    return f" {plain}" if plain.startswith("_") else plain
