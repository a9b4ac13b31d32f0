"""Features of the learned parser: kernels against a slow twin, scores against the objective, gradients against differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parser_features import Twin, context, partner

from problems import get_task
from problems.errors import InputError
from problems.kernels.multiclass import relatives
from problems.kernels.parser_atoms import count_kinds, distance_bin
from problems.kernels.parser_learning import hinge_update, likelihood_step
from problems.parsing.contexts import contexts, pairs, role_of
from problems.parsing.instance import ORDERS, ParsingInstance
from problems.parsing.kinds import are_universal, kind_of
from problems.parsing.pruning import arc_posteriors, candidates
from problems.parsing.scoring import PartScorer, Pruner, Words
from problems.parsing.templates import KINDS, MORPHOLOGICAL, parser_program
from problems.parsing.trees import unreachable
from problems.text.treebank import Sentence, generated_treebank

BITS = 14
TASK = get_task("parsing")
PROGRAM = parser_program()
UNUSED = PartScorer(PROGRAM, np.zeros(1 << 20, dtype=np.float32))  # only its length matters
VOCABULARY = ("The", "cats", "of", ",", "and", "running", "-", '"', "(", ")")
MORPHOLOGY = (
    "_=_",
    "Case=Gen|Gender=Fem|NumType=Card|Number=Sing",
    "Case=Nom|Number=Plur|Person=3",
    "Mood=Ind|Person=1",
)
COARSE = ("NOUN", "VERB", "PUNCT", "PUNCT", "CCONJ", "AUX", "ADP", "PRON", "SCONJ")
FINE = ("NN", "VBD", ",", "PRP$", "TO")


@st.composite
def sentences(draw: st.DrawFn, most: int = 7) -> Sentence:
    """Words, tags and a tree (any number of roots)."""
    count = draw(st.integers(1, most))
    pick = lambda values: tuple(draw(st.lists(st.sampled_from(values), min_size=count, max_size=count)))  # noqa: E731
    order = draw(st.permutations(range(1, count + 1)))  # each word's head is the root symbol or comes before it
    heads = [0] * count
    for place, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]]))
    given = ("drawn", pick(VOCABULARY), pick(COARSE), pick(FINE), tuple(heads))
    return Sentence(*given, lemmas=pick(("cat", "Run", "_")), features=pick(MORPHOLOGY))


def scorer(seed: int = 0) -> PartScorer:
    return PartScorer(PROGRAM, np.random.default_rng(seed).normal(size=1 << BITS).astype(np.float32))


@given(sentences(most=12))
@settings(max_examples=400, deadline=None)
def test_contexts_are_what_a_search_for_each_word_finds(sentence: Sentence) -> None:
    found = contexts(sentence.words, sentence.coarse, sentence.fine, True)
    assert found == [context(sentence, place) for place in range(1, len(sentence) + 1)]


def test_the_contexts_of_a_sentence() -> None:
    tagged = (
        '"/PUNCT/``', "Because/SCONJ/IN", "of/ADP/IN", "the/DET/DT", "rain/NOUN/NN", ",/PUNCT/,", "my/PRON/PRP$",
        "cats/NOUN/NNS", "and/CCONJ/CC", "dogs/NOUN/NNS", "(/PUNCT/-LRB-", "two/NUM/CD", ")/PUNCT/-RRB-",
        "sleep/VERB/VBP", "in/ADP/IN", "it/PRON/PRP", "./PUNCT/.", '"/PUNCT/\'\'',
    )  # fmt: skip
    words, coarse, fine = zip(*(word.split("/") for word in tagged), strict=True)
    lexical, joins, edge, beside = zip(*contexts(words, coarse, fine, True), strict=True)
    assert lexical[:6] == ('"', "because", "of", "the", "NN", ",")
    assert (joins[4], joins[7], joins[13], joins[15]) == ("nof", "n", "v<)", "nin")
    assert (edge[0], edge[5], edge[10], edge[12], edge[16], edge[17]) == ('"<o', ", ", "( o", ") c", ".>", '">c')
    assert (edge[7], edge[9], edge[15]) == ("  and", " and (", "  .")
    assert (beside[5], beside[4], beside[13], beside[15]) == ("NOUN PRON", "01", "00", "10")


@pytest.mark.parametrize(("between", "joins"), [(6, "nof"), (7, "n")])
def test_a_preposition_is_looked_for_in_seven_words(between: int, joins: str) -> None:
    coarse = ("ADP", *("ADJ",) * between, "NOUN")
    sentence = Sentence("far", ("of", *("old",) * between, "cats"), coarse, coarse)
    assert contexts(sentence.words, coarse, coarse, True)[-1][1] == context(sentence, between + 2)[1] == joins


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        ("( ( ) )", {0: "o", 1: "o", 2: "c", 3: "c"}), ('( " ) "', {0: "o", 2: "c"}), ("„ “ “ ”", {0: "o", 1: "c", 2: "o", 3: "c"}),
        ('" " "', {0: "o", 1: "c"}), (") (", {}),
    ],
)  # fmt: skip
def test_brackets_and_quotes_find_their_partners(marks: str, found: dict[int, str]) -> None:
    """A pair that closes around a mark leaves it without a partner; the twin finds the same."""
    words = tuple(marks.split())
    assert pairs(words, [True] * len(words)) == found
    sentence = Sentence("marks", words, ("PUNCT",) * len(words), ("PUNCT",) * len(words))
    assert [partner(sentence, place) for place in range(1, len(words) + 1)] == [
        found.get(place, "") for place in range(len(words))
    ]
    assert pairs(words, [False] * len(words)) == {}


@pytest.mark.parametrize(
    ("coarse", "fine", "role"),
    [
        ("ADP", "IN", 7), ("SCONJ", "IN", 5), ("DET", "DT", 1), ("PART", "TO", 5), ("ADV", "WRB", 4), ("NOUN", "NN", 0),  # universal
        ("IN", "IN", 7), ("APPR", "APPR", 7), ("DT", "DT", 1), ("WDT", "WDT", 5), ("NN", "NN", 0), ("VVFIN", "VVFIN", 0),
    ],
)  # fmt: skip
def test_function_words_and_prepositions_are_known_in_many_tag_sets(coarse: str, fine: str, role: int) -> None:
    assert role_of(coarse, fine, are_universal({coarse, "NOUN"})) == role


@given(sentences(), st.sampled_from(ORDERS))
@settings(max_examples=40, deadline=None)
def test_the_kernel_emits_the_features_that_the_templates_say(sentence: Sentence, order: str) -> None:
    slots = UNUSED.slots(Words.of(sentence), np.array(sentence.heads), order)
    assert Counter(slots.tolist()) == Twin(sentence, 20).tree(sentence.heads, order)


@given(sentences(), st.sampled_from(ORDERS))
@settings(max_examples=30, deadline=None)
def test_lemmas_and_morphology_are_atoms_like_others(sentence: Sentence, order: str) -> None:
    model = PartScorer(parser_program(MORPHOLOGICAL), UNUSED.weights)
    slots = model.slots(Words.of(sentence), np.array(sentence.heads), order)
    assert Counter(slots.tolist()) == Twin(sentence, 20, MORPHOLOGICAL).tree(sentence.heads, order)


@pytest.mark.parametrize(
    ("word", "tag", "kind"),
    [
        ("ran", "VBD", 1), ("ran", "v-fin", 1), ("would", "MD", 1), (",", ",", 2), ("--", "Z", 2), ("und", "KON", 3),
        ("og", "CC", 3), ("a", "J", 3), ("e", "conj-c", 3), ("dog", "NN", 0), ("van", "Prep", 0),
        (",", "X", 2), ("adj", "X", 0),  # Danish
        ("y", "c", 3), ("&", "CC", 3),
        ("har", "HV", 1), ("läser", "VV", 1), ("är", "AV", 1), ("och", "++", 3), ("av", "PR", 0),  # Swedish
        ("και", "Cj", 3), ("dio", "ADI", 1), ("du", "ADL", 1), ("eta", "LOT", 3),  # Greek and Basque
        ("-LRB-", "-LRB-", 2), ("-rrb-", "-RRB-", 2), ("%", "NN", 0), ("%", "SYM", 0), ("$", "$", 0), ("***", "NFP", 2),
        (",", "$,", 2), ("(", "$(", 2),
    ],
)  # fmt: skip
def test_verbs_punctuation_and_conjunctions_are_known_in_many_tag_sets(word: str, tag: str, kind: int) -> None:
    assert kind_of(word, tag, universal=False) == kind


@pytest.mark.parametrize(
    ("word", "tag", "kind"),
    [
        ("ran", "VERB", 1), ("has", "AUX", 1), ("-", "PUNCT", 2), ("-LRB-", "PUNCT", 2), ("and", "CCONJ", 3), ("%", "SYM", 0),
        ("%", "NOUN", 0), ("that", "SCONJ", 0), (":-)", "X", 0), ("VV", "NOUN", 0),
    ],
)  # fmt: skip
def test_universal_tags_decide_alone(word: str, tag: str, kind: int) -> None:
    assert kind_of(word, tag, universal=True) == kind


@pytest.mark.parametrize(
    ("tags", "universal"),
    [
        (["NOUN", "VERB", "PUNCT", "X"], True), (["NOUN"], True), (["X", "NUM"], False), ([], False),
        (["A", "N", "V", "X"], False), (["NOUN", "VERB", "."], False), (["NOUN", "_"], False),
    ],
)  # fmt: skip
def test_a_treebanks_tags_are_universal_or_not_as_a_whole(tags: list[str], universal: bool) -> None:
    assert are_universal(tags) == universal


def test_brackets_of_the_penn_treebank_are_pairs() -> None:
    words, tags = ("-LRB-", "see", "it", "-RRB-"), ("-LRB-", "VB", "PRP", "-RRB-")
    found = contexts(words, tags, tags, universal=False)
    assert [edge for _, _, edge, _ in found] == ["-lrb-<o", " -lrb- ", "  -rrb-", "-rrb->c"]
    assert Words.of(Sentence("s", words, tags, tags), universal=False).kinds.tolist() == [0, 2, 1, 0, 2]


def test_relatives_of_a_word_are_its_outermost_children_and_the_modifier_before() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        count = int(rng.integers(1, 9))
        heads = [int(rng.integers(0, word)) for word in range(1, count + 1)]
        names = [0, *(rng.permutation(count) + 1).tolist()]  # heads come before their modifiers in another order
        tree = np.zeros(count, dtype=np.int64)
        for word, head in enumerate(heads, 1):
            tree[names[word] - 1] = names[head]
        family, sides = np.empty((count + 1, 3), dtype=np.int64), np.empty((count + 1, 2), dtype=np.int64)
        relatives.py_func(tree, family, sides)
        for word in range(1, count + 1):
            children = [other for other in range(1, count + 1) if tree[other - 1] == word]
            beside = [other for other in range(1, word) if tree[other - 1] == tree[word - 1]]
            beside = [other for other in beside if (other > tree[word - 1]) == (word > tree[word - 1])]
            left, right = [min(children, default=0)], [max(children, default=0)]
            assert family[word, 0] == (left[0] if left[0] < word else 0)
            assert family[word, 1] == (right[0] if right[0] > word else 0)
            assert family[word, 2] == max(beside, default=0)


def test_room_for_slots_is_made_where_a_sentence_has_many() -> None:
    count = 150
    sentence = Sentence("long", ("a",) * count, ("NOUN",) * count, ("NN",) * count, (0,) * count)
    slots = scorer().slots(Words.of(sentence), np.array(sentence.heads), "1")
    assert len(slots) > 400 * count
    assert Counter(slots.tolist()) == Twin(sentence, BITS).tree(sentence.heads, "1")


@given(sentences(), st.sampled_from(ORDERS), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_objective_of_a_tree_is_the_sum_of_its_features_weights(sentence: Sentence, order: str, seed: int) -> None:
    model, words = scorer(seed), Words.of(sentence)
    instance = model.instance(words, *candidates(len(words)), order, single_root=False)
    expected = model.weights[model.slots(words, np.array(sentence.heads), order)].astype(float).sum()
    assert TASK.objective(instance, sentence.heads) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("order", ORDERS)
def test_a_models_instance_is_the_one_that_is_checked(order: str) -> None:
    words, model = Words.of(next(iter(generated_treebank(3, 1)))), scorer(2)
    found = model.instance(words, *candidates(len(words)), order, single_root=True)  # type: ignore[arg-type]
    given = {item.name: getattr(found, item.name) for item in fields(found) if item.init}
    checked = ParsingInstance(**given)
    assert found == checked
    assert (found.magnitude, found.decomposition) == (checked.magnitude, checked.decomposition)
    broken = PartScorer(PROGRAM, np.full(1 << BITS, np.nan, dtype=np.float32))
    with pytest.raises(InputError, match="field 'arc_scores' must hold finite numbers"):
        broken.instance(words, *candidates(len(words)), order, single_root=True)  # type: ignore[arg-type]


def test_every_template_matters_and_no_two_are_the_same() -> None:
    for kind in KINDS:
        plain = [template.rstrip("*") for template in MORPHOLOGICAL[kind]]
        assert len(set(map(frozenset, (template.split() for template in plain)))) == len(plain), kind


def log_likelihood(model: PartScorer, words: Words) -> float:
    """By going through all trees with one root."""
    count = len(words)
    heads, modifiers = candidates(count)
    scores = dict(
        zip(zip(heads.tolist(), modifiers.tolist(), strict=True), model.arcs(words, heads, modifiers), strict=True)
    )
    worth = {}
    for tree in product(range(count + 1), repeat=count):
        if tree.count(0) == 1 and not unreachable(tree):
            worth[tree] = sum(scores[head, word] for word, head in enumerate(tree, 1))
    return worth[words.sentence.heads] - float(np.logaddexp.reduce(list(worth.values())))


def test_the_pruners_step_is_the_gradient_of_the_likelihood() -> None:
    sentence = Sentence("s", ("The", "cats", "sleep"), ("DET", "NOUN", "VERB"), ("DT", "NNS", "VBP"), (2, 3, 0))
    words = Words.of(sentence)
    weights = 0.1 * np.random.default_rng(3).normal(size=1 << BITS)
    model = PartScorer(PROGRAM, weights.astype(np.float32))
    heads, modifiers = candidates(3)
    posteriors = arc_posteriors(3, heads, modifiers, model.arcs(words, heads, modifiers), True)
    gold = heads == np.array(sentence.heads)[modifiers - 1]
    moved = np.zeros(1 << BITS, dtype=np.float32)  # starts from zero, so that the step itself can be read
    change, squares = np.zeros_like(moved), np.full_like(moved, 1e6)  # with them AdaGrad's step is slope / 1000
    likelihood_step(
        words.rows, words.kinds, heads, modifiers, gold - posteriors, PROGRAM, model.shift, 1.0, change, moved, squares
    )
    assert not change.any()
    slots = np.unique(model.slots(words, np.array(sentence.heads), "1"))
    assert len(slots) > 100
    for slot in slots[::9]:
        around = []
        for sign in (1, -1):
            shifted = model.weights.copy()
            shifted[slot] += sign * 2.0**-9
            around.append(log_likelihood(PartScorer(PROGRAM, shifted), words))
        assert 1e3 * moved[slot] == pytest.approx((around[0] - around[1]) * 2.0**8, abs=2e-4)


@given(
    st.lists(st.integers(0, 7), max_size=12),
    st.lists(st.tuples(st.integers(0, 7), st.sampled_from([0.25, 0.5, 1.0])), max_size=12),
    st.integers(0, 5),
    st.sampled_from([0.0, 0.125]),
    st.booleans(),
)
@settings(max_examples=120, deadline=None)
def test_an_update_goes_along_the_difference_of_features(
    gold: list[int], predicted: list[tuple[int, float]], seed: int, given_step: float, adaptive: bool
) -> None:
    """Adaptive steps divide it by the root of the squares so far."""
    rng = np.random.default_rng(seed)
    start, most, cost, scale, scales = rng.normal(size=8), 0.05 + 0.2 * rng.random(), 2.0, 0.5, 3.0
    weights, totals, change = start.astype(np.float32), np.zeros(8), np.zeros(8, dtype=np.float32)
    true = np.array(gold, dtype=np.int64)
    slots, values = np.array([slot for slot, _ in predicted], dtype=np.int64), np.array([v for _, v in predicted])
    before = rng.integers(1, 5, 8) if adaptive else np.zeros(0)
    squares = before.astype(np.float32)
    loss = hinge_update(true, slots, values, cost, most, given_step, scale, scales, change, weights, totals, squares)
    difference = np.bincount(true, minlength=8) - np.bincount(slots, weights=values, minlength=8)
    hinge = cost - scale * float(difference @ start)
    step, move = 0.0, difference
    if hinge > 0 and difference.any():
        if adaptive:
            assert squares == pytest.approx(before + difference**2)
            move = difference / np.sqrt(before + difference**2)
        step = given_step or min(most, hinge / float(difference @ move))
    elif adaptive:
        assert squares == pytest.approx(before)
    assert loss == pytest.approx(max(hinge, 0.0), abs=1e-5)
    assert scale * weights == pytest.approx(scale * start + step * move, abs=1e-5)
    assert totals == pytest.approx(scales * step / scale * move, abs=1e-5)  # all that the change came too late for
    assert not change.any()


def test_the_gold_tree_survives_pruning_in_training_only() -> None:
    words = Words.of(next(iter(generated_treebank(1, 1))))
    pruner = Pruner(scorer(5), most_heads=1, threshold=0.5)
    gold = np.array(words.sentence.heads)
    heads, modifiers = pruner.arcs(words, single_root=True)
    assert (heads == gold[modifiers - 1]).sum() < len(words)
    heads, modifiers = pruner.arcs(words, single_root=True, keep_gold=True)
    assert (heads == gold[modifiers - 1]).sum() == len(words)
    assert (np.diff(modifiers * (len(words) + 1) + heads) > 0).all()


def test_distances_fall_into_the_bins_of_the_docstring() -> None:
    ends = (
        1,
        2,
        3,
        4,
        5,
        7,
        10,
        15,
        20,
        30,
    )  # the longest of each bin; kernels that others call have no entry from Python
    for distance in range(1, 60):
        assert distance_bin.py_func(distance) == 1 + sum(distance > end for end in ends)


def test_words_of_a_kind_are_counted_up_to_each_place() -> None:
    kinds = np.array([0, 1, 2, 1, 3, 0, 2])  # of the root symbol and six words
    counts = np.full((len(kinds) + 1, 3), -1)
    count_kinds.py_func(kinds, counts)
    for word, row in enumerate(counts):
        assert row.tolist() == [int((kinds[1:word] == kind).sum()) for kind in (1, 2, 3)]
