"""Training examples of the compression models.

In training the gold length is given, so that models learn which words to keep and not how many. The cost of an output is the
number of kept words that are not gold, and in the joint model of arcs that are not gold. The subtree model cannot produce
every gold compression; it learns from the subtree of that length that has the most gold words.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from problems.compression.corpora import ParsedPair
from problems.compression.features import HashedParts, System, indicator, number_of_parts, split
from problems.compression.instance import Compression
from problems.compression.model import instance_of
from problems.linear_program import Floats

from ..examples import Decoder

DECODERS: dict[System, str] = {"joint": "dp-lagrangian", "bigram": "dp-bigram", "subtree": "dp-tree"}
"""The solvers that are exact for each system's own model."""


@dataclass(frozen=True, eq=False)
class CompressionExample:
    pair: ParsedPair
    system: System
    bits: int
    features: HashedParts = field(init=False, repr=False)
    target: Compression = field(init=False)  # what is learned: the gold, or the best that the model can produce
    cost_constant: float = 0.0
    task: str = "compression"

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", HashedParts(self.pair.sentence, self.system, self.bits))
        target = self.pair.kept, self.pair.heads
        if self.system == "subtree":
            kept = nearest_subtree(self.pair)
            target = kept, tuple(self.pair.sentence.heads[word - 1] for word in kept)
        object.__setattr__(self, "target", target)

    @property
    def gold(self) -> Floats:
        return indicator(len(self.pair.sentence), *self.target)

    @property
    def cost(self) -> Floats:
        right = split(self.gold, len(self.pair.sentence))
        cost = np.zeros(len(self.features))
        wrong = split(cost, len(self.pair.sentence))
        wrong.tokens[:] = 1.0 - right.tokens
        if self.system == "joint":
            wrong.arcs[:] = 1.0 - right.arcs
        return cost

    @property
    def name(self) -> str:
        return self.pair.name

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        instance = instance_of(self.pair.sentence, self.system, scores, len(self.pair.kept), self.name)
        solution = decoder.solve(instance, self.task)
        assert solution.structure is not None
        return indicator(len(self.pair.sentence), *solution.structure)


def nearest_subtree(pair: ParsedPair) -> tuple[int, ...]:
    """The subtree of the source tree, of the gold's length, with the most gold words."""
    scores = np.zeros(number_of_parts(len(pair.sentence)))
    split(scores, len(pair.sentence)).tokens[np.array(pair.kept) - 1] = 1.0
    instance = instance_of(pair.sentence, "subtree", scores, len(pair.kept), pair.name)
    structure = Decoder("dp-tree").solve(instance, "compression").structure
    assert structure is not None
    return tuple(structure[0])
