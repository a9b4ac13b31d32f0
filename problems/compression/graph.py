"""From a compression instance to a factor graph and back, by `instance.formulation`.

- `factors`: one variable per word; the kept path (bigrams, fixed length) and the kept tree (arcs) are one factor each
- `chart`: one variable per word; a single kept tree that is charged the bigrams as well, and the length as two budgets (at
  most L words kept, at most n - L deleted)
- `flow`: words and arcs are variables, see `graph_flow`; for LP and ILP solvers only, but not only for projective trees

Where words are the only variables, arcs and bigrams are scores of the factors' own: given the kept words, the best path and
tree follow, and both polytopes are integral. So an integral point has an integral path and tree of the same value.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Floats
from .forests import kept_path, kept_tree
from .graph_flow import FlowGraph, arc_columns
from .instance import Compression, CompressionInstance
from .rounding import with_best_tree


def build_graph(instance: CompressionInstance) -> FactorGraph:
    if instance.formulation == "flow":
        return FlowGraph(instance)
    if not instance.projective:
        raise InputError(
            f"formulation {instance.formulation!r} is for projective trees; instance {instance.name!r} allows others, "
            "which needs formulation 'flow'."
        )
    words, length = instance.number_of_words, instance.length
    graph = FactorGraph()
    kept = graph.add_variables(instance.token_scores)
    if instance.formulation == "factors":
        graph.add_derivation(kept, kept_path(instance.bigram_scores, length))
        graph.add_derivation(kept, kept_tree(instance.arc_scores, None, words - length, length == 0))
    else:
        graph.add_derivation(kept, kept_tree(instance.arc_scores, instance.bigram_scores, words - length, length == 0))
        graph.add_budget(kept, length)
        graph.add_budget(kept, words - length, np.ones(words, dtype=bool))
    return graph


def assignment_of(instance: CompressionInstance, compression: Compression) -> Floats:
    words = instance.number_of_words
    kept, heads = (np.array(part, dtype=np.int64) for part in compression)
    flow = instance.formulation == "flow"
    values = np.zeros(words + words * words if flow else words)
    values[kept - 1] = 1.0
    if flow:
        values[arc_columns(words)[heads, kept - 1]] = 1.0
    return values


def compression_of(instance: CompressionInstance, assignment: Floats) -> Compression:
    """The words that are kept, with their heads; where arcs are no variables, the best heads."""
    words = instance.number_of_words
    kept = np.flatnonzero(assignment[:words] > 0.5) + 1
    if instance.formulation != "flow":
        return with_best_tree(instance, kept)
    arcs = assignment[arc_columns(words)[:, kept - 1]]
    arcs[kept, np.arange(len(kept))] = -1.0  # no word is its own head
    return tuple(kept.tolist()), tuple(arcs.argmax(axis=0).tolist())
