"""All derivations of a forest, for brute force on small instances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..factors.derivation import NONE, Forest
from .instance import Transduction

AXIOM = 0


def count_derivations(forest: Forest) -> float:
    counts = np.zeros(len(forest.edge_counts))
    counts[AXIOM] = 1.0
    edge = 0
    for item, number in enumerate(forest.edge_counts.tolist()):
        for one, two in forest.tails[edge : edge + number].tolist():
            counts[item] += counts[one] * counts[two]
        edge += number
    return float(counts[-1])


def derivations(forest: Forest) -> Iterator[Transduction]:
    """Every derivation of the goal with the words that it keeps. The lists of all items but the goal are in memory."""
    found: list[list[Transduction]] = [[((), ())]]
    edge = 0
    counts = forest.edge_counts.tolist()
    for item in range(1, len(counts)):
        word = int(forest.links[item, 0])
        own = () if word == NONE else (word + 1,)
        edges = range(edge, edge + counts[item])
        edge += counts[item]
        here = (
            (tuple(sorted((*own, *left[0], *right[0]))), tuple(sorted((*left[1], *right[1], number))))
            for number in edges
            for left, right in product(*(found[tail] for tail in forest.tails[number].tolist()))
        )
        if item == len(counts) - 1:
            yield from here
        else:
            found.append(list(here))
