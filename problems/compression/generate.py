"""Seeded generators of compression problems: a planted gold compression under noise, and independent random scores.

What a learnt model knows of a sentence is imitated: every part has a score that tells gold parts from others (`SIGNAL`), some
knowledge of the language (near words are better neighbours and better heads, the source tree is a good guess), and noise.
With noise 1 joint decoding finds the gold words with an F1 of 0.89, and the models that ignore arcs or bigrams do worse, as
in Table 2 of Qian & Liu (2014), where all values are lower (joint: 0.81). Independent scores are far harder to decode.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import InputError
from ..linear_program import Floats
from .gold import gold_compression, source_sentence
from .instance import Compression, CompressionInstance
from .sizes import SIZES, parse_size

RATE = 0.7
TOKEN_SIGNAL, BIGRAM_SIGNAL, ARC_SIGNAL = 0.4, -0.4, 1.0
SOURCE_ARC = 0.6  # of an arc of the source tree that is no gold arc
BIGRAM_DISTANCE, ARC_DISTANCE = 0.5, 0.4  # per doubling of the distance
OFFSET = -1.0  # of bigrams and arcs that nothing speaks for
TOKEN_NOISE, BIGRAM_NOISE, ARC_NOISE = 1.3, 0.8, 0.7
NOISE = 1.0


def generate(seed: int, size: str) -> CompressionInstance:
    """The variants of a size (see `sizes`) have the same sentences and scores."""
    base, changes = parse_size(size)
    limits, name = SIZES[base], f"{size}-{seed}"
    if not limits.planted:
        return generate_hard(seed, limits.least, name=name)
    instance = generate_planted(seed, limits.least, limits.most, natural=base == "news", name=name)
    return replace(instance, **changes)


def generate_planted(
    seed: int,
    least: int,
    most: int | None = None,
    rate: float = RATE,
    noise: float = NOISE,
    boundary: bool = False,
    natural: bool = False,
    name: str | None = None,
) -> CompressionInstance:
    """A sentence of `least` to `most` words, of which `rate` are to be kept. `natural`: a news sentence of any length."""
    if not 0 <= rate <= 1:
        raise InputError(f"the compression rate must be from 0 to 1, not {rate}.")
    rng = np.random.default_rng([seed, 2014, least])
    sentence = source_sentence(seed, rng, least, least if most is None else most, natural)
    count = len(sentence)
    length = max(1, round(rate * count)) if rate else 0
    gold = gold_compression(sentence, max(length, 1), rng)
    tokens, bigrams, arcs = _planted_scores(count, gold, sentence.heads, noise, rng)
    if not boundary:
        bigrams = bigrams[1:-1, 1:-1]
    return CompressionInstance(
        name=name or f"planted-{count}-{seed}",
        token_scores=tokens,
        bigram_scores=bigrams,
        arc_scores=arcs,
        length=length,
        words=sentence.words,
        tags=sentence.tags,
        source_heads=sentence.heads,
        gold_kept=gold[0],
        gold_heads=gold[1],
    )


def _planted_scores(
    count: int, gold: Compression, source: tuple[int, ...], noise: float, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    kept, heads = gold
    tokens = np.full(count, -TOKEN_SIGNAL)
    tokens[np.array(kept) - 1] = TOKEN_SIGNAL
    place = np.arange(count + 2)
    distance = np.log2(np.maximum(np.abs(place[:, None] - place), 1))
    bigrams = OFFSET - BIGRAM_DISTANCE * distance
    path = np.array([0, *kept, count + 1])
    bigrams[path[:-1], path[1:]] = BIGRAM_SIGNAL
    arcs = OFFSET - ARC_DISTANCE * distance[:-1, 1:-1]
    arcs[0] = OFFSET - ARC_DISTANCE * np.log2(count) / 2  # no distance to the root symbol means anything
    arcs[np.array(source), np.arange(count)] = SOURCE_ARC
    arcs[np.array(heads), np.array(kept) - 1] = ARC_SIGNAL
    for scores, deviation in ((tokens, TOKEN_NOISE), (bigrams, BIGRAM_NOISE), (arcs, ARC_NOISE)):
        scores += noise * deviation * rng.normal(size=scores.shape)
    return tokens, bigrams, arcs


def generate_hard(seed: int, words: int, rate: float = RATE, name: str | None = None) -> CompressionInstance:
    """Independent standard normal scores, start and end symbols included: no sentence, no gold."""
    rng = np.random.default_rng([seed, 2015, words])
    return CompressionInstance(
        name=name or f"hard-{words}-{seed}",
        token_scores=rng.normal(size=words),
        bigram_scores=rng.normal(size=(words + 2, words + 2)),
        arc_scores=rng.normal(size=(words + 1, words)),
        length=max(1, round(rate * words)),
    )
