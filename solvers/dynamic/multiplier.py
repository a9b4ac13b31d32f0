"""The search for the multiplier of the length constraint: minimise g(m) = max over compressions of score + m (kept - L).

g is convex and piecewise linear: each compression is a line of slope kept - L, and g is the highest of them. So the lines that were
found are a floor: at the multiplier where a line of less than L words meets one of more, no multiplier goes below their common
value. Of all such pairs the one with the highest meeting is the *bracket*. A gap is *certified* once g comes down to the bracket's
floor: no multiplier gives a lower bound, and none hits L, unless maximizers tie there.

- `cutting-plane`: m is where the bracket's lines meet. Each step certifies the gap or finds another corner of g, so there are at
  most n.
- `subgradient` (section 3.3): m moves against the slope; the step is halved each time g did not go down. The paper names Rush
  et al. (2010) for its step and gives no constant, nor a rule for the end; that an equal g counts too is ours (else it may go
  to and fro for ever). Where a step is halved, the next multiplier is that of the bracket: it ends the search if it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .compression import Integers
from .relaxation import Relaxation

ROUNDING = 1e-12  # relative to the sum of all absolute scores


class Line(NamedTuple):
    """A compression as the multiplier sees it."""

    kept: int
    score: float  # without the reward


class Bracket(NamedTuple):
    """Where a line of less than L words and one of more meet, and what both are worth there."""

    multiplier: float
    floor: float


class Search:
    """What a search has found: the lowest g, where it is, the bracket, and the compression whose length is nearest to L."""

    def __init__(self, relaxation: Relaxation, length: int, magnitude: float) -> None:
        self.relaxation, self.length, self.magnitude = relaxation, length, magnitude
        self.multiplier, self.bound, self.iterations = 0.0, math.inf, 0
        self.nearest = Line(-1, -math.inf)
        self.heads: Integers = np.zeros(0, dtype=np.int64)  # of the nearest
        self.bracket: Bracket | None = None
        self.certified = False
        self._lines: dict[int, float] = {}  # the score of each number of kept words

    @property
    def hit(self) -> bool:
        return self.nearest.kept == self.length

    @property
    def ended(self) -> bool:
        return self.hit or self.certified

    def evaluate(self, multiplier: float) -> tuple[Line, float]:
        """The line that is highest at a multiplier, and g there."""
        value = self.relaxation.maximize(multiplier)
        kept = self.relaxation.kept()
        line, dual = Line(kept, value - multiplier * kept), value - multiplier * self.length
        if dual < self.bound:
            self.bound, self.multiplier = dual, multiplier
        self._note(line)
        return line, dual

    def close(self) -> float:
        """Evaluates g where the bracket's lines meet: it is certified there, or the bracket gets narrower."""
        assert self.bracket is not None
        before = self.bracket
        _, dual = self.evaluate(before.multiplier)
        at_floor = dual - before.floor <= ROUNDING * self.magnitude or self.bracket == before
        self.certified = at_floor and not self.hit
        return dual

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
        if line.score > self._lines.get(line.kept, -math.inf):
            self._lines[line.kept] = line.score
            self._narrow(line)

    def _narrow(self, line: Line) -> None:
        """The bracket with a new line: the highest meeting of a line on its side of L with one on the other."""
        for kept, score in self._lines.items():
            if (kept - self.length) * (line.kept - self.length) >= 0:
                continue
            multiplier = (score - line.score) / (line.kept - kept)
            floor = score + multiplier * (kept - self.length)
            if self.bracket is None or floor > self.bracket.floor:
                self.bracket = Bracket(multiplier, floor)

    def _rank(self, line: Line) -> tuple[int, float]:
        return -abs(line.kept - self.length), line.score


def cutting_planes(search: Search, max_iterations: int) -> Iterator[float]:
    """Yields g after each evaluation, until L is hit or the gap is certified."""
    line, dual = search.evaluate(0.0)
    yield dual
    if search.hit or max_iterations == 1:
        return
    search.end(whole=line.kept < search.length)
    while not search.ended and search.iterations < max_iterations:
        yield search.close()


def subgradient_steps(search: Search, max_iterations: int, step: float) -> Iterator[float]:
    """Yields g after each evaluation, until L is hit or the gap is certified."""
    multiplier, rate, before = 0.0, step, math.inf
    while not search.ended and search.iterations < max_iterations:
        line, dual = search.evaluate(multiplier)
        yield dual
        if dual >= before:
            rate /= 2.0
            if search.bracket is not None and not search.hit and search.iterations < max_iterations:
                yield search.close()
        before = dual
        multiplier -= rate * (line.kept - search.length)
