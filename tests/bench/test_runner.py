"""The runner on good solvers: exactly one record per cell, resuming, limits, determinism, jobs, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_records import same_cells

from bench import load_run, run
from bench.experiments.experiment import Limits
from bench.experiments.plan import is_settled
from bench.records.fields import FIELDS
from bench.records.log import RECORDS, read_lines
from bench.runner.runner import _Signals, prepare
from bench.runner.solver_versions import planned
from problems import get_task
from problems.errors import InputError
from solvers import get_solver

FAULTY = Path(__file__).parent.parent / "support" / "faulty_solvers.py"


def experiment(**changes: Any) -> dict[str, Any]:
    return {
        "name": "small",
        "task": "extraction",
        "repetitions": 2,
        "instances": {"generate": {"size": "tiny", "seeds": [3, 4]}},
        "solvers": [{"name": "ilp-highs"}, {"name": "good"}, {"name": "greedy"}],
        "limits": {"seconds": 20.0, "memory_gb": 4.0},
        **changes,
    }


def run_small(folder: Path, **changes: Any) -> Any:
    options = {name: changes.pop(name) for name in ("resume", "retry", "jobs", "seconds") if name in changes}
    return run(experiment(**changes), out=folder, plugins=[FAULTY], **options)


def lines(folder: Path) -> list[dict[str, Any]]:
    return list(read_lines(folder / RECORDS))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "run"
    run_small(folder)
    return folder


def test_every_cell_has_exactly_one_record_with_every_field(small: Path) -> None:
    found = lines(small)
    cells = {(r["instance"], r["label"], r["repetition"]) for r in found}
    assert len(found) == len(cells) == 2 * 3 * 2
    for record in found:
        assert list(record) == list(FIELDS)
        assert record["audit"] == "ok"
        assert record["cpu_seconds"] >= 0
        assert record["peak_memory_mb"] >= record["base_memory_mb"] > 10


def test_records_say_what_the_solver_returned(small: Path) -> None:
    task = get_task("extraction")
    instance = task.generate(3, "tiny")
    solution = get_solver("ilp-highs").solve(instance)
    (record,) = [r for r in lines(small) if (r["instance"], r["label"], r["repetition"]) == ("tiny-3", "ilp-highs", 0)]
    assert record["objective"] == solution.objective
    assert record["bound"] == solution.bound
    assert record["status"] == solution.status == "optimal"
    assert tuple(record["structure"]) == solution.structure
    assert record["metrics"] == pytest.approx(task.evaluate(instance, solution.structure))
    assert record["options"] == get_solver("ilp-highs").options
    assert record["solver_version"].startswith("HiGHS ")


def test_solvers_take_turns_and_begin_in_turn(small: Path) -> None:
    labels = [record["label"] for record in lines(small)]
    rounds = [labels[start : start + 3] for start in range(0, len(labels), 3)]
    assert all(sorted(one) == ["good", "greedy", "ilp-highs"] for one in rounds)
    assert len({one[0] for one in rounds}) > 1


def test_the_same_seeds_give_the_same_records(small: Path, tmp_path: Path) -> None:
    run_small(tmp_path / "again")
    assert same_cells(lines(small), lines(tmp_path / "again"))


def test_jobs_change_nothing_but_circumstances(small: Path, tmp_path: Path) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    records = run_small(tmp_path / "run", jobs=2)
    assert same_cells(lines(small), lines(tmp_path / "run"))
    assert set(records["slot"]) == {0, 1}
    assert set(records["jobs"]) == {2}


def test_too_many_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'--jobs' must be between 1 and"):
        run_small(tmp_path / "run", jobs=10_000)


def test_provenance_says_where_numbers_come_from(small: Path) -> None:
    provenance = load_run(small).provenance
    assert provenance["solvers"]["ilp-highs"].startswith("HiGHS ")
    assert provenance["seeds"] == [3, 4]
    assert {"numpy", "ortools", "highspy"} <= set(provenance["libraries"])
    assert {"processor", "cores", "memory"} <= set(provenance["machine"])
    (session,) = provenance["sessions"]
    assert session["cells"] == 12
    assert not session["interrupted"]
    assert len(session["load_start"]) == len(session["load_end"]) == 3


def test_a_run_is_not_overwritten(small: Path) -> None:
    before = (small / RECORDS).read_bytes()
    with pytest.raises(InputError, match="holds a run already; add --resume"):
        run_small(small)
    assert (small / RECORDS).read_bytes() == before


def test_resuming_a_complete_run_runs_nothing(small: Path) -> None:
    before = (small / RECORDS).read_bytes()
    run_small(small, resume=True)
    assert (small / RECORDS).read_bytes() == before
    assert [session["cells"] for session in load_run(small).provenance["sessions"]] == [12, 0]


def test_resuming_runs_only_what_is_missing(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    half = (small / RECORDS).read_bytes().splitlines(keepends=True)[:5]
    (folder / RECORDS).write_bytes(b"".join(half) + b'{"key": "torn')
    run_small(folder, resume=True)
    assert (folder / RECORDS).read_bytes().splitlines(keepends=True)[:5] == half
    assert same_cells(lines(folder), lines(small))
    assert len(lines(folder)) == 12


def test_more_instances_and_changed_options_are_new_cells(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / RECORDS).write_bytes((small / RECORDS).read_bytes())
    changed = [{"name": "ilp-highs", "seed": 1}, {"name": "good"}, {"name": "greedy"}]
    records = run_small(
        folder, resume=True, solvers=changed, instances={"generate": {"size": "tiny", "seeds": [3, 4, 5]}}
    )
    assert len(lines(folder)) == 12 + 4 + 6
    assert len(records) == 3 * 3 * 2  # the old option's cells are not asked for any more


def test_raised_limits_run_again_only_what_hit_them(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    solvers = [{"name": "sleeps"}, {"name": "good"}]
    limits = {"seconds": 0.3, "memory_gb": 4.0}
    run_small(folder, solvers=solvers, limits=limits, repetitions=1)
    assert len(lines(folder)) == 4
    run_small(folder, solvers=solvers, limits=limits, repetitions=1, resume=True)
    assert len(lines(folder)) == 4
    records = run_small(folder, solvers=solvers, limits=limits, repetitions=1, resume=True, seconds=0.6)
    assert [record["label"] for record in lines(folder)[4:]] == ["sleeps", "sleeps"]
    assert len(records) == 4
    assert set(records[records["label"] == "sleeps"]["wall_seconds"] > 0.6) == {True}


RECORD = {**FIELDS, "limits": {"seconds": 10.0, "memory_gb": 2.0}, "wall_seconds": 5.0, "peak_memory_mb": 500.0}


@pytest.mark.parametrize(
    ("record", "limits", "settled"),
    [
        ({"status": "optimal"}, {}, True),
        ({"status": "optimal"}, {"seconds": 100.0}, True),
        ({"status": "optimal"}, {"seconds": 2.0}, False),  # it would not have ended in time
        ({"status": "optimal"}, {"memory_gb": 0.25}, False),
        ({"status": "timeout", "limit_hit": "time"}, {}, True),
        ({"status": "timeout", "limit_hit": "time"}, {"seconds": 11.0}, False),
        ({"status": "timeout", "limit_hit": "time"}, {"seconds": 2.0}, True),
        ({"status": "feasible", "limit_hit": "time"}, {"seconds": 11.0}, False),
        ({"status": "memout", "limit_hit": "memory"}, {"seconds": 11.0}, True),
        ({"status": "memout", "limit_hit": "memory"}, {"memory_gb": 3.0}, False),
        ({"status": "crash"}, {"seconds": 99.0, "memory_gb": 9.0}, True),
    ],
)
def test_when_a_record_holds_under_other_limits(
    record: dict[str, Any], limits: dict[str, float], settled: bool
) -> None:
    given = replace(Limits(seconds=10.0, memory_gb=2.0), **limits)
    assert is_settled({**RECORD, **record}, given) is settled


def test_retrying_runs_failures_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    solvers = [{"name": "raises"}, {"name": "good"}]
    run_small(folder, solvers=solvers, repetitions=1)
    run_small(folder, solvers=solvers, repetitions=1, resume=True, retry=True)
    assert [record["label"] for record in lines(folder)[4:]] == ["raises", "raises"]


def test_keys_depend_on_everything_that_matters(tmp_path: Path) -> None:
    def keys(**changes: Any) -> set[str]:
        return {cell.key for cell in planned(prepare(experiment(**changes), plugins=[FAULTY]))}

    one = [{"name": "ilp-highs"}]
    base = keys(solvers=one)
    assert len(base) == 4
    assert keys(solvers=one, limits={"seconds": 5.0}) == base
    assert keys(solvers=one, repetitions=3) > base
    assert keys(solvers=one, name="another") == base
    assert keys(solvers=[{"name": "ilp-highs", "seed": 0}]) == base  # the default, said aloud
    for changes in (
        {"solvers": [{"name": "ilp-highs", "seed": 2}]},
        {"solvers": [{"name": "ilp-cpsat"}]},
        {"instances": {"generate": {"size": "tiny", "seeds": [5, 6]}}},
    ):
        assert not keys(**{"solvers": one, **changes}) & base


def test_a_new_version_of_a_solver_is_a_new_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    given = experiment(solvers=[{"name": "ilp-highs"}])
    before = {cell.key for cell in planned(prepare(given))}
    monkeypatch.setattr("solvers.linear.highs.HighsInteger.version", classmethod(lambda cls: "HiGHS 99"))
    assert not before & {cell.key for cell in planned(prepare(given))}


def test_traced_repetitions_come_last_and_only_from_solvers_that_can(tmp_path: Path) -> None:
    solvers = [{"name": "ilp-highs"}, {"name": "greedy"}]
    records = run_small(tmp_path / "run", trace=True, repetitions=1, solvers=solvers)
    traced = records[records["traced"]]
    assert sorted(traced["label"]) == ["ilp-highs", "ilp-highs"]
    assert set(traced["repetition"]) == {1}
    assert set(records.traces["key"]) == set(traced["key"])
    last = records.traces.groupby("key")["bound"].last()
    assert last.to_dict() == pytest.approx(dict(zip(traced["key"], traced["bound"], strict=True)))


def test_bare_graphs_run_too(tmp_path: Path) -> None:
    (tmp_path / "model.fg").write_text("3\n1\n0.5\n0.25\n-1\nXOR 2 1 2\n")
    given = experiment(
        task="graph", instances={"load": str(tmp_path / "*.fg")}, solvers=[{"name": "ad3"}, {"name": "ilp-highs"}]
    )
    records = run(given, out=tmp_path / "run")
    assert set(records["status"]) == {"optimal"}
    assert set(records["objective"]) == {0.5}


def test_generated_graphs_run_too(tmp_path: Path) -> None:
    instances = {"generate": {"size": "grid-1000", "count": 2, "seed": 3}}
    records = run(experiment(task="graph", instances=instances, solvers=[{"name": "ad3"}]), out=tmp_path / "run")
    assert set(records["instance"]) == {"grid-1000-3", "grid-1000-4"}
    assert set(records["size"]) == {"grid-1000"}
    assert set(records["instance_size"]) == {32 * 32}
    assert set(records["audit"]) == {"ok"}


def test_folders_that_cannot_be_written_are_refused_before_solving(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        run_small(tmp_path / "file" / "run")
    with pytest.raises(InputError, match="cannot be written"):
        run_small(Path("/proc/no/such/run"))


def test_a_disk_that_fills_up_stops_the_run_and_keeps_what_was_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = os.fsync, 0

    def fills_up(descriptor: int) -> None:
        nonlocal count
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith(RECORDS):
            count += 1
            if count > 4:
                raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fills_up)
    with pytest.raises(
        InputError, match=r"cannot be written \(No space left on device\); everything recorded before is kept"
    ):
        run_small(tmp_path / "run")
    assert len(lines(tmp_path / "run")) == 4
    monkeypatch.undo()
    assert len(run_small(tmp_path / "run", resume=True)) == 12


def test_one_folder_has_one_writer(tmp_path: Path) -> None:
    from bench.records.run_folder import RunFolder

    with RunFolder(tmp_path, resume=False), pytest.raises(InputError, match="another run is being written there"):
        run_small(tmp_path)


def test_the_same_instance_is_run_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.fg").write_text("3\n1\n0.5\n0.25\n-1\nXOR 2 1 2\n")
    given = experiment(
        task="graph", instances={"load": str(tmp_path / "*.fg")}, solvers=[{"name": "ilp-highs"}], repetitions=1
    )
    assert list(run(given, out=tmp_path / "run")["instance"]) == ["one"]


def test_another_experiment_does_not_go_on_with_a_run(small: Path) -> None:
    before = (small / RECORDS).read_bytes()
    with pytest.raises(InputError, match="holds a run whose name is 'small', not 'other'"):
        run_small(small, resume=True, name="other")
    assert (small / RECORDS).read_bytes() == before
    assert load_run(small).experiment["name"] == "small"


def test_a_deleted_folder_stops_the_run(tmp_path: Path) -> None:
    import shutil

    def delete(cell: Any, record: Any) -> None:
        shutil.rmtree(tmp_path / "run")

    with pytest.raises(InputError, match="was deleted during the run"):
        run(experiment(), out=tmp_path / "run", plugins=[FAULTY], observe=delete)


def test_an_edited_plugin_stops_the_run(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(FAULTY.read_text())

    def edit(cell: Any, record: Any) -> None:
        plugin.write_text(FAULTY.read_text() + "\n# changed\n")

    given = experiment(solvers=[{"name": "killed"}], repetitions=1)
    with pytest.raises(InputError, match="the plug-in changed while the experiment ran"):
        run(given, out=tmp_path / "run", plugins=[plugin], observe=edit)
    assert len(lines(tmp_path / "run")) == 1


def test_folders_named_like_our_packages_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bench", "problems", "solvers"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong code')")
    monkeypatch.chdir(tmp_path)
    assert set(run_small(tmp_path / "run", repetitions=1)["status"]) == {"optimal", "feasible"}


@pytest.mark.parametrize("limits", [{"seconds": 0.0}, {"seconds": float("nan")}, {"memory_gb": -1.0}])
def test_impossible_limits_are_refused(tmp_path: Path, limits: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be a finite number above 0"):
        run(experiment(), out=tmp_path / "run", plugins=[FAULTY], **limits)


def start(tmp_path: Path, *arguments: str, **changes: Any) -> subprocess.Popen[str]:
    """The command line on a small experiment."""
    text = [
        "\n".join(
            f"{key} = {json.dumps(value)}"
            for key, value in experiment(**changes).items()
            if not isinstance(value, (dict, list))
        )
    ]
    text.append('[instances]\ngenerate = { size = "tiny", seeds = [3, 4] }\n[limits]\nseconds = 20\nmemory_gb = 4')
    text += [f"[[solvers]]\nname = {solver['name']!r}" for solver in experiment(**changes)["solvers"]]
    (tmp_path / "small.toml").write_text("\n".join(text))
    command = [sys.executable, "-m", "bench.cli", "run", str(tmp_path / "small.toml"), "--plugin", str(FAULTY)]
    command += ["--out", str(tmp_path / "run"), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def recorded(folder: Path) -> int:
    path = folder / RECORDS
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interruption_keeps_records_and_says_how_to_resume(small: Path, tmp_path: Path, number: signal.Signals) -> None:
    solvers = [{"name": "good"}, {"name": "sleeps"}]
    process = start(tmp_path, solvers=solvers)
    deadline = time.monotonic() + 60
    while recorded(tmp_path / "run") < 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert f"--out {tmp_path / 'run'} --resume" in printed
    assert {record["label"] for record in lines(tmp_path / "run")} == {"good"}
    provenance = json.loads((tmp_path / "run" / "provenance.json").read_text())
    assert provenance["sessions"][-1]["interrupted"] is True


def test_a_run_that_shall_outlive_its_terminal_does() -> None:
    """`nohup` has the signal ignored, and so it stays."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _Signals(threading.Event()):
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


