"""What this machine can run: solvers, their versions, and the environment they run in."""

from __future__ import annotations

from typing import NamedTuple

from problems import get_task
from problems import registry as tasks
from problems.registration import BUILT_IN
from solvers import solver_names
from solvers.registry import registry as solvers

from ..records.provenance import UNAVAILABLE
from ..runner.solver_versions import solver_versions


class SolverHealth(NamedTuple):
    name: str
    version: str
    problem: str | None


def solver_health() -> list[SolverHealth]:
    """Each solver's version, or why it cannot be used; someone else's broken package is a row, not the end."""
    found = []
    for name, version in solver_versions(sorted(solver_names())).items():
        if version.startswith(UNAVAILABLE):
            found.append(SolverHealth(name, "", version.removeprefix(UNAVAILABLE)))
        else:
            found.append(SolverHealth(name, version, None))
    return found + [SolverHealth(name, "", why) for name, why in solvers.shadowed()]


def task_health() -> list[SolverHealth]:
    """The same for tasks of plug-ins and installed packages."""
    found = []
    for name in (name for name in tasks.names() if tasks.origin(name) != BUILT_IN):
        try:
            get_task(name)
            problem = None
        except (Exception, SystemExit) as error:
            problem = str(error)
        found.append(SolverHealth(f"task {name}", tasks.origin(name), problem))
    return found + [SolverHealth(f"task {name}", "", why) for name, why in tasks.shadowed()]


def kernel_cache() -> dict[str, str]:
    """Where compiled kernels are kept and how large they are."""
    from problems.kernels.cache import cache_directory

    directory = cache_directory()
    files = [path for path in directory.glob("*") if path.is_file()] if directory.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 2**20
    return {"kernel cache": str(directory), "compiled": f"{len(files)} files, {size:.1f} MiB"}
