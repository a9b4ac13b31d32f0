"""AD3's structured factors: trees, head automata, sequences and labelled trees. What follows the variables on a line:

    ARBORESCENCE                 number of words with the root symbol, then head and modifier of each variable (0 is the root)
    HEAD_AUTOMATON               scores of consecutive modifiers a < b: (0, 1), (0, 2), ..., (0, n + 1), (1, 2), ...; 0 is the
                                 start, n + 1 the end, and the variables are the arcs to modifiers 1 to n, outward
    GRANDPARENT_HEAD_AUTOMATON   number of grandparents (their arcs come first), scores [grandparent, modifier], then as above
    SEQUENCE                     number of positions, the number of states of each, scores of the first states, of all pairs of
                                 neighbours [left, right], of the last states
    SEQUENCE_BUDGET              the same, with the budget after the number of positions: so often may state 0 occur
    GENERAL_TREE                 number of nodes, the number of states of each, parents (-1 for node 0, the root), then scores
                                 [state of the parent, state of the node] for nodes 1, 2, ...
    GENERAL_TREE_COUNTS          the same; one more variable for each of 0, 1, ..., n occurrences of state 0
    SEQUENCE_COMPRESSOR          scores as of a head automaton; the last variable is true unless no other one is

Variables of sequences and trees are the states, one position after the other. In all, exactly one state of each is true.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Floats, Integers
from .fg_forests import compressor_forest, sequence_forest, tree_forest
from .fg_lines import Fields


def add_structure(graph: FactorGraph, kind: str, variables: Integers, fields: Fields) -> None:
    """Add one of the factors above; what the graph itself refuses is said with the line's number."""
    try:
        STRUCTURES[kind](graph, variables, fields)
    except InputError as error:
        said = str(error)
        if said.startswith(str(fields.lines.path)):
            raise
        fields.lines.fail(f"the {kind} factor cannot be used: {said}")


def _arborescence(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    words = fields.integer("the number of words", 2, len(variables) + 1) - 1
    fields.expect(1 + 2 * len(variables))
    ends = np.array(fields.integers(2 * len(variables), "a word", 0, words)).reshape(-1, 2)
    graph.add_arborescence(variables, ends[:, 0], ends[:, 1], words)


def _head_automaton(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    _add_automaton(graph, variables[:0], variables, fields)


def _grandparent_head_automaton(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    count = fields.integer("the number of grandparents", 1, len(variables))
    _add_automaton(graph, variables[:count], variables[count:], fields)


def _add_automaton(graph: FactorGraph, incoming: Integers, outgoing: Integers, fields: Fields) -> None:
    heads, count = len(incoming), len(outgoing)
    scores = fields.rest(heads * count + _triangle_size(count + 1))
    grandparent, sibling = np.split(scores, [heads * count])
    words = np.arange(heads + count)  # all different: AD3 lets a grandparent be a modifier, too
    graph.add_grand_siblings(
        incoming,
        outgoing,
        words[:heads],
        words[heads:],
        _square(sibling, count + 1),
        grandparent.reshape(heads, count),
    )


def _triangle_size(side: int) -> int:
    return side * (side + 1) // 2


def _square(triangle: Floats, side: int) -> Floats:
    """Scores of (0, 1), (0, 2), ... as [a, b - 1]."""
    square = np.zeros((side, side))
    square[np.triu_indices(side)] = triangle
    return square


def _sizes(fields: Fields, positions: int, degree: int) -> list[int]:
    sizes = fields.integers(positions, "a number of states", 1, degree)
    if sum(sizes) != degree:
        fields.lines.fail(f"the {fields.kind} factor has {sum(sizes)} states, but {degree} variables for them.")
    return sizes


def _sequence(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    sizes = _sizes(fields, fields.integer("the number of positions", 1, len(variables)), len(variables))
    scores = fields.rest(sizes[0] + sizes[-1] + sum(a * b for a, b in itertools.pairwise(sizes)))
    first, inner, last = np.split(scores, [sizes[0], len(scores) - sizes[-1]])
    graph.add_scores(variables[: sizes[0]], first)  # exactly one of these is true, so their scores are theirs
    graph.add_scores(variables[-sizes[-1] :], last)
    graph.add_head_bigram_arrays(sizes, variables, inner)


def _sequence_budget(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    positions = fields.integer("the number of positions", 1, len(variables))
    budget = min(fields.integer("the budget", 0, 10**18), positions)
    sizes = _sizes(fields, positions, len(variables))
    shapes = list(itertools.pairwise([1, *sizes, 1]))
    scores = fields.rest(sum(left * right for left, right in shapes))
    graph.add_derivation(variables, sequence_forest(sizes, _tables(scores, shapes), budget))


def _general_tree(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    counted = fields.kind == "GENERAL_TREE_COUNTS"
    most = (len(variables) - 1) // 2 if counted else len(variables)  # each node has a state, and a count beside it
    nodes = fields.integer("the number of nodes", 1, most)
    sizes = _sizes(fields, nodes, len(variables) - (nodes + 1 if counted else 0))
    parents = fields.integers(1, "the parent of node 0,", -1, -1)
    parents += fields.integers(nodes - 1, "a parent", 0, nodes - 1)
    shapes = [(0, 0), *((sizes[parents[node]], sizes[node]) for node in range(1, nodes))]
    scores = fields.rest(sum(above * own for above, own in shapes))
    graph.add_derivation(variables, tree_forest(sizes, parents, _tables(scores, shapes), counted))


def _tables(scores: Floats, shapes: list[tuple[int, int]]) -> list[Floats]:
    """Consecutive tables of these shapes."""
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(scores, ends[:-1]), shapes, strict=True)]


def _sequence_compressor(graph: FactorGraph, variables: Integers, fields: Fields) -> None:
    words = len(variables) - 1
    scores = np.zeros((words + 2, words + 2))
    scores[:-1, 1:] = _square(fields.rest(_triangle_size(words + 1)), words + 1)
    graph.add_derivation(variables, compressor_forest(words, scores))


STRUCTURES: dict[str, Callable[[FactorGraph, Integers, Fields], None]] = {
    "ARBORESCENCE": _arborescence,
    "HEAD_AUTOMATON": _head_automaton,
    "GRANDPARENT_HEAD_AUTOMATON": _grandparent_head_automaton,
    "SEQUENCE": _sequence,
    "SEQUENCE_BUDGET": _sequence_budget,
    "GENERAL_TREE": _general_tree,
    "GENERAL_TREE_COUNTS": _general_tree,
    "SEQUENCE_COMPRESSOR": _sequence_compressor,
}
