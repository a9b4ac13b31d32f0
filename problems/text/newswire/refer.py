"""Referring expressions: who is called what, and who is quoted."""

from __future__ import annotations

import numpy as np

from problems.text.newswire.cast import Cast, Role, draw_role
from problems.text.newswire.choices import expand, pick
from problems.text.newswire.common import SOURCES
from problems.text.newswire.epithets import EPITHETS
from problems.text.newswire.fillers import WITNESSES
from problems.text.newswire.fragment import Fragment, leaf
from problems.text.newswire.names import Names
from problems.text.newswire.notation import Reader
from problems.text.newswire.story import EventType


class Voice:
    """The voice of one document or one abstract, which remembers whom it has introduced.

    The first mention has the full name, later ones a shorter name. `optional` is the chance of each modifier of a
    template to be told: abstracts use 0. `today` is the day on which sources speak.
    """

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

    def resolve(self, slot: str) -> Fragment:
        """The words for a slot, here and now."""
        name, _, pronoun = slot.partition(".")
        if name == "source":
            source = self._source()
            return self._noun_phrase("officials" if source == "{paper}" else source)
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
        said = self.mentioned.setdefault("epithets", [])
        fresh = [epithet for epithet in EPITHETS.get(noun, ()) if epithet not in said]
        if not fresh or self.optional == 0 or self.rng.random() > 0.6:
            return None
        said.append(pick(self.rng, fresh))
        return said[-1]

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
