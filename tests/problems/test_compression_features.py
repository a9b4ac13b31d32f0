"""The feature kernel against a slow twin in Python that writes templates out; the layout of parts against the objective."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.compression.corpora import generated_pairs
from problems.compression.features import (
    BEFORE,
    BEHIND,
    SYSTEMS,
    TEMPLATES,
    HashedParts,
    indicator,
    number_of_parts,
    split,
)
from problems.compression.model import SUBTREES, instance_of
from problems.compression.syntax import spans_of, token_facts, words_of
from problems.models.hashing import feature_hash
from problems.text.sentence import ParsedSentence
from problems.text.words import FUNCTION_WORDS

TASK = get_task("compression")
SENTENCE = ParsedSentence(
    ("The", "old", "mayor", "of", "Oslo", "resigned", "on", "Monday"),
    ("DT", "JJ", "NN", "IN", "NNP", "VBD", "IN", "NNP"),
    (3, 3, 6, 5, 3, 0, 8, 6),
    ("det", "amod", "nsubj", "case", "nmod", "root", "case", "obl"),
)
CROSSING = ParsedSentence(
    ("A", "man", "came", ",", "who", "sang", "(", "badly", ")"),
    ("DT", "NN", "VBD", ",", "WP", "VBD", "-LRB-", "RB", "-RRB-"),
    (2, 3, 0, 3, 6, 2, 8, 6, 8),
    ("det", "nsubj", "root", "punct", "nsubj", "acl:relcl", "punct", "advmod", "punct"),
)
WIDE = (1 << 64) - 1


def hashed(template: int, *atoms: int) -> int:
    """What the kernel's `mix` does, in whole numbers."""
    value = template
    for atom in atoms:
        value = ((value ^ atom) * 0x9E3779B97F4A7C15) & WIDE
        value ^= value >> 32
    return value


