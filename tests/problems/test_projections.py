"""Projections: the quadratic problem of every factor kind, checked by its optimality conditions.

z minimizes 1/2 ||z - a||^2 - scale * own(z) over the polytope if and only if z is feasible and maximizes
(a - z) y + scale * own(y) over it: a linear program, solved by scipy on the kind's own linear description.
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import pytest
from graph_strategies import ALL_KINDS, one_factor
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_oracle import lp_optimum
from parsing_sentences import random_parsing_factor
from parsing_strategies import PARSING_KINDS

from problems.compression.forests import kept_path, kept_tree
from problems.factor_graph import FactorGraph
from problems.factors import Block
from problems.kernels.active_set import ROOM, ActiveSet, clear_from_python
from problems.kernels.families import PROJECT, load
from problems.kernels.project import memory_sizes, prepare_factor, project_factor_folded
from problems.kernels.project_knapsack import pardalos_kovoor, project_knapsack

# Coarse values make ties and points on the boundary common; then fine ones, and huge ones.
coordinates = st.one_of(
    st.integers(-4, 6).map(lambda value: value / 4),
    st.floats(-3, 3, allow_nan=False),
    st.sampled_from([1e6, -1e6, 1e6 + 0.25]),
)
scales = st.sampled_from([1.0, 0.1, 25.0])
WITH_OWN_SCORES = ("pair", "dense", "subtree", "grand_siblings", "tri_siblings", "head_bigrams", "derivation")


def only_block(graph: FactorGraph) -> Block:
    (block,) = graph.blocks
    return block


def optimality_gap(graph: FactorGraph, point: np.ndarray, scale: float, z: np.ndarray) -> float:
    """How much a feasible point gains on z in the linearized problem; points are given per link."""
    block = only_block(graph)
    program = graph.linear_program()
    count = graph.number_of_variables
    program.objective[:count] -= graph.scores
    program.objective[:] *= scale
    program.objective[block.variables] += point - z
    best = lp_optimum(program)
    assert best is not None
    at_z = np.empty(count)
    at_z[block.variables] = z
    assert at_z.min() >= -1e-9
    assert at_z.max() <= 1.0 + 1e-9
    if len(program.objective) == count:
        assert program.violation(at_z) <= 1e-8
        reached = program.constant + float(program.objective @ at_z)
    else:
        program.lower[:count] = program.upper[:count] = at_z
        fixed = lp_optimum(program)
        assert fixed is not None, "the projection is outside of the polytope"
        reached = fixed[0]
    return best[0] - reached


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ((-1.5, 2.0, 1.0, 3.0), (0.35, 0.25)),
        ((-0.5, 3.0, 1.5, 3.5), (0.35, 0.2)),
        ((-1.0, 0.3, 0.3, 0.6), (0.13, 0.13)),
    ],
)
def test_the_square_needs_a_configuration_more_than_are_independent(
    own: tuple[float, ...], expected: tuple[float, float]
) -> None:
    """Three corners span the plane; the fourth has to replace one of them, not to share the place of two."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])

    def maximize(scores: np.ndarray) -> tuple[np.ndarray, float]:
        best = int(np.argmax(corners @ scores + own))
        return corners[best], own[best]

    assert ActiveSet(2).project(np.zeros(2), 0.1, maximize) == pytest.approx(expected, abs=1e-12)
    graph = FactorGraph()
    start, first, second, both = own  # of the end after START, of each modifier alone, and of both
    graph.add_grand_siblings(
        [], graph.add_variables([0.0, 0.0]), [], [1, 2], [[first, second, start], [0, both - first, 0], [0, 0, 0]]
    )
    assert only_block(graph).project(np.zeros(2), 0.1) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ALL_KINDS)
@given(data=st.data())
def test_optimality_conditions(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    block = only_block(graph)
    degree = graph.number_of_variables
    point = np.array(data.draw(st.lists(coordinates, min_size=degree, max_size=degree)))
    scale = data.draw(scales)
    z = block.project(point, scale)
    assert optimality_gap(graph, point, scale, z) <= 1e-8 * (scale + np.abs(point).max())


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if kind not in WITH_OWN_SCORES])
@given(data=st.data())
def test_projecting_twice_changes_nothing(kind: str, data: st.DataObject) -> None:
    graph = data.draw(one_factor(kind))
    degree = graph.number_of_variables
    point = np.array(data.draw(st.lists(st.floats(-2, 2), min_size=degree, max_size=degree)))
    z = only_block(graph).project(point)
    np.testing.assert_allclose(only_block(graph).project(z), z, rtol=0, atol=1e-10)


