"""Merging equal variables: what becomes of trees, budgets and equalities, and that no optimum changes."""

from __future__ import annotations

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers.presolve import merge_equal


def test_undeletable_arcs_and_single_inputs_merge_variables() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    graph.add_subtree_deletion(x[:4], [-1, 0, 1, 0], [0.0, 9.0, 0.5, 0.25], [False, True, False, False])
    graph.add_logic("or_out", [x[3], x[4]])
    graph.add_logic("or_out", [x[4], x[5]], [True, False])  # x5 = not x4: no equality
    graph.add_budget(x, 3)
    merged = merge_equal(graph)
    assert merged.variable_of[0] == merged.variable_of[1]
    assert merged.variable_of[3] == merged.variable_of[4]
    assert len(set(merged.variable_of.tolist())) == 4
    blocks = {block.kind: block for block in merged.blocks}
    assert len(blocks["or_out"]) == 1
    assert blocks["subtree"].degrees.tolist() == [3]
    assert blocks["subtree"].ints.tolist() == [-1, 0, 0, 0, 0, 0]  # parents, then no undeletable arc is left
    costs = dict(zip(blocks["knapsack"].variables.tolist(), blocks["knapsack"].floats[1:].tolist(), strict=True))
    assert costs == {
        merged.variable_of[0]: 2,
        merged.variable_of[2]: 1,
        merged.variable_of[3]: 2,
        merged.variable_of[5]: 1,
    }
    assert blocks["knapsack"].floats[0] == 3
    # scores add up, deletion scores included: psi of the arc 1-2 is 0.5, of 0-3 is 0.25; that of the tied arc cancels
    assert merged.scores[merged.variable_of[0]] == pytest.approx(1 + 2 + 0.5 + 0.25)
    assert merged.scores[merged.variable_of[2]] == pytest.approx(3 - 0.5)
    assert merged.scores[merged.variable_of[3]] == pytest.approx(4 + 5 - 0.25)


@given(factor_graphs())
def test_feasible_assignments_keep_their_score(graph: FactorGraph) -> None:
    """Merged variables are equal in every feasible assignment, and the merged problem scores it the same."""
    merged = merge_equal(graph)
    for index in range(2**graph.number_of_variables):
        values = ((index >> np.arange(graph.number_of_variables)) & 1).astype(float)
        objective = graph.objective(values)
        if objective == -np.inf:
            continue
        small = np.zeros(len(merged.scores))
        small[merged.variable_of] = values
        assert np.array_equal(small[merged.variable_of], values)
        own = sum(float(block.score(small).sum()) for block in merged.blocks)
        assert graph.constant + merged.scores @ small + own == pytest.approx(objective, abs=1e-9)


def test_words_of_one_unit_become_one_variable() -> None:
    instance = get_task("summarization").generate(1, "zipf")
    merged = merge_equal(get_task("summarization").graph(instance))
    tied = int(sum(sum(sentence.undeletable) for sentence in instance.sentences))
    single = sum(len(concept.tokens) == 1 for concept in instance.concepts)
    graph_variables = len(merged.variable_of)
    assert len(merged.scores) == graph_variables - tied - single
