"""Solvers that hide what they use are charged all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bench import run
from bench.records.frame import Records
from bench.runner.control_group import counted, hierarchies, sweep
from bench.runner.launching import isolation, with_our_code
from bench.runner.measuring import AGREEMENT, hidden_cpu
from bench.runner.process_tree import Usage
from bench.runner.supervisor import Supervisor

SUPPORT = Path(__file__).parent.parent / "support"
HIDING = SUPPORT / "hiding_solvers.py"
with_cpu_groups = pytest.mark.skipif(
    "CPU time" not in counted(), reason="no control groups that count CPU time can be made here"
)
with_memory_groups = pytest.mark.skipif(
    "memory" not in counted(), reason="no control groups that count memory can be made here"
)
in_a_namespace = pytest.mark.skipif(isolation() == "tree", reason="no namespaces here")


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Records:
    names = ("hides-nothing", "burns-in-a-child", "works-early", "hoards-in-segments", "hoards-in-shared-pages")
    names += ("mounts-memory", "leaves-its-group", "keeps-objects")
    experiment = {
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3]}},
        "repetitions": 2,
        "solvers": [{"name": name} for name in names],
        "limits": {"seconds": 6.0, "memory_gb": 0.6},
    }
    return run(experiment, out=tmp_path_factory.mktemp("hidden") / "run", plugins=[HIDING])


def cell(records: Records, solver: str) -> Any:
    return records[records["solver"] == solver].to_dict("records")[-1]


def test_an_honest_solver_is_charged_nothing_more(hidden: Records) -> None:
    found = cell(hidden, "hides-nothing")
    assert (found["status"], found["message"], found["audit"]) == ("feasible", "", "ok")
    assert found["cpu_seconds"] < 0.1


def test_garbage_collection_is_not_charged(hidden: Records) -> None:
    """Of an honest solver that keeps hundreds of thousands of objects between its cells."""
    assert cell(hidden, "keeps-objects")["message"] == ""


@with_cpu_groups
def test_children_that_nobody_waits_for_are_counted(hidden: Records) -> None:
    assert cell(hidden, "burns-in-a-child")["cpu_seconds"] > 0.55


def test_work_before_the_clock_starts_is_counted(hidden: Records) -> None:
    found = cell(hidden, "works-early")
    assert found["cpu_seconds"] > 0.55
    assert "of CPU before its clock was started" in found["message"]


@with_memory_groups
@pytest.mark.parametrize("solver", ["hoards-in-segments", "hoards-in-shared-pages"])
def test_memory_that_is_in_no_process_is_counted(hidden: Records, solver: str) -> None:
    found = cell(hidden, solver)
    assert found["status"] == "memout"
    assert found["peak_memory_mb"] > 512


@in_a_namespace
def test_segments_end_with_their_namespace(hidden: Records) -> None:
    with open("/proc/sysvipc/shm", encoding="ascii") as file:
        assert not [line for line in file if line.split()[3] == str(2**26)]


@in_a_namespace
@pytest.mark.parametrize("solver", ["mounts-memory", "leaves-its-group"])
def test_a_namespace_cannot_be_changed_from_inside(hidden: Records, solver: str) -> None:
    found = cell(hidden, solver)
    assert (found["status"], found["message"]) == ("feasible", "")


def test_no_group_is_left(hidden: Records) -> None:
    for folder in hierarchies().values():
        assert not [name for name in os.listdir(folder) if name.startswith(f"dualbench-{os.getpid()}-")]


def test_groups_of_dead_runners_are_swept() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    made = [f"{folder}/dualbench-{gone.pid}-0-00" for folder in hierarchies().values()]
    for folder in made:
        os.mkdir(folder)
    sweep.cache_clear()
    sweep()
    assert not [folder for folder in made if os.path.exists(folder)]


def test_a_killed_runner_leaves_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import os, threading; from bench.runner.supervisor import Supervisor\n"
        "workers = [Supervisor(threading.Event(), 'obedient_worker', mode=mode) for mode in ('tree', None)]\n"
        "print(os.getpid(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    done = subprocess.run(
        [sys.executable, "-c", code], env=with_our_code(dict(os.environ)), capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    mine = f"dualbench-{done.stdout.strip()}-"
    deadline = time.monotonic() + 10.0
    while (left := [name for folder in hierarchies().values() for name in os.listdir(folder) if name.startswith(mine)]) and time.monotonic() < deadline:  # fmt: skip
        time.sleep(0.05)
    assert left == []


def test_small_differences_between_clocks_are_not_hidden_time() -> None:
    before = Usage(0.0, 1.0, 0.0, 0.0, 0, 5.0)
    assert hidden_cpu(before, before._replace(group=None), 1.0) == 0.0
    assert hidden_cpu(before, before._replace(group=6.0 + AGREEMENT), 1.0) == 0.0
    assert hidden_cpu(before, before._replace(group=8.0), 1.0) == 2.0


def watched(code: str, monkeypatch: pytest.MonkeyPatch, seconds: float = 60.0) -> tuple[float, float]:
    """CPU and wall seconds that the runner takes to watch a process that runs this code."""
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("DUALBENCH_TEST_CODE", code)
    worker = Supervisor(threading.Event(), "obedient_worker")
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        assert worker.ask("warm up", {}, "warm", seconds, 2.0**34) == {}
        return time.process_time() - cpu, time.perf_counter() - wall
    finally:
        worker.close()


def test_what_is_printed_is_read_at_a_bounded_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that prints for 2 s: the runner reads a megabyte in 20 ms, and no more often."""
    reads = []
    original = Supervisor._read_output
    monkeypatch.setattr(Supervisor, "_read_output", lambda self: reads.append(time.perf_counter()) or original(self))
    _, wall = watched("end = time.time() + 2\nwhile time.time() < end: os.write(1, b'x' * 4096)", monkeypatch)
    assert 10 < len(reads) < 60 * wall


def test_the_runner_looks_less_often_at_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    from bench.runner.process_tree import ProcessTree

    looks = []
    original = ProcessTree._memory_of_processes
    monkeypatch.setattr(
        ProcessTree,
        "_memory_of_processes",
        lambda self, limit: looks.append(len(self.members())) or original(self, limit),
    )
    code = "[os.fork() or (time.sleep(600), os._exit(0)) for _ in range(100)]; time.sleep(2)"
    watched(code, monkeypatch)
    crowded = [members for members in looks if members > 90]
    assert len(crowded) < 20  # of some 40 that fit into the time


def test_a_runner_that_was_stopped_does_not_make_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Z while a solver works: the answer that has come meanwhile counts."""
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("DUALBENCH_TEST_CODE", "time.sleep(0.5)")
    worker = Supervisor(threading.Event(), "obedient_worker")
    listen = worker._listen

    def stopped_once(seconds: float) -> Any:
        worker._listen = listen  # type: ignore[method-assign]
        time.sleep(3.0)
        return None

    monkeypatch.setattr(worker, "_listen", stopped_once)
    try:
        assert worker.ask("warm up", {}, "warm", 2.0) == {}
        assert worker.stopped > 2.5
    finally:
        worker.close()
