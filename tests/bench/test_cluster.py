"""Cells on a Dask cluster: the same records as on one machine, nothing lost with a worker, and clear refusals."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from certificates import write
from made_records import same_cells

from bench import load_run, run
from bench.experiments.plan import Cell
from bench.records.log import PROVENANCE, RECORDS, TRACES, read_lines
from bench.runner.cluster.client import CONNECT_SECONDS
from bench.runner.cluster.local import LocalCluster
from bench.runner.cluster.node import allowed_memory
from bench.runner.cluster.nodes import Batches, Nodes
from bench.runner.processes import children, descendants, is_zombie
from bench.studies.soak_watch import processes_with
from problems.errors import InputError

distributed = pytest.importorskip("distributed")

SUPPORT = Path(__file__).parent.parent / "support"
FAULTY, KILLERS = SUPPORT / "faulty_solvers.py", SUPPORT / "node_killers.py"
NAPPING = SUPPORT / "decoding_solvers.py"


def experiment(*solvers: Any, **changes: Any) -> dict[str, Any]:
    return {
        "name": "small",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3, 4]}},
        "solvers": [{"name": name} if isinstance(name, str) else name for name in solvers],
        "limits": {"seconds": 20.0, "memory_gb": 4.0},
        **changes,
    }


def lines(folder: Path) -> list[dict[str, Any]]:
    return list(read_lines(folder / RECORDS))


def read_traces(folder: Path) -> dict[str, int]:
    """How many points the trace of each cell has."""
    return {trace["key"]: len(trace["points"]) for trace in read_lines(folder / TRACES)}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    made = LocalCluster(2)
    yield made
    below = descendants(made.pid)
    made.close()
    assert not left_after(below, 20.0)


@pytest.fixture(scope="module")
def certificates(cluster: LocalCluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with which others than its starter reach the cluster."""
    return write(cluster.credentials, tmp_path_factory.mktemp("certificates"))


