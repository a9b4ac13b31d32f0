"""Sentences of which words were deleted, as text: what stays keeps its spelling, and touches what it touched before."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .spacing import SurfaceToken, text_line

OPENING = frozenset("([{\u201c\u2018\u00ab\u00bf\u00a1$\u00a3\u20ac#") | {"``"}
CLOSING = frozenset(")]}\u201d\u2019\u00bb.,;:!?%\u2026'") | {"''"}


def kept_tokens(tokens: Sequence[SurfaceToken], words: Sequence[str], kept: Collection[int]) -> list[SurfaceToken]:
    """The tokens that the kept words (numbered from 1) make; gaps are blanks or nothing.

    A multiword token of which words are gone is replaced by those that are left.
    """
    found: list[SurfaceToken] = []
    previous = -1  # the place of the token before, among all
    for place, token in enumerate(tokens):
        stays = [word for word in token.words if word in kept]
        if not stays:
            continue
        first = words[stays[0] - 1]
        lost_host = stays[0] != token.words[0]
        if found and not (_closes(first) if lost_host else _touches(tokens, previous, place)):
            found[-1] = _spaced(found[-1])
        if len(stays) == len(token.words):
            found.append(SurfaceToken(token.form, token.words, ""))
        else:
            parts = [SurfaceToken(words[word - 1], (word,), "") for word in stays]
            found += [*map(_spaced, parts[:-1]), parts[-1]]
        previous = place
    return found


def kept_text(tokens: Sequence[SurfaceToken], words: Sequence[str], kept: Collection[int]) -> str:
    return text_line(kept_tokens(tokens, words, kept))


def tokens_within(text: str, forms: Sequence[str]) -> list[SurfaceToken]:
    """The places of a tokeniser's forms in its text; one that is not there as it is stands alone."""
    starts: list[tuple[int, int]] = []
    at = 0
    for form in forms:
        start = text.find(form, at)
        start = at if start < 0 or text[at:start].strip() else start
        end = start + len(form) if text.startswith(form, start) else start
        starts.append((start, end))
        at = end
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [
        SurfaceToken(form, (number,), " " if end == start or text[end:following] else "")
        for number, (form, (start, end), following) in enumerate(zip(forms, starts, ends, strict=True), 1)
    ]


def _spaced(token: SurfaceToken) -> SurfaceToken:
    return SurfaceToken(token.form, token.words, " ")


def _touches(tokens: Sequence[SurfaceToken], left: int, right: int) -> bool:
    """Is there nothing between these two? Words between them are gone."""
    if right == left + 1:
        return tokens[left].after == ""
    if tokens[right - 1].after == "" and (_closes(tokens[right].form) or _one_sided(tokens, right, right)):
        return True
    return tokens[left].after == "" and (tokens[left].form in OPENING or _one_sided(tokens, left, left - 1))


def _closes(form: str) -> bool:
    """Punctuation that belongs to what is before it, or a clitic; `n't` would make another word of it."""
    return form in CLOSING or form[0] in "'\u2019"


def _one_sided(tokens: Sequence[SurfaceToken], place: int, gap: int) -> bool:
    """A mark, as a straight quote, with white space on the other side."""
    if any(character.isalnum() for character in tokens[place].form):
        return False
    return gap < 0 or gap >= len(tokens) or tokens[gap].after != ""
