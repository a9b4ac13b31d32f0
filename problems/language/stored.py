"""A language model as parts of a model file: its vocabulary belongs into the header, its levels are arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InputError, quoted
from ..models.model_file import Array
from ..storage import is_list, is_text
from .model import NgramModel, broken

LEVELS = ("words", "log_probabilities", "back_offs", "starts")
NEVER = -1e300  # stands for minus infinity, which model files do not hold


def to_arrays(name: str, model: NgramModel) -> dict[str, Array]:
    """The levels of a model under names that begin with its own."""
    arrays: dict[str, Array] = {}
    for part in LEVELS:
        for level, array in enumerate(getattr(model, part)):
            values = np.asarray(array)
            arrays[f"{name}.{part}.{level}"] = np.maximum(values, NEVER) if values.dtype.kind == "f" else values
    return arrays


def from_arrays(name: str, vocabulary: Any, arrays: dict[str, Array]) -> NgramModel:
    """The model of `to_arrays`; anything else is an InputError."""
    if not is_list(vocabulary, is_text):
        raise InputError(f"the vocabulary of model {quoted(name)} must be a list of texts.")
    levels: dict[str, tuple[Any, ...]] = {}
    for part in LEVELS:
        found: list[Any] = []
        while (array := arrays.get(f"{name}.{part}.{len(found)}")) is not None:
            if (array.dtype.kind == "f") != (part in ("log_probabilities", "back_offs")):
                raise InputError(f"language model {quoted(name)}: its {part} have the wrong type.")
            found.append(
                np.where(array <= NEVER, -np.inf, array) if array.dtype.kind == "f" else array.astype(np.int64)
            )
        levels[part] = tuple(found)
    model = NgramModel(tuple(vocabulary), **levels)
    why = broken(model)
    if why is not None:
        raise InputError(f"language model {quoted(name)}: {why}.")
    return model
