"""The tables of the exact compression programs: how much memory they need, how they are filled and decoded."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError

from .compression import Floats, Integers

Algorithm = Literal["fast", "paper"]
Booleans = NDArray[np.bool_]
GIGABYTE = 1e9
WORTH_ASKING = 1e8  # bytes: below this, nobody asks how much memory is free


def bytes_needed(algorithm: Algorithm, words: int, deletions: int) -> int:
    """Memory of all tables with up to so many deletions."""
    flat = (words + 2) ** 2 * (deletions + 1)
    if algorithm == "fast":
        return 3 * flat * 8
    width = np.arange(words)
    cells = int(((words - width) * (np.minimum(width, deletions) + 1) * (width + 1)).sum())
    return cells * (8 + 4) + flat * (8 + 4 + 8 + 8)


def refuse_too_large(name: str, algorithm: Algorithm, words: int, deletions: int, memory_gb: float) -> float:
    """The memory in bytes; an InputError where there is not as much."""
    needed = bytes_needed(algorithm, words, deletions)
    said = f"the tables of solver {name!r} (algorithm {algorithm!r}) need {needed / GIGABYTE:.3g} GB for {words} words"
    if needed > memory_gb * GIGABYTE:
        raise InputError(f"{said}, more than the {memory_gb:g} GB of option 'memory_gb'.")
    if needed > WORTH_ASKING:
        import psutil

        free = psutil.virtual_memory().available
        if needed > free:
            raise InputError(f"{said}, but only {free / GIGABYTE:.3g} GB are free.")
    return needed


class FastTables:
    """O(n^5) time, O(n^3) space: `kernels.compression_exact`. `active` spans, right and left ones, are all if not given."""

    def __init__(
        self,
        arcs: Floats,
        bigrams: Floats,
        deletions: int,
        length: int,
        active: tuple[Booleans, Booleans] | None = None,
    ) -> None:
        from problems.kernels import compression_exact as kernels

        words = len(arcs) - 1
        every = np.ones((words + 2, words + 2), dtype=np.bool_)
        right_active, left_active = active or (every, every)
        right, left, inside = (np.empty((words + 2) ** 2 * (deletions + 1)) for _ in range(3))
        front = np.empty((words + 1, deletions + 1))
        front_back = np.empty((words + 1, deletions + 1), dtype=np.int32)
        kernels.fill_exact(arcs, bigrams, deletions, length, right_active, left_active, right, left, inside)
        kernels.finish_exact(arcs, bigrams, deletions, length, left_active, left, front, front_back)
        self.heads: Integers = np.empty(words + 1, dtype=np.int64)
        self._score: Any = kernels.best_root
        self._root = (deletions, right_active, right, front, np.zeros(2, dtype=np.int64))
        self._decode: Any = kernels.decode_exact
        self._tables = arcs, deletions, length, right_active, left_active, right, left, inside, front, front_back

    def score(self, kept: int) -> float:
        """The best score with so many kept words."""
        return float(self._score(kept, *self._root))

    def decode(self, kept: int) -> float:
        """The best score with so many kept words; `heads` is its tree (-1: deleted)."""
        return float(self._decode(kept, *self._tables, self.heads))


class PaperTables:
    """O(n^6) time, O(n^4) space: `kernels.compression_paper`. It always allows for every length, as the paper does."""

    def __init__(self, arcs: Floats, bigrams: Floats, deletions: int, length: int) -> None:
        from problems.kernels import compression_paper as kernels

        words = len(arcs) - 1
        shape = (words + 2, words + 2, deletions + 1)
        width = np.arange(words)[None, :] - np.arange(words)[:, None]
        sizes = np.where(width >= 0, (np.minimum(width, deletions) + 1) * (width + 1), 0)
        starts = np.zeros((words + 2, words + 2), dtype=np.int64)
        starts[1:-1, 1:-1] = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
        cells = int(sizes.sum())
        complete, left, inside = np.empty(cells), np.empty(shape), np.empty(shape)
        backs: Any = (np.empty(cells, np.int32), np.empty(shape, np.int32), np.empty(shape, np.int64))
        kernels.fill_paper(arcs, bigrams, deletions, starts, complete, left, inside, *backs)
        self.heads: Integers = np.empty(words + 1, dtype=np.int64)
        self._decode: Any = kernels.decode_paper
        self._tables = (arcs, bigrams), (starts, complete, left, *backs)

    def score(self, kept: int) -> float:
        """The best score with so many kept words."""
        return self.decode(kept)

    def decode(self, kept: int) -> float:
        """The best score with so many kept words; `heads` is its tree (-1: deleted)."""
        scores, tables = self._tables
        return float(self._decode(*scores, kept, *tables, self.heads))


TABLES: dict[Algorithm, type[FastTables] | type[PaperTables]] = {"fast": FastTables, "paper": PaperTables}


@cache
def load_kernels(algorithm: Algorithm) -> None:
    """Load (or compile) the kernels, off any clock."""
    tables = TABLES[algorithm](np.zeros((3, 3)), np.zeros((4, 4)), 1, 1)
    tables.score(1)
    tables.decode(1)
