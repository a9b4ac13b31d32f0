"""Brute force for sentence compression: all structures of n words once, as rows of part counts; scores are matrix products."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from problems.compression.instance import CompressionInstance
from problems.compression.trees import projective_trees

KINDS = ("normal", "ties", "negative", "binary", "zero tokens", "zero")


@cache
def all_structures(words: int) -> tuple[list[Any], Any, np.ndarray]:
    """Every compression of at least one word; its tokens, bigrams and arcs as a sparse row; its length."""
    structures, rows, columns = [], [], []
    first_bigram, first_arc = words, words + (words + 2) ** 2
    for length in range(1, words + 1):
        for kept in combinations(range(1, words + 1), length):
            path = (0, *kept, words + 1)
            common = [word - 1 for word in kept]
            common += [first_bigram + a * (words + 2) + b for a, b in pairwise(path)]
            for tree in projective_trees(length):
                heads = tuple(kept[head - 1] if head else 0 for head in tree)
                parts = common + [first_arc + head * words + word - 1 for word, head in zip(kept, heads, strict=True)]
                rows += [len(structures)] * len(parts)
                columns += parts
                structures.append((kept, heads))
    width = first_arc + (words + 1) * words
    counts = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(structures), width))
    return structures, counts, np.array([len(kept) for kept, _ in structures])


def best_by_length(instances: list[CompressionInstance]) -> np.ndarray:
    """For each instance of one number of words the best score of every length from 1 on."""
    words = instances[0].number_of_words
    _, counts, lengths = all_structures(words)
    scores = np.stack(
        [np.concatenate([i.token_scores, i.bigram_scores.ravel(), i.arc_scores.ravel()]) for i in instances], axis=1
    )
    values = counts @ scores
    return np.stack([values[lengths == length].max(axis=0) for length in range(1, words + 1)], axis=1)


def random_instance(
    rng: np.random.Generator, words: int, kind: str, boundary: bool, length: int = 1
) -> CompressionInstance:
    """Scores of one of `KINDS`; all but the first have many ties."""

    def draw(*shape: int) -> np.ndarray:
        if kind == "ties":
            return rng.integers(-2, 3, shape).astype(float)
        if kind == "negative":
            return -rng.integers(0, 4, shape).astype(float)
        if kind == "binary":
            return rng.integers(0, 2, shape).astype(float)
        return np.zeros(shape) if kind == "zero" else rng.normal(size=shape)

    tokens = np.zeros(words) if kind == "zero tokens" else draw(words)
    bigrams = draw(words + 2, words + 2) if boundary else draw(words, words)
    return CompressionInstance(f"{kind}", tokens, bigrams, draw(words + 1, words), length)
