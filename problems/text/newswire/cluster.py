"""Topic clusters like TAC-2008's, made from a seed: documents that tell one event, and abstracts of it.

Facts have a Zipf-like importance. A document tells a sample of them, the important ones nearly always and early; each
abstract is written from the most important ones in the fewest words. So concepts of key facts recur in many documents,
modifiers do not, and a summary that finds the former and drops the latter agrees with the abstracts.
"""

from __future__ import annotations

import math

import numpy as np

from problems.text.newswire.accidents import FERRY, MINE, TRAIN
from problems.text.newswire.business import STRIKE, TAKEOVER
from problems.text.newswire.cast import Cast, draw_cast
from problems.text.newswire.choices import pick
from problems.text.newswire.common import AFFAIRS, BACKGROUND, CALAMITY
from problems.text.newswire.fragment import Fragment, to_sentence
from problems.text.newswire.narrate import Teller
from problems.text.newswire.nature import EPIDEMIC, LAUNCH, STORM
from problems.text.newswire.politics import ELECTION, TRIAL
from problems.text.newswire.story import EventType, Fact
from problems.text.sentence import Cluster, ParsedSentence

EVENT_TYPES: tuple[EventType, ...] = (
    FERRY, ELECTION, STORM, TAKEOVER, TRAIN, TRIAL, EPIDEMIC, STRIKE, MINE, LAUNCH,
)  # fmt: skip
_BACKGROUND_FACTS = 30
_ZIPF_EXPONENT = 0.7
_MEAN_LENGTH, _SPREAD = 27.0, 18.0
_JOINED = 0.24


def generate_cluster(
    seed: int,
    documents: int = 10,
    sentences_per_document: int = 20,
    references: int = 4,
    reference_words: int = 100,
    name: str | None = None,
) -> Cluster:
    """The cluster that belongs to these arguments. More documents or references never change the earlier ones."""
    for value, what in ((seed, "seed"), (references, "references")):
        if value < 0:
            raise ValueError(f"{what} must not be negative, got {value}")
    for value, what in ((documents, "documents"), (sentences_per_document, "sentences_per_document")):
        if value < 1:
            raise ValueError(f"{what} must be positive, got {value}")
    if reference_words < 20:
        raise ValueError(f"reference_words must be at least 20, got {reference_words}")
    rng = _stream(seed, 0, 0)
    event = EVENT_TYPES[int(rng.random() * len(EVENT_TYPES))]
    cast = draw_cast(event.cast, rng)
    facts = _draw_facts(event, rng)
    days = [0, 0, 0, *(int(rng.random() * 3) for _ in facts[3:])]
    return Cluster(
        name if name is not None else f"{event.name}-{seed}",
        tuple(
            _write_document(event, cast, facts, days, sentences_per_document, _stream(seed, 1, i))
            for i in range(documents)
        ),
        tuple(_write_reference(event, cast, facts, reference_words, _stream(seed, 2, i)) for i in range(references)),
    )


def _stream(*key: int) -> np.random.Generator:
    """A stream of its own for every text. Only `random()` is drawn from it, whose values numpy keeps stable."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(key)))


def _draw_facts(event: EventType, rng: np.random.Generator) -> tuple[Fact, ...]:
    """The event's own facts by importance, then a draw from the background, which differs from story to story."""
    background = list(BACKGROUND + (CALAMITY if event.calamity else AFFAIRS))
    chosen = [background.pop(int(rng.random() * len(background))) for _ in range(_BACKGROUND_FACTS)]
    return event.facts + tuple(chosen)


def _sample_ranks(count: int, size: int, rng: np.random.Generator) -> list[int]:
    """`size` different fact ranks drawn with Zipf weights (Gumbel's trick), told roughly by importance."""
    keys = [-_ZIPF_EXPONENT * math.log(rank + 1) - math.log(-math.log(_open_unit(rng))) for rank in range(count)]
    drawn = sorted(range(count), key=lambda rank: -keys[rank])[:size]
    return sorted(drawn, key=lambda rank: rank * (0.5 + rng.random()))


