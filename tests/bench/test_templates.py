"""`dualbench new`: each template passes its check as it stands, can be run, and is never written over another file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.conformance.templates import write_template
from problems.errors import InputError

ROOT = Path(__file__).parents[2]
ONE_SCREEN = 75  # lines


def dualbench(folder: Path, *arguments: str) -> str:
    return python(folder, "-m", "bench.cli", *arguments)


def python(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


EXPERIMENT = """
name = "first"
task = "{task}"
[instances]
generate = {{ size = "tiny", count = 2, seed = 1 }}
[[solvers]]
name = "{solver}"
[[solvers]]
name = "ilp-highs"
"""


def run_experiment(folder: Path, task: str, solver: str, plugin: str) -> None:
    """Every cell of a small run is sound."""
    from bench import load_run

    (folder / "first.toml").write_text(EXPERIMENT.format(task=task, solver=solver), encoding="utf-8")
    dualbench(folder, "run", "first.toml", "--plugin", plugin, "--out", "run")
    records = load_run(folder / "run")
    assert len(records) == 4
    assert set(records["audit"]) == {"ok"}
    assert set(records["status"]) <= {"optimal", "feasible"}


def test_the_template_of_a_solver(tmp_path: Path) -> None:
    assert dualbench(tmp_path, "new", "solver", "my-solver") == "my_solver.py\n"
    said = dualbench(tmp_path, "check-solver", "my-solver", "--plugin", "my_solver.py", "--task", "extraction")
    assert "failed" not in said
    run_experiment(tmp_path, "extraction", "my-solver", "my_solver.py")
    dualbench(tmp_path, "generate", "extraction", "--size", "tiny", "--out", "some")
    said = dualbench(
        tmp_path, "solve", "some/extraction-tiny-1.json", "--plugin", "my_solver.py", "--solver", "my-solver"
    )
    assert "status     feasible" in said


@pytest.mark.slow
def test_the_template_of_a_solver_on_every_task(tmp_path: Path) -> None:
    write_template("solver", "my-solver", tmp_path)
    assert "failed" not in dualbench(tmp_path, "check-solver", "my_solver.py")


def test_the_template_of_a_factor(tmp_path: Path) -> None:
    assert dualbench(tmp_path, "new", "factor", "my-factor") == "my_factor.py\n"
    said = dualbench(tmp_path, "check-factor", "my_factor.py")
    assert said.endswith("MyFactor: 9 passed.\n")
    lines = [line.split() for line in python(tmp_path, "my_factor.py").splitlines()]
    assert len({round(float(value), 6) for _, value in lines}) == 1


def test_the_template_of_a_task(tmp_path: Path) -> None:
    assert dualbench(tmp_path, "new", "task", "my-task", "--out", "here") == "here/my_task.py\n"
    assert dualbench(tmp_path, "check-task", "here/my_task.py").endswith("my-task: 11 passed.\n")
    run_experiment(tmp_path, "my-task", "ad3-exact", "here/my_task.py")
    dualbench(tmp_path, "generate", "my-task", "--plugin", "here/my_task.py", "--out", "some")
    said = dualbench(tmp_path, "solve", "some/my-task-large-1.json", "--plugin", "here/my_task.py")
    assert "status     optimal" in said


@pytest.mark.slow
def test_a_task_of_ones_own_with_a_factor_of_ones_own(tmp_path: Path) -> None:
    """Both templates in one file: choose exactly `budget` items."""
    factor = write_template("factor", "quota", tmp_path).read_text(encoding="utf-8").partition("\n\nif __name__")[0]
    task = write_template("task", "picking", tmp_path).read_text(encoding="utf-8")
    for old, new in (
        ("graph.add_budget(items, instance.budget)", "graph.add_factor(Quota(instance.budget, 0.0 * items), items)"),
        ("len(chosen) > instance.budget:", "len(chosen) != instance.budget:"),
    ):
        assert task.count(old) == 1
        task = task.replace(old, new)
    (tmp_path / "both.py").write_text(f"{factor}\n\n{task}", encoding="utf-8")
    assert dualbench(tmp_path, "check-task", "both.py").endswith("picking: 11 passed.\n")
    run_experiment(tmp_path, "picking", "ad3-exact", "both.py")
    dualbench(tmp_path, "generate", "picking", "--plugin", "both.py", "--out", "some")
    path = "some/picking-large-1.json"
    assert "bound" in dualbench(tmp_path, "solve", path, "--plugin", "both.py", "--solver", "ad3")


@pytest.mark.parametrize("what", ["solver", "factor", "task"])
def test_a_template_fits_on_a_screen_and_is_not_written_twice(what: str, tmp_path: Path) -> None:
    path = write_template(what, "mine", tmp_path)
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= ONE_SCREEN
    assert max(map(len, text.splitlines())) <= 120
    assert not {"CLASS", "NAME", "FILE"} & set(text.replace("(", " ").split())
    path.write_text("edited", encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.py: there is such a file already; it was not overwritten"):
        write_template(what, "mine", tmp_path)
    assert path.read_text(encoding="utf-8") == "edited"


@pytest.mark.parametrize(
    ("what", "name", "said"),
    [
        ("solvr", "mine", "there is no template for 'solvr': did you mean 'solver'"),
        ("solver", "My Solver", "must be at most 40 letters in lower case, digits and hyphens, such as 'my-solver'"),
        ("solver", "../mine", "must be at most 40 letters"),
        ("task", "", "must be at most 40 letters"),
        ("task", "a" * 41, "must be at most 40 letters"),
        ("solver", "ad3", "the name 'ad3' is taken by a solver"),
        ("task", "parsing", "the name 'parsing' is taken by a task"),
        ("factor", "lambda", "the name 'lambda' is a word of Python"),
        ("factor", "none", r"the name 'none' is a word of Python \(None\)"),
        ("task", "true", r"the name 'true' is a word of Python \(True\)"),
        ("task", "task", "makes a class 'Task', and the template has something else of this name"),
        ("factor", "factor-graph", "makes a class 'FactorGraph', and the template"),
        ("solver", "solver", "makes a class 'Solver', and the template"),
        ("solver", "numpy", r"makes a file numpy\.py, which would hide a module 'numpy'"),
        ("factor", "random", r"makes a file random\.py, which would hide"),
        ("task", "problems", r"makes a file problems\.py, which would hide"),
    ],
)
def test_bad_names_get_one_sentence(what: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        write_template(what, name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_of_the_same_name_is_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "mine").mkdir()
    assert write_template("solver", "mine", tmp_path).name == "mine.py"


def test_a_folder_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_template("task", "mine", tmp_path / "file")
