"""No kernel is loaded or compiled inside of a timed cell, not even a worker's first: warm-ups load all that a task may need."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from graph_strategies import ALL_KINDS, factor_graphs, summary_graphs
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.factors import KINDS
from problems.warm_up_graphs import warm_up_graphs
from solvers.registry import solver_class, solver_names

ROOT = Path(__file__).parent.parent.parent
DUAL_DECOMPOSITION = ("ad3", "ad3-exact", "ad3-ilp", "subgradient")
TASKS = ("extraction", "summarization", "parsing", "compression", "transduction")


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """So many examples, the same ones each time."""
    found = []

    @settings(max_examples=count, derandomize=True, database=None, phases=[Phase.generate], deadline=None)
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


def graphs(count: int) -> list[FactorGraph]:
    """Random graphs of each kind of factor alone, of several kinds, and like those of summaries."""
    strategies = [*(factor_graphs(kinds=(kind,)) for kind in ALL_KINDS), factor_graphs(), summary_graphs()]
    return [graph for strategy in strategies for graph in drawn(strategy, count)]


def sentences(task: str, count: int) -> list[Any]:
    """A task's instances of its two first sizes, the smallest ones."""
    sizes = list(get_task(task).sizes)
    return [get_task(task).generate(seed, size) for size in sizes[:2] for seed in range(1, count + 1)]


def loaded(folder: Path, task: str, instances: list[Any], solvers: list[str]) -> dict[str, list[str]]:
    """The kernels that each solver, in a fresh worker, loads after its warm-up."""
    cells = folder / "cells"
    cells.write_bytes(pickle.dumps([pickle.dumps(instance) for instance in instances]))
    command = [sys.executable, str(ROOT / "tests/support/first_cells.py"), task, str(cells), *solvers]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def usable(task: str) -> list[str]:
    """The solvers that can run here on a task."""
    found = []
    for name in solver_names():
        chosen = solver_class(name, None if task == "graph" else task)
        if (chosen.tasks is None or task in chosen.tasks) and chosen.unavailable() is None:
            found.append(name)
    return found


def test_warm_up_graphs_have_every_kind_of_factor() -> None:
    assert {kind for graph in warm_up_graphs() for kind in graph.kinds} == set(KINDS)


def test_no_first_cell_of_a_bare_graph_loads_a_kernel(tmp_path: Path) -> None:
    solvers = [*DUAL_DECOMPOSITION, "ilp-highs"]
    assert loaded(tmp_path, "graph", graphs(3), solvers) == {name: [] for name in solvers}


def test_max_marginals_are_loaded_before_the_first_cell(tmp_path: Path) -> None:
    """Tiny sentences are settled without them."""
    assert loaded(tmp_path, "compression", sentences("compression", 1), ["ad3-ilp"]) == {"ad3-ilp": []}


@pytest.mark.slow
def test_no_first_cell_of_a_bare_graph_loads_a_kernel_in_any_solver(tmp_path: Path) -> None:
    solvers = usable("graph")
    assert loaded(tmp_path, "graph", graphs(10), solvers) == {name: [] for name in solvers}


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_no_first_cell_of_a_task_loads_a_kernel(tmp_path: Path, task: str) -> None:
    solvers = usable(task)
    assert loaded(tmp_path, task, sentences(task, 1), solvers) == {name: [] for name in solvers}
