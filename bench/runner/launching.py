"""How processes of ours are started, and how they are kept on this machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..experiments.plugins import plugin_digest
from ..records.provenance import ROOT
from .control_group import counted
from .processes import ON_LINUX


@cache
def isolation() -> str:
    """How workers are kept here: `namespace` where the kernel lets us, else `tree` (see `keeper`)."""
    command = keeper_command("probe")
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            command, env=with_our_code(dict(os.environ)), capture_output=True, timeout=30, check=False
        )
        if done.returncode == 0:
            return "namespace"
    return "tree"


def protection() -> str:
    """How workers are kept and counted here, in words."""
    return f"{isolation()}; control groups count {counted()}"


def python_command(module: str, *options: str) -> list[str]:
    """How to run one of our modules: the user's current folder is not searched for it."""
    return [sys.executable, *options, "-P", "-m", module]


def keeper_command(*arguments: str) -> list[str]:
    """How to run a keeper: on Linux without other packages, which it does not need there."""
    return [*python_command("bench.runner.keeper", *(["-S"] if ON_LINUX else [])), *arguments]


def with_our_code(environment: dict[str, str]) -> dict[str, str]:
    """An environment in which Python finds this very code first."""
    paths = [str(ROOT), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def enlarge_pipe(descriptor: int, size: int) -> None:
    """Let a pipe hold more, where the system can and permits it."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size)


def digests(plugins: Sequence[Path]) -> dict[str, str]:
    return {str(path): plugin_digest(path) for path in plugins}
