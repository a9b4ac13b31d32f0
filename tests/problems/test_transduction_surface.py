"""Generated transduction sentences in words: agreement, case, articles, punctuation, and structures that do not change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from problems.transduction import lexicon
from problems.transduction import surface_words as words_of
from problems.transduction.generate import example, generate
from problems.transduction.models import models
from problems.transduction.sentences import sentence_of
from problems.transduction.surface import realised
from problems.transduction.trees import Tree, read_tree

NOMINATIVE = {"it", "he", "she", "they", "we"}
OTHER_CASES = {"it", "him", "her", "them", "us", "itself", "himself", "herself", "themselves", "there", "then", "that"}
PERSONS = {*words_of.PERSONS, *words_of.PLURALS["person"], *lexicon.LAST_NAMES}


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Tree, Tree]]:
    """Trees of lexemes, and the same in words."""
    found = []
    for seed in range(250):
        rng = np.random.default_rng([seed, 17])
        tree = sentence_of(rng, int(rng.integers(5, 45)))
        found.append((tree, realised(tree)))
    return found


def nodes(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Every node with a parent, and that parent."""
    for child in tree.children:
        yield child, tree
        yield from nodes(child)


def head_word(phrase: Tree) -> Tree:
    """The leaf that a noun phrase is about: the last one of its innermost first phrase."""
    while phrase.children[0].label == "NP":
        phrase = phrase.children[0]
    return phrase.children[-1]


def is_plural(phrase: Tree) -> bool:
    head = head_word(phrase)
    return head.label == "NNS" or head.word in ("they", "we")


def shape(tree: Tree) -> str:
    return f"({tree.label} {' '.join(map(shape, tree.children))})"


def test_words_change_and_nothing_else_does(pairs: list[tuple[Tree, Tree]]) -> None:
    for tree, shown in pairs:
        assert shape(shown) == shape(tree)
        assert realised(tree) == shown
        assert shown.words()[-1] == "."
    assert sum(tree != shown for tree, shown in pairs) > 200


def test_pronouns_have_the_case_of_their_place(pairs: list[tuple[Tree, Tree]]) -> None:
    seen: set[str] = set()
    for _, shown in pairs:
        for node, parent in nodes(shown):
            if node.label == "NP" and node.children[0].label == "PRP":
                word = node.children[0].word or ""
                assert word in (NOMINATIVE if parent.label == "S" else OTHER_CASES), str(shown)
                seen.add(word)
    assert {"he", "him", "they", "them", "there"} <= seen


def test_be_agrees_with_its_subject(pairs: list[tuple[Tree, Tree]]) -> None:
    count = 0
    for _, shown in pairs:
        for node, parent in nodes(shown):
            subject, verb_phrase = None, None
            if node.label == "VP" and parent.label == "S" and len(parent.children) > 1:
                subject = parent.children[parent.children.index(node) - 1]
                verb_phrase = node
            elif node.label == "SBAR" and parent.label == "NP":  # a relative clause
                subject, verb_phrase = parent.children[0], node.children[1].children[0]
            if subject is None or verb_phrase is None or subject.label != "NP":
                continue
            for leaf in verb_phrase.children:
                if leaf.word in ("was", "were"):
                    assert leaf.word == ("were" if is_plural(subject) else "was"), str(shown)
                    count += 1
    assert count > 10


@pytest.mark.parametrize(
    ("lexemes", "words"),
    [
        ("(S (NP (CD two) (NNS houses)) (VP (VBD was) (ADJP (JJ famous))) (. .))", "were famous ."),
        ("(S (NP (PRP they)) (VP (VBD was) (ADJP (JJ famous))) (. .))", "they were famous ."),
        ("(S (NP (PRP he)) (VP (VBD was) (ADJP (JJ famous))) (. .))", "he was famous ."),
        (
            "(S (NP (NP (CD two) (NNS people)) (SBAR (WDT which) (S (VP (VBD was) (ADJP (JJ famous)))))) "
            "(VP (VBD praised) (NP (PRP they))) (. .))",
            "two people who were famous praised them .",
        ),
        (
            "(S (NP (PRP she)) (VP (ADVP (RB not)) (VBD praised) (NP (PRP he)) (PP (IN after) (NP (PRP we)))) (. .))",
            "she never praised him after that .",
        ),
        (
            "(S (NP (NP (NNP Smith)) (, ,) (NP (DT a) (NN official)) (, ,)) (VP (VBD left) (NP (NP (NNP Rome)) (, ,) "
            "(NP (DT a) (NN city)) (, ,))) (. .))",
            "Smith , an official , left Rome ( a city ) .",
        ),
    ],
)
def test_sentences_by_hand(lexemes: str, words: str) -> None:
    assert " ".join(realised(read_tree(lexemes)).words()).endswith(words)


def test_relative_pronouns_fit_what_they_refer_to(pairs: list[tuple[Tree, Tree]]) -> None:
    count = 0
    for _, shown in pairs:
        for node, parent in nodes(shown):
            if node.label == "SBAR" and node.children[0].label == "WDT":
                person = head_word(parent.children[0]).word in PERSONS
                assert (node.children[0].word == "who") == person, str(shown)
                count += 1
    assert count > 20


def test_articles_negations_and_punctuation(pairs: list[tuple[Tree, Tree]]) -> None:
    for _, shown in pairs:
        words = shown.words()
        depth = 0
        for word, following in pairwise(words):
            if word in ("a", "an"):
                assert (word == "an") == (following[0] in "aeio" or following.startswith(("unp", "unex", "unu"))), words
            assert not (word == "," and following in (",", ".", ")")), words
            assert word != "(" or following != ")", words
            assert word not in lexicon.CONJUNCTIONS or following not in ("however", "nevertheless"), words
            assert word != following or word in (")", "it"), words
            depth += (word == "(") - (word == ")")
            assert depth >= 0
        assert depth == 0
        assert "not" not in words
        assert not {"<(>", "<)>"} & set(words)


def test_people_and_bodies_act_and_prepositions_have_places(pairs: list[tuple[Tree, Tree]]) -> None:
    agents = {*words_of.PERSONS, *words_of.BODIES, *words_of.PLURALS["agent"], *lexicon.LAST_NAMES, *NOMINATIVE}
    places = {*words_of.PLACES, *words_of.PLURALS["place"], *words_of.LAST_NAMES["place"], "there"}
    for _, shown in pairs:
        for node, parent in nodes(shown):
            if node.label == "NP" and parent.label == "S":
                assert head_word(node).word in agents, str(shown)
            if node.label == "PP" and node.children[0].word in ("in", "outside", "near", "behind"):
                assert head_word(node.children[1]).word in places, str(shown)


def test_the_words_of_an_instance_leave_its_scores_alone() -> None:
    made = generate(1501, "10")
    tree = example(1501, "10").tree
    assert made.words == realised(tree).words()
    assert made.words != tree.words()
    assert made.bigram_scores is not None
    used = np.triu(np.ones_like(made.bigram_scores), 1) > 0  # a word comes after another one,
    used[0, -1] = False  # and no compression is empty
    assert np.allclose(made.bigram_scores[used], models().ngram_scores(tree, "bigram")[used], rtol=0.0, atol=1e-9)
    assert generate(1501, "10") == made
