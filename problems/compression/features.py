"""The parts of a compression model and their features: Table 1 of Qian & Liu (2014), hashed in compiled code.

Parts are n tokens, (n + 2)^2 bigrams (only those of a word and a later one exist) and (n + 1) n arcs, in this order and row by
row, so that a vector of part scores is three arrays of `CompressionInstance`. A model of a rival has fewer parts: the
bigram model has no arcs, the subtree model no bigrams and only the arcs of the source tree. The subtree model of Berg-Kirkpatrick et
al. (2011, section 3) also has bigrams, those of the source sentence that survive: `subtree-bigram`. What a model lacks scores 0.

Features are computed when they are needed and never stored: a sentence of 28 words has some 60,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..linear_program import Floats, Integers
from ..models.hashing import feature_hash
from ..models.sparse import SparseRows
from ..text.sentence import ParsedSentence
from ..text.words import FUNCTION_WORDS
from .syntax import spans_of, token_facts

Hashes = NDArray[np.uint64]
System = Literal["joint", "bigram", "subtree", "subtree-bigram"]
Templates = Literal["paper", "syntax"]
"""Table 1 of Qian & Liu (2014), or these and what the source tree says of words and of bigrams (`syntax`)."""
TEMPLATES: tuple[Templates, ...] = ("paper", "syntax")
SYSTEMS: tuple[System, ...] = ("joint", "bigram", "subtree", "subtree-bigram")
BEFORE, BEHIND = ("<<<", "<<", "<s>"), ("</s>", ">>", ">>>")  # symbols around the sentence
ROW_BLOCK = 4096  # parts whose features are written at a time


class Atoms(NamedTuple):
    """What templates are made of, as the kernels want it (`problems/kernels/compression_features.py`)."""

    words: Hashes
    tags: Hashes
    kinds: Integers  # the same number for the same tag, from position 0 on
    labels: Hashes  # from position 0 on
    heads: Integers
    stops: NDArray[np.bool_]
    first: Integers  # the first word of the subtree of each position
    last: Integers
    fact_starts: Integers
    facts: Hashes  # further features of the words, one word's after the other's


class Split(NamedTuple):
    """A vector over parts as the arrays of an instance (views)."""

    tokens: Floats
    bigrams: Floats
    arcs: Floats


def number_of_parts(count: int) -> int:
    return count + (count + 2) ** 2 + (count + 1) * count


def split(parts: Floats, count: int) -> Split:
    """Tokens, bigrams with the start and end symbols, and arcs of a vector over all parts."""
    first = count + (count + 2) ** 2
    return Split(
        parts[:count],
        parts[count:first].reshape(count + 2, count + 2),
        parts[first:].reshape(count + 1, count),
    )


def indicator(count: int, kept: Sequence[int], heads: Sequence[int]) -> Floats:
    """1 for each part that a compression has."""
    parts = np.zeros(number_of_parts(count))
    tokens, bigrams, arcs = split(parts, count)
    path = np.array([0, *kept, count + 1])
    tokens[path[1:-1] - 1] = 1.0
    bigrams[path[:-1], path[1:]] = 1.0
    arcs[np.array(heads, dtype=np.int64), path[1:-1] - 1] = 1.0
    return parts


def atoms_of(sentence: ParsedSentence, templates: Templates) -> Atoms:
    words = [*BEFORE, *(word.lower() for word in sentence.words), *BEHIND]
    tags = [*BEFORE, *sentence.tags, *BEHIND]
    known: dict[str, int] = {}
    kinds = [known.setdefault(tag, len(known)) for tag in tags[2:-2]]
    first, last, _ = spans_of(sentence)
    facts = token_facts(sentence) if templates == "syntax" else [[] for _ in sentence.words]
    return Atoms(
        np.array([feature_hash(f"word {word}") for word in words], dtype=np.uint64),
        np.array([feature_hash(f"tag {tag}") for tag in tags], dtype=np.uint64),
        np.array(kinds, dtype=np.int64),
        np.array([feature_hash(f"label {label}") for label in ("<s>", *sentence.labels)], dtype=np.uint64),
        np.array([0, *sentence.heads], dtype=np.int64),
        np.array([False, *(word.lower() in FUNCTION_WORDS for word in sentence.words)]),
        np.array(first, dtype=np.int64),
        np.array(last, dtype=np.int64),
        np.cumsum([0, *map(len, facts)], dtype=np.int64),
        np.array([feature_hash(f"fact {fact}") for each in facts for fact in each], dtype=np.uint64),
    )


@dataclass(frozen=True, eq=False)
class HashedParts:
    """The features of all parts of a sentence, hashed into 2^bits weights: `SparseRows` that are never written down."""

    sentence: ParsedSentence
    system: System
    bits: int
    templates: Templates = "paper"

    def __len__(self) -> int:
        return number_of_parts(len(self.sentence))

    @cached_property
    def atoms(self) -> Atoms:
        return atoms_of(self.sentence, self.templates)

    @property
    def _model(self) -> tuple[bool, bool, int, np.uint64]:
        from ..kernels.compression_features import ALL_ARCS, NO_ARCS, SOURCE_ARCS

        arcs = {"joint": ALL_ARCS, "bigram": NO_ARCS}.get(self.system, SOURCE_ARCS)
        return self.templates == "syntax", self.system != "subtree", arcs, np.uint64((1 << self.bits) - 1)

    def scores(self, weights: Floats) -> Floats:
        """Each part's sum of weights."""
        from ..kernels.compression_features import score_parts

        scores = np.zeros(len(self))
        score_parts(*self.atoms, *self._model, weights, scores)
        if self.system == "subtree-bigram":
            scores[~self._has(np.arange(len(self)))] = 0.0
        return scores

    def _has(self, parts: Integers) -> NDArray[np.bool_]:
        """Which parts the model has, as far as the kernels do not know it: of bigrams, neighbours in the sentence only."""
        width = len(self.sentence) + 2
        place = parts - len(self.sentence)
        bigram = (place >= 0) & (place < width * width)
        if self.system != "subtree-bigram":
            return np.ones(len(parts), dtype=np.bool_)
        found: NDArray[np.bool_] = ~bigram | (place % width == place // width + 1)
        return found

    def rows(self, parts: Integers | None = None) -> SparseRows:
        """The features of some parts, or of all."""
        from ..kernels.compression_features import LONGEST, PER_WORD, write_rows

        every = np.arange(len(self)) if parts is None else np.asarray(parts, dtype=np.int64)
        there = self._has(every)
        chosen = every[there]
        ends = np.zeros(len(every) + 1, dtype=np.int64)
        found, lengths = [], [np.zeros(0, dtype=np.int64)]
        for first in range(0, len(chosen), ROW_BLOCK):
            block = chosen[first : first + ROW_BLOCK]
            starts = np.zeros(len(block) + 1, dtype=np.int64)
            places = np.empty(len(block) * (LONGEST + PER_WORD * len(self.sentence)), dtype=np.int64)
            write_rows(*self.atoms, *self._model, block, starts, places)
            found.append(places[: starts[-1]])
            lengths.append(starts[1:] - starts[:-1])
        indices = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
        ends[1:][there] = np.concatenate(lengths)
        return SparseRows(np.cumsum(ends), indices, np.ones(len(indices)))

    def combine(self, coefficients: Floats) -> tuple[Integers, Floats]:
        """The sum of coefficient times features: each place once, with its value."""
        used = np.flatnonzero(coefficients)
        return self.rows(used).combine(np.asarray(coefficients)[used])
