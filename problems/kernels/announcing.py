"""What a user is told while kernels are compiled: a line and a count, unless a command shows it in its own way."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import cache

_show: Callable[[], object] | None = None


@contextlib.contextmanager
def shown_by(show: Callable[[], object]) -> Iterator[None]:
    """Within this context `show` is called whenever a kernel has to be compiled, and nothing is printed here."""
    global _show
    before, _show = _show, show
    try:
        yield
    finally:
        _show = before


def begin() -> None:
    """A kernel is not in the cache and will be compiled now."""
    if _show is None:
        _say_once()
    else:
        _show()


def count(kernels: Callable[[], int], more: bool) -> None:
    """On a terminal, show how many kernels this machine has, whoever compiled them; the line goes when no more are needed."""
    if _show is None and sys.stderr.isatty():
        said = f"dualbench: kernels compiled so far: {kernels()}" if more else ""
        print(f"\r\033[K{said}", end="", file=sys.stderr, flush=True)


@cache
def _say_once() -> None:
    print("dualbench: compiling kernels, once for this version (some ten seconds) ...", file=sys.stderr, flush=True)
