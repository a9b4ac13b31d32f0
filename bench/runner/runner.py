"""The runner: every cell of an experiment leaves exactly one record, whatever its solver does.

Each solver has a worker process (per job) that is warmed up off the clock and reused; whoever breaks a limit is killed with
everything it started, recorded, and replaced. A checker process judges what solvers return. Rounds are interleaved, so that drift of the machine hits all solvers alike.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from problems.errors import InputError

from ..experiments.experiment import Experiment, is_positive, read_experiment
from ..experiments.plan import Cell, Plan, is_settled
from ..experiments.selection import select
from ..records.log import load_run, readable, write_parquet
from ..records.run_folder import RunFolder
from .compilation import Announce, tell_nobody
from .executors import Executor, LocalExecutor, executor_for
from .launching import digests
from .solver_versions import planned

MEMORY_SHARE = 0.8  # of the machine's memory, if an experiment sets no limit

Observer = Callable[[Cell, dict[str, Any]], None]


def run(
    experiment: str | Path | dict[str, Any],
    *,
    out: str | Path | None = None,
    jobs: int = 1,
    seconds: float | None = None,
    memory_gb: float | None = None,
    resume: bool = False,
    retry: bool = False,
    plugins: Iterable[str | Path] = (),
    solvers: Sequence[str] = (),
    instances: Sequence[str] = (),
    repetitions: int | None = None,
    observe: Observer = lambda cell, record: None,
    dask: str | None = None,
    dask_security: str | Path | None = None,
) -> Any:
    """Run an experiment and return its records (see `load_run`). `retry` runs crashed and failed cells again.

    `solvers` and `instances` are patterns of names; only the cells that match them run.
    `dask` is the address of a cluster's scheduler, or `local:N` for N workers on this machine.
    `dask_security` is the folder of certificates for an address `tls://` (docs/cluster.md).
    """
    with executor_for(jobs, dask, dask_security) as executor:
        prepared = select(prepare(experiment, seconds, memory_gb, executor, plugins), solvers, instances, repetitions)
        folder = Path(out) if out is not None else Path("runs") / prepared.name
        execute(planned(prepared), folder, executor, resume, retry, observe)
    return load_run(folder)


def prepare(
    experiment: str | Path | dict[str, Any],
    seconds: float | None = None,
    memory_gb: float | None = None,
    executor: Executor | None = None,
    plugins: Iterable[str | Path] = (),
) -> Experiment:
    """The experiment with the limits of this run, all of them set."""
    read = read_experiment(experiment, [Path(path) for path in plugins])
    for name, value in (("seconds", seconds), ("memory_gb", memory_gb)):
        if value is not None and not is_positive(value):
            raise InputError(f"the limit {name!r} must be a finite number above 0, not {value!r}.")
    share = (executor or LocalExecutor()).memory_gb
    memory = memory_gb or read.limits.memory_gb or round(MEMORY_SHARE * share, 1)
    limits = replace(read.limits, seconds=float(seconds or read.limits.seconds), memory_gb=float(memory))
    return replace(read, limits=limits)


def execute(
    plan: Plan,
    path: Path,
    executor: Executor,
    resume: bool,
    retry: bool,
    observe: Observer,
    announce: Announce = tell_nobody,
) -> None:
    """Run what is missing. Raises KeyboardInterrupt after a clean stop if the user asked for one."""
    experiment = plan.experiment
    with RunFolder(path, resume) as folder:
        settled = {key for key, record in folder.known.items() if is_settled(record, experiment.limits, retry)}
        facts = {
            "solvers": {spec.name: version for spec, _, version, _ in plan.solvers},
            "seeds": experiment.source.seeds,
            "session": {**executor.facts, "nodes": {}, "cells": 0, "interrupted": False},
        }
        folder.begin(experiment.document(), experiment.text, [cell.key for cell in plan], facts)
        session = _Session(plan, folder, executor.jobs, settled, observe, announce)
        try:
            with _Signals(session.stop):
                executor.work(session)
                session.raise_failure()
        except BaseException:
            with contextlib.suppress(InputError):  # what went wrong first is what the user must know
                folder.end(session.count, interrupted=True)
            raise
        folder.end(session.count, session.stop.is_set())
        write_parquet(path)
    if session.stop.is_set():
        raise KeyboardInterrupt


class _Signals:
    """Ctrl-C, a request to end and a closed terminal set the stop mark; the second Ctrl-C is Python's own again."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._before: dict[signal.Signals, Any] = {}

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                    continue  # nohup
                self._before[number] = signal.signal(number, self._handle)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class _Session:
    """One call of the runner: a queue of cells that an executor takes from, and the records it brings back."""

    sources: dict[str, bytes] | None = None

    def __init__(
        self,
        plan: Plan,
        folder: RunFolder,
        jobs: int,
        settled: set[str],
        observe: Observer,
        announce: Announce,
    ) -> None:
        self.plan, self.folder, self.jobs, self.observe, self.announce = plan, folder, jobs, observe, announce
        self.experiment = plan.experiment
        self.plugins = digests(plan.experiment.plugins)
        self.stop = threading.Event()
        self.count = 0
        self.mark = uuid.uuid4().hex
        self._queue = self._missing(settled)
        self._lock = threading.Lock()
        self._failure: BaseException | None = None

    def _missing(self, settled: set[str]) -> Iterator[tuple[Cell, bytes]]:
        """The cells to run, each with its instance; an instance is made only if a cell of it is missing."""
        plan = self.plan
        for repetition, traced in plan.rounds:
            items = plan.experiment.source.items()
            for number, item in enumerate(items):
                missing = [cell for cell in plan.cells(number, repetition, traced) if cell.key not in settled]
                if missing:
                    pickled = plan.pickled(number, item)
                    for cell in missing:
                        yield cell, pickled

    def take(self) -> tuple[Cell, bytes] | None:
        with self._lock:
            return None if self.stop.is_set() else next(self._queue, None)

    def fail(self, error: BaseException) -> None:
        self._failure = self._failure or error
        self.stop.set()

    def raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def add_node(self, name: str, facts: dict[str, Any]) -> None:
        with self._lock:
            self.folder.add_node(name, facts)

    def record(self, cell: Cell, record: dict[str, Any], trace: list[dict[str, Any]]) -> None:
        """Traces first: a record that is there has its trace."""
        with self._lock:
            if self.stop.is_set() and self._failure is not None:
                return  # the disk is full: one failing write is enough
            if trace:
                self.folder.traces.append({"key": cell.key, "points": trace})
            record = readable(record)
            self.folder.records.append(record)
            self.count += 1
            self.observe(cell, record)
