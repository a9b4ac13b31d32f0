"""`ad3-ilp`: fixings that lose no optimum, the backend's answer against the incumbent, and backends that are missing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from coverage_graphs import coverage_graph
from graph_strategies import factor_graphs
from hypothesis import given, settings
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.ad3_engine import Engine
from solvers.ad3_ilp import _fix
from solvers.linear.glpk import GlpkInteger
from solvers.max_marginals import drops
from solvers.presolve import merge_equal


def all_objectives(graph: FactorGraph) -> tuple[np.ndarray, np.ndarray]:
    count = graph.number_of_variables
    values = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    return values, np.array([graph.objective(row) for row in values])


@settings(max_examples=max(150, settings().max_examples))
@given(factor_graphs(most_variables=6), st.integers(1, 60))
def test_a_bound_minus_its_drops_is_valid(graph: FactorGraph, iterations: int) -> None:
    """For each variable and value: no assignment with it scores more. Every factor kind, negated links, ties."""
    engine = Engine(graph, None, 1.6, eliminating=False)
    engine.iterate(iterations, 0.0)
    merged = merge_equal(graph)
    linked = np.concatenate([np.zeros(0), *(block.variables for block in merged.blocks)])
    assert np.array_equal(engine.layout.link_variables, linked)
    bound = engine.value_at_multipliers()
    forced = drops(merged.blocks, engine.eta * engine.state.mu, len(merged.scores))
    assignments, objectives = all_objectives(graph)
    allowance = 1e-7 * (1.0 + graph.magnitude)
    for variable in range(graph.number_of_variables):
        for value in (0, 1):
            best = objectives[assignments[:, variable] == value].max()
            assert bound - forced[value][merged.variable_of[variable]] >= best - allowance
    assert (forced[0] >= 0.0).all()
    assert (forced[1] >= 0.0).all()


@settings(max_examples=max(150, settings().max_examples))
@given(factor_graphs(most_variables=6), st.integers(1, 60), st.integers(0, 5))
def test_fixing_leaves_every_better_assignment(graph: FactorGraph, iterations: int, rank: int) -> None:
    engine = Engine(graph, None, 1.6, eliminating=False)
    engine.iterate(iterations, 0.0)
    assignments, objectives = all_objectives(graph)
    ranked = np.unique(objectives[np.isfinite(objectives)])[::-1]
    if len(ranked) <= rank:
        return
    fixed, closed = _fix(graph, engine, engine.dual_value(), float(ranked[rank]))
    better = assignments[objectives > ranked[rank] + 1e-5 * (1.0 + graph.magnitude)]
    assert not (closed and len(better))
    of_variable = fixed[merge_equal(graph).variable_of]
    settled = (engine.consensus.degrees > 0)[engine.consensus.variable_of] & (of_variable >= 0)
    assert (better[:, settled] == of_variable[settled]).all()


def check(graph: FactorGraph, backend: str = "ilp-glpk") -> None:
    best = get_solver("brute-force").solve(graph)
    found = get_solver("ad3-ilp", backend=backend).solve(graph)
    assert found.status == best.status
    if best.status == "optimal":
        assert found.objective == pytest.approx(best.objective, abs=1e-6)
        assert found.bound >= best.objective - 1e-7


@settings(max_examples=max(100, settings().max_examples))
@given(factor_graphs(), st.sampled_from(["ilp-glpk", "ilp-highs"]))
def test_it_equals_brute_force(graph: FactorGraph, backend: str) -> None:
    check(graph, backend)


@given(st.integers(0, 2**32))
def test_coverage_problems(seed: int) -> None:
    graph = coverage_graph(seed).graph
    found, exact = get_solver("ad3-ilp", search_nodes=1).solve(graph), get_solver("ilp-highs").solve(graph)
    assert found.status == exact.status == "optimal"
    assert found.objective == pytest.approx(exact.objective, abs=1e-6)


@pytest.mark.slow
@settings(max_examples=3000)
@given(factor_graphs())
def test_thousands_of_graphs(graph: FactorGraph) -> None:
    check(graph)


@pytest.mark.parametrize(("task", "size"), [("extraction", "tac"), ("summarization", "tac"), ("parsing", "20")])
def test_tasks(task: str, size: str) -> None:
    instance = get_task(task).generate(81, size)
    found = get_solver("ad3-ilp").solve(instance)
    exact = get_solver("ad3-exact").solve(instance)
    assert found.status == exact.status == "optimal"
    assert found.objective == pytest.approx(exact.objective, rel=1e-6)
    assert 0.0 <= found.info["fixed"] <= 1.0


def test_fixing_fixes_something() -> None:
    """On a newswire cluster many units are out of question once there is a good incumbent."""
    found = get_solver("ad3-ilp", search_nodes=40).solve(get_task("summarization").generate(82, "tac"))
    assert found.status == "optimal"
    assert found.info["fixed"] > 0.05


def test_a_missing_library_is_replaced_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GlpkInteger, "unavailable", classmethod(lambda cls: "no GLPK in this test"))
    graph = FactorGraph()
    x = graph.add_variables([2.0, 3.0, 1.5])
    graph.add_logic("xor", x)
    graph.add_pair(x[0], x[1], 1.0)
    found = get_solver("ad3-ilp").solve(graph)
    assert found.status == "optimal"
    assert found.message == "ilp-glpk cannot be used here (no GLPK in this test): ilp-highs took its place"


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'ilp-highs'"):
        get_solver("ad3-ilp", backend="ilp-high")


def test_infeasible_graphs() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 1.0])
    graph.add_logic("xor", x)
    graph.add_logic("xor", [x[0]])
    graph.add_logic("xor", [x[1]])
    assert get_solver("ad3-ilp").solve(graph).status == "infeasible"


def test_a_time_limit() -> None:
    task = get_task("summarization")
    instance = task.generate(83, "zipf")
    found = get_solver("ad3-ilp", backend="ilp-highs", search_nodes=1, time_limit=0.2).solve(instance)
    assert found.structure is not None
    assert found.objective <= found.bound < math.inf
    assert found.status == "optimal" or "time limit" in found.message
