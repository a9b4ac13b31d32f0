"""toulbar2's .wcsp and .cfn files: what they mean, the sentence that a wrong one gets, and graphs written as such files."""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given
from hypothesis import strategies as st
from toulbar2_oracle import optima

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.factors.foreign import Factor
from problems.formats.cfn_writer import write_cfn
from problems.formats.wcsp import as_scores
from problems.formats.wcsp_writer import write_wcsp
from solvers import get_solver

with_toulbar2 = pytest.mark.skipif(importlib.util.find_spec("pytoulbar2") is None, reason="pytoulbar2 is not installed")
EXACT = (
    *("ilp-highs", "ilp-cpsat", "ilp-glpk", "ilp-gurobi", "ilp-xpress"),
    *("ad3-exact", "wcsp-toulbar2", "maxsat-rc2"),
)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# Four towns, three colours: neighbours differ; colours have costs, towns 0 and 3 should agree, and colour 2 costs money (6 at most).
WCSP = """towns 5 3 10 1000
3 3 3 3 2
0 4 0
-2 0 1 0 3
0 0 1000
1 1 1000
2 2 1000
2 1 2 0 -1
2 2 3 0 -1
2 0 3 7 3
0 0 0
1 1 0
2 2 0
1 0 0 2
1 3
2 1
1 4 5 1
1 0
3 0 1 4 0 2
2 0 1 11
0 2 0 2000
4 0 1 2 3 -1 knapsackp -6 1 2 -4 2 2 -3 1 -1 1 2 -2 1 2 -5
2 3 4 -1 knapsackv 1 3 3 0 1 3 1 1 4 1 1
"""


def towns_cost(a: int, b: int, c: int, d: int, bought: int) -> float:
    """What the file above says, by hand; infinite where it forbids."""
    if a == b or b == c or c == d or (a == 0 and b == 2 and bought == 0):
        return math.inf
    if 4 * (a == 2) + 3 * (b == 2) + (b == 1) + 2 * (c == 2) + 5 * (d == 2) > 6:
        return math.inf
    if (d == 0) + (d == 1) + bought < 1:
        return math.inf
    return 4 + (0 if a == d else 7) + [0, 3, 1][a] + (0 if bought else 5) + 11 * (a == 2 and b == 0 and bought == 1)


def test_a_wcsp_file_means_what_it_says(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, "towns.wcsp", WCSP))
    assert graph.number_of_variables == 3 * 4 + 2  # a table of three contains the last variable, so it is a group, too
    for chosen in itertools.product(range(3), range(3), range(3), range(3), range(2)):
        values = [
            int(value == state) for state, size in zip(chosen, (3, 3, 3, 3, 2), strict=True) for value in range(size)
        ]
        assert graph.objective(values) == pytest.approx(-towns_cost(*chosen))


def test_solvers_agree_on_a_wcsp_file(tmp_path: Path) -> None:
    path = write(tmp_path, "towns.wcsp", WCSP)
    best = min(towns_cost(*chosen) for chosen in itertools.product(range(3), range(3), range(3), range(3), range(2)))
    graph = FactorGraph.read(path)
    for name in ("brute-force", *EXACT):
        found = get_solver(name).solve(graph)
        assert found.status == "optimal"
        assert found.objective == pytest.approx(-best, abs=1e-6)


@with_toulbar2
def test_toulbar2_agrees_on_a_wcsp_file(tmp_path: Path) -> None:
    best = min(towns_cost(*chosen) for chosen in itertools.product(range(3), range(3), range(3), range(3), range(2)))
    assert optima([write(tmp_path, "towns.wcsp", WCSP)]) == [best]


