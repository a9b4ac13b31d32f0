"""Which words are verbs, punctuation or conjunctions.

Universal tags say it. Other tag sets are told by what most of them have in common: a tag of verbs begins with V, one of conjunctions
with C, CC, KON or J, and a word without letters and digits is punctuation.
"""

from __future__ import annotations

from functools import lru_cache

VERB, PUNCTUATION, CONJUNCTION = 1, 2, 3
KIND_OF_TAG = {"VERB": VERB, "AUX": VERB, "PUNCT": PUNCTUATION, "CCONJ": CONJUNCTION, "CONJ": CONJUNCTION}
UNIVERSAL_TAGS = frozenset(  # version 1 and 2
    {*KIND_OF_TAG, "ADJ", "ADP", "ADV", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "SCONJ", "SYM", "X"}
)
VERB_TAGS = ("V", "AUX", "MD")  # how tags of other sets begin, in capitals
CONJUNCTION_TAGS = ("CC", "CONJ", "KON", "COORD")


@lru_cache(maxsize=1 << 16)
def kind_of(word: str, tag: str) -> int:
    """Verb, punctuation, conjunction, or 0 for any other word."""
    if tag in UNIVERSAL_TAGS:
        return KIND_OF_TAG.get(tag, 0)
    if not any(map(str.isalnum, word)):
        return PUNCTUATION
    if tag.upper().startswith(CONJUNCTION_TAGS) or tag in ("C", "J"):
        return CONJUNCTION
    return VERB if tag.upper().startswith(VERB_TAGS) else 0
