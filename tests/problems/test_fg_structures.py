"""AD3's structured factors in `.fg` files: each line means what AD3's own programs make of it, told here by plain loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from problems.errors import InputError
from problems.factor_graph import FactorGraph
from solvers import get_solver

# Three words and the root symbol, after AD3's own examples of dependency parsing. Variables 1 to 3 are the arcs to word 1 (from
# 0, 2 and 3), 4 to 6 those to word 2 (from 0, 1, 3), 7 to 9 those to word 3 (from 0, 1, 2).
PARSING = """9
8
0.5
1.25
-0.25
0.125
0.75
1.5
-1.0
0.25
1.75
ARBORESCENCE 9 1 2 3 4 5 6 7 8 9 4 0 1 2 1 3 1 0 2 1 2 3 2 0 3 1 3 2 3
HEAD_AUTOMATON 3 1 4 7 0.1 0.2 -0.3 0.0 -1.5 -0.7 0.4 -0.9 0.3 0.6   # the root symbol
HEAD_AUTOMATON 0 0.35                                               # word 1 has no modifiers to its left
HEAD_AUTOMATON 2 5 8 0.15 -0.45 0.0 0.65 0.05 -0.2
HEAD_AUTOMATON 1 2 -0.6 0.3 0.7
GRANDPARENT_HEAD_AUTOMATON 4 4 5 6 9 3 0.8 -0.4 0.2 0.5 -0.1 0.9    # word 2, its heads 0, 1 and 3, its modifier 3
GRANDPARENT_HEAD_AUTOMATON 5 7 8 9 6 3 3 0.1 -0.2 0.3 0.4 -0.5 0.6 -0.25 0.2 0.0 0.45 -0.35 0.05   # word 3, outward
HEAD_AUTOMATON 0 -0.1
"""


def parsing_score(heads: tuple[int, int, int]) -> float:
    """The score of words 1, 2, 3 with these heads, -inf if that is no tree."""
    for word in (1, 2, 3):
        above, steps = word, 0
        while above and steps < 4:
            above, steps = heads[above - 1], steps + 1
        if above or heads[word - 1] == word:
            return -math.inf
    arcs = {(0, 1): 0.5, (2, 1): 1.25, (3, 1): -0.25, (0, 2): 0.125, (1, 2): 0.75, (3, 2): 1.5}
    arcs |= {(0, 3): -1.0, (1, 3): 0.25, (2, 3): 1.75}
    total = sum(arcs[head, word] for word, head in zip((1, 2, 3), heads, strict=True))

    def automaton(head: int, outward: list[int], scores: dict[tuple[int, int], float]) -> float:
        kept = [place for place, word in enumerate(outward, 1) if heads[word - 1] == head]
        return sum(scores[pair] for pair in itertools.pairwise([0, *kept, len(outward) + 1]))

    root = {(0, 1): 0.1, (0, 2): 0.2, (0, 3): -0.3, (0, 4): 0.0, (1, 2): -1.5, (1, 3): -0.7, (1, 4): 0.4}
    total += automaton(0, [1, 2, 3], root | {(2, 3): -0.9, (2, 4): 0.3, (3, 4): 0.6})
    first = {(0, 1): 0.15, (0, 2): -0.45, (0, 3): 0.0, (1, 2): 0.65, (1, 3): 0.05, (2, 3): -0.2}
    total += automaton(1, [2, 3], first) + 0.35 - 0.1
    total += automaton(2, [1], {(0, 1): -0.6, (0, 2): 0.3, (1, 2): 0.7})
    total += automaton(2, [3], {(0, 1): 0.5, (0, 2): -0.1, (1, 2): 0.9})
    if heads[2] == 2:
        total += {0: 0.8, 1: -0.4, 3: 0.2}[heads[1]]
    third = {(0, 1): -0.25, (0, 2): 0.2, (0, 3): 0.0, (1, 2): 0.45, (1, 3): -0.35, (2, 3): 0.05}
    total += automaton(3, [2, 1], third)
    grand = {(0, 2): 0.1, (0, 1): -0.2, (1, 2): 0.3, (1, 1): 0.4, (2, 2): -0.5, (2, 1): 0.6}
    return total + sum(grand[heads[2], word] for word in (2, 1) if heads[word - 1] == 3)


def write(folder: Path, text: str, name: str = "graph.fg") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def arcs_of(heads: tuple[int, int, int]) -> list[int]:
    candidates = [(0, 1), (2, 1), (3, 1), (0, 2), (1, 2), (3, 2), (0, 3), (1, 3), (2, 3)]
    return [int(heads[word - 1] == head) for head, word in candidates]


def test_a_parse_means_what_ad3_says(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, PARSING))
    assert graph.number_of_variables == 9
    trees = 0
    for heads in itertools.product((0, 2, 3), (0, 1, 3), (0, 1, 2)):
        expected = parsing_score(heads)
        trees += expected > -math.inf
        assert graph.objective(arcs_of(heads)) == pytest.approx(expected)
    assert trees == 16  # (n + 1)^(n - 1) trees of n words
    assert graph.objective([0] * 9) == graph.objective([1] * 9) == -math.inf


def test_solvers_agree_on_a_parse(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, PARSING))
    best = max(map(parsing_score, itertools.product((0, 2, 3), (0, 1, 3), (0, 1, 2))))
    for name in ("brute-force", "ilp-highs", "ilp-cpsat", "ilp-glpk", "ad3-exact"):
        found = get_solver(name).solve(graph)
        assert found.status == "optimal"
        assert found.objective == pytest.approx(best, abs=1e-6)
    assert get_solver("ad3").solve(graph).bound >= best - 1e-6


# -- one factor: whatever its line says, for every assignment --------------------------------------------------------------


def random_sizes(rng: np.random.Generator, most: int) -> list[int]:
    sizes = [int(rng.integers(1, 4))]
    while sum(sizes) < most and rng.random() < 0.7:
        sizes.append(int(rng.integers(1, 4)))
    return sizes


def states_of(values: tuple[int, ...], sizes: list[int]) -> list[int] | None:
    """The state of each position, None if some has none or several."""
    states, first = [], 0
    for size in sizes:
        group = values[first : first + size]
        first += size
        if sum(group) != 1:
            return None
        states.append(group.index(1))
    return states


Score = Callable[[tuple[int, ...]], float]


def sequence(rng: np.random.Generator, budget: bool) -> tuple[str, int, Score]:
    sizes = random_sizes(rng, 7)
    tables = [np.round(rng.normal(size=shape), 3) for shape in itertools.pairwise([1, *sizes, 1])]
    most = int(rng.integers(sizes.count(1), len(sizes) + 2)) if budget else len(sizes)
    fields = [len(sizes), *([most] if budget else []), *sizes, *np.concatenate([t.ravel() for t in tables])]

    def score(values: tuple[int, ...]) -> float:
        states = states_of(values, sizes)
        if states is None or states.count(0) > most:
            return -math.inf
        around = [0, *states, 0]
        return float(sum(table[a, b] for table, (a, b) in zip(tables, itertools.pairwise(around), strict=True)))

    return line("SEQUENCE_BUDGET" if budget else "SEQUENCE", sum(sizes), fields), sum(sizes), score


def tree(rng: np.random.Generator, counts: bool) -> tuple[str, int, Score]:
    sizes = random_sizes(rng, 4 if counts else 6)
    nodes = len(sizes)
    names = [0, *(1 + rng.permutation(nodes - 1))]  # a parent may come after its child
    parents = [-1] * nodes
    for place in range(1, nodes):
        parents[names[place]] = int(names[rng.integers(0, place)])
    tables = {n: np.round(rng.normal(size=(sizes[parents[n]], sizes[n])), 3) for n in range(1, nodes)}
    scores = [value for n in range(1, nodes) for value in tables[n].ravel()]
    degree = sum(sizes) + (nodes + 1 if counts else 0)

    def score(values: tuple[int, ...]) -> float:
        states = states_of(values[: sum(sizes)], sizes)
        if states is None:
            return -math.inf
        if counts and list(values[sum(sizes) :]) != [int(states.count(0) == n) for n in range(nodes + 1)]:
            return -math.inf
        return float(sum(table[states[parents[n]], states[n]] for n, table in tables.items()))

    kind = "GENERAL_TREE_COUNTS" if counts else "GENERAL_TREE"
    return line(kind, degree, [nodes, *sizes, *parents, *scores]), degree, score


def automaton(rng: np.random.Generator, heads: int) -> tuple[str, int, Score]:
    count = int(rng.integers(0 if heads else 1, 5))
    pairs = [(a, b) for a in range(count + 1) for b in range(a + 1, count + 2)]
    sibling = dict(zip(pairs, np.round(rng.normal(size=len(pairs)), 3), strict=True))
    grand = np.round(rng.normal(size=(heads, count)), 3)

    def score(values: tuple[int, ...]) -> float:
        above, kept = values[:heads], [m for m, value in enumerate(values[heads:], 1) if value]
        if heads and sum(above) != 1:
            return -math.inf
        total = sum(sibling[pair] for pair in itertools.pairwise([0, *kept, count + 1]))
        return float(total + sum(grand[above.index(1), m - 1] for m in kept if heads))

    fields = [*([heads] if heads else []), *grand.ravel(), *sibling.values()]
    return (
        line("GRANDPARENT_HEAD_AUTOMATON" if heads else "HEAD_AUTOMATON", heads + count, fields),
        heads + count,
        score,
    )


def compressor(rng: np.random.Generator) -> tuple[str, int, Score]:
    words = int(rng.integers(1, 6))
    pairs = [(a, b) for a in range(words + 1) for b in range(a + 1, words + 2)]
    scores = dict(zip(pairs, np.round(rng.normal(size=len(pairs)), 3), strict=True))

    def score(values: tuple[int, ...]) -> float:
        kept = [word for word, value in enumerate(values[:-1], 1) if value]
        if values[-1] != int(bool(kept)):
            return -math.inf
        return float(sum(scores[pair] for pair in itertools.pairwise([0, *kept, words + 1])))

    return line("SEQUENCE_COMPRESSOR", words + 1, list(scores.values())), words + 1, score


def line(kind: str, degree: int, fields: list[object]) -> str:
    return " ".join([kind, str(degree), *map(str, range(1, degree + 1)), *map(str, fields)])


KINDS: dict[str, Callable[[np.random.Generator], tuple[str, int, Score]]] = {
    "SEQUENCE": lambda rng: sequence(rng, budget=False),
    "SEQUENCE_BUDGET": lambda rng: sequence(rng, budget=True),
    "GENERAL_TREE": lambda rng: tree(rng, counts=False),
    "GENERAL_TREE_COUNTS": lambda rng: tree(rng, counts=True),
    "HEAD_AUTOMATON": lambda rng: automaton(rng, heads=0),
    "GRANDPARENT_HEAD_AUTOMATON": lambda rng: automaton(rng, heads=int(rng.integers(1, 4))),
    "SEQUENCE_COMPRESSOR": compressor,
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_structure_alone(tmp_path: Path, kind: str) -> None:
    """100 random lines: the score of every assignment, and the optimum by a flow and by the factor's own dynamic program."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        text, degree, score = KINDS[kind](rng)
        unary = np.round(rng.normal(size=degree), 3)
        graph = FactorGraph.read(write(tmp_path, "\n".join([str(degree), "1", *map(str, unary), text]) + "\n"))
        best = -math.inf
        for values in itertools.product((0, 1), repeat=degree):
            expected = score(values) + float(unary @ values)
            best = max(best, expected)
            assert graph.objective(values) == pytest.approx(expected), (text, values)
        assert get_solver("ilp-highs").solve(graph).objective == pytest.approx(best, abs=1e-6)
        if seed < 10:
            assert get_solver("ad3").solve(graph).bound == pytest.approx(best, abs=1e-4)


