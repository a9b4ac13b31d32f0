"""Time left: right within a factor of 2 once a fifth of the run is done, and cheap however many cells there are."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from bench.experiments.experiment import SolverSpec
from bench.experiments.plan import Cell, Instance
from bench.records.fields import FIELDS
from bench.runner.estimate import Estimator, Growth, Pace, Recorded
from bench.runner.progress import RunProgress, TimeLeft
from problems.profile import Profile
from solvers.advice import Candidate, Case, Table, case_name
from solvers.advice import Cell as RecordedCell

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
    planned: list[Cell],
    seconds: Seconds,
    setup: float = 2.0,
    beside: float = 0.005,
    checker: float = 0.0,
    recorded: Recorded | None = None,
) -> list[tuple[float, float]]:
    """Run the cells on a clock of our own: (time passed, time left as told) after each. `checker` starts with the second cell."""
    left = TimeLeft(planned, 1, Estimator("demo", recorded=recorded))
    generator, now, started, told = random.Random(1), 40.0, set(), []
    for cell in planned:
        name = cell.solver.name
        wall = seconds(name, cell.instance.instance_size, generator)
        starting = 0.0 if name in started else setup
        started.add(name)
        now += wall + starting + beside + (checker if cell is planned[1] else 0.0)
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


def heavy(name: str, size: int, generator: random.Random) -> float:
    """The last instances of a size take as long as all others together, and one solver is slow."""
    return (5.0 if size >= 108 else 0.05) * (1 + 9 * (name == "solver-0"))


def table_of(planned: list[Cell], seconds: Callable[[Cell], float], outcome: str = "optimal") -> Table:
    """A table of `advise` that has these cells."""
    table = Table(())
    for cell in planned:
        made = {Candidate.of(cell.solver.name, cell.solver.options): RecordedCell(seconds(cell), outcome)}
        name = case_name(cell.instance.name, cell.instance.digest)
        table = table.extended(Table((Case(Profile("demo", "", {"words": 1.0}), name, cell.instance.size, made),)))
    return table


def test_recorded_times_tell_what_a_first_instance_does_not() -> None:
    """One repetition of sizes with a heavy tail, on a machine three times as fast as the one that recorded the table."""
    tailed = cells(3, list(range(100, 110)), 1, 1)
    planned = [replace(cell, instance=replace(cell.instance, size="same")) for cell in tailed]

    def slower(cell: Cell) -> float:
        return 3.0 * heavy(cell.solver.name, cell.instance.instance_size, random.Random(0))

    recorded = Recorded("demo", table_of(planned, slower))

    def worst(known: Recorded | None) -> float:
        told = replay(planned, heavy, setup=0.5, recorded=known)
        end = told[-1][0]
        inside = [(left, end - passed) for passed, left in told if 0.2 * end <= passed <= 0.95 * end]
        return max(max(left / true, true / left) for left, true in inside)

    assert worst(None) > 2.0
    assert worst(recorded) < 2.0


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


def test_recorded_times_are_of_the_same_solver_options_and_instance() -> None:
    planned = cells(2, [10], 2, 1)
    recorded = Recorded("demo", table_of(planned[:1], lambda cell: 4.0))
    assert [recorded.seconds(cell) for cell in planned] == [4.0, None, None, None]
    other = replace(planned[0], solver=replace(planned[0].solver, label="other", options={"reduced": True}))
    assert recorded.seconds(other) is None
    assert recorded.seconds(replace(planned[0], instance=replace(planned[0].instance, digest="another"))) is None
    assert Recorded("other", table_of(planned, lambda cell: 4.0)).seconds(planned[0]) is None
    assert Recorded("demo", table_of(planned, lambda cell: 4.0, "refused")).seconds(planned[0]) is None
    assert Estimator("demo", 3.0, recorded).earlier(planned[0]) == 3.0


def test_the_pace_is_a_solvers_own_and_at_first_that_of_all() -> None:
    pace = Pace()
    assert pace.of("a") == 1.0
    pace.add("a", 1.0, 2.0)
    assert pace.of("a") == pace.of("b") == pytest.approx(0.5)
    for _ in range(99):
        pace.add("b", 4.0, 1.0)
    assert pace.of("b") == pytest.approx(4.0, rel=0.05)
    assert 0.5 < pace.of("a") < pace.of("b")


def test_tracing_takes_as_much_longer_as_it_did() -> None:
    planned = cells(1, [10, 20], 1, 1, traced=True)  # two cells, then the same two traced
    estimator = Estimator("demo")
    for cell, wall in zip(planned[:2], (1.0, 2.0), strict=True):
        estimator.learn(record_of(cell, wall, 0.0))
    assert estimator.seconds(planned[3]) == pytest.approx(2.0)
    estimator.learn(record_of(planned[2], 5.0, 0.0))
    assert estimator.seconds(planned[3]) == pytest.approx(10.0)


def test_starting_the_checker_is_not_charged_to_every_cell() -> None:
    told = replay(cells(2, [10], 500, 1), lambda *_: 0.005, setup=0.5, checker=6.0)
    end = told[-1][0]
    for passed, left in told[4:]:
        assert left <= 2.0 * (end - passed) + 1.0, (passed, left, end)


def test_jobs_do_not_count_one_anothers_time() -> None:
    """Two jobs side by side: the second starts a worker for 10 s, while the first goes on with short cells."""
    planned = cells(1, [10], 210, 1)
    left = TimeLeft(planned, 2, Estimator("demo"))
    for number, cell in enumerate(planned[:100]):
        left.add(cell, {**record_of(cell, 0.1, 0.0), "slot": 0}, 0.1 * (number + 1))
    left.add(planned[100], {**record_of(planned[100], 0.1, 9.9), "slot": 1}, 10.0)
    assert left.seconds(10.0) == pytest.approx(109 * 0.1 / 2 + 9.9 / 2, rel=0.2)
