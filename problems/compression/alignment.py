"""Which words of a sentence its compression keeps: the alignment of two token sequences.

Words are compared without case, and every word of the compression must be there. Punctuation follows where it can: editors move
full stops and drop commas. Of all such alignments the one with the most punctuation counts, then the one with the fewest runs
of kept words (a compression is made of phrases), then the one whose words stand furthest to the right (as Yao et al. 2014
break ties).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TOKEN = re.compile(r"\w+(?:[.,]\d+)*|[^\w\s]")

Value = tuple[int, int, int]
"""Marks of punctuation that are aligned, runs of kept words (negative), sum of positions."""
Path = tuple[int, "Path"] | None
"""The last kept position, and those before it."""


def tokenise(text: str) -> tuple[str, ...]:
    """Words, numbers with their separators, and single marks of punctuation."""
    return tuple(TOKEN.findall(text))


def is_word(token: str) -> bool:
    return any(letter.isalnum() for letter in token)


def align(source: Sequence[str], target: Sequence[str]) -> tuple[int, ...] | None:
    """The source positions (from 1) that the target keeps; None where a word of it is not to be found in order."""
    here = [token.lower() for token in source]
    goal = [token.lower() for token in target]
    if not _possible(here, goal):
        return None
    # ending[p]: the best alignment of the target so far whose last kept position is p (0: none is kept yet)
    ending: dict[int, tuple[Value, Path]] = {0: ((0, 0, 0), None)}
    for token in goal:
        ending = _extended(ending, here, token)
        if not ending:
            return None
    _, path = max(ending.values(), key=lambda found: found[0])
    kept = []
    while path is not None:
        kept.append(path[0])
        path = path[1]
    return tuple(reversed(kept))


def _possible(here: Sequence[str], goal: Sequence[str]) -> bool:
    """Are the target's words a subsequence? Cheap, and it rules out most bad pairs."""
    rest = iter(here)
    return all(token in rest for token in goal if is_word(token))


def _extended(ending: dict[int, tuple[Value, Path]], here: Sequence[str], token: str) -> dict[int, tuple[Value, Path]]:
    """With one more token of the target: kept at a later position, or, if it is punctuation, left out."""
    word = is_word(token)
    found: dict[int, tuple[Value, Path]] = {} if word else dict(ending)
    best: tuple[Value, Path] | None = None  # of all that end before the position
    for place in range(1, len(here) + 1):
        before = ending.get(place - 1)
        if before is not None and (best is None or before[0] > best[0]):
            best = before
        if here[place - 1] != token or best is None:
            continue
        (marks, runs, total), path = best
        value = marks + (not word), runs - 1, total + place
        if before is not None and place > 1:  # the run goes on
            (marks, runs, total), rest = before
            joined = marks + (not word), runs, total + place
            if joined > value:
                value, path = joined, rest
        if place not in found or value > found[place][0]:
            found[place] = value, (place, path)
    return found