# -- larger factors ----------------------------------------------------------------------------------------------------


def random_factor(kind: str, rng: np.random.Generator) -> FactorGraph:
    if kind in PARSING_KINDS:
        return random_parsing_factor(kind, rng)
    graph = FactorGraph()
    degree = 2 if kind == "pair" else int(rng.integers(2, 80))
    variables = graph.add_variables(np.zeros(degree))
    if kind == "budget":
        graph.add_budget(variables, int(rng.integers(0, degree + 2)))
    elif kind in ("knapsack", "knapsack_hull"):
        costs = rng.integers(0, 9, degree)
        graph.add_knapsack(variables, costs, int(rng.integers(0, costs.sum() + 2)), hull=kind == "knapsack_hull")
    elif kind == "pair":
        graph.add_pair(0, 1, rng.normal())
    elif kind == "dense":
        cut = int(rng.integers(1, degree))
        table = np.where(rng.random(cut * (degree - cut)) < 0.1, -np.inf, rng.normal(size=cut * (degree - cut)))
        table[0] = 0.0
        graph.add_dense([variables[:cut], variables[cut:]], table)
    elif kind == "subtree":
        reach = int(rng.integers(1, degree + 1))  # from chains to stars
        parents = [-1] + [int(rng.integers(max(0, node - reach), node)) for node in range(1, degree)]
        graph.add_subtree_deletion(variables, parents, rng.normal(size=degree), rng.random(degree) < 0.3)
    elif kind == "derivation":
        words = degree % 20 + 1
        graph = FactorGraph()
        variables, bigrams = graph.add_variables(np.zeros(words)), rng.normal(size=(words + 2, words + 2))
        trees = kept_tree(rng.normal(size=(words + 1, words)), bigrams)
        graph.add_derivation(variables, trees if degree % 2 else kept_path(bigrams, int(rng.integers(words + 1))))
    else:
        graph.add_logic(kind, variables, rng.random(degree) < 0.5)
    return graph


def linear_gain(block: Block, point: np.ndarray, scale: float, z: np.ndarray) -> float:
    """The optimality gap by `maximize` instead of a linear program; the own score of z is left out."""
    values, _ = block.maximize((point - z) / scale)
    return scale * float(values[0]) - float((point - z) @ z)


