"""The parent of a solver's process: nothing that the process starts outlives it, however it hides.

    python -S -P -m bench.runner.keeper namespace|tree LIFELINE STATUS COMMAND...

`namespace`: the command gets namespaces of its own for processes, shared memory and mounts, with its own /proc and
/dev/shm, and cannot mount anything or leave its control groups. The kernel ends all of it at once, and what it keeps in
memory goes with it. `tree`: the keeper is the subreaper of everything below it and kills that when the
command ends. In both, closing the other end of LIFELINE (the runner is done with it, or dead) ends everything.

The keeper writes lines to STATUS (unless that is -1): `root PID`, the process that all others are below; `started` when
the command is; `ended CODE` when it has ended. In a tree the keeper itself then ends as the command did. Only the
standard library is imported: a keeper must start fast and stay small.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
from collections.abc import Sequence

from .control_group import join_groups, leave_groups, mounts
from .processes import ON_LINUX, adopt_orphans, kill_descendants, reap

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x08000000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 1 << 5, 1 << 12
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
CAP_SYS_ADMIN = 21
NO_NAMESPACE = 3  # the exit code of a probe that says so


def unshare(flags: int) -> None:
    _checked(_libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int) -> None:
    _checked(_libc().mount(source.encode(), target.encode(), kind and kind.encode(), flags, None), f"mount {target}")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(code: int, what: str) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def leave_namespace() -> None:
    """From now on children are in new namespaces; who is not root needs a user namespace for that."""
    if os.geteuid() == 0:
        unshare(CLONE_NEWPID | CLONE_NEWIPC)
        return
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def furnish() -> None:
    """As the first process of a namespace: its own view of processes, and shared memory that ends with it."""
    unshare(CLONE_NEWNS)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV)
    for point in {point for _, point, _ in mounts()}:
        with contextlib.suppress(OSError):
            mount("none", point, None, MS_REMOUNT | MS_BIND | MS_RDONLY)
    _libc().prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0)  # as root, too, mounts stay as they are


def start(command: Sequence[str]) -> int:
    """The process of the command."""
    pid = os.fork()
    if pid == 0:
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.execv(command[0], list(command))
        finally:
            os._exit(127)
    return pid


def first_process(status: int, command: Sequence[str]) -> None:
    """The life of a namespace's first process: it takes note of all deaths, and its own ends everything."""
    _libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    furnish()
    worker = start(command)
    say(status, "started")
    while True:
        ended, code = os.wait()
        if ended == worker:
            say(status, f"ended {os.waitstatus_to_exitcode(code)}")
            os._exit(0)


def keep(mode: str, lifeline: int, status: int, command: Sequence[str]) -> None:
    wakeups, signals = os.pipe()
    os.set_blocking(signals, False)
    os.set_blocking(wakeups, False)
    signal.set_wakeup_fd(signals)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    groups = join_groups()
    if mode == "namespace":
        leave_namespace()
        child = os.fork()
        if child == 0:
            try:
                first_process(status, command)
            finally:
                os._exit(1)
        say(status, f"root {child}")
    else:
        adopt_orphans()
        child = start(command)
        say(status, f"root {os.getpid()}")
        say(status, "started")
    code = _wait(child, lifeline, wakeups)
    if mode == "tree":
        kill_descendants(os.getpid())
        reap()
        leave_groups(groups)
        if code is not None:
            say(status, f"ended {code}")
            end_like(code)
    else:
        if code is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        leave_groups(groups)


def end_like(code: int) -> None:
    """End this process as another one did."""
    if code < 0:
        with contextlib.suppress(OSError):  # of KILL and STOP nothing can be changed
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(abs(code))


def _wait(child: int, lifeline: int, wakeups: int) -> int | None:
    """Until the child has ended (its exit code) or the lifeline is cut (None). Orphans are taken note of on the way."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    poll.register(wakeups, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()}
        if lifeline in ready:
            return None
        with contextlib.suppress(BlockingIOError):
            os.read(wakeups, 4096)
        with contextlib.suppress(ChildProcessError):
            while True:
                ended, code = os.waitpid(-1, os.WNOHANG)
                if ended == child:
                    return os.waitstatus_to_exitcode(code)
                if not ended:
                    break


def say(status: int, line: str) -> None:
    if status >= 0:
        with contextlib.suppress(BrokenPipeError):
            os.write(status, f"{line}\n".encode())


def probe() -> None:
    """Exit with 0 if namespaces can be had here."""
    try:
        leave_namespace()
    except (OSError, AttributeError):
        os._exit(NO_NAMESPACE)
    child = os.fork()
    if child == 0:
        try:
            furnish()
            os._exit(0)
        finally:
            os._exit(NO_NAMESPACE)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def main(arguments: Sequence[str]) -> None:
    mode = arguments[0]
    if mode == "probe":
        if not ON_LINUX:
            os._exit(NO_NAMESPACE)
        probe()
    lifeline, status, command = int(arguments[1]), int(arguments[2]), arguments[3:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for descriptor in (lifeline, status):
        if descriptor >= 0:
            os.set_inheritable(descriptor, False)
    keep(mode, lifeline, status, command)


if __name__ == "__main__":
    main(sys.argv[1:])
