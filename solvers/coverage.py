"""Factor graphs that are coverage problems: recognised from their factors, whatever task they come from.

A graph is one if, after merging equal variables (`presolve`),

- its units are the variables of subtree, budget and knapsack factors, none of them negated and each in at most one tree,
- its tokens are outputs of and_out over units, and of nothing else,
- its concepts are outputs of or_out over tokens and units, in no other factor,
- one budget or knapsack limits units; a second one may limit the number of roots.

Concepts may cost something, as a learned model has it, but not too much: their part of the search's bound is weaker than that of
the linear relaxation. Extraction and compressive summarization by concept coverage are such graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.block import Block, Booleans, runs, starts_of
from problems.factors.budget import COST_TOLERANCE, Budget, Knapsack
from problems.factors.logic import OrOut
from problems.factors.subtree import Subtree
from problems.linear_program import Floats, Integers

from .presolve import Merged, merge_equal

MOST_COST = 0.1  # of concepts of negative worth, as a share of what all others are worth


@dataclass(frozen=True)
class _Gates:
    """Factors with an output, of one sort: outputs, and the inputs of all."""

    outputs: Integers
    starts: Integers
    inputs: Integers

    def values(self, operation: np.ufunc, values: Floats) -> Floats:
        return operation.reduceat(values[self.inputs], self.starts[:-1]) if len(self.outputs) else np.zeros(0)


@dataclass(frozen=True)
class Limit:
    variables: Integers
    costs: Floats
    budget: float


@dataclass(frozen=True)
class Coverage:
    """A coverage problem: units in their order, concepts with their tokens, and the way back to the graph."""

    units: Integers  # merged variables
    parents: Integers
    scores: Floats
    costs: Floats
    room: float
    roots: int  # that may be kept
    worths: Floats
    concept_starts: Integers
    token_starts: Integers
    token_units: Integers
    tokens: Integers  # merged variables, as `outputs`
    outputs: Integers  # of the concepts that have a variable of their own: the first ones
    constant: float
    merged: Merged
    conjunctions: _Gates
    disjunctions: _Gates

    @property
    def is_flat(self) -> bool:
        """Is every unit a root? Then every token is a unit too, or joins whole trees."""
        return bool((self.parents < 0).all())

    def assignment(self, kept: Booleans) -> Floats:
        """The graph's 0/1 values for these units."""
        values = (self.merged.scores > 0).astype(np.float64)  # of variables without factors
        values[self.units] = kept
        values[self.conjunctions.outputs] = self.conjunctions.values(np.minimum, values)
        values[self.disjunctions.outputs] = self.disjunctions.values(np.maximum, values)
        return values[self.merged.variable_of]


def recognize(graph: FactorGraph) -> Coverage | None:
    """The coverage problem that a graph is, or None."""
    if not set(graph.kinds) <= {Subtree.kind, OrOut.kind, Budget.kind, Knapsack.kind} or not graph.number_of_variables:
        return None
    merged = merge_equal(graph)
    gates = [block for block in merged.blocks if isinstance(block, OrOut)]
    trees = [block for block in merged.blocks if isinstance(block, Subtree)]
    bounds = [block for block in merged.blocks if isinstance(block, (Budget, Knapsack))]
    if any(block.negated.any() for block in (*trees, *bounds)):
        return None
    split = _split(gates)
    if split is None:
        return None
    conjunctions, disjunctions = split
    count = len(merged.scores)
    limits = _limits(bounds, count)
    forest = _forest(trees, count)
    if forest is None:
        return None
    in_order, above = forest
    is_token, is_concept, is_unit = (np.zeros(count, dtype=bool) for _ in range(3))
    is_token[conjunctions.outputs] = True
    is_concept[disjunctions.outputs] = True
    is_unit[in_order] = True
    for limit in limits:
        is_unit[limit.variables] = True
    is_unit[conjunctions.inputs] = True
    is_unit[disjunctions.inputs] |= ~is_token[disjunctions.inputs]
    once = (
        np.bincount(np.concatenate([conjunctions.outputs, disjunctions.outputs]), minlength=count).max(initial=0) <= 1
    )
    if not once or (is_unit & (is_token | is_concept)).any() or is_concept[disjunctions.inputs].any():
        return None
    single = is_unit.copy()
    single[in_order] = False
    units = np.concatenate([in_order, np.flatnonzero(single)])
    parents = np.concatenate([above, np.full(len(units) - len(above), -1)])
    place = np.full(count, -1)
    place[units] = np.arange(len(units))
    limited = _assign_limits(limits, place, parents)
    if limited is None:
        return None
    costs, room, roots = limited
    rewards = _rewards(merged.scores, conjunctions, disjunctions, is_token, place, parents)
    if _costs_much(*rewards[:3]):
        return None
    lone = np.ones(count, dtype=bool)
    lone[is_unit | is_token | is_concept] = False
    constant = graph.constant + float(np.maximum(merged.scores[lone], 0.0).sum())
    return Coverage(
        units, parents, merged.scores[units], costs, room, roots, *rewards, constant, merged, conjunctions, disjunctions
    )


def _split(blocks: list[OrOut]) -> tuple[_Gates, _Gates] | None:
    """The and_outs (or_outs with every literal negated) and the or_outs; None where only some literals are negated."""
    found: list[list[tuple[Integers, Integers, Integers]]] = [[], []]
    for block in blocks:
        negated = block.sums(block.negated.astype(np.float64))
        if not np.isin(negated / np.maximum(block.degrees, 1), (0.0, 1.0)).all():
            return None
        for sort, chosen in enumerate((negated > 0, negated == 0)):
            part = block.take(np.flatnonzero(chosen))
            lengths = part.degrees - 1
            found[sort].append(
                (part.variables[part.starts[1:] - 1], lengths, part.variables[runs(part.starts[:-1], lengths)])
            )
    return _gates(found[0]), _gates(found[1])


