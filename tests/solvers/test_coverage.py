"""Coverage problems: what is recognized, and that bounds, fixings and the search never lose an optimum."""

from __future__ import annotations

import math
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from coverage_graphs import CoverageGraph, coverage_graph
from graph_strategies import factor_graphs
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.bare_graph import BareGraphTask
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.ad3_engine import Engine
from solvers.coverage import Coverage, recognize
from solvers.coverage_search import CoverageSearch, prices_of

SEEDS = st.integers(0, 2**32)


def recognized(problem: CoverageGraph) -> Coverage:
    coverage = recognize(problem.graph)
    assert coverage is not None
    return coverage


def with_lone(problem: CoverageGraph, values: np.ndarray) -> np.ndarray:
    """Variables without factors at their better end."""
    linked = np.zeros(len(values), dtype=bool)
    for block in problem.graph.blocks:
        linked[block.variables] = True
    return np.where(linked, values, problem.graph.scores > 0)


def optimum(problem: CoverageGraph) -> float:
    return max(problem.graph.objective(with_lone(problem, values)) for _, values in problem.all_values())


def check_optimal(problem: CoverageGraph) -> None:
    best = optimum(problem)
    found = get_solver("ad3-exact").solve(problem.graph)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(best, abs=1e-6)
    assert found.bound >= best - 1e-9
    assert "units" in found.info  # it was recognized


def check_at_any_prices(problem: CoverageGraph, seed: int, nodes: int) -> None:
    """Bounds are valid after any number of nodes, and what the root has fixed leaves an optimum that is not found yet."""
    best = optimum(problem)
    coverage = recognized(problem)
    rng = np.random.default_rng(seed)
    search = CoverageSearch(coverage, problem.graph.magnitude)
    shares = rng.random(len(coverage.token_units)) * (rng.random(len(coverage.token_units)) < 0.8)
    search.start_at(coverage.worths * rng.random(len(coverage.worths)), shares)
    assert search.run(1) or search.bound() >= best - 1e-9
    assert search.objective <= best + 1e-9
    if search.objective < best - 1e-5:
        root = search.state.trail[: search.stack.lengths[0]]
        values = search.state.fixed[root]
        unit_of = coverage.units[root]
        consistent = []
        for objective, assignment in problem.all_values():
            merged = np.zeros(len(coverage.merged.scores))
            merged[coverage.merged.variable_of] = assignment
            if math.isfinite(objective) and (merged[unit_of] == values).all():
                consistent.append(problem.graph.objective(with_lone(problem, assignment)))
        assert max(consistent) >= best - 1e-9
    ended = search.run(nodes)
    assert search.bound() >= best - 1e-9
    if ended:
        assert search.objective == pytest.approx(best, abs=1e-5)
    kept = coverage.assignment(search.best)
    assert BareGraphTask().broken(problem.graph, tuple(kept)) is None
    assert problem.graph.objective(kept) == pytest.approx(search.objective, abs=1e-9)


@settings(max_examples=max(150, settings().max_examples))
@given(SEEDS)
def test_the_search_equals_going_through_all_sets(seed: int) -> None:
    check_optimal(coverage_graph(seed))


@settings(max_examples=max(150, settings().max_examples))
@given(SEEDS, st.integers(0, 20))
def test_no_bound_and_no_fixing_loses_an_optimum(seed: int, nodes: int) -> None:
    check_at_any_prices(coverage_graph(seed), seed, nodes)


COSTS = st.sampled_from([0.2, 0.5, 0.9])


@settings(max_examples=max(150, settings().max_examples))
@given(SEEDS, COSTS)
def test_concepts_may_cost_something(seed: int, costly: float) -> None:
    with mock.patch("solvers.coverage._costs_much", return_value=False):
        check_optimal(coverage_graph(seed, costly))


@settings(max_examples=max(150, settings().max_examples))
@given(SEEDS, COSTS, st.integers(0, 20))
def test_costs_lose_no_optimum_by_bound_or_fixing(seed: int, costly: float, nodes: int) -> None:
    with mock.patch("solvers.coverage._costs_much", return_value=False):
        check_at_any_prices(coverage_graph(seed, costly), seed, nodes)


