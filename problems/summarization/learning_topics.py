"""Generated topics from which something can be learned: references depend on position, salient entities and syntax.

In the topics of `text/newswire` the facts of the references are those that most documents tell, so document counts say it all. Here
what is news and what is repeated are two things:

- every topic has *protagonists*, two or more people or organisations. A fact is news if it is the event itself or is about a protagonist;
- documents are inverted pyramids: they tell news first, but each document only some of it;
- the *chorus*, facts that are no news, is in nearly every document, further down: the background that papers repeat;
- editors write references of the news, in sentences of the documents or of their own, shortened by the rules of `editing.py`.

Document counts point at the chorus. Positions, the names that leads are about, and the syntax of deletions point at the references.
The instances of the task's own sizes come from `text/clusters.py` and have nothing to do with this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..text.clusters import CLUSTER_SIZES
from ..text.newswire.cast import Cast, draw_cast
from ..text.newswire.choices import pick
from ..text.newswire.cluster import EVENT_TYPES
from ..text.newswire.common import AFFAIRS, BACKGROUND, CALAMITY
from ..text.newswire.fragment import to_sentence
from ..text.newswire.narrate import Teller
from ..text.newswire.story import EventType, Fact
from ..text.render import as_sentence
from ..text.sentence import Cluster, ParsedSentence
from .editing import edited
from .pairs import CompressionPair

Item = TypeVar("Item")
STREAM = 2013  # apart from the streams of `text/newswire`
PROTAGONISTS, NEWS, CHORUS, BACKGROUND_FACTS = 2, 6, 6, 6  # the first two at least
TOLD = {"news": 0.5, "chorus": 0.9, "other": 0.2}  # share of the documents that tell a fact
PLACES = {"news": (0.0, 0.7), "chorus": (0.3, 1.0), "other": (0.0, 1.0)}  # where in a document, from 0 to 1
JOINED = 0.15  # sentences that tell two facts
FILLERS = 0.4  # of the sentences of long documents; the others repeat the chorus
QUOTED = 0.6  # lines of a reference that shorten a sentence of the documents
MEAN_LENGTH, SPREAD = 27.0, 18.0
TASTE = 0.5  # how far editors differ in what they tell first
SPEECH = frozenset({"said", "told", "confirmed", "reported", "added"})


@dataclass(frozen=True)
class Story:
    """An event with its facts, each of which is "news", "chorus" or "other"."""

    event: EventType
    cast: Cast
    facts: tuple[Fact, ...]
    kinds: tuple[str, ...]
    days: tuple[int, ...]

    @property
    def news(self) -> list[int]:
        return [number for number, kind in enumerate(self.kinds) if kind == "news"]


@dataclass(frozen=True)
class Told:
    """A sentence, and the fact that it tells alone; -1 where it tells two."""

    fact: int
    sentence: ParsedSentence


def learning_topic(seed: int, size: str) -> Cluster:
    """The topic of this seed, with the documents, references and budget of one of the sizes of clusters."""
    limits = CLUSTER_SIZES[size]
    story = _story(_stream(seed, 0))
    told = [_document(story, limits.sentences, _stream(seed, 1, number)) for number in range(limits.documents)]
    written = [each for document in told for each in document]
    return Cluster(
        f"learning-{size}-{seed}",
        tuple(tuple(each.sentence for each in document) for document in told),
        tuple(
            _reference(story, written, limits.budget, _stream(seed, 2, number)) for number in range(limits.references)
        ),
    )


def learning_pairs(seed: int, count: int) -> Iterator[CompressionPair]:
    """Sentences of other generated stories, as an editor shortens them; `seed` is that of the first."""
    for number in range(seed, seed + count):
        rng = _stream(number, 3)
        story = _story(rng)
        document = _document(story, 3, rng)
        sentence = pick(rng, document).sentence
        yield CompressionPair(f"learning-{number}", sentence, edited(sentence, rng))


def _stream(*key: int) -> np.random.Generator:
    """Only `random()` is drawn from it, whose values numpy keeps stable."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence((STREAM, *key))))


