"""From fractional posteriors to a compression of exactly the asked length.

- `kept`: the words of the highest posteriors, as many as asked for, and the best projective tree over them (Eisner's
  algorithm; where trees need not be projective, words are then given better heads one at a time)
- `search`: from there upwards on the objective, by exchanging kept words for deleted ones. The least likely of the kept and
  the likeliest of the deleted words take part, `MOST_CANDIDATES` of each. (An exact rounding would be no rounding: the
  dynamic program `dp-exact` solves the whole problem in less time.)
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..linear_program import Floats, Integers
from .instance import Compression, CompressionInstance, sealed

MOST_CANDIDATES = 8
MOST_ROUNDS = 10
NOBODY = np.zeros(0, dtype=np.int64)


def round_kept(instance: CompressionInstance, posteriors: Floats) -> Compression:
    chosen, _ = _by_posterior(instance, posteriors)
    return with_best_tree(instance, chosen)


def round_search(instance: CompressionInstance, posteriors: Floats) -> Compression:
    chosen, others = _by_posterior(instance, posteriors)
    leaving, entering = chosen[::-1][:MOST_CANDIDATES], others[:MOST_CANDIDATES]
    return with_best_tree(instance, chosen, leaving, entering)


def _by_posterior(instance: CompressionInstance, posteriors: Floats) -> tuple[Integers, Integers]:
    """The words to keep and the others, each by falling posterior; equal ones by their tokens' scores."""
    words = instance.number_of_words
    order = np.lexsort((-instance.token_scores, -posteriors[:words])) + 1
    return order[: instance.length], order[instance.length :]


def with_best_tree(
    instance: CompressionInstance, chosen: Integers, leaving: Integers = NOBODY, entering: Integers = NOBODY
) -> Compression:
    """These words, or better ones by exchanges between the candidates, with their best tree."""
    from ..kernels.compression_rounding import improve_kept

    kept = np.sort(chosen)
    heads = np.zeros(len(kept), dtype=np.int64)
    improve_kept(
        sealed(instance.token_scores),  # one signature for all instances: the kernel is compiled once
        sealed(instance.bigram_scores),
        sealed(instance.arc_scores),
        instance.projective,
        kept,
        heads,
        np.array(leaving, dtype=np.int64),
        np.array(entering, dtype=np.int64),
        MOST_ROUNDS,
    )
    return tuple(kept.tolist()), tuple(heads.tolist())


@cache
def load_kernels() -> None:
    """Round a fractional solution of the smallest instance there is."""
    smallest = CompressionInstance("smallest", np.zeros(2), np.zeros((2, 2)), np.zeros((3, 2)), 1)
    round_search(smallest, np.full(2, 0.5))
