"""Head automata and head bigrams: conventions by hand, maximize by enumeration at all sizes, bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parsing_sentences import random_sentence

from problems.errors import InputError
from problems.factor_graph import FactorGraph


def best_by_hand(graph: FactorGraph) -> float:
    """The best of all 0/1 assignments."""
    count = graph.number_of_variables
    return max(graph.objective(values) for values in itertools.product((0, 1), repeat=count))


def grand_sibling_score(
    incoming: int | None,
    chosen: list[int],
    count: int,
    sibling: np.ndarray,
    grandparent: np.ndarray,
    grand_sibling: np.ndarray,
) -> float:
    """Section 3, with START = 0 and END = J: written from the paper, apart from the factor's own code."""
    total, state = 0.0, 0
    for modifier in [*chosen, count]:
        total += sibling[state, modifier]
        if incoming is not None:
            total += grand_sibling[incoming, state, modifier]
            if modifier < count:
                total += grandparent[incoming, modifier]
        state = modifier + 1
    return total


@settings(max_examples=200)
@given(
    st.integers(0, 4),
    st.integers(0, 5),
    st.integers(0, 10**9),
    st.booleans(),
    st.sampled_from(["fine", "ties", "zero"]),
)
def test_grand_siblings(incoming: int, outgoing: int, seed: int, third: bool, style: str) -> None:
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    scale = 0.0 if style == "zero" else 1.0

    def draw(*shape: int) -> np.ndarray:
        values = scale * rng.normal(size=shape)
        return np.rint(values) if style == "ties" else values

    unary = draw(incoming + outgoing)
    links = graph.add_variables(unary)
    above, below = rng.permutation(incoming + outgoing + 1), 1 + rng.permutation(incoming + outgoing + 1)
    sibling, grandparent = draw(outgoing + 1, outgoing + 1), draw(incoming, outgoing)
    grand = draw(incoming, outgoing + 1, outgoing + 1) if third else np.zeros((incoming, outgoing + 1, outgoing + 1))
    graph.add_grand_siblings(
        links[:incoming],
        links[incoming:],
        above[:incoming],
        below[:outgoing],
        sibling,
        grandparent,
        grand if third else None,
    )
    best = -np.inf
    for head in range(incoming) if incoming else [None]:
        for flags in itertools.product((0, 1), repeat=outgoing):
            chosen = [place for place, flag in enumerate(flags) if flag]
            values = np.zeros(incoming + outgoing)
            values[incoming:] = flags
            if head is not None:
                values[head] = 1.0
            expected = grand_sibling_score(head, chosen, outgoing, sibling, grandparent, grand) + unary @ values
            if head is not None and above[head] in below[:outgoing][chosen]:
                expected = -np.inf
            assert graph.objective(values) == pytest.approx(expected)
            best = max(best, expected)
    if graph.blocks and graph.blocks[0].kind == "grand_siblings":
        (block,) = graph.blocks
        value, point = block.maximize(graph.scores[block.variables])
        assert value[0] + graph.constant == pytest.approx(best)
        assert graph.objective(point) == pytest.approx(best)


@settings(max_examples=100)
@given(st.integers(0, 7), st.integers(0, 10**9), st.booleans())
def test_tri_siblings(outgoing: int, seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    unary, scores = rng.normal(size=outgoing), rng.normal(size=(outgoing, outgoing, outgoing + 1))
    if ties:
        unary, scores = np.rint(unary), np.rint(scores)
    scores[rng.random(scores.shape) < 0.2] = 0.0
    unused = np.indices(scores.shape)
    scores[(unused[0] > unused[1]) | (unused[1] >= unused[2])] = 1e6  # never to be read
    graph = FactorGraph()
    graph.add_tri_siblings(graph.add_variables(unary), scores)
    best = -np.inf
    for flags in itertools.product((0, 1), repeat=outgoing):
        chosen = [place for place, flag in enumerate(flags) if flag]
        chain = [*chosen[:1], *chosen, outgoing]  # START stands as the first one once more
        expected = sum(scores[chain[k], chain[k + 1], chain[k + 2]] for k in range(len(chain) - 2))
        expected += float(unary @ np.array(flags, dtype=float))
        assert graph.objective(flags) == pytest.approx(expected)
        best = max(best, expected)
    for block in graph.blocks:
        value, _ = block.maximize(graph.scores[block.variables])
        assert value[0] == pytest.approx(best)
    assert {block.kind for block in graph.blocks} == (
        set() if outgoing < 2 else {"pair"} if outgoing == 2 else {"tri_siblings"}
    )


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(0, 10**9))
def test_head_bigrams(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    unary = rng.normal(size=sum(sizes)).round(int(rng.integers(0, 5)))
    groups = np.split(graph.add_variables(unary), np.cumsum(sizes)[:-1])
    tables = [rng.normal(size=(len(a), len(b))).round(1) for a, b in itertools.pairwise(groups)]
    graph.add_head_bigrams(groups, tables)
    best = -np.inf
    for chosen in itertools.product(*(range(size) for size in sizes)):
        values = np.zeros(len(unary))
        values[[group[place] for group, place in zip(groups, chosen, strict=True)]] = 1.0
        expected = unary @ values + sum(t[a, b] for t, a, b in zip(tables, chosen, chosen[1:], strict=False))
        assert graph.objective(values) == pytest.approx(expected)
        best = max(best, expected)
    (block,) = graph.blocks
    assert block.maximize(graph.scores[block.variables])[0][0] == pytest.approx(best)
    assert graph.objective(np.zeros(len(unary))) == -np.inf


def test_without_outgoing_arcs_the_scores_are_linear() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0])
    graph.add_grand_siblings(x, [], [3, 4], [], [[10.0]], np.zeros((2, 0)), [[[100.0]], [[200.0]]])
    assert [graph.objective(values) for values in ((1, 0), (0, 1), (1, 1), (0, 0))] == [111, 212, -np.inf, -np.inf]
    graph.add_grand_siblings([], [], [], [], [[1000.0]])
    assert graph.objective((1, 0)) == 1111
    assert best_by_hand(graph) == 1212


