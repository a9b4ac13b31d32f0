"""Labels of the arcs of a tree: a linear classifier over hashed features, after decoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..linear_program import Integers
from .scoring import Words

NO_GOLD: Integers = np.zeros(0, dtype=np.int64)
NO_TOTALS = np.zeros(1)


@dataclass(frozen=True)
class Labeler:
    labels: list[str]
    program: Integers
    weights: NDArray[np.float32]

    @property
    def shift(self) -> int:
        return 64 - (len(self.weights).bit_length() - 1)

    def label(self, words: Words, tree: Integers) -> tuple[str, ...]:
        """The label of each word's arc."""
        from ..kernels.multiclass import label_arcs

        found = label_arcs(
            words.rows,
            words.kinds,
            tree,
            self.program,
            self.weights,
            NO_TOTALS,
            self.shift,
            len(self.labels),
            NO_GOLD,
            0,
        )
        return tuple(self.labels[number] for number in found.tolist())
