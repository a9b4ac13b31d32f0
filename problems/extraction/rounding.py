"""From fractional posteriors to an extract.

- `paper`: the analogue of section 3.4, sentences by posterior as long as they fit
- `search`: from there upwards on the objective: greedy additions per word, and exchanges of one sentence for another. The
  support of a fractional extract is small (often below ten sentences) and rarely holds the optimum, so the search also
  looks at the sentences outside of it that are worth most per word
"""

from __future__ import annotations

import numpy as np

from ..factors.block import starts_of
from ..linear_program import Floats, Integers
from ..search_units import in_search_units
from .instance import Extract, ExtractionInstance

SUPPORT_TOLERANCE = 1e-6
MAX_ROUNDS = 50
FEWEST_CANDIDATES, MOST_CANDIDATES = 100, 400


def round_paper(instance: ExtractionInstance, posteriors: Floats) -> Extract:
    values = posteriors[: len(instance.lengths)]
    chosen, left = [], instance.budget
    for index in np.argsort(-values, kind="stable"):
        if values[index] > SUPPORT_TOLERANCE and instance.lengths[index] <= left:
            chosen.append(int(index))
            left -= instance.lengths[index]
    return tuple(sorted(chosen))


def round_search(instance: ExtractionInstance, posteriors: Floats) -> Extract:
    values = posteriors[: len(instance.lengths)]
    layout = instance.layout
    worth = np.bincount(layout.sentences, weights=layout.concept_scores[layout.concepts], minlength=len(values))
    ratio = worth / np.maximum(instance.lengths, 1)
    order = np.lexsort((-ratio, values <= SUPPORT_TOLERANCE))  # the support first, then by worth per word
    support = int((values > SUPPORT_TOLERANCE).sum())
    candidates = order[: min(max(FEWEST_CANDIDATES, support), MOST_CANDIDATES)]
    return improve(instance, round_paper(instance, posteriors), candidates)


def improve(instance: ExtractionInstance, extract: Extract, candidates: Integers) -> Extract:
    """The local search of `kernels.extract_search`; never worse than its start."""
    from ..kernels.extract_search import search

    layout = instance.layout
    order = np.argsort(layout.sentences, kind="stable")
    selected = np.zeros(len(instance.lengths), dtype=bool)
    selected[list(extract)] = True
    search(
        starts_of(np.bincount(layout.sentences, minlength=len(selected))),
        layout.concepts[order],
        in_search_units(layout.concept_scores),
        np.array(instance.lengths, dtype=np.int64),
        min(instance.budget, sum(instance.lengths)),
        np.union1d(candidates, np.flatnonzero(selected)),
        np.zeros(len(layout.counts), dtype=np.int64),
        selected,
        MAX_ROUNDS,
    )
    return tuple(int(index) for index in np.flatnonzero(selected))
