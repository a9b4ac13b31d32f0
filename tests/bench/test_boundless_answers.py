"""Whatever a solver answers: one record per cell that our own reader takes, of bounded length, and the run ends by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import load_run, run
from bench.records.fields import FIELDS
from bench.records.frame import Records
from bench.records.log import RECORDS, TRACES, readable
from bench.runner import checker
from bench.runner.handover import claim_of
from problems import get_task
from problems.errors import InputError
from solvers import get_solver

BOUNDLESS = Path(__file__).parent.parent / "support" / "boundless_solvers.py"
# solver -> (status, what the message says)
ANSWERS = {
    "answers": ("feasible", ""),
    "many-digits": ("error", "the answer cannot be written down (a number of 321 digits, expected at most 300)"),
    "long-status": ("error", "unknown status 'xxx"),
    "long-bound": ("error", "the bound is 'xxx"),
    "long-message": ("timeout", "xxx"),
    "long-error": ("error", "ArithmeticError: xxx"),
    "large-objective": ("error", "expected a finite number"),
    "large-bound": ("error", "expected a number"),
    "large-structure": ("infeasible", "the structure is too large to be kept"),
}
TRACED = {
    "odd-points": "5 of 7 points of its trace cannot be and are left out",
    "endless-trace": "its trace is lost (it was not handed over within 3 s)",
    "large-trace": "its trace is lost (",
    "broken-trace": "its trace is lost (AttributeError: 'str' object has no attribute 'seconds'",
    "unwritable-trace": "its trace is lost (ValueError: ",
}
LONGEST_LINE = 20_000


def experiment(solvers: list[str], **changes: Any) -> dict[str, Any]:
    return {
        "name": "boundless",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seeds": [3]}},
        "solvers": [{"name": name} for name in solvers],
        "limits": {"seconds": 20.0, "memory_gb": 2.0},
        **changes,
    }


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Records:
    return run(experiment(list(ANSWERS)), out=tmp_path_factory.mktemp("answers") / "run", plugins=[BOUNDLESS])


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Records:
    limits = {"seconds": 20.0, "memory_gb": 2.0, "check_seconds": 3.0}
    described = experiment(list(TRACED), trace=True, limits=limits)
    return run(described, out=tmp_path_factory.mktemp("traced") / "run", plugins=[BOUNDLESS])


def only(records: Records, solver: str) -> dict[str, Any]:
    (record,) = records[records["solver"] == solver].to_dict("records")
    return dict(record)


@pytest.mark.parametrize("solver", ANSWERS)
def test_one_record_tells_what_is_wrong(answers: Records, solver: str) -> None:
    status, said = ANSWERS[solver]
    record = only(answers, solver)
    assert record["status"] == status, record["message"]
    assert said in record["message"]


def test_every_line_can_be_read_and_is_short(answers: Records) -> None:
    lines = (answers.folder / RECORDS).read_bytes().splitlines()
    assert len(lines) == len(ANSWERS)
    assert max(map(len, lines)) < LONGEST_LINE
    assert answers.damage == []


@pytest.mark.parametrize(
    ("structure", "why"),
    [
        (json.loads("[" * 150 + "]" * 150), "nested more than 100 levels deep"),
        ([10**320], "a number of 321 digits, expected at most 300"),
        ([10**5000], "Exceeds the limit (4300 digits) for integer string conversion"),
        (float("nan"), "Out of range float values are not JSON compliant"),
        ({1}, "Object of type set is not JSON serializable"),
    ],
)
def test_what_the_reader_would_refuse_is_not_written(structure: Any, why: str) -> None:
    record = {**FIELDS, "key": "k", "status": "feasible", "objective": 1.0, "cpu_seconds": 2.0}
    assert readable(record) is record
    found = readable({**record, "structure": structure})
    assert found["message"].startswith(f"the answer cannot be written down ({why}")
    assert found == {**record, "status": "error", "objective": None, "message": found["message"]}


def test_resuming_runs_nothing_again(answers: Records) -> None:
    before = (answers.folder / RECORDS).read_bytes()
    run(experiment(list(ANSWERS)), out=answers.folder, plugins=[BOUNDLESS], resume=True)
    assert (answers.folder / RECORDS).read_bytes() == before


def test_of_a_structure_that_is_not_kept_all_else_is(answers: Records) -> None:
    record = only(answers, "large-structure")
    assert record["structure"] is None
    assert record["message"].startswith("mine; ")
    assert f"more than {checker.MOST_CHARACTERS})" in record["message"]
    assert record["bound"] is not None


def test_a_large_structure_is_judged_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    task = get_task("extraction")
    instance = task.generate(seed=3, size="tiny")
    claim = json.dumps(claim_of(get_solver("ilp-highs").solve(instance))).encode()
    whole = checker.check(task, instance, claim)
    monkeypatch.setattr(checker, "MOST_CHARACTERS", 1)
    cut = checker.check(task, instance, claim)
    assert cut == {**whole, "structure": None, "message": cut["message"]}
    assert cut["message"].startswith("the structure is too large to be kept (")
    assert whole["structure"]
    assert whole["metrics"]


@pytest.mark.parametrize("solver", TRACED)
def test_points_that_are_not_there_are_told(traced: Records, solver: str) -> None:
    cells = traced[traced["solver"] == solver]
    assert set(cells["status"]) == {"feasible"}
    assert TRACED[solver] in cells[cells["traced"]]["message"].item()
    assert cells[~cells["traced"]]["message"].item() == ""


def test_points_that_can_be_are_kept(traced: Records) -> None:
    assert traced.damage == []
    assert list(traced.traces["solver"]) == ["odd-points"] * 2
    assert list(traced.traces["seconds"]) == [0.1, 0.2]
    assert len((traced.folder / TRACES).read_bytes().splitlines()) == 1


def test_options_that_cannot_be_written_down_are_refused(tmp_path: Path) -> None:
    described = experiment([]) | {"solvers": [{"name": "weighs", "weights": {"a": 10**320}}]}
    with pytest.raises(InputError, match=r"options of solver 'weighs' cannot be written down \(a number of 321 digits"):
        run(described, out=tmp_path / "run", plugins=[BOUNDLESS])
    assert not (tmp_path / "run").exists()


def test_a_run_with_such_records_loads(answers: Records) -> None:
    assert len(load_run(answers.folder)) == len(ANSWERS)