def kill_and_resume(tmp_path: Path, small: Path, moments: list[float]) -> None:
    """Kill the runner without warning at each of these moments, then let it end: the records are those of a quiet run."""
    for moment in moments:
        process = start(tmp_path, "--resume")
        time.sleep(moment)
        process.kill()
        process.communicate()
    process = start(tmp_path, "--resume")
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 0, printed
    found = lines(tmp_path / "run")
    assert len({record["key"] for record in found}) == len(found) == 12
    quiet = [{**record, "experiment": "small"} for record in lines(small)]
    assert same_cells(found, quiet)


def test_a_killed_runner_resumes_to_the_same_records(small: Path, tmp_path: Path) -> None:
    kill_and_resume(tmp_path, small, [1.2, 2.1, 2.9])


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(10))
def test_a_runner_killed_often_resumes_to_the_same_records(small: Path, tmp_path: Path, attempt: int) -> None:
    """Ten times ten: a hundred kills at random moments."""
    import random

    generator = random.Random(attempt)
    kill_and_resume(tmp_path, small, [generator.uniform(0.3, 4.0) for _ in range(10)])


def test_nothing_outlives_a_killed_runner(tmp_path: Path) -> None:
    process = start(tmp_path, solvers=[{"name": "sleeps-in-child"}])
    deadline = time.monotonic() + 60
    while not descendants_named(process.pid, "sleep") and time.monotonic() < deadline:
        time.sleep(0.05)
    family = descendants_named(process.pid, "")
    assert len(family) >= 3  # keeper, worker, sleep
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while any(map(alive, family)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in family if alive(pid)]


def descendants_named(pid: int, name: str) -> list[int]:
    import psutil

    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True) if name in child.name()]
    except psutil.Error:
        return []


def alive(pid: int) -> bool:
    import psutil

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
