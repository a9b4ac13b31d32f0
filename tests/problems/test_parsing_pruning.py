"""Pruning: posteriors equal enumeration, at most K heads, the threshold, and the tree that is put back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsing_parts import random_arcs

from problems import get_task
from problems.errors import InputError
from problems.parsing.decode import score_matrix
from problems.parsing.instance import ParsingInstance, unreachable_over
from problems.parsing.pruning import NEVER, arc_posteriors, candidates, careful_posteriors, limit_modifiers, prune

TASK = get_task("parsing")


def enumerated(words: int, heads, modifiers, scores, single_root: bool) -> np.ndarray:
    instance = ParsingInstance("x", ("w",) * words, heads, modifiers, scores, single_root=single_root)
    trees = [TASK.assignment(instance, tree) for tree in TASK.structures(instance)]
    values = np.array([tree @ scores for tree in trees])
    weights = np.exp(values - values.max())
    return (weights / weights.sum()) @ np.array(trees)


@given(
    st.integers(0, 10**6),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from([1.0, 0.6]),
    st.sampled_from([0.1, 1.0, 5.0, 20.0]),
)
def test_posteriors_equal_enumeration(seed: int, words: int, single_root: bool, share: float, scale: float) -> None:
    rng = np.random.default_rng(seed)
    heads, modifiers = random_arcs(rng, words, share, single_root)
    scores = scale * rng.standard_normal(len(heads))
    expected = enumerated(words, heads, modifiers, scores, single_root)
    assert arc_posteriors(words, heads, modifiers, scores, single_root) == pytest.approx(expected, abs=1e-9)
    careful = careful_posteriors(score_matrix(words, heads, modifiers, scores), single_root)[heads, modifiers]
    possible = expected > 0.0
    assert careful[possible] == pytest.approx(expected[possible], rel=1e-9, abs=1e-300)
    assert careful[~possible].max(initial=0.0) <= math.exp(-NEVER)  # what trees of several roots leave of such an arc


@given(
    st.integers(0, 10**6),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from([1.0, 0.6]),
    st.sampled_from([0, 1, 100, 300]),
)
def test_scores_that_are_far_apart(seed: int, words: int, single_root: bool, share: float, grain: int) -> None:
    """Scores up to +-1000, also as multiples of a large number, so that several trees are equally good."""
    rng = np.random.default_rng(seed)
    heads, modifiers = random_arcs(rng, words, share, single_root)
    scores = rng.uniform(-1000.0, 1000.0, len(heads))
    if grain:
        scores = grain * np.rint(scores / grain)
    expected = enumerated(words, heads, modifiers, scores, single_root)
    assert arc_posteriors(words, heads, modifiers, scores, single_root) == pytest.approx(expected, abs=1e-9)
    kept = prune(words, heads, modifiers, scores, single_root, most_heads=2)
    for word in range(1, words + 1):
        own = np.flatnonzero(modifiers == word)
        for arc in own[expected[own] > 0.4]:  # arcs of a best tree among them: one of two heads at most
            assert arc in kept


def test_the_way_out_of_a_cycle_is_not_lost_in_underflow() -> None:
    """Words 1 and 2 want each other; of the two arcs from the root symbol, both e^-300 and less, the better one stays."""
    heads, modifiers = candidates(2)
    scores = np.array([-500.0, 0.0, -300.0, 0.0])  # 0 -> 1, 2 -> 1, 0 -> 2, 1 -> 2
    assert arc_posteriors(2, heads, modifiers, scores) == pytest.approx([0.0, 1.0, 1.0, 0.0], abs=1e-30)
    assert prune(2, heads, modifiers, scores).tolist() == [1, 2]
    assert prune(2, heads, modifiers, scores, single_root=True).tolist() == [1, 2]


@pytest.mark.parametrize("single_root", [False, True])
def test_a_cycle_of_best_heads_does_not_cost_digits(single_root: bool) -> None:
    """Words 1 and 2 want each other; the way out is e^-40. The Laplacian is singular in double precision."""
    heads, modifiers = candidates(3)
    scores = np.where(heads == 0, -40.0 - modifiers, np.where(heads == 3, -41.0, 0.0))
    expected = enumerated(3, heads, modifiers, scores, single_root)
    found = arc_posteriors(3, heads, modifiers, scores, single_root)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-18)


@pytest.mark.parametrize("single_root", [False, True])
def test_two_hundred_words(single_root: bool) -> None:
    heads, modifiers = candidates(200)
    scores = 3.0 * np.random.default_rng(1).standard_normal(len(heads)) - np.abs(heads - modifiers)
    posteriors = arc_posteriors(200, heads, modifiers, scores, single_root)
    sums = np.bincount(modifiers, weights=posteriors)[1:]
    assert sums == pytest.approx(np.ones(200), abs=1e-8)
    if single_root:
        assert posteriors[heads == 0].sum() == pytest.approx(1.0, abs=1e-8)
    kept = prune(200, heads, modifiers, scores, single_root)
    assert np.bincount(modifiers[kept])[1:].max() <= 10 + 1
    assert not unreachable_over(200, heads[kept], modifiers[kept], single_root)


@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans(), st.integers(1, 3))
def test_pruning_keeps_the_best_heads_and_a_tree(seed: int, words: int, single_root: bool, most: int) -> None:
    rng = np.random.default_rng(seed)
    heads, modifiers = candidates(words)
    scores = 4.0 * rng.standard_normal(len(heads))
    kept = prune(words, heads, modifiers, scores, single_root, most_heads=most, threshold=1e-2)
    posteriors = enumerated(words, heads, modifiers, scores, single_root)
    wanted = set()
    for word in range(1, words + 1):
        own = sorted(np.flatnonzero(modifiers == word), key=lambda arc: -posteriors[arc])
        wanted |= {arc for arc in own[:most] if posteriors[arc] >= 1e-2 * posteriors[own[0]]}
    assert wanted <= set(kept.tolist())
    assert not unreachable_over(words, heads[kept], modifiers[kept], single_root)
    further = set(kept.tolist()) - wanted
    if further:  # they belong to the best tree, and without them there was none
        without = np.array(sorted(wanted))
        assert unreachable_over(words, heads[without], modifiers[without], single_root)
        instance = ParsingInstance("x", ("w",) * words, heads, modifiers, scores, single_root=single_root)
        best = max(TASK.structures(instance), key=lambda tree: TASK.objective(instance, tree))
        assert further <= set(np.flatnonzero(TASK.assignment(instance, best)).tolist())


def test_projective_pruning_leaves_a_projective_tree() -> None:
    heads, modifiers = candidates(4)
    for seed in range(20):
        scores = 6.0 * np.random.default_rng(seed).standard_normal(len(heads))
        kept = prune(4, heads, modifiers, scores, True, projective=True, most_heads=1)
        instance = ParsingInstance(
            "x", ("w",) * 4, heads[kept], modifiers[kept], scores[kept], single_root=True, projective=True
        )
        assert list(TASK.structures(instance))


def test_limited_modifiers() -> None:
    heads, modifiers = candidates(8)
    scores = np.random.default_rng(3).standard_normal(len(heads))
    kept = limit_modifiers(8, heads, modifiers, scores, True, 2)
    assert not unreachable_over(8, heads[kept], modifiers[kept], True)
    for head in range(9):
        own = np.flatnonzero(heads == head)
        best = own[np.argsort(-scores[own])[:2]]
        assert set(best) <= set(kept)


def test_refusals_name_the_word() -> None:
    heads, modifiers = np.array([0, 1]), np.array([1, 3])
    with pytest.raises(InputError, match=r"word 2 \('b'\) has no allowed head"):
        prune(3, heads, modifiers, np.zeros(2), words=("a", "b", "c"))
    heads, modifiers = np.array([2, 1]), np.array([1, 2])
    with pytest.raises(InputError, match="no tree over the allowed heads"):
        prune(2, heads, modifiers, np.zeros(2))
    heads, modifiers = candidates(2)
    with pytest.raises(InputError, match="at least 1, not 0"):
        prune(2, heads, modifiers, np.zeros(4), most_heads=0)
    with pytest.raises(InputError, match="between 0 and 1, not 2"):
        prune(2, heads, modifiers, np.zeros(4), threshold=2)