CFN = """# colours of two flags
{ "problem": { "name": "flags", "mustbe": "<100.000" },
  "variables": { "left": ["red", "green", "blue"], "right": ["red", "green", "blue"], "wind": 2, "night": 2 },
  "functions": {
    "same":  { "scope": ["left", "right"], "defaultcost": 0.25,
               "costs": ["red", "red", 200.0, "green", 1, -1.5, 2, 2, 1.75] },
    "night": { "scope": ["left", "wind"], "costs": "windy" },
    "windy": { "scope": ["right", "wind"], "costs": [0, 1.5, -0.5, 0, 2, 0.125] },   // all six
    "both":  { "scope": ["wind", "night"], "costs": [0, -1, -1, 200] },
    "free":  { "scope": [], "costs": [-2.5] },
    "dark":  { "scope": ["night"], "costs": [0.5, 0.125] },
    "price": { "scope": ["left", "right", "night"], "type": "knapsackv",
               "params": { "capacity": -3, "weightedvalues": [["left", 2, -2], [1, 2, -2], ["night", 1, -1]] } },
    "some":  { "scope": ["wind", "night"], "type": "knapsack", "params": { "capacity": 1, "weights": [1, 1] } }
  }
}
"""
BARE_CFN = """{ { flags <100.000 }
  { left [red green blue] right [red green blue] 2 night 2 }
  { { [left right] 0.25 [red red 200.0 green 1 -1.5 2 2 1.75] }
    { [left 2] windy }
    windy { [right x2] [0 1.5 -0.5 0 2 0.125] }
    { [2 night] [0 -1 -1 200] }
    { [] [-2.5] }
    { [3] [0.5 0.125] }
    { [left right night] knapsackv { -3 [left blue -2 1 2 -2 night 1 -1] } }
    { [2 3] knapsack [1 [1 1]] } } }
"""


def flags_cost(left: int, right: int, wind: int, night: int) -> float:
    same = {(0, 0): math.inf, (1, 1): -1.5, (2, 2): 1.75}.get((left, right), 0.25)
    windy = [[0, 1.5], [-0.5, 0], [2, 0.125]]
    if wind + night != 1 or 2 * (left == 2) + 2 * (right == 2) + night > 3:
        return math.inf
    return same + windy[left][wind] + windy[right][wind] - 1 - 2.5 + (0.125 if night else 0.5)


@pytest.mark.parametrize("text", [CFN, BARE_CFN], ids=["tagged", "bare"])
def test_a_cfn_file_means_what_it_says(tmp_path: Path, text: str) -> None:
    graph = FactorGraph.read(write(tmp_path, "flags.cfn", text))
    assert graph.number_of_variables == 3 + 3 + 2 + 1  # `night` is in tables of two-valued variables only
    best = math.inf
    for left, right, wind, night in itertools.product(range(3), range(3), range(2), range(2)):
        groups = [(left, 3), (right, 3), (wind, 2)]
        values = [int(value == state) for state, size in groups for value in range(size)]
        cost = flags_cost(left, right, wind, night)
        assert graph.objective([*values, night]) == pytest.approx(-cost)
        best = min(best, cost)
    for name in ("brute-force", *EXACT):
        assert get_solver(name).solve(graph).objective == pytest.approx(-best, abs=1e-6)


@with_toulbar2
def test_toulbar2_agrees_on_a_cfn_file(tmp_path: Path) -> None:
    best = min(flags_cost(*chosen) for chosen in itertools.product(range(3), range(3), range(2), range(2)))
    assert optima([write(tmp_path, "flags.cfn", CFN)]) == pytest.approx([best])


def test_costs_that_are_maximized_are_scores(tmp_path: Path) -> None:
    text = '{"problem": {"name": "m", "mustbe": ">-50.0"}, "variables": {"x": 2, "y": 2}, "functions": {'
    text += '"f": {"scope": ["x", "y"], "costs": [1, 2, -60, 3.5]}, "g": {"scope": ["y"], "costs": [0, -2]}}}'
    graph = FactorGraph.read(write(tmp_path, "most.cfn", text))
    assert graph.number_of_variables == 2
    assert [graph.objective([x, y]) for x in (0, 1) for y in (0, 1)] == [1.0, 0.0, -math.inf, 1.5]


