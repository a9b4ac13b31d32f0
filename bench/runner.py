"""The runner: every cell of an experiment leaves exactly one record, whatever its solver does.

Each solver has a worker process (per job) that is warmed up off the clock and reused; whoever breaks a limit is killed with
everything it started, recorded, and replaced. Rounds are interleaved, so that drift of the machine hits all solvers alike.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from problems.errors import InputError

from .experiment import Experiment, Limits, read_experiment
from .plan import Cell, Plan, is_settled
from .processes import kill_marked
from .provenance import now, solver_version
from .records import FIELDS, load_run, write_parquet
from .run_folder import RunFolder
from .supervision import PATIENCE_SECONDS, Death, Interrupted, Supervisor
from .watchdog import Watchdog

MEMORY_SHARE = 0.8  # of the machine's memory, if an experiment sets no limit
NEARLY = 0.95  # of the time limit: a solver that stopped there without a proof was stopped by it

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
    observe: Observer = lambda cell, record: None,
) -> Any:
    """Run an experiment and return its records (see `load_run`). `retry` runs crashed and failed cells again."""
    prepared = prepare(experiment, seconds, memory_gb, jobs, plugins)
    folder = Path(out) if out is not None else Path("runs") / prepared.name
    execute(Plan(prepared), folder, jobs, resume, retry, observe)
    return load_run(folder)


def prepare(
    experiment: str | Path | dict[str, Any],
    seconds: float | None = None,
    memory_gb: float | None = None,
    jobs: int = 1,
    plugins: Iterable[str | Path] = (),
) -> Experiment:
    """The experiment with the limits of this run, all of them set."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= cores:
        raise InputError(f"option '--jobs' must be between 1 and {cores} (the cores of this machine), not {jobs}.")
    read = read_experiment(experiment, [Path(path) for path in plugins])
    memory = memory_gb or read.limits.memory_gb or round(MEMORY_SHARE * _memory_gb() / jobs, 1)
    limits = replace(read.limits, seconds=float(seconds or read.limits.seconds), memory_gb=float(memory))
    if limits.seconds <= 0 or memory <= 0:
        raise InputError("limits of time and memory must be above 0.")
    return replace(read, limits=limits)


def _memory_gb() -> float:
    import psutil

    return float(psutil.virtual_memory().total) / 2**30


def execute(plan: Plan, path: Path, jobs: int, resume: bool, retry: bool, observe: Observer) -> None:
    """Run what is missing. Raises KeyboardInterrupt after a clean stop if the user asked for one."""
    experiment = plan.experiment
    with RunFolder(path, resume) as folder:
        settled = {key for key, record in folder.known.items() if is_settled(record, experiment.limits, retry)}
        facts = {
            "solvers": {spec.name: solver_version(spec.name) for spec in experiment.solvers},
            "seeds": experiment.source.seeds,
            "session": {"jobs": jobs, "cells": 0, "interrupted": False},
        }
        folder.begin(experiment.document(), experiment.text, [cell.key for cell in plan], facts)
        session = _Session(plan, folder, jobs, settled, observe)
        try:
            with _Signals(session.stop):
                session.work()
        except BaseException:
            with contextlib.suppress(InputError):  # what went wrong first is what the user must know
                folder.end(session.count, interrupted=True)
            raise
        folder.end(session.count, session.stop.is_set())
        write_parquet(path)
    if session.stop.is_set():
        raise KeyboardInterrupt


