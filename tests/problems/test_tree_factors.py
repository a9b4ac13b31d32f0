"""Trees: Chu-Liu/Edmonds and Eisner against all trees, and the linear descriptions against both."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_oracle import lp_optimum
from parsing_sentences import candidate_arcs

from problems.errors import InputError
from problems.factor_graph import FactorGraph


@cache
def all_trees(words: int) -> np.ndarray:
    """Every head vector that is a tree (a row each), found by following heads upwards as often as there are words."""
    heads = np.array(list(itertools.product(range(words + 1), repeat=words)))
    padded = np.hstack([np.zeros((len(heads), 1), dtype=np.int64), heads])
    above = padded.copy()
    for _ in range(words):
        above = np.take_along_axis(padded, above, axis=1)
    return heads[(above == 0).all(axis=1)]


def crosses(tree: np.ndarray) -> bool:
    spans = [tuple(sorted((word, int(head)))) for word, head in enumerate(tree, start=1)]
    return any(a < c < b < d for (a, b), (c, d) in itertools.permutations(spans, 2))


@cache
def projective_trees(words: int) -> np.ndarray:
    trees = all_trees(words)
    return trees[[not crosses(tree) for tree in trees]]


def best_of(trees: np.ndarray, matrix: np.ndarray, single_root: bool) -> float:
    """The best value of all trees for scores[head, modifier], -inf where there is no arc."""
    values = matrix[trees, np.arange(1, trees.shape[1] + 1)].sum(axis=1)
    if single_root:
        values = values[(trees == 0).sum(axis=1) == 1]
    return float(values.max())


def tree_graph(kind: str, matrix: np.ndarray, single_root: bool, flow: str = "multi") -> FactorGraph:
    modifiers, heads = np.nonzero(np.isfinite(matrix.T))
    graph = FactorGraph()
    arcs = graph.add_variables(matrix[heads, modifiers])
    if kind == "arborescence":
        graph.add_arborescence(arcs, heads, modifiers, len(matrix) - 1, single_root, flow)
    else:
        graph.add_projective_tree(arcs, heads, modifiers, len(matrix) - 1, single_root)
    return graph


def maximum(graph: FactorGraph) -> tuple[float, np.ndarray]:
    (block,) = graph.blocks
    values, point = block.maximize(graph.scores[block.variables])
    assert np.array_equal(block.variables, np.arange(len(point)))
    return float(values[0]), point


@st.composite
def matrices(draw: st.DrawFn, most_words: int = 6) -> np.ndarray:
    """Scores by head and modifier, with ties or without, some arcs missing, some huge."""
    words = draw(st.integers(1, most_words))
    rng = np.random.default_rng(draw(st.integers(0, 10**9)))
    matrix = rng.normal(size=(words + 1, words + 1))
    style = draw(st.sampled_from(["fine", "ties", "zero", "huge"]))
    if style == "ties":
        matrix = np.rint(matrix)
    elif style == "zero":
        matrix[:] = 0.0
    elif style == "huge":
        matrix[rng.random(matrix.shape) < 0.3] *= 1e6
    matrix[rng.random(matrix.shape) < draw(st.sampled_from([0.0, 0.3, 0.6]))] = -np.inf
    matrix[:, 0] = -np.inf
    np.fill_diagonal(matrix, -np.inf)
    return matrix


@pytest.mark.parametrize("kind", ["arborescence", "projective_tree"])
@settings(max_examples=300)
@given(matrix=matrices(), single_root=st.booleans())
def test_maximize_equals_all_trees(kind: str, matrix: np.ndarray, single_root: bool) -> None:
    words = len(matrix) - 1
    trees = all_trees(words) if kind == "arborescence" else projective_trees(words)
    best = best_of(trees, matrix, single_root)
    if best == -np.inf:
        with pytest.raises(InputError):
            tree_graph(kind, matrix, single_root)
        return
    graph = tree_graph(kind, matrix, single_root)
    value, point = maximum(graph)
    size = 1e-12 * np.abs(matrix[np.isfinite(matrix)]).sum()
    assert value == pytest.approx(best, abs=size)
    assert graph.objective(point) == pytest.approx(best, abs=size)  # -inf if it were not a tree


def test_numbers_of_trees() -> None:
    """Cayley's formula, and the number of projective trees (with a single root 1, 2, 7, 30, ...)."""
    assert [len(all_trees(words)) for words in range(1, 6)] == [1, 3, 16, 125, 1296]
    single = [sum((tree == 0).sum() == 1 for tree in projective_trees(words)) for words in range(1, 5)]
    assert single == [1, 2, 7, 30]
    for words in range(1, 5):
        graph = tree_graph("projective_tree", _complete(words), False)
        assert len(graph.blocks[0].enumerate(0)[0]) == len(projective_trees(words))
        graph = tree_graph("arborescence", _complete(words), False)
        assert len(graph.blocks[0].enumerate(0)[0]) == len(all_trees(words))


def _complete(words: int) -> np.ndarray:
    matrix = np.zeros((words + 1, words + 1))
    matrix[:, 0] = -np.inf
    np.fill_diagonal(matrix, -np.inf)
    return matrix