def test_a_bound_forbids_what_cannot_stay_below_it(tmp_path: Path) -> None:
    """As for toulbar2: 12 is below 10 where another function gives back 3, and not where it gives back 1."""
    for back, allowed in ((-3, True), (-1, False)):
        functions = f'"f": {{"scope": ["x"], "costs": [0, 12]}}, "c": {{"scope": [], "costs": [{back}]}}'
        text = '{"problem": {"name": "m", "mustbe": "<10.0"}, "variables": {"x": 2}, "functions": {' + functions + "}}"
        graph = FactorGraph.read(write(tmp_path, "bound.cfn", text))
        assert graph.objective([1]) == (-12.0 - back if allowed else -math.inf)


def test_a_cost_just_below_the_bound_is_none_of_it(tmp_path: Path) -> None:
    bound = 2**53 - 1
    text = f"n 1 3 1 {bound}\n3\n1 0 0 2\n1 {bound - 1}\n2 {bound}\n"
    graph = FactorGraph.read(write(tmp_path, "large.wcsp", text))
    assert [graph.objective(np.eye(3)[value]) for value in range(3)] == [0.0, 1.0 - bound, -math.inf]
    graph = FactorGraph()
    graph.add_dense([graph.add_variables(np.zeros(3))], [0.123456789012345678, -1.0, -math.inf])
    for writer, name in ((write_wcsp, "own.wcsp"), (write_cfn, "own.cfn")):
        writer(graph, tmp_path / name)
        read = FactorGraph.read(tmp_path / name)
        assert [read.objective(np.eye(3)[value]) for value in range(3)] == pytest.approx(
            [0.12345678901234568, -1, -math.inf]
        )


def test_linear_constraints_become_the_factor_that_says_them(tmp_path: Path) -> None:
    lines = {
        "knapsack 1 1 1 1 1": "or",
        "knapsack -1 -1 -1 -1 -1": "at_most_one",
        "knapsack -2 -1 -1 -1 -1": "budget",
        "knapsack -4 -2 -2 -2 -2": "budget",
        "knapsack -5 -2 -3 -4 -1": "knapsack",
        "knapsackp 2 2 0 3 1 3 1 0 1 1 1 2 0": "or",  # 3 in any case
        "knapsack -9 -1 -1 -1 -1": "",
    }
    for text, kind in lines.items():
        source = write(tmp_path, "one.wcsp", f"one 4 2 1 10\n2 2 2 2\n4 0 1 2 3 -1 {text}\n")
        graph = FactorGraph.read(source)
        assert graph.number_of_variables == 4
        assert graph.kinds == ((kind,) if kind and not text.startswith("knapsackp") else ())


def test_a_clause_of_many_variables_is_no_table(tmp_path: Path) -> None:
    count = 60
    scope, zeros = " ".join(map(str, range(count))), " ".join("0" * count)
    text = f"clause {count} 2 1 100\n{' '.join('2' * count)}\n{count} {scope} 0 1\n{zeros} 100\n"
    graph = FactorGraph.read(write(tmp_path, "clause.wcsp", text))
    assert (graph.number_of_variables, graph.kinds) == (count, ("or",))
    soft = text.replace("100\n", "99\n").replace("1 99\n", "1 100\n")
    with pytest.raises(InputError, match=r"clause\.wcsp: the tables have 1152921504606846976 entries together"):
        FactorGraph.read(write(tmp_path, "clause.wcsp", soft))


@pytest.mark.parametrize(
    "text", ["no 0 0 1 5\n\n0 7 0\n", "no 1 2 1 5\n2\n1 0 5 0\n", "no 1 2 1 5\n2\n1 0 -1 knapsack 3 2\n"]
)
def test_a_file_without_a_solution(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, "none.wcsp", text)
    if text.startswith("no 0"):
        with pytest.raises(InputError, match="no variables and a constraint that cannot hold"):
            FactorGraph.read(path)
    else:
        assert get_solver("ilp-highs").solve(FactorGraph.read(path)).status == "infeasible"