class _Signals:
    """Ctrl-C and a request to end set the stop mark; the second Ctrl-C is Python's own again."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._before: dict[signal.Signals, Any] = {}

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._handle)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class _Session:
    """One call of the runner: a queue of cells, and a thread per job that takes from it."""

    def __init__(self, plan: Plan, folder: RunFolder, jobs: int, settled: set[str], observe: Observer) -> None:
        self.plan, self.folder, self.jobs, self.observe = plan, folder, jobs, observe
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

    def work(self) -> None:
        watchdog = Watchdog(f"{self.mark}/")
        try:
            slots = [_Slot(self, number) for number in range(self.jobs)]
            threads = [threading.Thread(target=self._guarded, args=(slot,), daemon=True) for slot in slots]
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)  # short waits let signals through
        except BaseException:
            kill_marked(f"{self.mark}/")
            raise
        finally:
            watchdog.close()
        if self._failure is not None:
            raise self._failure

    def _guarded(self, slot: _Slot) -> None:
        """A thread's life: what goes wrong with the run itself (a full disk) ends all threads and is raised once."""
        try:
            slot.work()
        except Interrupted:
            pass
        except BaseException as error:
            self._failure = self._failure or error
            self.stop.set()
        finally:
            slot.close()

    def take(self) -> tuple[Cell, bytes] | None:
        with self._lock:
            return None if self.stop.is_set() else next(self._queue, None)

    def record(self, cell: Cell, record: dict[str, Any], trace: list[dict[str, Any]]) -> None:
        """Traces first: a record that is there has its trace."""
        with self._lock:
            if self.stop.is_set() and self._failure is not None:
                return  # the disk is full: one failing write is enough
            if trace:
                self.folder.traces.append({"key": cell.key, "points": trace})
            self.folder.records.append(record)
            self.count += 1
            self.observe(cell, record)


