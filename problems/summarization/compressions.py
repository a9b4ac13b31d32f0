"""All compressions of one sentence: the sets of words that deleting subtrees can leave. For brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .instance import Sentence


def compressions(sentence: Sentence) -> Iterator[tuple[int, ...]]:
    """Every non-empty compression, as sorted words."""
    for kept in _kept_below(sentence, 0):
        yield tuple(sorted(kept))


def _kept_below(sentence: Sentence, word: int) -> Iterator[tuple[int, ...]]:
    """The ways to keep words below a kept word."""
    options = []
    for child in sentence.children[word]:
        ways = [(child, *below) for below in _kept_below(sentence, child)]
        options.append(ways if sentence.undeletable[child - 1] else [(), *ways])
    for choice in itertools.product(*options):
        yield tuple(itertools.chain.from_iterable(choice))


def count_compressions(sentence: Sentence) -> float:
    """How many there are."""
    counts = [1.0] * (len(sentence) + 1)
    for word in reversed(sentence.preorder[1:]):
        counts[sentence.heads[word - 1]] *= counts[word] + (0.0 if sentence.undeletable[word - 1] else 1.0)
    return counts[0]
