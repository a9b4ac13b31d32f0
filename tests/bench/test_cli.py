"""The command line, used as a person would: real processes, real files, one sentence for bad input."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bench.cli import COMMANDS, PANELS
from problems import get_task
from solvers import Solution


def dualbench(*arguments: object, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.cli", *map(str, arguments)]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
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
    parts = (document["build_seconds"], document["solve_seconds"], document["round_seconds"])
    assert document["cpu_seconds"] == pytest.approx(sum(parts))
    assert len(document["posteriors"]) == task.graph(instance).number_of_variables
    assert json.loads(dualbench("solve", tiny, "--json").stdout)["posteriors"] is None


def test_removed_words_are_shown(tiny: Path) -> None:
    task = get_task("summarization")
    instance = task.load(tiny)
    printed = dualbench("solve", tiny, "--removed", COLUMNS="40").stdout.splitlines()
    document = json.loads(dualbench("solve", tiny, "--json").stdout)
    removed = 0
    for line, (index, kept) in zip(printed, document["structure"], strict=False):
        words = instance.sentences[index].words
        shown = [word if number in kept else f"[-{word}-]" for number, word in enumerate(words, 1)]
        assert line.split() == shown  # one line each, however narrow the terminal
        removed += len(words) - len(kept)
    assert removed > 0


def test_removed_words_are_struck_out_in_a_terminal(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bench.cli import instances as commands

    task = get_task("summarization")
    instance = task.load(tiny)
    structure = ((0, (1,)),)
    console = Console(force_terminal=True, color_system="standard", width=400, record=True, file=io.StringIO())
    monkeypatch.setattr(commands, "console", console)
    commands._print_solution(task, instance, Solution("feasible", structure, 1.0), {}, removed=True)
    words = instance.sentences[0].words
    first = console.export_text(styles=True).splitlines()[0]
    assert first.startswith(f"{words[0]} ")
    for word in words[1:]:
        assert re.search(rf"\x1b\[[0-9;]*9m{re.escape(word)}\x1b", first)


def test_what_there_is_none_of_is_called_none(tmp_path: Path) -> None:
    path = tmp_path / "frustrated.fg"  # all halves is feasible for the relaxation, and nothing else is
    path.write_text("3\n3\n0\n0\n0\nXOR 2 1 2\nXOR 2 2 3\nXOR 2 1 3\n")
    printed = dualbench("solve", path, "--solver", "lp-highs").stdout
    assert "objective  none   bound 0.000000   gap none" in printed
    assert "nan" not in printed
    document = json.loads(dualbench("solve", path, "--solver", "lp-highs", "--json").stdout)
    assert (document["objective"], document["gap"]) == (None, None)


def test_small_and_large_scores_are_printed_with_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "small.fg"
    path.write_text("1\n0\n1.25e-9\n")
    assert "objective  1.25e-09   bound 1.25e-09   gap 0.00%" in dualbench("solve", path).stdout


def test_version() -> None:
    assert re.fullmatch(r"dualbench \d+\.\d+\.\d+\n", dualbench("--version").stdout)


def test_a_failing_solver_is_one_sentence_and_exit_code_1(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bench import cli
    from solvers.linear.highs import HighsInteger

    def fail(*_: object) -> None:
        raise RuntimeError("ended with the unexpected\nstatus 7.")

    monkeypatch.setattr(HighsInteger, "optimize", fail)
    monkeypatch.setattr(sys, "argv", ["dualbench", "solve", str(tiny), "--solver", "ilp-highs"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    said = capsys.readouterr().err
    assert said == "dualbench: solver 'ilp-highs' failed: ended with the unexpected status 7.\n"
    monkeypatch.setenv("DUALBENCH_DEBUG", "1")
    with pytest.raises(RuntimeError, match="failed"):
        cli.main()


BOASTER = """
from dataclasses import dataclass
from solvers.base import Solution, Solver

