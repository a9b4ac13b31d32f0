"""What AD3 does to a graph before the first iteration, on flat arrays of the whole graph and in compiled code.

Equal variables are merged (`presolve` says which), conjunctions shortened (`conjunctions`), and outputs that nothing else links
maximized out (`elimination`). A small problem is solved in less time than numpy calls for each of these steps would take.
`tests/support/presolve_reference.py` is the same in numpy; both agree to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problems.factor_graph import FactorGraph
from problems.factors.budget import Budget, Knapsack
from problems.factors.coverage import Coverage
from problems.factors.flat import FlatFactors, flatten
from problems.factors.logic import OrOut
from problems.factors.subtree import Subtree
from problems.kernels.elimination import eliminate, shorten_factors
from problems.kernels.merging import Factors, add_up_budgets, merge_factors, merge_variables
from problems.kernels.reductions import find_rising, shorten_conjunctions
from problems.linear_program import Floats, Integers

from .elimination import Eliminated


@dataclass
class Reduced:
    """What is left of a graph, and how its variables are found again."""

    flat: FlatFactors
    scores: Floats
    merged_scores: Floats  # with those of eliminated variables, which `scores` has as 0
    variable_of: Integers  # what each variable of the graph has become
    eliminated: Eliminated


@dataclass
class _Factors:
    """Factors on their way through presolve: arrays that may be longer than what is in use, and how many factors there are."""

    arrays: Factors
    counts: dict[str, int]  # by kind, in their order
    as_knapsacks: bool  # are the budgets knapsacks?
    degrees: Integers  # links of each variable
    parents: Integers  # the variable above each one in a tree, -1 for all others

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    @property
    def disjunctions(self) -> tuple[int, int]:
        """The first or_out, and the factor after the last."""
        first = 0
        for kind, count in self.counts.items():
            if kind == OrOut.kind:
                return first, first + count
            first += count
        return 0, 0


def reduce_graph(graph: FactorGraph) -> Reduced:
    """Merge equal variables, shorten conjunctions and maximize out every output that nothing else links."""
    factors, merged_scores, variable_of = _merge(graph)
    scores = merged_scores.copy()
    if Subtree.kind in factors.counts and factors.counts.get(OrOut.kind):
        _shorten(factors, merged_scores, variable_of, scores)
    flat, eliminated = _eliminate(factors, scores)
    return Reduced(flat, scores, merged_scores, variable_of, eliminated)


def _merge(graph: FactorGraph) -> tuple[_Factors, Floats, Integers]:
    """The factors over merged variables, the scores of these, and what each variable has become."""
    flat = flatten(graph.blocks) if graph.flat is None else graph.flat
    given, variables, links = Factors(*flat[2:]), graph.number_of_variables, len(flat.variables)
    counts = dict(zip(flat.kinds, flat.counts, strict=True))
    tops, literals, amounts = np.empty((3, links), dtype=np.int64)
    distinct = np.empty(len(flat.codes), dtype=np.int64)
    variable_of, totals = np.empty(variables, dtype=np.int64), np.empty(variables)
    left = merge_variables(given, graph.scores, np.zeros(variables), tops, variable_of, totals)
    as_knapsacks = False
    if left < variables and Budget.kind in counts:
        places, owners = np.zeros(2 * left + 1, dtype=np.int64), np.empty(links, dtype=np.int64)
        links_of = given.codes, given.link_starts, given.variables, given.negated
        as_knapsacks = add_up_budgets(*links_of, variable_of, places, owners, literals, amounts, distinct)
    degrees, parents = np.empty((2, left), dtype=np.int64)
    made = _room(given)
    summed = literals, amounts, distinct
    factors = merge_factors(given, tops, variable_of, as_knapsacks, *summed, degrees, parents, made)
    if factors < len(flat.codes):
        counts[OrOut.kind] -= len(flat.codes) - factors
    return _Factors(made, counts, as_knapsacks, degrees, parents), totals[:left], variable_of


def _shorten(factors: _Factors, merged_scores: Floats, variable_of: Integers, scores: Floats) -> None:
    """Shorten conjunctions in place; `variable_of` and `scores` are those of the variables afterwards."""
    arrays, (first, end), count = factors.arrays, factors.disjunctions, len(scores)
    starts, variables, negated = arrays.link_starts[first : end + 1], arrays.variables, arrays.negated
    links, conjunctions = np.zeros((2, count), dtype=np.int64)
    rising, kept = np.empty(count, dtype=np.bool_), np.empty(len(variables), dtype=np.bool_)
    equal = np.empty(end - first, dtype=np.int64)
    find_rising(starts, variables, negated, factors.degrees, merged_scores, links, conjunctions, rising)
    shorten_conjunctions(starts, variables, negated, factors.parents, rising, kept, equal)
    becomes, degrees = np.arange(count), factors.degrees
    found = kept, equal, degrees, becomes
    left = shorten_factors(arrays, factors.count, first, end, *found, variable_of, merged_scores, scores)
    factors.counts[OrOut.kind] -= factors.count - left


def _eliminate(factors: _Factors, scores: Floats) -> tuple[FlatFactors, Eliminated]:
    """What is left without the outputs that nothing else links, whose scores are set to 0, and these outputs."""
    first, end = factors.disjunctions
    arrays, count, most = factors.arrays, factors.count, end - first
    starts, outputs = np.empty(most + 1, dtype=np.int64), np.empty(most, dtype=np.int64)
    alike, places = np.empty((2, most), dtype=np.int64)
    inverted, lone = np.empty((2, most), dtype=np.bool_)
    literals, worth = np.empty(len(arrays.variables), dtype=np.int64), np.empty(most)
    table = np.full(1 << (2 * most + 15).bit_length(), -1, dtype=np.int64)
    inputs = starts, literals, worth, outputs, inverted
    work = lone, table, alike, places
    taken, others, coverages = eliminate(arrays, count, first, end, factors.degrees, scores, *inputs, *work)
    if taken:
        factors.counts[OrOut.kind] -= count - others
    starts = starts[: taken + 1]
    found = Eliminated(outputs[:taken], inverted[:taken], starts, literals[: starts[-1]], worth[:taken])
    names = {Budget.kind: Knapsack.kind} if factors.as_knapsacks else {}
    kinds = [(names.get(kind, kind), count) for kind, count in factors.counts.items()]
    return _filled([*kinds, (Coverage.kind, coverages)], arrays), found


def _room(given: Factors) -> Factors:
    """Arrays for what presolve may make of these factors: budgets that become knapsacks have a cost per link."""
    factors, links = len(given.codes), len(given.variables)
    link_starts, int_starts, float_starts = np.empty((3, factors + 1), dtype=np.int64)
    return Factors(
        codes=np.empty(factors, dtype=np.int64),
        link_starts=link_starts,
        variables=np.empty(links, dtype=np.int64),
        negated=np.empty(links, dtype=np.bool_),
        int_starts=int_starts,
        ints=np.empty(len(given.ints), dtype=np.int64),
        float_starts=float_starts,
        floats=np.empty(len(given.floats) + links + factors),
    )


def _filled(kinds: list[tuple[str, int]], made: Factors) -> FlatFactors:
    """The part of the arrays that has been written, with so many factors of each kind."""
    kinds = [(kind, count) for kind, count in kinds if count]
    factors = sum(count for _, count in kinds)
    links, ints, floats = made.link_starts[factors], made.int_starts[factors], made.float_starts[factors]
    return FlatFactors(
        kinds=tuple(kind for kind, _ in kinds),
        counts=tuple(count for _, count in kinds),
        codes=made.codes[:factors],
        link_starts=made.link_starts[: factors + 1],
        variables=made.variables[:links],
        negated=made.negated[:links],
        int_starts=made.int_starts[: factors + 1],
        ints=made.ints[:ints],
        float_starts=made.float_starts[: factors + 1],
        floats=made.floats[:floats],
    )
