"""Building factor graphs: what is refused, and what a graph is worth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given
from linear_oracle import lp_optimum

from problems.bare_graph import BareGraphTask
from problems.errors import InputError
from problems.factor_graph import FactorGraph

INF = float("inf")
NAN = float("nan")


def three() -> FactorGraph:
    graph = FactorGraph()
    graph.add_variables([0.5, -0.2, 1.0])
    return graph


def test_the_example_of_the_readme() -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.5, -0.2, 1.0])
    graph.add_logic("or_out", [x[0], x[1], x[2]], negated=None)
    graph.add_budget(x, 2)
    graph.add_knapsack(x, [3, 1, 2], 5)
    graph.add_pair(x[0], x[1], 0.3)
    assert graph.objective([1, 0, 1]) == pytest.approx(1.5)
    assert graph.objective([1, 1, 1]) == -INF
    assert (graph.number_of_factors, graph.number_of_links) == (4, 11)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda g: g.add_variables([1.0, NAN]), "the score of variable 4 must be finite"),
        (lambda g: g.add_variables([INF]), "the score of variable 3 must be finite"),
        (lambda g: g.add_logic("xorr", [0, 1]), "unknown logic factor 'xorr': did you mean 'xor'"),
        (lambda g: g.add_logic("xor", []), "needs at least 1 variable"),
        (lambda g: g.add_logic("or_out", [0]), "needs at least 2 variables"),
        (lambda g: g.add_logic("or", [0, 3]), "names variable 3, but there are 3"),
        (lambda g: g.add_logic("or", [0, -1]), "names variable -1"),
        (lambda g: g.add_logic("or", [0, 1, 0]), "names variable 0 twice"),
        (lambda g: g.add_logic("or", [0, 1], [True]), "needs as many negation flags, not 1"),
        (lambda g: g.add_budget([0, 1], -1), "a budget must be a whole number of at least 0, not -1"),
        (lambda g: g.add_budget([0, 1], 1.5), "a budget must be a whole number"),
        (lambda g: g.add_budget([], 1), "needs at least 1 variable"),
        (lambda g: g.add_knapsack([0, 1], [1.0], 3), "needs as many costs, not 1"),
        (lambda g: g.add_knapsack([0, 1], [1.0, -1.0], 3), "costs of a knapsack must be finite and at least 0"),
        (lambda g: g.add_knapsack([0, 1], [1.0, NAN], 3), "costs of a knapsack must be finite"),
        (
            lambda g: g.add_knapsack([0, 1], [1.0, 1.0], -3),
            "budget of a knapsack must be finite and at least 0, not -3",
        ),
        (lambda g: g.add_knapsack([0, 1], [1.0, 1.5], 3, hull=True), "needs integer costs"),
        (lambda g: g.add_pair(0, 1, NAN), "score of a pair must be finite"),
        (lambda g: g.add_pair(1, 1, 1.0), "names variable 1 twice"),
        (lambda g: g.add_dense([[0], [1, 2]], [1.0]), "needs 2 table entries, not 1"),
        (lambda g: g.add_dense([[0], []], []), "each group at least one variable"),
        (lambda g: g.add_dense([[0], [1]], [NAN]), "finite scores and -inf only"),
        (lambda g: g.add_subtree_deletion([0, 1, 2], [-1, 2, 0], [0, 0, 0]), "must be in preorder"),
        (lambda g: g.add_subtree_deletion([0, 1], [0, 0], [0, 0]), "must be in preorder"),
        (lambda g: g.add_subtree_deletion([0, 1], [-1, 0], [0, NAN]), "deletion scores of a tree must be finite"),
        (lambda g: g.add_subtree_deletion([0, 1], [-1], [0, 0]), "one variable, parent, deletion score"),
        (lambda g: g.add_variables([1e308, 1e308]), "absolute scores must sum to at most 1e+100, not inf"),
        (lambda g: g.add_pair(0, 1, 1e101), "absolute scores must sum to at most 1e+100"),
        (lambda g: g.add_dense([[0], [1]], [-1e101]), "absolute scores must sum to at most 1e+100"),
        (lambda g: g.add_subtree_deletion([0, 1], [-1, 0], [0, 1e101]), "absolute scores must sum to at most 1e+100"),
        (lambda g: g.add_variables([[1.0], [2.0]]), "the scores of variables must be a flat list"),
        (lambda g: g.add_variables("ab"), "the scores of variables must be numbers, not 'ab'"),
        (lambda g: g.add_variables([10**400]), "the scores of variables must be numbers"),
        (lambda g: g.add_budget([0, 1], NAN), "a budget must be a whole number of at least 0, not nan"),
        (lambda g: g.add_budget([0, 1], INF), "a budget must be a whole number of at least 0, not inf"),
        (lambda g: g.add_budget([0, 1], None), "a budget must be a whole number of at least 0, not None"),
        (lambda g: g.add_budget(0, 1), "the variables of a budget must be a flat list"),
        (lambda g: g.add_logic("or", 1), "the variables of a factor must be a flat list"),
        (lambda g: g.add_logic("or", [0, 1.7]), "the variables of a factor must be whole numbers, not [0, 1.7]"),
        (lambda g: g.add_logic("or", [0, 10**30]), "the variables of a factor must be whole numbers"),
        (lambda g: g.add_logic("or", [True, False]), "the variables of a factor must be whole numbers"),
        (lambda g: g.add_logic("or", [0, 1], True), "negation flags must be a flat list"),
        (lambda g: g.add_logic(3, [0, 1]), "unknown logic factor 3"),
        (lambda g: g.add_logic_block("or", [2, 2], [0, 1, 2]), "sum to 4, but there are 3 links"),
        (lambda g: g.add_knapsack([0, 1], [1, 1], "a"), "the budget of a knapsack must be a finite number, not 'a'"),
        (lambda g: g.add_knapsack([0, 1], [1, 1], NAN), "the budget of a knapsack must be a finite number, not nan"),
        (lambda g: g.add_knapsack([0, 1], ["a", "b"], 1), "the costs of a knapsack must be numbers"),
        (lambda g: g.add_knapsack([0, 1], [10**9, 10**9], 10**9, hull=True), "is too large"),
        (lambda g: g.add_pair("a", 1, 0.5), "the variables of a pair must be whole numbers"),
        (lambda g: g.add_pair(0, 1, "a"), "the scores of pairs must be numbers"),
        (lambda g: g.objective([1, 0]), "must be 3 zeros and ones"),
        (lambda g: g.objective([1, 0, 0.5]), "must be 3 zeros and ones"),
    ],
)
def test_bad_input_is_one_sentence(build: Callable[[FactorGraph], object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        build(three())
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_graph_keeps_copies() -> None:
    """What the caller does to his arrays afterwards is his own business."""
    graph = FactorGraph()
    scores, links, flags = np.array([1.0, 2.0, 3.0]), np.array([0, 1, 2]), np.array([True, False, True])
    costs, table = np.array([1.0, 2.0, 2.0]), np.array([0.5])
    graph.add_variables(scores)
    graph.add_logic("or", links, flags)
    graph.add_budget(links, 2, flags)
    graph.add_knapsack(links, costs, 4.0)
    graph.add_pair_block(links[:2], table)
    graph.add_subtree_deletion(links, np.array([-1, 0, 0]), scores)
    graph.add_logic_block("xor", np.array([3]), links, flags)
    everything = [[1, 1, 1], [0, 1, 0], [1, 1, 0], [1, 0, 0]]
    before = [graph.objective(values) for values in everything]
    for array in (scores, links, flags, costs, table):
        array[:] = 1
    graph._blocks = None
    assert [graph.objective(values) for values in everything] == before
    assert scores.flags.writeable


@pytest.mark.parametrize("budget", [3, 4, 10**30, 1e300])
def test_budgets_are_cut_where_they_stop_to_matter(budget: float) -> None:
    graph = three()
    graph.add_budget([0, 1, 2], budget)
    graph.add_knapsack([0, 1, 2], [1, 1, 1], budget)
    graph.add_knapsack([0, 1, 2], [1, 1, 1], budget, hull=True)
    for block in graph.blocks:
        values, points = block.maximize(np.ones(3))
        assert values.tolist() == [3.0]
        assert points.tolist() == [1.0, 1.0, 1.0]
    assert graph.objective([1, 1, 1]) == pytest.approx(1.3)


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1.0, 1e12])
def test_the_tolerance_of_costs_is_relative(unit: float) -> None:
    graph = three()
    graph.add_knapsack([0, 1, 2], np.array([0.1, 0.2, 0.31]) * unit, 0.3 * unit)
    assert graph.objective([1, 1, 0]) == pytest.approx(0.3)  # 0.1 + 0.2 is a little above 0.3 in floating point
    assert graph.objective([0, 0, 1]) == -INF


def test_magnitude_is_the_sum_of_absolute_scores() -> None:
    graph = three()
    graph.constant = -2.0
    graph.add_pair(0, 1, -0.5)
    graph.add_dense([[0, 1], [2]], [1.0, -INF])
    graph.add_subtree_deletion([0, 1], [-1, 0], [9.0, 0.25])
    assert graph.magnitude == pytest.approx(1.7 + 2.0 + 0.5 + 1.0 + 0.25)


def test_empty_graphs() -> None:
    graph = FactorGraph()
    assert graph.objective([]) == 0.0
    assert graph.linear_program().number_of_columns == 0
    graph.add_variables([1.0])
    assert graph.linear_program().number_of_rows == 0


@given(factor_graphs())
def test_the_relaxation_bounds_every_assignment(graph: FactorGraph) -> None:
    program = graph.linear_program()
    best = max(
        (graph.objective([(index >> bit) & 1 for bit in range(graph.number_of_variables)]))
        for index in range(2**graph.number_of_variables)
    )
    optimum = lp_optimum(program)
    if optimum is None:
        assert best == -INF
    else:
        assert optimum[0] >= best - 1e-7


@given(factor_graphs())
def test_objective_and_broken_agree(graph: FactorGraph) -> None:
    task = BareGraphTask()
    for index in range(2**graph.number_of_variables):
        assignment = tuple((index >> bit) & 1 for bit in range(graph.number_of_variables))
        assert (graph.objective(assignment) == -INF) == (task.broken(graph, assignment) is not None)


def test_dual_bound_of_factors_lies_above_the_optimum() -> None:
    """Splitting scores over factors and maximizing each is a relaxation: the sum bounds the optimum."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        graph = FactorGraph()
        x = graph.add_variables(rng.normal(size=6))
        graph.add_logic("xor", x[:3], rng.random(3) < 0.5)
        graph.add_budget(x, 3)
        graph.add_subtree_deletion(x[2:], [-1, 0, 1, 0], rng.normal(size=4))
        links = np.concatenate([block.variables for block in graph.blocks])
        share = graph.scores[links] / np.bincount(links, minlength=6)[links]
        bound, first = 0.0, 0
        for block in graph.blocks:
            values, _ = block.maximize(share[first : first + len(block.variables)])
            bound += values.sum()
            first += len(block.variables)
        best = max(graph.objective([(index >> bit) & 1 for bit in range(6)]) for index in range(64))
        assert bound >= best - 1e-9


def test_scores_can_be_added_to_variables() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0])
    graph.add_scores(x[[2, 0]], [0.5, -4.0])
    assert graph.scores.tolist() == [-3.0, 2.0, 3.5]
    assert graph.magnitude == 10.5  # what was added counts, too
    for wrong in ([1.0], [1.0, np.inf]):
        with pytest.raises(InputError, match="2 variables need as many finite scores"):
            graph.add_scores(x[:2], wrong)
    with pytest.raises(InputError, match="names variable 7"):
        graph.add_scores([7], [1.0])