def random_points(rng: np.random.Generator, degree: int, count: int) -> np.ndarray:
    """A drifting sequence, with jumps and ties, as AD3 produces them."""
    drift = rng.normal(size=degree) * 0.7 + np.cumsum(0.05 * rng.normal(size=(count, degree)), axis=0)
    drift[count // 2 :] += rng.normal(size=degree)
    drift[count // 3] = 0.25
    drift[-2] *= 1e5
    return drift


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if kind not in WITH_OWN_SCORES or kind == "subtree"])
def test_large_factors(kind: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        block = only_block(random_factor(kind, rng))
        own = np.zeros(len(block.variables))
        if kind == "subtree":
            links, worth = block.linear_scores()  # type: ignore[attr-defined]
            np.add.at(own, links, worth)
        for point in random_points(rng, len(block.variables), 6):
            scale = float(rng.choice([0.2, 1.0, 5.0]))
            z = block.project(point, scale)
            gap = linear_gain(block, point, scale, z) - scale * float(own @ z)
            assert abs(gap) <= 1e-9 * (1 + np.abs(point).max()) * len(z)


@numba.njit
def _sizes(code, degree, ints):
    return memory_sizes(code, degree, ints)


@numba.njit
def _prepare(code, degree, ints, floats, int_memory, float_memory):
    prepare_factor(code, degree, ints, floats, int_memory, float_memory)


@numba.njit
def _project(code, point, scale, ints, floats, int_memory, float_memory, z):
    return project_factor_folded(code, point, scale, ints, floats, int_memory, float_memory, z)


class Prepared:
    """One factor of a block without negations, with memory across projections."""

    def __init__(self, block: Block) -> None:
        self.block = block
        load(PROJECT, (block.code,))
        ints, floats = _sizes(block.code, len(block.variables), block.ints)
        self.ints, self.floats = np.full(ints, -7, dtype=np.int64), np.full(floats, np.nan)
        _prepare(block.code, len(block.variables), block.ints, block.floats, self.ints, self.floats)

    def project(self, point: np.ndarray, scale: float) -> np.ndarray:
        z = np.full(len(point), np.nan)
        block = self.block
        for _ in range(1000):
            if _project(block.code, point, scale, block.ints, block.floats, self.ints, self.floats, z):
                return z
        raise AssertionError("the projection does not end")


@pytest.mark.parametrize(
    "kind", ["budget", "knapsack", "knapsack_hull", "dense", "subtree", "derivation", *PARSING_KINDS]
)
def test_a_warm_start_changes_nothing(kind: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        block = only_block(random_factor(kind, rng))
        warm = Prepared(block)
        for point in random_points(rng, len(block.variables), 12):
            scale = float(rng.choice([0.3, 1.0, 2.0]))
            fresh = Prepared(block).project(point, scale)
            tolerance = 1e-9 * (1 + np.abs(point).max())
            np.testing.assert_allclose(warm.project(point, scale), fresh, rtol=0, atol=tolerance)


def test_folded_subtree_leaves_the_deletion_scores_to_the_caller() -> None:
    rng = np.random.default_rng(3)
    block = only_block(random_factor("subtree", rng))
    point = rng.normal(size=len(block.variables))
    links, worth = block.linear_scores()  # type: ignore[attr-defined]
    folded = point.copy()
    np.add.at(folded, links, 0.5 * worth)
    np.testing.assert_allclose(Prepared(block).project(folded, 0.5), block.project(point, 0.5), rtol=0, atol=1e-12)


# -- degenerate inputs -------------------------------------------------------------------------------------------------


def graph_of(kind: str, degree: int, **parameters: object) -> Block:
    graph = FactorGraph()
    variables = graph.add_variables(np.zeros(degree))
    if kind == "budget":
        graph.add_budget(variables, **parameters)  # type: ignore[arg-type]
    elif kind == "knapsack":
        graph.add_knapsack(variables, **parameters)  # type: ignore[arg-type]
    elif kind == "pair":
        graph.add_pair(0, 1, **parameters)  # type: ignore[arg-type]
    else:
        graph.add_logic(kind, variables)
    return only_block(graph)


@pytest.mark.parametrize(
    ("kind", "parameters", "point", "expected"),
    [
        ("xor", {}, [5.0], [1.0]),
        ("xor", {}, [0.0, 0.0, 0.0, 0.0], [0.25] * 4),
        ("xor", {}, [-1e6, -1e6], [0.5, 0.5]),
        ("xor", {}, [1e16, 1e16, 0.0], [0.5, 0.5, 0.0]),
        ("xor", {}, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ("xor", {}, [0.75, -0.25, -0.25], [1.0, 0.0, 0.0]),
        ("at_most_one", {}, [-1.0, -2.0], [0.0, 0.0]),
        ("at_most_one", {}, [0.5, 0.5], [0.5, 0.5]),
        ("at_most_one", {}, [9.0], [1.0]),
        ("or", {}, [-3.0, -3.0], [0.5, 0.5]),
        ("or", {}, [7.0, 7.0], [1.0, 1.0]),
        ("or", {}, [-3.0], [1.0]),
        ("or_out", {}, [0.25, 0.75], [0.5, 0.5]),
        ("or_out", {}, [0.75, 0.25], [0.5, 0.5]),
        ("or_out", {}, [1e6, 1e6, 1e6], [1.0, 1.0, 1.0]),
        ("or_out", {}, [-1e6, -1e6, -1e6], [0.0, 0.0, 0.0]),
        ("or_out", {}, [-1.0, -1.0, 1.0], [0.0, 0.0, 0.0]),
        ("or_out", {}, [0.0, 0.0, 1.0], [1 / 3, 1 / 3, 2 / 3]),
        ("or_out", {}, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
        ("or_out", {}, [1.0, 0.25, 0.0], [0.5, 0.25, 0.5]),
        ("budget", {"budget": 0}, [3.0, 0.5, -1.0], [0.0, 0.0, 0.0]),
        ("budget", {"budget": 5}, [3.0, 0.5, -1.0], [1.0, 0.5, 0.0]),
        ("budget", {"budget": 1}, [1e6, 1e6, 1e6, 1e6], [0.25] * 4),
        ("budget", {"budget": 2}, [1.0, 1.0, 0.0], [1.0, 1.0, 0.0]),
        ("budget", {"budget": 1}, [2.5, 2.0, 0.0], [0.75, 0.25, 0.0]),
        ("budget", {"budget": 1}, [50.0, 2.0, 0.0], [1.0, 0.0, 0.0]),
        ("budget", {"budget": 3}, [-1.0] * 4, [0.0] * 4),
        ("knapsack", {"costs": [0, 0], "budget": 0}, [0.5, 3.0], [0.5, 1.0]),
        ("knapsack", {"costs": [0, 2, 4], "budget": 0}, [0.5, 3.0, 1.0], [0.5, 0.0, 0.0]),
        ("knapsack", {"costs": [3], "budget": 1.5}, [9.0], [0.5]),
        ("knapsack", {"costs": [1, 2], "budget": 3}, [9.0, 9.0], [1.0, 1.0]),
        ("knapsack", {"costs": [1, 2], "budget": 1}, [1.0, 1.0], [0.6, 0.2]),
        ("pair", {"score": 0.0}, [0.25, 2.0], [0.25, 1.0]),
        ("pair", {"score": 1.0}, [0.0, 0.0], [0.5, 0.5]),
        ("pair", {"score": -1.0}, [0.75, 0.75], [0.5, 0.5]),
        ("pair", {"score": 1e6}, [0.0, -1.0], [1.0, 1.0]),
        ("pair", {"score": -1e6}, [1.0, 0.5], [0.75, 0.25]),
    ],
)
def test_known_projections(kind: str, parameters: dict, point: list[float], expected: list[float]) -> None:
    block = graph_of(kind, len(point), **parameters)
    np.testing.assert_allclose(block.project(np.array(point)), expected, rtol=0, atol=1e-9)


def test_subtree_chain_merges_into_its_mean() -> None:
    graph = FactorGraph()
    graph.add_subtree_deletion(graph.add_variables(np.zeros(4)), [-1, 0, 1, 0], [0.0, 0.0, 0.0, 0.0], [0, 1, 0, 0])
    z = only_block(graph).project(np.array([0.1, 0.2, 0.9, 0.3]))
    np.testing.assert_allclose(z, [0.4, 0.4, 0.4, 0.3], rtol=0, atol=1e-12)


@numba.njit
def by_newton(point, costs, budget, start):  # type: ignore[no-untyped-def]
    """z and tau of `project_knapsack`, which is for kernels only, from a start."""
    count = len(point)
    z, memory = np.empty(count), np.empty(1 + 2 * count)
    memory[0] = start
    nothing = count - count
    project_knapsack(point, nothing, count, costs, nothing, budget, np.empty(count, dtype=np.int64), memory, z)
    return z, memory[0]


@numba.njit
def by_algorithm_1(point, costs, budget):  # type: ignore[no-untyped-def]
    count = len(point)
    nothing = count - count
    working, split = np.empty(count, dtype=np.int64), np.empty(2 * count)
    return pardalos_kovoor(point, nothing, count, costs, nothing, budget, working, split)


@settings(max_examples=200)
@given(data=st.data())
def test_algorithm_1_and_newton_agree(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    point = np.array(data.draw(st.lists(coordinates, min_size=count, max_size=count)))
    costs = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0]), min_size=count, max_size=count)))
    fraction = data.draw(st.sampled_from([0.0, 0.2, 0.5, 0.99]))
    budget = fraction * float(costs @ np.clip(point, 0.0, 1.0))
    z, _ = by_newton(point, costs, budget, data.draw(st.sampled_from([0.0, 0.3, 5.0, 1e9])))
    if float(costs @ np.clip(point, 0.0, 1.0)) > budget:
        direct = np.clip(point - by_algorithm_1(point, costs, budget) * costs, 0.0, 1.0)
        tolerance = 1e-9 * (1 + np.abs(point).max())
        np.testing.assert_allclose(z, direct, rtol=0, atol=tolerance)
        assert float(costs @ direct) == pytest.approx(budget, abs=tolerance * 10)


