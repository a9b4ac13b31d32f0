"""Figures of the parsing paper from numbers made by hand, the smaller experiments of quick runs, and the burning solver."""

from __future__ import annotations

import time

import pytest

from bench.experiments.experiment import read_experiment
from bench.reproduction.pieces.comparison import TASKS, smaller
from bench.reproduction.pieces.parsing_claims import Growth, Race
from bench.reproduction.pieces.parsing_figures import growth_figure, length_figure
from bench.studies.burning_solver import Burns


def test_growth_has_a_panel_per_pruning_and_a_line_per_component() -> None:
    found = [
        Growth(regime, name, (10, 20, 40), (1e-6, 4e-6, 16e-6), 2.0, 2)
        for regime in ("no pruning", "K heads")
        for name in ("TREE", "SEQ")
    ]
    shown = growth_figure(found)
    panels = [axis for axis in shown.figure.axes if axis.lines]
    assert [axis.get_title() for axis in panels] == ["no pruning", "K heads"]
    assert [list(line.get_ydata()) for line in panels[0].lines] == [pytest.approx([1, 4, 16])] * 2  # microseconds
    assert "K heads, SEQ: 2.0" in shown.alt


def test_lengths_are_means_of_bins_of_five_words() -> None:
    races = [Race(6, 1.0, 2.0, False), Race(9, 3.0, 6.0, False), Race(22, 5.0, 25.0, True)]
    shown = length_figure(races)
    ad3, subgradient = shown.figure.axes[0].lines
    assert list(ad3.get_xdata()) == [7.5, 22.5]
    assert list(ad3.get_ydata()) == [2.0, 5.0]
    assert list(subgradient.get_ydata()) == [4.0, 25.0]
    assert "22 words" in shown.alt


@pytest.mark.parametrize("task", TASKS)
def test_a_quick_comparison_keeps_the_named_solvers(task: str) -> None:
    whole = read_experiment(f"compare-{task}")
    quick = smaller(TASKS[task], whole)
    assert {spec.name for spec in quick.solvers} == set(TASKS[task].solvers)
    assert quick.limits.seconds == 5.0
    assert len(quick.source.seeds) == TASKS[task].seeds
    assert quick.table.get("baseline") in (None, *(spec.label for spec in quick.solvers))


def test_the_burning_solver_spends_what_it_is_told() -> None:
    start = time.process_time()
    Burns(milliseconds=20.0).solve(None)
    assert time.process_time() - start >= 0.02
