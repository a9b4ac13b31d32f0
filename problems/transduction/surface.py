"""Generated sentences in words that read like English.

The grammar of `sentences.py` draws *lexemes*: which noun stands where is a matter of frequencies, and forests, n-gram scores and
gold compressions are made of lexemes. What an instance shows are words: every lexeme in its place, with the right case, number and
article, and replaced where it would make no sense, such as a road that arrests a price. Subjects are people or bodies; a verb's
objects, a preposition's complements, adjectives and relative pronouns fit what they belong to. Nothing is drawn here, and no tree
changes its shape or tags, so that scores and structures are those of the lexemes, whatever the words.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text.render import with_articles
from . import lexicon
from . import surface_words as words_of
from .trees import Tree

Words = list[str]


class Referent(NamedTuple):
    """What a noun phrase stands for."""

    kind: str
    plural: bool
    name: bool = False
    pronoun: str = "it"  # by which one would come back to it

    @property
    def animate(self) -> bool:
        return self.kind in ("person", "body")


def realised(tree: Tree) -> Tree:
    """The same tree in words."""
    words = _punctuated(with_articles(_sentence(tree)))
    leaves = iter(words)
    found = _filled(tree, leaves)
    assert next(leaves, None) is None
    return found


def _filled(node: Tree, words: Iterator[str]) -> Tree:
    if node.word is not None:
        return Tree(node.label, word=next(words))
    return Tree(node.label, tuple(_filled(child, words) for child in node.children))


OPENING, CLOSING = "<(>", "<)>"  # the commas of an apposition, until it is known what follows


def _punctuated(words: Sequence[str]) -> Words:
    """An apposition that ends before another mark stands in brackets, not between commas."""
    found = list(words)
    opened: list[int] = []
    for place, word in enumerate(words):
        if word == OPENING:
            opened.append(place)
        elif word == CLOSING:
            following = words[place + 1] if place + 1 < len(words) else "."
            brackets = following in (",", ".", OPENING, CLOSING)
            found[opened.pop()], found[place] = ("(", ")") if brackets else (",", ",")
    return found


def _pick(options: Sequence[str], lexeme: str, avoid: str = "") -> str:
    """The lexeme itself where it fits, else the word that always stands for it; the next one where that stands there already."""
    place = options.index(lexeme) if lexeme in options else zlib.crc32(lexeme.encode()) % len(options)
    return options[place] if options[place] != avoid else options[(place + 1) % len(options)]


def _sentence(node: Tree, second: bool = False) -> Words:
    """A clause with what stands before and behind it, or two that are coordinated; `second`: it is behind a conjunction."""
    found: Words = []
    for place, child in enumerate(node.children):
        if child.label == "S" and node.children[0].label == "S":
            found += _sentence(child, second or place > 0)
        elif child.label == "S":
            found += _clause(child.children)
        elif child.label == "PP":
            found += _adjunct(child, words_of.AT_VERBS)
        elif child.label == "NP":
            found += _clause(node.children[place : place + 2])
        elif child.label == "ADVP" and second:
            found.append(_pick(words_of.SECOND_LEADING, child.words()[0]))
        elif child.label != "VP":  # which is behind its subject
            found += child.words()
    return found


def _clause(children: Sequence[Tree]) -> Words:
    subject, words = _noun_phrase(children[0], "agent", "subject")
    return words + _verb_phrase(children[1], subject)


# -- noun phrases ------------------------------------------------------------------------------------------------------


def _noun_phrase(node: Tree, kind: str, case: str, time: bool = False) -> tuple[Referent, Words]:
    """What the phrase stands for, which is of the wanted kind, and its words. `time`: numbers count months and years."""
    first = node.children[0]
    if first.label == "NP":
        referent, words = _noun_phrase(first, kind, case, time)
        return referent, words + _extension(node.children[1:], referent)
    lexemes = [leaf.word or "" for leaf in node.leaves()]
    if first.label == "PRP":
        return _pronoun(lexemes[0], kind, case)
    if first.label == "NNP":
        return _name(lexemes, kind)
    if first.label == "CD":
        noun = _pick(words_of.PLURALS["time" if time else words_of.GENERAL.get(kind, kind)], lexemes[1])
        return Referent(settled(kind), True, pronoun="they"), [_pick(words_of.NUMBERS, lexemes[0]), noun]
    noun = _pick(words_of.NOUNS[kind], lexemes[-1])
    own = settled(kind, noun)
    pronoun = _gender(noun) if own == "person" else "it"
    return Referent(own, False, pronoun=pronoun), [lexemes[0], *_modifiers(node.children[1:-1], own), noun]


def settled(kind: str, noun: str = "") -> str:
    """A kind of which there are adjectives: agents are people or bodies, counted ones people."""
    if kind == "agent":
        return "body" if noun in words_of.BODIES else "person"
    return words_of.GENERAL.get(kind, kind)


def _gender(word: str) -> str:
    return "she" if zlib.crc32(word.encode()) % 2 else "he"


def _modifiers(nodes: Sequence[Tree], kind: str) -> Words:
    """Adjectives that a noun of this kind can have, no two of them the same."""
    found: Words = []
    for node in nodes:
        lexemes = node.words()
        if node.label == "ADJP":
            degree = _pick(words_of.DEGREES, lexemes[0])
            found += [degree, _pick(words_of.GRADED[kind], lexemes[1], found[-1] if found else "")]
        else:
            found.append(_pick(words_of.ADJECTIVES[kind], lexemes[0], found[-1] if found else ""))
    return found


def _pronoun(lexeme: str, kind: str, case: str) -> tuple[Referent, Words]:
    """Nominative for subjects, accusative for all else. What is no person is "it" or "they"."""
    own = settled(kind)
    if own == "person" and lexeme == "it":
        own, lexeme = ("body", "it") if kind == "agent" else ("person", "he")
    elif own != "person":
        lexeme = "they" if lexeme in ("they", "we") else "it"
    plural = lexeme in ("they", "we")
    word = lexeme if case == "subject" else words_of.OBJECT_CASE[lexeme]
    return Referent(own, plural, pronoun="they" if plural else lexeme), [word]


def _name(lexemes: Sequence[str], kind: str) -> tuple[Referent, Words]:
    own = settled(kind)
    if own in ("person", "amount"):
        return Referent("person", False, True, "she" if lexemes[0] in FEMALE else "he"), list(lexemes)
    last = _pick(words_of.LAST_NAMES[own], lexemes[-1])
    return Referent(own, False, True), [*(_pick(words_of.FIRST_NAMES[own], each) for each in lexemes[:-1]), last]


FEMALE = frozenset({"Mary", "Anna", "Laura", "Helen", "Ingrid", "Sofia", "Elena", "Yuki"})


def _extension(nodes: Sequence[Tree], head: Referent) -> Words:
    """A complement, a place, a relative clause or an apposition."""
    if nodes[0].label == "PP":
        link = nodes[0].children[0].word or ""
        if link not in lexicon.LINKS:
            return _adjunct(nodes[0], words_of.AT_NOUNS)
        preposition, kind = words_of.LINKS["name" if head.name and head.kind == "person" else head.kind][link]
        phrase = nodes[0].children[1]
        if kind == "place" and _core(phrase) == "PRP":
            return [preposition, words_of.PLACE_PRONOUN]
        return [preposition, *_noun_phrase(phrase, kind, "object")[1]]
    if nodes[0].label == "SBAR":
        pronoun, clause = nodes[0].children
        relative = "who" if head.kind == "person" else _pick(("which", "that"), pronoun.word or "")
        return [relative, *_verb_phrase(clause.children[0], head)]
    return [OPENING, *_apposition(nodes[1], head), CLOSING]


def _apposition(node: Tree, head: Referent) -> Words:
    """Another way to say what the phrase before it stands for; a pronoun is reflexive."""
    if node.children[0].label == "PRP":
        return [words_of.REFLEXIVES[head.pronoun]]
    kind = head.kind
    if head.animate and head.plural and _core(node) == "DT":
        kind = "crowd"
    elif head.name and head.kind == "person" and _core(node) == "NNP":
        kind = "body"
    return _noun_phrase(node, kind, "object")[1]


def _core(node: Tree) -> str:
    """The tag that says what kind of noun phrase it is: PRP, NNP, CD or DT."""
    first = node.children[0]
    return first.label if first.label != "NP" else _core(first)


def _adjunct(node: Tree, prepositions: dict[str, str]) -> Words:
    """A prepositional phrase of place or time."""
    preposition, phrase = node.children[0].word or "", node.children[1]
    core = _core(phrase)
    if preposition in lexicon.TIME_PREPOSITIONS:
        if core == "PRP":
            return [preposition, words_of.TIME_PRONOUNS.get(preposition, "that")]
        word = words_of.SPANS[preposition] if core == "CD" else preposition
        return [word, *_noun_phrase(phrase, "event", "object", time=True)[1]]
    word = preposition if core == "DT" and preposition == "at" else prepositions[preposition]
    if core == "PRP":
        return [word, words_of.PLACE_PRONOUN]
    return [word, *_noun_phrase(phrase, "place", "object")[1]]


# -- verb phrases ------------------------------------------------------------------------------------------------------


def _verb_phrase(node: Tree, subject: Referent) -> Words:
    children = list(node.children)
    adverb = children.pop(0).words()[0] if children[0].label == "ADVP" else None
    verb, rest = children[0], children[1:]
    lexeme = verb.word or ""
    modal, state = verb.label == "MD", bool(rest) and rest[0].label == "ADJP"
    if modal:
        words = [lexeme, *_action(rest.pop(0), subject, "base")]
    elif state:
        words = [_state(lexeme, subject), *_predicate(rest.pop(0), subject)]
    elif rest and rest[0].label == "S":
        inner = rest.pop(0).children[0].children[1]
        wanting = lexeme if subject.animate else _pick(words_of.TENDING, lexeme)
        words = [wanting, "to", *_action(inner, subject, "base")]
    elif not rest or rest[0].label == "SBAR":
        said = lexeme if subject.animate else _pick(words_of.SHOWING, lexeme)
        if not rest:
            return [said]
        *that, clause = rest[0].children
        return [said, *(leaf.word or "" for leaf in that), *_clause(clause.children)]
    else:
        words = _action(Tree("VP", (verb, rest.pop(0))), subject, "past")
    before = [] if adverb is None else [_adverb(adverb, modal, state)]
    return before + words + _behind(rest, "modal" if modal else "past")


def _adverb(lexeme: str, modal: bool, state: bool) -> str:
    if lexeme == "not":
        return words_of.NEVER
    if modal or state:
        return _pick(words_of.MODAL_ADVERBS if modal else words_of.STATE_ADVERBS, lexeme)
    return lexeme


def _state(lexeme: str, subject: Referent) -> str:
    return "were" if lexeme == "was" and subject.plural else lexeme


def _predicate(node: Tree, subject: Referent) -> Words:
    *degree, adjective = node.words()
    return [*degree, _pick(words_of.GRADED[subject.kind], adjective)]


def _action(node: Tree, subject: Referent, form: str) -> Words:
    """A verb and its object. What is neither a person nor a body can only affect people."""
    lexeme, phrase = node.children[0].word or "", node.children[1]
    if not subject.animate:
        past, base = words_of.AFFECTING[zlib.crc32(lexeme.encode()) % len(words_of.AFFECTING)]
        return [past if form == "past" else base, *_noun_phrase(phrase, "agent", "object")[1]]
    verb = words_of.VERBS[lexeme] if form == "past" else words_of.BY_BASE[lexeme]
    if _core(phrase) in ("PRP", "NNP") and verb.object not in ("person", "place", "body"):
        verb = words_of.OF_PERSONS[zlib.crc32(lexeme.encode()) % len(words_of.OF_PERSONS)]
    return [verb.past if form == "past" else verb.base, *_noun_phrase(phrase, verb.object, "object")[1]]


def _behind(nodes: Sequence[Tree], tense: str) -> Words:
    """Places, times and adverbial clauses behind the object."""
    found: Words = []
    for node in nodes:
        if node.label == "PP":
            found += _adjunct(node, words_of.AT_VERBS)
        else:
            subordinator, clause = node.children
            found += [_pick(words_of.SUBORDINATORS[tense], subordinator.word or ""), *_clause(clause.children)]
    return found
