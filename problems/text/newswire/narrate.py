"""Telling facts as sentences: who is called what, who is quoted, and which modifiers pad the line.

A `Teller` is the voice of one document or one abstract. It remembers whom it has introduced (first the full name, then
shorter ones) and pads a fact up to a wanted length with attribution, dates and circumstances. All of these hang from
arcs that a compressor may cut, except when the source becomes the main clause, as in real news.
"""

from __future__ import annotations

import numpy as np

from problems.text.newswire.cast import Cast, Role, draw_role
from problems.text.newswire.common import ADVERBS, ANYWHERE, BY_SOMEONE, SOURCES, SPEAKING, WATCHING
from problems.text.newswire.epithets import EPITHETS
from problems.text.newswire.fillers import FILLERS, WITNESSES
from problems.text.newswire.fragment import Clause, Fragment, attach, leaf
from problems.text.newswire.names import Names
from problems.text.newswire.notation import Reader, expand, pick
from problems.text.newswire.story import EventType, Fact

SHORTEST, LONGEST = 6, 45
_SPEECH = frozenset(
    "said told added promised warned cautioned accused blamed criticised demanded announced conceded denied doubted "
    "questioned declined refused comment believe think suspect called described asked urged testified estimated "
    "declared acknowledged accepted insisted rejected dismissed offered showed show threatened appealed".split()
)
_SPANS = frozenset("day days week weeks month months year years hour hours".split())
_PARTS_OF_DAY = frozenset("midnight dawn sunset morning evening night noon nightfall breakfast overnight".split())


