"""Training examples of the transduction models: derivations (a structured SVM) and paths of bigrams (McDonald 2006).

`DerivationExample`: parts are the edges of a sentence's forest. Many derivations keep the gold words, by small rules or by large ones. The gold is the
one that is best for the weights so far, rule log-probabilities included; before the first step it is the likeliest.
The cost of an output is the number of words that it wrongly keeps or deletes. Rule log-probabilities are no features: they
belong to every score, in training as in decoding, and so they are added to the costs, less the gold's own. So do n-grams, where
training decodes with them: what an output's n-grams are worth is one more part, which has no features.

`PathExample`: parts are bigrams; the cost is the same.

Both decode at a `length` that is given, as the tests do, or at any.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.factors.derivation import NONE, Forest
from problems.language import NgramModel, trigram_table
from problems.linear_program import Floats
from problems.models.sparse import SparseRows
from problems.transduction.derive import Edge, pack
from problems.transduction.grammar import Grammar
from problems.transduction.instance import TransductionInstance, path_score, yield_of
from problems.transduction.learn import best_edges
from problems.transduction.learned.bigrams import BigramParts
from problems.transduction.learned.model import feature_slot, tree_of

from ..learners import Decoder

TASK = "transduction"
RULES = Decoder("dp-transduction")
SURE = 1e5  # more than the rules of a sentence are worth


def edge_features(edges: list[Edge], bits: int) -> SparseRows:
    """The hashed features of each edge."""
    starts = np.zeros(len(edges) + 1, dtype=np.int64)
    starts[1:] = np.cumsum([len(edge.features) for edge in edges])
    slots = [feature_slot(feature, bits) for edge in edges for feature in edge.features]
    return SparseRows(starts, np.array(slots, dtype=np.int64), np.ones(len(slots)))


class Ngrams(NamedTuple):
    """The trigrams of a language model, and what they count beside the rules. Tables are cubic, so each is made when it is needed."""

    model: NgramModel
    normalised: bool
    weight: float

    def table(self, words: tuple[str, ...]) -> Floats:
        return trigram_table(self.model, self.model.spelt(words), self.normalised)


@dataclass(eq=False)
class DerivationExample:
    name: str
    words: tuple[str, ...]
    forest: Forest
    features: SparseRows = field(repr=False)
    gold_edges: np.ndarray = field(repr=False)
    cost: Floats = field(repr=False)
    cost_constant: float
    length: int | None = None
    ngrams: Ngrams | None = field(default=None, repr=False)
    task: str = TASK

    @classmethod
    def of(
        cls, pair: ParsedPair, grammar: Grammar, bits: int, length: int | None = None, ngrams: Ngrams | None = None
    ) -> DerivationExample:
        """The forest of a pair by a grammar without learned weights."""
        forest, edges = pack(grammar, tree_of(pair.sentence, pair.name), pair.name)
        kept = np.zeros(len(pair.sentence), dtype=bool)
        kept[np.array(pair.kept) - 1] = True
        gold = best_edges(forest, forest.scores, np.zeros(len(kept)), kept)
        cost = np.append(forest.scores, 1.0)
        word = np.append(np.repeat(forest.links[:, 0], forest.edge_counts), NONE)  # of the item that an edge derives
        own = word != NONE
        cost[own] += np.where(kept[word[own]], -1.0, 1.0)
        constant = float(kept.sum() - forest.scores[gold].sum())
        features = edge_features([*edges, Edge(0, 0, 0.0)], bits)
        made = cls(pair.name, pair.sentence.words, forest, features, gold, cost, constant, length, ngrams)
        made.cost_constant -= float(made.gold[-1])
        return made

    @cached_property
    def gold(self) -> Floats:
        return self._parts(self.gold_edges)

    def gold_under(self, scores: Floats) -> Floats:
        """The best derivation that keeps the gold words: every other word costs more than all rules can gain."""
        forest = self.forest._replace(scores=self.forest.scores + scores[:-1] + self._only_gold)
        side = len(self.words) + 2
        instance = TransductionInstance(self.name, self.words, forest, np.zeros((side, side)), ngram_weight=0.0)
        structure = RULES.solve(instance, self.task).structure
        assert structure is not None
        parts = np.zeros(len(forest.scores) + 1)
        parts[np.array(structure[1], dtype=np.int64)] = 1.0
        parts[-1] = self.gold[-1]  # the words are the same, and so are their n-grams
        return parts

    @cached_property
    def _only_gold(self) -> Floats:
        """On the edge that derives a word: a gain where it is gold, a loss where it is not."""
        kept = yield_of(self.forest, tuple(self.gold_edges.tolist()))
        assert kept is not None
        word = np.repeat(self.forest.links[:, 0], self.forest.edge_counts)
        gains = np.where(np.isin(word + 1, kept), SURE, -SURE)
        return np.where(word == NONE, 0.0, gains)

    def _parts(self, edges: np.ndarray) -> Floats:
        """The edges of a derivation, and what the n-grams of its words are worth."""
        parts = np.zeros(len(self.forest.scores) + 1)
        parts[edges] = 1.0
        if self.ngrams is not None:
            kept = yield_of(self.forest, tuple(edges.tolist()))
            assert kept is not None
            parts[-1] = self.ngrams.weight * path_score(self._instance(self.forest.scores), kept)
        return parts

    def _instance(self, scores: Floats) -> TransductionInstance:
        forest, side = self.forest._replace(scores=scores), len(self.words) + 2
        if self.ngrams is None:
            return TransductionInstance(
                self.name, self.words, forest, np.zeros((side, side)), ngram_weight=0.0, length=self.length
            )
        table, weight = self.ngrams.table(self.words), self.ngrams.weight
        return TransductionInstance(
            self.name, self.words, forest, trigram_scores=table, ngram_weight=weight, length=self.length
        )

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        structure = decoder.solve(self._instance(scores[:-1]), self.task).structure
        assert structure is not None
        return self._parts(np.array(structure[1], dtype=np.int64))


@dataclass(eq=False)
class PathExample:
    pair: ParsedPair
    features: BigramParts = field(repr=False)
    cost_constant: float = 0.0
    length: int | None = None
    task: str = TASK

    @classmethod
    def of(cls, pair: ParsedPair, bits: int, length: int | None = None) -> PathExample:
        return cls(pair, BigramParts(tree_of(pair.sentence, pair.name), bits), float(len(pair.kept)), length)

    @property
    def name(self) -> str:
        return self.pair.name

    @property
    def gold(self) -> Floats:
        return self._indicator(self.pair.kept)

    @property
    def cost(self) -> Floats:
        """On the bigram that ends in a word: 1 where it is not gold, -1 where it is."""
        side = len(self.pair.sentence) + 2
        columns = np.ones(side)
        columns[np.array(self.pair.kept)] = -1.0
        columns[[0, -1]] = 0.0
        return np.triu(np.broadcast_to(columns, (side, side)), 1).ravel()

    def _indicator(self, kept: tuple[int, ...]) -> Floats:
        side = len(self.pair.sentence) + 2
        parts = np.zeros((side, side))
        path = np.array([0, *kept, side - 1])
        parts[path[:-1], path[1:]] = 1.0
        return parts.ravel()

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        side = len(self.pair.sentence) + 2
        instance = TransductionInstance(
            self.name,
            self.pair.sentence.words,
            any_words(side - 2),
            scores.reshape(side, side),
            rule_weight=0.0,
            length=self.length,
        )
        structure = decoder.solve(instance, self.task).structure
        assert structure is not None
        return self._indicator(tuple(structure[0]))


def any_words(count: int) -> Forest:
    """A forest in which every choice of words has one derivation, at no cost: an item per prefix of the sentence.

    Item 2k - 1 is word k, item 2k the words up to k, of which some are kept.
    """
    counts, links, tails = [0], [NONE], []
    for word in range(1, count + 1):
        counts.append(1)
        links.append(word - 1)
        tails.append((0, 0))
        options = [(2 * word - 1, 0)]
        if word > 1:
            options += [(2 * word - 2, 2 * word - 1), (2 * word - 2, 0)]
        counts.append(len(options))
        links.append(NONE)
        tails += options
    pairs = np.full((len(links), 2), NONE, dtype=np.int64)
    pairs[:, 0] = links
    return Forest(np.array(counts, dtype=np.int64), pairs, np.array(tails, dtype=np.int64), np.zeros(len(tails)))