# -- random files against plain loops --------------------------------------------------------------------------------------


def random_wcsp(rng: np.random.Generator) -> tuple[str, float]:
    """A file, and its least cost by trying all assignments (infinite if there is none)."""
    bound = 50
    domains = [int(rng.integers(1, 4)) for _ in range(rng.integers(1, 5))]
    functions, lines = [], []
    for _ in range(rng.integers(1, 6)):
        arity = int(rng.integers(0, min(4, len(domains)) + 1))
        scope = [int(v) for v in rng.permutation(len(domains))[:arity]]
        default = int(rng.choice([0, 0, 3, bound]))
        cells = list(itertools.product(*(range(domains[v]) for v in scope))) if scope else []
        chosen = [cell for cell in cells if rng.random() < 0.5]
        costs = {cell: int(rng.choice([0, 1, 2, 7, bound, 3 * bound])) for cell in chosen}
        functions.append((scope, default, costs))
        lines.append(" ".join(map(str, [arity, *scope, default, len(costs)])))
        lines += [" ".join(map(str, [*cell, cost])) for cell, cost in costs.items()]
    weighted = []
    for _ in range(rng.integers(0, 3)):
        scope = [int(v) for v in rng.permutation(len(domains))[: rng.integers(1, len(domains) + 1)]]
        weights = {v: {a: int(rng.integers(-3, 4)) for a in range(domains[v]) if rng.random() < 0.7} for v in scope}
        least = int(rng.integers(-4, 3))
        weighted.append((weights, least))
        fields = [field for v in scope for field in (len(weights[v]), *itertools.chain(*weights[v].items()))]
        lines.append(" ".join(map(str, [len(scope), *scope, -1, "knapsackp", least, *fields])))
    best = math.inf
    for values in itertools.product(*map(range, domains)):
        parts = [costs.get(tuple(values[v] for v in scope), default) for scope, default, costs in functions]
        sums = [sum(row.get(values[v], 0) for v, row in weights.items()) >= least for weights, least in weighted]
        if max(parts) < bound and all(sums):
            best = min(best, sum(parts))
    header = f"random {len(domains)} {max(domains)} {len(functions) + len(weighted)} {bound}"
    return "\n".join([header, " ".join(map(str, domains)), *lines]) + "\n", best


def as_cfn(text: str) -> str:
    """The same problem as a .cfn file."""
    tokens = iter(text.split())
    name, count, _, functions, bound = (next(tokens) for _ in range(5))
    domains = [int(next(tokens)) for _ in range(int(count))]
    found: dict[str, object] = {}
    for number in range(int(functions)):
        scope = [int(next(tokens)) for _ in range(int(next(tokens)))]
        default, word = next(tokens), next(tokens)
        made: dict[str, object] = {"scope": [f"v{v}" for v in scope]}
        if default == "-1":
            least, triples = int(next(tokens)), []
            for v in scope:
                triples += [[v, int(next(tokens)), int(next(tokens))] for _ in range(int(next(tokens)))]
            made |= {"type": "knapsackv", "params": {"capacity": least, "weightedvalues": triples}}
        elif not scope:
            made["costs"] = [int(default)]
        else:
            costs = [int(next(tokens)) for _ in range(int(word) * (len(scope) + 1))]
            made |= {"defaultcost": int(default), "costs": costs}
        found[f"f{number}"] = made
    variables = {f"v{v}": domain for v, domain in enumerate(domains)}
    problem = {"name": name, "mustbe": f"<{bound}"}
    return json.dumps({"problem": problem, "variables": variables, "functions": found})


