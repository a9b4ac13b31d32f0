"""`wcsp-toulbar2` and `maxsat-rc2`: brute force and `ilp-highs` as oracles, limits, missing libraries."""

from __future__ import annotations

import itertools
import math
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import run
from bench.cli.machine import solver_health
from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.foreign import Factor
from problems.formats.graph_network import Translation
from problems.formats.network import Linear
from problems.formats.network_costs import FORBIDDEN
from solvers import get_solver
from solvers.networks import NETWORK_SOLVERS, clauses
from solvers.networks.clauses import Clauses
from solvers.networks.toulbar2 import _clause
from solvers.networks.whole_costs import WholeCosts, whole_costs

ROOT = Path(__file__).parents[2]
NAMES = sorted(NETWORK_SOLVERS)
EXTRAS = {"maxsat-rc2": ("pysat", "maxsat"), "wcsp-toulbar2": ("pytoulbar2", "toulbar2")}
pytest.importorskip("pysat")
pytest.importorskip("pytoulbar2")


@pytest.mark.parametrize("name", NAMES)
def test_graphs_of_all_kinds(name: str) -> None:
    optimal = []

    @settings(max_examples=max(150, settings().max_examples))
    @given(factor_graphs(most_variables=7, most_factors=5))
    def agree(graph: FactorGraph) -> None:
        best, found = get_solver("brute-force").solve(graph), get_solver(name).solve(graph)
        assert (found.status, found.message) == (best.status, "")
        optimal.append(best.status == "optimal")
        if best.status == "optimal":
            assert found.objective == pytest.approx(best.objective, abs=1e-9)
            assert found.bound >= best.objective - 1e-12 * graph.magnitude

    agree()
    assert sum(optimal) >= 100


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("task_name", "size"), [("extraction", "tiny"), ("summarization", "tiny"), ("parsing", "tiny-2")]
)
def test_generated_instances(name: str, task_name: str, size: str) -> None:
    task = get_task(task_name)
    for seed in range(4):
        instance = task.generate(seed, size)
        found = get_solver(name).solve(instance)
        assert found.status == "optimal"
        assert task.broken(instance, found.structure) is None
        assert found.objective == pytest.approx(get_solver("ilp-highs").solve(instance).objective, rel=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1e-100, 1e-12, 1.0, 1e12, 1e90])
def test_scores_of_any_size(name: str, size: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        graph = FactorGraph()
        x = graph.add_variables(rng.normal(size=7) * size)
        graph.add_budget(x, 3)
        graph.add_knapsack(x[:5], rng.integers(1, 5, 5), 6)
        for first, second in itertools.combinations(x.tolist(), 2):
            graph.add_pair(first, second, float(rng.normal()) * size)
        best, found = get_solver("brute-force").solve(graph), get_solver(name).solve(graph)
        assert found.status == "optimal"
        assert found.objective == pytest.approx(best.objective, rel=1e-9, abs=1e-12 * graph.magnitude)


@pytest.mark.parametrize("name", NAMES)
def test_scores_that_need_more_than_45_bits_leave_no_wrong_claim(name: str) -> None:
    """Beside 2^60, a score of 1 is below the rounding: the bound has to allow for it."""
    graph = FactorGraph()
    graph.add_logic("at_most_one", graph.add_variables([1.0, 0.75]))
    graph.add_pair(*graph.add_variables([2.0**60, -(2.0**60)]), 2.0**59)
    best, found = get_solver("brute-force").solve(graph), get_solver(name).solve(graph)
    assert found.bound >= best.objective
    assert found.objective <= best.objective
    assert found.status == "optimal"
    assert found.gap < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_ties_and_no_scores(name: str) -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.0] * 6)
    graph.add_logic("xor", x[:3])
    graph.add_knapsack(x, [1, 2, 3, 1, 2, 3], 4)
    assert get_solver(name).solve(graph).objective == 0.0
    graph = FactorGraph()
    graph.add_budget(graph.add_variables([1.0] * 9), 4)
    found = get_solver(name).solve(graph)
    assert (found.status, found.objective, found.bound) == ("optimal", 4.0, 4.0)


