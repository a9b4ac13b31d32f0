"""Seeded transduction problems: a generated sentence, its gold compression, and a trained model's scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .derive import derivation_forest
from .gold import RATE, gold_compression
from .instance import TransductionInstance
from .models import SETTINGS, Models, fluency, models
from .sentences import sentence_of
from .sizes import LENGTHS, SIZES, Scores
from .surface import realised
from .trees import Tree, heads_of

NEWS_MEAN, NEWS_DEVIATION = 21.0, 8.0


class Example(NamedTuple):
    """A source tree and the words of its gold compression."""

    tree: Tree
    kept: tuple[int, ...]


def example(seed: int, length: str, purpose: int = 0) -> Example:
    """A sentence of one of the lengths. Training, development and test sentences differ in `purpose`."""
    least, most = LENGTHS[length]
    rng = np.random.default_rng([seed, 2014, least, most, purpose])
    if length == "news":
        count = int(min(most, max(least, round(rng.normal(NEWS_MEAN, NEWS_DEVIATION)))))
    else:
        count = int(rng.integers(least, most + 1))
    tree = sentence_of(rng, count)
    return Example(tree, gold_compression(tree, rng, fluency))


def generate(seed: int, size: str) -> TransductionInstance:
    chosen = SIZES[size]
    length = next(name for name, limits in LENGTHS.items() if limits == (chosen.least, chosen.most))
    sentence = example(seed, length)
    return instance_of(sentence, models(), f"{size}-{seed}", chosen.scores, chosen.fixed, chosen.setting)


def instance_of(
    sentence: Example,
    trained: Models,
    name: str,
    scores: Scores = "bigram",
    fixed: bool = False,
    setting: str | None = None,
) -> TransductionInstance:
    """A sentence with a trained model's forest and n-gram scores; a fixed length is 70 % of the words.

    All scores are those of the grammar's lexemes; what the instance shows are words (`surface.py`). `setting` is the row of `SETTINGS`, by default that of the scores.
    """
    tree, kept = sentence
    shown = realised(tree)
    words = shown.words()
    forest, rules = derivation_forest(trained.grammar, tree, name)
    settings = SETTINGS[setting or scores]
    ngrams = trained.ngram_scores(tree, scores)
    return TransductionInstance(
        name=name,
        words=words,
        forest=forest,
        bigram_scores=None if scores == "trigram" else ngrams,
        trigram_scores=ngrams if scores == "trigram" else None,
        reward=settings.reward,
        length=max(1, round(RATE * len(words))) if fixed else None,
        rule_weight=settings.rule_weight,
        ngram_weight=settings.ngram_weight,
        edge_rules=rules,
        source_tree=str(shown),
        source_heads=heads_of(tree),
        gold_kept=kept,
    )
