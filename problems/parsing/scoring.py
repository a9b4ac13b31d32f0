"""From words and tags to scores: a linear model over hashed features of parts, computed in compiled code."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..linear_program import Floats, Integers
from ..text.treebank import Sentence
from .atoms import parser_rows
from .instance import ORDERS, Order, ParsingInstance
from .pruning import MOST_HEADS, THRESHOLD, candidates, prune

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Words:
    """A sentence as the kernels see it."""

    sentence: Sentence
    rows: Integers = field(repr=False)
    kinds: Integers = field(repr=False)

    @classmethod
    def of(cls, sentence: Sentence) -> Words:
        return cls(sentence, *parser_rows(sentence.words, sentence.coarse, sentence.fine))

    def __len__(self) -> int:
        return len(self.sentence.words)

    @property
    def name(self) -> str:
        return self.sentence.name


@dataclass(frozen=True)
class PartScorer:
    """A weight vector of 2^bits entries with the program of its templates."""

    program: Integers
    weights: Weights

    @cached_property
    def shift(self) -> int:
        """How far a hash is moved so that its upper bits are a slot."""
        return 64 - (len(self.weights).bit_length() - 1)

    def arcs(self, words: Words, heads: Integers, modifiers: Integers) -> Floats:
        from ..kernels.parser_parts import score_arcs

        return score_arcs(words.rows, words.kinds, heads, modifiers, self.program, self.weights, self.shift)

    def slots(self, words: Words, tree: Integers, order: Order) -> Integers:
        """The slots of a tree's features, each as often as it occurs."""
        from ..kernels.parser_parts import tree_slots

        level, mask, room = ORDERS.index(order), len(self.weights) - 1, 400 * len(words)
        while True:
            slots = np.empty(room, dtype=np.int64)
            count = tree_slots(words.rows, words.kinds, tree, level, self.program, self.shift, mask, slots)
            if count <= room:
                return slots[:count]
            room = count

    def parts(self, words: Words, heads: Integers, modifiers: Integers, order: Order) -> dict[str, Any]:
        """The score arrays of an instance over these arcs, as keyword arguments."""
        arc_scores = self.arcs(words, heads, modifiers)
        if order == "1":
            return {"arc_scores": arc_scores}
        from ..kernels.parser_parts import score_parts

        plus, third = order in ("2+", "3"), order == "3"
        found = score_parts(words.rows, heads, modifiers, plus, third, self.program, self.weights, self.shift)
        names = (
            "sibling_scores",
            "grandparent_scores",
            "any_sibling_arcs",
            "any_sibling_scores",
            "bigram_scores",
            "grand_sibling_scores",
            "tri_sibling_scores",
        )
        return {"arc_scores": arc_scores, **dict(zip(names, found, strict=True))}

    def instance(
        self,
        words: Words,
        heads: Integers,
        modifiers: Integers,
        order: Order,
        single_root: bool,
        costs: Floats | None = None,
    ) -> ParsingInstance:
        """The parsing problem over these candidate arcs; `costs` are added to the arcs' scores (in training)."""
        parts = self.parts(words, heads, modifiers, order)
        if costs is not None:
            parts["arc_scores"] = parts["arc_scores"] + costs
        sentence = words.sentence
        return ParsingInstance(
            name=sentence.name,
            words=sentence.words,
            tags=sentence.fine,
            gold=sentence.heads,
            heads=heads,
            modifiers=modifiers,
            order=order,
            single_root=single_root,
            **parts,
        )


@dataclass(frozen=True)
class Pruner:
    """A first-order model whose posteriors choose the candidate arcs."""

    scorer: PartScorer
    most_heads: int = MOST_HEADS
    threshold: float = THRESHOLD

    def arcs(self, words: Words, single_root: bool, keep_gold: bool = False) -> tuple[Integers, Integers]:
        """The arcs that stay; the gold tree's stay in any case if `keep_gold`."""
        count = len(words)
        heads, modifiers = candidates(count)
        scores = self.scorer.arcs(words, heads, modifiers)
        kept = prune(count, heads, modifiers, scores, single_root, False, self.most_heads, self.threshold)
        if keep_gold:
            if len(words.sentence.heads) != count:
                raise InputError(f"sentence {words.sentence.name!r} has no gold tree.")
            gold = np.asarray(words.sentence.heads)
            kept = np.union1d(kept, np.flatnonzero(heads == gold[modifiers - 1]))
        return heads[kept], modifiers[kept]
