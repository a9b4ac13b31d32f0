"""Trees joined with the budget, and tokens taken into their concepts: neither optimum nor relaxation changes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from graph_strategies import summary_graphs
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.factors import KINDS
from problems.factors.coverage import Coverage
from problems.factors.joined import PairCoverage, TreeBudget
from problems.kernels.codes import COVERAGE, OR_OUT, PAIR_COVERAGE, SUBTREE, TREE_BUDGET
from problems.linear_program import ProgramBuilder
from solvers import get_solver
from solvers.ad3_engine import Engine
from solvers.compiled_presolve import reduce_graph
from solvers.joining import join


@st.composite
def paired_graphs(draw: st.DrawFn) -> FactorGraph:
    """Two trees, tokens of two words each, and concepts of tokens and words: most tokens are taken into a concept."""
    graph = FactorGraph()
    scores = st.floats(-1, 2).map(lambda value: round(value, 3))
    words: list[int] = []
    for size in (draw(st.integers(1, 3)), draw(st.integers(1, 3))):
        tree = graph.add_variables(draw(st.lists(scores, min_size=size, max_size=size)))
        parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, size)]
        graph.add_subtree_deletion(tree, parents, draw(st.lists(scores, min_size=size, max_size=size)), [False] * size)
        words += tree.tolist()
    tokens: list[int] = []
    for _ in range(draw(st.integers(1, 3))):
        (token,) = graph.add_variables([0.0]).tolist()
        pair = draw(st.lists(st.sampled_from(words), min_size=2, max_size=2, unique=True))
        graph.add_logic("and_out", [*pair, token], [*(draw(st.integers(0, 5)) == 0 for _ in pair), False])
        tokens.append(token)
    for _ in range(draw(st.integers(1, 2))):
        members = draw(st.lists(st.sampled_from([*tokens, *words]), min_size=1, max_size=4, unique=True))
        (concept,) = graph.add_variables([draw(st.floats(-2, 4).map(lambda value: round(value, 3)))]).tolist()
        graph.add_logic("or_out", [*members, concept])
    if draw(st.booleans()):
        few = draw(st.lists(st.sampled_from(words), min_size=1, max_size=len(words), unique=True))
        negated = [draw(st.integers(0, 5)) == 0 for _ in few]
        graph.add_budget(few, draw(st.integers(sum(negated), len(few))), negated)  # no word at all is feasible
    if draw(st.booleans()):
        graph.add_budget(words, draw(st.integers(0, len(words))))
    else:
        costs = draw(st.lists(st.integers(1, 5), min_size=len(words), max_size=len(words)))
        graph.add_knapsack(words, costs, draw(st.integers(0, 15)))
    return graph


graphs = st.one_of(paired_graphs(), summary_graphs())


@settings(max_examples=max(100, settings().max_examples))
@given(graphs)
def test_what_is_joined_keeps_optimum_and_relaxation(graph: FactorGraph) -> None:
    """One linear program before and after; every 0/1 assignment of what is left, restored, scores the same in the graph."""
    found = reduce_graph(graph)
    joined = join(found.flat, found.scores)
    assume(joined is not None)
    assert joined is not None
    kinds = {**KINDS, **{kind.kind: kind for kind in (Coverage, PairCoverage, TreeBudget)}}
    blocks = joined.flat.blocks(kinds)
    constant = graph.constant + found.eliminated.constant
    builder = ProgramBuilder(constant=constant)
    builder.add_columns(found.scores)
    for block in blocks:
        block.constrain(builder)
    before, after = lp_optimum(graph.linear_program()), lp_optimum(builder.build())
    assert before is not None
    assert after is not None
    assert after[0] == pytest.approx(before[0], rel=1e-7, abs=1e-7)
    linked = np.unique(np.concatenate([block.variables for block in blocks]))
    assert not np.isin(joined.tokens.outputs, linked).any()
    chosen, best = np.union1d(linked, np.flatnonzero(found.scores)), -np.inf
    for values in itertools.product((0.0, 1.0), repeat=len(chosen)):
        point = np.zeros(len(found.scores))
        point[chosen] = values
        worth = constant + found.scores @ point + sum(block.score(point).sum() for block in blocks)
        best = max(best, worth)
        if worth > -np.inf:
            restored = found.eliminated.restore(joined.tokens.restore(point))[found.variable_of]
            assert graph.objective(restored) == pytest.approx(worth, abs=1e-9)
    assert best == pytest.approx(get_solver("brute-force").solve(graph).objective, abs=1e-9)


@given(graphs)
def test_ad3_meets_the_linear_program(graph: FactorGraph) -> None:
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8).solve(graph)
    assert found.bound >= optimum[0] - 1e-7 * max(1.0, abs(optimum[0]))
    assert found.bound == pytest.approx(optimum[0], rel=1e-4, abs=1e-4)


@given(graphs, st.integers(0, 2**31))
def test_bounds_of_any_multipliers_are_valid(graph: FactorGraph, seed: int) -> None:
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    engine = Engine(graph, 1.0, 1.6)
    lowest = optimum[0] - 1e-8 * max(1.0, abs(optimum[0]))
    for _ in range(8):
        engine.iterate(1, 0.0)
        assert engine.bound() >= lowest
    engine.state.mu[:] += np.random.default_rng(seed).normal(size=len(engine.state.mu))
    assert engine.bound() >= lowest


@given(graphs, st.sampled_from([1.0, 1.6]))
def test_drivers_agree(graph: FactorGraph, relaxation: float) -> None:
    compiled, python = (Engine(graph, 1.0, relaxation, compiled=flag) for flag in (True, False))
    for step in range(30):
        for engine in (compiled, python):
            engine.iterate(1, 0.0)
            if step == 10:
                engine.balance()
        for name in ("u", "z", "mu", "residuals"):
            assert np.array_equal(getattr(compiled.state, name), getattr(python.state, name)), name
    layout = compiled.layout
    totals = np.bincount(layout.link_variables, weights=compiled.eta * compiled.state.mu, minlength=len(layout.fixed))
    linked = compiled.consensus.degrees > 0
    assert totals[linked] == pytest.approx(compiled.consensus.scores[linked], abs=1e-9)


@given(graphs)
def test_averages_are_within_the_trees_and_nearly_within_the_budget(graph: FactorGraph) -> None:
    engine = Engine(graph, 1.0, 1.6)
    layout, hub = engine.layout, engine.layout.hub
    assume(hub >= 0 and layout.codes[hub] == TREE_BUDGET)
    engine.iterate(7, 0.0)
    averages = engine.state.u[layout.link_variables[engine.consensus.links(hub)]]
    parents = layout.ints[layout.int_starts[hub] : layout.int_starts[hub + 1]]
    floats = layout.floats[layout.float_starts[hub] : layout.float_starts[hub + 1]]
    children = np.flatnonzero(parents >= 0)
    assert (averages[children] <= averages[parents[children]] + 1e-12).all()
    assert floats[1:] @ averages <= floats[0] * 1.01 + 1e-9


@pytest.mark.parametrize("size", ["tiny", "tac", "zipf"])
@pytest.mark.parametrize("seed", [21, 22])
def test_a_summary_is_a_hub_and_weighted_coverages(size: str, seed: int) -> None:
    task = get_task("summarization")
    instance = task.generate(seed=seed, size=size)
    engine = Engine(task.graph(instance), None, 1.6)
    layout = engine.layout
    assert set(layout.codes.tolist()) <= {TREE_BUDGET, COVERAGE, PAIR_COVERAGE}
    assert layout.codes[layout.hub] == TREE_BUDGET
    assert layout.on_hub[layout.link_variables].all()
    assert len(layout.factor_steps)
    bound = get_solver("lp-highs").solve(instance).bound
    plain, joined = (Engine(task.graph(instance), None, 1.6, joining=joining) for joining in (False, True))
    for made in (plain, joined):
        for _ in range(40):
            made.iterate(100, 1e-7)
        assert made.bound() == pytest.approx(bound, rel=1e-3)
        assert made.bound() >= bound * (1 - 1e-7)
    assert joined.posteriors().shape == plain.posteriors().shape


@pytest.mark.parametrize("options", [{"hub": False}, {"eliminating": False}, {"joining": False}])
def test_joining_can_be_left_out(options: dict[str, Any]) -> None:
    task = get_task("summarization")
    codes = Engine(task.graph(task.generate(3, "tac")), None, **options).layout.codes.tolist()
    assert {SUBTREE, OR_OUT} <= set(codes)
    assert not {TREE_BUDGET, PAIR_COVERAGE} & set(codes)


def test_trees_that_share_a_word_are_not_joined() -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0, 1.0])
    graph.add_subtree_deletion(x[:2], [-1, 0], [0.0, 0.5], [False, False])
    graph.add_subtree_deletion(x[1:3], [-1, 0], [0.0, 0.5], [False, False])
    graph.add_logic("or_out", [x[0], x[2], x[3]])
    graph.add_budget(x[:3], 2)
    engine = Engine(graph, 1.0)
    assert TREE_BUDGET not in engine.layout.codes
    assert engine.layout.hub >= 0


def test_joined_variables_cannot_be_fixed() -> None:
    task = get_task("summarization")
    engine = Engine(task.graph(task.generate(3, "tiny")), None)
    engine.restore(engine.snapshot(), {})
    with pytest.raises(ValueError, match="joining=False"):
        engine.restore(engine.snapshot(), {0: 1})
