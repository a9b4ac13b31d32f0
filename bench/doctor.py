"""What this machine can run: solvers, their versions, and the environment they run in."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from typing import NamedTuple

from solvers import SOLVERS, solver_class


class SolverHealth(NamedTuple):
    name: str
    version: str
    problem: str | None


def solver_health() -> list[SolverHealth]:
    """Each solver's version, or why it cannot be used."""
    found = []
    for name in sorted(SOLVERS):
        chosen = solver_class(name)
        problem = chosen.unavailable()
        found.append(SolverHealth(name, "" if problem else chosen.version(), problem))
    return found


def machine() -> dict[str, str]:
    """Facts that timings depend on."""
    import psutil

    facts = {
        "dualbench": metadata.version("dualbench"),
        "Python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": str(psutil.cpu_count(logical=False) or os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
        "load": ", ".join(f"{load:.2f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown",
    }
    for package in ("numpy", "scipy", "numba"):
        facts[package] = metadata.version(package)
    return facts


def processor() -> str:
    """The CPU's model name."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def kernel_cache() -> dict[str, str]:
    """Where compiled kernels are kept and how large they are."""
    from problems.kernels.cache import cache_directory

    directory = cache_directory()
    files = [path for path in directory.glob("*") if path.is_file()] if directory.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 2**20
    return {"kernel cache": str(directory), "compiled": f"{len(files)} files, {size:.1f} MiB"}
