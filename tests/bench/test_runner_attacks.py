"""Solvers that attack the runner: one right record each, nothing believed that is not so, nothing left behind."""

from __future__ import annotations

import contextlib
import math
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from bench import run
from bench.records.frame import Records
from bench.runner import supervisor
from bench.runner.job import LIBRARY_SECONDS, warm_up_limits

HOSTILE = Path(__file__).parent.parent / "support" / "hostile_solvers.py"
NO_ANSWER = "it wrote to the runner's connection what is no answer"

# solver -> (status, what the message or the audit says)
EXPECTED = {
    "answers-a-list": ("crash", NO_ANSWER),
    "answers-a-number": ("crash", NO_ANSWER),
    "answers-without-kind": ("crash", NO_ANSWER),
    "forges": ("crash", NO_ANSWER),
    "forges-with-nonce": ("error", "status 'optimal' without a structure"),
    "forges-a-failure": ("error", ""),
    "claims-a-long-answer": ("crash", NO_ANSWER),
    "writes-noise": ("crash", NO_ANSWER),
    "answers-later": ("feasible", "ok"),
    "stops-clocks": ("feasible", "ok"),
    "says-times": ("feasible", "the solver says negative times or none"),
    "returns-a-generator": ("error", "not of generator"),
    "returns-an-endless-tuple": ("memout", "killed at the memory limit"),
    "returns-itself": ("error", "the answer cannot be handed over (RecursionError"),
    "returns-a-huge-number": ("error", "the answer cannot be handed over (ValueError"),
    "returns-an-object": ("error", "not of Odd"),
    "escapes": ("feasible", "1 process left behind and killed"),
    "escapes-and-dies": ("crash", "signal SIGKILL"),
    "escapes-and-hangs": ("timeout", "killed at the time limit"),
    "sets-a-timer": ("feasible", "ok"),
    "sets-a-handler": ("feasible", "ok"),
    "hoards-in-files": ("memout", "killed at the memory limit"),
    "hoards-without-a-name": ("memout", "killed at the memory limit"),
    "harmless": ("feasible", "ok"),
}
IN_A_TREE = ("escapes", "escapes-and-dies", "escapes-and-hangs", "hoards-in-files", "hoards-without-a-name", "harmless")


def experiment(solvers: list[str], **changes: Any) -> dict[str, Any]:
    return {
        "name": "attacks",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3, 4]}},
        "solvers": [{"name": name} for name in solvers],
        "limits": {"seconds": 8.0, "memory_gb": 0.5},  # on a busy machine half a second becomes several
        **changes,
    }


def sleepers() -> list[psutil.Process]:
    """Processes that the hostile solvers start."""
    found = psutil.process_iter(["cmdline"])
    return [process for process in found if (process.info["cmdline"] or []) == ["sleep", "631"]]


def assert_as_expected(records: Records, solver: str) -> None:
    cells = records[records["solver"] == solver]
    assert sorted(cells["instance"]) == ["tiny-3", "tiny-4"]
    status, said = EXPECTED[solver]
    assert set(cells["status"]) == {status}, list(cells["message"])
    for message, audit in zip(cells["message"], cells["audit"], strict=True):
        assert said in f"{message} {audit}"


def assert_nobody_left() -> None:
    deadline = time.monotonic() + 5.0
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers() == []


@pytest.fixture(scope="module")
def attacks(tmp_path_factory: pytest.TempPathFactory) -> Records:
    return run(experiment(list(EXPECTED)), out=tmp_path_factory.mktemp("attacks") / "run", plugins=[HOSTILE])


@pytest.fixture(scope="module")
def attacks_in_a_tree(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The same where the system permits no namespaces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "isolation", lambda: "tree")
        folder = tmp_path_factory.mktemp("tree") / "run"
        return run(experiment(list(IN_A_TREE)), out=folder, plugins=[HOSTILE])


@pytest.mark.parametrize("solver", sorted(EXPECTED))
def test_every_attack_has_one_right_record_per_cell(attacks: Records, solver: str) -> None:
    assert_as_expected(attacks, solver)


@pytest.mark.parametrize("solver", IN_A_TREE)
def test_without_namespaces_too(attacks_in_a_tree: Records, solver: str) -> None:
    assert_as_expected(attacks_in_a_tree, solver)


def test_nothing_escapes(attacks: Records, attacks_in_a_tree: Records) -> None:
    assert_nobody_left()


def test_no_forged_objective_is_recorded(attacks: Records) -> None:
    assert not (attacks["objective"] > 1e6).any()
    assert not (attacks["status"] == "optimal").any()


def test_clocks_are_out_of_the_solvers_reach(attacks: Records) -> None:
    """A solver that spins for 0.2 s with all of Python's clocks stopped is still measured."""
    cells = attacks[attacks["solver"] == "stops-clocks"]
    assert (cells["cpu_seconds"] > 0.15).all()
    assert (cells["wall_seconds"] > 0.19).all()


