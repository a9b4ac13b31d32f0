"""How good a compression is: rate, kept words, grammatical relations, exact match.

Words are compared by their position in the sentence, so that a repeated word is no excuse. Relations are the unlabelled
arcs between kept words (the root symbol's arc relates no two words). The paper's macro F1 is the mean of the sentences' F1.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

COMPRESSION_METRICS = ("compression rate", "unigram F1", "relation F1", "exact match")


def f1(found: AbstractSet[object], gold: AbstractSet[object]) -> float:
    """The harmonic mean of precision and recall; 1 where there is nothing to find and nothing was found."""
    total = len(found) + len(gold)
    return 2.0 * len(found & gold) / total if total else 1.0


def relations(kept: Sequence[int], heads: Sequence[int]) -> set[tuple[int, ...]]:
    """The arcs between words, as (head, modifier)."""
    return {(head, word) for word, head in zip(kept, heads, strict=True) if head}


def evaluate_compression(
    words: int,
    kept: Sequence[int],
    heads: Sequence[int],
    gold_kept: Sequence[int] | None,
    gold_heads: Sequence[int] | None,
) -> dict[str, float]:
    """The measures that the gold standard allows."""
    found: dict[str, float] = {"compression rate": len(kept) / words}
    if gold_kept is not None:
        found["unigram F1"] = f1(set(kept), set(gold_kept))
        if gold_heads is not None:
            found["relation F1"] = f1(relations(kept, heads), relations(gold_kept, gold_heads))
        found["exact match"] = float(tuple(kept) == tuple(gold_kept))
    return found
