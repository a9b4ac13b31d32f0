"""How the editors of generated learning topics shorten a sentence: by the syntax of what can be deleted.

An editor deletes subtrees that the hard constraints allow. What goes depends on the kind of modifier and on what it carries: an
adverbial clause nearly always goes, a prepositional phrase stays if it has a name or a number, "of" stays with its noun. So the
deletions of an editor can be learned from sentence pairs, and they are the deletions of reference summaries as well.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from ..text.sentence import ParsedSentence
from ..text.words import is_temporal
from .features import undeletable_arcs
from .trees import Tree


class Modifier(Enum):
    """A kind of deletable modifier, with the share of it that editors delete."""

    TIME = 0.95
    CLAUSE = 0.96  # "as families waited", "who was among the survivors", "built in 1987"
    ADVERB = 0.92
    ADJECTIVE = 0.8
    ATTRIBUTION = 0.97  # "according to officials"
    OF = 0.04
    INFORMATIVE = 0.06  # a prepositional phrase with a name or a number
    PLAIN = 0.9  # another prepositional phrase: "in calm weather"
    NOUN = 0.03  # "coast" of "coast guard"

    @classmethod
    def of(cls, sentence: ParsedSentence, tree: Tree, word: int) -> Modifier:
        tag, form = sentence.tags[word - 1], sentence.words[word - 1].lower()
        below = tree.below[word]
        if is_temporal(form) or (tag in ("IN", "TO") and any(is_temporal(sentence.words[w - 1]) for w in below)):
            return cls.TIME
        if tag.startswith(("VB", "W", "MD")) or any(sentence.labels[w - 1] == "SBAR" for w in below):
            return cls.CLAUSE
        if form == "according":
            return cls.ATTRIBUTION
        if tag in ("IN", "TO"):
            if form == "of":
                return cls.OF
            return cls.INFORMATIVE if tree.informative[word] else cls.PLAIN
        if tag.startswith("RB"):
            return cls.ADVERB
        return cls.ADJECTIVE if tag.startswith("JJ") else cls.NOUN


def edited(sentence: ParsedSentence, rng: np.random.Generator) -> tuple[int, ...]:
    """The words that an editor keeps. One number is drawn per word, whatever its arc is."""
    tree, fixed = Tree(sentence), undeletable_arcs(sentence)
    draws = [float(rng.random()) for _ in sentence.words]
    kept = {0}
    for word in tree.order[1:]:
        goes = not fixed[word - 1] and draws[word - 1] < Modifier.of(sentence, tree, word).value
        if sentence.heads[word - 1] in kept and not goes:
            kept.add(word)
    return tuple(sorted(kept - {0}))
