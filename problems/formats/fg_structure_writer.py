"""Structured factors as lines of a `.fg` file, by AD3's words where there are any.

- A deletable subtree is linear: its scores go to its variables, and each arc is an OR (a child needs its parent) or, if it is
  undeletable, an XOR (both or none). The polytope is the same.
- A tree with a single root is an ARBORESCENCE and a XOR of the arcs from the root symbol. Every tree has at least one such
  arc, so that is a face of the trees' polytope, hence the same polytope.
- An automaton with grandparents is a GRANDPARENT_HEAD_AUTOMATON if its scores are sums of one for two siblings and one for
  grandparent and modifier; scores of all three have no word. AD3 does not forbid a modifier that is the grandparent, so an
  ATMOSTONE does: the same 0/1 points, but a relaxation that may be looser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..errors import InputError
from ..factors import Block
from ..factors.automata import GrandSiblings, HeadBigrams
from ..factors.subtree import Subtree
from ..factors.trees import Arborescence
from ..linear_program import Floats, Integers

ROUNDING = 1e-12  # of an automaton's largest score: sums of two scores that are equal up to their last digits


def _numbers(values: Floats) -> list[str]:
    return [repr(value) for value in values.tolist()]


def _one_based(block: Block, factor: int) -> list[int]:
    return (block.variables[block.starts[factor] : block.starts[factor + 1]] + 1).tolist()


def _line(*fields: object) -> str:
    return " ".join(map(str, fields))


def _subtrees(block: Block, scores: Floats) -> Iterator[str]:
    assert isinstance(block, Subtree)
    links, worth = block.linear_scores()
    np.add.at(scores, block.variables[links], worth)
    parents = block.parents
    for child in np.flatnonzero(parents >= 0).tolist():
        low, high = int(block.variables[child]) + 1, int(block.variables[parents[child]]) + 1
        yield _line("XOR", 2, low, -high) if block.undeletable[child] else _line("OR", 2, -low, high)


def _arborescences(block: Block, scores: Floats) -> Iterator[str]:
    assert isinstance(block, Arborescence)
    for factor in range(len(block)):
        tree, arcs = block.parameters(factor), _one_based(block, factor)
        ends = np.stack([tree.heads, tree.modifiers], axis=1).ravel().tolist()
        yield _line("ARBORESCENCE", len(arcs), *arcs, tree.words + 1, *ends)
        if tree.single_root:
            roots = [arc for arc, head in zip(arcs, tree.heads.tolist(), strict=True) if head == 0]
            yield _line("XOR", len(roots), *roots)


def _automata(block: Block, scores: Floats) -> Iterator[str]:
    assert isinstance(block, GrandSiblings)
    for factor in range(len(block)):
        arcs, parameters, table = _one_based(block, factor), block.parameters(factor), block.table(factor)
        incoming = int(parameters[0])
        if not incoming:
            yield _line("HEAD_AUTOMATON", len(arcs), *arcs, *_numbers(table))
            continue
        sibling, grandparent, end = _separate(table.reshape(incoming, -1), parameters)
        np.add.at(scores, np.array(arcs[:incoming]) - 1, end)
        yield _line(
            "GRANDPARENT_HEAD_AUTOMATON",
            len(arcs),
            *arcs,
            incoming,
            *_numbers(grandparent.ravel()),
            *_numbers(sibling),
        )
        for i, excluded in enumerate(parameters[2:].tolist()):
            if excluded >= 0:
                yield _line("ATMOSTONE", 2, arcs[i], arcs[incoming + excluded])


def _separate(triangles: Floats, parameters: Integers) -> tuple[Floats, Floats, Floats]:
    """Scores [incoming, siblings] as sums: of siblings, of [incoming, modifier], and of each incoming arc at the end."""
    incoming, end = (int(value) for value in parameters[:2])
    excluded = parameters[2:]
    _, later = np.triu_indices(end + 1)
    sibling, grandparent = np.zeros(triangles.shape[1]), np.zeros((incoming, end + 1))
    for modifier in range(end + 1):
        heads, places = np.flatnonzero(excluded != modifier), np.flatnonzero(later == modifier)
        if len(heads):
            sibling[places] = triangles[heads[0], places]
            grandparent[heads, modifier] = triangles[heads, places[0]] - triangles[heads[0], places[0]]
    made = sibling + grandparent[:, later]
    off = np.where(excluded[:, None] != later, np.abs(made - triangles), 0.0)
    if off.max() > ROUNDING * np.abs(triangles).max():
        raise InputError("the .fg format cannot say scores of grandparent and two siblings together.")
    return sibling, grandparent[:, :end], grandparent[:, end]


def _sequences(block: Block, scores: Floats) -> Iterator[str]:
    assert isinstance(block, HeadBigrams)
    for factor in range(len(block)):
        arcs, sizes = _one_based(block, factor), block.sizes(factor)
        first, last = ["0.0"] * sizes[0], ["0.0"] * sizes[-1]
        fields = [len(sizes), *sizes, *first, *_numbers(block.table(factor)), *last]
        yield _line("SEQUENCE", len(arcs), *arcs, *fields)


STRUCTURE_WRITERS: dict[str, Callable[[Block, Floats], Iterator[str]]] = {
    "subtree": _subtrees,
    "arborescence": _arborescences,
    "grand_siblings": _automata,
    "head_bigrams": _sequences,
}
