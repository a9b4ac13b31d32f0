"""What the system tells of processes: who is below whom, what they use, and how to end them.

Linux is read from /proc, which costs microseconds where psutil needs milliseconds; other systems go through psutil.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

Found = TypeVar("Found")
ON_LINUX = sys.platform == "linux"
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PR_SET_CHILD_SUBREAPER = 36


def started() -> float:
    """When this process began, by `time.monotonic`: before Python was loaded."""
    import psutil

    return time.monotonic() - max(0.0, time.time() - psutil.Process().create_time())


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ended, so that they stay in its tree."""
    if ON_LINUX:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    """The children of a process; empty if it is gone."""
    if not ON_LINUX:
        return _from_psutil(pid, lambda process: [child.pid for child in process.children()], [])
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except FileNotFoundError:
        if os.path.exists(f"/proc/{pid}") and not os.path.exists(f"/proc/{pid}/task/{pid}/children"):
            return _scanned_children(pid)  # a kernel without the file
    except (ProcessLookupError, PermissionError):
        pass
    return found


def _scanned_children(pid: int) -> list[int]:
    """The same from every process's word of its parent."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        if _stat(name)[1:2] == [b"%d" % pid]:
            found.append(int(name))
    return found


def _stat(pid: int | str) -> list[bytes]:
    """The fields of /proc/PID/stat, from the state on; none if the process is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
    return []


def _from_psutil(pid: int, read: Callable[[Any], Found], gone: Found) -> Found:
    """What psutil tells of a process, or what stands for one that is gone."""
    import psutil

    try:
        return read(psutil.Process(pid))
    except psutil.Error:
        return gone


def descendants(pid: int) -> list[int]:
    """All processes below one, parents first."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def resident(pid: int) -> int:
    """Resident bytes of one process; 0 if it is gone."""
    if not ON_LINUX:
        return _from_psutil(pid, lambda process: int(process.memory_info().rss), 0)
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """Bytes of one process, with what it shares with others shared out among them; else its resident bytes."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return resident(pid)


def status_of(pid: int, *names: str) -> dict[str, str]:
    """Fields of /proc/PID/status; those that the system does not tell are left out."""
    found, text = {}, ""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:
        text = "\n" + file.read().decode("ascii", errors="replace")
    for name in names:
        _, there, rest = text.partition(f"\n{name}:")
        if there:
            found[name] = rest.partition("\n")[0].strip()
    return found


def reset_peak(pid: int) -> None:
    """Start the kernel's measurement of a process's peak memory anew."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/clear_refs", "wb") as file:
        file.write(b"5")


def peak_resident(pid: int) -> int:
    """The most resident bytes of a process since `reset_peak`; what it holds now where the kernel does not count."""
    peak = status_of(pid, "VmHWM").get("VmHWM", "").partition(" ")[0]
    return int(peak) * 1024 if peak.isdigit() else resident(pid)


def own_cpu_seconds(pid: int) -> float:
    """CPU seconds of one process, all of its threads and none of its children; 0 if it is gone."""
    if ON_LINUX:  # the process's own clock, which the kernel keeps to the nanosecond
        with contextlib.suppress(OSError):
            return time.clock_gettime((~pid << 3) | 2)
        return sum(map(int, _stat(pid)[11:13])) / TICKS
    return _from_psutil(pid, lambda process: float(sum(process.cpu_times()[:2])), 0.0)


def waited_cpu_seconds(pid: int) -> float:
    """CPU seconds of the children that a process has waited for, in ticks (10 ms as a rule)."""
    if ON_LINUX:
        return sum(map(int, _stat(pid)[13:15])) / TICKS
    return _from_psutil(pid, lambda process: float(sum(process.cpu_times()[2:4])), 0.0)


def is_zombie(pid: int) -> bool:
    """Has it ended, and perhaps nobody has taken note?"""
    return _stat(pid)[:1] in ([], [b"Z"])


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def kill_descendants(pid: int, spare: int = 0) -> int:
    """Kill all below a process but one, also those that are born meanwhile; how many were alive."""
    seen: set[int] = set()
    for _ in range(1000):
        alive = [member for member in descendants(pid) if member != spare and not is_zombie(member)]
        if not alive:
            break
        seen.update(alive)
        kill(alive)
        if pid == os.getpid():
            reap()
        time.sleep(0.001)
    return len(seen)


def reap() -> None:
    """Take note of all children of this process that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def number_of_cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
