"""Every solver family on parsing: brute force over all trees is the judge."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing_parts import made_instance

from problems import get_task
from problems.errors import InputError
from problems.parsing.generate import noisy_instance
from problems.parsing.instance import ORDERS, ParsingInstance
from solvers import get_solver

TASK = get_task("parsing")
ILP = ("ilp-cbc", "ilp-cpsat", "ilp-glpk", "ilp-gurobi", "ilp-highs", "ilp-scip", "ilp-xpress")
QUICK = ("ilp-highs", "ilp-cpsat", "ad3-exact")


def is_projective(tree: tuple[int, ...]) -> bool:
    """No two arcs cross; the root symbol stands before the sentence."""
    arcs = [(min(head, word), max(head, word)) for word, head in enumerate(tree, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def check_exact(instance: ParsingInstance, solvers: tuple[str, ...]) -> None:
    best = get_solver("brute-force").solve(instance)
    assert best.status == "optimal"
    for name in solvers:
        found = get_solver(name).solve(instance)
        assert found.status == "optimal", name
        assert TASK.broken(instance, found.structure) is None
        assert found.objective == pytest.approx(best.objective, abs=1e-5), name


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_exact_solvers_equal_brute_force(order: str, single_root: bool, share: float) -> None:
    """Random scores of one size for all parts, all arcs or a random share of them."""
    for seed in range(2):
        instance, _ = made_instance(seed, 4 if share == 1.0 else 5, order, share=share, single_root=single_root)
        check_exact(instance, QUICK)


@pytest.mark.parametrize("order", ORDERS)
def test_six_words_with_every_ilp_solver(order: str) -> None:
    instance, _ = made_instance(77, 6, order, share=0.6, single_root=True)
    check_exact(instance, (*ILP, "ad3-exact"))


@pytest.mark.parametrize("flow", ["multi", "single"])
@pytest.mark.parametrize("decomposition", ["large", "many"])
def test_every_form_has_the_same_optimum(flow: str, decomposition: str) -> None:
    for seed in range(2):
        instance, _ = made_instance(seed, 5, "3", share=0.7, flow=flow, decomposition=decomposition)
        check_exact(instance, ("ilp-highs", "ad3-exact"))


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("most_heads", [1, 2, None])
def test_generated_sentences_pruned_and_not(single_root: bool, most_heads: int | None) -> None:
    rng = np.random.default_rng(9)
    tree = (2, 0, 2, 5, 3)
    instance = noisy_instance(
        rng, "five", ("a", "b", "c", "d", "e"), (), tree, single_root=single_root, most_heads=most_heads, threshold=0.0
    )
    if most_heads is None:
        assert len(instance.heads) == 25
    for order in ORDERS:
        check_exact(TASK.with_order(instance, order), QUICK)


@pytest.mark.parametrize("order", ORDERS)
def test_ties(order: str) -> None:
    """Whole scores: many trees are best."""
    for seed in range(2):
        instance, _ = made_instance(seed, 4, order, unit=1.0, single_root=bool(seed))
        check_exact(instance, QUICK)
    nothing = TASK.with_order(made_instance(0, 3, "3", unit=100.0)[0], order)
    assert nothing.magnitude == 0.0
    check_exact(nothing, (*QUICK, "lp-highs"))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [False, True])
def test_a_sentence_of_one_word(order: str, single_root: bool) -> None:
    instance, _ = made_instance(1, 1, order, single_root=single_root)
    check_exact(instance, (*ILP, "ad3-exact", "ad3", "lp-highs", "subgradient"))
    for name in ("dp-mst", "dp-eisner"):
        assert get_solver(name).solve(instance).structure == (0,)


@given(st.integers(0, 10**6), st.integers(1, 6), st.booleans(), st.sampled_from([1.0, 0.7]))
def test_spanning_tree_is_exact_for_order_1(seed: int, words: int, single_root: bool, share: float) -> None:
    instance, _ = made_instance(seed, min(words, 5), "1", share=share, single_root=single_root)
    best, found = get_solver("brute-force").solve(instance), get_solver("dp-mst").solve(instance)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(best.objective)


@given(st.integers(0, 10**6), st.integers(1, 6), st.booleans(), st.sampled_from([1.0, 0.7]), st.sampled_from([1, 2]))
def test_eisner_is_exact_for_projective_sentences(
    seed: int, words: int, single_root: bool, share: float, order: int
) -> None:
    free, _ = made_instance(seed, min(words, 5), str(order), share=share, single_root=single_root)
    free = dataclasses.replace(free, grandparent_scores=np.zeros_like(free.grandparent_scores))
    trees = [tree for tree in TASK.structures(free) if is_projective(tree)]
    if not trees:
        with pytest.raises(InputError, match="no projective tree"):
            dataclasses.replace(free, projective=True)
        return
    found = get_solver("dp-eisner", order=order).solve(dataclasses.replace(free, projective=True))
    assert found.status == "optimal"
    assert found.objective == pytest.approx(max(TASK.objective(free, tree) for tree in trees))


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("single_root", [False, True])
def test_eisner_equals_the_ilp_with_projectivity(order: int, single_root: bool) -> None:
    for seed in (21, 22):
        instance, _ = made_instance(seed, 9, str(order), share=0.6, single_root=single_root, projective=True)
        instance = dataclasses.replace(instance, grandparent_scores=np.zeros_like(instance.grandparent_scores))
        found = get_solver("dp-eisner", order=order).solve(instance)
        for name in ("ilp-highs", "ilp-cpsat"):
            exact = get_solver(name).solve(instance)
            assert exact.status == found.status == "optimal"
            assert found.objective == pytest.approx(exact.objective, abs=1e-6)
        if order == 1:  # the projective tree's polytope is described exactly
            assert get_solver("lp-highs").solve(instance).bound == pytest.approx(found.objective, abs=1e-6)


@pytest.mark.parametrize("order", ORDERS)
def test_dynamic_programs_are_honest_beyond_their_order(order: str) -> None:
    """Their trees are feasible and their bounds hold, but nothing is claimed that is not proved."""
    for seed in range(6):
        for projective in (False, True):
            instance, _ = made_instance(seed, 5, order, projective=projective)
            best = get_solver("brute-force").solve(instance).objective
            for name, options in (("dp-mst", {}), ("dp-eisner", {"order": 1}), ("dp-eisner", {"order": 2})):
                found = get_solver(name, **options).solve(instance)
                assert found.bound >= best - 1e-9
                if found.structure is not None:
                    assert TASK.broken(instance, found.structure) is None
                    assert found.objective <= best + 1e-9
                if found.status == "optimal":
                    assert found.objective == pytest.approx(best)


def test_dynamic_programs_solve_parsing_only() -> None:
    graph = TASK.graph(made_instance(0, 3, "1")[0])
    for name in ("dp-mst", "dp-eisner"):
        with pytest.raises(InputError, match="task 'parsing' only"):
            get_solver(name).solve(graph)
    with pytest.raises(InputError, match="must be one of 1, 2, not 3"):
        get_solver("dp-eisner", order=3)


def test_no_projective_tree() -> None:
    """1 <- 3 and 2 <- 4 cross whatever the rest is."""
    free = ParsingInstance("x", ("a", "b", "c", "d"), np.array([3, 4, 0, 3]), np.array([1, 2, 3, 4]), np.zeros(4))
    assert get_solver("dp-mst").solve(free).status == "optimal"
    with pytest.raises(InputError, match="'x' has no projective tree over its candidate arcs"):
        get_solver("dp-eisner").solve(free)
    with pytest.raises(InputError, match="no projective tree can be made of the candidate arcs"):
        dataclasses.replace(free, projective=True)  # so no solver ever sees such an instance


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from(ORDERS), st.booleans())
def test_dual_values_of_all_relaxations_agree(seed: int, order: str, single_root: bool) -> None:
    """The LP with the multi-commodity form and AD3's dual at convergence are one number."""
    instance, _ = made_instance(seed, 5, order, share=0.7, single_root=single_root)
    linear = get_solver("lp-highs").solve(instance).bound
    dual = get_solver("ad3", max_iterations=5000, residual_tolerance=1e-9).solve(instance).bound
    assert dual == pytest.approx(linear, rel=1e-4, abs=1e-4)
    weak = get_solver("lp-highs").solve(dataclasses.replace(instance, flow="single")).bound
    assert weak >= linear - 1e-6


