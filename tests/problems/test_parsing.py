"""Parsing instances: what a tree is worth, what is a tree, both decompositions, JSON, and what is refused."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsing_parts import made_instance, worth

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.parsing.instance import ORDERS, SCORES, ParsingInstance, with_order
from problems.parsing.trees import nonprojective_words, unreachable
from solvers import get_solver

TASK = get_task("parsing")

cases = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "words": st.integers(1, 5),
        "order": st.sampled_from(ORDERS),
        "share": st.sampled_from([1.0, 0.6]),
        "single_root": st.booleans(),
        "decomposition": st.sampled_from(["large", "many"]),
    }
)


@given(cases)
def test_objective_is_the_sum_over_parts(case: dict) -> None:
    instance, scores = made_instance(**case)
    for tree in itertools.islice(TASK.structures(instance), 40):
        assert TASK.objective(instance, tree) == pytest.approx(worth(tree, scores, case["order"]), abs=1e-9)


@given(cases)
def test_graph_scores_every_tree_as_the_task_does(case: dict) -> None:
    """Both decompositions, and the way from tree to assignment and back."""
    instance, _ = made_instance(**case)
    graph = TASK.graph(instance)
    for tree in itertools.islice(TASK.structures(instance), 25):
        assignment = TASK.assignment(instance, tree)
        assert TASK.structure(instance, assignment) == tree
        assert graph.objective(assignment) == pytest.approx(TASK.objective(instance, tree), abs=1e-9)


@pytest.mark.parametrize(
    ("words", "all_trees", "single"), [(1, 1, 1), (2, 3, 2), (3, 16, 9), (4, 125, 64), (5, 1296, 625)]
)
def test_number_of_trees_is_cayleys(words: int, all_trees: int, single: int) -> None:
    """(n + 1)^(n - 1) trees over n words, n^(n - 1) of them with one root."""
    for count, single_root in ((all_trees, False), (single, True)):
        instance, _ = made_instance(0, words, "1", single_root=single_root)
        trees = list(TASK.structures(instance))
        assert len(set(trees)) == len(trees) == count
        assert TASK.count_structures(instance) >= count
        assert all(TASK.broken(instance, tree) is None for tree in trees)


def test_number_of_projective_trees() -> None:
    """1, 3, 12, 55, 273: ternary trees, C(3n, n) / (2n + 1); with one root C(3n - 2, n - 1) / n."""
    for words, count, single in ((1, 1, 1), (2, 3, 2), (3, 12, 7), (4, 55, 30), (5, 273, 143)):
        for single_root, expected in ((False, count), (True, single)):
            instance, _ = made_instance(0, words, "1", projective=True, single_root=single_root)
            assert len(list(TASK.structures(instance))) == expected


def test_nonprojective_arcs_by_hand() -> None:
    assert nonprojective_words((2, 0, 2)) == []
    assert nonprojective_words((3, 0, 2)) == [1]  # 3 -> 1 passes over 2, which 3 does not dominate
    assert nonprojective_words((0, 4, 1, 1)) == [2]
    assert nonprojective_words((0, 0, 1)) == [3]  # over a second root
    assert nonprojective_words((2, 3, 4, 0)) == []
    assert unreachable((2, 1, 0)) == [1, 2]
    assert unreachable((1, 0)) == [1]
    assert unreachable((2, 0, 1)) == []


@given(st.integers(2, 6), st.randoms(use_true_random=False))
def test_nonprojective_trees_are_those_with_crossing_arcs(words: int, random: object) -> None:
    """A tree has a non-projective arc if and only if two of its arcs cross, the root's drawn from position 0."""
    tree = tuple(random.randint(0, words) for _ in range(words))  # type: ignore[attr-defined]
    if unreachable(tree):
        return
    arcs = [tuple(sorted((head, word))) for word, head in enumerate(tree, 1)]
    crossing = any(a < c < b < d for a, b in arcs for c, d in arcs)
    assert bool(nonprojective_words(tree)) == crossing