def _open_unit(rng: np.random.Generator) -> float:
    return min(max(float(rng.random()), 1e-12), 1 - 1e-12)


def _write_document(
    event: EventType, cast: Cast, facts: tuple[Fact, ...], days: list[int], size: int, rng: np.random.Generator
) -> tuple[ParsedSentence, ...]:
    teller = Teller(event, cast, rng, optional=0.65, today=1 + int(rng.random() * 3))
    fillers = int(size * 0.2)
    told = min(len(facts), max(1, round(size * 0.7)))
    plan = _sample_ranks(len(facts), told, rng)
    # Further sentences come back to important facts: a newspaper repeats itself, in other words.
    again = _sample_ranks(min(10, len(facts)), min(10, size - told - fillers), rng) if size > told + fillers else []
    while len(again) < size - told - fillers:
        again.append(int(rng.random() * len(facts)))
    plan = _interleave(plan, again, rng)
    plan = _interleave(plan, [-1] * fillers, rng)
    used: dict[int, list[str]] = {}
    sentences = []
    for rank in plan:
        # Three uniforms stand in for a normal: the same on every platform.
        length = _MEAN_LENGTH + _SPREAD * (rng.random() + rng.random() + rng.random() - 1.5)
        if rank < 0:
            fragment = teller.filler(length)
        else:
            wording = _wording(facts[rank], used.setdefault(rank, []), rng)
            other = int(rng.random() * min(12, len(facts)))
            if other != rank and rng.random() < _JOINED:
                second = _wording(facts[other], used.setdefault(other, []), rng)
                fragment = teller.tell_both(wording, second, days[other])
            else:
                cause = pick(rng, facts[0].wordings)
                fragment = teller.tell(facts[rank], wording, days[rank], length, cause)
        sentences.append(to_sentence(fragment))
    return tuple(sentences)


def _interleave(plan: list[int], extra: list[int], rng: np.random.Generator) -> list[int]:
    """Put the extra items into the plan, never among its first three."""
    result = list(plan)
    for item in extra:
        place = 3 + int(rng.random() * (len(result) - 2)) if len(result) > 3 else len(result)
        result.insert(place, item)
    return result


def _wording(fact: Fact, used: list[str], rng: np.random.Generator) -> str:
    """A wording that this document has not used for the fact, while there is one."""
    wording = pick(rng, [wording for wording in fact.wordings if wording not in used] or fact.wordings)
    used.append(wording)
    return wording


def _write_reference(
    event: EventType, cast: Cast, facts: tuple[Fact, ...], words: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """An abstract of `words` words, 5 % more or less, or of all facts if those are too few.

    An annotator's taste shifts the importance of facts a little.
    """
    slack = max(2, words // 20)
    while True:
        ranks = _ranks_by_taste(len(facts), rng)
        for size in range(1, len(facts) + 1):
            teller = Teller(event, cast, rng, optional=0.0)
            told = [teller.bare(pick(rng, facts[rank].wordings)) for rank in sorted(ranks[:size])]
            total = sum(len(fragment) for fragment in told)
            if words - slack <= total <= words + slack or (total < words and size == len(facts)):
                return tuple(_line(fragment) for fragment in told)
            if total > words + slack:
                break


def _ranks_by_taste(count: int, rng: np.random.Generator) -> list[int]:
    """Three uniforms again for a normal: an annotator doubles or halves the rank of a fact, rarely more."""
    taste = [math.log(rank + 2) + 0.6 * (rng.random() + rng.random() + rng.random() - 1.5) for rank in range(count)]
    return sorted(range(count), key=lambda rank: taste[rank])


def _line(fragment: Fragment) -> str:
    text = " ".join(to_sentence(fragment).words)
    return text[0].upper() + text[1:] + "."
