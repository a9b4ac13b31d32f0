"""Graphs as toulbar2's .wcsp and .cfn files: they keep every score and the optimum."""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given, settings
from hypothesis import strategies as st
from network_files import with_toulbar2
from toulbar2_oracle import optima

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.foreign import Factor
from problems.formats.cfn_writer import write_cfn
from problems.formats.wcsp import as_scores
from problems.formats.wcsp_writer import write_wcsp
from solvers import get_solver


@given(factor_graphs(most_variables=6, most_factors=4))
def test_a_graph_of_any_kinds_keeps_its_optimum(graph: FactorGraph) -> None:
    expected = get_solver("brute-force").solve(graph)
    with tempfile.TemporaryDirectory() as folder:
        for writer, name in ((write_cfn, "graph.cfn"), (write_wcsp, "graph.wcsp")):
            writer(graph, Path(folder) / name)
            found = get_solver("ilp-highs").solve(FactorGraph.read(Path(folder) / name))
            assert (found.status == "infeasible") == (expected.status == "infeasible")
            if found.status != "infeasible":
                assert found.objective == pytest.approx(expected.objective, abs=1e-6)


PLAIN = ("at_most_one", "or", "or_out", "and_out", "imply", "budget", "knapsack", "knapsack_hull", "pair", "subtree")


@given(factor_graphs(most_variables=5, most_factors=4, kinds=PLAIN), st.integers(-3, 40))
def test_a_graph_of_0_1_variables_keeps_every_score(graph: FactorGraph, power: int) -> None:
    """Without groups and columns of their own, variables stay what they are."""
    graph.constant = 0.1 * 10.0**power
    with tempfile.TemporaryDirectory() as folder:
        for writer, name in ((write_wcsp, "graph.wcsp"), (write_cfn, "graph.cfn")):
            if power > 12 and writer is write_cfn:
                continue  # too large for its digits
            writer(graph, Path(folder) / name)
            read = FactorGraph.read(Path(folder) / name)
            assert read.number_of_variables == graph.number_of_variables
            for values in itertools.product((0, 1), repeat=graph.number_of_variables):
                expected = graph.objective(values)
                assert read.objective(values) == pytest.approx(expected, rel=1e-12, abs=1e-9)


@with_toulbar2
def test_toulbar2_finds_the_optimum_of_random_graphs(tmp_path: Path) -> None:
    paths: list[Path] = []
    expected: list[float | None] = []

    @given(factor_graphs(most_variables=6, most_factors=4))
    def write_some(graph: FactorGraph) -> None:
        found = get_solver("brute-force").solve(graph)
        for writer, ending in ((write_cfn, "cfn"), (write_wcsp, "wcsp")):
            paths.append(tmp_path / f"{len(paths)}.{ending}")
            expected.append(None if found.status == "infeasible" else found.objective)
            writer(graph, paths[-1])

    write_some()
    assert len(paths) >= settings.default.max_examples  # two files of each
    for path, objective, cost in zip(paths, expected, optima(paths), strict=True):
        assert (cost is None) == (objective is None), path.read_text()
        assert cost is None or scored(path, cost) == pytest.approx(objective, abs=1e-6), path.read_text()


def scored(path: Path, cost: float) -> float:
    """What a cost that toulbar2 found for a file of ours scores."""
    if path.suffix == ".cfn":
        return -cost
    top, scale = as_scores(path.read_text().split()[0])
    return top - cost / scale


@with_toulbar2
def test_toulbar2_finds_the_optimum_of_generated_instances(tmp_path: Path) -> None:
    sizes = {"extraction": "tiny", "summarization": "tiny", "parsing": "tiny-2", "compression": "tiny-chart"}
    expected: dict[Path, float] = {}
    for name, size in sizes.items():
        task = get_task(name)
        for seed in (1, 2):
            graph = task.graph(task.generate(seed, size))
            for writer, ending in ((write_cfn, "cfn"), (write_wcsp, "wcsp")):
                path = tmp_path / f"{name}-{seed}.{ending}"
                writer(graph, path)
                expected[path] = get_solver("ilp-highs").solve(graph).objective
    for path, cost in zip(expected, optima(expected), strict=True):
        assert cost is not None
        assert scored(path, cost) == pytest.approx(expected[path], rel=1e-6), path.name


def foreign() -> Factor:
    class Nothing(Factor):
        def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
            return (scores > 0).astype(float), 0.0

    return Nothing()


def test_what_networks_cannot_say(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables([1e30, -2.0])
    with pytest.raises(InputError, match=r"the \.cfn format has no costs for scores as large as these"):
        write_cfn(graph, tmp_path / "x.cfn")
    graph.add_factor(foreign(), x)
    for writer in (write_cfn, write_wcsp):
        with pytest.raises(InputError, match="networks cannot say factors of your own"):
            writer(graph, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_the_names_in_a_cfn_file_are_the_graphs_variables(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.5, 0.25, -1.0, 2.0])
    graph.add_logic("xor", x[[1, 3]])
    graph.add_pair(0, 3, 0.125)
    write_cfn(graph, tmp_path / "named.cfn")
    document = json.loads((tmp_path / "named.cfn").read_text())
    assert document["variables"] == {"x0": 2, "g1": ["x1", "x3"], "x2": 2}
    assert document["problem"]["mustbe"].startswith("<")
    assert [len(text.partition(".")[2]) for text in [document["problem"]["mustbe"]]] == [3]  # digits of 0.125


def test_whole_costs_say_their_scale(tmp_path: Path) -> None:
    graph = FactorGraph()
    graph.add_variables([0.5, -0.25])
    write_wcsp(graph, tmp_path / "scaled.wcsp")
    lines = (tmp_path / "scaled.wcsp").read_text().splitlines()
    assert lines[0] == "dualbench:score=0.5-cost/1e2 2 2 2 151"
    assert FactorGraph.read(tmp_path / "scaled.wcsp").objective([1, 1]) == 0.25
    assert as_scores("dualbench:score=x-cost/1e2") == as_scores("towns") == (0.0, 1.0)
