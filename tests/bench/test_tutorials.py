"""The tutorials in docs/: every block of code is run, in the order of the page, in one folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from problems.compression.pairs import read_pairs

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
PATIENCE = 1800  # seconds of a command: `parse` trains a parser at first use, on a machine that may be busy


class Block(NamedTuple):
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert text.count("\n```") == 2 * len(found), "every block must have a language"
    return [Block(*block) for block in found]


def run(arguments: list[str], folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    done = subprocess.run(
        arguments, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_block(block: Block, folder: Path) -> None:
    """A block that begins with a file's name is that file; others are run. What a console block shows must come.

    JSON lines cannot begin with a name: they are sentence pairs, and our reader takes them all.
    """
    named = re.match(r"# (\S+\.\w+)\n", block.text)
    if named:
        (folder / named[1]).write_text(block.text, encoding="utf-8")
    elif block.language == "python":
        run([sys.executable, "-c", block.text], folder)
    elif block.language == "json":
        (folder / "pairs.jsonl").write_text(block.text, encoding="utf-8")
        read = read_pairs(str(folder / "pairs.jsonl"), folder)
        assert (len(read.pairs), read.dropped) == (len(block.text.splitlines()), 0)
    else:
        assert block.language == "console", block
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            program, *arguments = command.split()
            assert program == "dualbench"
            printed = run([sys.executable, "-m", "bench.cli", *arguments], folder)
            assert [line.rstrip() for line in printed.splitlines()][: len(shown.splitlines())] == shown.splitlines()


TEXT = "The minister closed the old bridge on Monday. Two workers were injured near the river.\n"


SLOW_PAGES = ("own-instance.md", "own-solver.md", "own-factors.md", "own-task.md", "own-data.md")


@pytest.mark.parametrize(
    "page", ["getting-started.md", *(pytest.param(page, marks=pytest.mark.slow) for page in SLOW_PAGES)]
)
def test_a_tutorial_works_as_it_stands(page: str, tmp_path: Path) -> None:
    (tmp_path / "story.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "stories").mkdir()
    for name in ("one.txt", "two.txt"):
        (tmp_path / "stories" / name).write_text(TEXT, encoding="utf-8")
    for block in blocks(page):
        run_block(block, tmp_path)
    assert {block.language for block in blocks(page)} <= {"python", "toml", "text", "console", "json"}


def test_the_solver_of_the_tutorial_is_about_thirty_lines() -> None:
    code = next(block.text for block in blocks("own-solver.md") if block.text.startswith("# my_solver.py"))
    assert 25 <= len([line for line in code.splitlines() if line.strip()]) <= 35


def test_what_the_tutorial_says_of_a_mistake(tmp_path: Path) -> None:
    """Without `if count else 0` the check `runs` names the problem."""
    code = next(block.text for block in blocks("own-solver.md") if block.text.startswith("# my_solver.py"))
    wrong = code.replace("self.steps if count else 0", "self.steps")
    assert wrong != code
    (tmp_path / "my_solver.py").write_text(wrong, encoding="utf-8")
    command = [sys.executable, "-m", "bench.cli", "check-solver", "climb", "--plugin", "my_solver.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False, env=environment
    )
    assert done.returncode == 1
    assert (
        "runs                 failed          on problem 'extraction, no sentences' it raised ValueError" in done.stdout
    )