def test_impossible_times_are_not_recorded(attacks: Records) -> None:
    cells = attacks[attacks["solver"] == "says-times"]
    for name in ("build_seconds", "solve_seconds", "round_seconds"):
        assert cells[name].isna().all()
    assert (cells["cpu_seconds"] >= 0).all()


def test_memory_in_files_is_counted(attacks: Records) -> None:
    hoards = attacks[attacks["solver"].isin(["hoards-in-files", "hoards-without-a-name"])]
    assert (hoards["peak_memory_mb"] > 512).all()


def test_a_solver_that_kills_its_keeper_ends(tmp_path: Path) -> None:
    """In a namespace the keeper cannot be killed from inside; in a tree it can, and its worker goes with it."""
    for mode, status in (("namespace", "timeout"), ("tree", "crash")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(supervisor, "isolation", lambda mode=mode: mode)
            records = run(experiment(["kills-its-parent", "harmless"]), out=tmp_path / mode, plugins=[HOSTILE])
        found = dict(zip(records["solver"], records["status"], strict=True))
        assert found == {"kills-its-parent": status, "harmless": "feasible"}, list(records["message"])


def test_misbehaving_while_warming_up_costs_no_record(tmp_path: Path) -> None:
    expected = {
        "always-sleeps": "timeout",
        "always-hoards": "memout",
        "always-raises": "error",
        "always-aborts": "crash",
        "always-killed": "crash",
        "harmless": "feasible",
    }
    limits = {"seconds": 2.0, "memory_gb": 0.3}
    records = run(experiment(list(expected), limits=limits), out=tmp_path / "run", plugins=[HOSTILE])
    assert len(records) == 12
    for solver, status in expected.items():
        assert list(records[records["solver"] == solver]["status"]) == [status] * 2


def test_a_warm_up_gets_the_limit_of_a_cell_and_what_a_library_needs() -> None:
    from bench.experiments.experiment import Limits
    from bench.experiments.plugins import load_plugin

    load_plugin(HOSTILE)
    assert warm_up_limits("harmless", Limits(seconds=3.0)) == (LIBRARY_SECONDS, 3.5)
    assert warm_up_limits("harmless", Limits(seconds=60.0)) == (60.5, 60.5)
    assert warm_up_limits("harmless", Limits(seconds=3.0, warmup_seconds=7.0)) == (7.0, None)
    assert warm_up_limits("ad3", Limits(seconds=3.0))[0] > 300


def test_an_answer_that_takes_too_long_to_check_is_an_error(tmp_path: Path) -> None:
    """The task's own check hangs: the checker is replaced and the run goes on."""
    plugin = tmp_path / "slow_task.py"
    plugin.write_text(
        "import time\n"
        "from problems.extraction.task import ExtractionTask\n\n"
        "class Slow(ExtractionTask):\n"
        "    name = 'slow'\n"
        "    def evaluate(self, instance, structure):\n"
        "        if instance.name == 'tiny-3':\n"
        "            time.sleep(600)\n"
        "        return super().evaluate(instance, structure)\n"
    )
    limits = {"seconds": 5.0, "memory_gb": 1.0, "check_seconds": 0.5}
    given = experiment(["ilp-highs"], task="slow", limits=limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bench.runner.judge.IMPORT_SECONDS", 5.0)
        records = run(given, out=tmp_path / "run", plugins=[plugin])
    found = dict(zip(records["instance"], records["status"], strict=True))
    assert found["tiny-3"] == "error"
    assert found["tiny-4"] == "optimal"
    assert "the structure could not be checked (not within" in records.iloc[0]["message"]
    assert math.isfinite(records.iloc[0]["cpu_seconds"])


def test_a_checker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """Whoever ends it between two answers: the next answer is judged by another one."""
    killed = []

    def kill_checkers(cell: Any, record: Any) -> None:
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if process.cmdline()[-2:-1] == ["bench.runner.checker"]:
                    process.kill()
                    killed.append(process.pid)

    records = run(
        experiment(["harmless"], repetitions=3), out=tmp_path / "run", plugins=[HOSTILE], observe=kill_checkers
    )
    assert len(killed) >= 5
    assert (records["status"] == "feasible").all(), list(records["message"])


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(20))
def test_ten_kinds_of_misbehaviour_again_and_again(tmp_path: Path, attempt: int) -> None:
    kinds = [
        *("answers-a-list", "forges-with-nonce", "writes-noise", "answers-later", "stops-clocks"),
        *("returns-a-generator", "escapes", "escapes-and-dies", "sets-a-timer", "hoards-in-files"),
    ]
    patient = {"seconds": 40.0, "memory_gb": 0.5}  # no kind waits for the limit, however busy the machine is
    plan = experiment([*kinds, "harmless"], limits=patient)
    records = run(plan, out=tmp_path / "run", plugins=[HOSTILE], jobs=1 + attempt % 2)
    assert len(records) == 2 * (len(kinds) + 1)
    for solver in (*kinds, "harmless"):
        assert_as_expected(records, solver)
    assert_nobody_left()
