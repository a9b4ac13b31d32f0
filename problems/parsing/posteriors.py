"""Posteriors of parts: what a fractional solution of AD3 consists of, for learners that are trained on the relaxation.

They lie as the scores of their parts do, so that the value of the solution is one inner product. At convergence it is the
relaxation's value (`tests/problems/test_part_posteriors.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..factors.mixtures import Mixtures
from ..linear_program import Floats
from .instance import SCORES, ParsingInstance


@dataclass(frozen=True)
class PartPosteriors:
    arc: Floats
    sibling: Floats = field(repr=False)
    grandparent: Floats = field(repr=False)
    any_sibling: Floats = field(repr=False)
    bigram: Floats = field(repr=False)
    grand_sibling: Floats = field(repr=False)
    tri_sibling: Floats = field(repr=False)

    def value(self, instance: ParsingInstance) -> float:
        """The score of the mixture."""
        return sum(float(getattr(instance, name) @ getattr(self, name.removesuffix("_scores"))) for name in SCORES)


def part_posteriors(instance: ParsingInstance, averages: Floats, mixtures: Mixtures) -> PartPosteriors | None:
    """The posteriors of a solution in the decomposition into large factors.

    None where a factor's active set was so full that configurations were joined: then it no longer says which parts they had.
    """
    from ..kernels.part_posteriors import weigh_parts

    if instance.order == "1" or instance.decomposition != "large":
        raise ValueError("only higher orders in the decomposition into large factors have posteriors of parts.")
    automata = instance.automata
    found = PartPosteriors(averages, *(np.zeros(len(getattr(instance, name))) for name in SCORES[1:]))
    whole = weigh_parts(
        automata.incoming_starts,
        automata.outgoing_counts,
        automata.outgoing,
        instance.tri_sibling_scores,
        instance.any_sibling_arcs,
        instance.any_sibling_scores,
        instance.order == "3",
        instance.order in ("2+", "3") and instance.number_of_words > 1,
        averages,
        *mixtures,
        found.sibling,
        found.grandparent,
        found.any_sibling,
        found.bigram,
        found.grand_sibling,
        found.tri_sibling,
    )
    return found if whole else None
