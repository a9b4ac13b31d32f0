"""Keepers of solver processes: how a process ended is told, and nothing below it outlives it or the runner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from bench.runner.control_group import ControlGroup
from bench.runner.keeper import NO_NAMESPACE
from bench.runner.launching import isolation, keeper_command, with_our_code
from bench.runner.process_tree import ProcessTree
from bench.runner.processes import (
    _scanned_children,
    children,
    descendants,
    is_zombie,
    own_cpu_seconds,
    waited_cpu_seconds,
)
from bench.runner.supervisor import Death, Supervisor

SUPPORT = Path(__file__).parent.parent / "support"
MODES = [
    "tree",
    pytest.param("namespace", marks=pytest.mark.skipif(isolation() == "tree", reason="no namespaces here")),
]


def wait_for(condition: object, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:  # type: ignore[operator]
        time.sleep(0.01)
    return bool(condition())  # type: ignore[operator]


def family(worker: Supervisor) -> list[int]:
    return descendants(worker._keeper.pid)


def start(mode: str, monkeypatch: pytest.MonkeyPatch, what: str) -> Supervisor:
    """A process that does something odd as soon as it is asked."""
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("DUALBENCH_TEST_CODE", what)
    return Supervisor(threading.Event(), "obedient_worker", mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("os._exit(7)", "exit code 7"),
        ("os.abort()", "signal SIGABRT"),
        ("os.kill(os.getpid(), 9)", "signal SIGKILL"),
        ("os.kill(os.getpid(), 15)", "signal SIGTERM"),
        ("os._exit(0)", "exit code 0"),
    ],
)
def test_how_a_process_ended_is_told(mode: str, code: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = start(mode, monkeypatch, code)
    death = worker.ask("warm up", {}, "warm", 20.0)
    worker.close()
    assert isinstance(death, Death)
    assert (death.kind, death.message) == ("crash", why)


@pytest.mark.parametrize("mode", MODES)
def test_everything_below_ends_with_its_worker(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = "subprocess.run(['setsid', '--fork', 'sleep', '642'], env={}); subprocess.Popen(['sleep', '642'])"
    worker = start(mode, monkeypatch, f"{chain}; time.sleep(600)")
    worker.ask("warm up", {}, "warm", 0.5)
    worker.close()
    assert wait_for(lambda: not sleepers("642"))


def sleepers(seconds: str) -> list[psutil.Process]:
    found = psutil.process_iter(["cmdline"])
    return [process for process in found if (process.info["cmdline"] or []) == ["sleep", seconds]]


@pytest.mark.parametrize("mode", MODES)
def test_closing_a_supervisor_leaves_nothing(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = start(mode, monkeypatch, "time.sleep(600)")
    members = family(worker)
    assert members
    worker.close()
    worker.close()  # once more does no harm
    assert wait_for(lambda: all(map(is_zombie, members)))


def test_nothing_outlives_a_killed_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lifeline is cut whatever ends the runner."""
    code = (
        "import os, sys, threading; from bench.runner.supervisor import Supervisor\n"
        "workers = [Supervisor(threading.Event(), 'obedient_worker', mode=mode) for mode in sys.argv[1:]]\n"
        "print(*[pid for worker in workers for pid in (worker._keeper.pid, worker.tree.root, worker.pid)], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    command = [sys.executable, "-c", code, "tree", *(["namespace"] if isolation() == "namespace" else [])]
    done = subprocess.run(
        command, env=with_our_code(dict(os.environ)), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGKILL
    members = [int(pid) for pid in done.stdout.split()]
    assert len(members) >= 3
    assert wait_for(lambda: all(map(is_zombie, members)))


@pytest.mark.parametrize("mode", MODES)
def test_a_signal_to_the_keeper_is_ignored(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = start(mode, monkeypatch, "")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        worker._keeper.send_signal(number)
    assert worker.ask("warm up", {}, "warm", 20.0) == {}
    worker.close()


def test_a_probe_says_whether_namespaces_can_be_had() -> None:
    done = subprocess.run(keeper_command("probe"), env=with_our_code(dict(os.environ)), check=False)
    assert done.returncode == {"namespace": 0, "tree": NO_NAMESPACE}[isolation()]


@pytest.mark.skipif(isolation() == "tree", reason="no namespaces here")
def test_a_namespace_has_processes_and_shared_memory_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "assert os.path.exists(f'/proc/{os.getpid()}/stat'); assert os.getppid() == 1; "
        "assert os.listdir('/dev/shm') == []; open('/dev/shm/mine', 'wb').write(bytes(2**24))"
    )
    worker = start("namespace", monkeypatch, code)
    assert worker.ask("warm up", {}, "warm", 20.0) == {}
    assert not os.path.exists("/dev/shm/mine")
    assert worker.tree.shared_memory() >= 2**24
    assert worker.tree.memory() >= 2**24
    worker.close()


@pytest.mark.parametrize("mode", MODES)
def test_cpu_time_of_all_processes_is_seen_from_outside(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the worker, of a child that it waited for, of a child of a child, and of an orphan that ended."""
    spin = "import time; [None for _ in iter(lambda: time.process_time() < 0.1, False)]"
    code = (
        f"spin = {spin!r}; exec(spin); subprocess.run([sys.executable, '-S', '-c', spin]); "
        "subprocess.run(['setsid', '--fork', sys.executable, '-S', '-c', spin]); "
        "time.sleep(0.1)"
    )
    worker = start(mode, monkeypatch, code)
    before = worker.tree.usage()
    assert worker.ask("warm up", {}, "warm", 30.0) == {}
    assert wait_for(lambda: worker.tree.usage().alive == 0)
    after = worker.tree.usage()
    worker.close()
    assert after.worker - before.worker >= 0.09
    assert after.waited - before.waited >= 0.08
    assert after.others - before.others >= 0.08
    assert after.cpu - before.cpu < 3.0


def test_what_processes_share_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four forks of a process of 200 MB use little more than 200 MB."""
    code = "kept = bytearray(b'x') * 200_000_000; [os.fork() or time.sleep(600) for _ in range(4)]; time.sleep(2)"
    worker = start("tree", monkeypatch, code)
    seen: list[int] = []

    def sample() -> bool:
        seen.append(worker.tree.memory(4e8))
        return len(worker.tree.members()) == 5 and len(seen) > 20

    worker._send(b"\x80\x04}.", 5.0)  # an empty request
    assert wait_for(sample)
    worker.close()
    assert 2e8 < max(seen[-10:]) < 4e8


def test_clocks_of_this_process() -> None:
    before = own_cpu_seconds(os.getpid())
    while own_cpu_seconds(os.getpid()) < before + 0.02:
        pass
    assert own_cpu_seconds(os.getpid()) == pytest.approx(time.process_time(), abs=0.05)
    assert own_cpu_seconds(2**22 + 1) == 0.0
    assert waited_cpu_seconds(2**22 + 1) == 0.0
    assert children(2**22 + 1) == []


def test_children_are_found_on_kernels_that_do_not_list_them() -> None:
    process = subprocess.Popen(["sleep", "643"])
    try:
        assert process.pid in _scanned_children(os.getpid())
        assert sorted(_scanned_children(os.getpid())) == sorted(children(os.getpid()))
    finally:
        process.kill()
        process.wait()


def test_a_tree_that_is_gone_uses_nothing() -> None:
    group = ControlGroup()
    tree = ProcessTree(2**22 + 1, 2**22 + 2, False, False, group)
    assert tree.memory() == 0
    assert tree.usage().cpu == 0.0
    assert tree.kill_others() == 0
    group.close()
