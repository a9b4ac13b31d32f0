"""One operation on runs of two arrays, in which the cubic and quintic programs spend their time.

Arrays are given whole, with positions: a slice counts references, which takes longer than a short run. Positions are unsigned,
because numba tests every signed one for counting from the end, and the compiler then does not see a run that it could make
vector instructions of.
"""

from __future__ import annotations

import numpy as np

from .cache import inner


@inner
def raise_run(target, to, source, at, count, gain):
    """target[to + k] becomes at least gain + source[at + k], for k below `count`; the runs must not overlap."""
    for k in range(count):
        found = gain + source[np.uint64(at + k)]
        if found > target[np.uint64(to + k)]:
            target[np.uint64(to + k)] = found
