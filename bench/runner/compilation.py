"""Our own kernels are compiled before any clock runs: once for each version, in a process of their own.

A solver that somebody else wrote may call them as well (rounding, the graph's factors), and its warm-up has a short limit.
"""

from __future__ import annotations

import contextlib
import platform
import threading
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from problems.registration import BUILT_IN
from solvers import solver_class
from solvers.registry import registry

from ..experiments.experiment import Experiment
from .supervisor import Death, Supervisor

COMPILE_SECONDS = 900.0  # for one solver
FOR_OTHERS = ("ad3", "subgradient")
"""Between them they use the kernels of every factor; compiled for solvers that are not ours."""


def compile_kernels(experiment: Experiment, stop: threading.Event, announce: Callable[[str], None]) -> None:
    """Warm up every solver of ours that the experiment needs and this version has not yet run here."""
    task = experiment.task
    missing = [name for name in wanted(experiment) if not marker(task, name).exists()]
    if not missing:
        return
    worker = Supervisor(stop)
    try:
        for number, name in enumerate(missing, start=1):
            announce(f"Compiling kernels for {name} ({number} of {len(missing)}), once for this version ...")
            if not compiled(worker, experiment, name):
                worker.close()
                worker = Supervisor(stop)
    finally:
        worker.close()


def wanted(experiment: Experiment) -> Iterable[str]:
    names = [spec.name for spec in experiment.solvers]
    if any(registry.origin(name) != BUILT_IN for name in names):
        names += FOR_OTHERS
    ours = dict.fromkeys(name for name in names if registry.origin(name) == BUILT_IN)
    return [name for name in ours if is_usable(name, experiment.task)]


def is_usable(name: str, task: str) -> bool:
    try:
        return solver_class(name, None if task == "graph" else task).unavailable() is None
    except Exception:
        return False


def compiled(worker: Supervisor, experiment: Experiment, name: str) -> bool:
    """Have one solver solve something small. What goes wrong will be said of its cells."""
    request: dict[str, Any] = {"solver": name, "options": {}, "task": experiment.task, "traced": False}
    answer = worker.set_up(name, experiment.task, {str(path): "" for path in experiment.plugins}, ())
    if not isinstance(answer, Death):
        request["seconds"] = COMPILE_SECONDS
        answer = worker.ask("warm up", request, "warm", COMPILE_SECONDS)
    if isinstance(answer, Death):
        return False
    with contextlib.suppress(OSError):  # a cache that cannot be written: compiled anew in each process
        marker(experiment.task, name).touch()
    return True


def marker(task: str, solver: str) -> Path:
    """A file that says: this version has been compiled here for this solver."""
    from problems.kernels.cache import cache_directory

    version = f"{platform.python_version()}-{metadata.version('numba')}"
    return cache_directory() / f"warm-{task}-{solver}-{version}"
