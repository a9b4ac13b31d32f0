"""The studies of scaling, warm starts and cost: what they conclude from what they measured (nothing is decided by timing)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from bench.output.plots.scaling import PowerLaw
from bench.studies import ad3_profile, cost_per_million, scaling, scaling_plot, warm_starts
from bench.studies.large_graphs import GRAPHS, grid, labels
from bench.studies.scaling_cases import INSTANCES, UNITS, Series, all_series
from bench.studies.scaling_point import measure
from problems import get_task
from solvers import get_solver

SERIES = Series("graphs", "made up", "grid", "ad3", {}, (100, 1000, 10_000, 100_000))


def test_the_next_point_is_foretold_from_the_last_two() -> None:
    assert scaling.foretold([], 10) == 0.0
    assert scaling.foretold([(10, 2.0)], 100) == 2.0
    assert scaling.foretold([(10, 1.0), (20, 4.0)], 40) == pytest.approx(16.0)
    assert scaling.foretold([(10, 4.0), (20, 1.0)], 40) == 1.0  # noise: nothing gets faster with size


def fake(log: list[int]) -> Any:
    def run_point(series: Series, size: int, limit: float) -> dict[str, Any]:
        log.append(size)
        seconds = 1e-6 * size**2
        facts = {"seconds": seconds, "build_seconds": 0.25 * seconds, "memory_mb": 1.0}
        return {"task": series.task, "series": series.name, "size": size, **facts}

    return run_point


def test_a_study_is_resumed_and_ends_series_that_would_take_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    monkeypatch.setattr(scaling, "run_point", fake(done))
    assert not scaling.grow(tmp_path, [SERIES], 200.0, deadline=time.monotonic() - 1)
    assert done == []
    assert scaling.grow(tmp_path, [SERIES._replace(sizes=SERIES.sizes[:2])], 200.0, time.monotonic() + 60)
    assert done == [100, 1000]
    assert scaling.grow(tmp_path, [SERIES], 200.0, time.monotonic() + 60)
    assert done == [100, 1000, 10_000]  # 100 s; the next one is foretold to take 10,000 s
    cells = scaling.read_cells(tmp_path)
    assert [cell["size"] for cell in cells if "seconds" in cell] == done
    assert cells[-1]["failure"] == "foretold 1e+04 s"
    table = scaling.table_of("graphs", cells, 200.0, complete=True)
    assert table.rows == [["made up", "0.01", "1", "100", "", "2.00 [2.00, 2.00]", "25", "1"]]
    scaling.write(tmp_path, 200.0, complete=True)
    assert (tmp_path / "graphs.png").stat().st_size > 1000


def test_exponents_are_those_of_the_larger_half() -> None:
    sizes = [10, 20, 40, 80, 160, 320]
    cells = [{"size": size, "seconds": max(1.0, (size / 80) ** 3)} for size in sizes]
    fitted = scaling.law(cells)
    assert fitted is not None
    assert fitted.exponent == pytest.approx(3.0)


def test_a_point_is_measured_in_a_process_of_its_own() -> None:
    series = SERIES._replace(options={"max_iterations": 20})
    found = scaling.run_point(series, 400, 30.0)
    assert found["size"] == 400
    assert found["seconds"] > 0
    assert found["peak_mb"] > found["memory_mb"] >= 0
    broken = scaling.run_point(series._replace(options={"max_iterations": -1}), 400, 30.0)
    assert broken["failure"].startswith("InputError")
    program = measure(SERIES._replace(solver="lp-highs", build_only=True), 100, 1)
    assert (program["columns"], program["rows"]) == (100 + 180, 540)


def test_every_series_names_what_exists() -> None:
    names = [(series.task, series.name) for series in all_series()]
    assert len(set(names)) == len(names)
    assert {task for task, _ in names} == set(UNITS)
    for series in all_series():
        assert series.instances in INSTANCES
        get_solver(series.solver, None if series.task == "graphs" else series.task, **series.options)


@pytest.mark.parametrize("kind", sorted(GRAPHS))
def test_a_shuffled_graph_has_the_same_parts(kind: str) -> None:
    plain, shuffled = (GRAPHS[kind](60, 3, shuffled=flag) for flag in (False, True))
    assert plain.number_of_factors == shuffled.number_of_factors
    assert plain.number_of_links == shuffled.number_of_links
    assert plain.kinds == shuffled.kinds
    for graph in (plain, shuffled):
        relaxed, exact = get_solver("lp-highs").solve(graph), get_solver("ilp-highs").solve(graph)
        assert exact.status == "optimal"
        assert relaxed.bound >= exact.objective - 1e-9


def test_sizes_of_graphs() -> None:
    assert grid(10_000).number_of_variables == 10_000
    assert labels(10_000).number_of_variables == 10_000


def test_large_zipf_problems_have_what_was_asked_for() -> None:
    for name in ("summarization", "extraction"):
        usual, larger = get_task(name).generate(3, "zipf"), INSTANCES[name](300, 3)
        count = len(larger.sentences) if name == "summarization" else len(larger.lengths)
        assert count == 300
        assert get_task(name).graph(larger).number_of_variables > get_task(name).graph(usual).number_of_variables
        assert larger.name == "zipf-300-3"


def test_costs_are_extrapolated_from_means() -> None:
    found = cost_per_million.Cost([0.001, 0.003], [0.0005, 0.0005], 1)
    row = cost_per_million.row("x", 20.0, found)
    assert row[:5] == ["x", "20.0", "2", "2", "0.5"]
    assert row[5].startswith("0.556 +- ")  # 2000 s
    assert row[6:] == ["0.694", "50"]
    assert cost_per_million.interval([1.0, 3.0]) == pytest.approx(12.706, abs=1e-3)


def test_the_studies_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_starts, "STEPS", 1)
    monkeypatch.setattr(warm_starts, "CHANGES", (0.05,))
    warm_starts.main(tmp_path / "warm", quick=True)
    assert (tmp_path / "warm" / "table.md").read_text().count("\n| ") == 2 + 5
    chosen = {"extraction": ("tac", (("greedy", {}),)), "parsing": ("ptb", (("dp-mst", {}),))}
    monkeypatch.setattr(cost_per_million, "SAMPLES", chosen)
    cost_per_million.main(tmp_path / "cost", quick=True)
    assert "extraction tac: greedy" in (tmp_path / "cost" / "table.md").read_text()
    assert json.loads((tmp_path / "cost" / "provenance.json").read_text())["first_seed"] == cost_per_million.SEED


def test_a_limit_that_is_raised_takes_up_what_was_foretold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def run_point(series: Series, size: int, limit: float) -> dict[str, Any]:
        asked.append(size)
        return {"task": series.task, "series": series.name, "size": size, "seconds": size / 1000}

    monkeypatch.setattr(scaling, "run_point", run_point)
    later = time.monotonic() + 60
    assert scaling.grow(tmp_path, [SERIES], 15.0, later)
    assert asked == [100, 1000, 10_000]  # 100 s are foretold for the last
    assert scaling.grow(tmp_path, [SERIES], 150.0, later)
    assert asked == [100, 1000, 10_000, 100_000]


def test_the_profile_of_ad3_puts_everything_back_and_accounts_for_all_time() -> None:
    def switches() -> list[Any]:
        return [getattr(module, name) for module, name in ad3_profile.SWITCHES]

    kept = switches()
    with ad3_profile.before():
        assert switches() != kept
    assert switches() == kept
    instance = get_task("extraction").generate(1, "tiny")
    found = ad3_profile.phases(instance, 100)
    solution = get_solver("ad3", max_iterations=100).solve(instance)
    assert (found["bound"], found["objective"]) == (solution.bound, solution.objective)
    assert all(found[name] >= 0.0 for name in ("graph", "presolve", "layout", "iterate", "round"))


def test_the_figure_of_scaling(tmp_path: Path) -> None:
    points = [{"size": size, "seconds": size / 1e4, "memory_mb": 0.0} for size in (10, 100, 1000)]
    scaling_plot.plot(
        "graphs",
        "variables",
        {"a": points, "b": points[:1]},
        {"a": PowerLaw(1.0, 0.9, 1.1, 1e-4), "b": None},
        tmp_path / "f",
    )
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
