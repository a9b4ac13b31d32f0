"""Compression instances as JSON with checked fields; matrices are flat lists, row by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import InputError
from ..storage import Fields
from .instance import CompressionInstance

NONE: list[str] = []


def from_document(document: dict[str, Any]) -> CompressionInstance:
    given = Fields(document)
    tokens = np.array(given.numbers("token_scores"))
    count = len(tokens)
    bigrams, arcs = np.array(given.numbers("bigram_scores")), np.array(given.numbers("arc_scores"))
    side = math.isqrt(len(bigrams))
    if side not in (count, count + 2) or side * side != len(bigrams):
        raise InputError(
            f"field 'bigram_scores' must hold {count} x {count} scores, or {count + 2} x {count + 2} with the start and "
            f"end symbols, not {len(bigrams)} in all."
        )
    if len(arcs) != (count + 1) * count:
        raise InputError(f"field 'arc_scores' must hold {count + 1} x {count} scores, not {len(arcs)} in all.")
    parts: dict[str, Any] = {
        "name": given.text("name"),
        "token_scores": tokens,
        "bigram_scores": bigrams.reshape(side, side),
        "arc_scores": arcs.reshape(count + 1, count),
        "length": given.integer("length", 0),
        "words": given.texts("words", NONE),
        "tags": given.texts("tags", NONE),
        "projective": given.boolean("projective", True),
    }
    if "formulation" in document:
        parts["formulation"] = given.text("formulation")
    for name in ("source_heads", "gold_kept", "gold_heads"):
        if name in document:
            parts[name] = given.integers(name)
    given.no_others("task", "formulation", "source_heads", "gold_kept", "gold_heads")
    return CompressionInstance(**parts)


def to_document(instance: CompressionInstance) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": instance.name,
        "length": instance.length,
        "projective": instance.projective,
        "formulation": instance.formulation,
        "words": list(instance.words),
        "tags": list(instance.tags),
        "token_scores": instance.token_scores.tolist(),
        "bigram_scores": instance.bigram_scores.ravel().tolist(),
        "arc_scores": instance.arc_scores.ravel().tolist(),
    }
    for name in ("source_heads", "gold_kept", "gold_heads"):
        heads = getattr(instance, name)
        if heads is not None:
            document[name] = list(heads)
    return document
