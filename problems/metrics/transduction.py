"""How good a compression by transduction is: rate, kept words, grammatical relations, exact match.

Grammatical relations come from the source sentence's dependency tree: each kept word hangs from its nearest kept ancestor. The
same is done for the gold words, so gold relations need no parser. Words are compared by their position.
"""

from __future__ import annotations

from collections.abc import Sequence

from .compression import COMPRESSION_METRICS, evaluate_compression

TRANSDUCTION_METRICS = COMPRESSION_METRICS


def reattached(kept: Sequence[int], source_heads: Sequence[int]) -> tuple[int, ...]:
    """The nearest kept ancestor of each kept word; 0 if there is none."""
    inside = set(kept)
    heads = []
    for word in kept:
        above = source_heads[word - 1]
        while above and above not in inside:
            above = source_heads[above - 1]
        heads.append(above)
    return tuple(heads)


def evaluate_transduction(
    words: int, kept: Sequence[int], source_heads: Sequence[int] | None, gold_kept: Sequence[int] | None
) -> dict[str, float]:
    """The measures that the gold standard allows."""
    if source_heads is None:
        return evaluate_compression(words, kept, (0,) * len(kept), gold_kept, None)
    gold_heads = None if gold_kept is None else reattached(gold_kept, source_heads)
    return evaluate_compression(words, kept, reattached(kept, source_heads), gold_kept, gold_heads)
