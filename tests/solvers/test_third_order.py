"""Third-order parsing graphs through every solver family: one optimum, one relaxation, equal drivers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing_parts import made_instance
from parsing_sentences import ORDERS, random_sentence

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.kernels.ad3 import activate_all
from solvers import get_solver
from solvers.ad3_engine import Engine


def best_tree(graph: FactorGraph) -> float:
    """The best objective of all trees, one by one."""
    (block,) = (found for found in graph.blocks if found.kind in ("arborescence", "projective_tree"))
    return max(graph.objective(tree[np.argsort(block.variables)]) for tree in block.enumerate(0)[0])


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("projective", [False, True])
def test_all_trees_equal_exact_solvers(order: str, single_root: bool, projective: bool) -> None:
    for seed in range(3):
        rng = np.random.default_rng([seed, 1])
        words = int(rng.integers(1, 6))
        graph = random_sentence(words, rng, order, 3.0, single_root, noise=2.0, projective=projective)
        best = best_tree(graph)
        for name in ("ilp-highs", "ilp-cpsat", "ad3-exact"):
            found = get_solver(name).solve(graph)
            assert found.status == "optimal", name
            assert found.objective == pytest.approx(best, abs=1e-6), name


@pytest.mark.parametrize("order", ORDERS)
def test_the_multi_commodity_relaxation_is_ad3s(order: str) -> None:
    """And the single-commodity one is never tighter; for one tree alone (order 1) the first is exact."""
    for seed in range(4):
        options = {"order": order, "heads_per_word": 3.5, "noise": 1.5, "single_root": bool(seed % 2)}
        words = 6 + seed
        graph = random_sentence(words, np.random.default_rng([seed, 2]), **options)
        compact = random_sentence(words, np.random.default_rng([seed, 2]), flow="single", **options)
        bound = get_solver("lp-highs").solve(graph).bound
        found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8).solve(graph)
        assert found.bound == pytest.approx(bound, rel=1e-4, abs=1e-4)
        assert found.bound >= bound - 1e-6 * graph.magnitude
        assert get_solver("lp-highs").solve(compact).bound >= bound - 1e-6
        if order == "1":
            assert found.status == "optimal"
        slow = get_solver("subgradient", max_iterations=2000).solve(graph)
        assert slow.bound >= bound - 1e-6
        assert slow.bound <= bound + 0.05 * abs(bound)


@settings(max_examples=15)
@given(st.integers(1, 9), st.integers(0, 10**6), st.sampled_from(ORDERS), st.sampled_from([1.0, 1.6]))
def test_both_drivers_make_equal_iterates(words: int, seed: int, order: str, relaxation: float) -> None:
    graph = random_sentence(words, np.random.default_rng(seed), order)
    compiled, python = (Engine(graph, 1.0, relaxation, compiled=flag) for flag in (True, False))
    for step in range(40):
        assert compiled.iterate(1, 0.0) == python.iterate(1, 0.0)
        for name in ("u", "z", "mu", "residuals", "counts"):
            assert np.array_equal(getattr(compiled.state, name), getattr(python.state, name)), name
        if step == 10:
            compiled.balance()
            python.balance()


def test_a_projection_that_takes_many_steps_goes_on_in_the_next_iteration() -> None:
    """Nothing is skipped that is not finished: solving every factor in every iteration changes no average."""
    graph = random_sentence(25, np.random.default_rng(5), noise=0.7)
    lazy, eager = Engine(graph, 2.0), Engine(graph, 2.0)
    unfinished = 0
    for _ in range(150):
        activate_all(eager.layout, eager.state)
        lazy.iterate(1, 0.0)
        eager.iterate(1, 0.0)
        unfinished += int(lazy.state.counts[4])
        assert lazy.state.u == pytest.approx(eager.state.u, abs=1e-7)
    assert unfinished > 0
    assert lazy.factor_solves < eager.factor_solves


def test_no_convergence_is_claimed_while_a_projection_is_unfinished() -> None:
    graph = random_sentence(30, np.random.default_rng(6), noise=0.7)
    engine = Engine(graph, 2.0)
    assert not engine.iterate(1, 1e9)  # any residual is within this tolerance
    assert engine.state.counts[4] > 0


@pytest.mark.parametrize("words", [1, 2, 60])
def test_very_short_and_long_sentences(words: int) -> None:
    graph = random_sentence(words, np.random.default_rng(words), noise=0.3, single_root=True)
    found = get_solver("ad3").solve(graph)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(get_solver("ad3-exact").solve(graph).objective)


def test_ties_and_zero_scores() -> None:
    graph = random_sentence(6, np.random.default_rng(1), noise=0.0)
    assert get_solver("ad3").solve(graph).objective == pytest.approx(best_tree(graph), abs=1e-6)
    flat = FactorGraph()
    heads, modifiers = [0, 2, 3, 0, 1, 3, 0, 1, 2], [1, 1, 1, 2, 2, 2, 3, 3, 3]
    flat.add_arborescence(flat.add_variables(np.zeros(9)), heads, modifiers, 3, single_root=True)
    flat.add_head_bigrams([[0, 1, 2], [3, 4, 5], [6, 7, 8]], [np.zeros((3, 3))] * 2)
    for name in ("ad3-exact", "ilp-highs"):
        assert get_solver(name).solve(flat).objective == 0.0, name


@pytest.mark.parametrize("order", ORDERS)
def test_without_any_score_every_tree_is_best_at_once(order: str) -> None:
    """Rounding leaves the multipliers a little off 0, and relative tolerances are 0 here: no search may follow."""
    task = get_task("parsing")
    instance = task.with_order(made_instance(0, 5, "3", unit=100.0)[0], order)
    assert instance.magnitude == 0.0
    for name in ("ad3", "ad3-exact"):
        found = get_solver(name).solve(instance)
        assert (found.status, found.objective, found.bound) == ("optimal", 0.0, 0.0), name
    assert found.info["nodes"] <= 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_longer_sentences_agree(seed: int) -> None:
    graph = random_sentence(20, np.random.default_rng([seed, 3]), noise=0.8)
    exact = get_solver("ilp-highs").solve(graph)
    relaxed = get_solver("lp-highs").solve(graph)
    found = get_solver("ad3", max_iterations=20_000).solve(graph)
    assert found.bound == pytest.approx(relaxed.bound, rel=1e-4)
    searched = get_solver("ad3-exact").solve(graph)
    assert searched.objective == pytest.approx(exact.objective, rel=1e-6)
