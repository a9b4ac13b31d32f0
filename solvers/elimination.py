"""Outputs that nothing else links are maximized out before AD3 starts, and factors that then say the same become one.

An `or_out` (or, negated, an `and_out`) whose output has no other link leaves its score with the factor: `coverage`, a concave function
of the inputs. AD3 would draw the output to where it was in every iteration; without it there are fewer links and larger
steps. Coverages of the same literals, concepts that occur in the same sentences, add up if their scores have one sign. Both are
exact: the relaxation over the other variables stays the same, and so does its optimum.

`compiled_presolve` does it; this is how the eliminated outputs are found again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problems.factors.block import Booleans
from problems.linear_program import Floats, Integers


@dataclass(frozen=True)
class Eliminated:
    """Outputs that were maximized out. They keep their numbers, and have neither links nor scores."""

    outputs: Integers
    inverted: Booleans  # is the output the negation of the coverage?
    starts: Integers  # of each output's inputs in `literals`
    literals: Integers  # twice a variable, plus 1 where it is negated
    worth: Floats  # what one of the inputs being true scores

    @property
    def constant(self) -> float:
        """What negated outputs add to every assignment."""
        return float((-self.worth[self.inverted]).sum())

    def renumbered(self, number: Integers) -> Eliminated:
        """The same with other numbers of the variables."""
        literals = 2 * number[self.literals >> 1] + (self.literals & 1)
        return replace(self, outputs=number[self.outputs], literals=literals)

    def restore(self, values: Floats) -> Floats:
        """Values of all variables, where the eliminated ones are the best that the others allow."""
        if not len(self.outputs):
            return values
        literals, first = values[self.literals >> 1], self.starts[:-1]
        literals = np.where(self.literals & 1, 1.0 - literals, literals)
        sums, most = np.add.reduceat(literals, first), np.maximum.reduceat(literals, first)
        found = np.where(self.worth >= 0.0, np.minimum(sums, 1.0), most)
        values = values.copy()
        values[self.outputs] = np.where(self.inverted, 1.0 - found, found)
        return values
