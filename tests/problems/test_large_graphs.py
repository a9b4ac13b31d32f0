"""Generated problems of any size: bare factor graphs, and `zipf` problems with thousands of sentences."""

from __future__ import annotations

import numpy as np
import pytest

from problems import get_task, task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.large_graphs import GRAPHS, grid, labels
from solvers import get_solver

TASK = BareGraphTask()


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


def test_relaxations_are_not_integral() -> None:
    for make in (grid, labels):
        assert not get_solver("lp-highs").solve(make(1000)).integral


def test_a_size_names_the_kind_and_the_number_of_variables() -> None:
    for size in ("grid-1000", "labels-1000-shuffled", "labels-10000"):
        graph = TASK.generate(2, size)
        assert abs(graph.number_of_variables / int(size.split("-")[1]) - 1) < 0.05
        assert np.array_equal(graph.scores, TASK.generate(2, size).scores)
        assert not np.array_equal(graph.scores, TASK.generate(3, size).scores)
        assert isinstance(task_of(graph), BareGraphTask)
    plain, shuffled = (TASK.generate(2, f"labels-1000{end}").blocks[0].variables for end in ("", "-shuffled"))
    assert np.array_equal(np.diff(plain), np.ones(len(plain) - 1))
    assert not np.array_equal(plain, shuffled)
    with pytest.raises(InputError, match="unknown size 'grid-7' of task 'graph'"):
        TASK.generate(1, "grid-7")


@pytest.mark.parametrize("name", ["summarization", "extraction"])
def test_large_zipf_problems_have_as_many_sentences_as_they_say(name: str) -> None:
    task = get_task(name)
    usual, larger = task.generate(3, "zipf"), task.generate(3, "zipf-300")
    assert len(larger.sentences if name == "summarization" else larger.lengths) == 300
    assert task.graph(larger).number_of_variables > task.graph(usual).number_of_variables
    assert larger.name == "zipf-300-3"
    assert larger.budget == usual.budget
