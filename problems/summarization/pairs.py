"""Sentences with a shorter version by deletion, for the compression task: alignment, and pairs that a tree can explain.

People delete what no deletion of subtrees can, such as the verb above a clause that stays. A pair is used if the closest
compression that the tree and the hard constraints allow (`parts.closest_compression`) still agrees with the person's: F1 of
the kept words at least `AGREEMENT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..models.sparse import RowBuilder, SparseRows
from ..text.sentence import ParsedSentence
from .constraints import undeletable_arcs
from .instance import Sentence
from .part_features import arc_features
from .parts import closest_compression
from .words import word_places, words_only

AGREEMENT = 0.8


class CompressionPair(NamedTuple):
    """A parsed sentence with its punctuation, and the words that a person kept (numbered among its words)."""

    name: str
    sentence: ParsedSentence
    kept: tuple[int, ...]


class ExplainedPair(NamedTuple):
    """A sentence without punctuation, its arcs' features, and the feasible compression closest to the person's."""

    name: str
    sentence: Sentence
    features: SparseRows
    kept: tuple[int, ...]


def align(source: Sequence[str], target: Sequence[str]) -> tuple[int, ...] | None:
    """Where the words of the target stand in the source (numbered from 1), case aside; None if it is no subsequence.

    Of several alignments one with the most neighbours side by side is taken: "the" before its own noun.
    """
    words, wanted = [word.lower() for word in source], [word.lower() for word in target]
    if not wanted or len(wanted) > len(words):
        return None
    none = -1
    best = np.full((len(wanted), len(words)), none, dtype=np.int64)  # neighbours so far, with target i at source j
    came = np.full((len(wanted), len(words)), none, dtype=np.int64)
    for i, word in enumerate(wanted):
        record, where = none, none  # the best of best[i - 1][: j - 1]
        for j, other in enumerate(words):
            if i and j >= 2 and best[i - 1, j - 2] > record:
                record, where = int(best[i - 1, j - 2]), j - 2
            if word != other:
                continue
            if not i:
                best[i, j] = 0
                continue
            if record >= 0:
                best[i, j], came[i, j] = record, where
            if j and best[i - 1, j - 1] >= 0 and best[i - 1, j - 1] + 1 > best[i, j]:
                best[i, j], came[i, j] = best[i - 1, j - 1] + 1, j - 1
    place = int(np.argmax(best[-1]))
    if best[-1, place] < 0:
        return None
    places = [place]
    for i in range(len(wanted) - 1, 0, -1):
        places.append(int(came[i, places[-1]]))
    return tuple(place + 1 for place in reversed(places))


def explained(pair: CompressionPair, bits: int, agreement: float = AGREEMENT) -> ExplainedPair | None:
    """The pair as the tree explains it; None where that is too far from what the person did."""
    words = words_only(pair.sentence)
    flags = undeletable_arcs(pair.sentence)
    undeletable = tuple(flags[place - 1] for place in word_places(pair.sentence.words))
    sentence = Sentence(words.heads, (0.0,) * len(words), undeletable, words.words, words.tags, words.labels)
    kept = closest_compression(sentence, pair.kept)
    common = len(set(kept) & set(pair.kept))
    if 2 * common < agreement * (len(kept) + len(pair.kept)):
        return None
    rows = RowBuilder(bits)
    for flag, names in zip(sentence.undeletable, arc_features(words), strict=True):
        rows.add([] if flag else names)
    return ExplainedPair(pair.name, sentence, rows.build(), kept)
