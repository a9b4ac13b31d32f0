"""From fractional posteriors to a tree: the best tree with the posteriors as arc scores (section 4; Martins et al. 2009)."""

from __future__ import annotations

from ..linear_program import Floats
from .decode import best_tree
from .instance import ParsingInstance, Tree


def round_tree(instance: ParsingInstance, posteriors: Floats) -> Tree:
    """The tree; every instance has one."""
    values = posteriors[: len(instance.heads)]
    arcs = best_tree(
        instance.number_of_words, instance.heads, instance.modifiers, values, instance.single_root, instance.projective
    )
    assert arcs is not None
    return tuple(instance.heads[arcs].tolist())