class _Slot:
    """One of the jobs: its workers, one per solver, and the cores they are pinned to if there are several jobs."""

    def __init__(self, session: _Session, number: int) -> None:
        self.session, self.number = session, number
        self.workers: dict[str, Supervisor] = {}
        self.problems: dict[str, str] = {}
        self.too_slow_to_warm_up: set[str] = set()
        self.started = 0

    def work(self) -> None:
        while (taken := self.session.take()) is not None:
            cell, instance = taken
            facts = self._facts(cell, instance)
            self.session.record(cell, self._record(cell, facts), facts.pop("trace", []))

    def _facts(self, cell: Cell, instance: bytes) -> dict[str, Any]:
        """What happened to a cell."""
        name = cell.solver.name
        if cell.version.startswith("unavailable: "):
            return {"status": "skipped", "message": cell.version.removeprefix("unavailable: ")}
        worker = self._worker(cell)
        if worker is None:
            return {"status": "skipped", "message": self.problems[name]}
        limits = self.session.plan.experiment.limits
        worker.forget_output()
        answer = worker.ask({**self._request(cell), "kind": "solve", "instance": instance})
        if isinstance(answer, Death):
            return self._buried(
                name,
                {
                    "status": "error",
                    "message": f"the worker ended before the solver ran ({answer.message or answer.kind})",
                },
            )
        base = {"base_memory_mb": answer["base_memory_mb"]}
        memory = (limits.memory_gb or 0.0) * 2**30
        answer = worker.answer(limits.seconds + limits.grace_seconds, memory)
        if isinstance(answer, Death):
            return self._buried(name, {**base, **_of_death(answer)})
        sampled = worker.peak / 2**20
        solved = answer
        answer = worker.answer(PATIENCE_SECONDS, memory)
        if isinstance(answer, Death):
            measured = {key: solved[key] for key in ("cpu_seconds", "wall_seconds", "peak_memory_mb")}
            message = f"the structure could not be checked ({answer.message or answer.kind})"
            return self._buried(name, {**base, **measured, "status": "error", "message": message})
        facts = {**base, **answer["record"]}
        facts["peak_memory_mb"] = max(facts["peak_memory_mb"], sampled)
        if facts["peak_memory_mb"] * 2**20 > memory:
            facts |= {"status": "memout", "limit_hit": "memory", "message": "used more memory than allowed"}
        elif facts["status"] in ("feasible", "relaxed", "timeout") and facts["wall_seconds"] >= NEARLY * limits.seconds:
            facts["limit_hit"] = "time"
        if answer["dirty"]:
            self._buried(name, {})
        return facts

    def _record(self, cell: Cell, facts: dict[str, Any]) -> dict[str, Any]:
        experiment, instance = self.session.plan.experiment, cell.instance
        limits = experiment.limits
        return {
            **FIELDS,
            "key": cell.key,
            "experiment": experiment.name,
            "task": experiment.task,
            "size": instance.size,
            "instance": instance.name,
            "instance_digest": instance.digest,
            "instance_size": instance.instance_size,
            "length": instance.length,
            "solver": cell.solver.name,
            "label": cell.solver.label,
            "options": cell.options,
            "solver_version": cell.version,
            "repetition": cell.repetition,
            "traced": cell.traced,
            "limits": {"seconds": limits.seconds, "memory_gb": limits.memory_gb, "grace_seconds": limits.grace_seconds},
            "node": platform.node(),
            "slot": self.number,
            "jobs": self.session.jobs,
            "started": now(),
            **{name: value for name, value in facts.items() if name != "trace"},
        }

    def _request(self, cell: Cell) -> dict[str, Any]:
        experiment = self.session.plan.experiment
        return {
            "solver": cell.solver.name,
            "options": cell.solver.options,
            "task": experiment.task,
            "seconds": experiment.limits.seconds,
            "traced": cell.traced,
        }

    def _worker(self, cell: Cell) -> Supervisor | None:
        """The warm worker of a solver; None if the solver cannot be used (see `problems`)."""
        name = cell.solver.name
        if name in self.workers:
            return self.workers[name]
        worker = self._start(name)
        if worker is not None and name not in self.too_slow_to_warm_up:
            limits = self.session.plan.experiment.limits
            memory = (limits.memory_gb or 0.0) * 2**30
            answer = worker.ask({**self._request(cell), "kind": "warm up"}, limits.warmup_seconds, memory)
            if isinstance(answer, Death):  # whatever it was, it will happen again to a cell and be recorded there
                self.too_slow_to_warm_up.add(name)
                self._buried(name, {})
                worker = self._start(name)
        return worker

    def _start(self, name: str) -> Supervisor | None:
        if name in self.problems:
            return None
        experiment = self.session.plan.experiment
        self.started += 1
        worker = Supervisor(f"{self.session.mark}/{self.number}.{self.started}/", self.session.stop)
        self.workers[name] = worker
        problem = worker.set_up(name, experiment.task, experiment.plugins, self._cores())
        if isinstance(problem, Death):
            problem = f"its worker did not start ({problem.message or problem.kind})"
        if problem:
            self.problems[name] = problem
            self._buried(name, {})
            return None
        return worker

    def _cores(self) -> list[int]:
        if self.session.jobs == 1 or not hasattr(os, "sched_getaffinity"):
            return []
        return [sorted(os.sched_getaffinity(0))[self.number]]

    def _buried(self, name: str, facts: dict[str, Any]) -> dict[str, Any]:
        """End a solver's worker; the next cell gets a new one."""
        self.workers.pop(name).close()
        return facts

    def close(self) -> None:
        for name in list(self.workers):
            self._buried(name, {})


def _of_death(death: Death) -> dict[str, Any]:
    """The facts of a cell whose worker did not survive it."""
    facts: dict[str, Any] = {
        "status": death.kind,
        "wall_seconds": death.wall_seconds,
        "peak_memory_mb": death.peak_memory_mb,
    }
    if death.kind == "timeout":
        return {**facts, "cpu_seconds": death.cpu_seconds, "limit_hit": "time", "message": "killed at the time limit"}
    if death.kind == "memout":
        return {
            **facts,
            "cpu_seconds": death.cpu_seconds,
            "limit_hit": "memory",
            "message": "killed at the memory limit",
        }
    return {**facts, "message": death.message}


def limits_text(limits: Limits) -> str:
    return f"{limits.seconds:g} s and {limits.memory_gb:g} GB"
