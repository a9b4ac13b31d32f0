"""What readers of model files share: complaints that name the file, and arrays that are what the header says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..errors import InputError, quoted
from ..linear_program import Floats
from .model_file import Array

MOST_BITS = 30  # of a hash: 8 GB of weights

WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
"""What plain Python says of values that are not of the expected form."""


@contextmanager
def reading(path: str | Path, what: str) -> Iterator[None]:
    """Whatever is wrong with the parts of a model becomes one sentence that names the file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{path}: not {what}: {error}") from None
    except WRONG as error:
        raise InputError(f"{path}: not {what} that this dualbench can read ({quoted(error)}).") from None


def hashed_weights(arrays: dict[str, Array], name: str, bits: int) -> Floats:
    """One weight for each value of a hash."""
    weights = vector(arrays, name)
    if not 0 <= bits <= MOST_BITS or len(weights) != 1 << bits:
        raise InputError(f"array {name!r} has {len(weights)} weights, expected 2^{bits}, as its header says.")
    return np.asarray(weights, dtype=np.float64)


def vector(arrays: dict[str, Array], name: str) -> Array:
    """A flat array of numbers."""
    if name not in arrays:
        raise InputError(f"array {quoted(name)} is missing.")
    if arrays[name].ndim != 1 or arrays[name].dtype.kind != "f":
        raise InputError(f"array {quoted(name)} must be a flat list of numbers.")
    return arrays[name]
