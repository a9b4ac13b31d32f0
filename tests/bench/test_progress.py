"""Time left: right within a factor of 2 once a fifth of the run is done, and cheap however many cells there are."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from bench.experiments.experiment import SolverSpec
from bench.experiments.plan import Cell, Instance
from bench.records.fields import FIELDS
from bench.runner.estimate import Estimator, Growth
from bench.runner.progress import RunProgress, TimeLeft

Seconds = Callable[[str, int, random.Random], float]


def cells(solvers: int, sizes: list[int], each: int, repetitions: int, traced: bool = False) -> list[Cell]:
    """The cells of a run in the runner's order."""
    found = []
    rounds = [(number, False) for number in range(repetitions)] + ([(repetitions, True)] if traced else [])
    for repetition, is_traced in rounds:
        for size in sizes:
            for item in range(each):
                instance = Instance(f"{size}-{item}", f"digest-{size}-{item}", f"size-{size}", size, None)
                for number in range(solvers):
                    spec = SolverSpec(f"solver-{number}", f"label-{number}", {})
                    key = f"{repetition}/{size}/{item}/{number}"
                    found.append(Cell(key, instance, spec, {"n": number}, "1", repetition, is_traced))
    return found


def record_of(cell: Cell, wall: float, setup: float, status: str = "optimal") -> dict[str, Any]:
    return {
        **FIELDS,
        "task": "demo",
        "solver": cell.solver.name,
        "options": cell.options,
        "instance_digest": cell.instance.digest,
        "instance_size": cell.instance.instance_size,
        "size": cell.instance.size,
        "traced": cell.traced,
        "status": status,
        "wall_seconds": wall,
        "setup_seconds": setup,
    }


def replay(
    planned: list[Cell], seconds: Seconds, setup: float = 2.0, beside: float = 0.005
) -> list[tuple[float, float]]:
    """Run the cells on a clock of our own: (time passed, time left as told) after each."""
    left = TimeLeft(planned, 1, Estimator("demo"))
    generator, now, started, told = random.Random(1), 40.0, set(), []
    for cell in planned:
        name = cell.solver.name
        wall = seconds(name, cell.instance.instance_size, generator)
        starting = 0.0 if name in started else setup
        started.add(name)
        now += wall + starting + beside
        left.add(cell, record_of(cell, wall, starting), now)
        told.append((now - 40.0, left.seconds(now)))
    return told


def growing(name: str, size: int, generator: random.Random) -> float:
    """Times that grow with the size, differ among solvers, and vary."""
    return 1e-4 * (1 + int(name.rpartition("-")[2])) * size * generator.lognormvariate(0, 0.4)


def dead(name: str, size: int, generator: random.Random) -> float:
    """One solver always runs into its limit."""
    return 3.0 if name == "solver-0" else 0.001


@pytest.mark.parametrize(
    ("planned", "seconds"),
    [
        (cells(5, [100, 1000, 5000], 5, 3), growing),
        (cells(7, [50], 40, 1), growing),
        (cells(4, [100, 400, 1600], 4, 2, traced=True), growing),
        (cells(3, [100], 10, 2), dead),
        (cells(6, [20, 40], 3, 1), lambda name, size, generator: 0.0005),  # starting workers is all that takes time
    ],
)
def test_time_left_is_right_within_a_factor_of_two(planned: list[Cell], seconds: Seconds) -> None:
    told = replay(planned, seconds)
    end = told[-1][0]
    for passed, left in told:
        if 0.2 * end <= passed <= 0.95 * end:
            assert 0.5 <= left / (end - passed) <= 2.0, (passed, left, end)


def test_nothing_is_left_at_the_end() -> None:
    assert replay(cells(3, [10, 100], 4, 2, traced=True), growing)[-1][1] == pytest.approx(0.0, abs=1e-9)


def test_skipped_cells_are_not_charged() -> None:
    planned = cells(2, [10], 50, 1)
    left = TimeLeft(planned, 1, Estimator("demo"))
    for cell in planned[:60]:
        skipped = cell.solver.name == "solver-0"
        record = record_of(cell, 0.0 if skipped else 1.0, 0.0, "skipped" if skipped else "optimal")
        left.add(cell, record, 1.0)
    assert left.seconds(1.0) == pytest.approx(20.0)


def test_a_guess_does_not_look_at_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cost is that of the kinds of cells, not of their number."""
    calls = 0
    real = Estimator.seconds

    def counted(self: Estimator, cell: Cell) -> float | None:
        nonlocal calls
        calls += 1
        return real(self, cell)

    monkeypatch.setattr(Estimator, "seconds", counted)
    planned = cells(10, [100, 200], 100, 5)
    left = TimeLeft(planned, 2, Estimator("demo"))
    for cell in planned[:100]:
        left.add(cell, record_of(cell, 0.5, 0.0), 1.0)
    assert calls == 0
    left.seconds(1.0)
    assert calls <= 20


def test_progress_guesses_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = 0
    real = TimeLeft.seconds

    def counted(self: TimeLeft, now: float) -> float:
        nonlocal guesses
        guesses += 1
        return real(self, now)

    monkeypatch.setattr(TimeLeft, "seconds", counted)
    planned, now = cells(3, [10], 1000, 1), 0.0
    out = io.StringIO()
    progress = RunProgress(Console(file=out), planned, 1, Estimator("demo"), clock=lambda: now)
    for cell in planned:
        now += 0.02
        progress(cell, record_of(cell, 0.019, 0.0))
    assert guesses == 1
    assert out.getvalue() == "1501 of 3000 cells, about 30 s left\n"
    assert progress.summary() == "3000 optimal"


def test_growth_follows_a_power_of_the_size() -> None:
    growth = Growth()
    assert growth.at(10) is None
    for size in (10, 20, 40, 80):
        growth.add(size, 1e-3 * size**2)
    assert growth.at(160) == pytest.approx(1e-3 * 160**2, rel=0.3)


def test_sizes_that_hardly_differ_tell_nothing_of_growth() -> None:
    growth = Growth()
    for size, seconds in ((99, 0.1), (100, 1.0), (101, 10.0)):
        growth.add(size, seconds)
    assert growth.at(300) == pytest.approx(3.0, rel=0.3)


def test_no_cell_takes_longer_than_its_limit(tmp_path: Any) -> None:
    planned = cells(1, [10, 10_000], 1, 1)
    estimator = Estimator("demo", longest=8.0)
    estimator.learn(record_of(planned[0], 5.0, 0.0))
    assert estimator.seconds(planned[1]) == 8.0


def test_earlier_runs_tell_of_the_same_instance(tmp_path: Any) -> None:
    import json

    planned = cells(1, [10], 2, 1)
    (tmp_path / "before").mkdir()
    lines = [json.dumps({**record_of(cell, 7.0, 0.0), "key": cell.key}) for cell in planned[:1]]
    (tmp_path / "before" / "records.jsonl").write_text("\n".join([*lines, ""]))
    estimator = Estimator("demo")
    assert estimator.learn_runs(tmp_path) == 1
    assert estimator.seconds(planned[0]) == pytest.approx(7.0)
    assert estimator.seconds(planned[1]) == pytest.approx(7.0)
    assert Estimator("other").seconds(planned[0]) is None
