"""What the suite's process is at: solving, judging answers, or compiling our kernels, which is nobody's fault.

Its limits are per state. Numba tells when a kernel is compiled, so no list of kernels has to be kept up to date.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import event

SOLVING, JUDGING, COMPILING = "solving", "judging", "compiling"
OURS = "problems.kernels."


class Stopwatch(event.Listener):
    """As a context it hears of compilations; `compiled` are the seconds that those of our kernels took."""

    def __init__(self, tell: Callable[[str], object] = lambda state: None) -> None:
        self._tell = tell
        self._state = JUDGING
        self._depth, self._since = 0, 0.0  # kernels call others, which are compiled meanwhile
        self.compiled = 0.0

    @contextlib.contextmanager
    def solving(self) -> Iterator[None]:
        """The solver has the word."""
        self._change(SOLVING)
        try:
            yield
        finally:
            self._change(JUDGING)

    def _change(self, state: str) -> None:
        self._state = state
        self._tell(state)

    def on_start(self, event: Any) -> None:
        if _is_ours(event):
            self._depth += 1
            if self._depth == 1:
                self._since = time.perf_counter()
                self._tell(COMPILING)

    def on_end(self, event: Any) -> None:
        if _is_ours(event):
            self._depth -= 1
            if self._depth == 0:
                self.compiled += time.perf_counter() - self._since
                self._tell(self._state)

    def __enter__(self) -> Stopwatch:
        event.register("numba:compile", self)  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *_: object) -> None:
        event.unregister("numba:compile", self)  # type: ignore[no-untyped-call]


def _is_ours(event: Any) -> bool:
    function = getattr(event.data["dispatcher"], "py_func", None)
    return getattr(function, "__module__", "").startswith(OURS)
