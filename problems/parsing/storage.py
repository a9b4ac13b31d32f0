"""Parsing instances as JSON with checked fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InputError
from ..storage import Fields
from .instance import ParsingInstance

FLAT = (
    "arc_scores",
    "sibling_scores",
    "grandparent_scores",
    "grand_sibling_scores",
    "tri_sibling_scores",
    "bigram_scores",
    "any_sibling_scores",
)


def from_document(document: dict[str, Any]) -> ParsingInstance:
    """The score arrays that the order does not have may be left out."""
    given = Fields({**{name: [] for name in (*FLAT[1:], "any_sibling_arcs", "gold")}, **document})
    parts: dict[str, Any] = {"name": given.text("name"), "words": given.texts("words"), "tags": given.texts("tags", [])}
    parts["labels"] = given.texts("labels", [])
    for name in ("order", "decomposition", "flow"):
        if name in document:
            parts[name] = given.text(name)
    for name in ("single_root", "projective"):
        parts[name] = given.boolean(name, False)
    parts["gold"] = given.integers("gold")
    for name in ("heads", "modifiers", "any_sibling_arcs"):
        numbers = given.integers(name)
        if not all(-(2**62) < number < 2**62 for number in numbers):
            raise InputError(f"field {name!r} must hold whole numbers of a sentence's size.")
        parts[name] = np.array(numbers, dtype=np.int64)
    if len(parts["any_sibling_arcs"]) % 2:
        raise InputError("field 'any_sibling_arcs' must hold two arcs for each score, one pair after the other.")
    parts["any_sibling_arcs"] = parts["any_sibling_arcs"].reshape(-1, 2)
    for name in FLAT:
        parts[name] = np.array(given.numbers(name), dtype=np.float64)
    given.no_others("task")
    return ParsingInstance(**parts)


def to_document(instance: ParsingInstance) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": instance.name,
        "words": list(instance.words),
        "tags": list(instance.tags),
        "gold": list(instance.gold),
        "labels": list(instance.labels),
        "order": instance.order,
        "single_root": instance.single_root,
        "projective": instance.projective,
        "decomposition": instance.decomposition,
        "flow": instance.flow,
        "heads": instance.heads.tolist(),
        "modifiers": instance.modifiers.tolist(),
        "any_sibling_arcs": instance.any_sibling_arcs.ravel().tolist(),
    }
    return document | {name: getattr(instance, name).tolist() for name in FLAT}
