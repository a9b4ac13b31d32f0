"""From fractional posteriors to a tree: the best tree with the posteriors as arc scores (section 4; Martins et al. 2009)."""

from __future__ import annotations

from ..linear_program import Floats
from .decode import best_tree
from .instance import ParsingInstance, Tree


def round_tree(instance: ParsingInstance, posteriors: Floats) -> Tree | None:
    """None only where a projective instance has no tree at all."""
    values = posteriors[: len(instance.heads)]
    arcs = best_tree(
        instance.number_of_words, instance.heads, instance.modifiers, values, instance.single_root, instance.projective
    )
    return None if arcs is None else tuple(instance.heads[arcs].tolist())
