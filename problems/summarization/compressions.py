"""All compressions of one sentence: the sets of words that deleting subtrees can leave. For brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .instance import Sentence


def compressions(sentence: Sentence) -> Iterator[tuple[int, ...]]:
    """Every non-empty compression, as sorted words. From the leaves up, as a sentence may be deeper than Python's stack."""
    ways: dict[int, list[tuple[int, ...]]] = {}  # of each word: what may be kept of its subtree, nothing included
    for word in reversed(sentence.preorder[1:]):
        kept = [(word, *below) for below in _choices(sentence, word, ways)]
        ways[word] = kept if sentence.undeletable[word - 1] else [(), *kept]
    for below in _choices(sentence, 0, ways):
        yield tuple(sorted(below))


def _choices(sentence: Sentence, word: int, ways: dict[int, list[tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
    """The ways to keep words below a kept word."""
    for choice in itertools.product(*(ways.pop(child) for child in sentence.children[word])):
        yield tuple(itertools.chain.from_iterable(choice))


def count_compressions(sentence: Sentence) -> float:
    """How many there are."""
    counts = [1.0] * (len(sentence) + 1)
    for word in reversed(sentence.preorder[1:]):
        counts[sentence.heads[word - 1]] *= counts[word] + (0.0 if sentence.undeletable[word - 1] else 1.0)
    return counts[0]
