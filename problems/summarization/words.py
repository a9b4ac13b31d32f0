"""Punctuation counts for no budget and no n-gram: instances are made of words alone, and marks come back when text is written.

A word is a token with a letter or a digit. The marks of a sentence are leaves in nearly every tree; where one is not, its
modifiers move to its head.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..text.detokenize import kept_text, tokens_within
from ..text.render import as_sentence
from ..text.sentence import ParsedSentence

OPENING = frozenset({"(", "[", "{", "\u201c", "\u2018", "``", "$", "\u00a3", "\u20ac", "#"})
CLOSING = frozenset({")", "]", "}", "\u201d", "\u2019", "''", "%"})
PAIRS = {")": "(", "]": "[", "}": "{", "\u201d": "\u201c", "''": "``"}


def is_word(token: str) -> bool:
    return any(character.isalnum() for character in token)


def word_places(tokens: Sequence[str]) -> tuple[int, ...]:
    """The numbers (from 1) of the tokens that are words."""
    return tuple(place for place, token in enumerate(tokens, 1) if is_word(token))


def words_only(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence without its marks, as a tree with one root; empty if there are no words."""
    places = word_places(sentence.words)
    number = {place: index for index, place in enumerate(places, 1)}
    heads: list[int] = []
    root = 0
    for place in places:
        head = sentence.heads[place - 1]
        while head and head not in number:
            head = sentence.heads[head - 1]
        if head == 0:
            heads.append(root)
            root = root or number[place]
        else:
            heads.append(number[head])
    return ParsedSentence(
        words=tuple(sentence.words[place - 1] for place in places),
        tags=tuple(sentence.tags[place - 1] for place in places),
        heads=tuple(heads),
        labels=tuple(sentence.labels[place - 1] for place in places),
    )


def legible(tokens: Sequence[str], kept: Collection[int]) -> str:
    """The kept words (numbered among the words) as a sentence of its own: with a capital, a period, and fitting articles."""
    line = as_sentence([tokens[place - 1] for place in shown_places(tokens, kept)])
    for mark in OPENING:
        line = line.replace(f"{mark} ", mark)
    for mark in CLOSING:
        line = line.replace(f" {mark}", mark)
    return line


def shortened(sentence: str, tokens: Sequence[str], kept: Collection[int]) -> str:
    """What is left of a sentence with these tokens, spelled and spaced as it was."""
    return kept_text(tokens_within(sentence, tokens), tokens, frozenset(shown_places(tokens, kept)))


def shown_places(tokens: Sequence[str], kept: Collection[int]) -> list[int]:
    """The places (from 1) of the kept words, and of the marks that still stand between neighbours.

    A mark stays if the words before and after it stay; the last one of the sentence stays too. A bracket or quote whose
    partner is gone goes as well.
    """
    places = word_places(tokens)
    chosen = {places[word - 1] for word in kept}
    shown = [place for place in range(1, len(tokens) + 1) if place in chosen or _stays(place, places, chosen)]
    texts = [tokens[place - 1] for place in shown]
    shown = [shown[place] for place in _balanced(texts)]
    while shown and not is_word(first := tokens[shown[0] - 1]) and first not in OPENING and first != '"':
        shown.pop(0)
    while shown and tokens[shown[-1] - 1] in (",", ";", ":", "-", "\u2013", "\u2014"):
        shown.pop()
    return shown


def _stays(place: int, places: Sequence[int], chosen: Collection[int]) -> bool:
    if place in places:
        return False
    before = max((word for word in places if word < place), default=0)
    after = min((word for word in places if word > place), default=0)
    if not after:
        return bool(chosen)
    return after in chosen and (not before or before in chosen)


def _balanced(texts: list[str]) -> list[int]:
    """The places of all but the brackets and quotes that have lost their partner."""
    open_marks: list[int] = []
    dropped: set[int] = set()
    straight = [place for place, text in enumerate(texts) if text == '"']
    if len(straight) % 2:
        dropped.add(straight[-1])
    for place, text in enumerate(texts):
        if text in PAIRS.values():
            open_marks.append(place)
        elif text in PAIRS:
            if open_marks and texts[open_marks[-1]] == PAIRS[text]:
                open_marks.pop()
            else:
                dropped.add(place)
    dropped.update(open_marks)
    return [place for place in range(len(texts)) if place not in dropped]