class Teller:
    """One narrator. `optional` is the chance of each modifier in a template; abstracts use 0."""

    def __init__(self, event: EventType, cast: Cast, rng: np.random.Generator, optional: float, today: int = 3) -> None:
        self.event = event
        self.cast = cast
        self.rng = rng
        self.optional = optional
        self.today = today
        self.names = Names(rng)
        self.known: dict[str, int] = {}
        self.spent: list[str] = []
        self.mentioned: dict[str, list[str]] = {}
        self.witness: Role | None = None

    # Referring expressions

    def resolve(self, slot: str) -> Fragment:
        """The words for a slot, here and now."""
        name, _, pronoun = slot.partition(".")
        if name == "source":
            return self._noun_phrase(self._source())
        role = self._witness() if name == "witness" else self.cast[name]
        if pronoun:
            pair = ("she", "her") if role.woman else ("he", "his")
            return leaf(pair[0], "PRP") if pronoun == "he" else leaf(pair[1], "PRP$")
        said = self.mentioned.setdefault(name, [])
        form = role.full
        if role.later and name in self.known:
            form = pick(self.rng, [later for later in role.later if later not in said] or role.later)
        self.known[name] = 1
        said.append(form)
        return self._noun_phrase(form + self._modifier(role, form))

    def _modifier(self, role: Role, form: str) -> str:
        fresh = [modifier for modifier in role.modifiers if modifier not in self.spent]
        describable = form == role.full or form.startswith("the ")
        if self.optional == 0 or not fresh or not describable or self.rng.random() > 0.2:
            return ""
        modifier = pick(self.rng, fresh)
        self.spent.append(modifier)
        return " " + modifier

    def _witness(self) -> Role:
        if self.witness is None:
            self.witness = draw_role(pick(self.rng, WITNESSES), self.names, self.rng)
        return self.witness

    def _reader(self, text: str) -> Reader:
        return Reader(expand(text, self.rng, self.optional), self.resolve, self._epithet)

    def _epithet(self, noun: str) -> str | None:
        if noun not in EPITHETS or self.optional == 0 or self.rng.random() > 0.4:
            return None
        return pick(self.rng, EPITHETS[noun])

    def _noun_phrase(self, text: str) -> Fragment:
        reader = self._reader(text)
        phrase = reader.noun_phrase()
        reader.finish()
        return phrase

    def _adjunct(self, text: str) -> Fragment:
        reader = self._reader(text)
        fragment = reader.adjunct()
        reader.finish()
        if fragment is None:
            raise ValueError(f"not an adjunct: {text!r}")
        return fragment

    def _source(self, words: tuple[str, ...] = ()) -> str:
        """Someone to quote who does not appear in the sentence already."""
        options = [*self.event.sources, *self.event.sources, *SOURCES]
        for _ in range(8):
            source = pick(self.rng, options)
            named = any(f"{{{name}}}" in source for name in self.mentioned)
            if not named and not any(word in words for word in source.split() if len(word) > 4):
                return source
        return "officials"

    # Sentences

    def bare(self, wording: str) -> Fragment:
        """A fact without decoration, as abstracts tell it."""
        self.mentioned, self.witness = {}, None
        return self._clause(wording).fragment()

    def filler(self, length: float) -> Fragment:
        """A sentence of little content; each one once per document, while they last."""
        fresh = [filler for filler in FILLERS if filler not in self.spent] or list(FILLERS)
        filler = pick(self.rng, fresh)
        self.spent.append(filler)

        def build() -> Clause:
            clause = self._clause(filler)
            if len(clause) < length - 5:
                clause.add_adjunct(self._adjunct(pick(self.rng, self.event.circumstances + WATCHING)))
            return clause

        return self._within_limits(build)

    def tell(self, fact: Fact, wording: str, day: int, length: float, cause: str) -> Fragment:
        """A fact, padded to about `length` words; `cause` is a wording of the event itself."""
        return self._within_limits(lambda: self._padded(fact, wording, day, length, cause))

    def tell_both(self, first: str, second: str) -> Fragment:
        """Two facts in one sentence."""

        def build() -> Clause:
            clause = self._clause(first)
            if clause.second is None:
                clause.conjunction = leaf("and", "CC")
                clause.second = self._clause(second)
            return clause

        return self._within_limits(build)

    def _clause(self, wording: str) -> Clause:
        reader = self._reader(wording)
        clause = reader.clause()
        reader.finish()
        return clause

    def _within_limits(self, build) -> Fragment:  # type: ignore[no-untyped-def]
        """Try again, ever more tersely, while a sentence is too long; a rejected try has introduced nobody."""
        known, optional = dict(self.known), self.optional
        for attempt in range(12):
            self.known, self.mentioned, self.witness = dict(known), {}, None
            self.optional = optional if attempt < 6 else optional / 8
            fragment: Fragment = build().fragment()
            if SHORTEST <= len(fragment) <= LONGEST:
                break
        self.optional = optional
        return fragment

    def _padded(self, fact: Fact, wording: str, day: int, length: float, cause: str) -> Clause:
        clause = self._clause(wording)
        opening = clause.verbs[0][0]
        happened = not fact.standing and opening.tag == "VBD" and opening.word != "had"
        speech = clause.main_verb in _SPEECH or "according" in wording
        if happened and not speech and self.rng.random() < 0.12:
            clause.adverbs.append(leaf(pick(self.rng, ADVERBS), "RB"))
        dated = happened and self.rng.random() < 0.5 and self._date(clause, day)
        ways = ["quote"] if not speech else []
        ways += ["circumstance", "watching"] if happened else []
        ways += ["cause", "cause"] if happened and fact.consequence else []
        while ways and len(clause) < length - 3:
            way = pick(self.rng, ways)
            ways = [other for other in ways if other != way and {way, other} != {"cause", "watching"}]
            if way == "quote":
                clause = self._quote(clause, dated, length)
            elif way == "circumstance":
                clause.add_adjunct(self._adjunct(self._circumstance(wording, clause)))
            elif way == "watching":
                clause.add_adjunct(self._adjunct(pick(self.rng, self.event.circumstances + WATCHING)))
            else:
                self._cause(clause, cause)
        return clause

    def _cause(self, clause: Clause, cause: str) -> None:
        """Hang "after <the event itself>" on a consequence."""
        inside = self._clause(cause)
        if inside.verbs[0][0].tag == "VBD":
            clause.add_adjunct(attach(leaf("after", "IN"), [], [(inside.fragment(), "SBAR")]))

    def _circumstance(self, wording: str, clause: Clause) -> str:
        """An adjunct that suits the sentence: some ask for someone who acts on purpose."""
        subject = wording[1:].partition("}")[0]
        acts = len(clause.verbs) == 1 and (subject == "agency" or "%P" in self.event.cast.get(subject, ""))
        return pick(self.rng, BY_SOMEONE if acts and self.rng.random() < 0.5 else ANYWHERE)

    def _date(self, clause: Clause, day: int) -> bool:
        """Add a weekday unless the sentence has a span of time already; says whether it did."""
        words = clause.fragment().words
        if not _SPANS.isdisjoint(words):
            return False
        weekday = self.cast[f"day{day}"].full
        subject = clause.subject
        if _PARTS_OF_DAY.isdisjoint(words) and self.rng.random() < 0.25:
            clause.add_adjunct(self._adjunct(f"{pick(self.rng, ('early', 'late'))} on {weekday}"))
        elif subject is not None and subject.tags[0] in ("DT", "NNS") and self.rng.random() < 0.2:
            clause.front.append((self._adjunct(f"on {weekday}"), "VMOD"))
        elif self.rng.random() < 0.3:
            clause.add_adjunct(leaf(weekday, "NNP"))
        else:
            clause.add_adjunct(self._adjunct(f"on {weekday}"))
        return True

    def _quote(self, clause: Clause, dated: bool, length: float) -> Clause:
        """Attribution: a deletable `according to ...`, or `officials said that ...` with the fact below it."""
        source = self._source(clause.fragment().words)
        if clause.front or self.rng.random() < 0.45:
            phrase = self._adjunct(f"according+to {source}")
            subject = clause.subject
            if not clause.front and subject is not None and subject.tags[0] == "DT" and self.rng.random() < 0.35:
                clause.front.append((phrase, "VMOD"))
            else:
                clause.add_adjunct(phrase)
            return clause
        roll = self.rng.random()
        verb = "said" if roll < 0.7 else "told : reporters" if roll < 0.85 else "confirmed"
        if source == "{paper}":
            verb = "reported"
        said = Reader(f"{{it}} : {verb}", lambda _: self._noun_phrase(source)).clause()
        inside = clause.fragment()
        if not dated and self.rng.random() < 0.5:
            said.complements.append((self._adjunct(f"on {self.cast[f'day{self.today}'].full}"), "VMOD"))
        if len(inside) + len(said) < length - 2 and verb in ("said", "confirmed"):
            said.complements.append((self._adjunct(pick(self.rng, SPEAKING)), "VMOD"))
        if verb == "said" and not said.complements and self.rng.random() < 0.6:
            said.complements.append((inside, "VMOD"))
        else:
            said.complements.append((attach(leaf("that", "IN"), [], [(inside, "SBAR")]), "VMOD"))
        return said
