"""The reranker's facts about syntax, by hand, and a model with them in a file's parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.learning.transduction.examples import any_words
from problems.errors import InputError
from problems.transduction.best import best_derivations
from problems.transduction.instance import TransductionInstance
from solvers.deletion_model import DeletionModel, train_deletions
from solvers.rerank import FACTS, SYNTAX_FACTS, Facts, Reranker, SyntaxFacts, train_reranker

TREE = "(S (NNP-nsubj (det/DT the) (NN^ bank)) (VP^ (VBD^ closed) (advmod/RB quickly)))"


def sentence(kept: tuple[int, ...] = (2, 3)) -> TransductionInstance:
    words, rng = ("the", "bank", "closed", "quickly"), np.random.default_rng(1)
    return TransductionInstance(
        "one",
        words,
        any_words(4),
        np.triu(rng.normal(size=(6, 6)), 1),
        source_tree=TREE,
        source_heads=(2, 3, 0, 3),
        gold_kept=kept,
    )


def test_facts_by_hand() -> None:
    instance = sentence()
    (derivation,) = best_derivations(instance, [(1, 2, 4)])
    assert derivation is not None
    plain, syntax = (kind(instance, np.zeros(4)).of((1, 2, 4), derivation) for kind in (Facts, SyntaxFacts))
    assert syntax[:FACTS] == plain
    assert len(syntax) == FACTS + SYNTAX_FACTS
    heads, root, runs, depth, place, nouns, verbs, adjectives = syntax[FACTS:]
    assert heads == pytest.approx(1 / 3)  # of the three heads "bank" alone is kept
    assert (root, nouns, verbs, adjectives) == (0.0, 1.0, 0.0, 0.0)
    assert runs == pytest.approx(2 / 3)  # "the bank", "quickly"
    assert depth == pytest.approx((3 + 2 + 2) / 3 / ((3 + 2 + 1 + 2) / 4))
    assert place == pytest.approx((1 + 2 + 4) / 3 / 5)
    with pytest.raises(InputError, match="one: a reranker with facts about syntax"):
        SyntaxFacts(replace(instance, source_tree=""), np.zeros(4))


@pytest.mark.parametrize("syntax", [False, True])
def test_a_reranker_survives_its_parts(syntax: bool) -> None:
    instances = [sentence(), sentence((1, 2, 3))]
    found = train_reranker(train_deletions(instances), instances, syntax)
    header, arrays = found.parts()
    back = Reranker.of(header, arrays)
    assert isinstance(back.facts(instances[0], np.zeros(4)), SyntaxFacts) == syntax
    np.testing.assert_array_equal(back.mean, found.mean)
    assert isinstance(back.deletions, DeletionModel)
    arrays["reranker.mean"] = arrays["reranker.mean"][:-1]
    with pytest.raises(InputError, match="do not fit together"):
        Reranker.of(header, arrays)
