"""Compiling before the first cell: every step once, by several processes, with a count that reaches its total."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bench.experiments.experiment import read_experiment
from bench.experiments.plugins import load_plugins
from bench.experiments.race import race_experiment
from bench.reproduction.kernels import steps_for, tasks_of
from bench.reproduction.report import PIECES
from bench.runner import compilation, kernel_steps
from bench.runner.compilation import compile_kernels
from bench.runner.compiling_bar import CompilingBar, Lines, compiled_here
from bench.runner.estimate import Estimator
from bench.runner.kernel_steps import DRIVER, GENERATOR, KIND, ROUNDING, SOLVER, Step, all_steps, steps_of
from bench.runner.progress import RunProgress
from bench.runner.supervisor import Death, Interrupted
from problems import get_task
from problems.kernels import announcing, cache

ROOT = Path(__file__).parent.parent.parent
STEPS = [Step(KIND, name) for name in ("a", "b", "c", "d", "e")]


class FakeWorker:
    """Takes every step but those of kind `dying`, and notes who was asked for what."""

    asked: list[str]
    alive: int

    def __init__(self, stop: threading.Event, alone: bool) -> None:
        type(self).alive += 1
        self.stop = stop

    def set_up(self, *_: Any) -> dict[str, Any]:
        return {}

    def ask(self, kind: str, request: dict[str, Any], answer: str, seconds: float) -> Any:
        name = request["step"].name
        self.asked.append(name)
        if name == "stop":
            self.stop.set()
            raise Interrupted
        if name == "fail":
            raise OSError("no more processes")
        return Death("crash", "") if name == "dying" else {}

    def close(self) -> None:
        type(self).alive -= 1


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty kernel cache, in this process and those that it starts."""
    monkeypatch.setenv("DUALBENCH_CACHE", str(tmp_path))
    folder = tmp_path / cache.cache_directory().name
    folder.mkdir()
    monkeypatch.setattr(cache, "cache_directory", lambda: folder)
    monkeypatch.setattr(cache, "is_writable", lambda: True)
    return folder


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, empty: Path) -> type[FakeWorker]:
    FakeWorker.asked, FakeWorker.alive = [], 0
    monkeypatch.setattr(compilation, "Supervisor", FakeWorker)
    monkeypatch.setattr(compilation, "number_of_cores", lambda: 3)
    return FakeWorker


def compiled(steps: list[Step]) -> list[tuple[int, int]]:
    """The counts that are told while steps are taken."""
    counts: list[tuple[int, int]] = []
    compile_kernels(steps, (), threading.Event(), lambda what, done=0, total=0, /: counts.append((done, total)))
    return counts


def test_solvers_share_steps() -> None:
    steps = all_steps("extraction", ["ad3", "ilp-highs", "ad3-exact", "subgradient"])
    assert len(steps) == len(set(steps))
    sorts = [step.sort for step in steps]
    assert [sorts.count(sort) for sort in (DRIVER, ROUNDING, KIND, SOLVER)] == [3, 1, 2, 4]
    assert sorts[-4:] == [SOLVER] * 4
    assert steps[-4].name == "ilp-highs"  # it waits for nobody


def test_one_solver_of_each_kind_of_program_compiles_for_all() -> None:
    names = ["ilp-highs", "lp-highs", "dp-mst", "ilp-glpk", "lp-glpk"]
    assert all_steps("parsing", names) == [Step(SOLVER, name, "parsing") for name in names[:3]]


@pytest.mark.parametrize("names", [["ilp-highs"], ["ilp-glpk", "ilp-cpsat"], ["ilp-cpsat"]])
def test_every_run_takes_the_same_step_for_its_programs(names: list[str]) -> None:
    assert all_steps("parsing", names) == [Step(SOLVER, "ilp-highs", "parsing")]


def test_a_library_that_is_not_there_compiles_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_steps, "_is_usable", lambda name, task: name != "ilp-highs")
    assert all_steps("parsing", ["ilp-cpsat", "ilp-glpk"]) == [Step(SOLVER, "ilp-cpsat", "parsing")]


def test_solvers_without_drivers_have_their_own_step_only() -> None:
    assert all_steps("compression", ["dp-tree", "crf"]) == [Step(SOLVER, "dp-tree", "compression")]


def test_what_generates_instances_is_compiled_first() -> None:
    """Else a run compiles it while it plans, one kernel after the other and without a total."""
    described = race_experiment(["parsing:short"], ["ad3"])
    steps = steps_of(read_experiment(described))
    assert steps == [Step(GENERATOR, "instances", "parsing"), *all_steps("parsing", ["ad3"])]
    assert steps_of(read_experiment(described), solving=False) == steps[:1]
    files = race_experiment(["library:compression-10-1401"], ["ad3"])
    assert GENERATOR not in {step.sort for step in steps_of(read_experiment(files))}


def test_a_generator_needs_no_kernel_after_its_step() -> None:
    """In a fresh process: neither to generate another instance nor to lay out its graph."""
    code = (
        "from bench.runner.kernel_steps import GENERATOR, Step, load_step\n"
        "from problems import get_task\n"
        "from problems.kernels import cache, loading\n"
        "load_step(Step(GENERATOR, 'instances', 'parsing'))\n"
        "before = loading.cpu_seconds\n"
        "task = get_task('parsing')\n"
        "task.graph(task.generate(1, 'short'))\n"
        "assert loading.cpu_seconds == before > 0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_for_plugins_the_kernels_of_all_factors_are_compiled(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from solvers.base import Solver\nclass Own(Solver):\n    name = 'own'\n    def solve(self, instance): ...\n"
    )
    load_plugins([path])
    assert set(all_steps("parsing", ["own"])) == set(all_steps("parsing", ["ad3", "subgradient"]))


