"""Factors of one's own with numba kernels: the same iterates as built-in ones, and what is said of broken kernels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError
from own_twins import OneOf, Table, best_of_one

from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.compiled import CompiledFactor
from problems.kernels import loading
from problems.kernels.own import MAXIMIZE, address_of
from solvers import get_solver
from solvers.ad3_engine import Engine
from solvers.subgradient_engine import SubgradientEngine


@njit
def always_raises(scores, ints, floats, y):  # type: ignore[no-untyped-def]
    y[:] = 0.0
    if len(scores) > 0:
        raise ValueError("no")
    return 0.0


class Raises(CompiledFactor):
    maximize_kernel = always_raises


def twins(seed: int, own: bool) -> FactorGraph:
    """A graph with factors of one's own, or with the same factors built in."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    x = graph.add_variables(rng.normal(size=12))
    graph.add_budget(x, 5)
    for _ in range(4):
        links, negated = rng.choice(12, 4, replace=False), rng.random(4) < 0.3
        graph.add_factor(OneOf(), links, negated) if own else graph.add_logic("xor", links, negated)
    for _ in range(3):
        links, table = rng.choice(12, 5, replace=False), rng.normal(size=(2, 3))
        graph.add_factor(Table(table), links) if own else graph.add_dense([links[:2], links[2:]], table)
    return graph


@pytest.mark.parametrize("seed", range(5))
def test_compiled_factors_make_the_iterates_of_built_in_ones(seed: int) -> None:
    engines = [Engine(twins(seed, own), 1.0) for own in (False, True)]
    assert engines[1].compiled
    for _ in range(60):
        for engine in engines:
            engine.iterate(1, 0.0)
        assert engines[1].state.u == pytest.approx(engines[0].state.u, abs=1e-9)
    assert engines[1].dual_value() == pytest.approx(engines[0].dual_value(), abs=1e-9)
    descents = [SubgradientEngine(twins(seed, own), 1.0, "diminishing") for own in (False, True)]
    for descent in descents:
        descent.descend(60)
    assert descents[1].last_value == pytest.approx(descents[0].last_value, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_compiled_factors_have_one_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    x = graph.add_variables(rng.normal(size=9))
    graph.add_factor(OneOf(), x[:5], rng.random(5) < 0.4)
    graph.add_factor(OneOf(), x[4:])
    graph.add_pair(x[0], x[6], float(rng.normal()))
    best = get_solver("brute-force").solve(graph)
    for name in ("ilp-highs", "ad3-exact"):
        found = get_solver(name).solve(graph)
        assert found.status == best.status
        assert found.objective == pytest.approx(best.objective, abs=1e-6)
    for name in ("ad3", "subgradient"):
        assert get_solver(name, max_iterations=300).solve(graph).bound >= best.objective - 1e-6


def test_faces_of_a_block() -> None:
    rng = np.random.default_rng(3)
    point, scores = rng.normal(size=12), rng.normal(size=12)
    for own, built_in in (("own_projected", "xor"), ("own", "dense")):
        mine = next(block for block in twins(1, True).blocks if block.kind == own)
        theirs = next(block for block in twins(1, False).blocks if block.kind == built_in)
        count = len(mine.variables)
        given = np.resize(scores, count)
        for left, right in zip(mine.maximize(given), theirs.maximize(given), strict=True):
            assert left == pytest.approx(right)
        assert mine.project(np.resize(point, count), 0.7) == pytest.approx(theirs.project(np.resize(point, count), 0.7))


def test_a_pickled_graph_finds_its_kernels() -> None:
    graph = twins(2, True)
    before = get_solver("ad3").solve(graph).bound
    sent = pickle.loads(pickle.dumps(graph))
    assert not any(block.ints[block.int_starts[:-1]].any() for block in sent.blocks if block.kind.startswith("own"))
    assert get_solver("ad3").solve(sent).bound == before


def test_a_kernel_that_raises_gives_no_bound() -> None:
    graph = FactorGraph()
    graph.add_factor(Raises(), graph.add_variables([1.0, 2.0]))
    engine = Engine(graph, 1.0)
    engine.iterate(5, 0.0)
    assert np.isnan(engine.dual_value())


def test_broken_kernels_get_one_sentence() -> None:
    class Interpreted(CompiledFactor):
        maximize_kernel = staticmethod(best_of_one.py_func)

    class Untyped(CompiledFactor):
        maximize_kernel = njit(lambda scores, ints, floats, y: scores.no_such_thing())

    class Fractional(CompiledFactor):
        maximize_kernel = best_of_one
        ints = (0.5,)

    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0])
    with pytest.raises(InputError, match=r"`maximize_kernel` of factor 'Interpreted' must be a function that numba"):
        graph.add_factor(Interpreted(), x)
    with pytest.raises(InputError, match="the ints of factor 'Fractional' must be whole numbers"):
        graph.add_factor(Fractional(), x)
    graph.add_factor(Untyped(), x)
    with pytest.raises(InputError, match="`maximize_kernel` of factor 'Untyped' cannot be compiled"):
        get_solver("ad3").solve(graph)


def test_compiling_a_kernel_of_ones_own_is_on_nobodys_clock() -> None:
    @njit
    def first(scores, ints, floats, y):  # type: ignore[no-untyped-def]
        y[:] = 0.0
        return 0.0

    @njit
    def broken(scores, ints, floats, y):  # type: ignore[no-untyped-def]
        return scores.nothing

    before = loading.cpu_seconds, loading.wall_seconds
    address_of(first, MAXIMIZE)
    assert loading.cpu_seconds > before[0]
    assert loading.wall_seconds > before[1]
    with pytest.raises(NumbaError):
        address_of(broken, MAXIMIZE)
    assert not loading.is_under_way()