def left_after(pids: list[int], seconds: float) -> list[int]:
    """Which of these processes still run when they have had that long to end."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if not is_zombie(pid)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
@pytest.mark.parametrize(
    ("solvers", "many"),
    [
        (("good", "aborts", "missing"), 6),
        pytest.param(("ilp-highs", "ad3", "greedy", "raises"), 12, marks=pytest.mark.slow),
    ],
)
def test_the_records_are_those_of_the_local_executor(
    cluster: LocalCluster, certificates: Path, tmp_path: Path, solvers: tuple[str, ...], many: int
) -> None:
    given = experiment(*solvers, trace=True)
    here = run(given, out=tmp_path / "here", plugins=[FAULTY], jobs=2)
    there = run(given, out=tmp_path / "there", plugins=[FAULTY], dask=cluster.address, dask_security=certificates)
    assert len(here) == len(there) == many
    assert same_cells(lines(tmp_path / "here"), lines(tmp_path / "there"))
    assert read_traces(tmp_path / "here") == read_traces(tmp_path / "there")
    assert set(there["attempt"]) == {1}
    assert set(there["slot"]) == {0, 1}
    session = json.loads((tmp_path / "there" / PROVENANCE).read_text())["sessions"][-1]
    assert set(session["nodes"]) == set(there["node"])
    assert all(facts["processor"] for facts in session["nodes"].values())
    assert session["dask"] == cluster.address

    # cells have the same keys wherever they run: nothing is left for the other executor
    before = (tmp_path / "there" / RECORDS).read_bytes()
    run(given, out=tmp_path / "there", plugins=[FAULTY], resume=True)
    assert (tmp_path / "there" / RECORDS).read_bytes() == before


@pytest.mark.parametrize(
    ("times", "status", "message"),
    [(1, "feasible", ""), pytest.param(2, "crash", "lost 2 times: ", marks=pytest.mark.slow)],
)
def test_a_killed_worker_loses_nothing(
    cluster: LocalCluster, certificates: Path, tmp_path: Path, times: int, status: str, message: str
) -> None:
    tally = tmp_path / "tally"
    tally.mkdir()
    killer = {"name": "kills-its-node", "tally": str(tally), "times": times}
    limits = {"seconds": 60.0, "memory_gb": 4.0}
    given = experiment("good", killer, instances={"generate": {"size": "tiny", "seeds": [3]}}, limits=limits)
    executioner = threading.Thread(target=kill_nodes_of, args=(cluster, tally, times), daemon=True)
    executioner.start()
    found = run(
        given, out=tmp_path / "run", plugins=[FAULTY, KILLERS], dask=cluster.address, dask_security=certificates
    )
    executioner.join(60.0)
    assert len(found) == len(set(found["key"])) == 2
    lost = found[found["label"] == "kills-its-node"].iloc[0]
    assert (lost["status"], lost["attempt"]) == (status, 2)
    assert lost["message"].startswith(message)
    assert "was lost (its Dask worker is gone)" in lost["rerun_because"]
    good = found[found["label"] == "good"].iloc[0]
    assert (good["status"], good["attempt"]) == ("feasible", 1)


def kill_nodes_of(cluster: LocalCluster, tally: Path, times: int) -> None:
    """Kill the Dask workers below which a process holds a file of a folder open, so many of them.

    A worker that was killed may be seen once more before it is gone: it counts once.
    """
    deadline = time.monotonic() + 300.0
    killed: set[int] = set()
    while len(killed) < times and time.monotonic() < deadline:
        time.sleep(0.05)
        for node in children(cluster.pid):
            if node not in killed and any(holds_a_file_of(tally, pid) for pid in descendants(node)):
                os.kill(node, signal.SIGKILL)
                killed.add(node)


def holds_a_file_of(folder: Path, pid: int) -> bool:
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{name}").startswith(f"{folder}/"):
                    return True
    return False


@pytest.mark.slow
def test_twenty_killed_workers_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask workers die of `kill -9` at any moment: one record per cell, none twice, and no process is left."""
    monkeypatch.setenv("DUALBENCH_TEST_OF", str(tmp_path))  # inherited by everything below
    monkeypatch.setattr("bench.runner.cluster.session.PATIENCE_SECONDS", 600.0)  # a busy machine starts workers slowly
    rng, killed = random.Random(16), list[int]()
    with contextlib.closing(LocalCluster(2)) as cluster:
        certificates = write(cluster.credentials, tmp_path)

        def kill_some(cell: Cell, record: dict[str, Any]) -> None:
            if rng.random() < 0.5 and len(killed) < 20:
                workers = [pid for pid in dask_workers(cluster) if pid not in killed]
                if workers:
                    killed.append(rng.choice(workers))
                    time.sleep(rng.random() * 0.2)  # the other lane goes on meanwhile
                    os.kill(killed[-1], signal.SIGKILL)

        solver = {"name": "obedient", "seconds": 0.15}
        given = experiment(solver, repetitions=60)
        where = {"dask": cluster.address, "dask_security": certificates}
        found = run(given, out=tmp_path / "run", plugins=[NAPPING], observe=kill_some, **where)
        assert len(killed) == len(set(killed)) == 20
    keys = [record["key"] for record in lines(tmp_path / "run")]
    assert len(keys) == len(set(keys)) == len(found) == 120
    assert sorted(zip(found["instance"], found["repetition"], strict=True)) == [
        (name, repetition) for name in sorted(set(found["instance"])) for repetition in sorted(set(found["repetition"]))
    ]
    lost = found[found["status"] != "feasible"]
    assert set(lost["status"]) <= {"crash"}
    assert all(message.startswith("lost 2 times: ") for message in lost["message"])
    assert set(found["attempt"]) == {1, 2}
    assert not left_after(processes_with("DUALBENCH_TEST_OF", str(tmp_path)), 20.0)


def dask_workers(cluster: LocalCluster) -> list[int]:
    """The processes of a cluster's workers that run cells. (Dask does not replace one that dies while it starts.)"""
    found = []
    for pid in children(cluster.pid):
        with contextlib.suppress(OSError):
            if b"spawn_main" in command_of(pid) and any(runs_cells(child) for child in children(pid)):
                found.append(pid)
    return found


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def runs_cells(pid: int) -> bool:
    """Is it the keeper of a worker? A Dask worker that is starting only asks one whether there are namespaces."""
    return b"bench.runner.keeper" in command_of(pid) and b"probe" not in command_of(pid)


