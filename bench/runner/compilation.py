"""Our own kernels are compiled before any clock runs: once for each version, by a few processes side by side.

A solver that somebody else wrote may call them as well (rounding, the graph's factors), and its warm-up has a short limit.
Commands that run at the same time share the work: a step that one has done is passed over by the others, and no kernel is
compiled by two processes (`problems.kernels.locks`).
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from .kernel_steps import SOLVER, WHAT, Step
from .processes import number_of_cores
from .supervisor import Death, Interrupted, Supervisor

COMPILE_SECONDS = 900.0  # for one step
MOST_PROCESSES = 4  # more would wait for each other


class Announce(Protocol):
    """Tells the user what is done before the first cell, and how much of it where a `total` is given."""

    def __call__(self, what: str, done: int = 0, total: int = 0, /) -> None: ...


def tell_nobody(what: str, done: int = 0, total: int = 0, /) -> None:
    """For those who do not want to know."""


def compile_kernels(
    steps: Iterable[Step], plugins: Iterable[Path], stop: threading.Event, announce: Announce = tell_nobody
) -> None:
    """Take every step that this version has not yet taken here. Raises Interrupted if `stop` is set meanwhile."""
    from problems.kernels.cache import is_writable

    missing = [step for step in dict.fromkeys(steps) if not step.marker.exists()] if is_writable() else []
    if missing:
        _Compilation(missing, {str(path): "" for path in plugins}, stop, announce).run()


class _Compilation:
    """Threads that take steps from a queue, each with a process that does the work."""

    def __init__(self, steps: list[Step], plugins: dict[str, str], stop: threading.Event, announce: Announce) -> None:
        self._left, self._total, self._done = deque(steps), len(steps), 0
        self._plugins, self._stop, self._announce = plugins, stop, announce
        self._processes = min(MOST_PROCESSES, number_of_cores(), self._total)
        self._lock = threading.Lock()
        self._failure: BaseException | None = None

    def run(self) -> None:
        self._announce(WHAT, 0, self._total)
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self._processes)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)  # short waits let signals through
        except BaseException:
            self._stop.set()
            for thread in threads:
                thread.join()
            raise
        if self._failure is not None:
            raise self._failure
        if self._stop.is_set():
            raise Interrupted

    def _work(self) -> None:
        worker: Supervisor | None = None
        try:
            while not self._stop.is_set():
                step = self._left.popleft()
                if not step.marker.exists():  # nor has another command taken it meanwhile
                    worker = worker or Supervisor(self._stop, alone=self._processes == 1)
                    if not self._taken(worker, step):
                        worker.close()
                        worker = None
                with self._lock:
                    self._done += 1
                    self._announce(WHAT, self._done, self._total)
        except (IndexError, Interrupted):  # nothing is left, or the user stops
            pass
        except BaseException as error:
            self._failure = self._failure or error
            self._left.clear()
        finally:
            if worker is not None:
                worker.close()

    def _taken(self, worker: Supervisor, step: Step) -> bool:
        """Have a process take a step. What goes wrong will be said of the solver's cells."""
        is_solver = step.sort == SOLVER
        answer = worker.set_up(step.name if is_solver else "", step.task or "graph", self._plugins, ())
        if not isinstance(answer, Death) and is_solver:
            request: dict[str, Any] = {"solver": step.name, "options": {}, "task": step.task, "traced": False}
            request["seconds"] = COMPILE_SECONDS
            answer = worker.ask("warm up", request, "warm", COMPILE_SECONDS)
        elif not isinstance(answer, Death):
            answer = worker.ask("load", {"step": step}, "warm", COMPILE_SECONDS)
        if isinstance(answer, Death):
            return False
        with contextlib.suppress(OSError):  # the folder may have been removed
            step.marker.touch()
        return True