def test_broken_trees_are_told_why() -> None:
    instance, _ = made_instance(0, 3, "1", single_root=True)
    assert TASK.broken(instance, (2, 0)) == "expected 3 heads, not 2."
    assert TASK.broken(instance, (2, 0, 3)) == "3 is no candidate head of word 3 ('w3')."
    with pytest.raises(InputError, match="an arc 3 -> 3, which is no candidate"):
        TASK.objective(instance, (2, 0, 3))
    assert TASK.broken(instance, (2, 1, 0)) == "word 1 ('w1') is in a cycle or below one."
    assert TASK.broken(instance, (0, 0, 1)) == "2 words depend on the root symbol instead of one."
    flat = dataclasses.replace(instance, projective=True)
    assert TASK.broken(flat, (3, 0, 2)) == "the arc into word 1 is not projective."
    assert TASK.broken(flat, (2, 0, 2)) is None
    assert TASK.structure(instance, np.zeros(len(instance.heads))) == (-1, -1, -1)


@pytest.mark.parametrize("order", ORDERS)
def test_json_round_trip(order: str, tmp_path: Path) -> None:
    instance, _ = made_instance(3, 4, order, share=0.8, single_root=True, flow="single", decomposition="many")
    instance = dataclasses.replace(instance, gold=(2, 0, 2, 3), tags=("DT", "NN", ",", "."))
    TASK.save(instance, tmp_path / "sentence.json")
    again = TASK.load(tmp_path / "sentence.json")
    assert again == instance
    assert again != dataclasses.replace(instance, arc_scores=instance.arc_scores + 1)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("order", "4", "field 'order' must be one of 1, 2, 2+, 3, not '4'"),
        ("order", "2", "field 'sibling_scores' must hold 19 scores for order '2' and these arcs, not 0"),
        ("words", [], "field 'words' must hold at least one word"),
        ("words", ["a", 3], "field 'words' must be a list of texts"),
        ("tags", ["DT"], "field 'tags' must have one entry for each of the 2 words"),
        ("gold", [3, 0], "field 'gold' must hold one head from 0 to 2"),
        ("heads", [0, 0, 0, 1], "candidate arcs must be different ones, ordered"),
        ("heads", [0, 1, 0, 1], "candidate arc 1 -> 1 is none of a sentence of 2 words"),
        ("heads", [0, 2, 0], "must be equally long, not 3 and 4"),
        ("modifiers", [2, 1, 2, 1], "is none of a sentence of 2 words"),
        ("arc_scores", [1, 2], "field 'arc_scores' must hold 4 scores for order '1' and these arcs, not 2"),
        ("arc_scores", [1, 2, 3, "x"], "field 'arc_scores' must be a list of finite numbers"),
        ("bigram_scores", [1.0], "field 'bigram_scores' must hold 0 scores for order '1'"),
        ("any_sibling_arcs", [1], "must hold two arcs for each score"),
        ("single_root", 1, "field 'single_root' must be true or false"),
        ("flow", "none", "field 'flow' must be one of multi, single"),
        ("singel_root", True, "unknown field 'singel_root': did you mean 'single_root'?"),
    ],
)
def test_wrong_fields_are_named(field: str, value: object, said: str, tmp_path: Path) -> None:
    instance, _ = made_instance(3, 2, "1")
    TASK.save(instance, tmp_path / "good.json")
    document = json.loads((tmp_path / "good.json").read_text())
    document[field] = value
    (tmp_path / "bad.json").write_text(json.dumps(document))
    with pytest.raises(InputError) as caught:
        TASK.load(tmp_path / "bad.json")
    assert said in str(caught.value)
    assert "bad.json" in str(caught.value)


def test_a_word_without_head_or_tree_is_named() -> None:
    words, one = ("a", "b", "c"), np.zeros(3)
    with pytest.raises(InputError, match=r"word 2 \('b'\) has no allowed head"):
        ParsingInstance("x", words, np.array([0, 2, 1]), np.array([1, 1, 3]), one)
    with pytest.raises(InputError, match=r"no tree: word 2 \('b'\) cannot be reached from the root symbol"):
        ParsingInstance("x", words, np.array([0, 3, 2]), np.array([1, 2, 3]), one)
    with pytest.raises(InputError, match="from a single word below the root symbol"):
        ParsingInstance("x", words, np.array([0, 0, 1]), np.array([1, 2, 3]), one, single_root=True)


