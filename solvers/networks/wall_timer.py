"""A signal to this thread after some seconds of wall-clock time, whatever the interpreter is doing.

A library that keeps the interpreter's lock hears of a deadline by a signal only: no thread and no handler in Python runs
meanwhile. One that keeps its state by thread (toulbar2) has to hear of it in the thread that called it; signals of
`signal.setitimer` go to the main one. A timer of its own also leaves those, and SIGALRM, to others.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SIGEV_THREAD_ID = 4  # of Linux


class _Event(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("thread", ctypes.c_int),
        ("unused", ctypes.c_byte * 64),
    )


@contextmanager
def signal_after(seconds: float, number: signal.Signals) -> Iterator[None]:
    """Send this thread a signal after these seconds, unless the block ends first."""
    system = _system()
    assert system is not None, "see `available`"
    timer = ctypes.c_void_p()
    event = _Event(signal=number, notify=SIGEV_THREAD_ID, thread=threading.get_native_id())
    _check(system.timer_create(time.CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)))
    try:
        whole, part = divmod(max(1, round(seconds * 1e9)), 10**9)
        once = (ctypes.c_long * 4)(0, 0, whole, part)  # no interval, then the time until the signal
        _check(system.timer_settime(timer, 0, once, None))
        yield
    finally:
        system.timer_delete(timer)


def available() -> bool:
    """Does the system have such timers? Linux does."""
    return _system() is not None


@functools.cache
def _system() -> ctypes.CDLL | None:
    names = (None, "librt.so.1") if sys.platform == "linux" else ()  # the latter has the timers of glibc before 2.34
    for name in names:
        try:
            library = ctypes.CDLL(name, use_errno=True)
            library.timer_create  # noqa: B018 (is it there?)
        except (OSError, AttributeError):
            continue
        return library
    return None


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
