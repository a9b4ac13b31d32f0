"""Control groups: what the kernel itself counts of everything that a worker starts, also of what hides from /proc.

A process whose parent ignores SIGCHLD leaves its CPU time to nobody, and pages of shared memory that nobody has mapped
are in no process. A group counts both. Where groups may be made (by root, or where systemd delegates them), each worker
has one, below the runner's own; elsewhere the runner goes by /proc alone.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from functools import cache

VARIABLE = "DUALBENCH_CONTROL_GROUPS"
PREFIX = "dualbench-"
REMOVE_SECONDS = 1.0  # for the last processes to leave a group
_numbers = itertools.count()


class ControlGroup:
    """A group in each hierarchy that counts CPU time or memory; without any it knows nothing."""

    def __init__(self) -> None:
        self._cpu = self._memory = ""  # the files that tell
        self._folders: list[str] = []
        sweep()
        name = f"{PREFIX}{os.getpid()}-{next(_numbers)}-{os.urandom(4).hex()}"
        for kind, parent in hierarchies().items():
            with contextlib.suppress(OSError):
                folder = f"{parent.rstrip('/')}/{name}"
                os.mkdir(folder)
                self._folders.append(folder)
                self._use(kind, folder)

    def _use(self, kind: str, folder: str) -> None:
        """The newer hierarchy comes first and counts what it can."""
        files = {
            "unified": ("cpu.stat", "memory.stat"),
            "cpuacct": ("cpuacct.usage", ""),
            "memory": ("", "memory.stat"),
        }
        cpu, memory = (f"{folder}/{name}" if name else "" for name in files[kind])
        self._cpu = self._cpu or (cpu if os.path.isfile(cpu) else "")
        self._memory = self._memory or (memory if os.path.isfile(memory) else "")

    @property
    def counts(self) -> list[str]:
        return [what for what, file in (("CPU time", self._cpu), ("memory", self._memory)) if file]

    def environment(self) -> dict[str, str]:
        """Tells a keeper which groups to join."""
        return {VARIABLE: os.pathsep.join(self._folders)}

    def cpu_seconds(self) -> float | None:
        """CPU seconds of everything that was ever in the group."""
        if self._cpu:
            with contextlib.suppress(OSError, ValueError), open(self._cpu, "rb") as file:
                text = file.read()
                return int(text.split()[1]) / 1e6 if self._cpu.endswith("cpu.stat") else int(text) / 1e9
        return None

    def memory(self) -> int:
        """Bytes that belong to no file on a disk; 0 where they are not counted."""
        if self._memory:
            with contextlib.suppress(OSError, ValueError), open(self._memory, "rb") as file:
                counts = dict(line.split() for line in file.read().splitlines())
                private, shared = (b"anon", b"shmem") if b"anon" in counts else (b"total_rss", b"total_shmem")
                return int(counts.get(private, 0)) + int(counts.get(shared, 0))
        return 0

    def close(self) -> None:
        """Remove the groups; what is still in them is ended first."""
        deadline = time.monotonic() + REMOVE_SECONDS
        for folder in self._folders:
            while os.path.isdir(folder) and time.monotonic() < deadline:
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
                    break
                with contextlib.suppress(OSError), open(f"{folder}/cgroup.kill", "w") as file:
                    file.write("1")
                time.sleep(0.005)


@cache
def sweep() -> None:
    """Remove groups whose runner and keepers were killed together: nobody else will. Once in a process."""
    for parent in hierarchies().values():
        for name in os.listdir(parent):
            owner = name.removeprefix(PREFIX).partition("-")[0]
            if name.startswith(PREFIX) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    os.rmdir(f"{parent}/{name}")


@cache
def counted() -> str:
    """What control groups count here, in words."""
    group = ControlGroup()
    group.close()
    return " and ".join(group.counts) or "nothing"


def join_groups() -> list[str]:
    """Called by a keeper before it starts anything: the groups that it is in now."""
    folders = list(filter(None, os.environ.pop(VARIABLE, "").split(os.pathsep)))
    for folder in folders:
        _move_here(folder)
    return folders


def leave_groups(folders: list[str]) -> None:
    """Called by a keeper that has nothing left to keep: its runner may be gone, and nobody else would remove them."""
    for folder in folders:
        _move_here(os.path.dirname(folder))
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _move_here(folder: str) -> None:
    with contextlib.suppress(OSError), open(f"{folder}/cgroup.procs", "w") as file:
        file.write("0")


@cache
def hierarchies() -> dict[str, str]:
    """Where this process may make groups: `unified` (version 2), `cpuacct` and `memory` (version 1)."""
    own: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in _lines("/proc/self/cgroup"):
            _, controllers, path = line.split(":", 2)
            own |= dict.fromkeys(controllers.split(",") if controllers else ["unified"], path)
    found = {}
    for kind, mount, root in mounts():
        path = own.get(kind, "")
        folder = mount + (path.removeprefix(root) if root != "/" else path)
        if path and kind not in found and os.path.isdir(folder) and os.access(folder, os.W_OK):
            found[kind] = folder
    return {kind: found[kind] for kind in ("unified", "cpuacct", "memory") if kind in found}


def mounts() -> Iterator[tuple[str, str, str]]:
    """Kind, mount point and root of every mounted hierarchy."""
    with contextlib.suppress(OSError):
        for line in _lines("/proc/self/mountinfo"):
            before, _, after = line.partition(" - ")
            root, mount = before.split()[3:5]
            system, _, options = after.split(" ", 2)
            if system == "cgroup2":
                yield "unified", mount, root
            elif system == "cgroup":
                for controller in options.split(","):
                    yield controller, mount, root


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()
