"""The command line, used as a person would: real processes, real files, one sentence for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from problems import get_task


def dualbench(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.cli", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("instances")
    dualbench("generate", "summarization", "--size", "tiny", "--seed", 4, "--count", 2, "--out", folder)
    return folder / "summarization-tiny-4.json"


def test_generate_writes_what_the_task_generates(tiny: Path) -> None:
    task = get_task("summarization")
    assert task.load(tiny) == task.generate(4, "tiny")
    assert task.load(tiny.with_name("summarization-tiny-5.json")) == task.generate(5, "tiny")


def test_solve_prints_the_summary(tiny: Path) -> None:
    printed = dualbench("solve", tiny, "--solver", "ilp-highs").stdout
    assert "status     optimal" in printed
    assert "ROUGE-2" in printed


def test_solve_as_json_can_be_checked(tiny: Path) -> None:
    task = get_task("summarization")
    instance = task.load(tiny)
    printed = dualbench("solve", tiny, "--solver", "lp-glop", "--option", "rounding=paper", "--json").stdout
    document = json.loads(printed)
    structure = tuple((index, tuple(words)) for index, words in document["structure"])
    assert task.broken(instance, structure) is None
    assert document["objective"] == pytest.approx(task.objective(instance, structure))
    assert document["options"]["rounding"] == "paper"
    assert document["bound"] >= document["objective"] - 1e-6


def test_removed_words_are_shown(tiny: Path) -> None:
    task = get_task("summarization")
    instance = task.load(tiny)
    printed = dualbench("solve", tiny, "--removed").stdout
    document = json.loads(dualbench("solve", tiny, "--json").stdout)
    for index, _ in document["structure"]:
        for word in instance.sentences[index].words:
            assert word in printed


def test_solve_reads_factor_graphs(tmp_path: Path) -> None:
    path = tmp_path / "toy.fg"
    path.write_text("3\n2\n0.75\n1.25\n-0.5\nOR 3 1 2 3\nPAIR 2 1 2 -1.05\n")
    document = json.loads(dualbench("solve", path, "--solver", "ilp-glpk", "--json").stdout)
    assert document["structure"] == [0, 1, 0]
    assert document["objective"] == 1.25
    assert "true variables: 1" in dualbench("solve", path).stdout


def test_lists_and_doctor() -> None:
    solvers = dualbench("list", "solvers").stdout
    assert "ilp-cpsat" in solvers
    assert "brute-force" in solvers
    assert "summarization" in dualbench("list", "tasks").stdout
    assert "summarization-runtimes" in dualbench("list", "experiments").stdout
    health = dualbench("doctor").stdout
    assert "HiGHS" in health
    assert "kernel cache" in health


def test_help_without_arguments() -> None:
    assert "reproduce" in dualbench(code=2).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "nowhere.json"), "nowhere.json: no such file"),
        (("solve", "nowhere.fg"), "nowhere.fg: no such file"),
        (("solve", "INSTANCE", "--solver", "ilp-cplat"), "unknown solver 'ilp-cplat': did you mean"),
        (("solve", "INSTANCE", "--option", "seed"), "option 'seed' must have the form key=value"),
        (
            ("solve", "INSTANCE", "--option", "sed=1"),
            "unknown option 'sed' of solver 'ilp-highs': did you mean 'seed'?",
        ),
        (("solve", "INSTANCE", "--solver", "greedy"), "solver 'greedy' does not solve task 'summarization'"),
        (("solve", "INSTANCE", "--solver", "lp-glop", "--option", "rounding=x"), "unknown rounding 'x'"),
        (("generate", "parsing-like"), "unknown task 'parsing-like'"),
        (("generate", "summarization", "--count", "0"), "option '--count' must be at least 1, not 0"),
        (("generate", "summarization", "--size", "huge"), "unknown size 'huge' of task 'summarization'"),
        (("generate", "summarization", "--seed", "-3"), "a seed must be a whole number of at least 0, not -3"),
        (("generate", "summarization", "--size", "tiny", "--out", "/proc/none"), "cannot be written"),
        (("list", "everything"), "cannot list 'everything'"),
        (("reproduce", "summarization-runtime"), "unknown experiment 'summarization-runtime': did you mean"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(tiny: Path, arguments: tuple[str, ...], said: str) -> None:
    done = dualbench(*[tiny if argument == "INSTANCE" else argument for argument in arguments], code=2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_infeasible_graph_is_named_and_exits_with_2(tmp_path: Path) -> None:
    path = tmp_path / "impossible.fg"
    path.write_text("1\n2\n0\nXOR 1 1\nXOR 1 -1\n")
    done = dualbench("solve", path, code=2)
    assert "infeasible" in done.stderr


def test_file_without_a_known_task(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"task": "sumarization"}')
    assert "did you mean 'summarization'?" in dualbench("solve", path, code=2).stderr
    path.write_text("{}")
    assert "field 'task' is None" in dualbench("solve", path, code=2).stderr
