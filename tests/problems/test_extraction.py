"""Extractive summarization: objective, graph, roundings, greedy, files."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from checked_graphs import assert_same_graph, extraction_graph
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.extraction.graph import build_graph
from problems.extraction.instance import Concept, ExtractionInstance
from solvers import get_solver

TASK = get_task("extraction")


@st.composite
def instances(draw: st.DrawFn, signed: bool = True) -> ExtractionInstance:
    sentences = draw(st.integers(1, 6))
    lengths = tuple(draw(st.lists(st.integers(0, 6), min_size=sentences, max_size=sentences)))
    subset = st.sets(st.integers(0, sentences - 1), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    score = st.integers(-4 if signed else 0, 8).map(lambda value: value / 2)
    concepts = tuple(Concept(f"c{i}", draw(score), draw(subset)) for i in range(draw(st.integers(0, 6))))
    return ExtractionInstance("random", lengths, concepts, draw(st.integers(0, 15)))


@given(instances())
def test_graph_objective_equals_task_objective(instance: ExtractionInstance) -> None:
    graph = build_graph(instance)
    for extract in itertools.islice(TASK.structures(instance), 100):
        assignment = TASK.assignment(instance, extract)
        assert graph.objective(assignment) == pytest.approx(TASK.objective(instance, extract), abs=1e-9)
        assert TASK.structure(instance, assignment) == extract


@given(instances())
def test_graph_equals_the_one_that_checks_its_factors(instance: ExtractionInstance) -> None:
    assert_same_graph(build_graph(instance), extraction_graph(instance))


@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_graphs_of_generated_instances_equal_the_checked_ones(size: str) -> None:
    for seed in range(3):
        instance = TASK.generate(seed=seed, size=size)
        assert_same_graph(build_graph(instance), extraction_graph(instance))


@pytest.mark.parametrize("lengths", [(), (0, 0), (3, 10**12), (1.5, 2.25)])
def test_graphs_without_concepts_and_of_odd_lengths(lengths: tuple[int, ...]) -> None:
    instance = ExtractionInstance("odd", lengths, (), 2)
    assert_same_graph(build_graph(instance), extraction_graph(instance))


def test_a_budget_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="the budget of a knapsack must be a finite number, not nan"):
        build_graph(ExtractionInstance("odd", (1,), (), math.nan))  # type: ignore[arg-type]


@given(instances())
def test_graph_optimum_equals_brute_force(instance: ExtractionInstance) -> None:
    best = get_solver("brute-force").solve(instance)
    found = get_solver("ilp-highs").solve(instance)
    assert found.objective == pytest.approx(best.objective, abs=1e-6)


@given(instances(), st.randoms(use_true_random=False))
def test_roundings_are_feasible_and_search_never_loses(instance: ExtractionInstance, random: object) -> None:
    size = build_graph(instance).number_of_variables
    posteriors = np.array([random.choice([0.0, 0.3, 1.0]) for _ in range(size)])  # type: ignore[attr-defined]
    paper = TASK.round(instance, posteriors, "paper")
    search = TASK.round(instance, posteriors, "search")
    best = get_solver("brute-force").solve(instance).objective
    assert TASK.broken(instance, paper) is None
    assert TASK.broken(instance, search) is None
    assert TASK.objective(instance, paper) - 1e-9 <= TASK.objective(instance, search) <= best + 1e-9


@given(instances(signed=False))
def test_greedy_keeps_its_guarantee(instance: ExtractionInstance) -> None:
    """Lin & Bilmes, Theorem 1: at least 1 - 1/sqrt(e) of the optimum for monotone coverage, and never above it."""
    found = get_solver("greedy").solve(instance)
    best = get_solver("brute-force").solve(instance).objective
    assert TASK.broken(instance, found.structure) is None
    assert (1 - math.exp(-0.5)) * best - 1e-9 <= found.objective <= best + 1e-9


def test_greedy_prefers_the_single_sentence_where_ratios_mislead() -> None:
    concepts = (Concept("small", 2.0, (0,)), Concept("big", 50.0, (1,)))
    instance = ExtractionInstance("trap", (1, 100), concepts, budget=100)
    assert get_solver("greedy").solve(instance).structure == (1,)


@given(instances(), st.sampled_from([1e-30, 1e-9, 1e9, 1e30]), st.randoms(use_true_random=False))
def test_search_does_not_depend_on_the_unit_of_scores(
    instance: ExtractionInstance, unit: float, random: object
) -> None:
    concepts = tuple(concept._replace(score=concept.score * unit) for concept in instance.concepts)
    other = dataclasses.replace(instance, concepts=concepts)
    size = build_graph(instance).number_of_variables
    posteriors = np.array([random.choice([0.0, 0.3, 1.0]) for _ in range(size)])  # type: ignore[attr-defined]
    found = TASK.objective(other, TASK.round(other, posteriors, "search"))
    wanted = TASK.objective(instance, TASK.round(instance, posteriors, "search")) * unit
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9 * unit)


@given(instances())
def test_instances_survive_json(instance: ExtractionInstance) -> None:
    assert TASK._from_document(json.loads(json.dumps(TASK._to_document(instance)))) == instance


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("[]", "expected a JSON object"),
        ("{", "line 1: not valid JSON"),
        ('{"task": "extraction"}', "field 'name' is missing"),
        ('{"task": "extraction", "name": "x", "lengths": [-1], "concepts": [], "budget": 1}', "'lengths' must hold"),
        ('{"task": "extraction", "name": "x", "lengths": [NaN], "concepts": [], "budget": 1}', "list of whole numbers"),
        (
            '{"task": "extraction", "name": "x", "lengths": [1], "budget": 1,'
            ' "concepts": [{"name": "a", "score": 1, "sentences": [3]}]}',
            "'concepts[0].sentences' must name different sentences",
        ),
        (
            '{"task": "extraction", "name": "x", "lengths": [1], "budget": 1, "concepts": [], "budegt": 2}',
            "unknown field 'budegt': did you mean 'budget'?",
        ),
        (
            '{"task": "extraction", "name": "x", "lengths": [1], "budget": 1,'
            ' "concepts": [{"name": "a", "score": 1, "sentences": [0], "scores": 1}]}',
            "unknown field 'concepts[0].scores': did you mean 'score'?",
        ),
        (
            '{"task": "extraction", "name": "x", "lengths": [1], "budget": 1,'
            ' "concepts": [{"name": "a", "score": 1' + "0" * 400 + ', "sentences": [0]}]}',
            "field 'concepts[0].score' must be a finite number",
        ),
        ('{"task": "extraction", "name": "x", "budget": ' + "9" * 5000 + "}", "a number has too many digits"),
        (
            '{"task": "extraction", "name": "x", "lengths": [1' + "0" * 30 + '], "concepts": [], "budget": 1}',
            "'lengths' must be a list of whole numbers below 2^63",
        ),
        (
            '{"task": "extraction", "name": "x", "lengths": [1, 1], "budget": 1, "concepts":'
            ' [{"name": "a", "score": 1e308, "sentences": [0]}, {"name": "b", "score": 1e308, "sentences": [1]}]}',
            "absolute scores must sum to at most 1e+100",
        ),
        (
            '{"task": "extraction", "name": "x", "lengths": [1], "concepts": [], "budget": 1, "texts": ["\\ud800"]}',
            "field 'texts' must be a list of texts in valid Unicode",
        ),
    ],
)
def test_broken_files_are_named_by_field(tmp_path: Path, document: str, said: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(document)
    with pytest.raises(InputError) as caught:
        TASK.load(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_generators_are_deterministic(size: str) -> None:
    assert TASK.generate(5, size) == TASK.generate(5, size)
    assert TASK.generate(5, size) != TASK.generate(6, size)


def test_sizes() -> None:
    tac, zipf = TASK.generate(1), TASK.generate(1, "zipf")
    assert len(tac.lengths) == 200
    assert 300 <= len(tac.concepts) <= 1500
    assert len(zipf.lengths) == 200
    assert 550 <= len(zipf.concepts) <= 600
    assert (tac.budget, zipf.budget) == (100, 100)


def test_unknown_sizes_and_seeds() -> None:
    with pytest.raises(InputError, match="unknown size 'tacc' of task 'extraction': did you mean 'tac'"):
        TASK.generate(1, "tacc")
    with pytest.raises(InputError, match="a seed must be a whole number of at least 0, not -1"):
        TASK.generate(-1)
    with pytest.raises(InputError, match="unknown task 'extractions': did you mean 'extraction'"):
        get_task("extractions")
    for name in (3, None, ["extraction"]):
        with pytest.raises(InputError, match="unknown task"):
            get_task(name)


def test_pruned_sizes_have_the_candidates_of_the_compressive_problem() -> None:
    """Section 5.1 of Almeida & Martins reduces the sentences of both."""
    pruned, compressive = TASK.generate(101, "tac-pruned"), get_task("summarization").generate(101, "tac")
    assert list(pruned.lengths) == [len(sentence) for sentence in compressive.sentences]
    ours, theirs = ([(each.name, each.score) for each in made.concepts] for made in (pruned, compressive))
    assert ours == theirs
    assert (pruned.name, pruned.references) == (compressive.name, compressive.references)
    assert sum(pruned.lengths) <= 1000 < sum(TASK.generate(101).lengths)
