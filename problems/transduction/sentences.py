"""Seeded constituency trees from a probabilistic grammar over a small newspaper vocabulary.

Frequencies follow Zipf's law, and what a word goes with depends on the word: an adjective on its noun, an object on its
verb. So n-grams say more than tags do. Sentences have an exact length: they are drawn until one fits, long ones as
two that are coordinated.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from . import lexicon
from .trees import Tree

LONGEST_SIMPLE = 24  # longer sentences are coordinated
MOST_DRAWS = 3000
PREFERRED = 0.7  # share of words that are drawn from those that go with another word
RANGE = 8  # how many these are
SKEW = 2.0

Generator = np.random.Generator


class Speaker:
    """Draws phrases; `richness` scales how many optional constituents there are."""

    def __init__(self, rng: Generator, richness: float) -> None:
        self.rng = rng
        self.richness = richness

    def chance(self, probability: float) -> bool:
        return self.rng.random() < min(0.95, probability * self.richness)

    def word(self, words: Sequence[str], with_word: str | None = None) -> str:
        """A word by Zipf's law, often among those that go with another word."""
        place = int(len(words) * self.rng.random() ** SKEW)
        if with_word is not None and self.rng.random() < PREFERRED:
            place = (zlib.crc32(with_word.encode()) + place % RANGE) % len(words)
        return words[place]

    def tag(self, label: str, words: Sequence[str], with_word: str | None = None) -> Tree:
        return Tree(label, word=self.word(words, with_word))

    def noun_phrase(self, depth: int, with_word: str | None = None) -> Tree:
        draw = self.rng.random()
        if draw < 0.12:
            return Tree("NP", (self.tag("PRP", lexicon.PRONOUNS),))
        if draw < 0.27:
            names = [self.tag("NNP", lexicon.LAST_NAMES)]
            if self.chance(0.6):
                names.insert(0, self.tag("NNP", lexicon.FIRST_NAMES, names[0].word))
            return self.extended(Tree("NP", tuple(names)), depth, names[-1].word or "")
        if draw < 0.35:
            plural = self.tag("NNS", lexicon.PLURALS, with_word)
            return self.extended(Tree("NP", (self.tag("CD", lexicon.NUMBERS), plural)), depth, plural.word or "")
        noun = self.tag("NN", lexicon.NOUNS, with_word)
        parts = [self.tag("DT", lexicon.DETERMINERS)]
        while self.chance(0.3) and len(parts) < 3:
            parts.append(self.tag("JJ", lexicon.ADJECTIVES, noun.word))
        if self.chance(0.08):
            parts.insert(
                1, Tree("ADJP", (self.tag("RB", lexicon.DEGREES), self.tag("JJ", lexicon.ADJECTIVES, noun.word)))
            )
        return self.extended(Tree("NP", (*parts, noun)), depth, noun.word or "")

    def extended(self, phrase: Tree, depth: int, noun: str) -> Tree:
        """A noun phrase with a complement, a relative clause or an apposition."""
        if depth <= 0:
            return phrase
        if self.chance(0.2):
            link = self.tag("IN", lexicon.LINKS, noun)
            phrase = Tree("NP", (phrase, Tree("PP", (link, self.noun_phrase(depth - 1, noun)))))
        elif self.chance(0.12):
            phrase = Tree("NP", (phrase, self.place(depth - 1)))
        if self.chance(0.07):
            relative = Tree("SBAR", (self.tag("WDT", lexicon.RELATIVES), Tree("S", (self.verb_phrase(depth - 2),))))
            return Tree("NP", (phrase, relative))
        if self.chance(0.05):
            return Tree("NP", (phrase, Tree(",", word=","), self.noun_phrase(depth - 2), Tree(",", word=",")))
        return phrase

    def place(self, depth: int) -> Tree:
        if self.rng.random() < 0.6:
            where = Tree("NP", (self.tag("NNP", lexicon.PLACES),))
            return Tree("PP", (self.tag("IN", lexicon.PLACE_PREPOSITIONS), where))
        words = lexicon.TIME_PREPOSITIONS if self.rng.random() < 0.5 else lexicon.PLACE_PREPOSITIONS
        preposition = self.tag("IN", words)
        return Tree("PP", (preposition, self.noun_phrase(depth - 1, preposition.word)))

    def verb_phrase(self, depth: int) -> Tree:
        draw = self.rng.random()
        if draw < 0.14:
            degree = [self.tag("RB", lexicon.DEGREES)] if self.chance(0.4) else []
            state = Tree("ADJP", (*degree, self.tag("JJ", lexicon.ADJECTIVES)))
            return self.modified([self.tag("VBD", lexicon.STATES), state], depth)
        if draw < 0.26:
            verb = self.tag("VB", lexicon.BASE_VERBS)
            inner = Tree("VP", (verb, self.noun_phrase(depth - 1, verb.word)))
            return self.modified([self.tag("MD", lexicon.MODALS), inner], depth)
        if draw < 0.36:
            verb = self.tag("VB", lexicon.BASE_VERBS)
            inner = Tree("VP", (Tree("TO", word="to"), Tree("VP", (verb, self.noun_phrase(depth - 1, verb.word)))))
            return self.modified([self.tag("VBD", lexicon.WANTING), Tree("S", (inner,))], depth)
        if draw < 0.50 and depth > 1:
            that = [Tree("IN", word="that")] if self.rng.random() < 0.7 else []
            clause = Tree("SBAR", (*that, self.clause(depth - 1)))
            return Tree("VP", (self.tag("VBD", lexicon.SAYING), clause))
        verb = self.tag("VBD", lexicon.VERBS)
        return self.modified([verb, self.noun_phrase(depth - 1, verb.word)], depth)

    def modified(self, parts: list[Tree], depth: int) -> Tree:
        if self.chance(0.2):
            parts.insert(0, Tree("ADVP", (self.tag("RB", lexicon.ADVERBS, parts[0].word),)))
        if self.chance(0.3):
            parts.append(self.place(depth))
        if depth > 0 and self.chance(0.12):
            parts.append(Tree("SBAR", (self.tag("IN", lexicon.SUBORDINATORS), self.clause(depth - 2))))
        return Tree("VP", tuple(parts))

    def clause(self, depth: int) -> Tree:
        return Tree("S", (self.noun_phrase(depth - 1), self.verb_phrase(depth)))

    def sentence(self) -> Tree:
        clause = self.clause(3)
        parts = list(clause.children)
        if self.chance(0.15):
            parts[:0] = [Tree("ADVP", (self.tag("RB", lexicon.LEADING),)), Tree(",", word=",")]
        elif self.chance(0.1):
            parts[:0] = [self.place(1), Tree(",", word=",")]
        if self.chance(0.12):
            parts += [
                Tree(",", word=","),
                Tree("S", (self.noun_phrase(0), Tree("VP", (self.tag("VBD", lexicon.SAYING),)))),
            ]
        return Tree("S", tuple(parts))


