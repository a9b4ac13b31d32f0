"""Feature vectors of many parts at once, in compressed rows: what a linear model multiplies with its weights.

A *part* is what a score is given to: an arc, a concept, a bigram. Two features that share a slot add up, as hashing has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..linear_program import Floats, Integers
from .hashing import slot


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Row r has the features `indices[starts[r]:starts[r + 1]]` with these values."""

    starts: Integers
    indices: Integers
    values: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def owners(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), self.starts[1:] - self.starts[:-1])

    def scores(self, weights: Floats) -> Floats:
        """Each row's product with the weights."""
        return _sums(self.owners, weights[self.indices] * self.values, len(self))

    def combine(self, coefficients: Floats) -> tuple[Integers, Floats]:
        """The sum of coefficient times row: the indices that occur, each once, and their values."""
        factors = np.asarray(coefficients, dtype=np.float64)[self.owners]
        used = np.flatnonzero(factors)
        indices, places = np.unique(self.indices[used], return_inverse=True)
        return indices, _sums(places, factors[used] * self.values[used], len(indices))


def _sums(places: Integers, values: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(places, weights=values, minlength=count), dtype=np.float64)


class RowBuilder:
    """Collects rows of named features, hashed into 2^bits slots."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._ends: list[int] = [0]
        self._indices: list[int] = []
        self._values: list[float] = []

    def add(self, features: Mapping[str, float] | Iterable[str]) -> int:
        """A row: names that are 1, or names with their values. Returns the row's number."""
        if isinstance(features, Mapping):
            self._indices.extend(slot(name, self.bits) for name in features)
            self._values.extend(map(float, features.values()))
        else:
            self._indices.extend(slot(name, self.bits) for name in features)
            self._values.extend(1.0 for _ in range(len(self._indices) - len(self._values)))
        self._ends.append(len(self._indices))
        return len(self._ends) - 2

    def build(self) -> SparseRows:
        return SparseRows(
            np.array(self._ends, dtype=np.int64),
            np.array(self._indices, dtype=np.int64),
            np.array(self._values, dtype=np.float64),
        )
