"""One lock per kernel: of several processes that need it, one compiles, and the others wait and load what it has made.

A lock is one byte of a file in the cache folder, far behind its end: nothing is ever written there. The system frees
it when its process ends, however that happens. A kernel waits only for kernels that it calls, so nobody waits in a circle.
Where there are no locks (Windows, some network folders) each process compiles for itself, as it does if it has waited
for too long: the other one may have been stopped.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0  # seconds that somebody else may take for one kernel
POLL_SECONDS = 0.02
FILE = "locks"

_held: Counter[int] = (
    Counter()
)  # how often this process has each lock: a kernel may be compiled for several types at once


def acquire(folder: Path, name: str, waiting: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
    """Wait until no other process has the lock; `waiting` is the context of the wait, if there is one."""
    position = _position(name)
    if not _held[position] and not _is_ours(folder, position):
        deadline = time.monotonic() + PATIENCE
        with waiting():
            while not _is_ours(folder, position) and time.monotonic() < deadline:
                time.sleep(POLL_SECONDS)
    _held[position] += 1


def release(folder: Path, name: str) -> None:
    """Let others have the lock."""
    position = _position(name)
    _held[position] -= 1
    if _held[position] <= 0:
        del _held[position]
        file = _file(folder)
        if file is not None:
            with contextlib.suppress(OSError):
                fcntl.lockf(file, fcntl.LOCK_UN, 1, position)


def _is_ours(folder: Path, position: int) -> bool:
    """Try to get a lock. Where there are no locks, everybody has them."""
    file = _file(folder)
    if file is None:
        return True
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, position)
    except (BlockingIOError, PermissionError):  # both mean: another process has it
        return False
    except OSError:
        return True
    return True


@cache
def _file(folder: Path) -> int | None:
    """The file of all locks, open as long as this process lives: closing it would free them all."""
    if fcntl is None:
        return None
    try:
        return os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        return None


def _position(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6])
