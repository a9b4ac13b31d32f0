"""Seeded gold trees that look like a treebank's: arc lengths, valencies and the share of non-projective arcs.

A span's head is drawn, the words on either side of it are cut into blocks, and the head of each block modifies it, which
gives projective trees. Then single words are moved to another head such that their arc crosses others, at the rate of the
profile. Measured on sentences of 15 to 35 words (500 trees, seed 0), beside English EWT dev and Dutch LassySmall v1.4 train:

              mean arc length   length 1   length 7+   leaves    non-projective arcs
    en        3.44              43 %       14 %        62 %      0.14 %
    EWT       3.39              38 %       11 %        65 %      0.18 %
    nl        3.66              41 %       16 %        60 %      6.6 %
    LassySmall 4.13             35 %       19 %        69 %      6.8 %
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .trees import nonprojective_words, unreachable

BLOCKS = 0.65  # chance of one more block on a side
SHORT_SPAN = 10  # in phrases up to this length the head tends to stand last, in longer ones first
HEAD_LATE, HEAD_EARLY = (2.2, 1.0), (1.1, 2.6)  # Beta distributions of the head's place in its span

VOCABULARY = {
    "NN": [
        "market",
        "treaty",
        "river",
        "engine",
        "budget",
        "harvest",
        "bridge",
        "signal",
        "teacher",
        "garden",
        "winter",
        "letter",
        "island",
        "museum",
        "report",
        "station",
    ],
    "VBD": [
        "said",
        "built",
        "found",
        "carried",
        "sold",
        "opened",
        "crossed",
        "followed",
        "measured",
        "signed",
        "raised",
        "lost",
        "wrote",
        "held",
        "turned",
        "reached",
    ],
    "DT": ["the", "a", "this", "every", "no", "some"],
    "IN": ["of", "in", "on", "with", "from", "under", "after", "near", "by", "for"],
    "JJ": ["old", "northern", "quiet", "public", "early", "steep", "narrow", "foreign", "private", "common"],
    "RB": ["often", "slowly", "again", "never", "almost", "soon"],
    "PRP": ["it", "she", "they", "he", "we"],
    ",": [","],
    ".": ["."],
}
LEAF_TAGS = ("DT", "IN", "JJ", "RB", "PRP", "NN", ",")
LEAF_SHARES = (0.24, 0.2, 0.16, 0.08, 0.08, 0.16, 0.08)


@dataclass(frozen=True)
class Profile:
    """What sentences look like: lengths (a gamma distribution) and how often a word is moved to a crossing head."""

    mean_length: float
    length_shape: float
    longest: int
    moves: float


PROFILES = {
    "en": Profile(23.5, 4.4, 120, 0.0011),
    "nl": Profile(13.4, 1.9, 120, 0.047),
}


def draw_length(rng: np.random.Generator, profile: Profile) -> int:
    length = rng.gamma(profile.length_shape, profile.mean_length / profile.length_shape)
    return int(np.clip(round(length), 1, profile.longest))


def draw_tree(rng: np.random.Generator, length: int, profile: Profile) -> tuple[int, ...]:
    """A gold tree with one root."""
    heads = [0] * length
    spans = [(1, length, 0)]
    while spans:
        low, high, parent = spans.pop()
        skew = HEAD_LATE if high - low < SHORT_SPAN else HEAD_EARLY
        head = low + min(int(rng.beta(*skew) * (high - low + 1)), high - low)
        heads[head - 1] = parent
        for start, end in ((low, head - 1), (head + 1, high)):
            if start <= end:
                spans.extend((first, last, head) for first, last in _blocks(rng, start, end))
    for word in range(1, length + 1):
        if heads[word - 1] and rng.random() < profile.moves:
            _move(rng, heads, word)
    return tuple(heads)


def _blocks(rng: np.random.Generator, start: int, end: int) -> list[tuple[int, int]]:
    """Cut the words from `start` to `end` into a few blocks."""
    words = end - start + 1
    count = min(int(rng.geometric(1.0 - BLOCKS)), words)
    cuts = sorted(rng.choice(np.arange(start + 1, end + 1), size=count - 1, replace=False).tolist())
    return list(zip([start, *cuts], [*(cut - 1 for cut in cuts), end], strict=True))


def _move(rng: np.random.Generator, heads: list[int], word: int) -> None:
    """Give a word another head so that its arc is not projective; a nearby one, if there is any."""
    before = heads[word - 1]
    others = [head for head in range(1, len(heads) + 1) if head not in (word, before)]
    if not others:
        return
    nearness = np.array([1.0 / abs(head - word) for head in others])
    for head in rng.choice(others, size=min(8, len(others)), replace=False, p=nearness / nearness.sum()).tolist():
        heads[word - 1] = head
        if not unreachable(heads) and word in nonprojective_words(heads):
            return
    heads[word - 1] = before


def draw_words(rng: np.random.Generator, tree: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words and Penn Treebank tags: leaves are mostly function words, the last leaf is the full stop."""
    words, tags = [], []
    inner = set(tree)
    for word in range(1, len(tree) + 1):
        if word == len(tree) > 1 and word not in inner:
            tag = "."
        elif word in inner:
            tag = "VBD" if tree[word - 1] == 0 or rng.random() < 0.3 else "NN"
        else:
            tag = str(rng.choice(LEAF_TAGS, p=LEAF_SHARES))
        tags.append(tag)
        words.append(str(rng.choice(VOCABULARY[tag])))
    return tuple(words), tuple(tags)