@pytest.mark.slow
def test_thousands_of_problems_with_costs() -> None:
    with mock.patch("solvers.coverage._costs_much", return_value=False):
        for seed in range(5000):
            problem = coverage_graph(seed, (0.1, 0.3, 0.6, 1.0)[seed % 4])
            check_optimal(problem)
            check_at_any_prices(problem, seed, seed % 20)


@pytest.mark.parametrize(("seed", "costly"), [(2334, 0.6), (2443, 1.0), (2513, 0.3), (2999, 1.0)])
def test_incumbents_that_rise_to_zero_are_proved(seed: int, costly: float) -> None:
    """Nodes given up within the tolerance of an incumbent below 0 must not count for one at 0, whose tolerance is smaller."""
    with mock.patch("solvers.coverage._costs_much", return_value=False):
        check_optimal(coverage_graph(seed, costly))


def test_concepts_that_cost_much_are_left_to_the_generic_search() -> None:
    """A little cost is recognized, much is not; of a concept that is one unit any cost is exact."""
    for costs, known in ((-0.05, True), (-0.5, False)):
        graph = two_sentences()
        (output,) = graph.add_variables([costs])
        graph.add_logic("or_out", [0, 1, output])
        assert (recognize(graph) is not None) == known
        exact, forced = (get_solver("ad3-exact", coverage=chosen).solve(graph) for chosen in (True, False))
        assert exact.objective == pytest.approx(forced.objective)
    tree = FactorGraph()
    x = tree.add_variables([1.0, 1.0, -9.0, 3.0])
    tree.add_subtree_deletion(x[:2], [-1, 0], [0.0, 0.0], [False, False])
    tree.add_logic("and_out", [x[0], x[1], x[2]])  # the lower unit says it all
    tree.add_logic("or_out", [x[0], x[2], x[3]])
    coverage = recognize(tree)
    assert coverage is not None
    assert (coverage.worths < 0).sum() == 1
    assert get_solver("ad3-exact").solve(tree).objective == pytest.approx(4.0)


@pytest.mark.parametrize("seed", [81, 82, 83])
def test_summaries_with_costs_are_proved(seed: int) -> None:
    """As a learned model scores them: some concepts cost a little."""
    instance = get_task("summarization").generate(seed, "tac" if seed == 81 else "tiny")
    rng = np.random.default_rng(seed)
    scores = [c.score * float(rng.choice([1.0, 1.0, 1.0, -0.2])) for c in instance.concepts]
    costly = replace(
        instance, concepts=tuple(c._replace(score=s) for c, s in zip(instance.concepts, scores, strict=True))
    )
    found = get_solver("ad3-exact").solve(costly)
    exact = get_solver("ilp-glpk", reduced=True).solve(costly)
    assert found.status == exact.status == "optimal"
    assert found.objective == pytest.approx(exact.objective, rel=1e-6)
    assert "units" in found.info


@pytest.mark.slow
def test_thousands_of_problems() -> None:
    for seed in range(5000):
        problem = coverage_graph(seed)
        check_optimal(problem)
        check_at_any_prices(problem, seed, seed % 20)


@given(SEEDS, st.integers(1, 60))
def test_prices_of_ad3_bound_as_well_as_its_dual(seed: int, iterations: int) -> None:
    """The least charge of a concept bounds no worse than the charges themselves; shares add up to 1."""
    problem = coverage_graph(seed)
    coverage = recognized(problem)
    engine = Engine(problem.graph, None, 1.6, eliminating=False)
    engine.iterate(iterations, 0.0)
    prices, shares = prices_of(coverage, engine)
    assert ((prices >= 0.0) & (prices <= coverage.worths)).all()
    owner = np.repeat(np.arange(len(coverage.tokens)), np.diff(coverage.token_starts))
    assert np.bincount(owner, weights=shares, minlength=len(coverage.tokens)) == pytest.approx(1.0)
    if (np.diff(coverage.token_starts) == 1).all():
        search = CoverageSearch(coverage, problem.graph.magnitude)
        search.start_at(prices, shares)
        if not search.run(1):
            assert search.bound() <= engine.dual_value() + 1e-6


