"""The sentences that the parsing studies share: seeds apart from those the generator was calibrated on (10000 and up)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from problems.parsing.generate import EVIDENCE, Evidence, noisy_instance
from problems.parsing.gold import PROFILES, draw_length, draw_tree, draw_words
from problems.parsing.instance import ParsingInstance
from solvers import get_solver

FIRST_SEED = 3001
BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 1000))
PUBLISHED_MS = (0.7, 5.7, 18.0, 39.0, 108.0)  # the original system's AD3 by these bins, on a 2.3 GHz Xeon

POSTERIORS_CALIBRATED = Evidence(
    arc_margin=2.65**2,
    longer_margin=0.4,
    arc_noise=2.65,
    length_cost=1.2,
    second_margin=0.55**2,
    second_noise=0.55,
    other_margin=0.3**2,
    other_noise=0.3,
)
"""Another evidence for sensitivity: every score is a log-likelihood ratio (margin = noise^2), so that the pruner's posteriors
are about right as probabilities. It keeps 7 to 8 heads per word where the generator's own evidence keeps about 4."""


def sentences(
    count: int, least: int = 1, most: int = 1000, evidence: Evidence = EVIDENCE, first_seed: int = FIRST_SEED
) -> list[ParsingInstance]:
    """Sentences of order 3 with lengths as in the Penn Treebank, those between `least` and `most` words only."""
    found: list[ParsingInstance] = []
    seed = first_seed
    while len(found) < count:
        rng = np.random.default_rng([seed, 22])
        length = draw_length(rng, PROFILES["en"])
        if least <= length <= most:
            tree = draw_tree(rng, length, PROFILES["en"])
            words, tags = draw_words(rng, tree)
            found.append(noisy_instance(rng, f"study-{seed}", words, tags, tree, evidence=evidence))
        seed += 1
    return found


def bin_of(length: int) -> int:
    """Which of the length bins a sentence belongs to."""
    return next(index for index, (low, high) in enumerate(BINS) if low <= length <= high)


def bin_name(index: int) -> str:
    low, high = BINS[index]
    return f"{low}-{high}" if high < 1000 else f"{low}+"


def warm_up(solvers: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Compile and load everything before the first clock starts."""
    from problems import get_task

    task = get_task("parsing")
    for size in ("tiny", "tiny-1", "tiny-many"):
        for name, options in solvers:
            get_solver(name, **options).solve(task.generate(0, size))
