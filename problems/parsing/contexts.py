"""What a word is among its neighbours, told from words and tags alone: four texts per word, which become atoms (`atoms.py`).

- X: the form of a function word or punctuation mark, the fine tag of any other word.
- R: what joins the word to the sentence. For a verb, the nearest word to the left that can introduce a clause, or the verb, stop or
  conjunction that comes before one; for other content words, the nearest preposition, with no verb, stop,
  conjunction or pronoun in between (possessive ones may be).
- E: of a punctuation mark its form, whether all words before it are punctuation too (it is first) or all behind it (last), and
  whether it opens or closes a pair; of other words the punctuation marks and conjunctions that touch them.
- B: of a punctuation mark the coarse tags on both sides; of other words how many verbs (0, 1, more) come before and behind.

Auxiliaries are no verbs here. Universal tags say which words are which; in other tag sets beginnings of tags do (`kinds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .kinds import CONJUNCTION, OPENING_BRACKETS, PUNCTUATION, VERB, kind_of

REACH = 7  # words to the left in which a preposition or conjunction is looked for
FUNCTION, PREPOSITION, INTRODUCING = 1, 2, 4
ROLE_OF_TAG = {
    "ADP": FUNCTION | PREPOSITION | INTRODUCING,
    "SCONJ": FUNCTION | INTRODUCING,
    **dict.fromkeys(("CCONJ", "CONJ", "PART", "AUX", "DET", "PRON", "PUNCT"), FUNCTION),
}
PREPOSITION_TAGS = ("IN", "ADP", "APPR", "PREP", "SP")  # how tags of other sets begin, in capitals
INTRODUCING_TAGS = ("TO", "W", "PTKZU", "PREL", "KOU")  # also fine tags beside universal ones
FUNCTION_TAGS = ("DT", "PRP", "MD", "POS", "RP", "ART", "AUX", "DET", "PRON", "PART", "PTK", "VA")
CLOSING = {"(": ")", "[": "]", "{": "}", "``": "''", "“": "”", "«": "»", "„": "“", **OPENING_BRACKETS}
AUXILIARY, AUXILIARY_TAGS = 4, ("AUX", "MD", "VA")
QUOTES = frozenset({'"', "'"})  # look the same on both sides


@lru_cache(maxsize=1 << 12)
def role_of(coarse: str, fine: str, universal: bool) -> int:
    """FUNCTION, PREPOSITION and INTRODUCING, added up."""
    introducing = INTRODUCING if fine.upper().startswith(INTRODUCING_TAGS) else 0
    if universal:
        return ROLE_OF_TAG.get(coarse, 0) | introducing
    tag = fine.upper()
    if tag.startswith(PREPOSITION_TAGS):
        return FUNCTION | PREPOSITION | INTRODUCING
    return FUNCTION | introducing if introducing or tag.startswith(FUNCTION_TAGS) else 0


def pairs(words: Sequence[str], stops: Sequence[bool]) -> dict[int, str]:
    """The places of brackets and quotes that have a partner: `o` where one opens, `c` where one closes."""
    found: dict[int, str] = {}
    waiting: list[tuple[str, int]] = []  # what closes a pair, and where it was opened
    for place, word in enumerate(words):
        if not stops[place]:
            continue
        depth = next((depth for depth in range(len(waiting) - 1, -1, -1) if waiting[depth][0] == word), -1)
        if depth >= 0:
            found |= {waiting[depth][1]: "o", place: "c"}
            del waiting[depth:]
        elif word in CLOSING or word in QUOTES:
            waiting.append((CLOSING.get(word, word), place))
    return found


def contexts(
    words: Sequence[str], coarse: Sequence[str], fine: Sequence[str], universal: bool
) -> list[tuple[str, str, str, str]]:
    """The four texts of each word."""
    count = len(words)
    forms = [word.lower() for word in words]
    kinds = [
        AUXILIARY if tag.upper().startswith(AUXILIARY_TAGS) else kind_of(word, tag, universal)
        for word, tag in zip(words, coarse, strict=True)
    ]
    stops = [kind == PUNCTUATION for kind in kinds]
    content = [place for place in range(count) if not stops[place]]
    first, last = (content[0], content[-1]) if content else (count, -1)
    paired = pairs(words, stops)
    touching = [form if kind in (PUNCTUATION, CONJUNCTION) else "" for form, kind in zip(forms, kinds, strict=True)]
    touching.append("")  # of the last word, and by index -1 of the first
    verbs, before = kinds.count(VERB), 0
    preposition = introduced = ""
    preposition_at = introduced_at = -REACH - 1
    found = []
    for place, (form, kind, upper, lower) in enumerate(zip(forms, kinds, coarse, fine, strict=True)):
        role = role_of(upper, lower, universal)
        function = role & FUNCTION or kind in (PUNCTUATION, CONJUNCTION)
        lexical = form if function else lower
        if kind in (VERB, AUXILIARY):
            joins = "v" + (introduced if place - introduced_at <= REACH else "")
        elif function and upper != "PRON":
            joins = "f" + lexical
        else:
            joins = "n" + (preposition if place - preposition_at <= REACH else "")
        if kind == PUNCTUATION:
            edge = form + ("<" if place < first else ">" if place > last else " ") + paired.get(place, "")
            around = f"{coarse[place - 1] if place else ''} {coarse[place + 1] if place + 1 < count else ''}"
        else:
            edge = f" {touching[place - 1]} {touching[place + 1]}"
            around = f"{min(before, 2)}{min(verbs - before - (kind == VERB), 2)}"
        found.append((lexical, joins, edge, around))
        before += kind == VERB
        if role & PREPOSITION:
            preposition, preposition_at = form, place
        elif (kind and form != "-") or role & INTRODUCING or (upper == "PRON" and not lower.endswith("$")):
            preposition_at = -REACH - 1
        if role & INTRODUCING:
            introduced, introduced_at = form, place
        elif kind not in (0, AUXILIARY):
            introduced, introduced_at = "<" if kind == VERB else "<" + form, place
    return found
