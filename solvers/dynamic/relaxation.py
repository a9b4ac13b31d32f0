"""The compression problem without its length: the best compression for a multiplier, by either algorithm."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np

from .compression import Floats, Integers, adjacent_only

Algorithm = Literal["fast", "paper"]


class Relaxation:
    """The program of one sentence, with its workspace. `maximize` leaves its answer in `heads` (-1: deleted)."""

    def __init__(self, arcs: Floats, bigrams: Floats, algorithm: Algorithm) -> None:
        self.arcs, self.bigrams = arcs, bigrams
        count = len(arcs) - 1
        self.heads: Integers = np.empty(count + 1, dtype=np.int64)
        self._kernel: Any
        self._workspace: tuple[Any, ...]
        if algorithm == "fast":
            from problems.kernels.compression_relaxed import best_rewarded

            self._kernel = best_rewarded
            self._workspace = tuple(np.empty((count + 2) ** 2) for _ in range(4))
        else:
            from problems.kernels.compression_paper_relaxed import best_rewarded_paper

            self._kernel = best_rewarded_paper
            flat, deep = (count + 2, count + 2), (count + 2, count + 2, count + 2)
            shapes = deep, flat, flat
            self._workspace = *map(np.empty, shapes), *(np.empty(shape, dtype=np.int64) for shape in shapes)

    def maximize(self, reward: float) -> float:
        """The best score of a compression of any length, where every kept word earns `reward`."""
        return float(self._kernel(self.arcs, self.bigrams, reward, *self._workspace, self.heads))

    def max_marginals(self) -> tuple[Floats, Floats, Floats]:
        """Of right spans, left spans and arcs, at the multiplier of the last `maximize` of the fast algorithm."""
        from problems.kernels.compression_pruning import max_marginals

        count = len(self.heads) - 1
        found = np.empty((count + 2, count + 2)), np.empty((count + 2, count + 2)), np.empty((count + 1, count + 1))
        tables: Any = (self.arcs, self.bigrams, *self._workspace, *found)
        max_marginals(*tables)
        return found

    def kept(self) -> int:
        """How many words the last answer keeps."""
        return int(np.count_nonzero(self.heads[1:] >= 0))

    def keep_all(self) -> float:
        """The best score with no word deleted."""
        given, adjacent = self.bigrams, adjacent_only(len(self.heads) - 1)
        np.fill_diagonal(adjacent[:, 1:], given.diagonal(1))
        self.bigrams = adjacent
        try:
            return self.maximize(0.0)
        finally:
            self.bigrams = given

    def keep_one(self) -> tuple[float, int]:
        """The best single word and its score."""
        scores = self.bigrams[0, 1:-1] + self.arcs[0, 1:] + self.bigrams[1:-1, -1]
        word = int(np.argmax(scores))
        return float(scores[word]), word + 1


@cache
def load_kernels(algorithm: Algorithm) -> None:
    """Load (or compile) the kernel, off any clock."""
    program = Relaxation(np.zeros((3, 3)), np.zeros((4, 4)), algorithm)
    program.maximize(0.0)
    if algorithm == "fast":
        program.max_marginals()
