"""Coverage: a score for any of the literals being true. AD3's presolve makes these of `or_out` factors (`solvers.elimination`)."""

from __future__ import annotations

import numpy as np

from ..kernels.codes import COVERAGE
from ..linear_program import Floats, ProgramBuilder
from .block import Block


class Coverage(Block):
    """floats[f] is scored when one or more literals are true."""

    kind = "coverage"
    code = COVERAGE

    def constrain(self, builder: ProgramBuilder) -> None:
        """A column for each factor, and the rows of `or_out` with that column as the output."""
        output = np.repeat(builder.add_columns(self.floats), self.degrees)
        count = len(self.variables)
        pairs = np.stack([self.variables, output], axis=1).ravel()
        negated = np.stack([self.negated, np.zeros(count, dtype=bool)], axis=1).ravel()
        builder.add_rows(np.full(count, 2), pairs, np.tile([1.0, -1.0], count), -np.inf, 0.0, negated)
        ends = self.starts[1:]
        columns = np.insert(self.variables, ends, output[ends - 1])
        values = np.insert(np.ones(count), ends, -1.0)
        builder.add_rows(self.degrees + 1, columns, values, 0.0, np.inf, np.insert(self.negated, ends, False))

    def literal_score(self, literals: Floats) -> Floats:
        return np.where(self.sums(literals) > 0, self.floats, 0.0)
