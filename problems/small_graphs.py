"""Seeded factor graphs that are small or dense, as in collections of .uai and .fg files and in tasks of one's own.

A relaxation says little about some of them (`spins`, `values`, `colours`) and nearly everything about others (`roles`). Each kind
takes about the number of 0/1 variables that it is asked for.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from .factor_graph import FactorGraph
from .linear_program import Floats, Integers

STRENGTHS = (2.0, 10.0)  # of a coupling at most, where a field is at most 1
ALIKE = -9.2  # log of 1e-4: what two neighbours of one colour cost
NEIGHBOURS = 2.7  # pairs of neighbours per node of a map that is to be coloured
ROLES, EXCLUDING = 30, 4  # how many there are, and how many of them exclude one another


def spins(variables: int, seed: int = 1) -> FactorGraph:
    """A torus of two-valued variables whose neighbours want to be alike, or different: a spin glass in a field."""
    rng = np.random.default_rng([seed, 2021, variables])
    side = max(3, round(math.sqrt(variables / 2)))
    graph = FactorGraph()
    groups = _groups(graph, [rng.uniform(-1.0, 1.0, 2) for _ in range(side * side)])
    strength = float(rng.choice(STRENGTHS))
    for first, second in _neighbours(side, around=True):
        alike = rng.uniform(-strength, strength)
        graph.add_dense([groups[first], groups[second]], np.where(np.eye(2, dtype=bool), alike, -alike))
    return graph


def values(variables: int, seed: int = 1) -> FactorGraph:
    """A grid of variables with two to five values, normal scores, and a normal score for every pair of neighbouring values."""
    rng = np.random.default_rng([seed, 2022, variables])
    side = max(2, round(math.sqrt(variables / 3.5)))
    arities = rng.integers(2, 6, side * side)
    graph = FactorGraph()
    groups = _groups(graph, [rng.normal(size=arity) for arity in arities])
    for first, second in _neighbours(side, around=False):
        graph.add_dense([groups[first], groups[second]], rng.normal(size=(arities[first], arities[second])))
    return graph


def colours(variables: int, seed: int = 1) -> FactorGraph:
    """A map to be coloured with three colours. It can often not be done without a mistake, and no colour is better than another."""
    rng = np.random.default_rng([seed, 2023, variables])
    nodes = max(4, variables // 3)
    points = rng.random((nodes, 2))
    pairs = np.array(list(itertools.combinations(range(nodes), 2)))
    distances = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    nearest = pairs[np.argsort(distances, kind="stable")[: round(NEIGHBOURS * nodes)]]
    graph = FactorGraph()
    groups = _groups(graph, [np.zeros(3)] * nodes)
    for first, second in nearest.tolist():
        graph.add_dense([groups[first], groups[second]], ALIKE * np.eye(3))
    return graph


def mentions(variables: int, seed: int = 1) -> FactorGraph:
    """Pairs of mentions, which corefer or do not: if two pairs of a triple do, so does the third (one `or` of three for each)."""
    rng = np.random.default_rng([seed, 2024, variables])
    count = max(3, round(0.5 + math.sqrt(2 * variables)))
    pairs = {pair: index for index, pair in enumerate(itertools.combinations(range(count), 2))}
    graph = FactorGraph()
    graph.add_variables(rng.normal(size=len(pairs)))
    triples = [
        [pairs[one, two], pairs[two, three], pairs[one, three]]
        for one, two, three in itertools.combinations(range(count), 3)
    ]
    clauses = np.repeat(np.array(triples), 3, axis=0)
    positive = np.tile(np.eye(3, dtype=bool), (len(triples), 1))
    graph.add_logic_block("or", np.full(len(clauses), 3), clauses.ravel(), ~positive.ravel())
    return graph


def roles(variables: int, seed: int = 1) -> FactorGraph:
    """Semantic roles: every argument has one role, or none, and of roles that exclude each other one argument at most has one."""
    rng = np.random.default_rng([seed, 2025, variables])
    arguments = max(2, variables // (ROLES + 1))
    graph = FactorGraph()
    scores = np.full((arguments, ROLES + 1), -1.0)
    scores[:, 1:] = rng.normal(-4.0, 3.0, (arguments, ROLES))
    place = graph.add_variables(scores.ravel()).reshape(scores.shape)
    graph.add_logic_block("xor", np.full(arguments, ROLES + 1), place.ravel())
    excluding = np.array([rng.choice(ROLES, EXCLUDING, replace=False) for _ in range(ROLES)]) + 1
    members = place[:, excluding].swapaxes(0, 1).ravel()
    graph.add_logic_block("at_most_one", np.full(ROLES, arguments * EXCLUDING), members)
    return graph


def baskets(variables: int, seed: int = 1) -> FactorGraph:
    """Items of which a third may be chosen, with a bonus or a penalty for three in ten pairs of them."""
    rng = np.random.default_rng([seed, 2026, variables])
    graph = FactorGraph()
    items = graph.add_variables(rng.normal(size=variables))
    graph.add_budget(items, variables // 3)
    pairs = np.array(list(itertools.combinations(range(variables), 2)))
    chosen = pairs[rng.random(len(pairs)) < 0.3]
    graph.add_pair_block(chosen.ravel(), rng.normal(size=len(chosen)))
    return graph


def _groups(graph: FactorGraph, scores: list[Floats]) -> list[Integers]:
    """One 0/1 variable for each value; whoever ties them by tables has them as one-of-k groups."""
    return [graph.add_variables(own) for own in scores]


def _neighbours(side: int, around: bool) -> list[tuple[int, int]]:
    """Pairs of neighbours in a square; `around`: its edges meet."""
    found = []
    for row, column in itertools.product(range(side), repeat=2):
        for down, right in ((0, 1), (1, 0)):
            if around or (row + down < side and column + right < side):
                found.append((row * side + column, (row + down) % side * side + (column + right) % side))
    return found


SMALL = {"spins": spins, "values": values, "colours": colours, "mentions": mentions, "roles": roles, "baskets": baskets}
VARIABLES = {
    "spins": (18, 32, 72, 128, 200, 288, 450),
    "values": (14, 30, 60, 120, 200, 400, 800),
    "colours": (15, 30, 60, 90, 150),
    "mentions": (6, 21, 45, 66, 105),
    "roles": (100, 300, 500, 900, 2000),
    "baskets": (8, 20, 30, 40, 60),
}
SIZES = tuple(f"{kind}-{count}" for kind, counts in VARIABLES.items() for count in counts)


def generate(seed: int, size: str) -> FactorGraph:
    """A graph of a size such as `spins-200`."""
    kind, count = size.split("-")
    return SMALL[kind](int(count), seed)
