"""Seeded parsing problems: a gold tree, and scores that are noisy evidence for it.

Every part (Figure 1) has a score: Gaussian noise of its own, plus a margin if the part is in the gold tree. Arcs also lose
with their length, which is how far apart heads are to be believed; the pruner's first-order model is these arc scores. Parts
of higher order bring evidence that arcs alone do not have, so larger models find more gold heads.

The constants were chosen on seeds 10000 and up. Share of gold heads found (order 1: `dp-mst`, exact; others: `ad3`, at most 300
iterations, rounded), share of certified optima of order 3, and candidate heads per word, on seeds 1 and up, by
`python -m bench.studies.parsing_calibration`:

    size    sentences   order 1   2        2+       3        certified   heads/word
    ptb     100         82.6 %    85.7 %   87.2 %   89.5 %   91 %        3.9
    nl      100         82.4 %                      89.7 %   94 %        3.7
    short   80          82.8 %                      89.5 %   98 %        2.9
    20      40          82.1 %                      90.8 %   88 %        3.8
    30      30          82.2 %                      90.3 %   90 %        4.1
    40      20          78.8 %                      87.2 %   80 %        4.5
    50      20          82.3 %                      90.8 %   80 %        4.2
    75      8           80.7 %                      89.0 %   50 %        4.5
    100     6           82.0 %                      89.2 %   67 %        4.5

Pruning keeps 98 to 100 % of the gold arcs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import InputError
from ..linear_program import Floats, Integers
from .automata import Automata
from .gold import PROFILES, draw_length, draw_tree, draw_words
from .instance import ORDERS, Order, ParsingInstance, Tree, with_order
from .pruning import MOST_HEADS, THRESHOLD, candidates, limit_modifiers, prune

LENGTHS = {"tiny": 6, "short": 10, "20": 20, "30": 30, "40": 40, "50": 50, "75": 75, "100": 100}
MIXED = {"ptb": "en", "nl": "nl"}  # sizes of mixed lengths and their profiles
VARIANTS = ("", "-1", "-2", "-2+", "-many")
SIZES = tuple(base + variant for base in ("ptb", *LENGTHS, "nl") for variant in VARIANTS)


@dataclass(frozen=True)
class Evidence:
    """How strongly each kind of part speaks for the gold tree, and how noisily (standard deviation)."""

    arc_margin: float = 11.8  # of a sentence of 24 words
    longer_margin: float = 0.7  # more of it per doubling of the sentence's length: there are more heads to choose from
    arc_noise: float = 4.5
    length_cost: float = 2.5  # per doubling of an arc's length
    second_margin: float = 0.35  # consecutive siblings and grandparents
    second_noise: float = 0.65
    other_margin: float = 0.1  # all other parts
    other_noise: float = 0.19

    def margin(self, kind: str) -> float:
        return self.second_margin if kind in ("sibling", "grandparent") else self.other_margin

    def noise(self, kind: str) -> float:
        return self.second_noise if kind in ("sibling", "grandparent") else self.other_noise


EVIDENCE = Evidence()


def generate(seed: int, size: str) -> ParsingInstance:
    """Sizes: a length (`tiny` is 3 to 6 words) or mixed lengths (`ptb`, `nl`), then the model's order (3 if not given) or `many`."""
    match = re.fullmatch(r"(\w+?)(?:-(1|2|2\+|many))?", size)
    assert match is not None
    base, variant = match[1], match[2]
    rng = np.random.default_rng([seed, 2013, len(base), *base.encode()])  # the variants share their sentences
    profile = PROFILES[MIXED.get(base, "en")]
    if base in MIXED:
        length = draw_length(rng, profile)
    else:
        length = int(rng.integers(3, 7)) if base == "tiny" else LENGTHS[base]
    tree = draw_tree(rng, length, profile)
    words, tags = draw_words(rng, tree)
    instance = noisy_instance(rng, f"{base}-{seed}", words, tags, tree)
    if variant == "many":
        return replace(instance, decomposition="many")
    return with_order(instance, variant) if variant in ORDERS else instance


