"""Plain text as sentences of words. Nothing of it is lost: `spacing.restored` gives the text back.

Tokens are those of `tokens`. Sentences end where the library `syntok` says so, or at the ends of lines. A full stop within a
sentence that touches the word before it is part of it, as in `Dr.`: treebanks have it so. One that only quotes and brackets
follow ends the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from .conll import ConllSentence
from .spacing import NOTHING, SurfaceToken, misc_of, text_line
from .tokens import Token, tokens_in

CLOSING = frozenset("\"'\u201d\u2019\u00bb)]}") | {"''"}
_LINE_END = re.compile(r"\r\n|\n|\r")


def split_text(text: str, name: str = "text", lines: bool = False) -> Iterator[ConllSentence]:
    """The sentences of a text, their words without tags; with `lines`, each line is one. White space has none."""
    tokens = list(tokens_in(text))
    if not tokens:
        return
    name = "_".join(name.split()).replace("/", "_") or "text"  # a `sent_id` has no blanks
    joined = [_with_stops(text, sentence) for sentence in _sentences(text, tokens, lines)]
    before = text[: tokens[0].start]
    for number, sentence in enumerate(joined, 1):
        end = joined[number][0].start if number < len(joined) else len(text)
        yield _as_conll(text, sentence, end, before, f"{name}-{number}")
        before = ""


def given_tokens(text: str, words: Sequence[str], name: str) -> ConllSentence:
    """One sentence whose tokens are known; they stand in the text in this order."""
    tokens, start = [], 0
    for word in words:
        start = text.index(word, start)
        tokens.append(Token(start, start + len(word), (word,)))
        start += len(word)
    return _as_conll(text, tokens, len(text), text[: tokens[0].start], name)


def _sentences(text: str, tokens: list[Token], lines: bool) -> Iterator[list[Token]]:
    """Paragraphs (or lines), and in them sentences."""
    enough = 1 if lines else 2  # line ends that part them
    part: list[Token] = []
    for token in tokens:
        if part and len(_LINE_END.findall(text[part[-1].end : token.start])) >= enough:
            yield from [part] if lines else _segmented(text, part)
            part = []
        part.append(token)
    yield from [part] if lines else _segmented(text, part)


@cache
def _syntok() -> Any:
    from syntok.tokenizer import Tokenizer

    return Tokenizer(replace_not_contraction=False)


def _segmented(text: str, tokens: list[Token]) -> Iterator[list[Token]]:
    """The sentences of a paragraph. A boundary within a run of marks is its end; one within another token is none."""
    from syntok import segmenter

    first, last = tokens[0].start, tokens[-1].end
    found = segmenter.segment(_syntok().tokenize(text[first:last]))
    boundaries = iter(sorted({first + sentence[0].offset for sentence in found if sentence}))
    boundary = next(boundaries, last)
    sentence: list[Token] = []
    for token in tokens:
        while boundary <= token.start:
            if sentence:
                yield sentence
                sentence = []
            boundary = next(boundaries, last)
        while token.start < boundary < token.end and _is_word(text[token.start : token.end]):
            boundary = next(boundaries, last)
        sentence.append(token)
    yield sentence


def _is_word(form: str) -> bool:
    return any(character.isalnum() for character in form)


def _with_stops(text: str, tokens: Sequence[Token]) -> list[Token]:
    forms = [text[token.start : token.end] for token in tokens]
    last = max((number for number, form in enumerate(forms) if form not in CLOSING), default=0)
    found: list[Token] = []
    for number, token in enumerate(tokens):
        before = found[-1] if found else None
        if before and forms[number] == "." and number < last and before.end == token.start and len(before.words) == 1:
            word = before.words[0]
            if word.replace(".", "").isalpha():
                found[-1] = Token(before.start, token.end, (word + ".",))
                continue
        found.append(token)
    return found


def _as_conll(text: str, tokens: Sequence[Token], end: int, before: str, name: str) -> ConllSentence:
    """A sentence without tags and tree; `end` is where the next one begins."""
    lines: list[str] = []
    surface: list[SurfaceToken] = []
    words: list[str] = []
    for number, token in enumerate(tokens):
        following = tokens[number + 1].start if number + 1 < len(tokens) else end
        form, after = text[token.start : token.end], text[token.end : following]
        places = tuple(range(len(words) + 1, len(words) + len(token.words) + 1))
        surface.append(SurfaceToken(form, places, after, before))
        misc, before = misc_of(after, before), ""
        if len(places) > 1:
            lines.append(_line(f"{places[0]}-{places[-1]}", form, misc))
            misc = NOTHING
        lines += [_line(str(place), word, misc) for place, word in zip(places, token.words, strict=True)]
        words += token.words
    open_tags = (NOTHING,) * len(words)
    comments = [f"# sent_id = {name}", f"# text = {text_line(surface)}"]
    return ConllSentence(name, tuple(words), open_tags, open_tags, (), open_tags, (*comments, *lines))


def _line(number: str, form: str, misc: str) -> str:
    return "\t".join([number, form, *[NOTHING] * 7, misc])
