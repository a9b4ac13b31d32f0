"""Source sentences of a given length, and gold compressions of them with their trees.

Most deletions take a whole subtree of the source tree, adjuncts first. In about half of the sentences some words inside the
tree are deleted too, such as a verb of saying whose clause stays: their modifiers move up to their head. So the gold
compression is no subtree of the source tree there (47.6 % of the Edinburgh corpus, section 1 of Qian & Liu 2014).
"""

from __future__ import annotations

import numpy as np

from ..text.newswire import generate_cluster
from ..text.sentence import ParsedSentence
from .instance import Compression

SENTENCES = 6  # that are drawn to choose from
NOT_A_SUBTREE = 0.55  # share of sentences with deletions inside the tree
INSIDE_SHARE = 0.35  # of a sentence's deletions, at most
ADJUNCTS = frozenset({"NMOD", "VMOD", "AMOD", "SBAR", "PRT", "COORD"})
ADJUNCT_WEIGHT = 4.0  # how much rather an adjunct is deleted than an argument

Generator = np.random.Generator


def source_sentence(seed: int, rng: Generator, least: int, most: int, natural: bool) -> ParsedSentence:
    """A news sentence as it comes, or one of a length drawn from a range: joined from several, and thinned out."""
    drawn = generate_cluster(seed, documents=1, sentences_per_document=SENTENCES, references=0).documents[0]
    if natural:
        return drawn[int(rng.random() * len(drawn))]
    length = least + int(rng.random() * (most - least + 1))
    start = int(rng.random() * len(drawn))
    sentence, further = drawn[start], 0
    while len(sentence) < length:
        further += 1
        sentence = _joined(sentence, drawn[(start + further) % len(drawn)])
    return _thinned(sentence, length, rng)


def _joined(first: ParsedSentence, second: ParsedSentence) -> ParsedSentence:
    """Two sentences with a conjunction between them; the first one's root is the head of both."""
    root, shift = first.heads.index(0) + 1, len(first) + 1
    return ParsedSentence(
        (*first.words, "and", *second.words),
        (*first.tags, "CC", *second.tags),
        (*first.heads, root, *(head + shift if head else root for head in second.heads)),
        (
            *first.labels,
            "CC",
            *(label if head else "COORD" for label, head in zip(second.labels, second.heads, strict=True)),
        ),
    )


def _thinned(sentence: ParsedSentence, length: int, rng: Generator) -> ParsedSentence:
    """Without random leaves of the tree, so that `length` words remain."""
    kept = list(range(1, len(sentence) + 1))
    while len(kept) > length:
        heads = {sentence.heads[word - 1] for word in kept}
        leaves = [word for word in kept if word not in heads]
        kept.remove(leaves[int(rng.random() * len(leaves))])
    place = {0: 0, **{word: index for index, word in enumerate(kept, 1)}}
    return ParsedSentence(
        tuple(sentence.words[word - 1] for word in kept),
        tuple(sentence.tags[word - 1] for word in kept),
        tuple(place[sentence.heads[word - 1]] for word in kept),
        tuple(sentence.labels[word - 1] for word in kept),
    )


def gold_compression(sentence: ParsedSentence, length: int, rng: Generator) -> Compression:
    """A compression of exactly `length` words, with a projective tree where the source tree is projective."""
    heads = dict(enumerate(sentence.heads, 1))
    missing = len(heads) - length
    inside = 0
    if rng.random() < NOT_A_SUBTREE:
        inside = min(missing, 1 + int(rng.random() * INSIDE_SHARE * missing))
    for _ in range(inside):
        inner = sorted(set(heads.values()) & set(heads))
        if not inner:
            break
        _lift(heads, inner[int(rng.random() * len(inner))])
    while len(heads) > length:
        _prune(heads, sentence.labels, len(heads) - length, rng)
    kept = tuple(sorted(heads))
    return kept, tuple(heads[word] for word in kept)


def _descendants(heads: dict[int, int]) -> dict[int, set[int]]:
    """For each word the words below it and itself."""
    below = {word: {word} for word in heads}
    for word in heads:
        above = heads[word]
        while above:
            below[above].add(word)
            above = heads[above]
    return below


def _lift(heads: dict[int, int], word: int) -> None:
    """Delete one word; its modifiers go to its head, or, if it was the root, to the modifier with the most words below."""
    above = heads[word]
    modifiers = [other for other, head in heads.items() if head == word]
    if not above:
        below = _descendants(heads)
        above = max(modifiers, key=lambda other: (len(below[other]), -other))
        heads[above] = 0
        modifiers.remove(above)
    del heads[word]
    for other in modifiers:
        heads[other] = above


def _prune(heads: dict[int, int], labels: tuple[str, ...], most: int, rng: Generator) -> None:
    """Delete a whole subtree of at most `most` words."""
    below = _descendants(heads)
    words = [word for word in heads if heads[word] and len(below[word]) <= most]
    weights = np.array([ADJUNCT_WEIGHT if labels[word - 1] in ADJUNCTS else 1.0 for word in words])
    chosen = words[int(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum(), side="right"))]
    for word in below[chosen]:
        del heads[word]
