"""Where a run's numbers come from: code, command, machine, solver versions, instances and limits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from solvers import solver_class

from .doctor import machine

ROOT = Path(__file__).resolve().parent.parent


def provenance(solvers: Iterable[str], **facts: Any) -> dict[str, Any]:
    """A record of this moment; `facts` are what the experiment has to add (seeds, limits, ...)."""
    return {
        "command": sys.argv,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": checkout(ROOT),
        "solvers": {name: _version(name) for name in dict.fromkeys(solvers)},
        **facts,
        "machine": machine(),
    }


def checkout(folder: Path) -> dict[str, Any]:
    """The commit of a git checkout and whether files differ from it; empty where there is none."""
    try:
        top = _git(folder, "rev-parse", "--show-toplevel")
        if Path(top).resolve() != folder:
            return {}
        commit = _git(folder, "rev-parse", "HEAD")
        return {"commit": commit, "dirty": bool(_git(folder, "status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return {}


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip()


def _version(name: str) -> str:
    chosen = solver_class(name)
    reason = chosen.unavailable()
    return f"unavailable: {reason}" if reason else chosen.version()
