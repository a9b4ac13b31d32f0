"""The dictionary of arcs against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from problems.errors import InputError
from problems.parsing.dictionary import ArcDictionary
from problems.parsing.instance import unreachable_over
from problems.parsing.pruning import candidates
from problems.text.treebank import Sentence, generated_treebank

SENTENCES = list(generated_treebank(4, 25))


def allowed(known: list[Sentence], sentence: Sentence, head: int, modifier: int) -> bool:
    """Does a treebank have an arc between such tags, to the same side and at least as long?"""
    for other in known:
        for word, above in enumerate(other.heads, 1):
            same = other.coarse[word - 1] == sentence.coarse[modifier - 1] and (above == 0) == (head == 0)
            if not same or (above < word) != (head < modifier):
                continue
            if head == 0 or (
                other.coarse[above - 1] == sentence.coarse[head - 1] and abs(above - word) >= abs(head - modifier)
            ):
                return True
    return False


def test_arcs_are_those_that_the_treebank_has_at_least_as_long() -> None:
    known = SENTENCES[:20]
    dictionary = ArcDictionary.of(known)
    dropped = 0
    for sentence in SENTENCES[15:]:
        found = set(zip(*(part.tolist() for part in dictionary.arcs(sentence, True)), strict=True))
        every = list(zip(*(part.tolist() for part in candidates(len(sentence))), strict=True))
        expected = {arc for arc in every if allowed(known, sentence, *arc)}
        if unreachable_over(len(sentence), *map(np.array, zip(*sorted(expected), strict=True)), True):
            expected = set(every)
        assert found == expected
        dropped += len(every) - len(found)
    assert dropped > 100


def test_the_gold_arcs_of_its_own_treebank_are_allowed() -> None:
    dictionary = ArcDictionary.of(SENTENCES)
    for sentence in SENTENCES:
        heads, modifiers = dictionary.arcs(sentence, True)
        assert (heads == np.array(sentence.heads)[modifiers - 1]).sum() == len(sentence)
        assert (np.diff(modifiers * (len(sentence) + 1) + heads) > 0).all()


def test_unknown_tags_go_with_all_and_no_tree_means_all_arcs() -> None:
    dictionary = ArcDictionary.of([Sentence("s", ("a", "b"), ("X", "Y"), ("X", "Y"), (0, 1), ("r", "d"))])
    unknown = Sentence("u", ("a", "b", "c"), ("X", "Z", "Y"), ("X", "Z", "Y"))
    found = set(zip(*(part.tolist() for part in dictionary.arcs(unknown, True)), strict=True))
    assert found == {(0, 1), (2, 1), (0, 2), (1, 2), (3, 2), (2, 3)}
    impossible = Sentence("i", ("b", "b"), ("Y", "Y"), ("Y", "Y"))  # no Y is a root
    assert len(dictionary.arcs(impossible, True)[0]) == 4
    with pytest.raises(InputError, match="must be an array of shape"):
        ArcDictionary(("X",), np.zeros((1, 1, 2), dtype=np.int32))
