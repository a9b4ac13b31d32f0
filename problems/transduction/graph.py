"""From a transduction instance to a factor graph and back: two derivations that agree on the kept words.

One variable per word, worth the reward. One factor is the forest of derivations with the scores of rules, the other one the
path through the kept words with those of n-grams. Both polytopes are integral; their intersection need not be.
"""

from __future__ import annotations

import numpy as np

from ..factor_graph import FactorGraph
from ..linear_program import Floats
from .best import best_derivation
from .instance import Transduction, TransductionInstance
from .paths import ngram_path


def build_graph(instance: TransductionInstance) -> FactorGraph:
    graph = FactorGraph()
    kept = graph.add_variables(np.full(instance.number_of_words, instance.reward))
    forest = instance.forest
    graph.add_derivation(kept, forest._replace(scores=instance.rule_weight * forest.scores))
    graph.add_derivation(kept, ngram_path(instance.ngram_weight * instance.ngram_scores, instance.length))
    return graph


def assignment_of(instance: TransductionInstance, transduction: Transduction) -> Floats:
    values = np.zeros(instance.number_of_words)
    values[np.array(transduction[0], dtype=np.int64) - 1] = 1.0
    return values


def transduction_of(instance: TransductionInstance, assignment: Floats) -> Transduction:
    """The words that are kept, with the best derivation that keeps just them; with none where there is none."""
    kept = np.flatnonzero(assignment > 0.5) + 1
    return tuple(kept.tolist()), best_derivation(instance, kept) or ()
