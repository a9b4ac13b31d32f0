"""Telling facts as sentences, and which modifiers pad the line.

A `Teller` pads a fact up to a wanted length with attribution, dates and circumstances. All of these hang from arcs that
a compressor may cut, except when the source becomes the main clause, as in real news.
"""

from __future__ import annotations

from collections.abc import Callable

from problems.text.newswire.choices import pick
from problems.text.newswire.common import (
    ADVERBS,
    ANYWHERE,
    BY_SOMEONE,
    IN_PERSON,
    MANNERS,
    STATEMENTS,
    WATCHING,
)
from problems.text.newswire.fillers import FILLERS
from problems.text.newswire.fragment import Clause, Fragment, attach, leaf
from problems.text.newswire.notation import Reader
from problems.text.newswire.refer import Voice
from problems.text.newswire.story import Fact

SHORTEST, LONGEST = 6, 45
_SPEECH_VERBS = (
    "said told added promised warned cautioned accused blamed criticised demanded announced conceded denied doubted "
    "questioned declined refused comment believe think suspect called described asked urged testified estimated "
    "declared acknowledged accepted insisted rejected dismissed offered showed show threatened appealed"
)
_SPEECH = frozenset(_SPEECH_VERBS.split())
_SPANS = frozenset(("day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours"))
_PARTS_OF_DAY = frozenset(("midnight", "dawn", "sunset", "morning", "evening", "night", "noon", "nightfall"))


class Teller(Voice):
    """Tells facts, one sentence at a time."""

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

    def tell_both(self, first: str, second: str, day: int) -> Fragment:
        """Two facts in one sentence; `day` is that of the second."""

        def build() -> Clause:
            clause = self._clause(first)
            if clause.second is None:
                clause.conjunction = leaf("and", "CC")
                clause.second = self._clause(second)
                if _happened(clause.second) and "according" not in second and self.rng.random() < 0.6:
                    self._date(clause.second, day)
            return clause

        return self._within_limits(build)

    def _clause(self, wording: str) -> Clause:
        reader = self._reader(wording)
        clause = reader.clause()
        reader.finish()
        return clause

    def _within_limits(self, build: Callable[[], Clause]) -> Fragment:
        """Try again, ever more tersely, while a sentence is too long; a rejected try has introduced nobody."""
        known, optional = dict(self.known), self.optional
        for attempt in range(12):
            self.known, self.mentioned, self.witness = dict(known), {}, None
            self.optional = optional if attempt < 6 else optional / 8
            fragment = build().fragment()
            if SHORTEST <= len(fragment) <= LONGEST:
                break
        self.optional = optional
        return fragment

    def _padded(self, fact: Fact, wording: str, day: int, length: float, cause: str) -> Clause:
        clause = self._clause(wording)
        happened = not fact.standing and _happened(clause)
        speech = clause.main_verb in _SPEECH or "according" in wording
        dated = happened and "according" not in wording and self.rng.random() < 0.55 and self._date(clause, day)
        ways = [] if speech else ["quote", "quote"]
        if happened:
            ways += ["circumstance", "watching", *(["cause", "cause"] if fact.consequence else [])]
        told = clause
        while ways and len(clause) < length - 3:
            way = pick(self.rng, ways)
            # One circumstance is enough, except in the longest sentences.
            ways = [other for other in ways if other != way and (length > 33 or "quote" in (way, other))]
            if way == "quote":
                clause = self._quote(clause, dated, length)
            elif way == "cause":
                self._cause(clause, cause)
            else:
                self._circumstance(clause, fact, wording, way)
        if happened and clause is told and not speech and self.rng.random() < 0.25:
            clause.adverbs.append(leaf(pick(self.rng, ADVERBS), "RB"))
        return clause

    def _cause(self, clause: Clause, cause: str) -> None:
        """Hang "after <the event itself>" on a consequence, in the fewest words."""
        optional, self.optional = self.optional, 0.0
        inside = self._clause(cause)
        self.optional = optional
        if inside.verbs[0][0].tag == "VBD" and "after" not in clause.fragment().words:
            clause.add_adjunct(attach(leaf("after", "IN"), [], [(inside.fragment(), "SBAR")]))

    def _circumstance(self, clause: Clause, fact: Fact, wording: str, way: str) -> None:
        """Hang an adjunct that suits the sentence: some ask for someone who acts on purpose."""
        subject = wording[1:].partition("}")[0]
        acts = fact.consequence and clause.second is None and len(clause.verbs) == 1
        acts = acts and clause.main_verb not in _SPEECH
        acts = acts and (subject == "agency" or "%P" in self.event.cast.get(subject, ""))
        options = BY_SOMEONE if acts and self.rng.random() < 0.5 else ANYWHERE
        if way == "watching":
            options = self.event.circumstances + WATCHING
        words = clause.fragment().words
        for _ in range(4):
            text = pick(self.rng, options)
            if text.split()[0] not in words or text.startswith(("in ", "at ", "to ")):
                clause.add_adjunct(self._adjunct(text))
                break

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
        elif self.rng.random() < 0.6:
            clause.add_adjunct(leaf(weekday, "NNP"))
        else:
            clause.add_adjunct(self._adjunct(f"on {weekday}"))
        return True

    def _quote(self, clause: Clause, dated: bool, length: float) -> Clause:
        """Attribution: a deletable `according to ...`, or `officials said that ...` with the fact below it."""
        source = self._source(clause.fragment().words)
        if clause.front or self.rng.random() < 0.3:
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
            weekday = self.cast[f"day{self.today}"].full
            date = leaf(weekday, "NNP") if self.rng.random() < 0.5 else self._adjunct(f"on {weekday}")
            said.complements.append((date, "VMOD"))
        if len(inside) + len(said) < length - 2 and verb in ("said", "confirmed"):
            person = source.startswith("a ") or "%P" in self.event.cast.get(source.strip("{}"), "")
            options = STATEMENTS + IN_PERSON if person else STATEMENTS
            said.complements.append((self._adjunct(pick(self.rng, options)), "VMOD"))
        elif verb == "said" and self.rng.random() < 0.5:
            said.adverbs.append(leaf(pick(self.rng, MANNERS), "RB"))
        if verb == "said" and not said.complements and self.rng.random() < 0.6:
            said.complements.append((inside, "VMOD"))
        else:
            said.complements.append((attach(leaf("that", "IN"), [], [(inside, "SBAR")]), "VMOD"))
        return said


def _happened(clause: Clause) -> bool:
    """In the simple past: such a clause can be dated and given circumstances."""
    opening = clause.verbs[0][0]
    return opening.tag == "VBD" and opening.word != "had"
