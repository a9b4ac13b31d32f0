"""Solvers that go wrong, in real processes: one record each with the right status, others unharmed, nothing left behind."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from bench import run
from bench.records.frame import Records

FAULTY = Path(__file__).parent.parent / "support" / "faulty_solvers.py"
SECONDS = 1.0

# solver -> (status, what the message or the audit says)
EXPECTED = {
    "sleeps": ("timeout", "killed at the time limit"),
    "sleeps-in-child": ("timeout", "killed at the time limit"),
    "ignores-signals": ("timeout", "killed at the time limit"),
    "raises": ("error", "ArithmeticError: the scores are odd"),
    "exits": ("error", "SystemExit: 3"),
    "leaves-at-once": ("crash", "exit code 7"),
    "aborts": ("crash", "signal SIGABRT; it printed: something is badly wrong"),
    "killed": ("crash", "signal SIGKILL"),
    "leaves-a-child": ("feasible", "1 process left behind and killed"),
    "leaves-a-daemon": ("feasible", "1 process left behind and killed"),
    "leaves-a-stranger": ("timeout", "killed at the time limit"),
    "dies-and-leaves-a-daemon": ("crash", "signal SIGKILL"),
    "forks": ("feasible", "left behind and killed"),
    "prints": ("feasible", ""),
    "infeasible-structure": ("error", "the structure is not feasible"),
    "malformed-structure": ("error", "the structure is malformed"),
    "not-a-number": ("error", "the bound is nan"),
    "low-bound": ("feasible", "the bound -1 lies below the objective 0"),
    "liar": ("optimal", "ok"),
    "boaster": ("feasible", "claims the objective 1000000, its structure scores 0"),
    "nothing": ("error", "solve returned NoneType"),
    "forger": ("error", "solve returned dict"),
    "tampers": ("error", "the structure is not feasible"),
    "minimizer": ("error", "the bound is -inf beside a structure"),
    "inflated": ("feasible", "claims optimality, but the bound is 1000"),
    "late": ("feasible", "proved optimal after the time limit"),
    "unprintable": ("error", "is no text"),
    "wordless": ("error", "its message cannot be printed"),
    "counts-far": ("feasible", "the solver says negative times"),
    "babbles": ("timeout", "killed at the time limit"),
    "lingers": ("feasible", ""),
    "odd-options": ("feasible", "ok"),
    "missing": ("skipped", "its licence has expired"),
    "good": ("feasible", ""),
    "ilp-highs": ("optimal", "ok"),
}


def sleepers() -> list[psutil.Process]:
    """Processes that the faulty solvers start."""
    names = {"sleep 600", "sleep 617", "sleep 618", "sleep 619"}
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if " ".join(process.info["cmdline"] or []) in names:
            found.append(process)
    return found


def experiment(solvers: list[str], **changes: Any) -> dict[str, Any]:
    return {
        "name": "faults",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3, 4]}},
        "solvers": [{"name": name} for name in solvers],
        "limits": {"seconds": SECONDS, "memory_gb": 2.0, "warmup_seconds": 60.0},
        **changes,
    }


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = tmp_path_factory.mktemp("faults") / "run"
    return run(experiment(list(EXPECTED)), out=folder, plugins=[FAULTY])


@pytest.mark.parametrize("solver", sorted(EXPECTED))
def test_every_fault_has_one_record_per_cell_with_its_status(faults: Records, solver: str) -> None:
    cells = faults[faults["solver"] == solver]
    assert sorted(cells["instance"]) == ["tiny-3", "tiny-4"]
    status, said = EXPECTED[solver]
    assert set(cells["status"]) == {status}
    for message, audit in zip(cells["message"], cells["audit"], strict=True):
        assert said in f"{message} {audit}"


def test_time_limits_hold_within_a_second(faults: Records) -> None:
    late = faults[faults["status"] == "timeout"]
    assert len(late) == 10
    assert (late["wall_seconds"] >= SECONDS).all()
    assert (late["wall_seconds"] < SECONDS + 1.0).all()
    assert set(late["limit_hit"]) == {"time"}


def test_memory_limits_hold_for_the_process_tree(tmp_path: Path) -> None:
    limits = {"seconds": 60.0, "memory_gb": 0.5}
    solvers = ["allocates", "allocates-in-child", "good"]
    records = run(experiment(solvers, limits=limits), out=tmp_path / "run", plugins=[FAULTY])
    big = records[records["solver"] != "good"]
    assert list(big["status"]) == ["memout"] * 4
    assert (big["peak_memory_mb"] > 512).all()
    assert (big["peak_memory_mb"] < 2048).all()
    assert set(big["limit_hit"]) == {"memory"}
    assert set(big["message"]) == {"killed at the memory limit"}
    assert set(records[records["solver"] == "good"]["status"]) == {"feasible"}


def test_no_process_is_left_behind(faults: Records) -> None:
    deadline = time.monotonic() + 5.0
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers() == []


def test_what_a_solver_prints_is_no_record(faults: Records) -> None:
    assert "forged" not in set(faults["key"])


def test_good_solvers_are_unharmed(faults: Records) -> None:
    good = faults[faults["solver"].isin(["good", "ilp-highs"])]
    assert len(good) == 4
    assert set(good["audit"]) == {"ok"}


def test_a_solver_that_hangs_while_warming_up_still_has_its_record(tmp_path: Path) -> None:
    plugin = tmp_path / "hangs.py"
    plugin.write_text(
        "import time\nfrom solvers.base import Solver\n\n"
        "class Hangs(Solver):\n    name = 'hangs'\n    def solve(self, instance):\n        time.sleep(600)\n"
    )
    limits = {"seconds": 4.0, "warmup_seconds": 0.5, "memory_gb": 1.0}
    records = run(experiment(["hangs", "ilp-highs"], limits=limits), out=tmp_path / "run", plugins=[plugin])
    assert sorted(zip(records["solver"], records["status"], strict=True)) == [
        ("hangs", "timeout"),
        ("hangs", "timeout"),
        ("ilp-highs", "optimal"),
        ("ilp-highs", "optimal"),
    ]
