"""What features see of a sentence: 64-bit hashes of its words, tags and contexts, and which words are verbs and the like."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..linear_program import Integers
from ..models.hashing import feature_hash
from .contexts import contexts
from .kinds import kind_of

WORD_ATOMS = "WFCSLMAGXREB"  # letters of a word's atoms, in the order of the rows
SUFFIX = 3
CASE = frozenset({"case", "cas"})
AGREEMENT = frozenset({"gender", "gen", "number", "num", "person", "per"})


def _signed(text: str) -> int:
    value = feature_hash(text)
    return value - (1 << 64) if value >= 1 << 63 else value


BEFORE, ROOT, BEHIND, NONE = (
    tuple(_signed(f"<{name}>{atom}") for atom in WORD_ATOMS) for name in ("before", "root", "behind", "none")
)


@lru_cache(maxsize=1 << 18)
def form_atoms(word: str) -> tuple[int, int]:
    """The form in lower case and its last letters."""
    lower = word.lower()
    return _signed("W" + lower), _signed("S" + lower[-SUFFIX:])


@lru_cache(maxsize=1 << 16)
def tag_atom(tag: str) -> int:
    return _signed("T" + tag)


@lru_cache(maxsize=1 << 18)
def lemma_atom(lemma: str) -> int:
    return _signed("L" + lemma.lower())


@lru_cache(maxsize=1 << 16)
def morphology_atoms(features: str) -> tuple[int, int, int]:
    """All features of a word (FEATS, `Case=Gen|Number=Sing`), its case, and what it agrees in with others."""
    pairs = [pair.partition("=") for pair in sorted(features.split("|"))]
    case, agreement = ("|".join(value for key, _, value in pairs if key.lower() in keys) for keys in (CASE, AGREEMENT))
    return _signed("M" + features), _signed("A" + case), _signed("G" + agreement)


@lru_cache(maxsize=1 << 18)
def context_atom(text: str) -> int:
    return _signed(text)


def parser_rows(
    words: Sequence[str],
    coarse: Sequence[str],
    fine: Sequence[str],
    lemmas: Sequence[str] = (),
    features: Sequence[str] = (),
    universal: bool = True,
) -> tuple[Integers, Integers]:
    """The rows that the kernels read (`kernels/parser_atoms.py`), and the kind of each word (the root symbol's at 0)."""
    rows = [BEFORE, ROOT]
    nothing = [""] * len(words)
    around = contexts(words, coarse, fine, universal)
    for word, upper, lower, lemma, morphology, (lexical, joins, edge, beside) in zip(
        words, coarse, fine, lemmas or nothing, features or nothing, around, strict=True
    ):
        form, suffix = form_atoms(word)
        atoms = (form, tag_atom(lower), tag_atom(upper), suffix)
        context = map(context_atom, ("X" + lexical, "R" + joins, "E" + edge, "B" + beside))
        rows.append((*atoms, lemma_atom(lemma), *morphology_atoms(morphology), *context))
    rows += [BEHIND, NONE]
    kinds = [0, *(kind_of(word, tag, universal) for word, tag in zip(words, coarse, strict=True))]
    return np.array(rows, dtype=np.int64), np.array(kinds, dtype=np.int64)


EDGE = tuple(_signed(f"<edge>{atom}") for atom in "ABCDEFGHI")


@lru_cache(maxsize=1 << 18)
def tagger_atoms(word: str) -> tuple[int, ...]:
    """Form, lower case, last 1 to 4 letters, first 2 and 3, and shape."""
    lower = word.lower()
    ends = [_signed(f"{length}{lower[-length:]}") for length in (1, 2, 3, 4)]
    starts = [_signed(f"-{length}{lower[:length]}") for length in (2, 3)]
    return _signed("A" + word), _signed("B" + lower), *ends, *starts, _signed("I" + shape_of(word))


def shape_of(word: str) -> str:
    """Capitals as X, other letters as x, digits as d; runs are shortened to two."""
    shape: list[str] = []
    for character in word:
        if character.isupper():
            kind = "X"
        elif character.isalpha():
            kind = "x"
        else:
            kind = "d" if character.isdigit() else character
        if shape[-2:] != [kind, kind]:
            shape.append(kind)
    return "".join(shape)


def tagger_rows(words: Sequence[str]) -> Integers:
    """Two rows of edge, the words, two rows of edge."""
    return np.array([EDGE, EDGE, *map(tagger_atoms, words), EDGE, EDGE], dtype=np.int64)