def noisy_instance(
    rng: np.random.Generator,
    name: str,
    words: tuple[str, ...],
    tags: tuple[str, ...],
    tree: Tree,
    order: Order = "3",
    single_root: bool = True,
    most_heads: int | None = MOST_HEADS,
    threshold: float = THRESHOLD,
    most_modifiers: int | None = None,
    evidence: Evidence = EVIDENCE,
) -> ParsingInstance:
    """Scores around a gold tree; `most_heads=None` keeps all candidate arcs."""
    count = len(words)
    if len(tree) != count:
        raise InputError(f"a gold tree of {count} words needs as many heads, not {len(tree)}.")
    heads, modifiers = candidates(count)
    gold = np.array(tree, dtype=np.int64)
    arc_scores = _arc_scores(rng, evidence, heads, modifiers, gold)
    if most_heads is not None:
        kept = prune(
            count, heads, modifiers, arc_scores, single_root, most_heads=most_heads, threshold=threshold, words=words
        )
        heads, modifiers, arc_scores = heads[kept], modifiers[kept], arc_scores[kept]
    if most_modifiers is not None:
        kept = limit_modifiers(count, heads, modifiers, arc_scores, single_root, most_modifiers)
        heads, modifiers, arc_scores = heads[kept], modifiers[kept], arc_scores[kept]
    parts = _Parts(rng, evidence, Automata(count, heads, modifiers), tree)
    pairs, pair_scores = parts.any_siblings()
    instance = ParsingInstance(
        name=name,
        words=words,
        tags=tags,
        gold=tree,
        heads=heads,
        modifiers=modifiers,
        arc_scores=arc_scores,
        order="3",
        single_root=single_root,
        sibling_scores=parts.siblings(),
        grandparent_scores=parts.grandparents(),
        any_sibling_arcs=pairs,
        any_sibling_scores=pair_scores,
        bigram_scores=parts.bigrams(),
        grand_sibling_scores=parts.grand_siblings(),
        tri_sibling_scores=parts.tri_siblings(),
    )
    return with_order(instance, order)


def _arc_scores(
    rng: np.random.Generator, evidence: Evidence, heads: Integers, modifiers: Integers, gold: Integers
) -> Floats:
    length = np.where(heads == 0, 4, np.abs(heads - modifiers))  # the root symbol is no nearer to the first word
    scores = evidence.arc_noise * rng.standard_normal(len(heads)) - evidence.length_cost * np.log2(length)
    margin = evidence.arc_margin + evidence.longer_margin * np.log2(len(gold) / 24)
    return scores + margin * (gold[modifiers - 1] == heads)


