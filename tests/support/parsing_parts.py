"""Parsing problems whose scores are looked up by the words of each part, and what a tree is worth by the same look-up."""

from __future__ import annotations

import numpy as np

from problems.parsing.automata import Automata
from problems.parsing.instance import ORDERS, ParsingInstance, unreachable_over
from problems.parsing.pruning import candidates

START, END = "START", "END"


class PartScores:
    """A score for each part, drawn when it is first asked for; a coarse unit makes ties."""

    def __init__(self, seed: int, unit: float = 0.0) -> None:
        self.rng, self.unit, self.known = np.random.default_rng(seed), unit, {}

    def __call__(self, *part: object) -> float:
        if part not in self.known:
            value = float(self.rng.normal())
            self.known[part] = round(value / self.unit) * self.unit if self.unit else value
        return self.known[part]


def random_arcs(rng: np.random.Generator, words: int, share: float, single_root: bool):
    """All arcs, or a random share of them in which there is a tree."""
    heads, modifiers = candidates(words)
    while True:
        keep = rng.random(len(heads)) < share
        if not unreachable_over(words, heads[keep], modifiers[keep], single_root):
            return heads[keep], modifiers[keep]


def made_instance(
    seed: int, words: int, order: str = "3", share: float = 1.0, unit: float = 0.0, **options: object
) -> tuple[ParsingInstance, PartScores]:
    scores = PartScores(seed, unit)
    single_root = bool(options.get("single_root", False))
    heads, modifiers = random_arcs(np.random.default_rng(seed + 1), words, share, single_root)
    automata = Automata(words, heads, modifiers)
    level = ORDERS.index(order)
    sibling, grandparent, grand_sibling, tri_sibling, bigram, pairs, pair_scores = [], [], [], [], [], [], []
    for automaton in range(automata.count):
        head = (automaton + 1) // 2
        outward = sorted(
            (m for h, m in zip(heads, modifiers, strict=True) if h == head and (m > h) == (automaton % 2 == 0)),
            key=lambda m: abs(m - head),
        )
        outward = [int(word) for word in outward]
        above = [int(h) for h, m in zip(heads, modifiers, strict=True) if m == head]
        before, after = [START, *outward], [*outward, END]
        sibling += [scores("sib", head, a, b) for a in before for b in after]
        grandparent += [scores("gp", g, head, m) for g in above for m in outward]
        grand_sibling += [scores("gsib", g, head, a, b) for g in above for a in before for b in after]
        tri_sibling += [
            scores("tsib", head, START if a == b else a, b, c) for a in outward for b in outward for c in after
        ]
        numbers = {(int(h), int(m)): arc for arc, (h, m) in enumerate(zip(heads, modifiers, strict=True))}
        for i, first in enumerate(outward):
            for second in outward[i + 1 :]:
                pairs.append([numbers[head, first], numbers[head, second]])
                pair_scores.append(scores("asib", head, first, second))
    for word in range(1, words):
        above, next_above = (
            [int(h) for h, m in zip(heads, modifiers, strict=True) if m == w] for w in (word, word + 1)
        )
        bigram += [scores("hb", word + 1, h, g) for g in above for h in next_above]

    def kept(values: list[float], least: int) -> np.ndarray:
        return np.array(values if level >= least else [], dtype=np.float64)

    instance = ParsingInstance(
        f"made-{seed}",
        tuple(f"w{index}" for index in range(1, words + 1)),
        heads,
        modifiers,
        np.array([scores("arc", int(h), int(m)) for h, m in zip(heads, modifiers, strict=True)]),
        order,
        sibling_scores=kept(sibling, 1),
        grandparent_scores=kept(grandparent, 1),
        any_sibling_arcs=np.array(pairs if level >= 2 else [], dtype=np.int64).reshape(-1, 2),
        any_sibling_scores=kept(pair_scores, 2),
        bigram_scores=kept(bigram, 2),
        grand_sibling_scores=kept(grand_sibling, 3),
        tri_sibling_scores=kept(tri_sibling, 3),
        **options,
    )
    return instance, scores


def worth(tree: tuple[int, ...], scores: PartScores, order: str) -> float:
    """Figure 1 part by part, without tables: the oracle of the objective."""
    words, level = range(1, len(tree) + 1), ORDERS.index(order)
    head_of = dict(zip(words, tree, strict=True))
    total = sum(scores("arc", head_of[m], m) for m in words)
    for head in range(len(tree) + 1):
        sides = [[m for m in words if head_of[m] == head and m > head]]
        if head:
            sides.append([m for m in reversed(words) if head_of[m] == head and m < head])
        for chain in sides if level >= 1 else []:
            steps = list(zip([START, *chain], [*chain, END], strict=True))
            total += sum(scores("sib", head, a, b) for a, b in steps)
            if head:
                total += sum(scores("gp", head_of[head], head, m) for m in chain)
            if level >= 3:
                if head:
                    total += sum(scores("gsib", head_of[head], head, a, b) for a, b in steps)
                ended = [START, *chain, END]  # the paper's sum from k = 2 on, with m_0 = START and m_{p+1} = END
                total += sum(scores("tsib", head, *ended[k - 2 : k + 1]) for k in range(2, len(ended)))
            if level >= 2:
                total += sum(scores("asib", head, a, b) for i, a in enumerate(chain) for b in chain[i + 1 :])
    if level >= 2:
        total += sum(scores("hb", m, head_of[m], head_of[m - 1]) for m in words if m > 1)
    return total
