"""Topics for learning: what is news, where it stands, how editors shorten; and that the task's own instances stay what they are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bench.experiments.sources import digest
from problems import get_task
from problems.summarization.blueprint import candidates, learned_worths, shared_counts
from problems.summarization.constraints import undeletable_arcs
from problems.summarization.editing import Modifier, edited
from problems.summarization.features import bigrams
from problems.summarization.learning_topics import learning_pairs, learning_topic
from problems.summarization.oracle import reference_bigrams
from problems.summarization.part_features import concept_facts
from problems.summarization.trees import Tree
from problems.text.sentence import Cluster, ParsedSentence

topic = cache(learning_topic)
TOPICS = [topic(seed, "small") for seed in range(12)]


def test_topics_are_those_of_their_seed_and_size() -> None:
    again = learning_topic(3, "small")
    assert again == topic(3, "small")
    assert again.name == "learning-small-3"
    assert [len(document) for document in again.documents] == [8] * 8
    assert len(again.references) == 3
    assert again.documents != topic(4, "small").documents
    assert [len(document) for document in learning_topic(3, "tac").documents] == [20] * 10
    for cluster in TOPICS:
        for reference in cluster.references:
            assert 15 <= sum(len(line.split()) for line in reference) <= 50
            assert all(line[0] == line[0].upper() and line.endswith(".") for line in reference)


def rank_correlation(first: list[float], second: list[float]) -> float:
    ranks = [np.argsort(np.argsort(values)) for values in (first, second)]
    return float(np.corrcoef(*ranks)[0, 1])


def test_references_depend_on_place_and_salience_more_than_on_counts() -> None:
    """Of bigrams that several documents have: those of references are earlier and about salient words, and hardly more frequent."""
    wanted, places, saliences, counts = [], [], [], []
    for cluster in TOPICS:
        gold = reference_bigrams(cluster.references)
        for name, fact in concept_facts(cluster).items():
            if fact.documents >= 3:
                wanted.append(float(name in gold))
                places.append(fact.place)
                saliences.append(fact.salience)
                counts.append(float(fact.documents))
    assert rank_correlation(places, wanted) < -0.15
    assert rank_correlation(saliences, wanted) > 0.15
    assert abs(rank_correlation(counts, wanted)) < min(
        -rank_correlation(places, wanted), rank_correlation(saliences, wanted)
    )


def test_editors_delete_by_syntax_and_only_what_may_go() -> None:
    deleted: dict[Modifier, list[bool]] = {kind: [] for kind in Modifier}
    for pair in learning_pairs(7, 200):
        fixed, tree, kept = undeletable_arcs(pair.sentence), Tree(pair.sentence), set(pair.kept)
        for word, head in enumerate(pair.sentence.heads, 1):
            if head and head not in kept:
                assert word not in kept, "a subtree goes as a whole"
            elif fixed[word - 1]:
                assert word in kept
            else:
                deleted[Modifier.of(pair.sentence, tree, word)].append(word not in kept)
    for kind, flags in deleted.items():
        assert np.mean(flags) == pytest.approx(kind.value, abs=0.5 / np.sqrt(len(flags)) * 3), kind
    assert list(learning_pairs(7, 3)) == list(learning_pairs(7, 3))


def test_modifiers_by_hand() -> None:
    sentence = ParsedSentence(
        ("sank", "near", "Oslo", "in", "calm", "weather"),
        ("VBD", "IN", "NNP", "IN", "JJ", "NN"),
        (0, 1, 2, 1, 6, 4),
        ("ROOT", "VMOD", "PMOD", "VMOD", "NMOD", "PMOD"),
    )
    tree = Tree(sentence)
    kinds = [Modifier.of(sentence, tree, word) for word in (2, 4, 5)]
    assert kinds == [Modifier.INFORMATIVE, Modifier.PLAIN, Modifier.ADJECTIVE]
    kept = [edited(sentence, np.random.default_rng(seed)) for seed in range(50)]
    assert sum(2 in words for words in kept) > 40 > 10 > sum(4 in words for words in kept)


def test_candidates_follow_what_bigrams_are_worth() -> None:
    def chain(text: str) -> ParsedSentence:
        words = tuple(text.split())
        return ParsedSentence(words, ("NN",) * len(words), tuple(range(len(words))), ("ROOT",) * len(words))

    documents = ((chain("mayors wept"), chain("rivers flooded")), (chain("rivers flooded"), chain("dogs barked")))
    cluster = Cluster("c", documents, ())
    facts = concept_facts(cluster)
    assert shared_counts(facts) == {"river flood": 2.0}
    by_counts = candidates(cluster, shared_counts(facts), 4)
    assert [one.words.words for one in by_counts] == [("rivers", "flooded")] * 2
    by_worth = candidates(cluster, {"dog bark": 2.0, "mayor wept": 1.0}, 4)
    assert [one.words.words[0] for one in by_worth] == ["mayors", "dogs"]
    assert set(bigrams(chain("dogs barked"))) <= set(facts)
    scores = learned_worths(facts, np.full(1 << 10, 0.5))
    assert set(scores) == set(facts)
    assert learned_worths(facts, np.full(1 << 10, -0.5)) == {}


@pytest.mark.parametrize(
    ("task", "seed", "size", "expected"),
    [
        ("summarization", 3, "tiny", "a61478f32f6fcd108955"),
        ("summarization", 3, "tac", "2ab3aae3d03b8963d3af"),
        ("summarization", 3, "zipf", "f1e56fe549125656c2ea"),
        ("extraction", 3, "tac", "9add89ecc0d2c5496097"),
    ],
)
def test_the_instances_of_the_tasks_stay_what_they_are(task: str, seed: int, size: str, expected: str) -> None:
    """Recorded results speak of these instances."""
    assert digest(get_task(task), get_task(task).generate(seed, size)) == expected
