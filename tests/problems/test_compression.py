"""The task `compression`: objective, feasibility, brute force, JSON, generator and metrics."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compression_oracle import all_structures, best_by_length, random_instance
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.compression.generate import generate_hard, generate_planted
from problems.compression.instance import CompressionInstance
from problems.compression.sizes import SIZES
from problems.compression.trees import (
    all_trees,
    count_head_vectors,
    count_projective_trees,
    crossing_word,
    lost_word,
    projective_trees,
)
from problems.errors import InputError
from problems.metrics.compression import evaluate_compression
from solvers import get_solver

TASK = get_task("compression")


def small(**changes: Any) -> CompressionInstance:
    """Four words with scores that tell every part apart."""
    bigrams = np.arange(36.0).reshape(6, 6) / 100
    arcs = 10.0 + np.arange(20.0).reshape(5, 4)
    parts: dict[str, Any] = {
        "name": "small",
        "token_scores": [1000.0, 2000.0, 3000.0, 4000.0],
        "bigram_scores": bigrams,
        "arc_scores": arcs,
        "length": 2,
    }
    return CompressionInstance(**{**parts, **changes})


# -- trees ---------------------------------------------------------------------------------------------------------------


def is_projective(heads: tuple[int, ...]) -> bool:
    """By definition: whatever lies between a head and its modifier hangs, directly or not, from that head."""
    for modifier, head in enumerate(heads, 1):
        for between in range(min(head, modifier) + 1, max(head, modifier)):
            above = between
            while above not in (0, head):
                above = heads[above - 1]
            if above != head:
                return False
    return True


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_trees_are_enumerated_completely(length: int) -> None:
    trees = []
    for heads in itertools.product(range(length + 1), repeat=length):
        reached, steps = list(range(1, length + 1)), 0
        while any(reached) and steps <= length:  # follow the heads of all words at once
            reached, steps = [heads[word - 1] if word else 0 for word in reached], steps + 1
        if heads.count(0) == 1 and not any(reached):
            trees.append(heads)
    assert sorted(all_trees(length)) == trees
    assert len(trees) == length ** (length - 1)
    assert len(trees) <= count_head_vectors(length)
    assert sorted(projective_trees(length)) == [heads for heads in trees if is_projective(heads)]
    assert len(projective_trees(length)) == count_projective_trees(length)
    for heads in trees:
        assert (crossing_word(heads) is None) == is_projective(heads)


def test_numbers_of_projective_trees() -> None:
    assert [count_projective_trees(length) for length in range(1, 9)] == [1, 2, 7, 30, 143, 728, 3876, 21318]
    assert len(all_structures(8)[0]) == 83274
    assert lost_word([2, 1, 0]) == 1
    assert lost_word([0, 1, 2]) is None


# -- objective and feasibility -------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 5), st.booleans())
def test_objective_is_equation_1(seed: int, words: int, boundary: bool) -> None:
    """With the variables z and y, and the products over deleted words, as the paper writes it."""
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, words, "normal", boundary)
    structures = all_structures(words)[0]
    kept, heads = structures[int(rng.integers(len(structures)))]
    z = [1] + [int(word in kept) for word in range(1, words + 1)] + [1]
    total = sum(instance.token_scores[i - 1] * z[i] for i in range(1, words + 1))
    for i, j in itertools.combinations(range(words + 2), 2):
        total += instance.bigram_scores[i, j] * z[i] * z[j] * np.prod([1 - z[k] for k in range(i + 1, j)])
    y = dict(zip(kept, heads, strict=True))
    for i, j in itertools.product(range(words + 1), range(1, words + 1)):
        total += instance.arc_scores[i, j - 1] * z[i] * z[j] * (y.get(j) == i)
    assert TASK.objective(instance, (kept, heads)) == pytest.approx(total)


def test_objective_by_hand() -> None:
    # words 2 and 4, 2 <- 4 <- root: tokens 6000, arcs [4, 2] = 27 and [0, 4] = 13, bigrams [0, 2], [2, 4], [4, 5]
    assert TASK.objective(small(), ((2, 4), (4, 0))) == pytest.approx(6000 + 27 + 13 + 0.02 + 0.16 + 0.29)
    without = small(bigram_scores=np.arange(16.0).reshape(4, 4) / 100)
    assert TASK.objective(without, ((2, 4), (4, 0))) == pytest.approx(6000 + 27 + 13 + 0.07)
    assert TASK.objective(small(length=0), ((), ())) == pytest.approx(0.05)
    assert TASK.objective(dataclasses.replace(without, length=0), ((), ())) == 0.0


@pytest.mark.parametrize(
    ("structure", "said"),
    [
        (((1, 3), (3, 0)), None),
        (((1,), (0,)), "1 words are kept, not 2."),
        (((3, 1), (0, 3)), "must be different ones from 1 to 4, in order"),
        (((1, 1), (0, 1)), "must be different ones from 1 to 4, in order"),
        (((1, 5), (0, 1)), "must be different ones from 1 to 4, in order"),
        (((0, 1), (0, 0)), "must be different ones from 1 to 4, in order"),
        (((1, 3), (3,)), "there are 1 heads for 2 kept words"),
        (((1, 3), (2, 0)), "word 2, the head of word 1, is not kept"),
        (((1, 3), (0, 0)), "2 words hang from the root symbol, not 1"),
        (((1, 3), (3, 1)), "0 words hang from the root symbol, not 1"),
        (((1, 3), (1, 0)), "word 1 is in a cycle"),
    ],
)
def test_what_is_broken_is_said(structure: Any, said: str | None) -> None:
    found = TASK.broken(small(), structure)
    assert found is None if said is None else said in found


def test_crossing_arcs_are_broken_only_where_trees_must_be_projective() -> None:
    crossing = ((1, 2, 3, 4), (3, 4, 0, 3))
    assert "the words below word 4 have others among them" in TASK.broken(small(length=4), crossing)
    assert TASK.broken(small(length=4, projective=False), crossing) is None
    # deleted words do not count: 1 <- 3 and 4 -> 2 cross, without word 2 nothing does
    assert TASK.broken(small(length=3), ((1, 3, 4), (3, 0, 3))) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"length": 5}, "field 'length' must be from 0 to 4, the words of the sentence, not 5"),
        ({"length": -1}, "field 'length' must be from 0 to 4"),
        ({"length": 2.5}, "field 'length' must be a whole number, not 2.5"),
        ({"length": True}, "field 'length' must be a whole number"),
        ({"token_scores": []}, "field 'token_scores' must hold one score for each word"),
        ({"token_scores": [1.0, float("nan"), 0.0, 0.0]}, "field 'token_scores' must hold finite numbers"),
        ({"token_scores": ["a"] * 4}, "field 'token_scores' must hold numbers"),
        ({"bigram_scores": np.full((4, 4), np.inf)}, "field 'bigram_scores' must hold finite numbers"),
        (
            {"bigram_scores": np.zeros((5, 5))},
            "must be 4 x 4 scores, or 6 x 6 with the start and end symbols, not 5 x 5",
        ),
        ({"arc_scores": np.full((5, 4), -np.inf)}, "field 'arc_scores' must hold finite numbers"),
        ({"arc_scores": np.zeros((4, 4))}, "field 'arc_scores' must be 5 x 4 scores (head, modifier), not 4 x 4"),
        ({"arc_scores": np.full((5, 4), 1e100)}, "the absolute scores must sum to at most 1e+100"),
        ({"words": ("a",)}, "field 'words' must have one entry for each of the 4 words, or none"),
        ({"tags": ("a",)}, "field 'tags' must have one entry"),
        ({"formulation": "flaw"}, "field 'formulation' must be one of flow, factors, chart"),
        ({"source_heads": (0, 0, 1, 1)}, "field 'source_heads' is no tree: 2 words hang from the root symbol"),
        ({"gold_kept": (2, 1)}, "field 'gold_kept' is no compression"),
        ({"gold_heads": (0,)}, "field 'gold_heads' needs field 'gold_kept'"),
        ({"gold_kept": (2, 3), "gold_heads": (3, 2)}, "field 'gold_heads' is no tree"),
    ],
)
def test_bad_fields_are_one_sentence(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        small(**changes)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_scores_are_copied_sealed_and_without_parts_that_cannot_be() -> None:
    arcs = np.ones((5, 4))
    instance = small(arc_scores=arcs)
    arcs[:] = 7.0
    assert instance.arc_scores.sum() == 16.0  # four arcs from a word to itself are none
    assert not np.tril(instance.bigram_scores).any()
    with pytest.raises(ValueError):
        instance.arc_scores[0, 0] = 1.0
    assert instance.magnitude == pytest.approx(10_000 + 16.0 + np.triu(np.arange(36.0).reshape(6, 6), 1).sum() / 100)
    assert small() == small()
    assert hash(small()) == hash(small())
    assert small() != small(length=3)


# -- brute force ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_brute_force_goes_through_all_structures(words: int) -> None:
    rng = np.random.default_rng(words)
    instance = random_instance(rng, words, "normal", True)
    best = best_by_length([instance])[0]
    for length in range(words + 1):
        chosen = dataclasses.replace(instance, length=length)
        structures = list(TASK.structures(chosen))
        assert len(structures) == len(set(structures)) == TASK.count_structures(chosen)
        assert all(TASK.broken(chosen, structure) is None for structure in structures)
        found = get_solver("brute-force").solve(chosen)
        assert found.objective == pytest.approx(best[length - 1] if length else chosen.bigram_scores[0, -1])
        free = dataclasses.replace(chosen, projective=False)
        more = list(TASK.structures(free))
        assert set(structures) <= set(more)
        assert len(more) <= TASK.count_structures(free)
        assert all(TASK.broken(free, structure) is None for structure in more)


def test_brute_force_counts_without_overflow() -> None:
    assert TASK.count_structures(generate_hard(0, 600)) == float("inf")


# -- files ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["tiny", "hard-10"])
def test_json_round_trip(size: str, tmp_path: Path) -> None:
    instance = TASK.generate(5, size)
    path = tmp_path / "instance.json"
    TASK.save(instance, path)
    loaded = TASK.load(path)
    assert loaded == instance
    assert TASK.document(loaded) == TASK.document(instance)
    changed = dataclasses.replace(instance, projective=False, formulation="chart")
    TASK.save(changed, path)
    assert TASK.load(path) == changed


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("bigram_scores", [1.0] * 5, "field 'bigram_scores' must hold 1 x 1 scores, or 3 x 3 with"),
        ("arc_scores", [1.0], "field 'arc_scores' must hold 2 x 1 scores, not 1 in all"),
        ("length", 2, "field 'length' must be from 0 to 1"),
        ("projective", 1, "field 'projective' must be true or false, not 1"),
        ("gold", [1], "unknown field 'gold'"),
        ("formulation", "flaw", "field 'formulation' must be one of"),
    ],
)
def test_bad_files_are_one_sentence(field: str, value: Any, said: str) -> None:
    document = {"task": "compression", "name": "one", "length": 1, "token_scores": [1.0], "bigram_scores": [0.0]}
    document |= {"arc_scores": [2.0, 0.0]}
    assert TASK.objective(TASK.parse(document, "x.json"), ((1,), (0,))) == 3.0
    with pytest.raises(InputError) as caught:
        TASK.parse({**document, field: value}, "x.json")
    assert said in str(caught.value)
    assert str(caught.value).startswith("x.json: ")


# -- generator -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [size for size in SIZES if size not in ("80", "100", "200")])
def test_generated_sentences(size: str) -> None:
    limits = SIZES[size]
    for seed in range(3):
        instance = TASK.generate(seed, size)
        assert instance == TASK.generate(seed, size)
        count = TASK.length(instance)
        assert limits.least <= count <= limits.most
        assert instance.length == max(1, round(0.7 * count))
        if not limits.planted:
            assert instance.gold_kept is None
            continue
        gold = instance.gold_kept, instance.gold_heads
        assert TASK.broken(instance, gold) is None
        assert crossing_word(instance.source_heads) is None
        assert len(instance.words) == len(instance.tags) == count
        assert TASK.evaluate(instance, gold) == pytest.approx(
            {"compression rate": instance.length / count, "unigram F1": 1, "relation F1": 1, "exact match": 1}
        )
    assert TASK.generate(0, size) != TASK.generate(1, size)


def test_about_half_of_the_gold_compressions_are_no_subtrees() -> None:
    outside = 0
    for seed in range(200):
        instance = TASK.generate(seed, "news")
        kept = set(instance.gold_kept)
        outside += not all(instance.source_heads[word - 1] in kept | {0} for word in kept)
    assert 0.40 <= outside / 200 <= 0.56  # 47.6 % in the Edinburgh corpus


def test_planted_sentences_are_realistically_hard() -> None:
    """The best compression under the noise is neither the gold one nor far from it; the partial models are worse."""
    scores: dict[str, list[float]] = {"dp-exact": [], "dp-tree": [], "dp-bigram": []}
    for seed in range(40):
        instance = TASK.generate(seed, "30")
        for name, found in scores.items():
            measures = TASK.evaluate(instance, get_solver(name).solve(instance).structure)
            found.append(measures["unigram F1"] + measures["relation F1"])
    means = {name: float(np.mean(found)) / 2 for name, found in scores.items()}
    assert 0.75 < means["dp-exact"] < 0.95
    assert max(means["dp-tree"], means["dp-bigram"]) < means["dp-exact"] - 0.03


def test_generator_options() -> None:
    assert generate_planted(1, 20, rate=0.25).length == 5
    assert generate_planted(1, 20, rate=0.0).length == 0
    exact = generate_planted(1, 20, noise=0.0)
    best = get_solver("dp-exact").solve(exact)
    assert TASK.evaluate(exact, best.structure)["exact match"] == 1.0
    assert not generate_planted(1, 20).bigram_scores[0].any()
    assert generate_planted(1, 20, boundary=True).bigram_scores[0, 1:].all()
    with pytest.raises(InputError, match="the compression rate must be from 0 to 1"):
        generate_planted(1, 20, rate=1.5)


# -- metrics and text ----------------------------------------------------------------------------------------------------


def test_metrics_by_hand() -> None:
    # found: words 1, 2, 4 with arcs 2 > 1, 2 > 4; gold: words 2, 3, 4, 5 with arcs 2 > 4, 4 > 3, 4 > 5
    found = evaluate_compression(6, (1, 2, 4), (2, 0, 2), (2, 3, 4, 5), (0, 4, 2, 4))
    assert found == pytest.approx(
        {"compression rate": 3 / 6, "unigram F1": 2 * 2 / (3 + 4), "relation F1": 2 * 1 / (2 + 3), "exact match": 0.0}
    )
    assert evaluate_compression(6, (1,), (0,), None, None) == {"compression rate": 1 / 6}
    single = evaluate_compression(6, (1,), (0,), (1,), (0,))
    assert single["relation F1"] == single["exact match"] == 1.0
    assert "relation F1" not in evaluate_compression(6, (1,), (0,), (1,), None)
    assert set(found) == set(TASK.metrics)


def test_compressions_as_text() -> None:
    instance = small(words=("the", "old", "dog", "barked"))
    assert TASK.render(instance, ((3, 4), (4, 0))) == ["Dog barked.", "barked>dog *>barked"]
    marked = [[("the", False), ("old", False), ("dog", True), ("barked", True)]]
    assert TASK.marked(instance, ((3, 4), (4, 0))) == marked
    assert TASK.render(small(), ((3, 4), (4, 0)))[0] == "W3 w4."


@pytest.mark.parametrize(
    ("variant", "formulation", "projective"),
    [("flow", "flow", True), ("chart", "chart", True), ("nonprojective", "flow", False)],
)
def test_variants_of_a_size_are_other_models_of_the_same_sentence(
    variant: str, formulation: str, projective: bool
) -> None:
    task = get_task("compression")
    plain, changed = task.generate(5, "10"), task.generate(5, f"10-{variant}")
    assert (changed.formulation, changed.projective) == (formulation, projective)
    assert plain.formulation == "factors"
    np.testing.assert_array_equal(plain.arc_scores, changed.arc_scores)
    best, other = (get_solver("ilp-highs").solve(instance).objective for instance in (plain, changed))
    assert other == pytest.approx(best) if projective else other >= best - 1e-9