def test_random_files_have_the_optimum_of_plain_loops(tmp_path: Path) -> None:
    infeasible = 0
    for seed in range(150):
        text, best = random_wcsp(np.random.default_rng(seed))
        for path in (write(tmp_path, "some.wcsp", text), write(tmp_path, "some.cfn", as_cfn(text))):
            found = get_solver("ilp-highs").solve(FactorGraph.read(path))
            assert (found.status == "infeasible") == math.isinf(best), (seed, text)
            infeasible += math.isinf(best)
            if found.status != "infeasible":
                assert found.objective == pytest.approx(-best, abs=1e-6), (seed, text)
    assert 20 < infeasible < 200


@with_toulbar2
def test_random_files_have_the_optimum_of_toulbar2(tmp_path: Path) -> None:
    made = [random_wcsp(np.random.default_rng(seed)) for seed in range(100)]
    paths = [write(tmp_path, f"{seed}.wcsp", text) for seed, (text, _) in enumerate(made)]
    expected = [None if math.isinf(best) else best for _, best in made]
    assert max(best for best in expected if best is not None) < 50  # more in total is no solution for toulbar2
    assert optima(paths) == expected


@with_toulbar2
def test_files_that_toulbar2_wrote(tmp_path: Path) -> None:
    import pytoulbar2

    rng = np.random.default_rng(5)
    for number in range(10):
        problem = pytoulbar2.CFN(1000, resolution=2)
        domains = [int(rng.integers(2, 4)) for _ in range(5)]
        for v, domain in enumerate(domains):
            problem.AddVariable(f"v{v}", [f"a{value}" for value in range(domain)])
        for arity in (1, 2, 2, 3, 4):
            scope = [int(v) for v in rng.permutation(5)[:arity]]
            size = math.prod(domains[v] for v in scope)
            problem.AddFunction([f"v{v}" for v in scope], np.round(rng.normal(size=size) * 5, 2).tolist())
        problem.AddLinearConstraint([1, 2, 3, 1], ["v0", "v1", "v2", "v3"], "<=", int(rng.integers(3, 7)))
        problem.Dump(str(tmp_path / f"{number}.cfn"))
        solution = problem.Solve()
        found = get_solver("ilp-highs").solve(FactorGraph.read(tmp_path / f"{number}.cfn"))
        assert found.objective == pytest.approx(-solution[1], abs=1e-6)


# -- graphs as files ---------------------------------------------------------------------------------------------------------


@given(factor_graphs(most_variables=6, most_factors=4))
def test_a_graph_of_any_kinds_keeps_its_optimum(graph: FactorGraph) -> None:
    expected = get_solver("brute-force").solve(graph)
    with tempfile.TemporaryDirectory() as folder:
        for writer, name in ((write_cfn, "graph.cfn"), (write_wcsp, "graph.wcsp")):
            writer(graph, Path(folder) / name)
            found = get_solver("ilp-highs").solve(FactorGraph.read(Path(folder) / name))
            assert (found.status == "infeasible") == (expected.status == "infeasible")
            if found.status != "infeasible":
                assert found.objective == pytest.approx(expected.objective, abs=1e-6)


PLAIN = ("at_most_one", "or", "or_out", "and_out", "imply", "budget", "knapsack", "knapsack_hull", "pair", "subtree")


@given(factor_graphs(most_variables=5, most_factors=4, kinds=PLAIN), st.integers(-3, 40))
def test_a_graph_of_0_1_variables_keeps_every_score(graph: FactorGraph, power: int) -> None:
    """Without groups and columns of their own, variables stay what they are."""
    graph.constant = 0.1 * 10.0**power
    with tempfile.TemporaryDirectory() as folder:
        for writer, name in ((write_wcsp, "graph.wcsp"), (write_cfn, "graph.cfn")):
            if power > 12 and writer is write_cfn:
                continue  # too large for its digits
            writer(graph, Path(folder) / name)
            read = FactorGraph.read(Path(folder) / name)
            assert read.number_of_variables == graph.number_of_variables
            for values in itertools.product((0, 1), repeat=graph.number_of_variables):
                expected = graph.objective(values)
                assert read.objective(values) == pytest.approx(expected, rel=1e-12, abs=1e-9)


