"""A unit for scores in which the local searches' absolute tolerance (1e-9 in their kernels) is negligible and yet real."""

from __future__ import annotations

import math

import numpy as np

from .linear_program import Floats

SEARCH_BITS = 10  # the absolute scores sum to about 2^10, so that 1e-9 is 1e-12 of them


def in_search_units(scores: Floats) -> Floats:
    """The scores times a power of two, which is exact and changes no comparison."""
    total = float(np.abs(scores).sum())
    return np.ldexp(scores, SEARCH_BITS - math.frexp(total)[1]) if total > 0 else scores
