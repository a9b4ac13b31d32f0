"""What the structured SVM minimises, computed from its definition."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bench.learning.learners import Decoder, Example, most_violated
from problems.linear_program import Floats


def hinge_objective(
    weights: Floats, examples: list[Example], decoders: Mapping[str, Decoder], regularization: float
) -> float:
    """lambda/2 |w|^2 + the mean hinge loss."""
    losses = [most_violated(one, decoders[one.task], one.features.scores(weights)).loss for one in examples]
    return 0.5 * regularization * float(weights @ weights) + float(np.mean(np.maximum(losses, 0.0)))
