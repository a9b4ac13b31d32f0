"""Lengths that a model chooses itself, at a rate that is given on average.

Qian & Liu's systems "were restricted to produce compressions that matched their average gold compression rate" (section 4.1). So
each kept word has a price, the same for all sentences, and a sentence keeps the number of words at which the best score plus
price times words is highest: the relaxed problem of section 3.3 with one multiplier. The price is the one at which pairs that were held
out have the gold rate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from problems.compression.model import CompressionModel
from problems.linear_program import Floats
from problems.text.sentence import ParsedSentence
from solvers import make_solver

HALVINGS = 60


def worths(model: CompressionModel, sentence: ParsedSentence, solver: str) -> Floats:
    """The best score of every number of kept words, from 1 on; `solver` is exact for the model and has one length at a time."""
    count = len(sentence)
    instance = model.instance(sentence, "sentence", count)
    if model.system == "joint":
        info = make_solver("dp-exact", "compression", {}).solve(instance).info
        return np.array([info[f"objective at length {length}"] for length in range(1, count + 1)])
    chosen = make_solver(solver, "compression", {})
    scores = model.scores(sentence)
    solved = (chosen.solve(model.scored(sentence, scores, "sentence", length)) for length in range(1, count + 1))
    return np.array([solution.objective for solution in solved], dtype=np.float64)


def priced(worth: Floats, price: float) -> int:
    """The number of words that is worth most."""
    return int(np.argmax(worth + price * np.arange(1, len(worth) + 1))) + 1


def price_for(found: Sequence[Floats], rate: float) -> float:
    """The price at which the mean share of kept words comes nearest to a rate; the share grows with the price."""
    highest = 1.0 + max(float(np.ptp(worth)) for worth in found)
    low, high = -highest, highest
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if np.mean([priced(worth, middle) / len(worth) for worth in found]) < rate:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
