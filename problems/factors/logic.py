"""Logic factors: hard constraints on literals (Martins et al. 2011b). All polytopes are hulls of their 0/1 points.

`and_out` is `or_out` with every literal negated, `imply` is `or` with the antecedents negated, and `xor_out` is `xor`
with the output negated; `normalize` does that, so that four kinds remain.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError, nearest
from ..kernels.codes import AT_MOST_ONE, OR, OR_OUT, XOR
from ..linear_program import Floats, ProgramBuilder
from .block import Block, Booleans, runs

LOGIC_KINDS = ("xor", "at_most_one", "or", "or_out", "and_out", "imply", "xor_out")
WITH_OUTPUT = ("or_out", "and_out", "imply", "xor_out")


def normalize(kind: str, negated: Booleans, last: Booleans) -> tuple[str, Booleans]:
    """The basic kind and the negations that express a derived kind; `last` marks each factor's last link."""
    if kind == "and_out":
        return "or_out", ~negated
    if kind == "imply":
        return "or", negated ^ ~last
    if kind == "xor_out":
        return "xor", negated ^ last
    if kind not in LOGIC_KINDS:
        raise InputError(f"unknown logic factor {kind!r}: {nearest(kind, LOGIC_KINDS)}")
    return kind, negated


class _Counting(Block):
    """A constraint on the number of true literals: one row per factor."""

    bounds: tuple[float, float]

    def constrain(self, builder: ProgramBuilder) -> None:
        links = np.arange(len(self.variables))
        self.add_rows(builder, links, self.degrees, np.ones(len(links)), *self.bounds)

    def literal_score(self, literals: Floats) -> Floats:
        true = self.sums(literals)
        return np.where((true >= self.bounds[0]) & (true <= self.bounds[1]), 0.0, -np.inf)


class Xor(_Counting):
    kind = "xor"
    code = XOR
    bounds = (1.0, 1.0)


class AtMostOne(_Counting):
    kind = "at_most_one"
    code = AT_MOST_ONE
    bounds = (-np.inf, 1.0)


class Or(_Counting):
    kind = "or"
    code = OR
    bounds = (1.0, np.inf)


class OrOut(Block):
    """The last literal is true if and only if some other one is."""

    kind = "or_out"
    code = OR_OUT

    def constrain(self, builder: ProgramBuilder) -> None:
        ends = self.starts[1:] - 1
        inputs = self.degrees - 1
        # output <= sum of the inputs
        links = np.arange(len(self.variables))
        signs = np.ones(len(links))
        signs[ends] = -1.0
        self.add_rows(builder, links, self.degrees, signs, 0.0, np.inf)
        # each input <= output
        input_links = runs(self.starts[:-1], inputs)
        pairs = np.stack([input_links, np.repeat(ends, inputs)], axis=1).ravel()
        lengths = np.full(len(input_links), 2)
        self.add_rows(builder, pairs, lengths, np.tile([1.0, -1.0], len(input_links)), -np.inf, 0.0)

    def literal_score(self, literals: Floats) -> Floats:
        output = literals[self.starts[1:] - 1]
        some = (self.sums(literals) - output) > 0
        return np.where(some == (output > 0), 0.0, -np.inf)
