"""Bins of sentence lengths, shared by tables and plots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from problems.errors import InputError

LENGTH_BINS = (10, 20, 30, 40)
"""The longest length of each bin but the last: 1-10, 11-20, 21-30, 31-40, 41+ (Martins, Almeida & Smith 2013, Figure 2)."""


def bin_names(edges: Sequence[int] = LENGTH_BINS) -> list[str]:
    """What the bins are called, the open one at the end."""
    if not edges or any(a >= b for a, b in zip((0, *edges), edges, strict=False)) or any(e != int(e) for e in edges):
        raise InputError(f"the edges of length bins must be rising whole numbers above 0, not {list(edges)}.")
    starts = (1, *(edge + 1 for edge in edges))
    closed = [f"{first}-{last}" for first, last in zip(starts, edges, strict=False)]
    return [*closed, f"{starts[-1]}+"]


def length_bins(lengths: NDArray[np.float64], edges: Sequence[int] = LENGTH_BINS) -> NDArray[np.int64]:
    """The number of each length's bin, from 0."""
    return np.searchsorted(np.asarray(edges), lengths, side="left")
