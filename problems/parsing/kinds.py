"""Which words are verbs, punctuation or conjunctions.

Universal tags say it. Whether a treebank's tags are universal is decided once, for all of them: other sets have tags that look alike
(`X` is punctuation in the Danish treebank of CoNLL-X). Other sets are told by what most of them have in common. A tag of verbs
begins with V, one of conjunctions with C, CC, KON or J, in any case of letters. A word without letters and digits, or the name of a
bracket, is punctuation, unless its tag is one of nouns, numbers or symbols.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

VERB, PUNCTUATION, CONJUNCTION = 1, 2, 3
KIND_OF_TAG = {"VERB": VERB, "AUX": VERB, "PUNCT": PUNCTUATION, "CCONJ": CONJUNCTION, "CONJ": CONJUNCTION}
UNIVERSAL_TAGS = frozenset(  # version 1 and 2
    {*KIND_OF_TAG, "ADJ", "ADP", "ADV", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "SCONJ", "SYM", "X"}
)
TELLING_TAGS = frozenset(
    {"NOUN", "VERB", "PUNCT"}
)  # no set of another kind has one of them and nothing that is not universal
VERB_TAGS = (
    "V",
    "AUX",
    "MD",
    "ADI",
    "ADL",
    "ADT",
)  # how tags of other sets begin, in capitals; the last three are Basque
VERBS = frozenset({"AV", "BV", "FV", "GV", "HV", "KV", "MV", "QV", "SV", "WV"})  # whole tags, of Swedish Talbanken
CONJUNCTION_TAGS = ("CC", "CJ", "CNJ", "CONJ", "KON", "COORD", "LOT")
CONJUNCTIONS = frozenset({"C", "J", "++"})
WORD_TAGS = (
    "N",
    "SYM",
    "CD",
)  # how tags of nouns, symbols and numbers begin: no punctuation, even if they are marks like %
CURRENCY = frozenset({"$", "#"})  # the Penn Treebank's tags of symbols; its NFP is one of superfluous punctuation
SUPERFLUOUS = "NFP"
OPENING_BRACKETS = {"-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
BRACKETS = frozenset({*OPENING_BRACKETS, *OPENING_BRACKETS.values()})  # as the Penn Treebank spells them


def are_universal(tags: Iterable[str]) -> bool:
    """Are these coarse tags, of a whole treebank, universal ones?"""
    found = frozenset(tags)
    return found <= UNIVERSAL_TAGS and not found.isdisjoint(TELLING_TAGS)


@lru_cache(maxsize=1 << 16)
def kind_of(word: str, tag: str, universal: bool) -> int:
    """Verb, punctuation, conjunction, or 0 for any other word."""
    if universal:
        return KIND_OF_TAG.get(tag, 0)
    tag = tag.upper()
    if tag.startswith(CONJUNCTION_TAGS) or tag in CONJUNCTIONS:
        return CONJUNCTION
    if tag.startswith(VERB_TAGS) or tag in VERBS:
        return VERB
    if tag in CURRENCY or (tag.startswith(WORD_TAGS) and tag != SUPERFLUOUS):
        return 0
    return PUNCTUATION if word.upper() in BRACKETS or not any(map(str.isalnum, word)) else 0
