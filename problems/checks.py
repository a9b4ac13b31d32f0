"""Checks of what a user hands over in Python: numbers, indices, flags. Every array is a copy of the caller's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError, quoted

LARGEST_MAGNITUDE = 1e100  # of the sum of all absolute scores: sums and squares of it still have room in a double
Floats = NDArray[np.float64]


def numbers(values: ArrayLike, what: str) -> Floats:
    """A flat copy in floating point; a single number counts as a list of one."""
    try:
        array = np.array(values, dtype=np.float64, ndmin=1)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be numbers, not {quoted(values)}.") from None
    return _flat(array, what)


def indices(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """A flat copy in whole numbers; anything that would have to be cut off or wrapped around is refused."""
    try:
        array = np.array(values)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be whole numbers, not {quoted(values)}.") from None
    if array.size == 0:
        array = array.astype(np.int64)
    whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "f" and bool((np.abs(array) < 2.0**53).all() and (array == np.rint(array)).all())
    )
    if not whole:
        raise InputError(f"{what} must be whole numbers, not {quoted(values)}.")
    return _flat(array, what).astype(np.int64, copy=False)


def flags(values: ArrayLike, what: str) -> NDArray[np.bool_]:
    """A flat copy of truth values."""
    try:
        array = np.array(values, dtype=bool)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be true or false, not {quoted(values)}.") from None
    return _flat(array, what)


def number(value: Any, what: str) -> float:
    """One finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if isinstance(value, (str, bytes)) or not math.isfinite(found):
        raise InputError(f"{what} must be a finite number, not {quoted(value)}.")
    return found


def magnitude(*scores: Floats) -> float:
    """The sum of all absolute scores (forbidden states, -inf, left out), to which tolerances are relative."""
    total = 0.0
    with np.errstate(over="ignore"):
        for part in scores:
            total += float(np.abs(part, where=np.isfinite(part), out=np.zeros(len(part))).sum())
    if not total <= LARGEST_MAGNITUDE:
        raise InputError(f"the absolute scores must sum to at most {LARGEST_MAGNITUDE:g}, not {total:g}.")
    return total


def _flat(array: Any, what: str) -> Any:
    if array.ndim != 1:
        raise InputError(f"{what} must be a flat list, not an array of {array.ndim} dimensions.")
    return array
