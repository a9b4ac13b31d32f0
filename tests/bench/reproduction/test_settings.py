"""What could decide a verdict is told with every claim: instances, seeds, limits, options and caps."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.experiments.experiment import Experiment
from bench.records.frame import Records
from bench.reproduction import runs
from bench.reproduction.context import Context
from bench.reproduction.runs import decisive_settings, run_experiment, seeds_text
from bench.studies import parsing_costs
from tests.support.made_records import made_records


def test_settings_name_seeds_options_and_caps() -> None:
    cell = {"size": "tac", "objective": 1.0, "cpu_seconds": 0.1, "structure": [1], "iterations": 1000}
    rows = [
        {**cell, "instance": f"c{number}", "solver": "ad3", "label": "ad3-1000", "options": {"max_iterations": most}}
        for number, most in enumerate((1000, 1000))
    ]
    rows[1]["iterations"] = 10
    rows.append({**cell, "instance": "c0", "solver": "crf", "label": "crf", "options": {}})
    solvers = [
        {"name": "ad3", "label": "ad3-1000", "options": {"max_iterations": 1000, "hub": False}},
        {"name": "crf", "label": "crf", "options": {"model": "somewhere/on/this/machine"}},
    ]
    records = made_records(
        rows, experiment={"name": "runtimes", "solvers": solvers}, provenance={"seeds": [102, 101, 103]}
    )
    assert decisive_settings(records) == (
        "runtimes: 2 of size tac (generated, seeds 101 to 103); limit 60 s (0 of 3 cells reached it); "
        "ad3-1000: hub=False, at most 1,000 iterations (1 of 2 reached them)"
    )


def test_seeds_that_do_not_follow_each_other_are_all_named() -> None:
    assert seeds_text([3, 1, 2, 2]) == "seeds 1 to 3"
    assert seeds_text([5, 9, 1]) == "seeds 1, 5, 9"
    assert seeds_text([1, 2]) == "seeds 1, 2"


def test_growth_has_settings_of_its_own() -> None:
    lengths = (10, 20, 40, 80)
    found = parsing_costs.growth("K heads", "SEQ", lengths, [[1e-6 * length] * 3 for length in lengths])
    said = parsing_costs.settings([found])
    assert "K heads: 10 to 80 words; K = 10, J = 10; laws of 9 sentences" in said


@pytest.mark.parametrize(("wanted", "measured"), [(None, 3), (1, 1), (9, 3)])
def test_cells_are_repeated_no_more_often_than_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: int | None, measured: int
) -> None:
    ran: list[Experiment] = []

    def recorded(experiment: Experiment, *_: object) -> Records:
        ran.append(experiment)
        cell = {"size": "tac", "objective": 1.0, "cpu_seconds": 0.1, "structure": [1], "instance": "c0"}
        return made_records([{**cell, "solver": "crf", "label": "crf"}], experiment={"name": "runtimes"})

    monkeypatch.setattr(runs, "audited_run", recorded)
    context = Context(tmp_path, repetitions=wanted)
    run_experiment("summarization-runtimes", context)
    assert ran[0].repetitions == context.runs[0]["repetitions"] == measured
