"""Generated graphs that are small or dense: what each kind is, and that real files are like them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from problems.bare_graph import BareGraphTask
from problems.factor_graph import FactorGraph
from problems.small_graphs import SIZES, SMALL
from solvers import get_solver

TASK = BareGraphTask()


@pytest.mark.parametrize("size", SIZES)
def test_a_size_names_the_kind_and_about_the_number_of_variables(size: str) -> None:
    graph, asked = TASK.generate(2, size), int(size.split("-")[1])
    assert 0.75 * asked - 2 <= graph.number_of_variables <= 1.35 * asked + 2
    again, other = TASK.generate(2, size), TASK.generate(3, size)
    pairs = zip(graph.blocks, again.blocks, strict=True)
    assert np.array_equal(graph.scores, again.scores)
    assert all(np.array_equal(own.variables, same.variables) for own, same in pairs)
    assert size.startswith("colours") or not np.array_equal(graph.scores, other.scores)


@pytest.mark.parametrize("kind", sorted(SMALL))
def test_solvers_agree_on_small_ones(kind: str) -> None:
    size = next(size for size in SIZES if size.startswith(kind))
    graph = TASK.generate(5, size)
    exact = get_solver("ilp-highs").solve(graph)
    assert exact.status == "optimal"
    assert get_solver("ad3-exact").solve(graph).objective == pytest.approx(exact.objective)
    assert get_solver("lp-highs").solve(graph).bound >= exact.objective - 1e-9


@pytest.mark.parametrize("size", ["spins-72", "colours-30", "mentions-66", "roles-500", "baskets-40"])
def test_relaxations_are_not_always_integral(size: str) -> None:
    assert not all(get_solver("lp-highs").solve(TASK.generate(seed, size)).integral for seed in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("grid3x3.uai", "spins-18"),
        ("grid4x4.uai", "spins-32"),
        ("grid10x10.f2.wrap.uai", "spins-200"),
        ("GEOM30a_3.uai", "colours-90"),
        ("coref.fg", "mentions-45"),
        ("srl_fract_001.fg", "roles-300"),
        ("srl_fract_005.fg", "roles-500"),
    ],
)
def test_real_files_are_of_a_generated_kind_and_size(data_folder: Path, name: str, size: str) -> None:
    """The advice for them rests on graphs of the same kinds of factors and of about as many variables, factors and links."""
    real = TASK.profile(FactorGraph.read(data_folder / "factor_graphs" / name))
    made = TASK.profile(TASK.generate(7001, size))
    assert made.variant == real.variant
    for measure, value in real.measures.items():
        assert 0.6 <= made.measures[measure] / value <= 1.6, measure