def test_two_hundred_words() -> None:
    """Decoded by AD3 with few iterations, rounded to a tree; and by the dynamic programs."""
    from problems.parsing.gold import PROFILES, draw_tree, draw_words

    rng = np.random.default_rng(200)
    tree = draw_tree(rng, 200, PROFILES["en"])
    instance = noisy_instance(rng, "long", *draw_words(rng, tree), tree)
    for name, options in (("ad3", {"max_iterations": 20}), ("dp-mst", {}), ("dp-eisner", {})):
        solution = get_solver(name, **options).solve(instance)
        assert solution.status in ("optimal", "feasible"), name
        assert TASK.broken(instance, solution.structure) is None
        assert TASK.evaluate(instance, solution.structure)["UAS"] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_exact_solvers_agree_on_longer_sentences(order: str) -> None:
    for seed in (1, 2):
        instance = TASK.with_order(TASK.generate(seed, "20"), order)
        found = {
            name: get_solver(name, time_limit=300.0).solve(instance) for name in ("ilp-highs", "ilp-cpsat", "ad3-exact")
        }
        assert {solution.status for solution in found.values()} == {"optimal"}
        values = [solution.objective for solution in found.values()]
        assert values == pytest.approx([values[0]] * 3, abs=1e-5)
        many = get_solver("ilp-highs").solve(dataclasses.replace(instance, decomposition="many", flow="single"))
        assert many.objective == pytest.approx(values[0], abs=1e-5)