def test_a_knapsack_line_of_ours(tmp_path: Path) -> None:
    for kind in ("KNAPSACK", "KNAPSACK_HULL"):
        graph = FactorGraph.read(write(tmp_path, f"3\n1\n3\n2\n-1\n{kind} 3 1 2 -3 2 3 4 6\n"))
        assert graph.kinds == (kind.lower(),)
        for values in itertools.product((0, 1), repeat=3):
            fits = 2 * values[0] + 3 * values[1] + 4 * (1 - values[2]) <= 6
            assert (graph.objective(values) > -math.inf) == fits


BROKEN = [
    ("ARBORESCENCE 2 1 2", "the line ends where the number of words of the ARBORESCENCE factor was expected"),
    ("ARBORESCENCE 2 1 2 4 0 1 1 2", "expected the number of words from 2 to 3, found 4"),
    ("ARBORESCENCE 2 1 2 999999999999 0 1 1 2", "expected the number of words from 2 to 3, found 999999999999"),
    ("ARBORESCENCE 2 1 2 3 0 1 1", "expected 5 fields after the variables of the ARBORESCENCE factor, found 4"),
    ("ARBORESCENCE 2 1 2 3 0 1 1 5", "expected a word from 0 to 2, found 5"),
    ("ARBORESCENCE 2 1 2 3 1 2 2 1", "the ARBORESCENCE factor cannot be used: word 1 cannot be reached"),
    ("ARBORESCENCE 2 1 -2 3 0 1 1 2", "the ARBORESCENCE factor cannot negate its variables"),
    ("HEAD_AUTOMATON 2 1 2 0 0 0 0 0", "expected 6 fields after the variables of the HEAD_AUTOMATON factor, found 5"),
    ("HEAD_AUTOMATON 1 1 0 0 x", "expected a score, found 'x'"),
    ("HEAD_AUTOMATON 1 1 0 0 inf", "a score must be finite, found 'inf'"),
    ("GRANDPARENT_HEAD_AUTOMATON 2 1 2 3 0 0 0 0", "expected the number of grandparents from 1 to 2, found 3"),
    ("GRANDPARENT_HEAD_AUTOMATON 2 1 2 1 0 0 0", "expected 5 fields after the variables"),
    ("SEQUENCE 2 1 2 0", "expected the number of positions from 1 to 2, found 0"),
    ("SEQUENCE 2 1 2 2 1", "the line ends where a number of states of the SEQUENCE factor was expected"),
    ("SEQUENCE 2 1 2 1 1 0 0", "the SEQUENCE factor has 1 states, but 2 variables for them"),
    ("SEQUENCE 2 1 2 1 2 0 0", "expected 6 fields after the variables of the SEQUENCE factor, found 4"),
    ("SEQUENCE_BUDGET 2 1 2 1 -1 2 0 0 0 0", "expected the budget from 0 to 10"),
    ("SEQUENCE_BUDGET 1 1 1 0 1 0 0", "SEQUENCE_BUDGET factor cannot be used: no sequence has state 0 at most 0 times"),
    ("GENERAL_TREE 2 1 2 2 1 1 0 0 0", "expected the parent of node 0, from -1 to -1, found 0"),
    ("GENERAL_TREE 2 1 2 2 1 1 -1 1 0", "GENERAL_TREE factor cannot be used: node 1 of the tree is not below node 0"),
    ("GENERAL_TREE 2 1 2 2 1 1 -1 0", "expected 6 fields after the variables of the GENERAL_TREE factor, found 5"),
    ("GENERAL_TREE_COUNTS 2 1 2 1 1 -1", "the GENERAL_TREE_COUNTS factor needs a degree of at least 3, not 2"),
    ("SEQUENCE_COMPRESSOR 1 1 0", "needs a degree of at least 2, not 1"),
    ("KNAPSACK 2 1 2 1 1", "expected 3 fields after the variables of the KNAPSACK factor, found 2"),
    ("KNAPSACK 2 1 2 1 -1 3", "the costs and the budget of a KNAPSACK factor must be at least 0"),
    ("KNAPSACK 2 1 2 1 much 3", "expected a cost, found 'much'"),
    ("KNAPSACK_HULL 2 1 2 0.5 1 1", "needs integer costs"),
]


@pytest.mark.parametrize(("factor", "said"), BROKEN)
def test_broken_structures_are_named_by_line(tmp_path: Path, factor: str, said: str) -> None:
    path = write(tmp_path, f"3\n1\n0\n0\n0\n{factor}\n", "broken.fg")
    with pytest.raises(InputError) as caught:
        FactorGraph.read(path)
    assert str(caught.value).startswith(f"{path}, line 6: ")
    assert said in str(caught.value)


def test_a_dynamic_program_has_a_size(tmp_path: Path) -> None:
    """1000 positions with 2 states each and any budget: some 2 million steps."""
    count = 1000
    fields = [count, count, *([2] * count), *([0] * (2 + 4 * (count - 1) + 2))]
    text = "\n".join([str(2 * count), "1", *(["0"] * 2 * count), line("SEQUENCE_BUDGET", 2 * count, fields)])
    with pytest.raises(InputError, match="its dynamic program has more than 1000000 steps"):
        FactorGraph.read(write(tmp_path, text + "\n"))
