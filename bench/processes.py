"""Process trees: who belongs to a worker, what they use, and how to end them all.

Linux is read from /proc, which costs microseconds where psutil needs milliseconds; other systems go through psutil. A
process that leaves its worker's tree (by `setsid` and a second fork) is found by a mark in its environment.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator

MARK = "DUALBENCH_RUN"
ON_LINUX = sys.platform == "linux"
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent ended, so that they stay in its tree."""
    if ON_LINUX:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    """The children of a process; empty if it is gone."""
    if not ON_LINUX:
        return _psutil_children(pid)
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except FileNotFoundError:
        if os.path.exists(f"/proc/{pid}") and not os.path.exists(f"/proc/{pid}/task/{pid}/children"):
            return _psutil_children(pid)  # a kernel without the file
    except (ProcessLookupError, PermissionError):
        pass
    return found


def _psutil_children(pid: int) -> list[int]:
    import psutil

    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.Error:
        return []


def descendants(pid: int) -> list[int]:
    """All processes below one, parents first."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def resident(pid: int) -> int:
    """Resident bytes of one process; 0 if it is gone."""
    if not ON_LINUX:
        import psutil

        try:
            return int(psutil.Process(pid).memory_info().rss)
        except psutil.Error:
            return 0
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def tree_memory(pid: int, below: list[int]) -> int:
    """Bytes of a process and those below it; what they share is shared out among them where the system tells."""
    if not below:
        return resident(pid)
    return sum(proportional(member) for member in (pid, *below))


def proportional(pid: int) -> int:
    """The proportional set size of one process, or else its resident size."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return resident(pid)


def born(pid: int) -> int:
    """When a process was started, in ticks of the system's clock; 0 if it is gone. Tells it from a later one of that number."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def cpu_seconds(pid: int) -> float:
    """CPU seconds of one process and of its finished children; 0 if it is gone."""
    if not ON_LINUX:
        import psutil

        try:
            times = psutil.Process(pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(
            times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
        )
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS
    except (OSError, ValueError, IndexError):
        return 0.0


def tree_cpu_seconds(pid: int) -> float:
    return sum(cpu_seconds(member) for member in (pid, *descendants(pid)))


def reset_peak() -> None:
    """Start the measurement of this process's own peak memory anew."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "wb") as file:
        file.write(b"5")


def peak_resident() -> int:
    """The most resident bytes of this process since `reset_peak`, as the kernel counted; 0 where it does not."""
    with contextlib.suppress(OSError, ValueError), open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def kill_descendants(pid: int) -> int:
    """Kill all below a process, also those that are born meanwhile; how many there were."""
    seen: set[int] = set()
    for _ in range(100):
        alive = descendants(pid)
        seen.update(alive)
        kill(alive)
        if pid == os.getpid():
            reap()
        if not [member for member in descendants(pid) if not is_zombie(member)]:
            break
        time.sleep(0.001)
    return len(seen)


def is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except (OSError, IndexError):
        return True


def reap() -> None:
    """Take note of all children of this process that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def marked(mark: str) -> Iterator[int]:
    """All processes (but this one) whose mark in the environment begins so, wherever they went."""
    import psutil

    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK, "").startswith(mark):
                yield process.pid
        except (psutil.Error, OSError):
            continue


def kill_marked(mark: str) -> None:
    """End everything whose mark begins so; looks again until nothing is found."""
    for _ in range(50):
        alive = [pid for pid in marked(mark) if not is_zombie(pid)] if ON_LINUX else list(marked(mark))
        if not alive:
            return
        kill(alive)
        time.sleep(0.01)
