"""Is there a tree over a set of arcs?"""

from __future__ import annotations

import numpy as np

from .cache import inner, kernel


@inner
def reached_from(start, count, starts, targets, seen, stack):
    """How many words a walk along the arcs from here comes to, this one included; `seen` is theirs."""
    for word in range(count + 1):
        seen[word] = False
    seen[start] = True
    stack[0] = start
    depth = 1
    found = 1
    while depth > 0:
        depth -= 1
        head = stack[depth]
        for place in range(starts[head], starts[head + 1]):
            word = targets[place]
            if not seen[word]:
                seen[word] = True
                stack[depth] = word
                depth += 1
                found += 1
    return found


@kernel
def tree_exists(count, heads, modifiers, single_root):
    """Do the arcs contain a tree of all words below the root symbol, with a single root if asked for?"""
    starts = np.zeros(count + 3, dtype=np.int64)
    for arc in range(len(heads)):
        starts[heads[arc] + 2] += 1
    for word in range(count + 1):
        starts[word + 2] += starts[word + 1]
    targets = np.empty(len(heads), dtype=np.int64)
    for arc in range(len(heads)):
        targets[starts[heads[arc] + 1]] = modifiers[arc]
        starts[heads[arc] + 1] += 1
    seen = np.empty(count + 1, dtype=np.bool_)
    stack = np.empty(count + 1, dtype=np.int64)
    if not single_root:
        return reached_from(count - count, count, starts, targets, seen, stack) == count + 1
    for place in range(starts[0], starts[1]):
        if reached_from(targets[place], count, starts, targets, seen, stack) == count:
            return True
    return False