class Twin:
    """Table 1 of the paper, template by template; with `syntax` the source tree's features of words and bigrams as well."""

    def __init__(self, sentence: ParsedSentence, syntax: bool = False) -> None:
        self.n, self.syntax = len(sentence), syntax
        self.facts = token_facts(sentence) if syntax else [[]] * len(sentence)
        self.sentence = sentence
        self.word = [feature_hash(f"word {word}") for word in (*BEFORE, *map(str.lower, sentence.words), *BEHIND)]
        self.tag = [feature_hash(f"tag {tag}") for tag in (*BEFORE, *sentence.tags, *BEHIND)]
        self.tags = [BEFORE[2], *sentence.tags, BEHIND[0]]
        self.label = [feature_hash(f"label {label}") for label in ("<s>", *sentence.labels)]
        self.heads = (0, *sentence.heads)

    def w(self, place: int) -> int:
        return self.word[place + 2]

    def t(self, place: int) -> int:
        return self.tag[place + 2]

    def token(self, i: int) -> list[int]:
        w, t = self.w, self.t
        found = [hashed(1 + k, w(i - 2 + k)) for k in range(5)] + [hashed(6 + k, t(i - 2 + k)) for k in range(5)]
        found += [hashed(11, w(i), t(i)), hashed(12, w(i - 1), w(i)), hashed(13, w(i), w(i + 1))]
        found += [hashed(14 + k, t(i - 2 + k), t(i - 1 + k)) for k in range(4)]
        found += [hashed(18 + k, t(i - 2 + k), t(i - 1 + k), t(i + k)) for k in range(3)]
        found += [feature_hash(f"fact {fact}") for fact in self.facts[i - 1]]
        return [*found, hashed(21, int(self.sentence.words[i - 1].lower() in FUNCTION_WORDS))]

    def pairs(self, first: int, a: int, b: int, near: int) -> list[int]:
        found = []
        for k, (x, y) in enumerate([(a, b), (a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)]):
            words, tags = hashed(first + k, self.w(x), self.w(y)), hashed(first + 5 + k, self.t(x), self.t(y))
            both = hashed(words, tags)
            found += [words, tags, both, hashed(words, near), hashed(tags, near), hashed(both, near)]
        return found

    def between(self, template: int, a: int, b: int) -> list[int]:
        inside = {self.tags[k]: self.t(k) for k in range(min(a, b) + 1, max(a, b))}
        return [hashed(template, self.t(a), self.t(b), tag) for tag in inside.values()]

    def bigram(self, i: int, j: int) -> list[int]:
        found = [hashed(30, min(j - i, 20)), *self.pairs(31, i, j, bucket(j - i)), *self.between(41, i, j)]
        return found + (self.tree(i, j) if self.syntax else [])

    def head_place(self, word: int, i: int, j: int) -> int:
        if word in (0, self.n + 1):
            return 5
        head = self.heads[word]
        return [head < i, head == i, i < head < j, head == j, head > j].index(True)

    def below(self, word: int) -> set[int]:
        return {other for other in range(1, self.n + 1) if word in (other, *self.ancestors(other))}

    def tree(self, i: int, j: int) -> list[int]:
        """How two kept neighbours stand to each other in the source tree, and the subtrees deleted between them."""
        one, other, near = self.head_place(i, i, j), self.head_place(j, i, j), bucket(j - i)
        label, next_label = self.label[i] if i else 0, self.label[j] if j <= self.n else 1
        both = hashed(100, one, other)
        found = [both, hashed(both, label, next_label), hashed(both, self.t(i), self.t(j))]
        found += [
            hashed(101, one, label, near),
            hashed(102, other, next_label, near),
            hashed(103, label, next_label, near),
        ]
        found += [hashed(104, one, label, self.w(i)), hashed(105, other, next_label, self.w(j))]
        if i and j <= self.n:
            kind = hashed(self.kind(i, j), self.kind(j, i))
            found += [hashed(106, kind), hashed(107, kind, near), hashed(108, kind, self.t(i), self.t(j))]
        deleted = range(i + 1, j)
        tops = [word for word in deleted if self.heads[word] not in deleted]
        for word in tops:
            head, size = self.heads[word], bucket(max(self.below(word)) - min(self.below(word)) + 1)
            whole = self.below(word) <= set(deleted)
            about = hashed(110, self.label[word], (head <= i) + 2 * whole + 4 * (head in (i, j)))
            found += [about, hashed(about, self.t(word)), hashed(about, self.w(word)), hashed(about, 111, self.t(head))]
            found += [hashed(about, 112, size), hashed(about, 113, self.w(head))]
        broken = sum(not self.below(word) <= set(deleted) for word in tops)
        total = hashed(114, min(len(tops), 4), min(broken, 4))
        return [*found, total, hashed(total, self.t(j))]

    def ancestors(self, word: int) -> list[int]:
        found = []
        while word:
            word = self.heads[word]
            found.append(word)
        return found

    def kind(self, h: int, m: int) -> int:
        above = self.ancestors(m)
        if above[0] == h:
            return hashed(60, self.label[m])
        if len(above) > 1 and above[1] == h:
            return hashed(61, self.label[m], self.label[above[0]])
        if h == 0:
            return hashed(62, self.label[m])
        if h in above:
            return hashed(63, self.label[m])
        if self.heads[h] == self.heads[m]:
            return hashed(64, self.label[m], self.label[h])
        if m in self.ancestors(h):
            return hashed(65, self.label[h])
        return hashed(66, self.label[m])

    def arc(self, h: int, m: int) -> list[int]:
        gap, right, kind, t = abs(h - m), int(h < m), self.kind(h, m), self.t
        near = 2 * bucket(gap) + right
        found = [hashed(70, min(gap, 20), right), hashed(71, right), hashed(72, kind), hashed(73, kind, right)]
        found += [hashed(74, kind, t(h), t(m)), hashed(75, kind, self.w(h)), hashed(76, kind, self.w(m))]
        found += self.pairs(77, h, m, near)
        quads = [(h - 1, h, m - 1, m), (h - 1, h, m, m + 1), (h, h + 1, m - 1, m), (h, h + 1, m, m + 1)]
        for k, four in enumerate(quads):
            value = hashed(87 + k, *map(t, four))
            found += [value, hashed(value, near)]
        return found + self.between(91, h, m)

    def part(self, part: int, system: str) -> list[int]:
        n = self.n
        if part < n:
            return self.token(part + 1)
        if part < n + (n + 2) ** 2:
            i, j = divmod(part - n, n + 2)
            there = {"subtree": False, "subtree-bigram": j == i + 1}.get(system, i < j)
            return self.bigram(i, j) if there else []
        h, m = divmod(part - n - (n + 2) ** 2, n)
        m += 1
        if h == m or system == "bigram" or (system in SUBTREES and self.heads[m] != h):
            return []
        return self.arc(h, m)


def bucket(distance: int) -> int:
    return distance if distance <= 5 else 6 if distance <= 10 else 7


