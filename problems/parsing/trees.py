"""Head vectors: is it a tree, and which of its arcs are not projective.

An arc h -> d is non-projective if some word between h and d is not dominated by h. The root symbol stands before the first
word and dominates everything, so its own arcs are always projective.
"""

from __future__ import annotations

from collections.abc import Sequence


def unreachable(tree: Sequence[int]) -> list[int]:
    """The words from which following heads never leads to the root symbol; none if the head vector is a tree."""
    state = [0] * (len(tree) + 1)  # 0 unknown, 1 on the current path, 2 reaches the root, 3 does not
    state[0] = 2
    for start in range(1, len(tree) + 1):
        path, word = [], start
        while state[word] == 0:
            state[word] = 1
            path.append(word)
            word = tree[word - 1]
        end = 2 if state[word] == 2 else 3
        for passed in path:
            state[passed] = end
    return [word for word in range(1, len(tree) + 1) if state[word] == 3]


def nonprojective_words(tree: Sequence[int]) -> list[int]:
    """The modifiers of the non-projective arcs; the head vector may have cycles (then their arcs dominate nothing new)."""
    found = []
    for modifier in range(1, len(tree) + 1):
        head = tree[modifier - 1]
        if head == 0:
            continue
        low, high = min(head, modifier), max(head, modifier)
        if any(not _dominates(tree, head, between) for between in range(low + 1, high)):
            found.append(modifier)
    return found


def _dominates(tree: Sequence[int], ancestor: int, word: int) -> bool:
    for _ in range(len(tree) + 1):
        if word == ancestor:
            return True
        if word == 0:
            return False
        word = tree[word - 1]
    return False
