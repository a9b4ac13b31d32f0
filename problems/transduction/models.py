"""Models trained on generated sentences with fixed seeds, once per process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ..linear_program import Floats
from .grammar import Grammar
from .sizes import Scores
from .trees import Tree, pruned

TRAINING = 1
TRAINING_SENTENCES = 1000


class Settings(NamedTuple):
    """Weights of the two parts, and the reward per kept word that meets the target rate on development sentences."""

    rule_weight: float
    ngram_weight: float
    reward: float


SETTINGS: dict[Scores, Settings] = {
    "bigram": Settings(1.0, 0.3, 1.5),
    "trigram": Settings(1.0, 0.3, 1.5),
    "discriminative": Settings(1.0, 1.0, 0.0),
}


@dataclass(frozen=True)
class Models:
    grammar: Grammar
    bigrams: dict[tuple[str, str], int]
    unigrams: dict[str, int]
    settings: dict[Scores, Settings]

    def ngram_scores(self, tree: Tree, scores: Scores) -> Floats:
        words = ("<s>", *tree.words(), "</s>")
        count = len(words)
        table = np.zeros((count, count))
        total = sum(self.unigrams.values())
        for i in range(count - 1):
            for j in range(i + 1, count):
                a, b = words[i], words[j]
                base = (self.unigrams.get(b, 0) + 0.5) / (total + 500)
                table[i, j] = np.log((self.bigrams.get((a, b), 0) + 5 * base) / (self.unigrams.get(a, 0) + 5))
        if scores != "trigram":
            return table
        third = np.zeros((count,) * 3) + table
        rng = np.random.default_rng(len(words))
        return third + rng.normal(0, 0.5, third.shape)


@cache
def models() -> Models:
    from .generate import example

    pairs = []
    unigrams: dict[str, int] = {}
    bigrams: dict[tuple[str, str], int] = {}
    for seed in range(TRAINING_SENTENCES):
        tree, kept = example(seed, "news", TRAINING)
        target = pruned(tree, set(kept))
        assert target is not None
        pairs.append((tree, target, kept))
        words = ("<s>", *tree.words(), "</s>")
        for a, b in zip(words, words[1:], strict=False):
            unigrams[a] = unigrams.get(a, 0) + 1
            bigrams[a, b] = bigrams.get((a, b), 0) + 1
        unigrams["</s>"] = unigrams.get("</s>", 0) + 1
    return Models(Grammar(pairs), bigrams, unigrams, SETTINGS)
