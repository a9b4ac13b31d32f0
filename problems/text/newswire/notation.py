"""The shorthand in which sentences are written down, and how it becomes trees.

    {ferry} : [quickly|suddenly] sank : off {place} [; in heavy seas] ; with {aboard} people (on board_NN)

A clause is *subject : verbs : complements*, complements are separated by `;`. `(...)` modifies the noun before it: a
prepositional phrase, a relative clause (`(who : saw : it)`) or a participle (`(: built : in 1987)`). `<...>` is a
clause used as a complement, `& and` joins two clauses, `@` marks a noun phrase used as an adverb, `at+least` is one
multiword modifier. `{a|b}` is a choice, `[a|b]` a modifier worth deleting: documents tell it now and then, abstracts
never do. `{name}` is a slot, filled by whoever tells the story. Nothing is guessed by a parser: the marks give the
tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from problems.text.newswire.fragment import Clause, Fragment, Piece, assemble, attach, leaf
from problems.text.newswire.tagging import (
    BE,
    COPULAS,
    FLAT_ADVERBS,
    LEXICON,
    is_adverb,
    split_tag,
    tag_before_noun,
    tag_noun,
    tag_verb,
)

_TOKEN = re.compile(r"\{[^}]*\}|[()<>:;&@]|[^\s()<>:;&@{}]+")
_ENDS = (")", ">", "&", None)


class Reader:
    """Reads one expanded template.

    `resolve` turns a slot's name into the noun phrase that fills it; `epithet` may offer an adjective for a noun.
    """

    def __init__(
        self, text: str, resolve: Callable[[str], Fragment], epithet: Callable[[str], str | None] = lambda _: None
    ) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        self.position = 0
        self.resolve = resolve
        self.epithet = epithet

    @property
    def peek(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self, expected: str | None = None) -> str:
        token = self.peek
        if token is None or (expected is not None and token != expected):
            raise ValueError(f"expected {expected or 'a word'}, found {token!r} in {self.text!r}")
        self.position += 1
        return token

    def finish(self) -> None:
        if self.peek is not None:
            raise ValueError(f"cannot read on from {self.peek!r} in {self.text!r}")

    def clause(self, finite: bool = False) -> Clause:
        """A clause; one without a subject is a participle or an infinitive unless it is known to be finite."""
        clause = Clause()
        if self.peek != ":":
            clause.subject = self.noun_phrase()
        self.take(":")
        self._verbs(clause, finite or clause.subject is not None)
        if self.peek in (":", ";"):
            self.take()
            while self.peek not in _ENDS:
                if self.peek in (":", ";"):
                    self.take()
                else:
                    complement, label = self._complement(clause.main_verb)
                    if label == "VMOD" and complement.tag == "IN" and _needs_predicate(clause):
                        label = "PRD"  # "was among the survivors": cutting it would leave "was"
                    clause.complements.append((complement, label))
        if self.peek == "&":
            self.take()
            clause.conjunction = leaf(self.take(), "CC")
            clause.second = self.clause(finite=True)
        return clause

    def _verbs(self, clause: Clause, finite: bool) -> None:
        """A chain of verbs. Adverbs wait for the next verb; `to` becomes a leaf of the infinitive that follows."""
        waiting: list[tuple[Fragment, str]] = []
        previous: str | None = None
        while self.peek not in (":", ";", *_ENDS):
            word, tag = split_tag(self.take())
            if tag is None and is_adverb(word):
                waiting.append((leaf(word, "RB"), "VMOD"))
                continue
            if word == "to":
                waiting.append((leaf(word, "TO"), "VMOD"))
                previous = word
                continue
            if tag == "RP":
                clause.complements.append((leaf(word, tag), "PRT"))
                continue
            verb = leaf(word, tag or tag_verb(word, previous, finite))
            label = "VMOD" if previous == "to" else "VC"
            clause.verbs.append((attach(verb, waiting, []), label))
            waiting, previous = [], word
        if not clause.verbs or waiting:
            raise ValueError(f"a clause without a verb in {self.text!r}")

    def _complement(self, verb: str) -> tuple[Fragment, str]:
        if self.peek == "<":
            return self._nested().fragment(), "VMOD"
        if self.peek == "@":
            self.take()
            return self.noun_phrase(), "VMOD"
        if self.peek is not None and split_tag(self.peek)[1] == "RP":
            return leaf(split_tag(self.take())[0], "RP"), "PRT"
        phrase = self.adjunct()
        if phrase is not None:
            return phrase, "VMOD"
        phrase = self.noun_phrase()
        return phrase, "PRD" if verb in COPULAS or phrase.tag.startswith("JJ") else "OBJ"

    def adjunct(self) -> Fragment | None:
        """An adverb or a prepositional phrase, if one comes next."""
        start = self.position
        adverbs: list[str] = []
        while self._at_adverb():
            adverbs.append(self.take())
        degree = [(leaf(word, "RB"), "AMOD") for word in adverbs]
        if self._at_preposition():
            return attach(self._prepositional(), degree, [])
        if adverbs and self.peek in (";", *_ENDS):
            return attach(leaf(adverbs[-1], "RB"), degree[:-1], [])
        self.position = start
        return None

    @property
    def after_next(self) -> str | None:
        return self.tokens[self.position + 1] if self.position + 1 < len(self.tokens) else None

    def _at_adverb(self) -> bool:
        """Words such as `late` are adverbs before a preposition or at the end of a complement."""
        if self.peek in FLAT_ADVERBS:
            return self.after_next in (";", *_ENDS) or LEXICON.get(self.after_next or "") == "IN"
        return self.peek is not None and is_adverb(self.peek)

    def _at_preposition(self) -> bool:
        if self.peek is None:
            return False
        word, tag = split_tag(self.peek)
        after = self.after_next
        if word in ("that", "when", "where", "how", "what", "why"):
            return after == "<"
        return (tag or LEXICON.get(word.partition("+")[0])) in ("IN", "TO") and word != "at+least"

    def _prepositional(self) -> Fragment:
        word, tag = split_tag(self.take())
        first, *rest = word.split("+")
        default = "WRB" if first in ("when", "where", "how", "why") else "WP" if first == "what" else "IN"
        head = leaf(first, tag or ("TO" if first == "to" else default))
        if self.peek == "<":
            clause = self._nested()
            inside, label = clause.fragment(), "SBAR" if clause.subject is not None else "PMOD"
        else:
            inside, label = self.adjunct() or self.noun_phrase(), "PMOD"
        for other in reversed(rest):  # "because of the storm": because > of > storm
            tag = {"to": "TO", "front": "NN"}.get(other, "IN")
            inside, label = attach(leaf(other, tag), [], [(inside, label)]), "PMOD"
        return attach(head, [], [(inside, label)])

    def _nested(self) -> Clause:
        self.take("<")
        clause = self.clause()
        self.take(">")
        return clause

    def noun_phrase(self) -> Fragment:
        phrase = self._single_noun_phrase()
        if self.peek is not None and LEXICON.get(self.peek) == "CC":
            conjunction = leaf(self.take(), "CC")
            return attach(phrase, [], [(conjunction, "CC"), (self.noun_phrase(), "COORD")])
        return phrase

    def _single_noun_phrase(self) -> Fragment:
        tokens: list[str] = []
        while self.peek not in (":", ";", "(", "<", "@", *_ENDS) and LEXICON.get(self.peek or "") != "CC":
            tokens.append(self.take())
        if not tokens:
            raise ValueError(f"a noun phrase is missing before {self.peek!r} in {self.text!r}")
        before = [self._word(token, tag_before_noun) for token in tokens[:-1]]
        bare = not any(word.tag in ("DT", "PRP$") for word in before)
        last = self._word(tokens[-1], tag_noun_or_adjective if bare else tag_noun)
        plain = all(word.tag in ("DT", "PRP$", "CD", "IN") for word in before)
        if plain and len(last) == 1 and (last.tag == "NNS" or not bare):
            epithet = self.epithet(last.word)
            if epithet is not None:
                before.append(self._word(epithet, tag_before_noun))
        after: list[tuple[Fragment, str]] = []
        while self.peek == "(":
            after.append((self._postmodifier(), "AMOD" if last.tag.startswith("JJ") else "NMOD"))
        # Degree words belong to the adjective or number after them, all else to the noun.
        everything = [*before, last]
        place = len(before)
        pieces: list[Piece] = []
        for i, word in enumerate(before):
            follower = everything[i + 1].tag
            degree = word.tag in ("RB", "RBR") or word.word in ("at", "than", "to")
            if degree and follower[:2] in ("JJ", "CD", "RB"):
                pieces.append(Piece(word, i + 1, "AMOD"))
            else:
                pieces.append(Piece(word, place, "AMOD" if last.tag.startswith("JJ") else "NMOD"))
        pieces.append(Piece(last, None))
        pieces.extend(Piece(fragment, place, label) for fragment, label in after)
        return assemble(pieces)

    def _word(self, token: str, tagger: Callable[[str], str]) -> Fragment:
        if token.startswith("{"):
            return self.resolve(token[1:-1])
        word, tag = split_tag(token)
        if word == "at+least":
            return attach(leaf("at", "IN"), [], [(leaf("least", "JJS"), "PMOD")])
        if word.endswith("+than"):
            return attach(leaf("than", "IN"), [(leaf(word.partition("+")[0], "JJR"), "PMOD")], [])
        return leaf(word, tag or tagger(word))

    def _postmodifier(self) -> Fragment:
        self.take("(")
        depth = 0
        is_clause = False
        for token in self.tokens[self.position :]:
            depth += (token in "(<") - (token in ")>")
            if depth < 0:
                break
            is_clause = is_clause or (token == ":" and depth == 0)
        inside = self.clause().fragment() if is_clause else self.adjunct() or self.noun_phrase()
        self.take(")")
        return inside


def _needs_predicate(clause: Clause) -> bool:
    return clause.main_verb in BE and not any(label == "PRD" for _, label in clause.complements)


def tag_noun_or_adjective(word: str) -> str:
    """The last word of a phrase is a noun unless only an adjective can be meant ("was unclear")."""
    tag = tag_noun(word)
    return tag_before_noun(word) if tag in ("NN", "RB") else tag
