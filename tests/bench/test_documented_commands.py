"""Every command in README and docs/: its options exist, and so do studies and folders of results. See test_documentation.py for links."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer.main

from bench.cli import app
from bench.cli.arguments import parse_options
from bench.data.catalogue import corpus_named
from bench.experiments.race import race_experiment
from bench.learning.options import evaluation, training
from solvers import make_solver

ROOT = Path(__file__).parents[2]
PAGES = [
    *("README.md", "CONTRIBUTING.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]
NOT_RECORDED = {
    "results/reproduction-real",
    "results/decode-throughput",
    "results/decoder-profiles",
    "results/soak",
    "results/ad3-profile",
    "results/ad3-step-sizes",
    "results/warm-starts",
    "results/summarization-tuning",
    "results/transduction-tuning",
}


def text_of(page: str) -> str:
    """A page with continued lines joined."""
    return re.sub(r"\\\n\s+", " ", (ROOT / page).read_text(encoding="utf-8"))


def commands(text: str) -> list[list[str]]:
    """The arguments of every `dualbench` in a block (indented, or after a prompt), and of those in code spans that have options."""
    found = re.findall(r"^(?:    |\$ )(?:.*\| )?dualbench (.+)$", text, re.MULTILINE)
    found += [span for span in re.findall(r"`dualbench ([^`]+)`", text) if re.search(r" --\w+ \S", span)]
    return [shlex.split(re.split(r"\s+#|\s+\|\s|\s+`", command)[0]) for command in found]


@pytest.mark.parametrize("page", PAGES)
def test_the_command_line_takes_what_pages_say(page: str) -> None:
    program = typer.main.get_command(app)
    for name, *arguments in commands(text_of(page)):
        print(page, "dualbench", shlex.join([name, *arguments]))  # shown where the next line fails
        command = program.commands[name]  # type: ignore[attr-defined]
        if inner := getattr(command, "commands", None):
            assert arguments, f"{page}: `dualbench {name}` needs a command"
            command, arguments = inner[arguments[0]], arguments[1:]
        given = command.make_context(name, arguments).params
        if name == "race" and all(":" in entry for entry in given["entries"]):
            assert race_experiment(given["entries"], given["solver"] or ())["solvers"]
        if name == "data" and (corpora := given.get("names")):
            assert all(corpus_named(corpus) for corpus in corpora if corpus != "NAME")
        if name == "decode":
            make_solver(given["solver"], given["task"], parse_options(given["option"] or []))
        if name in ("train", "evaluate"):
            (training if name == "train" else evaluation)(given["task"], parse_options(given["option"] or []))


@pytest.mark.parametrize("page", PAGES)
def test_studies_and_folders_that_pages_name_are_there(page: str) -> None:
    text = text_of(page)
    for module in re.findall(r"python -m (bench\.[\w.]+\w)", text):
        assert find_spec(module), f"{page}: no module {module}"
    for folder in set(re.findall(r"results/[a-z0-9-]*[a-z0-9]", text)) - NOT_RECORDED:
        assert (ROOT / folder).is_dir(), f"{page}: no folder {folder}"


def test_pages_race_and_fetch_data() -> None:
    """The checks above would pass if no page named these commands."""
    named = [(name, *rest) for page in PAGES for name, *rest in commands(text_of(page))]
    assert sum(name == "race" for name, *_ in named) >= 6
    assert {rest[0] for name, *rest in named if name == "data"} == {"list", "get", "path"}


def test_commands_are_found() -> None:
    assert commands(
        "    dualbench solve x.json --solver ad3   # why\n`dualbench list`, `dualbench train parsing --out m`\n"
    ) == [
        ["solve", "x.json", "--solver", "ad3"],
        ["train", "parsing", "--out", "m"],
    ]