@pytest.mark.slow
def test_nothing_of_a_run_is_left_on_its_nodes(cluster: LocalCluster, certificates: Path, tmp_path: Path) -> None:
    run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask=cluster.address, dask_security=certificates)
    deadline = time.monotonic() + 10
    while (left := solver_processes(cluster)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def solver_processes(cluster: LocalCluster) -> list[str]:
    commands = []
    for pid in descendants(cluster.pid):
        try:
            commands.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [command for command in commands if "bench.runner.worker" in command or "bench.runner.keeper" in command]


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command line on an experiment in which one solver sleeps."""
    (folder / "small.toml").write_text(
        'name = "small"\ntask = "extraction"\n[instances]\ngenerate = { size = "tiny", seeds = [3, 4] }\n'
        '[limits]\nseconds = 300\nmemory_gb = 4\n[[solvers]]\nname = "good"\n[[solvers]]\nname = "sleeps"\n'
    )
    command = [sys.executable, "-m", "bench.cli", "run", str(folder / "small.toml"), "--plugin", str(FAULTY)]
    command += ["--out", str(folder / "run"), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_interruption_stops_the_cells_on_the_nodes(cluster: LocalCluster, certificates: Path, tmp_path: Path) -> None:
    process = start(tmp_path, "--dask", cluster.address, "--dask-security", str(certificates))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (
        (tmp_path / "run" / RECORDS).exists() and (tmp_path / "run" / RECORDS).read_bytes().count(b"\n")
    ):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert "--resume" in printed
    assert {record["label"] for record in lines(tmp_path / "run")} == {"good"}
    while (left := solver_processes(cluster)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


@pytest.mark.slow
def test_a_killed_runner_takes_its_local_cluster_with_it(tmp_path: Path) -> None:
    process = start(tmp_path, "--dask", "local:2")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (
        (tmp_path / "run" / RECORDS).exists() and (tmp_path / "run" / RECORDS).read_bytes().count(b"\n")
    ):
        time.sleep(0.1)
    below = descendants(process.pid)
    process.kill()
    process.wait()
    assert not left_after(below, 30.0)


# -- refusals ------------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("where", ["here", "local:0", "local:x", "local:999", "tcp://", "tcp://host", "http://host:80"])
def test_what_is_no_address_is_refused(tmp_path: Path, where: str) -> None:
    with pytest.raises(InputError, match=r"option '--dask' must be local:N"):
        run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask=where)


def test_an_unreachable_scheduler_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CONNECT_SECONDS <= 10
    monkeypatch.setattr("bench.runner.cluster.client.CONNECT_SECONDS", 1.0)
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(InputError, match=rf"^no Dask scheduler answers at {address} \(.*\)\.$"):
        run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask=address)
    assert not (tmp_path / "run").exists()


def test_jobs_and_dask_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot stand together"):
        run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask="local:1", jobs=2)


def test_a_missing_package_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'dualbench\[dask\]'"):
        run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask="local:1")


@pytest.mark.parametrize(("workers", "sentence"), [(1, "has no resource 'core'"), (0, "has no workers")])
def test_a_cluster_that_would_never_run_a_cell_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int, sentence: str
) -> None:
    monkeypatch.setattr("bench.runner.cluster.executor.NODES_SECONDS", 1.0)
    options = {"processes": False, "protocol": "tcp://", "dashboard_address": "127.0.0.1:0", "threads_per_worker": 1}
    with distributed.LocalCluster(n_workers=workers, **options) as made, pytest.raises(InputError, match=sentence):
        run(experiment("good"), out=tmp_path / "run", plugins=[FAULTY], dask=made.scheduler_address)


# -- batches -------------------------------------------------------------------------------------------------------


def test_only_cells_of_solvers_that_have_been_fast_travel_together() -> None:
    cells = list("fffffsffuff")  # fast, slow and unknown ones
    made: Any = [(SimpleNamespace(solver=SimpleNamespace(label=label)), b"") for label in cells]
    queue = iter(made)
    batches = Batches(lambda: next(queue, None))
    for seconds in (0.01, 0.05):
        batches.learn({"label": "f", "wall_seconds": seconds, "status": "optimal"})
    batches.learn({"label": "s", "wall_seconds": 60.0, "status": "optimal"})
    taken = []
    while batch := batches.take():
        taken.append("".join(flight.cell.solver.label for flight in batch))
    assert taken == ["ffff", "f", "s", "ff", "u", "ff"]
    assert batches.exhausted
    batches.learn({"label": "f", "wall_seconds": None, "status": "crash"})
    queue = iter(made)
    batches.exhausted = False
    assert len(batches.take()) == 1  # the next one may need a new process


# -- nodes ---------------------------------------------------------------------------------------------------------


def facts(**changes: Any) -> dict[str, Any]:
    usual = {"token": "t", "node": "n", "system": "s", "cpus": [0, 1, 2, 3], "threads": 2, "cores": 2}
    return {**usual, "memory_gb": 8.0, "code": "c", "machine": {}, **changes}


def test_workers_on_one_machine_never_share_a_core() -> None:
    nodes = Nodes("c")
    for number in range(3):
        nodes.add(f"tcp://{number}", facts(node=f"container-{number}"))
    assert [lane.cores for lane in nodes.lanes] == [(0,), (1,), (2,), (3,)]
    assert "other workers on container-2 have them all" in nodes.refused["tcp://2"]
    assert [nodes.place(lane).jobs for lane in nodes.lanes] == [4] * 4
    assert nodes.memory_gb == 2.0
    nodes.remove("tcp://0")
    nodes.add("tcp://3", facts(threads=1))
    assert [(lane.slot, lane.cores) for lane in nodes.lanes] == [(2, (2,)), (3, (3,)), (0, (0,))]


def test_other_machines_have_cores_of_their_own() -> None:
    nodes = Nodes("c")
    nodes.add("tcp://1", facts(system="one"))
    nodes.add("tcp://2", facts(system="two", cpus=[0], cores=1))
    assert [lane.cores for lane in nodes.lanes] == [(0,), (1,), (0,)]
    assert [lane.slot for lane in nodes.lanes] == [0, 1, 2]
    assert nodes.memory_gb == 4.0


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (facts(code="other"), "has other sources of dualbench"),
        (facts(cores=0), "has no resource 'core'"),
        (Exception("ModuleNotFoundError(\"No module named 'bench'\")"), "cannot import this version of dualbench"),
        (OSError("gone"), "does not answer"),
    ],
)
def test_workers_that_cannot_be_used(said: Any, sentence: str) -> None:
    nodes = Nodes("c")
    assert nodes.add("tcp://1", said) is None
    assert sentence in nodes.refused["tcp://1"]
    assert not nodes.lanes


@pytest.mark.parametrize(
    ("groups", "files", "allowed"),
    [
        ("0::/job/step\n", {"job/step/memory.max": "max", "job/memory.max": "4096", "memory.max": "9999"}, 4096.0),
        ("2:cpu:/x\n1:memory:/job\n", {"memory/job/memory.limit_in_bytes": "77", "x/memory.max": "1"}, 77.0),
        ("0::/\n", {}, math.inf),
    ],
)
def test_a_batch_systems_memory_limit_is_seen(
    tmp_path: Path, groups: str, files: dict[str, str], allowed: float
) -> None:
    (tmp_path / "cgroup").write_text(groups)
    for name, text in files.items():
        path = tmp_path / "sys" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    assert allowed_memory(tmp_path / "cgroup", tmp_path / "sys") == allowed


def test_merged_runs_of_two_machines_are_not_put_side_by_side(tmp_path: Path) -> None:
    from bench.output.run_tables import run_table

    given = experiment("good", instances={"generate": {"size": "tiny", "seeds": [3]}})
    run(given, out=tmp_path / "run", plugins=[FAULTY])
    path = tmp_path / "run" / PROVENANCE
    provenance = json.loads(path.read_text())
    node = next(iter(provenance["sessions"][0]["nodes"]))
    run_table(load_run(tmp_path / "run"))
    again = {**provenance["sessions"][0], "nodes": {node: {"processor": "Another 9000"}}}
    provenance["sessions"].append({**again, "cells": 0})  # a session that ran nothing has no times
    path.write_text(json.dumps(provenance))
    run_table(load_run(tmp_path / "run"))
    provenance["sessions"].append(again)
    path.write_text(json.dumps(provenance))
    with pytest.raises(InputError, match=r"several machines \(.*Another 9000\).*--mix-machines"):
        run_table(load_run(tmp_path / "run"))
    mixed = run_table(load_run(tmp_path / "run"), mix_nodes=True)
    assert any("Another 9000" in note for note in mixed.notes)