@with_toulbar2
def test_toulbar2_finds_the_optimum_of_random_graphs(tmp_path: Path) -> None:
    paths: list[Path] = []
    expected: list[float | None] = []

    @given(factor_graphs(most_variables=6, most_factors=4))
    def write_some(graph: FactorGraph) -> None:
        found = get_solver("brute-force").solve(graph)
        for writer, ending in ((write_cfn, "cfn"), (write_wcsp, "wcsp")):
            paths.append(tmp_path / f"{len(paths)}.{ending}")
            expected.append(None if found.status == "infeasible" else found.objective)
            writer(graph, paths[-1])

    write_some()
    assert len(paths) >= 100
    for path, objective, cost in zip(paths, expected, optima(paths), strict=True):
        assert (cost is None) == (objective is None), path.read_text()
        assert cost is None or scored(path, cost) == pytest.approx(objective, abs=1e-6), path.read_text()


def scored(path: Path, cost: float) -> float:
    """What a cost that toulbar2 found for a file of ours scores."""
    if path.suffix == ".cfn":
        return -cost
    top, scale = as_scores(path.read_text().split()[0])
    return top - cost / scale


@with_toulbar2
def test_toulbar2_finds_the_optimum_of_generated_instances(tmp_path: Path) -> None:
    sizes = {"extraction": "tiny", "summarization": "tiny", "parsing": "tiny-2", "compression": "tiny-chart"}
    expected: dict[Path, float] = {}
    for name, size in sizes.items():
        task = get_task(name)
        for seed in (1, 2):
            graph = task.graph(task.generate(seed, size))
            for writer, ending in ((write_cfn, "cfn"), (write_wcsp, "wcsp")):
                path = tmp_path / f"{name}-{seed}.{ending}"
                writer(graph, path)
                expected[path] = get_solver("ilp-highs").solve(graph).objective
    for path, cost in zip(expected, optima(expected), strict=True):
        assert cost is not None
        assert scored(path, cost) == pytest.approx(expected[path], rel=1e-6), path.name