COVERAGE_KINDS = ("or_out", "and_out", "budget", "knapsack", "subtree")


@settings(max_examples=max(200, settings().max_examples))
@given(factor_graphs(kinds=COVERAGE_KINDS))
def test_graphs_of_such_factors_are_solved_whether_recognized_or_not(graph: FactorGraph) -> None:
    best = get_solver("brute-force").solve(graph)
    for coverage in (True, False):
        found = get_solver("ad3-exact", coverage=coverage).solve(graph)
        assert found.status == best.status
        if best.status == "optimal":
            assert found.objective == pytest.approx(best.objective, abs=1e-6)


def two_sentences(score: float = 2.0) -> FactorGraph:
    graph = FactorGraph()
    x = graph.add_variables([0.0, 0.0, score, 1.0])
    graph.add_logic("or_out", [x[0], x[1], x[2]])
    graph.add_logic("or_out", [x[1], x[3]])
    graph.add_knapsack(x[:2], [2, 3], 4)
    return graph


def test_what_is_recognized() -> None:
    coverage = recognize(two_sentences())
    assert coverage is not None
    assert coverage.is_flat
    assert len(coverage.worths) == 1  # the second concept is the second sentence itself
    assert recognize(two_sentences(-2.0)) is None  # a concept that costs something
    negated = two_sentences()
    negated.add_budget([0, 1], 1, [True, False])
    assert recognize(negated) is None
    other = two_sentences()
    other.add_logic("or", [0, 1])
    assert recognize(other) is None
    limited = two_sentences()
    limited.add_budget([0, 2], 1)  # a concept in a budget
    assert recognize(limited) is None
    third = two_sentences()
    third.add_knapsack([0, 1], [1, 3], 3)
    assert recognize(third) is None  # two knapsacks, neither of which counts the roots
    loose = two_sentences()
    loose.add_knapsack([0, 1], [1, 3], 4)  # says nothing
    assert recognize(loose) is not None
    assert recognize(FactorGraph()) is None


@pytest.mark.parametrize("name", ["extraction", "summarization"])
@pytest.mark.parametrize("seed", [71, 72, 73])
def test_summaries_are_recognized_and_proved(name: str, seed: int) -> None:
    task = get_task(name)
    for size in ("tiny", "tac") if seed == 71 else ("tiny",):
        instance = task.generate(seed, size)
        found = get_solver("ad3-exact").solve(instance)
        exact = get_solver("ilp-glpk", reduced=True).solve(instance)
        assert found.status == exact.status == "optimal"
        assert found.objective == pytest.approx(exact.objective, rel=1e-6)
        assert "units" in found.info


@pytest.mark.slow
@pytest.mark.parametrize("name", ["extraction", "summarization"])
@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
def test_many_summaries(name: str, size: str) -> None:
    task = get_task(name)
    for seed in range(7100, 7150 if size == "tiny" else 7110):
        instance = task.generate(seed, size)
        found = get_solver("ad3-exact").solve(instance)
        exact = get_solver("ilp-glpk", reduced=True).solve(instance)
        assert found.status == exact.status == "optimal"
        assert found.objective == pytest.approx(exact.objective, rel=1e-6)


@pytest.mark.parametrize("coverage", [True, False])
def test_a_deadline_ends_with_the_best_answer_so_far(coverage: bool) -> None:
    task = get_task("summarization")
    instance = task.generate(74, "large")
    found = get_solver("ad3-exact", time_limit=0.2, coverage=coverage).solve(instance)
    assert found.structure is not None
    assert task.broken(instance, found.structure) is None
    assert found.objective <= found.bound < math.inf
    assert found.status == "optimal" or "time limit" in found.message


def test_a_node_limit_and_a_trace() -> None:
    instance = get_task("summarization").generate(75, "zipf")
    found = get_solver("ad3-exact", max_nodes=40, trace=True).solve(instance)
    assert found.info["nodes"] <= 40
    assert found.message == "stopped at the node limit"
    bounds = [point.bound for point in found.trace]
    assert bounds == sorted(bounds, reverse=True)
    proved = get_solver("ad3-exact").solve(instance)
    assert found.objective <= proved.objective + 1e-9
    assert found.bound >= proved.objective - 1e-9
