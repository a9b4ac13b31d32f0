"""Transduction instances as JSON with checked fields; matrices are flat lists, of trigrams only those that can be."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InputError
from ..factors.derivation import NONE, Forest
from ..linear_program import Floats
from ..storage import Fields
from .instance import TransductionInstance, possible_ngrams

NO_TEXTS: list[str] = []
OPTIONAL = ("length", "source_heads", "gold_kept")


def from_document(document: dict[str, Any]) -> TransductionInstance:
    given = Fields(document)
    words = given.texts("words")
    word_of_item = np.array(given.integers("item_words"), dtype=np.int64)
    tails = np.array(given.integers("edge_tails"), dtype=np.int64)
    if len(tails) % 2:
        raise InputError("field 'edge_tails' must hold two items for each edge.")
    links = np.full((len(word_of_item), 2), NONE, dtype=np.int64)
    links[:, 0] = np.where(word_of_item > 0, word_of_item - 1, NONE)
    counts = np.array(given.integers("edge_counts"), dtype=np.int64)
    forest = Forest(counts, links, tails.reshape(-1, 2), np.array(given.numbers("edge_scores")))
    if len(counts) != len(links):
        raise InputError("fields 'item_words' and 'edge_counts' must have one entry for each item.")
    parts: dict[str, Any] = {
        "name": given.text("name"),
        "words": words,
        "forest": forest,
        "reward": given.number("reward"),
        "rule_weight": given.number("rule_weight"),
        "ngram_weight": given.number("ngram_weight"),
        "edge_rules": given.texts("edge_rules", NO_TEXTS),
        "source_tree": given.text("source_tree") if "source_tree" in document else "",
    }
    for name, order in (("bigram_scores", 2), ("trigram_scores", 3)):
        if name in document:
            parts[name] = _unpacked(given.numbers(name), len(words), order, name)
    if "length" in document:
        parts["length"] = given.integer("length", 1)
    for name in ("source_heads", "gold_kept"):
        if name in document:
            parts[name] = given.integers(name)
    given.no_others("task", "bigram_scores", "trigram_scores", "source_tree", *OPTIONAL)
    return TransductionInstance(**parts)


def _unpacked(values: list[float] | tuple[float, ...], words: int, order: int, name: str) -> Floats:
    possible = possible_ngrams(words, order)
    if len(values) != int(possible.sum()):
        raise InputError(f"field {name!r} must hold {int(possible.sum())} scores, not {len(values)}.")
    scores = np.zeros(possible.shape)
    scores[possible] = values
    return scores


def to_document(instance: TransductionInstance) -> dict[str, Any]:
    forest = instance.forest
    order = instance.ngram_scores.ndim
    possible = possible_ngrams(instance.number_of_words, order)
    document: dict[str, Any] = {
        "name": instance.name,
        "words": list(instance.words),
        "reward": instance.reward,
        "rule_weight": instance.rule_weight,
        "ngram_weight": instance.ngram_weight,
        "item_words": (forest.links[:, 0] + 1).tolist(),
        "edge_counts": forest.edge_counts.tolist(),
        "edge_tails": forest.tails.ravel().tolist(),
        "edge_scores": forest.scores.tolist(),
        "edge_rules": list(instance.edge_rules),
        "source_tree": instance.source_tree,
        ("bigram_scores" if order == 2 else "trigram_scores"): instance.ngram_scores[possible].tolist(),
    }
    for name in OPTIONAL:
        value = getattr(instance, name)
        if value is not None:
            document[name] = value if isinstance(value, int) else list(value)
    return document
