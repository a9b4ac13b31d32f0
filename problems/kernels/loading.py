"""The time that kernels have taken to load or compile in this process: it is no solver's (see `solvers.base.cpu_clock`)."""

from __future__ import annotations

import time
from typing import Any

cpu_seconds = 0.0
wall_seconds = 0.0
_under_way: list[Any] = []  # kernels that are being compiled, each for the one before
_since = (0.0, 0.0)


def begin(kernel: Any) -> None:
    """A kernel is looked for in the cache."""
    global _since
    if not _under_way:
        _since = time.process_time(), time.perf_counter()
    _under_way.append(kernel)


def end(kernel: Any) -> None:
    """A kernel is there. What was begun after it and never ended has failed."""
    global cpu_seconds, wall_seconds
    if kernel not in _under_way:
        return
    del _under_way[_under_way.index(kernel) :]
    if not _under_way:
        cpu_seconds += time.process_time() - _since[0]
        wall_seconds += time.perf_counter() - _since[1]


def is_under_way() -> bool:
    """Is a kernel being compiled that somebody waits for?"""
    return bool(_under_way)