@pytest.mark.parametrize("kind", ["arborescence", "projective_tree"])
@pytest.mark.parametrize("single_root", [False, True])
def test_longer_sentences_equal_the_linear_program(kind: str, single_root: bool) -> None:
    """Beyond enumeration: nested cycles of up to 14 words against the flow, whose vertices are trees."""
    rng = np.random.default_rng(8)
    for _ in range(12):
        words = int(rng.integers(7, 11 if kind == "arborescence" else 15))
        heads, modifiers = candidate_arcs(words, float(rng.choice([2, 4, words])), rng)
        matrix = np.full((words + 1, words + 1), -np.inf)
        matrix[heads, modifiers] = rng.normal(size=len(heads)) - 3.0 * (heads == 0) * rng.integers(2)
        graph = tree_graph(kind, matrix, single_root)
        optimum = lp_optimum(graph.linear_program())
        assert optimum is not None
        value, point = maximum(graph)
        assert value == pytest.approx(optimum[0], abs=1e-7)
        assert graph.objective(point) == pytest.approx(value)
        arcs = optimum[1][: len(heads)]
        assert np.abs(arcs - np.rint(arcs)).max() <= 1e-6


@settings(max_examples=30)
@given(matrix=matrices(5), single_root=st.booleans())
def test_the_single_commodity_flow_is_the_same_program_with_a_weaker_relaxation(
    matrix: np.ndarray, single_root: bool
) -> None:
    if best_of(all_trees(len(matrix) - 1), matrix, single_root) == -np.inf or np.nanmax(np.abs(matrix[1:, 1:])) > 1e3:
        return
    multi, single = (tree_graph("arborescence", matrix, single_root, flow) for flow in ("multi", "single"))
    exact, relaxed = lp_optimum(multi.linear_program()), lp_optimum(single.linear_program())
    assert exact is not None
    assert relaxed is not None
    assert relaxed[0] >= exact[0] - 1e-7
    for tree in multi.blocks[0].enumerate(0)[0][:20]:
        program = single.linear_program()
        program.lower[: len(tree)] = program.upper[: len(tree)] = tree
        assert lp_optimum(program) is not None


def test_the_single_commodity_flow_accepts_a_cycle_of_fractions() -> None:
    """Words 1 and 2 like each other and hang on word 3. Two of three units must enter them, so two thirds of an arc do."""
    matrix = np.full((4, 4), -np.inf)
    matrix[[0, 3, 3], [3, 1, 2]] = 0.0
    matrix[[1, 2], [2, 1]] = 1.0
    exact = lp_optimum(tree_graph("arborescence", matrix, False, "multi").linear_program())
    relaxed = lp_optimum(tree_graph("arborescence", matrix, False, "single").linear_program())
    assert exact is not None
    assert relaxed is not None
    assert exact[0] == pytest.approx(1.0)
    assert relaxed[0] == pytest.approx(4.0 / 3.0)


def test_bad_trees_are_refused() -> None:
    graph = FactorGraph()
    x = graph.add_variables(np.zeros(4))
    for arguments, message in [
        ((x[:2], [0, 1], [1, 2], 3), "word 3 has no candidate head"),
        ((x[:3], [0, 3, 2], [1, 2, 3], 3), "word 2 cannot be reached"),
        ((x[:2], [0, 0], [1, 2], 2, True), "single root"),
        ((x[:2], [0, 2], [1, 1], 1), "heads must be 0"),
        ((x[:2], [0, 2], [1, 2], 2), "word 2 cannot be its own head"),
        ((x[:2], [0, 0], [1, 1], 1), "given twice"),
        ((x[:2], [0], [1, 2], 2), "one head and one modifier per arc"),
        ((x[:1], [0], [1], 0), "at least 1 word"),
        ((x[:1], [0], [1], 1, False, "none"), "flow"),
    ]:
        with pytest.raises(InputError, match=message):
            graph.add_arborescence(*arguments)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="projective"):
        graph.add_projective_tree(x, [3, 4, 0, 1], [1, 2, 3, 4], 4)
    graph.add_arborescence(x, [3, 4, 0, 1], [1, 2, 3, 4], 4)


def test_one_word_and_two_hundred() -> None:
    value, point = maximum(tree_graph("arborescence", np.array([[-np.inf, 2.5], [-np.inf, -np.inf]]), True))
    assert (value, point.tolist()) == (2.5, [1.0])
    rng = np.random.default_rng(9)
    heads, modifiers = candidate_arcs(200, 10, rng)
    graph = FactorGraph()
    arcs = graph.add_variables(rng.normal(size=len(heads)))
    graph.add_arborescence(arcs, heads, modifiers, 200, single_root=True)
    value, point = maximum(graph)
    assert graph.objective(point) == pytest.approx(value)
    for _ in range(20):  # no exchange of one head by another improves it
        word = int(rng.integers(1, 201))
        for arc in np.flatnonzero(modifiers == word):
            changed = point.copy()
            changed[modifiers == word] = 0.0
            changed[arc] = 1.0
            assert graph.objective(changed) <= value + 1e-9