def test_blocks_equal_single_automata() -> None:
    rng = np.random.default_rng(3)
    single, block = FactorGraph(), FactorGraph()
    counts = [(0, 2), (3, 0), (2, 3), (0, 0), (1, 1)]
    flat: list[list[np.ndarray]] = [[] for _ in range(7)]
    size = sum(a + b for a, b in counts)
    variables = single.add_variables(np.zeros(size))
    block.add_variables(np.zeros(size))
    for i, j in counts:
        enter, variables = variables[:i], variables[i:]
        leave, variables = variables[:j], variables[j:]
        parts = [enter, leave, rng.permutation(6)[:i], 1 + rng.permutation(6)[:j]]
        parts += [rng.normal(size=(j + 1, j + 1)), rng.normal(size=(i, j)), rng.normal(size=(i, j + 1, j + 1))]
        single.add_grand_siblings(*parts)
        single.add_tri_siblings(leave, np.ones((j, j, j + 1)))
        for known, part in zip(flat, parts, strict=True):
            known.append(part.ravel())
    block.add_grand_sibling_block(*zip(*counts, strict=True), *(np.concatenate(part) for part in flat))
    outgoing = [j for _, j in counts]
    cubes = np.ones(sum(j * j * (j + 1) for j in outgoing))
    block.add_tri_sibling_block(outgoing, np.concatenate(flat[1]), cubes)
    assert block.constant == single.constant
    assert np.array_equal(block.scores, single.scores)
    for one in single.blocks:
        (other,) = (found for found in block.blocks if found.kind == one.kind)
        for name in ("starts", "variables", "ints", "floats", "int_starts", "float_starts"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), (one.kind, name)


def test_bad_automata_are_refused() -> None:
    graph = FactorGraph()
    x = graph.add_variables(np.zeros(5))
    square, cube = np.zeros((3, 3)), np.zeros((2, 2, 3))
    for arguments, message in [
        (([0], [1, 2], [3], [1], square), "one grandparent per incoming and one modifier"),
        (([0], [1, 2], [3], [1, 2], np.zeros((2, 3))), r"shape \(3, 3\), not \(2, 3\)"),
        (([0], [1, 2], [3], [1, 2], square, np.zeros((2, 2))), r"grandparent scores must have the shape \(1, 2\)"),
        (([0], [1, 2], [3], [1, 2], square, None, square), "grand-sibling"),
        (([0], [1, 9], [3], [1, 2], square), "variable 9"),
        (([0], [0, 1], [3], [1, 2], square), "twice"),
        (([0], [1, 2], [3], [1, 2], square + np.nan), "finite"),
        (([0], [1, 2], [3], [1, 2], "ab"), "numbers"),
    ]:
        with pytest.raises(InputError, match=message):
            graph.add_grand_siblings(*arguments)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="tri-sibling"):
        graph.add_tri_siblings(x[:3], cube)
    with pytest.raises(InputError, match="finite"):
        graph.add_tri_siblings(x[:2], cube + np.inf)
    with pytest.raises(InputError, match="whole tables"):
        graph.add_tri_sibling_block([2], x[:2], np.zeros(5))
    with pytest.raises(InputError, match="automata need"):
        graph.add_grand_sibling_block([1], [1], [0], [1], [2], [3], np.zeros(3), np.zeros(1))
    with pytest.raises(InputError, match="whole table"):
        graph.add_head_bigram_arrays([1, 2], x[:3], np.zeros(3))
    for groups, tables, message in [
        ([], [], "at least one word"),
        ([[0], []], [np.zeros((1, 0))], "at least one arc"),
        ([[0], [1]], [], "need 1 tables"),
        ([[0], [1, 2]], [np.zeros((2, 1))], "shape"),
        ([[0], [1, 2]], [[[0.0, np.inf]]], "finite"),
    ]:
        with pytest.raises(InputError, match=message):
            graph.add_head_bigrams(groups, tables)
    assert graph.blocks == []


def test_a_grandparent_is_never_a_modifier_of_the_same_head() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 5.0])
    graph.add_grand_siblings(x[:1], x[1:], [7], [7], np.zeros((2, 2)))
    assert graph.objective((1, 1)) == -np.inf
    assert best_by_hand(graph) == 1.0


def test_random_sentences_have_all_parts() -> None:
    graph = random_sentence(12, np.random.default_rng(0), "3")
    kinds = {block.kind for block in graph.blocks}
    assert kinds == {"arborescence", "grand_siblings", "tri_siblings", "pair", "head_bigrams"}
