"""The studies behind the defaults run, and measure what they say (on tiny instances; nothing is decided by timing)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.studies import ad3_profile, ad3_step_sizes
from problems import get_task
from solvers import get_solver
from solvers.ad3_engine import ETA, PARSING_ETA, Engine, default_eta


def test_step_size_trials_close_the_gap_and_end() -> None:
    instance = get_task("extraction").generate(3, "tiny")
    graph, optimum = get_task("extraction").graph(instance), get_solver("lp-highs").solve(instance).bound
    trial = ad3_step_sizes.run(graph, optimum, 2.0, 1.6, adapt=True)
    assert len(trial.gaps) == ad3_step_sizes.ITERATIONS // ad3_step_sizes.STRETCH
    assert min(trial.gaps) >= -1e-9
    assert trial.gaps[-1] <= 1e-4
    assert trial.hit <= trial.iterations <= ad3_step_sizes.ITERATIONS


def test_step_size_study_tries_every_setting_on_every_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = [ad3_step_sizes.Problem(task, "tiny", range(1, 3), (1.0, 2.0)) for task in ("extraction", "parsing")]
    monkeypatch.setattr(ad3_step_sizes, "RELAXATIONS", (1.0, 1.6))
    table = ad3_step_sizes.measure(tmp_path, tiny)
    rows = [row for row in table.rows if row]
    assert [row[0] for row in rows] == ["extraction tiny"] * 8 + ["parsing tiny"] * 8
    assert {len(row) for row in rows} == {len(table.headings)}
    assert all(1 <= int(row[-2]) <= ad3_step_sizes.ITERATIONS for row in rows)
    assert (tmp_path / "gaps.png").stat().st_size > 10_000


def test_the_default_step_size_follows_the_problem() -> None:
    graphs = [get_task(task).graph(get_task(task).generate(1, "tiny")) for task in ("parsing", "extraction")]
    assert [default_eta(graph) for graph in graphs] == [PARSING_ETA, ETA]


def test_every_factor_is_solved_in_an_iteration_whose_cost_is_told() -> None:
    name, links, factors, *costs = ad3_profile.iteration_costs("extraction", "tiny")
    graph = get_task("extraction").graph(get_task("extraction").generate(ad3_profile.SEED, "tiny"))
    engine = Engine(graph, 2.0)
    assert name == "extraction tiny"
    assert (int(links), int(factors)) == (engine.consensus.number_of_links, len(engine.layout.codes))
    assert len(costs) == 3
