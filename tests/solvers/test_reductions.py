"""AD3's presolve beyond equal variables: shortened conjunctions and eliminated outputs change neither optimum nor relaxation."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest
from graph_strategies import factor_graphs, summary_graphs
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_oracle import lp_optimum

from problems import get_task
from problems.factor_graph import FactorGraph
from problems.factors import KINDS
from problems.factors.block import Block
from problems.factors.coverage import Coverage
from problems.kernels.codes import BUDGET, COVERAGE, OR_OUT
from problems.linear_program import LinearProgram, ProgramBuilder
from solvers import get_solver
from solvers.ad3_engine import Engine
from solvers.compiled_presolve import reduce_graph
from solvers.elimination import Eliminated


class Small(NamedTuple):
    """What AD3 makes of a graph, as blocks."""

    blocks: list[Block]
    scores: np.ndarray
    variable_of: np.ndarray
    constant: float
    eliminated: Eliminated

    def program(self) -> LinearProgram:
        builder = ProgramBuilder(constant=self.constant)
        builder.add_columns(self.scores, integer=True)
        for block in self.blocks:
            block.constrain(builder)
        return builder.build()

    def objective(self, values: np.ndarray) -> float:
        own = sum(float(block.score(values).sum()) for block in self.blocks)
        return self.constant + float(self.scores @ values) + own


def reduced(graph: FactorGraph) -> Small:
    found = reduce_graph(graph)
    blocks = found.flat.blocks({**KINDS, Coverage.kind: Coverage})
    return Small(blocks, found.scores, found.variable_of, graph.constant + found.eliminated.constant, found.eliminated)


def check(graph: FactorGraph) -> None:
    """The relaxations have one optimum; every assignment of what is left, restored, scores the same in the graph."""
    small = reduced(graph)
    before, after = lp_optimum(graph.linear_program()), lp_optimum(small.program())
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert after[0] == pytest.approx(before[0], rel=1e-7, abs=1e-7)
    best = max(
        graph.objective(np.array(values)) for values in itertools.product((0.0, 1.0), repeat=graph.number_of_variables)
    )
    linked = np.unique(np.concatenate([np.zeros(0, int), *(block.variables for block in small.blocks)]))
    free = np.flatnonzero(small.scores)
    chosen = np.union1d(linked, free)
    reached = -np.inf
    for values in itertools.product((0.0, 1.0), repeat=len(chosen)):
        point = np.zeros(len(small.scores))
        point[chosen] = values
        worth = small.objective(point)
        if worth > reached:
            reached = worth
            restored = small.eliminated.restore(point)[small.variable_of]
            assert graph.objective(restored) >= worth - 1e-9
    assert reached == pytest.approx(best, abs=1e-9) or reached == best == -np.inf


@settings(max_examples=max(100, settings().max_examples))
@given(summary_graphs())
def test_summaries_keep_their_optima(graph: FactorGraph) -> None:
    check(graph)


@given(factor_graphs(most_variables=6, kinds=("or_out", "and_out", "subtree", "budget", "or")))
def test_graphs_keep_their_optima(graph: FactorGraph) -> None:
    check(graph)


AS_PUBLISHED = {"hub": False, "reduced": False, "over_relaxation": 1.0}


@given(summary_graphs(), st.sampled_from([{}, {"reduced": False}, AS_PUBLISHED]))
def test_ad3_meets_the_linear_program(graph: FactorGraph, options: dict[str, Any]) -> None:
    optimum = lp_optimum(graph.linear_program())
    assert optimum is not None
    found = get_solver("ad3", max_iterations=20_000, residual_tolerance=1e-8, **options).solve(graph)
    assert found.bound == pytest.approx(optimum[0], rel=1e-4, abs=1e-4)


def test_ad3_as_published_has_the_factors_of_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """A concept of two sentences and a budget. By default the concept becomes a coverage, and the budget the hub."""
    made: list[Engine] = []

    class Kept(Engine):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            made.append(self)

    monkeypatch.setattr("solvers.ad3_engine.Engine", Kept)
    graph = FactorGraph()
    x = graph.add_variables([1.0, -0.5, 2.0])
    graph.add_logic("or_out", x)
    graph.add_budget(x[:2], 1)
    get_solver("ad3", **AS_PUBLISHED).solve(graph)
    get_solver("ad3").solve(graph)
    published, ours = (
        (engine.layout.codes.tolist(), engine.layout.hub, engine.over_relaxation) for engine in made[-2:]
    )
    assert published == ([OR_OUT, BUDGET], -1, 1.0)
    assert sorted(ours[0]) == sorted([COVERAGE, BUDGET])
    assert ours[1] == ours[0].index(BUDGET)
    assert ours[2] > 1.0


@given(summary_graphs())
def test_branch_and_bound_equals_brute_force(graph: FactorGraph) -> None:
    best, found = (get_solver(name).solve(graph) for name in ("brute-force", "ad3-exact"))
    assert found.status == best.status
    assert found.objective == pytest.approx(best.objective, abs=1e-6)


@given(summary_graphs(), st.sampled_from([1.0, 1.6]))
def test_both_drivers_agree(graph: FactorGraph, relaxation: float) -> None:
    compiled, python = (Engine(graph, 1.0, relaxation, compiled=flag) for flag in (True, False))
    for _ in range(20):
        compiled.iterate(1, 0.0)
        python.iterate(1, 0.0)
        for name in ("u", "z", "mu", "residuals"):
            assert np.array_equal(getattr(compiled.state, name), getattr(python.state, name)), name


def test_a_token_on_the_way_to_the_root_is_a_word() -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.0, 0.0, 0.0, 0.0])
    graph.add_subtree_deletion(x, [-1, 0, 1, 0], [0.0, 0.1, 0.2, 0.3])
    token, other, falling = graph.add_variables([0.0, 0.0, -1.0])
    first, second, third, same = graph.add_variables([1.0, 2.0, -1.0, 4.0])
    graph.add_logic("and_out", [x[0], x[2], x[1], token])
    graph.add_logic("and_out", [x[1], x[3], x[0], other])
    graph.add_logic("and_out", [x[0], x[1], falling])
    graph.add_logic("or_out", [token, other, first])
    graph.add_logic("or_out", [token, other, same])
    graph.add_logic("or_out", [x[0], falling, third])
    graph.add_logic("or_out", [x[2], x[3], second])
    small = reduced(graph)
    assert small.variable_of[token] == x[2]
    kinds: dict[str, Block] = {block.kind: block for block in small.blocks}
    assert kinds["or_out"].degrees.tolist() == [3, 3]  # `other` without its root, and `falling` as it was
    assert sorted(kinds["coverage"].floats.tolist()) == [-1.0, 2.0, 5.0]
    check(graph)


def test_concepts_of_the_same_sentences_become_one() -> None:
    instance = get_task("extraction").generate(7012, "tac")
    graph = get_task("extraction").graph(instance)
    sets = {concept.sentences for concept in instance.concepts if len(concept.sentences) > 1 and concept.score}
    engine = Engine(graph, 1.0)
    assert len(engine.layout.codes) == len(sets) + 1  # and the knapsack
    assert len(sets) < len(instance.concepts)


@pytest.mark.parametrize(("task", "size"), [("extraction", "tac"), ("summarization", "tac"), ("summarization", "zipf")])
def test_posteriors_of_eliminated_variables_are_feasible(task: str, size: str) -> None:
    """After convergence, values with the restored ones satisfy every row of the graph's own program, and meet its bound."""
    graph = get_task(task).graph(get_task(task).generate(7013, size))
    found = get_solver("ad3", max_iterations=5000).solve(graph)
    assert found.posteriors is not None
    program = graph.linear_program()
    assert program.violation(found.posteriors) <= 1e-2
    assert float(program.objective @ found.posteriors) + program.constant == pytest.approx(found.bound, rel=2e-3)
