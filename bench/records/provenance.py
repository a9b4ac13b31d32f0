"""Where a run's numbers come from: code, command, machine, solver versions, instances and limits."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from problems.errors import InputError, shortened
from problems.registration import BUILT_IN
from solvers import solver_class
from solvers.registry import registry

from .others import OtherPrograms

PACKAGES = ("problems", "solvers", "bench")
CODE = (*PACKAGES, "pyproject.toml")  # what results depend on
MOST_CHANGED = 50  # files that are named
ROOT = Path(__file__).resolve().parents[2]
UNAVAILABLE = "unavailable: "
LONGEST_VERSION = 200
LONGEST_REASON = 800


class Recording:
    """The provenance of a study or of a piece, from its start on; `facts` are what it has to add (seeds, limits, ...).

    Runs have their own.
    """

    def __init__(self, solvers: Iterable[str] = (), **facts: Any) -> None:
        self._facts = {
            "command": command(),
            "started": now(),
            "code": code_state(),
            "load": {"before": load_average()},
            "solvers": {name: solver_version(name) for name in dict.fromkeys(solvers)},
            "libraries": libraries(),
            **facts,
            "machine": machine(),
        }
        self._others = OtherPrograms()

    def ended(self) -> dict[str, Any]:
        """All facts, with the end's time and load, and what other programs took meanwhile."""
        load = {**self._facts["load"], "after": load_average(), "others": self._others.share()}
        return {**self._facts, "ended": now(), "load": load}


def write_provenance(folder: Path, facts: dict[str, Any]) -> None:
    """`provenance.json` in a folder of results, a line for each fact."""
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in facts.items())
    (folder / "provenance.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def command() -> list[str]:
    """What was typed; of absolute paths only the last part is kept, since records are published."""
    given = [Path(argument).name if Path(argument).is_absolute() else argument for argument in sys.argv[1:]]
    module = getattr(sys.modules.get("__main__"), "__spec__", None)
    program = Path(sys.argv[0]).name
    if module is None or program == "dualbench":
        return [program, *given]
    return ["python", "-m", module.name.removesuffix(".__main__"), *given]


def libraries() -> dict[str, str]:
    """Versions of every package that dualbench depends on; tools for its development are left out."""
    found = {}
    for requirement in metadata.requires("dualbench") or ():
        if 'extra == "dev"' in requirement:
            continue
        name = re.split(r"[^A-Za-z0-9_.\-]", requirement, maxsplit=1)[0]
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def load_average() -> list[float] | None:
    """Over 1, 5 and 15 minutes; None where the system does not tell."""
    return [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def checkout(folder: Path) -> dict[str, Any]:
    """The commit of a git checkout and the code files that differ from it; empty where there is none."""
    try:
        top = _git(folder, "rev-parse", "--show-toplevel")
        if Path(top).resolve() != folder:
            return {}
        commit = _git(folder, "rev-parse", "HEAD")
        state = _git(folder, "status", "--porcelain", "--untracked-files=all", "--", *CODE)
        changed = [line.split(maxsplit=1)[1] for line in state.splitlines()]
        return {"commit": commit, "dirty": bool(changed), "changed": changed[:MOST_CHANGED]}
    except (OSError, subprocess.SubprocessError):
        return {}


def code_state(folder: Path = ROOT) -> dict[str, Any]:
    """What code ran: a checkout's commit, or of an installed package its version and a hash of its sources."""
    return checkout(folder) or {"version": metadata.version("dualbench"), "sources": package_digest(folder)}


@cache
def package_digest(folder: Path) -> str:
    """A hash of the names and contents of all Python files of our packages."""
    state = hashlib.sha256()
    for path in sorted(path for package in PACKAGES for path in (folder / package).rglob("*.py")):
        content = path.read_bytes()
        state.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return state.hexdigest()[:20]


def code_name(code: Mapping[str, Any], digits: int | None = None) -> str:
    """The code of a run for a reader; empty where it is not known."""
    if code.get("commit"):
        return f"commit {code['commit'][:digits]}{' with uncommitted changes' if code.get('dirty') else ''}"
    return (
        f"version {code.get('version', 'unknown')}, sources {code['sources'][:digits]}" if code.get("sources") else ""
    )


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip()


def solver_version(name: str) -> str:
    """The version of a solver's library, or why it cannot be used here.

    In the runner itself only for built-in solvers (`bench.runner.solver_versions`): others run code of their own here.
    """
    try:
        chosen = solver_class(name)
        reason = chosen.unavailable()
        if reason:
            return UNAVAILABLE + _line(reason, LONGEST_REASON)
        version, origin = _line(chosen.version(), LONGEST_VERSION), registry.origin(name)
        return version if origin == BUILT_IN else f"{version} ({origin})"
    except InputError as error:
        return f"{UNAVAILABLE}{error}"
    except (Exception, SystemExit) as error:
        return UNAVAILABLE + _line(f"{type(error).__name__}: {error}", LONGEST_REASON)


def _line(text: object, longest: int) -> str:
    return shortened(" ".join(str(text).split()), longest)


def machine() -> dict[str, str]:
    """Facts that timings depend on."""
    import psutil

    return {
        "dualbench": metadata.version("dualbench"),
        "Python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": str(psutil.cpu_count(logical=False) or os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
        "load": ", ".join(f"{load:.2f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown",
        **{package: metadata.version(package) for package in ("numpy", "scipy", "numba")},
    }


def processor() -> str:
    """The CPU's model name."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
