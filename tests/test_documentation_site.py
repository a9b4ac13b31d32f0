"""The documentation site: pages made from code name every command, option, solver, factor and public name, and it builds strictly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer.main
from site_pages.api_pages import NAMES, api_pages
from site_pages.catalogue_pages import FAMILIES, extras, family, field_comments
from site_pages.hook import led, made, on_page_content, site_path
from site_pages.markdown import cell, first_sentence, prose, read_table, table, with_suffixes

import bench
import problems
import solvers
from bench.cli import app
from bench.experiments.experiment import built_in
from bench.reproduction.report import PAPERS, PIECES
from problems.factors import KINDS

ROOT = Path(__file__).parent.parent


def test_the_reference_has_every_command_and_option() -> None:
    pages, _, _ = made()
    program = typer.main.get_command(app)
    commands = {
        f"{name}-{inner}" if inner else name: command
        for name, outer in program.commands.items()  # type: ignore[attr-defined]
        for inner, command in (getattr(outer, "commands", None) or {"": outer}).items()
    }
    assert {"race", "data-get"} <= set(commands)
    for name, command in commands.items():
        text = pages[f"reference/commands/{name}.md"]
        assert f"({name}.md)" in pages["reference/commands/index.md"]
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name != "help":
                assert all(each in text for each in parameter.opts), (name, parameter.name)
            if parameter.param_type_name == "argument":
                assert parameter.name.upper() in text, (name, parameter.name)


def test_small_screens_get_the_narrow_cover() -> None:
    image = '<img alt="x" src="results/reproduction/cover.png" />'
    narrow = '<source media="(max-width: 40rem)" srcset="results/reproduction/cover-narrow.svg">'
    assert on_page_content(f"<p>{image}</p>") == f"<p><picture>{narrow}{image}</picture></p>"
    other = '<img src="results/parsing-race/profile.png">'
    assert on_page_content(other) == other
    _, _, files = made()
    assert files["results/reproduction/cover-narrow.svg"].is_file()


def test_the_catalogues_have_every_solver_factor_task_and_experiment() -> None:
    pages, _, _ = made()
    catalogue = pages["reference/solvers.md"]
    for name in solvers.SOLVERS:
        assert f"\n### {name}\n" in catalogue
        assert family(name) in FAMILIES
    assert all(f"| `{kind}` |" in pages["reference/factors.md"] for kind in KINDS)
    assert all(f"\n## {name}\n" in pages["reference/tasks.md"] for name in problems.TASKS)
    assert all(f"| `{name}` |" in pages["reference/experiments.md"] for name in built_in())
    assert "| `max_iterations` | `int` | `1000` |" in catalogue
    assert {
        "crf": "crf",
        "maxsat-rc2": "maxsat",
        "wcsp-toulbar2": "toulbar2",
        "lp-xpress": "xpress",
    }.items() <= extras().items()
    assert "None: the instance's own" in field_comments(solvers.base.GraphSolver)["formulation"]


def test_every_option_of_every_solver_has_a_meaning() -> None:
    pages, _, _ = made()
    options = [row for row in pages["reference/solvers.md"].splitlines() if re.match(r"\| `\w+` \| `", row)]
    assert len(options) > 100
    assert [row for row in options if row.endswith("|  |")] == []


def test_the_reference_has_every_public_name() -> None:
    listed = {name for _, names in NAMES.values() for name in names}
    for name in listed:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute), name
    for package in (bench, problems, solvers):
        for name in package.__all__:
            if not name.isupper():  # tables of names are no interface
                assert any(each.rpartition(".")[2] == name for each in listed), f"{package.__name__}.{name}"
    assert set(api_pages()) == {"reference/api/index.md", *(f"reference/api/{stem}.md" for stem in NAMES)}


def test_every_recorded_piece_and_run_has_its_place() -> None:
    pages, _, files = made()
    papers = [text for path, text in pages.items() if path.startswith("papers/")]
    assert len(papers) == len(PAPERS)
    for name in PIECES:
        folder = ROOT / "results" / "reproduction" / "pieces" / name
        if folder.is_dir():
            assert any(f"dualbench reproduce {name}\n" in text for text in papers), name
            assert all(f"papers/{name}/{path.name}" in files for path in folder.glob("*.png"))
    for folder in sorted((ROOT / "results").iterdir()):
        assert not folder.is_dir() or f"results/{folder.name}.md" in pages


def test_links_are_led_into_the_site() -> None:
    assert site_path("results/compare-parsing/table.md") == "results/compare-parsing.md"
    assert site_path("bench/cli/run.py") is None
    text = (
        "[a](../results/README.md) [b](parsing.md#x) [c](https://example.org) ![d](../results/reproduction/cover.png)"
    )
    assert led(text, "docs/index.md", "index.md") == (
        "[a](results/index.md) [b](parsing.md#x) [c](https://example.org) ![d](results/reproduction/cover.png)"
    )
    assert led("[a](../../CHANGELOG.md)", "docs/releases/0.2.0.md", "releases/0.2.0.md") == "[a](../changelog.md)"


def test_markdown_is_escaped() -> None:
    assert cell("a | b `c | d`\n e") == "a \\| b `c | d` e"
    made_table = table(["x", "y"], [["1", "2 | 3"]])
    assert read_table(made_table) == [{"x": "1", "y": "2 \\| 3"}]
    assert table(["x"], []) == ""
    assert prose("scores[k][i, j] and `x[0]`") == "scores\\[k]\\[i, j] and `x[0]`"
    assert first_sentence("AD3 (Eq. 3) is it. More.") == "AD3 (Eq. 3) is it."
    assert with_suffixes(["10", "20", "hard", "10-flow", "20-flow", "hard-10"]) == (
        "`10`, `20`, also with `-flow`; `hard`, also with `-10`"
    )
    assert first_sentence("Martins et al. (2013) say so. More.\n\nEnd.") == "Martins et al. (2013) say so."


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    for path in made()[0]:
        assert (tmp_path / path).with_suffix(".html").exists(), path
    front = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'src="results/reproduction/cover.png"' in front
    assert (tmp_path / "results/reproduction/cover.png").exists()
    assert "solvers.get_solver" in (tmp_path / "reference/api/solvers.html").read_text(encoding="utf-8")
    remote = [line for line in front.splitlines() if 'src="http' in line or 'rel="stylesheet" href="http' in line]
    assert remote == [], "the site fetches nothing"