def test_smaller_orders_drop_scores() -> None:
    instance, scores = made_instance(5, 4, "3")
    tree = (2, 0, 2, 3)
    for order in ORDERS:
        assert TASK.objective(TASK.with_order(instance, order), tree) == pytest.approx(worth(tree, scores, order))
    with pytest.raises(InputError, match="order '1' has no scores for order '2'"):
        with_order(with_order(instance, "1"), "2")


def test_render_shows_the_tree() -> None:
    instance, _ = made_instance(0, 4, "1")
    assert TASK.render(instance, (2, 0, 4, 2)) == ["    w1", "w2", "        w3", "    w4"]
    assert TASK.length(instance) == 4


def test_rounding_respects_the_instance() -> None:
    rng = np.random.default_rng(4)
    for seed in range(8):
        for options in ({}, {"single_root": True}, {"projective": True}, {"projective": True, "single_root": True}):
            try:
                instance, _ = made_instance(seed, 5, "3", share=0.9, **options)
            except InputError:
                free, _ = made_instance(seed, 5, "3", share=0.9, **{**options, "projective": False})
                assert all(nonprojective_words(tree) for tree in TASK.structures(free))
                continue
            posteriors = rng.random(TASK.graph(instance).number_of_variables)
            tree = TASK.round(instance, posteriors, "tree")
            trees = list(TASK.structures(instance))
            arcs = len(instance.heads)
            pairs = zip(instance.heads.tolist(), instance.modifiers.tolist(), strict=True)
            weights = dict(zip(pairs, posteriors[:arcs], strict=True))
            value = lambda found, w=weights: sum(w[head, m] for m, head in enumerate(found, 1))  # noqa: E731
            assert TASK.broken(instance, tree) is None
            assert value(tree) == pytest.approx(max(map(value, trees)))


def test_lists_are_as_good_as_arrays() -> None:
    instance, _ = made_instance(1, 4, "3", single_root=True)
    names = ("heads", "modifiers", "any_sibling_arcs", *SCORES)
    lists = {name: getattr(instance, name).tolist() for name in names}
    again = dataclasses.replace(instance, words=list(instance.words), **lists)
    assert again == instance
    assert TASK.objective(again, (0, 1, 1, 1)) == TASK.objective(instance, (0, 1, 1, 1))
    assert isinstance(again.words, tuple)


def test_an_instance_does_not_share_the_callers_arrays() -> None:
    heads, scores = np.array([0]), np.array([1.0])
    instance = ParsingInstance("x", ("a",), heads, np.array([1]), scores)
    heads[0], scores[0] = 7, 7.0
    assert instance.heads.tolist() == [0]
    assert instance.arc_scores.tolist() == [1.0]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("words", "abc", "field 'words' must be a list or tuple of texts"),
        ("tags", [1, 2, 3], "field 'tags' must be a list or tuple of texts"),
        ("heads", [0, "x"], "field 'heads' must be whole numbers"),
        ("modifiers", [1.5, 2], "field 'modifiers' must be whole numbers"),
        ("arc_scores", ["a"], "field 'arc_scores' must be numbers"),
        ("sibling_scores", [[1.0]], "field 'sibling_scores' must be a flat list"),
        ("any_sibling_arcs", [[1, 2], [3]], "field 'any_sibling_arcs' must hold pairs of arcs"),
        ("any_sibling_arcs", [1, 2], "field 'any_sibling_arcs' must hold pairs of arcs"),
        ("labels", ["a"], "field 'labels' must have one entry for each of the 3 words, or none"),
        ("labels", ["a", "b", "c"], "field 'labels' must be empty where there is no gold tree"),
    ],
)
def test_what_is_no_array_is_refused(field: str, value: object, said: str) -> None:
    instance, _ = made_instance(1, 3, "3")
    with pytest.raises(InputError, match=said):
        dataclasses.replace(instance, gold=(), **{field: value})