def foreign() -> Factor:
    class Nothing(Factor):
        def maximize(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
            return (scores > 0).astype(float), 0.0

    return Nothing()


def test_what_networks_cannot_say(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables([1e30, -2.0])
    with pytest.raises(InputError, match=r"the \.cfn format has no costs for scores as large as these"):
        write_cfn(graph, tmp_path / "x.cfn")
    graph.add_factor(foreign(), x)
    for writer in (write_cfn, write_wcsp):
        with pytest.raises(InputError, match="networks cannot say factors of kind 'foreign'"):
            writer(graph, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_the_names_in_a_cfn_file_are_the_graphs_variables(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables([0.5, 0.25, -1.0, 2.0])
    graph.add_logic("xor", x[[1, 3]])
    graph.add_pair(0, 3, 0.125)
    write_cfn(graph, tmp_path / "named.cfn")
    document = json.loads((tmp_path / "named.cfn").read_text())
    assert document["variables"] == {"x0": 2, "g1": ["x1", "x3"], "x2": 2}
    assert document["problem"]["mustbe"].startswith("<")
    assert [len(text.partition(".")[2]) for text in [document["problem"]["mustbe"]]] == [3]  # digits of 0.125


def test_whole_costs_say_their_scale(tmp_path: Path) -> None:
    graph = FactorGraph()
    graph.add_variables([0.5, -0.25])
    write_wcsp(graph, tmp_path / "scaled.wcsp")
    lines = (tmp_path / "scaled.wcsp").read_text().splitlines()
    assert lines[0] == "dualbench:score=0.5-cost/1e2 2 2 2 151"
    assert FactorGraph.read(tmp_path / "scaled.wcsp").objective([1, 1]) == 0.25
    assert as_scores("dualbench:score=x-cost/1e2") == as_scores("towns") == (0.0, 1.0)


BROKEN_WCSP = [
    ("", "line 1: the file ends where the name of the problem was expected"),
    ("n x", "line 1: expected the number of variables, found 'x'"),
    ("n 2 2 0 5\n2", "line 2: the file ends where the domain size of a variable was expected"),
    ("n 999999999 2 0 5\n2", "line 2: the file ends where the domain size of a variable was expected"),
    ("n 1 2 0 5\n0", "line 2: expected a domain size of at least 1, found '0'"),
    ("n 1 2 0 5\n-7", "line 2: expected a domain size of at least 1, found '-7'"),
    ("n 1 2 0 5\n99999999999", "line 2: the variables have 99999999999 values together, more than"),
    ("n 1 2 0 1.5\n2", "line 1: expected the upper bound, found '1.5'"),
    ("n 1 2 0 5\n2\n7", "line 3: expected the end of the file, found '7'"),
    ("n 1 2 1 5\n2\n2 0 0 0 0", "line 3: expected the arity of cost function 1, found '2'"),
    ("n 2 2 1 5\n2 2\n2 0 2 0 0", "line 3: expected a variable, found '2'"),
    ("n 2 2 1 5\n2 2\n2 0 0 0 0", "line 3: cost function 1 names a variable twice"),
    ("n 1 2 1 5\n2\n1 0 -3 0", "line 3: expected the default cost of cost function 1, found '-3'"),
    ("n 1 2 1 5\n2\n1 0 0 -1", "line 3: expected a number of tuples, found '-1'"),
    ("n 1 2 1 5\n2\n1 0 0 2\n0 1\n", "line 4: the file ends where a tuple of cost function 1 was expected"),
    ("n 1 2 1 5\n2\n1 0 0 1\n2 1", "line 4: expected a value from 0 to 1, found '2'"),
    ("n 1 2 1 5\n2\n1 0 0 1\n1 -1", "line 4: expected the cost of a tuple, a whole number of at least 0, found '-1'"),
    ("n 1 2 1 5\n2\n1 0 0 2\n1 1\n1 2", "line 5: cost function 1 names a tuple twice"),
    ("n 1 2 1 5\n2\n0 3 1\n4", "line 3: expected a number of tuples, found '1'"),
    ("n 2 3 2 5\n2 3\n-1 0 0 0\n1 1 0 -1", "line 4: cost function 2 and the shared one that it uses have other domain"),
    ("n 2 2 1 5\n2 2\n2 0 1 -1 salldiff var 1", "line 3: cost functions of kind 'salldiff' are not supported; tables,"),
    ("n 1 3 1 5\n3\n1 0 -1 knapsack 1 1", "line 3: a knapsack is over variables with two values, and variable 0 has 3"),
    ("n 1 2 1 5\n2\n1 0 -1 knapsack 1 x", "line 3: expected a weight, a whole number, found 'x'"),
    ("n 1 2 1 5\n2\n1 0 -1 knapsack 99999999999999999 1", "line 3: expected the capacity, a whole number, found '999"),
    ("n 2 2 1 5\n2 2\n2 0 1 -1 knapsack 0 9000000000000000 9000000000000000", "line 3: the weights of a linear"),
    ("n 1 2 1 5\n2\n1 0 -1 knapsackp 1 99999999 0 1", "the file ends where a value and its weight was expected"),
    ("n 2 2 1 5\n2 2\n1 0 -1 knapsackv 1 1 1 0 1", "line 3: variable 1 is not in the scope of the knapsackv"),
]
START = '{"problem": {"name": "n", "mustbe": "<5.0"},\n"variables": {"x": 2, "y": ["a", "b", "c"]},\n"functions": {'
BROKEN_CFN = [
    ("", "line 1: the file ends where the opening bracket of the problem was expected"),
    ("7", "line 1: expected the opening bracket of the problem, found '7'"),
    ('{"problem": {"named": "n"', "line 1: expected the tag 'name', found 'named'"),
    ('{"problem": {"name": "n", "mustbe": "5.0"}', "line 1: expected < or > and the bound of the problem, found '5.0'"),
    ('{"problem": {"name": "n", "mustbe": "<1e3"}', "line 1: expected a cost, a decimal number, found '1e3'"),
    (
        '{"problem": {"name": "n", "mustbe": "<5"},\n"variables": {"x"',
        "line 2: the file ends where the values of variable",
    ),
    (
        '{"problem": {"name": "n", "mustbe": "<5"},\n"variables": {"x": 0',
        "expected from 1 to 10000000 values of variable",
    ),
    ('{"problem": {"name": "n", "mustbe": "<5"},\n"variables": {"x": -9', "of variable 'x', found '-9'"),
    (
        '{"problem": {"name": "n", "mustbe": "<5"},\n"variables": {"x": 2, "x": 2',
        "line 2: variable 'x' is defined twice",
    ),
    ('{"problem": {"name": "n", "mustbe": "<5"},\n"variables": {"x": ["a", "a"]', "need different names that are no"),
    (START + "}", "line 3: the file ends where the closing bracket of the problem was expected"),
    (START + "}} 7", "line 3: expected the end of the file, found '7'"),
    (START + '"f": {"scope": ["z"]', "line 3: variable 'z' does not exist"),
    (START + '"f": {"scope": ["x", 0]', "line 3: function 'f' names a variable twice"),
    (START + '"f": {"scope": [7]', "line 3: variable '7' does not exist"),
    (
        START + '"f": {"scope": ["x"],\n"cost": [1, 2]}',
        "line 4: expected the tag 'costs' or 'type' of 'f', found 'cost'",
    ),
    (START + '"f": {"scope": ["x"], "costs": [1]}', "line 3: function 'f' needs 2 costs, not 1"),
    (START + '"f": {"scope": ["x"], "costs": [1, "nan"]}', "line 3: expected a cost, a decimal number, found 'nan'"),
    (START + '"f": {"scope": ["y"], "defaultcost": 0, "costs": ["d", 1]}', "line 3: variable 1 has no value 'd'"),
    (START + '"f": {"scope": ["y"], "defaultcost": 0, "costs": ["a"]}', "the costs of 'f' are no tuples of 1 values"),
    (START + '"f": {"scope": ["y"], "defaultcost": 0, "costs": ["a", 1, 0, 2]}', "function 'f' names a tuple twice"),
    (START + '"f": {"scope": ["y"], "costs": "g"}}}', "a function uses the table of 'g', which is not defined"),
    (
        START + '"g": {"scope": ["x"], "costs": [1, 2]}, "f": {"scope": ["y"], "costs": "g"}}}',
        "with other domain sizes",
    ),
    (
        START + '"f": {"scope": ["x"], "type": "walldiff", "params": []}',
        "functions of type 'walldiff' are not supported",
    ),
    (
        START + '"f": {"scope": ["y"], "type": "knapsack", "params": {"capacity": 1, "weights": [1]}}',
        "needs variables with",
    ),
    (
        START + '"f": {"scope": ["x"], "type": "knapsack", "params": {"capacity": 1.5',
        "expected a whole number as a weight",
    ),
    (
        START + '"f": {"scope": ["x"], "type": "knapsackv", "params": {"capacity": 1, "weightedvalues": [1, 1]}}',
        "no triples",
    ),
    (
        START
        + '"f": {"scope": ["x"], "type": "knapsackv", "params": {"capacity": 1, "weightedvalues": [["y", 1, 1]]}}',
        "has weights for variables that are not in its scope",
    ),
    (START + "[" * 100000, "line 3: expected the tag 'scope', found '['"),
]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("broken.wcsp", *case) for case in BROKEN_WCSP] + [("broken.cfn", *case) for case in BROKEN_CFN],
)
def test_broken_files_are_named_by_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        FactorGraph.read(path)
    assert str(caught.value).startswith(f"{path}, line ")
    assert said in str(caught.value)
