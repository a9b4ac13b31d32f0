"""A small treebank that a parser can learn without mistakes, and options of a quick training."""

from __future__ import annotations

import numpy as np

from problems.text.treebank import Sentence

SMALL = {
    "bits": 16,
    "pruner_bits": 16,
    "classifier_bits": 16,
    "pruner_folds": 2,
    "classifier_epochs": 3,
    "aggressiveness": 1.0,
}


def toy_treebank(count: int = 16) -> list[Sentence]:
    """A noun phrase, a verb, and a phrase after it: the preposition says what it hangs from."""
    rng = np.random.default_rng(7)
    found = []
    for number in range(count):
        noun, verb, other = (str(rng.choice(words)) for words in (("dog", "cat"), ("saw", "met"), ("park", "hat")))
        link, head, tag = ("in", 3, "IN") if rng.random() < 0.5 else ("of", 4, "OF")
        words = ("the", noun, verb, "girls", link, "a", other, ".")
        tags = ("DT", "NN", "VBD", "NNS", tag, "DT", "NN", ".")
        coarse = ("DET", "NOUN", "VERB", "NOUN", "ADP", "DET", "NOUN", "PUNCT")
        labels = ("det", "nsubj", "root", "obj", "case", "det", "obl" if head == 3 else "nmod", "punct")
        found.append(Sentence(f"toy-{number}", words, coarse, tags, (2, 3, 0, 3, 7, 7, head, 3), labels))
    return found