def _gates(parts: list[tuple[Integers, Integers, Integers]]) -> _Gates:
    outputs, lengths, inputs = (
        np.concatenate([part[k] for part in parts] or [np.zeros(0, dtype=np.int64)]).astype(np.int64) for k in range(3)
    )
    return _Gates(outputs, starts_of(lengths), inputs)


def _forest(blocks: list[Subtree], count: int) -> tuple[Integers, Integers] | None:
    """The trees' variables in their order and each one's parent (a place in that order); None if trees share a variable."""
    variables = np.concatenate([block.variables for block in blocks] or [np.zeros(0, dtype=np.int64)])
    if np.bincount(variables, minlength=count).max(initial=0) > 1:
        return None
    parents, before = [np.zeros(0, dtype=np.int64)], 0
    for block in blocks:
        above = block.parents
        parents.append(np.where(above < 0, -1, above + before))
        before += len(above)
    return variables.astype(np.int64), np.concatenate(parents).astype(np.int64)


def _limits(blocks: Sequence[Block], count: int) -> list[Limit]:
    """Every budget and knapsack that says something."""
    limits = []
    for block in blocks:
        for factor in range(len(block)):
            links = slice(int(block.starts[factor]), int(block.starts[factor + 1]))
            variables = block.variables[links]
            if isinstance(block, Budget):
                costs, budget = np.ones(len(variables)), float(block.ints[factor])
            else:
                first = int(block.float_starts[factor])
                costs = block.floats[first + 1 : int(block.float_starts[factor + 1])]
                budget = float(block.floats[first]) * (1.0 + COST_TOLERANCE)
            if costs.sum() > budget:
                totals = np.bincount(variables, weights=costs, minlength=count).astype(np.float64)
                present = np.unique(variables)
                limits.append(Limit(present, totals[present], budget))
    return limits


def _assign_limits(limits: list[Limit], place: Integers, parents: Integers) -> tuple[Floats, float, int] | None:
    """Costs and budget of the units, and how many roots there may be; None where the limits are of another form."""
    roots = np.flatnonzero(parents < 0)
    costs, room, most = np.zeros(len(parents)), 0.0, len(roots)
    of_roots = [
        k
        for k, limit in enumerate(limits)
        if len(limit.variables) == len(roots)
        and (parents[place[limit.variables]] < 0).all()
        and (limit.costs == 1.0).all()
    ]
    if len(limits) > 2 or (len(limits) == 2 and not of_roots):
        return None
    if len(limits) == 2:
        most = int(limits[of_roots[0]].budget)
        limits = [limits[1 - of_roots[0]]]
    for limit in limits:
        costs[place[limit.variables]] = limit.costs
        room = limit.budget
    return costs, room, most


def _costs_much(worths: Floats, concept_starts: Integers, token_starts: Integers) -> bool:
    """Do concepts of negative worth weigh too much, leaving out those that are one unit, whose bound is exact?"""
    single = np.diff(concept_starts) == 1
    single[single] = np.diff(token_starts)[concept_starts[:-1][single]] == 1
    return bool(-worths[(worths < 0) & ~single].sum() > MOST_COST * np.maximum(worths, 0.0).sum())


def _rewards(
    scores: Floats, conjunctions: _Gates, disjunctions: _Gates, is_token: Booleans, place: Integers, parents: Integers
) -> tuple[Floats, Integers, Integers, Integers, Integers, Integers]:
    """Worths, each concept's tokens and each token's units, and the variables of both; a token with a score of its own is also a concept."""
    from problems.kernels.coverage import mark_minimal

    gate = np.full(len(scores), -1)  # the conjunction that makes a token
    gate[conjunctions.outputs] = np.arange(len(conjunctions.outputs))
    own = np.flatnonzero(is_token & (scores != 0))
    worthy = np.flatnonzero(scores[disjunctions.outputs])
    sizes = np.diff(disjunctions.starts)[worthy]
    tokens = np.concatenate([disjunctions.inputs[runs(disjunctions.starts[worthy], sizes)], own])
    worths = np.concatenate([scores[disjunctions.outputs[worthy]], scores[own]])
    concept_starts = starts_of(np.concatenate([sizes, np.ones(len(own), dtype=np.int64)]))
    made = gate[tokens] >= 0
    lengths = np.ones(len(tokens), dtype=np.int64)
    lengths[made] = np.diff(conjunctions.starts)[gate[tokens[made]]]
    token_starts = starts_of(lengths)
    variables = np.empty(token_starts[-1], dtype=np.int64)
    variables[token_starts[:-1][~made]] = tokens[~made]
    variables[runs(token_starts[:-1][made], lengths[made])] = conjunctions.inputs[
        runs(conjunctions.starts[gate[tokens[made]]], lengths[made])
    ]
    token_units = place[variables]
    needed = np.zeros(len(token_units), dtype=bool)
    mark_minimal(parents, token_starts, token_units, needed)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    token_starts = starts_of(np.bincount(owner[needed], minlength=len(lengths)))
    return worths, concept_starts, token_starts, token_units[needed], tokens, disjunctions.outputs[worthy]