def test_every_step_is_taken_once_and_the_count_reaches_the_total(fake: type[FakeWorker]) -> None:
    assert compiled([*STEPS, *STEPS]) == [(done, 5) for done in range(6)]
    assert sorted(fake.asked) == ["a", "b", "c", "d", "e"]
    assert fake.alive == 0


def test_nothing_is_said_where_everything_is_compiled(fake: type[FakeWorker]) -> None:
    compiled(STEPS)
    assert compiled(STEPS) == []
    assert compiled([*STEPS, Step(KIND, "new")]) == [(0, 1), (1, 1)]


def test_a_step_that_another_command_has_taken_is_passed_over(
    fake: type[FakeWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "number_of_cores", lambda: 1)

    def tell(what: str, done: int = 0, total: int = 0, /) -> None:
        if done == 2:
            STEPS[3].marker.touch()

    compile_kernels(STEPS, (), threading.Event(), tell)
    assert fake.asked == ["a", "b", "c", "e"]


def test_a_step_that_fails_is_tried_again_by_the_next_command(fake: type[FakeWorker]) -> None:
    steps = [Step(KIND, "dying"), *STEPS]
    assert compiled(steps)[-1] == (6, 6)
    assert compiled(steps) == [(0, 1), (1, 1)]
    assert fake.alive == 0


def test_whoever_stops_a_run_stops_compiling(fake: type[FakeWorker]) -> None:
    with pytest.raises(Interrupted):
        compiled([Step(KIND, "stop"), *(Step(KIND, str(number)) for number in range(1000))])
    assert len(fake.asked) < 1000
    assert fake.alive == 0


def test_what_goes_wrong_with_compiling_itself_is_raised(fake: type[FakeWorker]) -> None:
    with pytest.raises(OSError, match="no more processes"):
        compiled([Step(KIND, "fail"), *STEPS])
    assert fake.alive == 0


def test_nothing_is_compiled_that_cannot_be_kept(fake: type[FakeWorker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "is_writable", lambda: False)
    assert compiled(STEPS) == []
    assert fake.asked == []


def test_processes_compile_kinds_of_factor(empty: Path) -> None:
    steps = [Step(KIND, kind) for kind in ("pair", "xor")]
    assert compiled(steps)[-1] == (2, 2)
    assert all(step.marker.exists() for step in steps)
    kept = sorted(path.name for path in empty.glob("*.nbc"))
    assert any("project" in name for name in kept)
    steps[0].marker.unlink()
    assert compiled(steps) == [(0, 1), (1, 1)]
    assert sorted(path.name for path in empty.glob("*.nbc")) == kept


def test_pieces_of_the_reproduction_name_tasks_that_there_are() -> None:
    for piece in PIECES.values():
        assert tasks_of(piece)
    steps = steps_for(list(PIECES.values()))
    assert {step.sort for step in steps} == {DRIVER, ROUNDING, KIND, SOLVER, GENERATOR}
    assert [step.sort for step in steps].index(GENERATOR) == 0
    assert steps[-1].task == "transduction"
    for step in steps:
        if step.sort == SOLVER:
            assert step in all_steps(step.task, [step.name])  # runs find it taken


def test_without_a_terminal_a_line_now_and_then() -> None:
    now, lines = 0.0, list[str]()
    say = Lines(lines.append, lambda: now)
    for done in range(41):
        say("compiling kernels", done, 40)
        now += 1.0
    assert lines == [
        "compiling kernels, once for this version: 0 of 40",
        "compiling kernels: 20 of 40",
    ]


def test_a_bar_on_a_terminal_counts_and_goes() -> None:
    out = io.StringIO()
    with CompilingBar(Console(file=out, force_terminal=True, width=80)) as bar:
        for done in range(3):
            bar("compiling kernels", done, 3)
            assert bar._bar is not None
            bar._bar.refresh()
        bar("compiling kernels", 3, 3)
        assert bar._bar is None
    assert all(f"compiling kernels: {done} of 3" in out.getvalue() for done in range(3))


def test_the_bar_of_a_run_counts_kernels_first_and_then_cells() -> None:
    progress = RunProgress(Console(file=io.StringIO(), force_terminal=True), [], 1, Estimator("extraction"))
    task = progress._bar.tasks[0]
    progress.prepare("compiling kernels", 2, 7)
    assert (task.description, task.completed, task.total) == ("compiling kernels", 2, 7)
    progress.prepare("compiling kernels", 7, 7)
    assert (task.description, task.completed, task.total) == ("warming up", 0, 0)


def test_a_single_process_shows_its_steps_only_if_it_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    with compiled_here([Step(ROUNDING, "all", "graph")], Console(file=out)):
        pass
    assert out.getvalue() == ""
    with compiled_here([Step(ROUNDING, "all", "graph")], Console(file=out)):
        announcing.begin()
        announcing.begin()
    assert out.getvalue() == "compiling kernels, once for this version: 1 of 2\n"
    assert capsys.readouterr().err == ""


def test_compiling_is_said_on_standard_error(tmp_path: Path) -> None:
    """With an empty cache, and never again."""
    task, path = get_task("extraction"), tmp_path / "tiny.json"
    task.save(task.generate(seed=1, size="tiny"), path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DUALBENCH_CACHE": str(tmp_path / "cache")}
    for said in ("compiling kernels, once for this version: 0 of 1\n", ""):
        command = [sys.executable, "-m", "bench.cli", "solve", str(path), "--solver", "lp-highs", "--json"]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        assert json.loads(done.stdout)["status"]
        assert done.stderr == said