def _story(rng: np.random.Generator) -> Story:
    event = EVENT_TYPES[int(rng.random() * len(EVENT_TYPES))]
    cast = draw_cast(event.cast, rng)
    background = _sample(list(BACKGROUND + (CALAMITY if event.calamity else AFFAIRS)), BACKGROUND_FACTS, rng)
    facts = event.facts + tuple(background)
    mentions = [_roles(fact) for fact in facts]
    named = [
        role
        for role, recipe in event.cast.items()
        if ("%P" in recipe or "%O" in recipe) and any(role in found for found in mentions)
    ]
    news = {0}
    for count, protagonist in enumerate(_sample(named, len(named), rng)):
        if count >= PROTAGONISTS and len(news) >= NEWS:
            break
        news |= {number for number, found in enumerate(mentions) if protagonist in found}
    others = [number for number in range(len(facts)) if number not in news]
    chorus = set(_sample(others, CHORUS, rng))
    kinds = tuple(
        "news" if number in news else "chorus" if number in chorus else "other" for number in range(len(facts))
    )
    return Story(event, cast, facts, kinds, (0, *(int(rng.random() * 3) for _ in facts[1:])))


def _roles(fact: Fact) -> set[str]:
    """The roles that the fact's wordings name."""
    return {role for wording in fact.wordings for role in re.findall(r"\{(\w+)", wording)}


def _sample(items: Sequence[Item], count: int, rng: np.random.Generator) -> list[Item]:
    left = list(items)
    return [left.pop(int(rng.random() * len(left))) for _ in range(min(count, len(left)))]


def _document(story: Story, size: int, rng: np.random.Generator) -> list[Told]:
    """Facts by their place, news rather at the top, as many as there is room for; long documents go on with what is no news."""
    teller = Teller(story.event, story.cast, rng, optional=0.65, today=1 + int(rng.random() * 3))
    places: dict[int, float] = {}
    for number, kind in enumerate(story.kinds):
        first, last = PLACES[kind]
        told, place = rng.random() < TOLD[kind], first + (last - first) * rng.random()
        if told:
            places[number] = place
    chosen = _sample(sorted(places), size, rng) or [0]
    found = []
    for number in sorted(chosen, key=lambda number: places.get(number, 0.0)):
        fact = story.facts[number]
        length = MEAN_LENGTH + SPREAD * (rng.random() + rng.random() + rng.random() - 1.5)
        wording, other = pick(rng, fact.wordings), pick(rng, chosen)
        if other != number and rng.random() < JOINED:
            second = pick(rng, story.facts[other].wordings)
            found.append(Told(-1, to_sentence(teller.tell_both(wording, second, story.days[other]))))
        else:
            cause = pick(rng, story.facts[0].wordings)
            found.append(Told(number, to_sentence(teller.tell(fact, wording, story.days[number], length, cause))))
    chorus = [number for number, kind in enumerate(story.kinds) if kind == "chorus"]
    while len(found) < size:
        number = pick(rng, chorus)
        if rng.random() < FILLERS:
            found.append(Told(-1, to_sentence(teller.filler(MEAN_LENGTH))))
        else:
            wording = pick(rng, story.facts[number].wordings)
            found.append(Told(number, to_sentence(teller.tell(story.facts[number], wording, 0, MEAN_LENGTH, wording))))
    return found


def _reference(story: Story, written: Sequence[Told], words: int, rng: np.random.Generator) -> tuple[str, ...]:
    """News, shortened, by one editor's taste: as many lines as there is room for."""
    teller = Teller(story.event, story.cast, rng, optional=0.65)
    told = {each.fact for each in written}
    news = [number for number in story.news if number in told] or [0]  # an editor knows what the documents say
    taste = {number: (number > 0) + TASTE * rng.random() for number in news}
    lines, used = [], 0
    for number in sorted(taste, key=lambda number: taste[number]):
        options = [each.sentence for each in written if each.fact == number and not _is_speech(each.sentence)]
        own = to_sentence(
            teller.tell(story.facts[number], pick(rng, story.facts[number].wordings), story.days[number], 0.0, "")
        )
        sentence = pick(rng, options) if options and rng.random() < QUOTED else own
        kept = edited(sentence, rng)
        if used + len(kept) <= words:
            lines.append(as_sentence([sentence.words[word - 1] for word in kept]))
            used += len(kept)
    return tuple(lines)


def _is_speech(sentence: ParsedSentence) -> bool:
    """Is the main verb one of attribution? An editor does not begin with "officials said"."""
    return sentence.words[sentence.heads.index(0)] in SPEECH