@pytest.mark.parametrize("templates", TEMPLATES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_kernel_is_its_twin(system, templates):
    for sentence in (SENTENCE, CROSSING, generated_pairs([7])[0].sentence):
        parts, twin = HashedParts(sentence, system, 20, templates), Twin(sentence, templates == "syntax")
        rows = parts.rows()
        for part in range(len(parts)):
            found = rows.indices[rows.starts[part] : rows.starts[part + 1]]
            assert sorted(found.tolist()) == sorted(value & ((1 << 20) - 1) for value in twin.part(part, system))


@pytest.mark.parametrize("templates", TEMPLATES)
def test_a_sentence_of_one_word_and_far_words(templates):
    one = ParsedSentence(("Stop",), ("VB",), (0,), ("root",))
    long = ParsedSentence(("w",) * 40, ("NN",) * 40, (0, *range(1, 40)), ("root", *["dep"] * 39))
    wide = ParsedSentence(("w",) * 60, ("NN",) * 60, (0, *[1] * 59), ("root", *(f"l{number}" for number in range(59))))
    for sentence in (one, long, wide):
        parts, twin = HashedParts(sentence, "joint", 16, templates), Twin(sentence, templates == "syntax")
        rows = parts.rows()
        for part in (0, len(parts) - 1, len(parts) // 2):
            found = rows.indices[rows.starts[part] : rows.starts[part + 1]]
            assert sorted(found.tolist()) == sorted(value & 0xFFFF for value in twin.part(part, "joint"))


@pytest.mark.parametrize("templates", TEMPLATES)
@pytest.mark.parametrize("system", SYSTEMS)
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_scores_and_combine_are_those_of_written_rows(system, templates, seed):
    rng = np.random.default_rng(seed)
    sentence = generated_pairs([seed])[0].sentence
    parts, weights = HashedParts(sentence, system, 14, templates), rng.normal(size=1 << 14)
    rows = parts.rows()
    np.testing.assert_allclose(parts.scores(weights), rows.scores(weights), atol=1e-9)
    coefficients = rng.integers(-1, 2, size=len(parts)).astype(float)
    (places, values), (expected, sums) = parts.combine(coefficients), rows.combine(coefficients)
    dense, written = np.zeros(1 << 14), np.zeros(1 << 14)
    dense[places], written[expected] = values, sums
    np.testing.assert_allclose(dense, written, atol=1e-9)
    np.testing.assert_allclose(dense @ weights, coefficients @ rows.scores(weights), atol=1e-6)


def test_what_the_tree_says_of_words():
    words = words_of(CROSSING)
    assert [word.depth for word in words] == [0, 3, 2, 1, 2, 4, 3, 5, 4, 5]
    assert [word.top for word in words[1:]] == [
        2,
        2,
        3,
        4,
        2,
        2,
        2,
        2,
        2,
    ]  # branches below the root; the root's is itself
    assert [word.clause for word in words[1:]] == [3, 3, 3, 3, 6, 6, 6, 6, 6]
    assert [word.clauses for word in words[1:]] == [1, 1, 1, 1, 2, 2, 2, 2, 2]
    first, last, size = spans_of(CROSSING)
    assert (first[2], last[2], size[2]) == (1, 9, 7)  # the words of a subtree that crosses need not be neighbours
    assert (first[8], last[8], size[8]) == (7, 9, 3)
    facts = token_facts(CROSSING)
    assert {"l acl:relcl", "clause governor acl:relcl man", "top nsubj >", "commas 1 0", "enclosed 0 False"} <= set(
        facts[5]
    )
    assert {"enclosed 1 False", "l h advmod sang", "below RB punct", "place 8", "rest 1"} <= set(facts[7])
    assert {"shape capital DT", "root far < 2", "l before det <none>"} <= set(facts[0])


def test_part_scores_sum_to_the_objective():
    rng = np.random.default_rng(5)
    for seed in range(20):
        pair = generated_pairs([seed])[0]
        count = len(pair.sentence)
        scores = rng.normal(size=number_of_parts(count))
        instance = instance_of(pair.sentence, "joint", scores, len(pair.kept), pair.name, pair)
        parts = indicator(count, pair.kept, pair.heads)
        tokens, bigrams, arcs = split(parts, count)
        assert (tokens.sum(), bigrams.sum(), arcs.sum()) == (len(pair.kept), len(pair.kept) + 1, len(pair.kept))
        assert TASK.broken(instance, (pair.kept, pair.heads)) is None
        assert scores @ parts == pytest.approx(TASK.objective(instance, (pair.kept, pair.heads)))


def test_instances_of_the_subtree_model_have_a_graph():
    """Source trees may cross, and only the flow formulation knows such trees."""
    pair = generated_pairs([1])[0]
    scores = np.random.default_rng(1).normal(size=number_of_parts(len(pair.sentence)))
    instance = instance_of(pair.sentence, "subtree", scores, len(pair.kept), pair.name, pair)
    assert not instance.projective
    assert TASK.graph(instance).number_of_variables > len(pair.sentence)