@pytest.mark.parametrize("name", NAMES)
def test_empty_and_infeasible_graphs(name: str) -> None:
    empty = FactorGraph()
    empty.constant = 2.5
    found = get_solver(name).solve(empty)
    assert (found.status, found.objective, found.bound) == ("optimal", 2.5, 2.5)
    free = FactorGraph()
    free.add_variables([1.0, -2.0])
    assert get_solver(name).solve(free).objective == 1.0
    pigeons = FactorGraph()  # four in three holes
    x = pigeons.add_variables([1.0] * 12).reshape(4, 3)
    for row in x:
        pigeons.add_logic("or", row)
    for column in x.T:
        pigeons.add_logic("at_most_one", column)
    found = get_solver(name).solve(pigeons)
    assert (found.status, found.structure, found.bound) == ("infeasible", None, -math.inf)
    none = FactorGraph()
    y = none.add_variables([1.0])
    none.add_logic("or", y)
    none.add_logic("or", y, [True])
    assert get_solver(name).solve(none).status == "infeasible"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("limit", [0.01, 1.0])
def test_a_time_limit_leaves_a_valid_bound(name: str, limit: float) -> None:
    """How much it leaves else depends on the machine."""
    task = get_task("extraction")
    instance = task.generate(1, "tac")
    best = get_solver("ilp-cpsat").solve(instance)
    found = get_solver(name, time_limit=limit, trace=True).solve(instance)
    assert found.status in ("optimal", "feasible", "relaxed", "timeout")
    assert found.status == "optimal" or found.message == "stopped at the time limit"
    assert found.bound >= best.objective - 1e-6
    if found.structure is not None:
        assert task.broken(instance, found.structure) is None
        assert found.objective <= best.objective + 1e-6
        assert found.trace[-1].objective == found.objective
    for earlier, later in itertools.pairwise(found.trace):
        assert later.seconds >= earlier.seconds
        assert later.bound <= earlier.bound + 1e-9
    assert all(point.bound >= best.objective - 1e-6 for point in found.trace)
    assert get_solver(name).solve(task.generate(1, "tiny")).status == "optimal"  # no limit is left behind


def test_rc2_traces_its_way() -> None:
    found = get_solver("maxsat-rc2", trace=True).solve(get_task("extraction").generate(3, "tiny"))
    first, last = found.trace[0], found.trace[-1]
    assert first.objective <= last.objective == found.objective
    assert first.bound > last.bound == found.bound
    assert first.iteration == 1
    assert last.iteration == found.iterations > 1


