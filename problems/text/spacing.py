r"""The white space of a text, kept in CoNLL-U's MISC column, and sentences as text again.

`SpaceAfter=No` says that a token touches the next one, and no entry that a blank follows. Any other gap is `SpacesAfter`, and the one
before the first token of a text `SpacesBefore`, with UDPipe's escapes: `\s` blank, `\t` `\n` `\r`, `\p` bar, `\\` backslash; and
`\u00A0` for other white space, which a column must not end with. A multiword token's gap stands in its range line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NOTHING = "_"
_NAMES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
_CHARACTERS = {name: character for character, name in _NAMES.items()}
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)")
RANGE = re.compile(r"(\d+)-(\d+)")
MISC = 9


@dataclass(frozen=True)
class SurfaceToken:
    """A token as it stands in the text: its words (numbered from 1), and the white space around it."""

    form: str
    words: tuple[int, ...]
    after: str
    before: str = ""


def escaped(gap: str) -> str:
    return "".join(
        _NAMES.get(character) or (f"\\u{ord(character):04X}" if _must_be_named(character) else character)
        for character in gap
    )


def _must_be_named(character: str) -> bool:
    return character.isspace() or character == "\u200b"


def unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        name = found[0]
        return chr(int(name[2:], 16)) if len(name) == 6 else _CHARACTERS.get(name, name)

    return _ESCAPE.sub(character, text)


def misc_of(after: str, before: str = "") -> str:
    """The MISC column of a token between these gaps."""
    entries = []
    if after == "":
        entries.append("SpaceAfter=No")
    elif after != " ":
        entries.append(f"SpacesAfter={escaped(after)}")
    if before:
        entries.append(f"SpacesBefore={escaped(before)}")
    return "|".join(entries) or NOTHING


def gaps_of(misc: str) -> tuple[str, str]:
    """The white space after and before a token with this MISC column."""
    entries = dict(entry.partition("=")[::2] for entry in misc.split("|"))
    after = "" if entries.get("SpaceAfter") == "No" else " "
    if "SpacesAfter" in entries:
        after = unescaped(entries["SpacesAfter"])
    return after, unescaped(entries.get("SpacesBefore", ""))


def surface_tokens(lines: Iterable[str]) -> list[SurfaceToken]:
    """The tokens of a sentence's CoNLL-U lines: words, or what stands for several in a range line."""
    found: list[SurfaceToken] = []
    covered = 0
    for line in lines:
        columns = line.split("\t")
        if line.startswith("#") or len(columns) <= MISC:
            continue
        after, before = gaps_of(columns[MISC])
        if span := RANGE.fullmatch(columns[0]):
            words = tuple(range(int(span[1]), int(span[2]) + 1))
            covered = words[-1] if words else covered
            found.append(SurfaceToken(columns[1], words, after, before))
        elif columns[0].isdecimal() and int(columns[0]) > covered:
            found.append(SurfaceToken(columns[1], (int(columns[0]),), after, before))
    return found


def text_line(tokens: Sequence[SurfaceToken]) -> str:
    """A sentence as the comment `# text` has it: on one line, every gap a single blank."""
    return "".join(token.form + (" " if token.after else "") for token in tokens).rstrip(" ")


def restored(sentences: Iterable[Sequence[SurfaceToken]]) -> str:
    """The text that the sentences come from, character by character."""
    return "".join(token.before + token.form + token.after for tokens in sentences for token in tokens)
