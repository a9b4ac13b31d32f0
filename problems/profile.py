"""What can be told of an instance before it is solved, at far less cost: what kind of problem it is, and how large.

`Task.profile` makes one. Recorded runs of one variant say little of another (`order 1` and `order 3`); within a variant, times follow
the measures. Whoever writes a task need not do anything: the default counts the variables, factors and links of its graph.
"""

from __future__ import annotations

from typing import NamedTuple

from .factor_graph import FactorGraph


class Profile(NamedTuple):
    """`variant` names the model; `measures` are sizes of at least 0, the one that readers know best first."""

    task: str
    variant: str
    measures: dict[str, float]


def graph_profile(task: str, graph: FactorGraph) -> Profile:
    """Of any factor graph: the kinds of its factors, and how many variables, factors and links there are."""
    blocks = [block for block in graph.blocks if len(block)]
    kinds = "+".join(sorted(block.kind for block in blocks)) or "no factors"
    factors, links = sum(map(len, blocks)), sum(len(block.variables) for block in blocks)
    return Profile(task, kinds, {"variables": graph.number_of_variables, "factors": factors, "links": links})
