"""Posteriors of parts in AD3's fractional solutions: their value against linear programs, their features against scores."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing_parts import made_instance

from problems.kernels.reachability import tree_exists
from problems.parsing.instance import ParsingInstance
from problems.parsing.posteriors import PartPosteriors, part_posteriors
from problems.parsing.pruning import candidates
from problems.parsing.scoring import PartScorer, Words
from problems.parsing.templates import parser_program
from problems.parsing.trees import unreachable
from problems.text.treebank import generated_treebank
from solvers import Solution, get_solver

PRECISE = {"max_iterations": 20_000, "residual_tolerance": 1e-9}


def relaxed(instance: ParsingInstance, **options: object) -> Solution:
    return get_solver("ad3", mixtures=True, rounding="none", **options).solve(instance)


def posteriors_of(instance: ParsingInstance, solution: Solution) -> PartPosteriors | None:
    assert solution.posteriors is not None
    assert solution.mixtures is not None
    return part_posteriors(instance, solution.posteriors, solution.mixtures)


@given(st.sampled_from(["2", "2+", "3"]), st.integers(0, 10_000), st.integers(2, 7), st.sampled_from([0.4, 0.7, 1.0]))
@settings(max_examples=40, deadline=None)
def test_parts_are_worth_what_the_relaxation_is(order: str, seed: int, words: int, share: float) -> None:
    instance, _ = made_instance(seed, words, order, share)
    solution = relaxed(instance, **PRECISE)
    if solution.integral:
        assert solution.mixtures is None
        return
    found = posteriors_of(instance, solution)
    if found is None or solution.iterations == PRECISE["max_iterations"]:
        return
    best = get_solver("lp-highs", task="parsing").solve(instance).bound
    assert found.value(instance) == pytest.approx(best, rel=2e-5)
    starts = np.cumsum((instance.automata.outgoing_counts + 1) ** 2)[:-1]
    chains = [part[: len(part)].sum() for part in np.split(found.sibling, starts)]
    firsts = [part[: int(np.sqrt(len(part)))].sum() for part in np.split(found.sibling, starts)]
    assert firsts == pytest.approx([1.0] * len(firsts), abs=1e-9)  # every mixture begins with START
    assert min(chains) >= 1.0 - 1e-9


def test_most_fractional_solutions_have_parts() -> None:
    """Those of a full active set have none: they must be rare."""
    missing = tried = 0
    for seed in range(40):
        instance, _ = made_instance(seed, 7, "3", 0.6)
        solution = relaxed(instance, max_iterations=200)
        if not solution.integral:
            tried += 1
            missing += posteriors_of(instance, solution) is None
    assert tried > 20
    assert missing <= tried // 10


@pytest.mark.parametrize("order", ["2", "2+", "3"])
def test_features_times_weights_are_scores_times_posteriors(order: str) -> None:
    rng = np.random.default_rng(5)
    model = PartScorer(parser_program(), rng.normal(size=1 << 16).astype(np.float32))
    words = Words.of(next(iter(generated_treebank(2, 1))))
    heads, modifiers = candidates(len(words))
    kept = np.flatnonzero((rng.random(len(heads)) < 0.3) | (np.array(words.sentence.heads)[modifiers - 1] == heads))
    instance = model.instance(words, heads[kept], modifiers[kept], order, single_root=False)  # type: ignore[arg-type]
    solution = relaxed(instance, max_iterations=100)
    assert not solution.integral
    found = posteriors_of(instance, solution)
    assert found is not None
    slots, values = model.relaxed_slots(words, instance, found)
    total = float(model.weights[slots].astype(float) @ values)
    assert total == pytest.approx(found.value(instance), rel=1e-5)


def test_configurations_that_were_joined_have_no_parts() -> None:
    instance, _ = made_instance(1, 6, "2", 0.7)
    solution = relaxed(instance)
    assert solution.mixtures is not None
    mixtures = solution.mixtures._replace(points=np.where(solution.mixtures.points == 1.0, 0.5, 0.0))
    assert solution.posteriors is not None
    assert part_posteriors(instance, solution.posteriors, mixtures) is None


@given(st.integers(1, 4), st.booleans(), st.data())
@settings(max_examples=80, deadline=None)
def test_there_is_a_tree_where_going_through_all_finds_one(count: int, single_root: bool, data: st.DataObject) -> None:
    heads, modifiers = candidates(count)
    flags = data.draw(st.lists(st.booleans(), min_size=len(heads), max_size=len(heads)))
    kept = np.array(flags)
    arcs = set(zip(heads[kept].tolist(), modifiers[kept].tolist(), strict=True))
    expected = any(
        not unreachable(tree) and (not single_root or tree.count(0) == 1)
        for tree in product(range(count + 1), repeat=count)
        if all((head, word) in arcs for word, head in enumerate(tree, 1))
    )
    assert tree_exists(count, heads[kept], modifiers[kept], single_root) == expected
