"""The generated news must be text that compressive summarization can work on: right trees, useful redundancy."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from problems.text.newswire import EVENT_TYPES, generate_cluster
from problems.text.newswire.cast import draw_cast
from problems.text.newswire.choices import expand
from problems.text.newswire.common import AFFAIRS, BACKGROUND, CALAMITY
from problems.text.newswire.fragment import LABELS, TAGS, to_sentence
from problems.text.newswire.narrate import LONGEST, Teller
from problems.text.newswire.notation import Reader
from problems.text.newswire.story import EventType
from problems.text.sentence import Cluster, ParsedSentence

SEEDS = range(12)
cluster_of = cache(generate_cluster)


def sentences_of(cluster: Cluster) -> list[ParsedSentence]:
    return [sentence for document in cluster.documents for sentence in document]


def bigrams(words: list[str] | tuple[str, ...]) -> list[tuple[str, str]]:
    lower = [word.lower() for word in words]
    return list(pairwise(lower))


def reference_bigrams(cluster: Cluster) -> list[Counter[tuple[str, str]]]:
    return [
        Counter(pair for line in lines for pair in bigrams(line.rstrip(".").split())) for lines in cluster.references
    ]


def document_counts(cluster: Cluster) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for document in cluster.documents:
        counts.update(sorted({pair for sentence in document for pair in bigrams(sentence.words)}))
    return counts


def recall(chosen: list[ParsedSentence], references: list[Counter[tuple[str, str]]]) -> float:
    found = Counter(pair for sentence in chosen for pair in bigrams(sentence.words))
    matched = sum(sum((found & reference).values()) for reference in references)
    return matched / sum(sum(reference.values()) for reference in references)


def undeletable(sentence: ParsedSentence) -> list[bool]:
    """The hard constraints of section 3.5 of Almeida & Martins, as far as they concern this text."""
    with_conjunction = {head for head, tag in zip(sentence.heads, sentence.tags, strict=True) if tag == "CC"}
    result = []
    for i, head in enumerate(sentence.heads):
        tag, word = sentence.tags[i], sentence.words[i]
        head_tag = sentence.tags[head - 1] if head else ""
        leaf = i + 1 not in sentence.heads
        from_verb = head_tag.startswith(("VB", "MD"))
        result.append(
            head == 0
            or head in with_conjunction
            or sentence.labels[i] in ("SUB", "OBJ", "PMOD", "SBAR", "VC", "PRD")
            or (from_verb and (tag.startswith(("VB", "MD", "JJ", "RP")) or word == "that" or (word == "to" and leaf)))
            or tag in ("CD", "DT")
            or word in ("not", "never")
            or (tag == "NNP" and head_tag == "NNP")
        )
    return result


def assert_well_formed(sentence: ParsedSentence) -> None:
    size = len(sentence)
    assert size == len(sentence.tags) == len(sentence.heads) == len(sentence.labels)
    assert sentence.heads.count(0) == 1
    assert sentence.labels.index("ROOT") == sentence.heads.index(0)
    assert sentence.labels.count("ROOT") == 1
    assert set(sentence.tags) <= TAGS, sentence
    assert set(sentence.labels) <= LABELS, sentence
    for start in range(1, size + 1):
        node, steps = start, 0
        while node:
            node, steps = sentence.heads[node - 1], steps + 1
            assert steps <= size, f"cycle in {' '.join(sentence.words)}"
    arcs = [(min(i + 1, head), max(i + 1, head)) for i, head in enumerate(sentence.heads) if head]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs), f"crossing arcs in {' '.join(sentence.words)}"


def test_the_same_arguments_give_the_same_cluster() -> None:
    assert generate_cluster(3) == generate_cluster(3)


def test_different_seeds_tell_different_stories() -> None:
    clusters = [cluster_of(seed) for seed in SEEDS]
    assert len({cluster.documents for cluster in clusters}) == len(clusters)
    assert len({generate_cluster(seed, 1, 1, 0).name.split("-")[0] for seed in range(60)}) == len(EVENT_TYPES) >= 8
    same_type = [cluster for cluster in clusters if cluster.name.startswith("mine")]
    names = [
        {word for s in sentences_of(c) for word, tag in zip(s.words, s.tags, strict=True) if tag == "NNP"}
        for c in same_type
    ]
    assert len(names) >= 2
    assert len(names[0] & names[1]) < 0.6 * min(len(names[0]), len(names[1]))


def test_further_documents_and_references_leave_the_earlier_ones_alone() -> None:
    small = generate_cluster(5, documents=2, references=1)
    large = generate_cluster(5, documents=4, references=2)
    assert large.documents[:2] == small.documents
    assert large.references[:1] == small.references


@pytest.mark.parametrize("seed", SEEDS)
def test_every_tree_is_well_formed(seed: int) -> None:
    for sentence in sentences_of(cluster_of(seed)):
        assert_well_formed(sentence)


@pytest.mark.parametrize("event", EVENT_TYPES, ids=lambda event: event.name)
def test_every_wording_of_every_fact_can_be_read(event: EventType) -> None:
    rng = np.random.default_rng(0)
    pool = BACKGROUND + (CALAMITY if event.calamity else AFFAIRS)
    assert 25 <= len(event.facts) + 22 <= 40
    assert len(pool) >= 22
    for optional in (0.0, 0.5, 1.0):
        teller = Teller(event, draw_cast(event.cast, rng), rng, optional)
        for fact in event.facts + pool:
            for wording in fact.wordings:
                for _ in range(3):
                    assert_well_formed(to_sentence(teller.bare(wording)))


@pytest.mark.parametrize("seed", SEEDS)
def test_words_are_plain(seed: int) -> None:
    cluster = cluster_of(seed)
    for sentence in sentences_of(cluster):
        for word in sentence.words:
            assert word.isascii()
            assert word.replace("-", "").isalnum(), word
        for word, following in pairwise(sentence.words):
            assert word != "a" or following[0] not in "aeio" or following.startswith("one")
            assert word != "an" or following[0] in "aeiouAEIOU8" or following in ("hour", "11", "18")
            assert word != following, f"{word} twice in {' '.join(sentence.words)}"
        first, tag = sentence.words[0], sentence.tags[0]
        assert first[0].islower() or first[0].isdigit() or tag == "NNP"


@pytest.mark.parametrize("seed", SEEDS)
def test_size_and_sentence_lengths_are_those_of_news(seed: int) -> None:
    cluster = cluster_of(seed)
    assert [len(document) for document in cluster.documents] == [20] * 10
    lengths = np.array([len(sentence) for sentence in sentences_of(cluster)])
    assert 20 <= lengths.mean() <= 26
    assert 5 <= lengths.std() <= 9
    assert lengths.min() >= 6
    assert lengths.max() <= LONGEST


@pytest.mark.parametrize("seed", SEEDS)
def test_references_are_short_readable_lines(seed: int) -> None:
    cluster = cluster_of(seed)
    assert len(cluster.references) == 4
    assert len(set(cluster.references)) == 4
    for lines in cluster.references:
        assert 95 <= sum(len(line.split()) for line in lines) <= 105
        for line in lines:
            assert line.endswith(".")
            assert line[0].isupper() or line[0].isdigit()
            assert len(line.split()) >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_concepts_recur_across_documents(seed: int) -> None:
    cluster = cluster_of(seed)
    counts = document_counts(cluster)
    assert sum(count >= 2 for count in counts.values()) >= 300
    assert sum(count >= 3 for count in counts.values()) >= 200
    assert sum(count == 1 for count in counts.values()) >= 500  # what only one document says
    in_references: Counter[tuple[str, str]] = Counter()
    for reference in reference_bigrams(cluster):
        in_references.update(set(reference))
    assert recall(sentences_of(cluster), reference_bigrams(cluster)) > 0.5
    agreed = np.mean([counts[pair] for pair, votes in in_references.items() if votes >= 2])
    others = np.mean([count for pair, count in counts.items() if pair not in in_references])
    assert agreed > 2 * others


@pytest.mark.parametrize("seed", SEEDS)
def test_there_is_something_to_delete_and_something_to_keep(seed: int) -> None:
    words = fixed = kept = 0
    for sentence in sentences_of(cluster_of(seed)):
        protected = undeletable(sentence)
        words += len(sentence)
        fixed += sum(protected)
        for start in range(1, len(sentence) + 1):
            node = start
            while node and protected[node - 1]:
                node = sentence.heads[node - 1]
            kept += node == 0
    assert 0.4 <= fixed / words <= 0.72
    assert 0.25 <= kept / words <= 0.6


def test_an_oracle_beats_the_lead_and_compression_beats_extraction() -> None:
    leads, oracles, compressed = [], [], []
    for seed in SEEDS[:5]:
        cluster = cluster_of(seed)
        references = reference_bigrams(cluster)
        leads.append(np.mean([recall(_lead(document), references) for document in cluster.documents]))
        oracles.append(recall(_greedy(sentences_of(cluster), references), references))
        compressed.append(
            recall(_greedy([_trim(s, references) for s in sentences_of(cluster)], references), references)
        )
    assert np.mean(oracles) > 1.5 * np.mean(leads)
    assert np.mean(compressed) > 1.1 * np.mean(oracles)


def _lead(document: tuple[ParsedSentence, ...], budget: int = 100) -> list[ParsedSentence]:
    chosen: list[ParsedSentence] = []
    for sentence in document:
        if sum(map(len, chosen)) + len(sentence) > budget:
            break
        chosen.append(sentence)
    return chosen


def _greedy(
    sentences: list[ParsedSentence], references: list[Counter[tuple[str, str]]], budget: int = 100
) -> list[ParsedSentence]:
    chosen: list[ParsedSentence] = []
    while True:
        room = budget - sum(map(len, chosen))
        fitting = [sentence for sentence in sentences if len(sentence) <= room]
        base = recall(chosen, references)
        if not fitting:
            return chosen
        best = max(fitting, key=lambda s: (recall([*chosen, s], references) - base) / len(s))
        if recall([*chosen, best], references) <= base:
            return chosen
        chosen.append(best)


def _trim(sentence: ParsedSentence, references: list[Counter[tuple[str, str]]]) -> ParsedSentence:
    """Drop every deletable subtree that shares no bigram with the references."""
    wanted = {pair for reference in references for pair in reference}
    useful = [False] * (len(sentence) + 1)
    for i, pair in enumerate(bigrams(sentence.words)):
        useful[i] = useful[i] or pair in wanted
        useful[i + 1] = useful[i + 1] or pair in wanted
    protected = undeletable(sentence)
    keep = [True] * len(sentence)
    for top in range(len(sentence)):
        below = [i for i in range(len(sentence)) if _is_below(sentence, i, top)]
        if not protected[top] and not any(useful[i] for i in below):
            for i in below:
                keep[i] = False
    words = tuple(word for word, kept in zip(sentence.words, keep, strict=True) if kept)
    return ParsedSentence(words, ("NN",) * len(words), (0,) * len(words), ("ROOT",) * len(words))


def _is_below(sentence: ParsedSentence, node: int, top: int) -> bool:
    while node != top and sentence.heads[node]:
        node = sentence.heads[node] - 1
    return node == top


def test_a_tiny_and_a_large_cluster() -> None:
    tiny = generate_cluster(1, documents=3, sentences_per_document=4, reference_words=30)
    assert [len(document) for document in tiny.documents] == [4, 4, 4]
    assert all(28 <= sum(len(line.split()) for line in lines) <= 32 for lines in tiny.references)
    large = generate_cluster(1, documents=50, sentences_per_document=40, name="large")
    assert large.name == "large"
    assert [len(document) for document in large.documents] == [40] * 50
    assert [len(document) for document in generate_cluster(2, 1, 1).documents] == [1]
    exhaustive = generate_cluster(2, 1, 1, references=1, reference_words=5000).references[0]
    assert len(exhaustive) == len(set(exhaustive)) >= 25  # there is no more to tell


@pytest.mark.parametrize(
    "arguments",
    [{"seed": -1}, {"documents": 0}, {"sentences_per_document": 0}, {"references": -1}, {"reference_words": 5}],
)
def test_impossible_sizes_are_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(arguments))):
        generate_cluster(**{"seed": 0, **arguments})  # type: ignore[arg-type]


def test_the_shorthand_gives_the_tree_that_it_shows() -> None:
    text = "the old ship : was quickly towed : by a tug (from Harwick) ; after <it : had lost : power>"
    sentence = to_sentence(Reader(text, lambda slot: pytest.fail(slot)).clause().fragment())
    expected = """
        the DT 3 NMOD|old JJ 3 NMOD|ship NN 4 SUB|was VBD 0 ROOT|quickly RB 6 VMOD|towed VBN 4 VC|by IN 6 VMOD|
        a DT 9 NMOD|tug NN 7 PMOD|from IN 9 NMOD|Harwick NNP 10 PMOD|after IN 6 VMOD|it PRP 14 SUB|had VBD 12 SBAR|
        lost VBN 14 VC|power NN 15 OBJ"""
    rows = zip(sentence.words, sentence.tags, map(str, sentence.heads), sentence.labels, strict=True)
    assert [" ".join(row) for row in rows] == [row.strip() for row in expected.split("|")]


def test_choices_and_optional_modifiers() -> None:
    rng = np.random.default_rng(0)
    drawn = {expand("{x} {a|b} [c|d]", rng, 0.5).split()[1] for _ in range(50)}
    assert drawn == {"a", "b"}
    assert {expand("{x} e [c|d]", rng, 1.0) for _ in range(50)} == {"{x} e c", "{x} e d"}
    assert expand("{x} e[ c]", rng, 0.0) == "{x} e"


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("union", "a"),
        ("unidentified", "an"),
        ("hour", "an"),
        ("unanimous", "a"),
        ("8", "an"),
        ("18", "an"),
        ("one", "a"),
    ],
)
def test_articles_follow_the_sound(word: str, article: str) -> None:
    phrase = Reader(f"a {word} thing", lambda slot: pytest.fail(slot)).noun_phrase()
    assert to_sentence(phrase).words[0] == article


@pytest.mark.parametrize("text", ["the ship sank", "the ship : : fast", ": sank : (", "the ship : sank : in <it : hit"])
def test_broken_shorthand_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Reader(text, lambda slot: pytest.fail(slot)).clause()