def one_by_one(instance: ParsingInstance) -> FactorGraph:
    """The graph of the large factors built by the public methods, one factor after the other.

    A side without modifiers has START-END scores only: the sibling's is constant, the grand-siblings' are the arcs'.
    """
    graph, automata, third = FactorGraph(), instance.automata, instance.order == "3"
    scores = instance.arc_scores.copy()
    for automaton in range(automata.count) if instance.order != "1" else ():
        if not len(automata.outgoing_of(automaton)):
            graph.constant += automata.sibling_table(instance.sibling_scores, automaton)[0, 0]
            if third:
                table = automata.grand_sibling_table(instance.grand_sibling_scores, automaton)
                scores[automata.incoming_of(automaton + 1 >> 1)] += table[:, 0, 0]
    arcs = graph.add_variables(scores)
    where = (arcs, instance.heads, instance.modifiers, instance.number_of_words, instance.single_root)
    if instance.projective:
        graph.add_projective_tree(*where)
    else:
        graph.add_arborescence(*where, instance.flow)
    if instance.order == "1":
        return graph
    for automaton in range(automata.count):
        incoming, outgoing = automata.incoming_of(automaton + 1 >> 1), automata.outgoing_of(automaton)
        if not len(outgoing):
            continue
        graph.add_grand_siblings(
            incoming,
            outgoing,
            instance.heads[incoming],
            instance.modifiers[outgoing],
            automata.sibling_table(instance.sibling_scores, automaton),
            automata.grandparent_table(instance.grandparent_scores, automaton),
            automata.grand_sibling_table(instance.grand_sibling_scores, automaton) if third else None,
        )
        if third:
            graph.add_tri_siblings(outgoing, automata.tri_sibling_table(instance.tri_sibling_scores, automaton))
    if instance.order in ("2+", "3"):
        graph.add_pair_block(instance.any_sibling_arcs.ravel(), instance.any_sibling_scores)
        if instance.number_of_words > 1:
            groups = [automata.incoming_of(word) for word in range(1, instance.number_of_words + 1)]
            tables = [automata.bigram_table(instance.bigram_scores, w) for w in range(1, instance.number_of_words)]
            graph.add_head_bigrams(groups, tables)
    return graph


@pytest.mark.parametrize("projective", [False, True])
@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from(ORDERS), st.sampled_from([1.0, 0.5]), st.booleans())
def test_compiled_layout_equals_factors_added_one_by_one(
    projective: bool, seed: int, words: int, order: str, share: float, single_root: bool
) -> None:
    instance, _ = made_instance(seed, words, order, share=1.0 if projective else share, single_root=single_root)
    instance = dataclasses.replace(instance, projective=projective)
    found, expected = TASK.graph(instance), one_by_one(instance)
    assert found.scores == pytest.approx(expected.scores, abs=1e-12)
    assert found.constant == pytest.approx(expected.constant, abs=1e-12)
    blocks = {block.kind: block for block in expected.blocks}
    assert {block.kind for block in found.blocks} == set(blocks)
    assert set(found.kinds) == set(blocks)
    own = 0.0
    for block in found.blocks:
        other = blocks[block.kind]
        for name in ("starts", "variables", "negated", "int_starts", "ints", "float_starts"):
            assert np.array_equal(getattr(block, name), getattr(other, name)), (block.kind, name)
        assert block.floats == pytest.approx(other.floats, abs=1e-12)
        own += float(np.abs(block.floats).sum())
    assert own <= found.magnitude * (1 + 1e-12) <= own + instance.magnitude + abs(found.constant) + 1e-9


def test_factors_can_be_added_to_a_laid_out_graph() -> None:
    """Adding to it makes the same graph as adding everything one by one."""
    instance, _ = made_instance(3, 4, "3")
    graph, other = TASK.graph(instance), one_by_one(instance)
    for each in (graph, other):
        each.add_pair(0, 1, 2.5)
        each.add_budget([0, 1, 2], 1)
    assert graph.flat is None
    assert {"pair", "budget", "head_bigrams"} <= set(graph.kinds)
    for tree in itertools.islice(TASK.structures(instance), 30):
        values = TASK.assignment(instance, tree)
        assert graph.objective(values) == pytest.approx(other.objective(values), abs=1e-9)
    assert get_solver("ilp-highs").solve(graph).objective == pytest.approx(
        get_solver("ilp-highs").solve(other).objective
    )


def test_labels_are_kept(tmp_path: Path) -> None:
    instance, _ = made_instance(2, 3, "1")
    labelled = dataclasses.replace(instance, gold=(0, 1, 1), labels=("root", "obj", "punct"))
    TASK.save(labelled, tmp_path / "sentence.json")
    assert TASK.load(tmp_path / "sentence.json") == labelled
    assert labelled != instance