@dataclass(kw_only=True)
class Boaster(Solver):
    # makes its own copy of the instance worth more
    name = "boaster"
    second: int = 1
    def solve(self, instance):
        instance.scores[:] = 5.0
        return Solution("optimal", (0, self.second, 0), 7.0, bound=7.0)
"""


def test_solve_prints_what_a_structure_is_worth(tmp_path: Path) -> None:
    path, plugin = tmp_path / "toy.fg", tmp_path / "boaster.py"
    path.write_text("3\n2\n0.75\n1.25\n-0.5\nOR 3 1 2 3\nPAIR 2 1 2 -1.05\n")
    plugin.write_text(BOASTER)
    arguments = ("solve", path, "--solver", "boaster", "--plugin", plugin)
    printed = dualbench(*arguments).stdout
    assert "status     feasible" in printed
    assert "objective  1.250000   bound 7.000000" in printed
    assert "audit      the solver claims the objective 7, its structure scores 1.25; " in printed
    document = json.loads(dualbench(*arguments, "--json").stdout)
    assert (document["status"], document["objective"], document["bound"]) == ("feasible", 1.25, 7.0)
    assert document["audit"].startswith("the solver claims the objective 7")
    broken = dualbench(*arguments, "--option", "second=0", code=1)
    assert broken.stderr.startswith("dualbench: solver 'boaster' failed: the structure is not feasible: ")
    assert len(broken.stderr.splitlines()) == 1


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
    said = dualbench(code=2).stdout
    assert "reproduce" in said
    assert all(panel in said for panel in PANELS)
    assert sorted(name for members in PANELS.values() for name in members) == sorted(COMMANDS)


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
        (("solve", "INSTANCE", "--option", "name=1"), "unknown option 'name' of solver 'ilp-highs'"),
        (("solve", "INSTANCE", "--option", "task=extraction"), "unknown option 'task' of solver 'ilp-highs'"),
        (
            ("solve", "INSTANCE", "--option", "seed=" + "9" * 5000),
            "option 'seed' of solver 'ilp-highs' must be a whole",
        ),
        (("list", "everything"), "cannot list 'everything'"),
        (("reproduce", "am-table"), "unknown piece 'am-table': did you mean"),
        (("reproduce", "--repetitions", "0"), "invalid value for '--repetitions'"),
        (("run", "first-look", "--repetitions", "0"), "option '--repetitions' must be at least 1, not 0"),
        (("run",), "missing argument 'experiment'; see `dualbench run --help`"),
        (("runn",), "no such command 'runn'"),
        (("race", "--foo"), "no such option: --foo"),
        (("data", "gett"), "no such command 'gett'"),
        (("race", "parsing:short", "--repetitions", "0"), "option '--repetitions' must be at least 1, not 0"),
        (("race", "parsing:short", "--solver", "ad3:max_iteration=5"), "dualbench: unknown option 'max_iteration' of"),
        (("race", "library:nope"), "; see `dualbench list library`."),
        (("race", "parsing:99x"), "; see `dualbench list tasks`."),
        (("check-task", "nope"), "unknown task 'nope': valid names are"),
        (("check-solver", "nope.py"), "nope.py: no such plug-in file"),
        (("parse", "nope.txt"), "nope.txt: cannot be read"),
        (("compress", "nope.txt"), "nope.txt: cannot be read"),
        (("summarize", "multiling2011"), "; `dualbench data get multiling2011` fetches the corpus of this name."),
        (("decode", "nope", "--task", "parsing", "--solver", "ad3"), "; `dualbench data list` shows corpora to get."),
        (("train", "summarization", "--corpus", "multiling2011", "--out", "x.model"), "--option parser=FILE."),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(tiny: Path, arguments: tuple[str, ...], said: str) -> None:
    done = dualbench(*[tiny if argument == "INSTANCE" else argument for argument in arguments], code=2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [(), ("data",)])
def test_a_command_without_a_subcommand_shows_its_help(arguments: tuple[str, ...]) -> None:
    done = dualbench(*arguments, code=2)
    assert "Usage: dualbench" in done.stdout + done.stderr


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
