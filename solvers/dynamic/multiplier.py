"""The search for the multiplier of the length constraint: minimise g(m) = max over compressions of score + m (kept - L).

g is convex and piecewise linear: each compression that was found is a line of slope kept - L, and a lower bound on g.

- `subgradient` (section 3.3): m moves against the slope; the step is halved each time g did not go down. The paper names Rush
  et al. (2010) for its step and gives no constant; that an equal g counts too is ours (else it may go to and fro for ever)
- `cutting-plane`: m is where the lines next to L on both sides meet; that is the minimum as soon as nothing lies above it.
  Each step finds another corner of g, so there are at most n.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .compression import Integers
from .relaxation import Relaxation

ROUNDING = 1e-12  # relative to the sum of all absolute scores
SMALLEST_STEP = 1e-9  # relative to the first step


class Line(NamedTuple):
    """A compression as the multiplier sees it."""

    kept: int
    score: float  # without the reward


class Search:
    """What a search has found: the lowest g, where it is, and the compression whose length is nearest to L."""

    def __init__(self, relaxation: Relaxation, length: int, magnitude: float) -> None:
        self.relaxation, self.length, self.magnitude = relaxation, length, magnitude
        self.multiplier, self.bound, self.iterations = 0.0, math.inf, 0
        self.nearest = Line(-1, -math.inf)
        self.heads: Integers = np.zeros(0, dtype=np.int64)  # of the nearest

    @property
    def hit(self) -> bool:
        return self.nearest.kept == self.length

    def evaluate(self, multiplier: float) -> tuple[Line, float]:
        """The line that is highest at a multiplier, and g there."""
        value = self.relaxation.maximize(multiplier)
        kept = self.relaxation.kept()
        line, dual = Line(kept, value - multiplier * kept), value - multiplier * self.length
        if dual < self.bound:
            self.bound, self.multiplier = dual, multiplier
        self._note(line)
        return line, dual

    def end(self, whole: bool) -> Line:
        """The line of the whole sentence, or of the best single word: the limits of very large and very small multipliers."""
        line = Line(len(self.relaxation.heads) - 1, self.relaxation.keep_all()) if whole else self._single_word()
        if line.kept == self.length:
            self.bound = min(self.bound, line.score)
        self._note(line)
        return line

    def _single_word(self) -> Line:
        score, word = self.relaxation.keep_one()
        self.relaxation.heads.fill(-1)
        self.relaxation.heads[word] = 0
        return Line(1, score)

    def _note(self, line: Line) -> None:
        self.iterations += 1
        if self._rank(line) > self._rank(self.nearest):
            self.nearest, self.heads = line, self.relaxation.heads.copy()

    def _rank(self, line: Line) -> tuple[int, float]:
        return -abs(line.kept - self.length), line.score


def cutting_planes(search: Search, max_iterations: int) -> Iterator[float]:
    """Yields g after each evaluation, until L is hit or the minimum of g is reached."""
    line, dual = search.evaluate(0.0)
    yield dual
    if search.hit or max_iterations == 1:
        return
    below = line if line.kept < search.length else search.end(whole=False)
    above = line if line.kept > search.length else search.end(whole=True)
    while not search.hit and search.iterations < max_iterations:
        multiplier = (below.score - above.score) / (above.kept - below.kept)
        meeting = below.score + multiplier * (below.kept - search.length)
        line, dual = search.evaluate(multiplier)
        yield dual
        if dual - meeting <= ROUNDING * search.magnitude or not below.kept < line.kept < above.kept:
            return
        if line.kept < search.length:
            below = line
        else:
            above = line


def subgradient_steps(search: Search, max_iterations: int, step: float) -> Iterator[float]:
    """Yields g after each evaluation, until L is hit or the steps have become too small to matter."""
    multiplier, rate, before = 0.0, step, math.inf
    while not search.hit and search.iterations < max_iterations and rate > SMALLEST_STEP * step:
        line, dual = search.evaluate(multiplier)
        yield dual
        if dual >= before:
            rate /= 2.0
        before = dual
        multiplier -= rate * (line.kept - search.length)