def test_long_knapsacks_from_any_start() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        count = int(rng.integers(100, 2000))
        costs, point = rng.integers(0, 40, count).astype(float), rng.normal(size=count) * rng.choice([0.1, 1, 30])
        budget = float(rng.uniform(0, 0.5) * costs.sum())
        z, tau = by_newton(point, costs, budget, float(rng.choice([0.0, 0.01, 1.0, 1e3])))
        np.testing.assert_allclose(z, np.clip(point - tau * costs, 0, 1), rtol=0, atol=1e-12)
        assert costs @ z <= budget * (1 + 1e-12) + 1e-9
        if tau > 0:
            assert costs @ z == pytest.approx(budget, rel=1e-10)
            assert tau == pytest.approx(by_algorithm_1(point, costs, budget), rel=1e-9)


# -- the active set method ---------------------------------------------------------------------------------------------


def oracle(block: Block) -> Callable[[np.ndarray], tuple[np.ndarray, float]]:
    def maximize(scores: np.ndarray) -> tuple[np.ndarray, float]:
        values, configuration = block.maximize(scores)
        return configuration, float(values[0] - scores @ configuration)

    return maximize


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_active_set_equals_the_closed_form(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(12):
        block = only_block(random_factor(kind, rng))
        active = ActiveSet(len(block.variables))
        for point in random_points(rng, len(block.variables), 6):
            tolerance = 1e-9 * (1 + np.abs(point).max())
            for scale in (1.0, 0.3):
                z = active.project(point, scale, oracle(block))
                np.testing.assert_allclose(z, block.project(point, scale), rtol=0, atol=tolerance)
                assert 1 <= len(active) <= len(point) + 1


@settings(max_examples=150)
@given(data=st.data())
def test_a_dense_sequence_stays_optimal(data: st.DataObject) -> None:
    """Tables with ties and better copies of dependent configurations exercise the exchange steps."""
    graph = data.draw(one_factor("dense"))
    block = only_block(graph)
    degree = graph.number_of_variables
    prepared = Prepared(block)
    for _ in range(data.draw(st.integers(1, 4))):
        point = np.array(data.draw(st.lists(coordinates, min_size=degree, max_size=degree)))
        scale = data.draw(scales)
        z = prepared.project(point, scale)
        assert optimality_gap(graph, point, scale, z) <= 1e-8 * (scale + np.abs(point).max())


def test_a_full_active_set_still_converges() -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        degree = 12
        graph = FactorGraph()
        graph.add_budget(graph.add_variables(np.zeros(degree)), 5)
        block = only_block(graph)
        active = ActiveSet(degree)
        clear_from_python(8, active._ints)  # too little room for the solution's configurations
        point = rng.uniform(0, 1, degree)
        z = active.project(point, 1.0, oracle(block))
        assert len(active) <= active._ints[ROOM] == 8
        np.testing.assert_allclose(z, block.project(point), rtol=0, atol=1e-3)
        assert linear_gain(block, point, 1.0, z) <= 1e-3


def test_a_wrong_oracle_ends() -> None:
    """A `maximize` that returns anything ends at the cap, with a convex combination of what it returned."""
    rng = np.random.default_rng(7)
    active = ActiveSet(6)
    z = active.project(
        rng.normal(size=6), 1.0, lambda scores: (rng.integers(0, 2, 6).astype(float), 100 * rng.random())
    )
    assert np.isfinite(z).all()
    assert z.min() >= -1e-9
    assert z.max() <= 1 + 1e-9


def test_the_memory_of_an_active_set_is_bounded() -> None:
    sizes, table = np.array([300, 300]), np.zeros(90000)
    assert len(table) == sizes.prod()
    _, floats = _sizes(8, 600, sizes)
    assert floats <= 150 * 600


@numba.njit
def _project_knapsack(point, costs, budget, memory, z):
    ints = np.zeros(4 * len(point), dtype=np.int64)
    project_knapsack(point, 0, len(point), costs, 0, budget, ints, memory, z)


@pytest.mark.parametrize("count", [5, 9, 17, 40, 100])
def test_a_projection_does_not_depend_on_addresses(count: int) -> None:
    """Where arrays lie in memory must not decide whether vectors are used: the last digits of sums would differ."""
    rng = np.random.default_rng(count)
    values, costs = rng.normal(0.4, 0.4, count), rng.integers(1, 30, count).astype(float)
    found = set()
    for gap in range(64):  # doubles between one array and the next
        buffer = np.zeros(3 * (count + gap))
        point, prices, z = (buffer[start : start + count] for start in range(0, len(buffer), count + gap))
        point[:], prices[:] = values, costs
        memory = np.zeros(1 + 4 * count)
        _project_knapsack(point, prices, 0.3 * costs.sum(), memory, z)
        found.add((z.tobytes(), memory[0]))
    assert len(found) == 1
