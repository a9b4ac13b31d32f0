"""The last step of AD3's presolve, for compressive summaries: trees and budget become one factor, and so do concepts and tokens.

- **Trees and budget.** The hub (`problems.kernels.hub`) is the largest budget *and* all subtree factors, so averages are within the
  trees and the budget at every iteration. AD3 would otherwise have the two agree on every word.
- **Coverages of pairs.** A token that is the conjunction of two words and part of one concept only is maximized out: the concept's
  coverage then links the words themselves.

What is left of a summary is a hub and coverages of its variables, as on extraction, and the budget of sentences. Both steps keep the
relaxation: a factor's polytope is the intersection of what it is made of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problems.factors.budget import Budget, Knapsack
from problems.factors.coverage import Coverage
from problems.factors.flat import FlatFactors
from problems.factors.joined import PairCoverage, TreeBudget
from problems.factors.logic import OrOut
from problems.factors.subtree import Subtree
from problems.kernels.codes import BUDGET, KNAPSACK
from problems.kernels.joining import find_budget, find_pairs, join_trees, keep_factors
from problems.kernels.merging import Factors
from problems.linear_program import Floats

from .elimination import Eliminated


@dataclass
class Joined:
    """What is left, and the tokens that are not: outputs that `Eliminated.restore` finds again."""

    flat: FlatFactors
    tokens: Eliminated


def join(flat: FlatFactors, scores: Floats) -> Joined | None:
    """Join trees and budget, and take pairs of words into their concepts. None if there are no trees with a budget to join."""
    if Subtree.kind not in flat.kinds:
        return None
    factors, variables = Factors(*flat[2:]), len(scores)
    places, pair_of = np.full((2, variables), -1, dtype=np.int64)
    budget, nodes, others = find_budget(factors, places, np.zeros(variables, dtype=np.bool_))
    if budget < 0:
        return None
    pairs = find_pairs(factors, scores, np.zeros(variables, dtype=np.int64), pair_of)
    made = _room(flat)
    tokens, literals, signs = np.empty(pairs, dtype=np.int64), np.empty(2 * pairs, dtype=np.int64), np.empty(pairs)
    size = nodes + others
    stay, covers, budgets = keep_factors(factors, budget, size, pair_of, made, tokens, literals, signs)
    join_trees(factors, budget, size, places, made, stay + covers + budgets)
    counts = dict(zip(flat.kinds, flat.counts, strict=True))
    counts[Subtree.kind] = 0
    for kind, code in ((Budget.kind, BUDGET), (Knapsack.kind, KNAPSACK)):
        if kind in counts:
            counts[kind] = int(np.count_nonzero(made.codes[:stay] == code))
    if pairs:
        counts[OrOut.kind] -= pairs
        counts[Coverage.kind] -= covers
    counts |= {PairCoverage.kind: covers, TreeBudget.kind: budgets + 1}
    total = stay + covers + budgets + 1
    links, ints, floats = made.link_starts[total], made.int_starts[total], made.float_starts[total]
    kinds = [(kind, count) for kind, count in counts.items() if count]
    found = FlatFactors(
        kinds=tuple(kind for kind, _ in kinds),
        counts=tuple(count for _, count in kinds),
        codes=made.codes[:total],
        link_starts=made.link_starts[: total + 1],
        variables=made.variables[:links],
        negated=made.negated[:links],
        int_starts=made.int_starts[: total + 1],
        ints=made.ints[:ints],
        float_starts=made.float_starts[: total + 1],
        floats=made.floats[:floats],
    )
    # a token is no true literal of its or_out: at most the least of its words, which is what a positive concept makes of it
    inverted, starts = np.ones(pairs, dtype=np.bool_), np.arange(0, 2 * pairs + 1, 2)
    return Joined(found, Eliminated(tokens, inverted, starts, literals, -signs))


def _room(flat: FlatFactors) -> Factors:
    """Arrays for what may be made of these factors: coverages get an int per link, and the trees a cost per node."""
    factors, links = len(flat.codes) + 1, 2 * len(flat.variables)
    link_starts, int_starts, float_starts = np.empty((3, factors + 1), dtype=np.int64)
    return Factors(
        codes=np.empty(factors, dtype=np.int64),
        link_starts=link_starts,
        variables=np.empty(links, dtype=np.int64),
        negated=np.empty(links, dtype=np.bool_),
        int_starts=int_starts,
        ints=np.empty(len(flat.ints) + links, dtype=np.int64),
        float_starts=float_starts,
        floats=np.empty(len(flat.floats) + links + factors),
    )
