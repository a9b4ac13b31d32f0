"""Where cells run: the jobs of this machine, or a Dask cluster. The runner gives cells out and alone writes records."""

from __future__ import annotations

import math
import os
import platform
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from problems.errors import InputError

from ..experiments.plan import Cell
from ..records.provenance import machine
from .compilation import Announce, compile_kernels
from .job import Job
from .kernel_steps import all_steps
from .launching import protection
from .processes import number_of_cores
from .session import Session
from .supervisor import Interrupted

FAREWELL_SECONDS = 10.0


class Work(Session, Protocol):
    """A run as an executor sees it: a queue of cells, a place for records, and the mark that asks to stop."""

    mark: str  # names the run on other machines

    announce: Announce

    def take(self) -> tuple[Cell, bytes] | None:
        """The next cell and its pickled instance; None at the end, or when the run is to stop."""

    def record(self, cell: Cell, record: dict[str, Any], trace: list[dict[str, Any]]) -> None: ...

    def fail(self, error: BaseException) -> None:
        """What went wrong with the run itself (a full disk): it stops, and the first failure is raised at its end."""

    def add_node(self, name: str, facts: dict[str, Any]) -> None:
        """A machine takes part: what its times depend on goes into the provenance."""


class Executor(Protocol):
    """Runs the cells of one session after the other."""

    jobs: int  # cells at the same time
    warnings: Sequence[str]  # what the user must know before anything runs

    @property
    def facts(self) -> dict[str, Any]:
        """What the provenance says of a session that ran here."""

    @property
    def memory_gb(self) -> float:
        """Of the machine of a cell, divided by the cells that run there at the same time."""

    def work(self, run: Work) -> None:
        """Run every cell; after `run.stop` was set, end what is running and return."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...


class LocalExecutor:
    """A thread and a slot per job on this machine."""

    warnings: Sequence[str] = ()

    def __init__(self, jobs: int = 1) -> None:
        cores = number_of_cores()
        if not 1 <= jobs <= cores:
            raise InputError(f"option '--jobs' must be between 1 and {cores} (the cores of this machine), not {jobs}.")
        self.jobs = jobs

    @property
    def facts(self) -> dict[str, Any]:
        return {"jobs": self.jobs}

    @property
    def memory_gb(self) -> float:
        import psutil

        return float(psutil.virtual_memory().total) / 2**30 / self.jobs

    def work(self, run: Work) -> None:
        run.add_node(platform.node(), {**machine(), "isolation": protection()})
        try:
            steps = all_steps(run.experiment.task, [spec.name for spec in run.experiment.solvers])
            compile_kernels(steps, run.experiment.plugins, run.stop, run.announce)
        except Interrupted:
            return
        slots = [Job(run, number, self._cores(number)) for number in range(self.jobs)]
        threads = [threading.Thread(target=self._guarded, args=(run, slot), daemon=True) for slot in slots]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)  # short waits let signals through
        except BaseException:
            run.stop.set()  # a running cell sees it within a moment
            for thread in threads:
                thread.join(FAREWELL_SECONDS)
            raise

    def _cores(self, number: int) -> list[int]:
        if self.jobs == 1 or not hasattr(os, "sched_getaffinity"):
            return []
        return [sorted(os.sched_getaffinity(0))[number]]

    def _guarded(self, run: Work, slot: Job) -> None:
        """A thread's life: what goes wrong with the run itself ends all threads and is raised once."""
        try:
            while (taken := run.take()) is not None:
                cell, instance = taken
                run.record(cell, *slot.run(cell, instance))
        except Interrupted:
            pass
        except BaseException as error:
            run.fail(error)
        finally:
            slot.close()

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def check_positive(**options: float | None) -> None:
    """Refuse limits of a command that are none; one that is not given is None."""
    for name, value in options.items():
        if value is not None and not 0 < value < math.inf:
            raise InputError(f"option '--{name}' must be above 0, not {value}.")


def executor_for(jobs: int = 1, dask: str | None = None, dask_security: str | Path | None = None) -> Executor:
    """The executor that the options `--jobs`, `--dask` and `--dask-security` ask for; to be used as a context."""
    if dask is None:
        if dask_security is not None:
            raise InputError("option '--dask-security' needs the address of a cluster: --dask tls://host:port.")
        return LocalExecutor(jobs)
    if jobs != 1:
        raise InputError(
            "options '--jobs' and '--dask' cannot stand together: a cluster's workers say how many cells run."
        )
    from .cluster.executor import DaskExecutor

    return DaskExecutor(dask, dask_security)
