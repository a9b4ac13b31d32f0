"""Features, hard constraints and part values of learned summarization, against hand-made cases and brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.summarization.blueprint import blueprint, candidate_limit, document_counts, sentence_limit
from problems.summarization.compressions import compressions
from problems.summarization.constraints import quotations, undeletable_arcs
from problems.summarization.instance import (
    Concept,
    Sentence,
    SummarizationInstance,
    objective,
    with_scores,
)
from problems.summarization.learning_topics import learning_pairs
from problems.summarization.pairs import CompressionPair, align, explained
from problems.summarization.part_features import arc_features, bucket, concept_facts, concept_features
from problems.summarization.parts import best_compression, closest_compression, deleted_arcs, parts_of_summary
from problems.summarization.words import legible, words_only
from problems.text.clusters import cluster_of_size
from problems.text.sentence import Cluster, ParsedSentence

TASK = get_task("summarization")


def parsed(rows: str) -> ParsedSentence:
    """A tree from lines "word tag head label"."""
    fields = [line.split() for line in rows.strip().splitlines()]
    words, tags, heads, labels = zip(*fields, strict=True)
    return ParsedSentence(words, tags, tuple(map(int, heads)), labels)


FLOOD = parsed("""
On ADP 2 case
Friday PROPN 8 obl
, PUNCT 8 punct
the DET 6 det
swollen ADJ 6 amod
river NOUN 8 nsubj
quickly ADV 8 advmod
flooded VERB 0 root
two NUM 10 nummod
towns NOUN 8 obj
in ADP 12 case
Flanders PROPN 10 nmod
because SCONJ 18 mark
the DET 15 det
dam NOUN 18 nsubj
had AUX 18 aux
not PART 18 advmod
held VERB 8 advcl
, PUNCT 20 punct
drowning VERB 8 advcl
cattle NOUN 20 obj
and CCONJ 23 cc
sheep NOUN 21 conj
. PUNCT 8 punct
""")


def test_which_universal_arcs_may_be_deleted() -> None:
    flags = undeletable_arcs(FLOOD)
    free = [word for word, flag in zip(FLOOD.words, flags, strict=True) if not flag and word not in ",."]
    # the adverbial clause with "because" may go, the participle (verb to verb) may not; nor subjects, objects, markers,
    # numbers, determiners, negation, conjuncts
    assert free == ["Friday", "swollen", "quickly", "Flanders", "held"]


@pytest.mark.parametrize(
    ("rows", "word", "kept"),
    [
        ("He PRON 2 nsubj\nset VERB 0 root\nup ADP 2 compound:prt", 3, True),
        ("George PROPN 0 root\nBush PROPN 1 flat", 2, True),
        ("New PROPN 2 compound\nYork PROPN 0 root", 1, True),
        ("oil NOUN 2 compound\nprice NOUN 0 root", 1, False),
        ("He PRON 2 nsubj\nmade VERB 0 root\nit PRON 2 obj\navailable ADJ 2 xcomp", 4, True),
        ("They PRON 2 nsubj\nleft VERB 0 root\nto PART 4 mark\neat VERB 2 advcl", 4, True),
        ("cats NOUN 0 root\nand CCONJ 3 cc\ndogs NOUN 1 conj\nnow ADV 1 advmod", 4, True),
        (
            'She PRON 2 nsubj\nsaid VERB 0 root\n" PUNCT 5 punct\nvery ADV 5 advmod\nwell ADV 2 advmod\n" PUNCT 5 punct',
            4,
            True,
        ),
        ("She PRON 2 nsubj\nran VERB 0 root\nvery ADV 4 advmod\nfast ADV 2 advmod", 3, False),
        ("the DET 2 det\nman NOUN 0 root\nwho PRON 4 nsubj\nran VERB 2 acl:relcl", 4, False),
    ],
)
def test_single_rules_of_universal_trees(rows: str, word: int, kept: bool) -> None:
    assert undeletable_arcs(parsed(rows))[word - 1] is kept


def test_penn_trees_keep_their_own_rules() -> None:
    sentence = ParsedSentence(
        ("it", "rained", "on", "Friday"), ("PRP", "VBD", "IN", "NNP"), (2, 0, 2, 3), ("SUB", "ROOT", "VMOD", "PMOD")
    )
    assert undeletable_arcs(sentence) == (True, True, False, True)


def test_quotations_need_both_marks() -> None:
    assert quotations(["a", '"', "b", "c", '"', "d"]) == [0, 0, 1, 1, 0, 0]
    assert quotations(['"', "b", "c"]) == [0, 0, 0]
    assert quotations(["\u201c", "b", "\u201d", "``", "c", "''"]) == [0, 1, 0, 0, 2, 0]


def test_sentences_lose_their_punctuation_and_get_it_back() -> None:
    bare = words_only(FLOOD)
    assert len(bare) == 21
    assert [bare.words[head - 1] if head else "" for head in bare.heads[:5]] == [
        "Friday",
        "flooded",
        "river",
        "river",
        "flooded",
    ]
    everything = range(1, 22)
    assert legible(FLOOD.words, everything).endswith("had not held, drowning cattle and sheep.")
    assert legible(FLOOD.words, [word for word in everything if word > 2]).startswith("The swollen river quickly")
    without_clause = [word for word in everything if not 12 <= word <= 17]
    assert legible(FLOOD.words, without_clause).endswith("towns in Flanders drowning cattle and sheep.")
    assert legible(("He", "(", "Ott", ",", "41", ")", "left", "."), (1, 2, 4)) == "He Ott left."
    assert legible(("He", "(", "Ott", ")", "left", "."), (1, 2, 3)) == "He (Ott) left."
    assert legible((), ()) == ""


def test_marks_that_are_no_leaves_hand_their_words_on() -> None:
    odd = ParsedSentence(("a", ",", "b", "c"), ("X",) * 4, (2, 0, 2, 3), ("dep",) * 4)
    bare = words_only(odd)
    assert bare.words == ("a", "b", "c")
    assert bare.heads == (0, 1, 2)


def small_cluster() -> Cluster:
    def sentence(text: str) -> ParsedSentence:
        words = tuple(text.split())
        heads = tuple(0 if place == 0 else 1 for place in range(len(words)))
        return ParsedSentence(words, ("NN",) * len(words), heads, ("ROOT", *("NMOD",) * (len(words) - 1)))

    documents = (
        (sentence("the river flooded Ghent"), sentence("the mayor wept")),
        (sentence("rain fell"), sentence("the river flooded Bruges")),
        (sentence("the river rose"),),
    )
    return Cluster("small", documents, (("The river flooded Ghent.",),))


def test_facts_and_features_of_concepts() -> None:
    facts = concept_facts(small_cluster())
    assert facts["the river"]._asdict() == {
        "documents": 3, "share": 1.0, "leads": 2, "earliest": 0, "functions": "fc", "place": pytest.approx(1 / 3), "names": 0,
        "salience": 1.0,
    }  # fmt: skip
    assert facts["the mayor"].earliest == 1
    assert facts["river flood"][:2] == (2, pytest.approx(2 / 3))
    names = concept_features(facts["river flood"])
    assert "concept:documents=2" in names
    assert "concept:documents=2&functions=cc&earliest=0" in names
    assert "concept:functions=cc&earliest=0" in names
    own = [name for name in names if "place" not in name and "salience" not in name]
    assert len([name for name in own if "&" in name]) == 4, "three pairs and the three together"
    assert {"concept:salience=0.7", "concept:names=0&salience=0.7"} <= set(names), "rivers are in every lead"
    assert [bucket(value, (2, 5)) for value in (1, 2, 4, 5, 99)] == ["<", "2", "2", "5", "5"]


def test_features_of_arcs() -> None:
    names = dict(zip(words_only(FLOOD).words, arc_features(words_only(FLOOD)), strict=True))
    friday = names["Friday"]
    assert {"arc:label=obl", "arc:label=obl&head=VERB", "arc:label=obl&modifier=PROPN"} <= set(friday)
    assert {"arc:label=obl&head=VERB&modifier=PROPN", "arc:label=obl&above=root", "arc:temporal preposition"} <= set(
        friday
    )
    assert {"arc:size=2", "arc:label=obl&side=left", "arc:depth=2"} <= set(friday)
    assert "arc:negation" in names["held"], "a word below it is a negation"
    assert "arc:negation" not in names["swollen"]
    assert "arc:verb's function word=AUX" in names["had"]
    assert not any("function word" in name for name in names["quickly"])


def test_features_of_penn_prepositions_point_to_time() -> None:
    sentence = ParsedSentence(
        ("it", "rained", "on", "Friday"), ("PRP", "VBD", "IN", "NNP"), (2, 0, 2, 3), ("SUB", "ROOT", "VMOD", "PMOD")
    )
    preposition = list(arc_features(sentence))[2]
    assert "arc:temporal preposition" in preposition
    assert "arc:verb's function word=IN" in preposition
    assert "arc:label=VMOD&form=on" in preposition


def test_candidates_are_the_best_that_fit() -> None:
    made = blueprint(small_cluster(), budget=5, bits=12, candidate_words=8)
    # worths: 5 (the river, river flood), 0, 0, 5, 3: the two of five first, then nothing else fits
    assert [" ".join(sentence.words) for sentence in made.compressive.sentences] == [
        "the river flooded Ghent",
        "the river flooded Bruges",
    ]
    assert made.extractive.lengths == (4, 4)
    assert [concept.name for concept in made.compressive.concepts] == [
        concept.name for concept in made.extractive.concepts
    ]
    assert len(made.features) == made.concepts + 8
    assert list(document_counts(small_cluster(), made)) == [3.0, 2.0, 0.0, 0.0]
    assert (sentence_limit(100), sentence_limit(250), sentence_limit(25)) == (6, 15, 6)
    assert (candidate_limit(100), candidate_limit(250), candidate_limit(25)) == (1000, 2500, 1000)


def test_bad_topics_are_named() -> None:
    with pytest.raises(InputError, match="small: a summary needs a budget of at least 1 word, not 0"):
        blueprint(small_cluster(), budget=0, bits=12)
    empty = Cluster("void", ((ParsedSentence((".",), ("PUNCT",), (0,), ("root",)),), ()), ())
    with pytest.raises(InputError, match="void: the documents are empty"):
        blueprint(empty, budget=10, bits=12)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_part_values_times_scores_are_the_objective(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = random_instance(rng)
    concepts = rng.normal(size=len(instance.concepts))
    deletions = rng.normal(size=instance.number_of_words)
    scored = with_scores(instance, concepts, deletions)
    fresh = rebuilt(instance, concepts, deletions)
    assert np.array_equal(scored.layout.deletion_scores, fresh.layout.deletion_scores)
    assert scored == fresh
    assert scored.magnitude == fresh.magnitude
    for summary in itertools.islice(TASK.structures(scored), 50):
        parts = parts_of_summary(scored, summary)
        assert parts @ np.concatenate([concepts, deletions]) == pytest.approx(objective(fresh, summary))


def random_instance(rng: np.random.Generator) -> SummarizationInstance:
    sentences = []
    for _ in range(2):
        count = int(rng.integers(1, 6))
        heads = [0, *(int(rng.integers(1, word)) for word in range(2, count + 1))]
        order = rng.permutation(count)
        place = {0: 0, **{old + 1: int(new) + 1 for old, new in enumerate(order)}}
        shuffled = [0] * count
        for word, head in enumerate(heads, 1):
            shuffled[place[word] - 1] = place[head]
        flags = tuple(bool(flag) for flag in rng.random(count) < 0.3)
        sentences.append(Sentence(tuple(shuffled), (0.0,) * count, flags))
    tokens = [(s, w, w + 1) for s, sentence in enumerate(sentences) for w in range(1, len(sentence))]
    concepts = tuple(Concept(f"c{n}", 0.0, (token,)) for n, token in enumerate(tokens))
    return SummarizationInstance("random", tuple(sentences), concepts, budget=6, max_sentences=2)


def rebuilt(instance: SummarizationInstance, concepts: np.ndarray, deletions: np.ndarray) -> SummarizationInstance:
    sentences, start = [], 0
    for sentence in instance.sentences:
        scores = tuple(float(score) for score in deletions[start : start + len(sentence)])
        sentences.append(Sentence(sentence.heads, scores, sentence.undeletable))
        start += len(sentence)
    scored = tuple(
        Concept(old.name, float(score), old.tokens) for old, score in zip(instance.concepts, concepts, strict=True)
    )
    return SummarizationInstance(instance.name, tuple(sentences), scored, instance.budget, instance.max_sentences)


def test_scores_must_fit() -> None:
    instance = random_instance(np.random.default_rng(0))
    with pytest.raises(InputError, match="one per concept and one per word"):
        with_scores(instance, np.zeros(len(instance.concepts) + 1), np.zeros(instance.number_of_words))
    with pytest.raises(InputError, match="finite"):
        with_scores(instance, np.full(len(instance.concepts), np.nan), np.zeros(instance.number_of_words))


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_best_and_closest_compressions_against_all_of_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sentence = random_instance(rng).sentences[0]
    scores = rng.normal(size=len(sentence))
    every = [kept for kept in compressions(sentence) if kept]
    found = best_compression(sentence, scores)
    assert found in every
    assert deleted_arcs(sentence, found) @ scores == pytest.approx(
        max(deleted_arcs(sentence, kept) @ scores for kept in every)
    )
    wanted = {int(word) + 1 for word in np.flatnonzero(rng.random(len(sentence)) < 0.5)}
    closest = closest_compression(sentence, wanted)
    assert closest in every
    assert len(set(closest) ^ wanted) == min(len(set(kept) ^ wanted) for kept in every)


def test_alignments_keep_neighbours_together() -> None:
    source = ["the", "man", "saw", "the", "old", "dog", "and", "the", "cat"]
    assert align(source, ["The", "cat"]) == (8, 9)
    assert align(source, ["the", "old", "dog"]) == (4, 5, 6)
    assert align(source, ["dog", "man"]) is None
    assert align(source, []) is None
    assert align(["a"], ["a", "a"]) is None


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=7), st.data())
@settings(max_examples=60, deadline=None)
def test_alignments_against_all_of_them(source: list[str], data: st.DataObject) -> None:
    target = data.draw(st.lists(st.sampled_from("ab"), min_size=1, max_size=4))
    every = [
        places
        for places in itertools.combinations(range(1, len(source) + 1), len(target))
        if [source[place - 1] for place in places] == target
    ]
    found = align(source, target)
    if not every:
        assert found is None
        return

    def neighbours(places: tuple[int, ...]) -> int:
        return sum(second == first + 1 for first, second in itertools.pairwise(places))

    assert found in every
    assert neighbours(found) == max(map(neighbours, every))


def test_pairs_are_used_if_a_tree_explains_them() -> None:
    short = CompressionPair(
        "flood", FLOOD, (5, 3, 4)
    )  # "the ... river": no compression that the constraints allow is near
    assert explained(short, 12) is None
    words = words_only(FLOOD)
    kept = tuple(place for place, word in enumerate(words.words, 1) if word not in ("On", "Friday", "swollen"))
    found = explained(CompressionPair("flood", FLOOD, kept), 12)
    assert found is not None
    assert found.kept == kept
    assert len(found.features) == 21
    pairs = list(learning_pairs(1, 5))
    assert pairs == list(learning_pairs(1, 5))
    assert any(explained(pair, 12) for pair in pairs)


def test_blueprints_of_generated_topics_are_feasible_problems() -> None:
    cluster = cluster_of_size(3, "tiny")
    made = blueprint(cluster, 25, 12, 50)
    scores = made.features.scores(np.random.default_rng(1).normal(size=1 << 12))
    problem = made.compressive_problem(scores)
    assert problem.references == cluster.references
    assert scores[made.deletable == 0.0].tolist() == [0.0] * int((made.deletable == 0.0).sum()), (
        "undeletable arcs have no features"
    )
    assert made.extractive_problem(scores).concepts[0].score == problem.concepts[0].score
