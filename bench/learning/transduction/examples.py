"""Training examples of the transduction models: derivations (a structured SVM) and paths of bigrams (McDonald 2006).

`DerivationExample`: parts are the edges of a sentence's forest. The gold is the likeliest derivation that keeps the gold words.
The cost of an output is the number of words that it wrongly keeps or deletes. Rule log-probabilities are no features: they
belong to every score, in training as in decoding, and so they are added to the costs, less the gold's own.

`PathExample`: parts are bigrams; the cost is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.factors.derivation import NONE, Forest
from problems.linear_program import Floats
from problems.models.sparse import SparseRows
from problems.transduction.derive import Edge, pack
from problems.transduction.grammar import Grammar
from problems.transduction.instance import TransductionInstance
from problems.transduction.learn import best_edges
from problems.transduction.learned.bigrams import BigramParts
from problems.transduction.learned.model import feature_slot, tree_of

from ..learners import Decoder

TASK = "transduction"


def edge_features(edges: list[Edge], bits: int) -> SparseRows:
    """The hashed features of each edge."""
    starts = np.zeros(len(edges) + 1, dtype=np.int64)
    starts[1:] = np.cumsum([len(edge.features) for edge in edges])
    slots = [feature_slot(feature, bits) for edge in edges for feature in edge.features]
    return SparseRows(starts, np.array(slots, dtype=np.int64), np.ones(len(slots)))


@dataclass(eq=False)
class DerivationExample:
    name: str
    words: tuple[str, ...]
    forest: Forest
    features: SparseRows = field(repr=False)
    gold_edges: np.ndarray = field(repr=False)
    cost: Floats = field(repr=False)
    cost_constant: float
    task: str = TASK

    @classmethod
    def of(cls, pair: ParsedPair, grammar: Grammar, bits: int) -> DerivationExample:
        """The forest of a pair by a grammar without learned weights."""
        forest, edges = pack(grammar, tree_of(pair.sentence, pair.name), pair.name)
        kept = np.zeros(len(pair.sentence), dtype=bool)
        kept[np.array(pair.kept) - 1] = True
        gold = best_edges(forest, forest.scores, np.zeros(len(kept)), kept)
        cost = forest.scores.copy()
        word = np.repeat(forest.links[:, 0], forest.edge_counts)  # of the item that an edge derives
        own = word != NONE
        cost[own] += np.where(kept[word[own]], -1.0, 1.0)
        constant = float(kept.sum() - forest.scores[gold].sum())
        return cls(pair.name, pair.sentence.words, forest, edge_features(edges, bits), gold, cost, constant)

    @property
    def gold(self) -> Floats:
        return self._indicator(self.gold_edges)

    def _indicator(self, edges: np.ndarray) -> Floats:
        parts = np.zeros(len(self.forest.scores))
        parts[edges] = 1.0
        return parts

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        side = len(self.words) + 2
        instance = TransductionInstance(
            self.name, self.words, self.forest._replace(scores=scores), np.zeros((side, side)), ngram_weight=0.0
        )
        structure = decoder.solve(instance, self.task).structure
        assert structure is not None
        return self._indicator(np.array(structure[1], dtype=np.int64))


@dataclass(eq=False)
class PathExample:
    pair: ParsedPair
    features: BigramParts = field(repr=False)
    cost_constant: float = 0.0
    task: str = TASK

    @classmethod
    def of(cls, pair: ParsedPair, bits: int) -> PathExample:
        return cls(pair, BigramParts(tree_of(pair.sentence, pair.name), bits), float(len(pair.kept)))

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
