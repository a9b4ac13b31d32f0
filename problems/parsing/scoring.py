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
from .decode import best_tree
from .dictionary import ArcDictionary
from .instance import ORDERS, Order, ParsingInstance
from .posteriors import PartPosteriors
from .pruning import MOST_HEADS, THRESHOLD, candidates, prune

Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Words:
    """A sentence as the kernels see it."""

    sentence: Sentence
    rows: Integers = field(repr=False)
    kinds: Integers = field(repr=False)

    @classmethod
    def of(cls, sentence: Sentence, universal: bool = True) -> Words:
        """`universal` says whether the treebank's coarse tags are (`kinds.are_universal`)."""
        given = (sentence.words, sentence.coarse, sentence.fine, sentence.lemmas, sentence.features)
        return cls(sentence, *parser_rows(*given, universal))

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

    def relaxed_slots(
        self, words: Words, instance: ParsingInstance, posteriors: PartPosteriors
    ) -> tuple[Integers, Floats]:
        """The slots of all features of a fractional solution, and the posteriors of their parts."""
        from ..kernels.parser_relaxed import relaxed_slots

        level, mask, room = ORDERS.index(instance.order), len(self.weights) - 1, 800 * len(words)
        while True:
            slots, values = np.empty(room, dtype=np.int64), np.empty(room)
            count = relaxed_slots(
                words.rows, words.kinds, instance.heads, instance.modifiers, level, posteriors.arc, posteriors.sibling,
                posteriors.grandparent, instance.any_sibling_arcs, posteriors.any_sibling, posteriors.bigram,
                posteriors.grand_sibling, posteriors.tri_sibling, self.program, self.shift, mask, slots, values,
            )  # fmt: skip
            if count <= room:
                return slots[:count], values[:count]
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
        scale: float = 1.0,
    ) -> ParsingInstance:
        """The parsing problem over these candidate arcs. In training, weights have a scale, and `costs` are added to the arcs' scores."""
        parts = self.parts(words, heads, modifiers, order)
        if scale != 1.0:
            parts = {name: scale * part if part.dtype == np.float64 else part for name, part in parts.items()}
        if costs is not None:
            parts["arc_scores"] = parts["arc_scores"] + costs
        sentence = words.sentence
        return ParsingInstance.of_model(
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
    """A first-order model whose posteriors choose the candidate arcs; a dictionary does so where nothing else prunes."""

    scorer: PartScorer
    most_heads: int = MOST_HEADS
    threshold: float = THRESHOLD
    dictionary: ArcDictionary | None = None

    def possible(self, words: Words, single_root: bool, keep_gold: bool = False) -> tuple[Integers, Integers]:
        """The arcs that the dictionary allows; the gold tree's stay in any case if `keep_gold`."""
        if self.dictionary is None:
            return candidates(len(words))
        heads, modifiers = self.dictionary.arcs(words.sentence, single_root)
        return with_gold(words, heads, modifiers) if keep_gold else (heads, modifiers)

    def arcs(self, words: Words, single_root: bool, keep_gold: bool = False) -> tuple[Integers, Integers]:
        """The arcs that stay; the gold tree's stay in any case if `keep_gold`."""
        count = len(words)
        heads, modifiers = candidates(count)
        scores = self.scorer.arcs(words, heads, modifiers)
        kept = prune(count, heads, modifiers, scores, single_root, False, self.most_heads, self.threshold)
        some = heads[kept], modifiers[kept]
        return with_gold(words, *some) if keep_gold else some

    def best_tree(self, words: Words, single_root: bool) -> Integers:
        """The best tree of the first-order model."""
        heads, modifiers = candidates(len(words))
        scores = self.scorer.arcs(words, heads, modifiers)
        arcs = best_tree(len(words), heads, modifiers, scores, single_root)
        assert arcs is not None
        return heads[arcs]


def with_gold(words: Words, heads: Integers, modifiers: Integers) -> tuple[Integers, Integers]:
    """Arcs together with those of the gold tree, by modifier, then by head."""
    count, gold = len(words), np.asarray(words.sentence.heads)
    if len(gold) != count:
        raise InputError(f"sentence {words.sentence.name!r} has no gold tree.")
    width = count + 1
    keys = np.union1d(modifiers * width + heads, np.arange(1, width) * width + gold)
    return keys % width, keys // width
