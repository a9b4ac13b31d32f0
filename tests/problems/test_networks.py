"""toulbar2's .wcsp and .cfn files: what they mean."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from network_files import with_toulbar2, write
from toulbar2_oracle import optima

from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.cfn_writer import write_cfn
from problems.formats.wcsp_writer import write_wcsp
from solvers import get_solver

EXACT = (
    *("ilp-highs", "ilp-cpsat", "ilp-glpk", "ilp-gurobi", "ilp-xpress"),
    *("ad3-exact", "wcsp-toulbar2", "maxsat-rc2"),
)

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
