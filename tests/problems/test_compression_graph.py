"""The formulations of sentence compression against brute force: graphs, linear programs, forests and rounding."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from compression_oracle import KINDS, all_structures, best_by_length, random_instance
from linear_oracle import lp_optimum

from problems import get_task
from problems.compression.forests import kept_path, kept_tree
from problems.compression.generate import generate_planted
from problems.compression.graph_flow import arc_columns
from problems.compression.instance import FORMULATIONS, CompressionInstance
from problems.compression.rounding import MOST_CANDIDATES
from problems.compression.trees import all_trees, count_projective_trees
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.derivation import Forest

TASK = get_task("compression")
BY_WORDS = ("factors", "chart")


def instances(seed: int, words: int, count: int) -> list[CompressionInstance]:
    rng = np.random.default_rng([seed, words])
    return [random_instance(rng, words, KINDS[k % len(KINDS)], k % 2 == 0) for k in range(count)]


# -- forests -----------------------------------------------------------------------------------------------------------


def number_of_derivations(forest: Forest) -> int:
    ways, edge = [1], 0
    for edges in forest.edge_counts[1:]:
        tails = forest.tails[edge : edge + edges]
        ways.append(sum(ways[first] * ways[second] for first, second in tails))
        edge += edges
    return ways[-1]


@pytest.mark.parametrize("words", range(1, 9))
def test_every_structure_has_one_derivation(words: int) -> None:
    bigrams, arcs = np.zeros((words + 2, words + 2)), np.zeros((words + 1, words))
    for length in range(words + 1):
        assert number_of_derivations(kept_path(bigrams, length)) == comb(words, length)
    trees = sum(comb(words, length) * count_projective_trees(length) for length in range(1, words + 1))
    assert number_of_derivations(kept_tree(arcs)) == trees
    assert number_of_derivations(kept_tree(arcs, empty=True)) == trees + 1
    assert number_of_derivations(kept_tree(arcs, longest_run=0)) == count_projective_trees(words)


def test_runs_are_limited_before_between_and_behind_the_kept_words() -> None:
    forest = kept_tree(np.zeros((6, 5)), longest_run=2)
    allowed = [
        kept
        for length in range(1, 6)
        for kept in combinations(range(1, 6), length)
        if np.diff([0, *kept, 6]).max() <= 3
    ]
    assert number_of_derivations(forest) == sum(count_projective_trees(len(kept)) for kept in allowed)


def test_the_edges_of_a_tree_grow_with_the_cube_and_those_of_a_path_with_the_deletions() -> None:
    assert len(kept_tree(np.zeros((41, 40))).tails) / len(kept_tree(np.zeros((21, 20))).tails) == pytest.approx(
        8, abs=1
    )
    assert len(kept_path(np.zeros((42, 42)), 39).tails) < 200


def forest(**changed: object) -> Forest:
    """Two items above the axiom, one literal."""
    parts: dict[str, object] = {
        "edge_counts": np.array([0, 1, 1]),
        "links": np.array([[-1, -1], [0, -1], [-1, -1]]),
        "tails": np.array([[0, 0], [1, 0]]),
        "scores": np.array([1.0, 2.0]),
    }
    return Forest(**{**parts, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tails": np.array([[0, 0], [2, 0]])}, "topological"),
        ({"tails": np.array([[0, 0], [1, -1]])}, "topological"),
        ({"links": np.array([[-1, -1], [1, -1], [-1, -1]])}, "literals"),
        ({"links": np.array([[0, -1], [0, -1], [-1, -1]])}, "literals"),
        ({"scores": np.array([1.0, np.nan])}, "finite"),
        ({"scores": np.array([1.0])}, "finite"),
        ({"edge_counts": np.array([1, 1, 0])}, "edge counts"),
        ({"edge_counts": np.array([0, 2, 0]), "tails": np.zeros((2, 2), dtype=int)}, "no derivation"),
        ({"edge_counts": np.array([0, 0, 2]), "tails": np.array([[1, 0], [1, 1]])}, "no derivation"),
        ({"tails": np.zeros(2, dtype=int)}, "two tails"),
    ],
)
def test_what_is_no_forest_is_refused(changed: dict[str, object], message: str) -> None:
    graph = FactorGraph()
    with pytest.raises(InputError, match=message):
        graph.add_derivation(graph.add_variables([0.0]), forest(**changed))


def test_a_forest_of_one_configuration() -> None:
    graph = FactorGraph()
    graph.add_derivation(graph.add_variables([-5.0]), forest())
    assert graph.objective([1]) == -5 + 1 + 2
    assert graph.objective([0]) == -np.inf


# -- graphs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", BY_WORDS)
def test_an_assignment_is_worth_its_best_tree(formulation: str) -> None:
    for instance in instances(1, 5, 6):
        structures, counts, _ = all_structures(5)
        scores = [instance.token_scores, instance.bigram_scores.ravel(), instance.arc_scores.ravel()]
        values = counts @ np.concatenate(scores)
        for length in range(1, 6):
            made = replace(instance, length=length, formulation=formulation)
            graph = TASK.graph(made)
            for kept in combinations(range(1, 6), length):
                best = max(value for (words, _), value in zip(structures, values, strict=True) if words == kept)
                assignment = TASK.assignment(made, (kept, (0,) * length))
                assert graph.objective(assignment) == pytest.approx(best, abs=1e-9)
                structure = TASK.structure(made, assignment)
                assert structure[0] == kept
                assert TASK.objective(made, structure) == pytest.approx(best, abs=1e-9)
            assert graph.objective(np.arange(5) < length - 1) == -np.inf


@pytest.mark.parametrize("projective", [True, False])
def test_the_rows_of_flow_admit_exactly_the_structures(projective: bool) -> None:
    """Every choice of heads for three kept words of four, fixed in the linear program: bigrams and flow are free."""
    instance = replace(instances(2, 4, 1)[0], formulation="flow", projective=projective, length=3)
    allowed = set(TASK.structures(instance))
    program = TASK.graph(instance).linear_program()
    variables = 4 + 16
    for kept in combinations(range(1, 5), 3):
        for heads in np.ndindex(5, 5, 5):
            if any(word == head for word, head in zip(kept, heads, strict=True)):
                continue
            values = np.zeros(variables)
            values[np.array(kept) - 1] = 1.0
            values[arc_columns(4)[heads, np.array(kept) - 1]] = 1.0
            program.lower[:variables] = program.upper[:variables] = values
            optimum = lp_optimum(program)
            assert (optimum is not None) == ((kept, heads) in allowed), (kept, heads)
            if optimum is not None:
                assert optimum[0] == pytest.approx(TASK.objective(instance, (kept, heads)), abs=1e-7)
                assert TASK.structure(instance, values) == (kept, heads)
                assert np.array_equal(TASK.assignment(instance, (kept, heads)), values)


def test_no_tree_of_flow_is_allowed_that_brute_force_does_not_know() -> None:
    instance = replace(instances(3, 4, 1)[0], length=4, projective=False)
    assert len(list(TASK.structures(instance))) == len(list(all_trees(4))) == 4**3


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("words", [1, 2, 5])
def test_relaxations_bound_the_optimum(formulation: str, words: int) -> None:
    made = instances(4, words, 6)
    for instance, best in zip(made, best_by_length(made), strict=True):
        for length in range(1, words + 1):
            program = TASK.graph(replace(instance, length=length, formulation=formulation)).linear_program()
            optimum = lp_optimum(program)
            assert optimum is not None
            assert optimum[0] >= best[length - 1] - 1e-7
            if length in (1, words):  # one word, or all: nothing is left to disagree on
                assert formulation == "flow" or optimum[0] == pytest.approx(best[length - 1], abs=1e-7)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_nothing_kept_is_worth_the_bigram_of_start_and_end(formulation: str) -> None:
    for words in (1, 3):
        instance = replace(instances(5, words, 1)[0], length=0, formulation=formulation)
        optimum = lp_optimum(TASK.graph(instance).linear_program())
        assert optimum is not None
        assert optimum[0] == pytest.approx(instance.bigram_scores[0, words + 1])
        assert TASK.structure(instance, np.zeros(words + words**2)) == ((), ())


@pytest.mark.parametrize("formulation", BY_WORDS)
def test_trees_that_are_not_projective_need_flow(formulation: str) -> None:
    instance = replace(instances(6, 4, 1)[0], projective=False, formulation=formulation)
    with pytest.raises(InputError, match="needs formulation 'flow'"):
        TASK.graph(instance)


def test_flow_has_no_factors() -> None:
    graph = TASK.graph(replace(instances(7, 4, 1)[0], formulation="flow"))
    with pytest.raises(InputError, match="use 'factors' or 'chart'"):
        graph.blocks  # noqa: B018
    assert graph.magnitude > 0


# -- rounding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("projective", [True, False])
def test_rounding_keeps_the_length_and_search_only_improves(projective: bool) -> None:
    rng = np.random.default_rng(8)
    better = 0
    for seed in range(30):
        instance = replace(generate_planted(seed, 5, 12), projective=projective)
        posteriors = rng.random(instance.number_of_words)
        kept, search = (TASK.round(instance, posteriors, rounding) for rounding in ("kept", "search"))
        for structure in (kept, search):
            assert TASK.broken(instance, structure) is None
        likeliest = np.sort(np.argsort(-posteriors)[: instance.length]) + 1
        assert kept[0] == tuple(likeliest)
        gain = TASK.objective(instance, search) - TASK.objective(instance, kept)
        assert gain >= -1e-9
        better += gain > 1e-9
    assert better > 20


def test_rounding_finds_the_best_projective_tree() -> None:
    for instance in instances(9, 6, 12):
        for length in (1, 3, 6):
            made = replace(instance, length=length)
            structure = TASK.round(made, np.linspace(1.0, 0.0, 6), "kept")
            best = max(TASK.objective(made, other) for other in TASK.structures(made) if other[0] == structure[0])
            assert TASK.objective(made, structure) == pytest.approx(best, abs=1e-9)


def test_trees_that_need_not_be_projective_are_rounded_to_better_ones() -> None:
    better = 0
    for instance in instances(10, 6, 24)[::6]:
        made = replace(instance, length=6)
        posteriors = np.ones(6)
        values = [
            TASK.objective(made, TASK.round(replace(made, projective=projective), posteriors, "kept"))
            for projective in (True, False)
        ]
        assert values[1] >= values[0] - 1e-9
        better += values[1] > values[0] + 1e-9
    assert better


def test_only_words_near_the_border_take_part_in_the_search() -> None:
    instance = generate_planted(3, 40)
    posteriors = np.linspace(1.0, 0.0, 40)
    kept = TASK.round(instance, posteriors, "search")[0]
    assert kept != tuple(range(1, instance.length + 1))
    assert set(range(1, instance.length - MOST_CANDIDATES + 1)) <= set(kept)
    assert max(kept) <= instance.length + MOST_CANDIDATES
