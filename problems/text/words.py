"""Word classes and stems that summarization features need."""

from __future__ import annotations

from functools import cache
from typing import Any

FUNCTION_WORDS = frozenset(
    """a about above after again against all almost also although always am among an and another any are around as at away
    back be became because become been before being below between both but by came can could did do does done down during
    each either else even ever every few first for from further get go got had has have he her here him his how however i
    if in into is it its itself just last later least less like many may me might more most much must my near never next no
    nor not now of off often on once one only onto or other our out over own per quite rather said same say says second see
    seem several shall she should since so some still such than that the their them then there these they third this those
    though three through thus to together too toward two under until up upon us use very was we well were what when where
    whether which while who whom whose why will with within without would yet you your""".split()
)

NEGATIONS = frozenset("no not n't never none nobody nothing neither nor nowhere hardly without".split())

TEMPORAL = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december today yesterday tomorrow tonight morning afternoon evening night noon midnight week weekend
    month year day hour hours days weeks months years earlier later recently now dawn dusk spring summer autumn winter""".split()
)


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)


@cache
def stem(word: str) -> str:
    """The Porter stem of a lower-cased word."""
    return str(_stemmer().stem(word.lower()))


def is_function_word(word: str) -> bool:
    return word.lower() in FUNCTION_WORDS


def is_temporal(word: str) -> bool:
    return word.lower() in TEMPORAL
