"""Trees over the kept words: checks of head vectors, and all trees of a length, for brute force."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import product
from math import comb

Tree = tuple[int, ...]
"""The head of each word, numbered from 1; 0 is the root symbol."""


def _outward(heads: Sequence[int]) -> list[int]:
    """The words that can be reached from the root symbol, heads before their modifiers."""
    modifiers: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        modifiers[head].append(word)
    order = [0]
    for word in order:
        order.extend(modifiers[word])
    return order[1:]


def lost_word(heads: Sequence[int]) -> int | None:
    """A word from which following heads never leads to the root symbol; None if the head vector is a tree."""
    reached = _outward(heads)
    return None if len(reached) == len(heads) else min(set(range(1, len(heads) + 1)) - set(reached))


def crossing_word(tree: Sequence[int]) -> int | None:
    """A word whose descendants are not consecutive; None if the tree is projective."""
    first, last, size = list(range(len(tree) + 1)), list(range(len(tree) + 1)), [1] * (len(tree) + 1)
    for word in reversed(_outward(tree)):
        if last[word] - first[word] + 1 != size[word]:
            return word
        head = tree[word - 1]
        first[head], last[head] = min(first[head], first[word]), max(last[head], last[word])
        size[head] += size[word]
    return None


@cache
def projective_trees(length: int) -> tuple[Tree, ...]:
    """All projective trees with one word below the root symbol; none of length 0."""
    return tuple(
        (*(head or root for head in left), 0, *(head + root if head else root for head in right))
        for root in range(1, length + 1)
        for left in _forests(root - 1)
        for right in _forests(length - root)
    )


@cache
def _forests(length: int) -> tuple[Tree, ...]:
    """All sequences of adjacent projective trees."""
    if length == 0:
        return ((),)
    return tuple(
        (*tree, *(head + first if head else 0 for head in rest))
        for first in range(1, length + 1)
        for tree in projective_trees(first)
        for rest in _forests(length - first)
    )


def all_trees(length: int) -> Iterator[Tree]:
    """All trees with one word below the root symbol, projective or not."""
    for root in range(1, length + 1):
        choices = [
            (0,) if word == root else tuple(head for head in range(1, length + 1) if head != word)
            for word in range(1, length + 1)
        ]
        for heads in product(*choices):
            if lost_word(heads) is None:
                yield heads


def count_projective_trees(length: int) -> int:
    """1, 2, 7, 30, 143, ... from length 1 on."""
    return comb(3 * length - 2, length - 1) // length if length else 1


def count_head_vectors(length: int) -> int:
    """What `all_trees` goes through; the trees among them are length ** (length - 1)."""
    return length * (length - 1) ** (length - 1) if length else 1


def is_subtree(kept: Collection[int], heads: Sequence[int]) -> bool:
    """Can these words be had by deleting whole subtrees, so that the head of every kept word is kept?"""
    return all(heads[word - 1] == 0 or heads[word - 1] in kept for word in set(kept))
