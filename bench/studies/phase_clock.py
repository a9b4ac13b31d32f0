"""Where the CPU time of a call goes: functions of our own are wrapped by clocks while it is measured.

A phase is a name and the functions that count for it. Time counts for the innermost phase, so that shares add up to one with the rest,
which is called `python`. A clock costs about a microsecond per call: what is called thousands of times must not be a phase.
"""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

REST = "python"
Phases = Mapping[str, Sequence[str]]
"""From a phase to functions, each as `module:name` or `module:Class.name`."""


class PhaseClock:
    """CPU seconds by phase since `reset`."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._running: list[str] = [REST]
        self._since = time.process_time()

    def reset(self) -> None:
        self.seconds, self._since = {}, time.process_time()

    def stop(self) -> dict[str, float]:
        """What each phase has taken."""
        self._count()
        return dict(self.seconds)

    def _count(self) -> None:
        now, phase = time.process_time(), self._running[-1]
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._since
        self._since = now

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            self._count()
            self._running.append(phase)
            try:
                return function(*arguments, **options)
            finally:
                self._count()
                self._running.pop()

        return wrapped


@contextmanager
def clocked(phases: Phases) -> Iterator[PhaseClock]:
    """All functions of the phases are wrapped; afterwards they are what they were. Names that this version lacks are left out."""
    clock = PhaseClock()
    replaced: list[tuple[Any, str, Any]] = []
    try:
        for phase, names in phases.items():
            for name in names:
                owner, attribute = _resolve(name)
                if owner is None or attribute not in vars(owner):
                    continue
                found = vars(owner)[attribute]
                replaced.append((owner, attribute, found))
                setattr(owner, attribute, clock.timed(phase, found))
        clock.reset()
        yield clock
    finally:
        for owner, attribute, found in reversed(replaced):
            setattr(owner, attribute, found)


def _resolve(name: str) -> tuple[Any, str]:
    """The module or class that has a function, and the function's name there."""
    module, path = name.split(":")
    owner: Any = importlib.import_module(module)
    *classes, attribute = path.split(".")
    for one in classes:
        owner = getattr(owner, one, None)
    return owner, attribute
