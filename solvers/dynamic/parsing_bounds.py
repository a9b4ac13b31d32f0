"""What an optimum over some of the parts says of the whole parsing model."""

from __future__ import annotations

from typing import Any

import numpy as np

from problems.errors import InputError
from problems.parsing.instance import PARTS_OF_ORDER, ParsingInstance


def require_parsing(solver: str, instance: Any) -> ParsingInstance:
    if not isinstance(instance, ParsingInstance):
        raise InputError(f"solver {solver!r} solves instances of task 'parsing' only.")
    return instance


def most_of_others(instance: ParsingInstance, covered: tuple[str, ...]) -> float:
    """No tree gets more than this from the parts that are not covered: all positive scores of them."""
    others = (name for name in PARTS_OF_ORDER[instance.order] if name not in covered)
    return float(sum(np.maximum(getattr(instance, name), 0.0).sum() for name in others))