@pytest.mark.parametrize("name", NAMES)
def test_interrupts_stay_pythons(name: str) -> None:
    code = (
        "import os, signal, time\n"
        "from problems import get_task\nfrom solvers import get_solver\n"
        "instance = get_task('extraction').generate(1, 'tiny')\n"
        f"for limit in (None, 1.0): get_solver({name!r}, time_limit=limit).solve(instance)\n"
        "os.kill(os.getpid(), signal.SIGINT)\ntime.sleep(20)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == ""
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")


LIBRARIES = ("ortools.sat.python.cp_model", "highspy", "pytoulbar2", "pysat.examples.rc2")


@pytest.mark.parametrize(
    "order", [LIBRARIES, LIBRARIES[::-1], LIBRARIES[2:] + LIBRARIES[:2]], ids=["old", "new", "mixed"]
)
def test_libraries_live_together_and_are_silent(order: tuple[str, ...]) -> None:
    code = (
        f"import {', '.join(order)}\n"
        "from problems import get_task\nfrom solvers import get_solver\n"
        "instance = get_task('summarization').generate(1, 'tiny')\n"
        "names = ('ilp-cpsat', 'wcsp-toulbar2', 'ilp-highs', 'maxsat-rc2', 'ilp-scip') * 2\n"
        "found = [get_solver(name, time_limit=60.0).solve(instance) for name in names]\n"
        "assert {one.status for one in found} == {'optimal'}\n"
        "assert max(one.objective for one in found) - min(one.objective for one in found) < 1e-6\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_listing_solvers_imports_no_library() -> None:
    code = "import sys, solvers.networks.maxsat, solvers.networks.toulbar2; print({'pysat', 'pytoulbar2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("name", NAMES)
def test_without_the_library(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module, extra = EXTRAS[name]
    for loaded in [other for other in sys.modules if other.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    command = f"pip install 'dualbench[{extra}]'"
    instance = get_task("extraction").generate(1, "tiny")
    with pytest.raises(
        InputError, match=f"solver '{name}' cannot be used here: the Python package {module} "
    ) as caught:
        get_solver(name).solve(instance)
    assert str(caught.value).endswith(f"{command}.")
    (health,) = [one for one in solver_health() if one.name == name]
    assert health.problem is not None
    assert health.problem.endswith(command)
    given = {
        "name": "missing",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "count": 1, "seed": 1}},
        "solvers": [{"name": name}, {"name": "greedy"}],
    }
    records = run(given, out=tmp_path / "run").set_index("solver")
    assert records.loc[name, "status"] == "skipped"
    assert records.loc[name, "message"].endswith(command)
    assert records.loc["greedy", "status"] == "feasible"


class Nothing(Factor):
    def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
        return (scores > 0).astype(float), 0.0


@pytest.mark.parametrize("name", NAMES)
def test_factors_in_python_are_refused_by_kind(name: str) -> None:
    graph = FactorGraph()
    graph.add_factor(Nothing(), graph.add_variables([1.0, 2.0]))
    with pytest.raises(InputError, match="cannot say factors of your own"):
        get_solver(name).solve(graph)


def test_a_knapsack_with_too_many_sums_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "MOST_CLAUSES", 10_000)
    rng = np.random.default_rng(1)
    graph = FactorGraph()
    graph.add_knapsack(graph.add_variables(rng.random(40)), rng.random(40), 4.0)
    with pytest.raises(InputError, match=r"more than 10000 clauses .* a linear constraint with 40 terms"):
        get_solver("maxsat-rc2").solve(graph)
    wide = FactorGraph()
    wide.add_budget(wide.add_variables(rng.random(400)), 200)
    with pytest.raises(InputError, match=r"more than 10000 clauses for a budget over 400 variables"):
        get_solver("maxsat-rc2").solve(wide)


@given(factor_graphs(most_variables=5, most_factors=3))
def test_whole_costs_say_what_scores_say(graph: FactorGraph) -> None:
    """Over assignments of the network: forbidden together, and the score within the error of its cost."""
    network = Translation(graph).network
    costs = whole_costs(network, "some")
    scores = [(table, table.laid_out(network.domains)) for table in network.tables]
    paid = [(table, table.laid_out(network.domains)) for table in costs.tables]
    assert costs.impossible == any(table.best(network.domains) == -math.inf for table in network.tables)
    for values in itertools.islice(itertools.product(*map(range, network.domains)), 0 if costs.impossible else 200):
        score = network.constant + sum(table[at(values, given)] for given, table in scores)
        cost = [int(table[at(values, given)]) for given, table in paid]
        assert (score == -math.inf) == (FORBIDDEN in cost)
        if score > -math.inf:
            assert abs(costs.score(sum(cost)) - score) <= costs.error + 1e-12 * (1.0 + abs(score))
            assert 0 <= sum(cost) <= costs.most < 2**46


def at(values: tuple[int, ...], table: Any) -> tuple[int, ...]:
    return tuple(values[v] for v in table.scope)


@given(st.data())
def test_linear_constraints_that_are_clauses(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 5))
    numbers = {"min_size": count, "max_size": count}
    weights = np.array(data.draw(st.lists(st.integers(-3, 3).filter(bool), **numbers)))
    values = np.array(data.draw(st.lists(st.integers(0, 1), **numbers)))
    linear = Linear(np.arange(count), values, weights, data.draw(st.integers(-9, 9)))
    excluded = [
        list(chosen)
        for chosen in itertools.product((0, 1), repeat=count)
        if int(weights[np.array(chosen) == values].sum()) < linear.least
    ]
    assert _clause(linear, [2] * count) == (excluded[0] if len(excluded) == 1 else None)
    assert _clause(linear, [2] * (count - 1) + [3]) is None


def test_clauses_cost_what_the_network_costs() -> None:
    """For each assignment of a small network, the least cost of the formula is that of its tables, by RC2."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    compared = []

    @given(factor_graphs(most_variables=5, most_factors=3))
    def compare(graph: FactorGraph) -> None:
        network = Translation(graph).network
        costs = whole_costs(network, "some")
        if costs.impossible or math.prod(network.domains) > 48:
            return
        made = Clauses(network, costs, "some")
        for values in itertools.product(*map(range, network.domains)):
            formula = WCNF()
            formula.extend(made.hard)
            formula.extend([[made.literals[v][value]] for v, value in enumerate(values)])
            for literal, weight in made.soft.items():
                formula.append([literal], weight=weight)
            with RC2(formula) as rc2:
                found = None if [] in made.hard or rc2.compute() is None else rc2.cost
            assert found == expected_cost(values, network, costs)
            compared.append(found)

    compare()
    assert sum(cost is None for cost in compared) > 100
    assert sum(cost is not None for cost in compared) > 100


def expected_cost(values: tuple[int, ...], network: Any, costs: WholeCosts) -> int | None:
    paid = [int(table.laid_out(network.domains)[at(values, table)]) for table in costs.tables]
    for linear in network.linears:
        terms = zip(linear.variables.tolist(), linear.values.tolist(), linear.weights.tolist(), strict=True)
        if sum(weight for v, value, weight in terms if values[v] == value) < linear.least:
            return None
    return None if FORBIDDEN in paid else sum(paid)