def sentence_of(rng: Generator, length: int) -> Tree:
    """A sentence of exactly `length` words, the full stop included where there is room for one."""
    if length < 4:
        clause = Tree("S", (Tree("NP", (Tree("PRP", word="it"),)), Tree("VP", (Tree("VBD", word="closed"),))))
        return clause if length == 2 else Tree("S", (*clause.children, Tree(".", word=".")))
    if length > LONGEST_SIMPLE:
        first = (length - 2) // 2 + int(rng.integers(-3, 4))
        halves = [_clause_of(rng, first), _clause_of(rng, length - 2 - first)]
        link = Tree("CC", word=Speaker(rng, 1.0).word(lexicon.CONJUNCTIONS))
        return Tree("S", (halves[0], link, halves[1], Tree(".", word=".")))
    return Tree("S", (*_clause_of(rng, length - 1).children, Tree(".", word=".")))


def _clause_of(rng: Generator, length: int) -> Tree:
    """A clause of exactly `length` words, by rejection; a longer one is coordinated."""
    if length > LONGEST_SIMPLE:
        first = (length - 1) // 2
        link = Tree("CC", word=Speaker(rng, 1.0).word(lexicon.CONJUNCTIONS))
        return Tree("S", (_clause_of(rng, first), link, _clause_of(rng, length - 1 - first)))
    speaker = Speaker(rng, 0.1 + length / 13.0)
    for _ in range(MOST_DRAWS):
        found = speaker.sentence()
        if len(found.words()) == length:
            return found
    raise AssertionError(f"no clause of {length} words in {MOST_DRAWS} draws")
