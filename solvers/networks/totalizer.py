"""A knapsack in clauses: the generalised totalizer (Joshi, Martins and Manquinho, CP 2015).

A balanced tree adds the costs of true literals up. Each node has a variable for every sum that its leaves can reach within
the budget, and a clause for each pair of sums below it: both true make their sum true, or are forbidden together if that
exceeds the budget. Costs are not negative, so what exceeds it anywhere exceeds it at the root, and the root needs no
variables. The number of sums is what it costs: few if costs are small, up to 2^n if they are all different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Clause = list[int]
Node = dict[int, int]  # a literal that is true if the leaves' costs sum to this


def at_most(literals: list[int], costs: list[int], budget: int, new_variable: Callable[[], int]) -> Iterator[Clause]:
    """Clauses which say that true literals' costs sum to the budget at most. Costs are above 0, the budget at least 0."""
    leaves: list[Node] = []
    for cost, literal in sorted(zip(costs, literals, strict=True)):  # equal costs side by side share their sums
        if cost > budget:
            yield [-literal]
        else:
            leaves.append({cost: literal})
    while len(leaves) > 2:
        merged: list[Node] = []
        for left, right in zip(leaves[::2], leaves[1::2], strict=False):
            node: Node = {}
            yield from _merge(left, right, budget, node, new_variable)
            merged.append(node)
        leaves = merged + leaves[len(leaves) & ~1 :]
    if len(leaves) == 2:
        yield from _exclude(leaves[0], leaves[1], budget)


def _merge(left: Node, right: Node, budget: int, node: Node, new_variable: Callable[[], int]) -> Iterator[Clause]:
    def output(total: int) -> int:
        if total not in node:
            node[total] = new_variable()
        return node[total]

    for below in (left, right):
        for cost, literal in below.items():
            yield [-literal, output(cost)]
    for cost, literal in left.items():
        for other, partner in right.items():
            if cost + other <= budget:
                yield [-literal, -partner, output(cost + other)]
    yield from _exclude(left, right, budget)


def _exclude(left: Node, right: Node, budget: int) -> Iterator[Clause]:
    for cost, literal in left.items():
        for other, partner in right.items():
            if cost + other > budget:
                yield [-literal, -partner]
