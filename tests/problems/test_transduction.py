"""The task `transduction`: its graph, paths and forests against enumeration, roundings, checks and storage."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from linear_oracle import lp_optimum
from transduction_forests import random_instance

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.derivation import Forest
from problems.metrics.transduction import evaluate_transduction, reattached
from problems.transduction.enumerate import count_derivations, derivations
from problems.transduction.instance import TransductionInstance, path_score
from problems.transduction.paths import ngram_path
from problems.transduction.sizes import LENGTHS, SIZES, VARIANTS

TASK = get_task("transduction")
TINY = [f"tiny{ending}" for ending in VARIANTS]


def subsets(words: int, length: int | None = None) -> list[tuple[int, ...]]:
    lengths = range(1, words + 1) if length is None else [length]
    return [kept for count in lengths for kept in combinations(range(1, words + 1), count)]


# -- the kept path -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("words", range(1, 7))
def test_every_choice_of_words_is_one_path_with_its_score(order: int, words: int) -> None:
    rng = np.random.default_rng([order, words])
    instance = random_instance(words, words)
    scores = rng.normal(size=(words + 2,) * order)
    names = ("bigram_scores", "trigram_scores") if order == 2 else ("trigram_scores", "bigram_scores")
    instance = replace(instance, length=None, **{names[0]: scores, names[1]: None})
    for length in (None, *range(1, words + 1)):
        forest = ngram_path(instance.ngram_scores, length)
        assert count_derivations(forest) == (2**words - 1 if length is None else comb(words, length))
        found = {kept: float(forest.scores[list(edges)].sum()) for kept, edges in derivations(forest)}
        assert sorted(found) == sorted(subsets(words, length))
        for kept, score in found.items():
            assert score == pytest.approx(path_score(instance, kept), abs=1e-12)


def test_a_path_by_hand() -> None:
    bigrams, trigrams = np.zeros((4, 4)), np.zeros((4, 4, 4))
    bigrams[0, 2], bigrams[2, 3] = 1.0, 0.25
    trigrams[0, 0, 1], trigrams[0, 1, 2], trigrams[1, 2, 3] = 1.0, 2.0, 4.0
    trigrams[0, 1, 3] = 8.0
    made = random_instance(0, 2)
    by_two = replace(made, bigram_scores=bigrams, trigram_scores=None)
    by_three = replace(made, bigram_scores=None, trigram_scores=trigrams)
    assert path_score(by_two, (2,)) == 1.25
    assert path_score(by_three, (1, 2)) == 7.0
    assert path_score(by_three, (1,)) == 9.0


# -- factors and graph -------------------------------------------------------------------------------------------------


def faces_agree(forest: Forest, words: int, rng: np.random.Generator) -> None:
    """Maximize, the linear program, the projection and scores of a factor against enumeration of its derivations."""
    scores = rng.normal(size=words)
    graph = FactorGraph()
    graph.add_derivation(graph.add_variables(scores), forest)
    values: dict[tuple[int, ...], float] = {}
    for kept, edges in derivations(forest):
        value = float(forest.scores[list(edges)].sum())
        values[kept] = max(value, values.get(kept, -np.inf))
    best = max(value + scores[np.array(kept) - 1].sum() for kept, value in values.items())
    (block,) = graph.blocks
    own, point = block.maximize(scores)
    assert own[0] == pytest.approx(best, abs=1e-9)
    kept = tuple((np.flatnonzero(point) + 1).tolist())
    assert values[kept] + scores @ point == pytest.approx(best, abs=1e-9)
    solved = lp_optimum(graph.linear_program())
    assert solved is not None
    assert solved[0] == pytest.approx(best, abs=1e-7)
    point = 2.0 * rng.random(words) - 0.5  # its projection z is where no configuration gains: (point - z) y + own(y)
    z = block.project(point)
    program = graph.linear_program()
    program.objective[:words] = point - z
    program.lower[:words] = program.upper[:words] = z
    reached = lp_optimum(program)
    assert reached is not None
    gain = max(value + (point - z)[np.array(kept) - 1].sum() for kept, value in values.items())
    assert reached[0] == pytest.approx(gain, abs=1e-6)
    for each in subsets(words):
        literals = np.isin(np.arange(1, words + 1), each).astype(float)
        expected = values.get(each, -np.inf) + scores @ literals
        assert graph.objective(literals) == pytest.approx(expected, abs=1e-9)
    assert graph.objective(np.zeros(words)) == -np.inf


@pytest.mark.parametrize("size", TINY)
def test_every_face_of_both_factors_is_enumeration(size: str) -> None:
    for seed in range(3):
        instance = TASK.generate(seed, size)
        rng = np.random.default_rng(seed)
        faces_agree(instance.forest, instance.number_of_words, rng)
        faces_agree(ngram_path(instance.ngram_scores, instance.length), instance.number_of_words, rng)


@pytest.mark.parametrize("size", TINY)
def test_the_objective_of_a_derivation_is_the_graphs(size: str) -> None:
    for seed in (3,):
        instance = TASK.generate(seed, size)
        graph = TASK.graph(instance)
        best: dict[tuple[int, ...], float] = {}
        for structure in TASK.structures(instance):
            assert TASK.broken(instance, structure) is None
            best[structure[0]] = max(TASK.objective(instance, structure), best.get(structure[0], -np.inf))
        for kept in subsets(instance.number_of_words):
            assignment = TASK.assignment(instance, (kept, ()))
            value = graph.objective(assignment)
            if kept not in best:
                assert value == -np.inf
                continue
            assert value == pytest.approx(best[kept], abs=1e-9)
            structure = TASK.structure(instance, assignment)
            assert structure[0] == kept
            assert TASK.broken(instance, structure) is None
            assert TASK.objective(instance, structure) == pytest.approx(best[kept], abs=1e-9)


def test_words_without_a_derivation_make_no_structure() -> None:
    links = np.array([[-1, -1], [0, -1], [1, -1], [-1, -1]])
    forest = Forest(np.array([0, 1, 1, 1]), links, np.array([[0, 0], [0, 0], [1, 2]]), np.zeros(3))
    instance = TransductionInstance("both or nothing", ("a", "b"), forest, bigram_scores=np.zeros((4, 4)))
    assert "no derivation" in str(TASK.broken(instance, TASK.structure(instance, np.array([1.0, 0.0]))))
    assert TASK.broken(instance, TASK.structure(instance, np.ones(2))) is None
    assert "no word" in str(TASK.broken(instance, TASK.structure(instance, np.zeros(2))))


# -- roundings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["10", "20-fixed", "20-trigram", "20-trigram-fixed", "20-discriminative"])
def test_roundings_are_feasible_and_search_only_gains(size: str) -> None:
    rng = np.random.default_rng(5)
    for seed in range(6):
        instance = TASK.generate(seed, size)
        posteriors = rng.random(instance.number_of_words)
        kept, searched = (TASK.round(instance, posteriors.copy(), name) for name in ("kept", "search"))
        assert TASK.broken(instance, kept) is None
        assert TASK.broken(instance, searched) is None
        assert TASK.objective(instance, searched) >= TASK.objective(instance, kept) - 1e-9
        if instance.length is None:
            assert kept[0] == tuple(np.flatnonzero(posteriors > 0.5) + 1)


def test_a_search_from_the_optimum_stays_and_from_nothing_finds_a_word() -> None:
    for seed in range(6):
        instance = TASK.generate(seed, "tiny")
        best = max(TASK.structures(instance), key=lambda each: TASK.objective(instance, each))
        found = TASK.round(instance, TASK.assignment(instance, best), "search")
        assert TASK.objective(instance, found) == pytest.approx(TASK.objective(instance, best), abs=1e-9)
        assert TASK.broken(instance, TASK.round(instance, np.zeros(instance.number_of_words), "kept")) is None


# -- instances ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", TINY)
def test_an_instance_survives_json(size: str, tmp_path) -> None:
    instance = TASK.generate(7, size)
    TASK.save(instance, tmp_path / "one.json")
    assert TASK.load(tmp_path / "one.json") == instance


def test_an_instance_depends_on_seed_and_size_alone() -> None:
    assert TASK.generate(3, "10") == TASK.generate(3, "10")
    assert TASK.generate(3, "10") != TASK.generate(4, "10")
    for name, (least, most) in LENGTHS.items():
        assert least <= TASK.length(TASK.generate(1, name)) <= most
    fixed, free = TASK.generate(2, "20-fixed"), TASK.generate(2, "20")
    assert (fixed.length, free.length) == (14, None)
    assert set(SIZES) == set(TASK.sizes)


def test_the_variants_of_a_size_share_their_sentences() -> None:
    made = {ending: TASK.generate(2, f"10{ending}") for ending in VARIANTS}
    assert len({(each.words, each.gold_kept) for each in made.values()}) == 1
    assert made["-rules-alone"].ngram_weight == made["-discriminative-alone"].rule_weight == 0.0
    assert made["-strong"].ngram_weight > made[""].ngram_weight
    assert made["-trigram-strong"].ngram_weight > made["-trigram"].ngram_weight
    assert {ending for ending, each in made.items() if each.trigram_scores is not None} == {
        ending for ending in VARIANTS if "trigram" in ending
    }
    with pytest.raises(InputError, match="unknown size '200-trigram'"):
        TASK.generate(1, "200-trigram")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"words": ()}, "words"),
        ({"length": 9}, "from 1 to"),
        ({"length": 0}, "from 1 to"),
        ({"length": True}, "whole number"),
        ({"reward": np.nan}, "reward"),
        ({"bigram_scores": None}, "exactly one"),
        ({"bigram_scores": np.zeros((3, 3))}, "must be 5 x 5"),
        ({"bigram_scores": np.full((5, 5), np.inf)}, "finite"),
        ({"edge_rules": ("x",)}, "edge_rules"),
        ({"source_heads": (0, 1)}, "one head for each"),
        ({"source_heads": (2, 1, 0)}, "cycle"),
        ({"source_heads": (0, 1, 7)}, "from 0 to 3"),
        ({"gold_kept": (2, 1)}, "gold_kept"),
        ({"gold_kept": ()}, "gold_kept"),
    ],
)
def test_what_is_no_instance_is_refused(changed: dict[str, object], message: str) -> None:
    made = replace(random_instance(1, 3), length=None)
    made = replace(made, bigram_scores=np.zeros((5, 5)), trigram_scores=None)
    with pytest.raises(InputError, match=message):
        replace(made, **changed)


@pytest.mark.parametrize(
    ("links", "tails", "message"),
    [
        ([[-1, -1], [0, -1], [1, -1], [-1, -1]], [[0, 0], [0, 0], [2, 1]], "before"),
        ([[-1, -1], [0, -1], [1, -1], [-1, -1]], [[0, 0], [1, 0], [2, 0]], "derived from the axiom"),
        ([[-1, -1], [0, 1], [-1, -1], [-1, -1]], [[0, 0], [1, 0], [2, 0]], "only one"),
    ],
)
def test_a_forest_out_of_order_is_refused(links: list[list[int]], tails: list[list[int]], message: str) -> None:
    forest = Forest(np.array([0, 1, 1, 1]), np.array(links), np.array(tails), np.zeros(3))
    with pytest.raises(InputError, match=message):
        TransductionInstance("wrong", ("a", "b"), forest, bigram_scores=np.zeros((4, 4)))


def test_broken_names_what_is_wrong() -> None:
    instance = TASK.generate(0, "tiny-fixed")
    kept, edges = next(TASK.structures(instance))
    assert TASK.broken(instance, (kept, edges)) is None
    assert "in order" in str(TASK.broken(instance, (kept[::-1], edges)))
    assert "no derivation" in str(TASK.broken(instance, (kept, edges[1:])))
    assert "no derivation" in str(TASK.broken(instance, (kept, (*edges, edges[0]))))
    assert "no derivation" in str(TASK.broken(instance, (kept, (*edges, 10**6))))
    other = tuple(word for word in range(1, instance.number_of_words + 1) if word not in kept)
    assert "the derivation keeps" in str(TASK.broken(instance, (other, edges)))
    longer = next(each for each in derivations(instance.forest) if len(each[0]) != instance.length)
    assert "words are kept, not" in str(TASK.broken(instance, longer))


def test_a_broken_document_names_its_field() -> None:
    document = TASK.document(TASK.generate(0, "tiny"))
    for field, value in (("edge_tails", [1]), ("bigram_scores", [1.0]), ("item_words", [0]), ("length", 99)):
        with pytest.raises(InputError, match=field):
            TASK.parse({**document, field: value}, "x.json")


# -- measures ----------------------------------------------------------------------------------------------------------


def test_kept_words_hang_from_their_nearest_kept_ancestor() -> None:
    heads = (2, 0, 2, 3, 4)
    assert reattached((1, 4, 5), heads) == (0, 0, 4)
    assert reattached((2, 5), heads) == (0, 2)
    found = evaluate_transduction(5, (2, 4, 5), heads, (2, 3, 5))
    # relations: found 2>4, 4>5; gold 2>3, 3>5
    assert found == {
        "compression rate": 0.6,
        "unigram F1": pytest.approx(2 / 3),
        "relation F1": 0.0,
        "exact match": 0.0,
    }
    assert evaluate_transduction(5, (2, 3, 5), heads, (2, 3, 5))["relation F1"] == 1.0
    assert evaluate_transduction(4, (1,), None, None) == {"compression rate": 0.25}
