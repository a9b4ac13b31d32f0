"""What features see of a sentence: 64-bit hashes of its words and tags, and which words are verbs, punctuation or conjunctions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..linear_program import Integers
from ..models.hashing import feature_hash

KIND_OF_TAG = {"VERB": 1, "AUX": 1, "PUNCT": 2, "CCONJ": 3, "CONJ": 3}  # universal tags, version 1 and 2
SUFFIX = 3


def _signed(text: str) -> int:
    value = feature_hash(text)
    return value - (1 << 64) if value >= 1 << 63 else value


BEFORE, ROOT, BEHIND, NONE = (
    tuple(_signed(f"<{name}>{atom}") for atom in "WFCS") for name in ("before", "root", "behind", "none")
)


@lru_cache(maxsize=1 << 18)
def form_atoms(word: str) -> tuple[int, int]:
    """The form in lower case and its last letters."""
    lower = word.lower()
    return _signed("W" + lower), _signed("S" + lower[-SUFFIX:])


@lru_cache(maxsize=1 << 16)
def tag_atom(tag: str) -> int:
    return _signed("T" + tag)


def parser_rows(words: Sequence[str], coarse: Sequence[str], fine: Sequence[str]) -> tuple[Integers, Integers]:
    """The rows that the kernels read (`kernels/parser_atoms.py`), and the kind of each word (the root symbol's at 0)."""
    rows = [BEFORE, ROOT]
    for word, upper, lower in zip(words, coarse, fine, strict=True):
        form, suffix = form_atoms(word)
        rows.append((form, tag_atom(lower), tag_atom(upper), suffix))
    rows += [BEHIND, NONE]
    kinds = [0, *(KIND_OF_TAG.get(tag, 0) for tag in coarse)]
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