class _Parts:
    """The scores of all higher-order parts of a sentence, automaton by automaton."""

    def __init__(self, rng: np.random.Generator, evidence: Evidence, automata: Automata, tree: Tree) -> None:
        self.rng, self.evidence, self.automata, self.tree = rng, evidence, automata, tree
        self.gold_arc = np.array([tree[m - 1] for m in automata.modifiers.tolist()]) == automata.heads
        self.chains = [self._chain(automaton) for automaton in range(automata.count)]

    def _chain(self, automaton: int) -> list[int | None]:
        """The gold modifiers on one side, outward, as places among the candidates; None where it was pruned."""
        head = automaton + 1 >> 1
        right = range(head + 1, len(self.tree) + 1) if automaton % 2 == 0 else range(head - 1, 0, -1)
        numbers, position = self.automata.arc_numbers, self.automata.position_of_arc
        arcs = [numbers.get((head, word)) for word in right if self.tree[word - 1] == head]
        return [None if arc is None else int(position[arc]) for arc in arcs]

    def _noise(self, kind: str, count: Any) -> Floats:
        return self.evidence.noise(kind) * self.rng.standard_normal(int(count))

    def _grandparent(self, automaton: int) -> int | None:
        """Which of the head's candidate heads is the gold one."""
        head = automaton + 1 >> 1
        arc = self.automata.arc_numbers.get((self.tree[head - 1], head)) if head else None
        return None if arc is None else int(arc - self.automata.incoming_starts[head - 1])

    def _steps(self, automaton: int) -> list[tuple[int, int]]:
        """The gold transitions [a, b] of a sibling table."""
        degree = int(self.automata.outgoing_counts[automaton])
        chain = [-1, *self.chains[automaton], degree]
        pairs = pairwise(chain)
        return [(first + 1, second) for first, second in pairs if first is not None and second is not None]

    def _possible(self, automaton: int) -> Floats:
        """1 where a sibling table can be reached (b >= a)."""
        size = int(self.automata.outgoing_counts[automaton]) + 1
        return np.triu(np.ones((size, size)))

    def _distinct(self, automaton: int) -> Floats:
        """[i, j]: 1 where grandparent i and modifier j are different words."""
        arcs = self.automata
        grandparents = arcs.heads[arcs.incoming_of(automaton + 1 >> 1)]
        return (grandparents[:, None] != arcs.modifiers[arcs.outgoing_of(automaton)][None, :]).astype(np.float64)

    def siblings(self) -> Floats:
        scores = self._noise("sibling", self.automata.sibling_starts[-1])
        for automaton in range(self.automata.count):
            table = self.automata.sibling_table(scores, automaton)
            for step in self._steps(automaton):
                table[step] += self.evidence.margin("sibling")
            table *= self._possible(automaton)
        return scores

    def grandparents(self) -> Floats:
        scores = self._noise("grandparent", self.automata.grandparent_starts[-1])
        for automaton in range(1, self.automata.count):
            table = self.automata.grandparent_table(scores, automaton)
            grandparent = self._grandparent(automaton)
            places = [place for place in self.chains[automaton] if place is not None]
            if grandparent is not None:
                table[grandparent, places] += self.evidence.margin("grandparent")
            table *= self._distinct(automaton)
        return scores

    def grand_siblings(self) -> Floats:
        scores = self._noise("grand_sibling", self.automata.grand_sibling_starts[-1])
        for automaton in range(1, self.automata.count):
            table = self.automata.grand_sibling_table(scores, automaton)
            grandparent = self._grandparent(automaton)
            for first, second in self._steps(automaton) if grandparent is not None else []:
                table[grandparent, first, second] += self.evidence.margin("grand_sibling")
            distinct = self._distinct(automaton)
            table *= self._possible(automaton)
            table[:, 1:, :] *= distinct[:, :, None]
            table[:, :, :-1] *= distinct[:, None, :]
        return scores

    def tri_siblings(self) -> Floats:
        scores = self._noise("tri_sibling", self.automata.tri_sibling_starts[-1])
        for automaton in range(self.automata.count):
            table = self.automata.tri_sibling_table(scores, automaton)
            degree = len(table)
            chain = [
                *self.chains[automaton][:1],
                *self.chains[automaton],
                degree,
            ]  # START: the first modifier once more
            for first, second, third in zip(chain, chain[1:], chain[2:], strict=False):
                if first is not None and second is not None and third is not None:
                    table[first, second, third] += self.evidence.margin("tri_sibling")
            place = np.arange(degree + 1)
            table *= (place[:degree, None, None] <= place[None, :degree, None]) & (place[:degree, None] < place)[None]
        return scores

    def bigrams(self) -> Floats:
        scores = self._noise("bigram", self.automata.bigram_starts[-1])
        gold = [np.flatnonzero(self.gold_arc[self.automata.incoming_of(w)]) for w in range(1, len(self.tree) + 1)]
        for word in range(1, len(self.tree)):
            if len(gold[word - 1]) and len(gold[word]):
                self.automata.bigram_table(scores, word)[gold[word - 1][0], gold[word][0]] += self.evidence.margin(
                    "bigram"
                )
        return scores

    def any_siblings(self) -> tuple[Integers, Floats]:
        """All pairs of arcs on the same side of a head."""
        pairs = []
        for automaton in range(self.automata.count):
            arcs = self.automata.outgoing_of(automaton)
            first, second = np.triu_indices(len(arcs), 1)
            pairs.append(np.column_stack([arcs[first], arcs[second]]))
        joined = np.concatenate(pairs)
        scores = self._noise("any_sibling", len(joined))
        return joined, scores + self.evidence.margin("any_sibling") * self.gold_arc[joined].all(axis=1)
