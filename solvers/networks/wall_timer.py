"""A signal after some seconds of wall-clock time, whatever the interpreter is doing.

A library that keeps the interpreter's lock hears of a deadline by a signal only: no thread and no handler in Python runs
meanwhile. A POSIX timer of its own leaves the timers of `signal.setitimer`, and SIGALRM, to others.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

SIGEV_SIGNAL = 0


class _Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("unused", ctypes.c_byte * 64),
    )


@contextmanager
def signal_after(seconds: float, number: signal.Signals) -> Iterator[None]:
    """Send a signal to this process after these seconds, unless the block ends first."""
    system = _system()
    assert system is not None, "see `available`"
    timer = ctypes.c_void_p()
    event = _Event(signal=number, notify=SIGEV_SIGNAL)
    _check(system.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)))
    try:
        whole, part = divmod(max(1, round(seconds * 1e9)), 10**9)
        once = (ctypes.c_long * 4)(0, 0, whole, part)  # no interval, then the time until the signal
        _check(system.timer_settime(timer, 0, once, None))
        yield
    finally:
        system.timer_delete(timer)


def available() -> bool:
    """Does the system have such timers? Linux does; macOS and Windows do not."""
    return _system() is not None


@functools.cache
def _system() -> ctypes.CDLL | None:
    for name in (None, "librt.so.1"):  # glibc before 2.34 has the timers in a library of their own
        try:
            library = ctypes.CDLL(name, use_errno=True)
            library.timer_create  # noqa: B018 (is it there?)
        except (OSError, AttributeError, TypeError):
            continue
        return library
    return None


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
