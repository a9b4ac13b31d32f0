"""Reading AD3's .fg and UAI's MARKOV and BAYES files, and the sentence that a wrong file gets."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.fg import read_fg
from solvers import get_solver

SMALL = """3            # variables
7                         # factors
0.75
1.25
-0.5
OR 3 1 2 -3
XOROUT 3 1 2 3
ATMOSTONE 2 1 3
OROUT 3 1 2 3
ANDOUT 3 1 2 -3
BUDGET 2 -1 -2 1
PAIR 2 1 2 -1.05
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_every_fg_kind_means_what_ad3_says(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, "small.fg", SMALL))
    assert graph.number_of_variables == 3
    assert graph.number_of_factors == 7
    rules = [
        lambda a, b, c: a or b or not c,
        lambda a, b, c: a + b == c,
        lambda a, b, c: a + c <= 1,
        lambda a, b, c: (a or b) == c,
        lambda a, b, c: (a and b) == (1 - c),
        lambda a, b, c: (1 - a) + (1 - b) <= 1,
    ]
    for index in range(8):
        values = [(index >> bit) & 1 for bit in range(3)]
        allowed = all(bool(rule(*values)) for rule in rules)
        expected = 0.75 * values[0] + 1.25 * values[1] - 0.5 * values[2] - 1.05 * values[0] * values[1]
        assert graph.objective(values) == (pytest.approx(expected) if allowed else -math.inf)


@pytest.mark.parametrize("kind", ["XOR", "XOROUT", "ATMOSTONE", "OR", "OROUT", "ANDOUT"])
def test_each_logic_kind_alone(tmp_path: Path, kind: str) -> None:
    rules = {
        "XOR": lambda a, b, c: a + b + c == 1,
        "XOROUT": lambda a, b, c: a + b == c,
        "ATMOSTONE": lambda a, b, c: a + b + c <= 1,
        "OR": lambda a, b, c: a + b + c >= 1,
        "OROUT": lambda a, b, c: max(a, b) == c,
        "ANDOUT": lambda a, b, c: min(a, b) == c,
    }
    graph = FactorGraph.read(write(tmp_path, "one.fg", f"3\n1\n0\n0\n0\n{kind} 3 1 -2 3\n"))
    for index in range(8):
        a, b, c = ((index >> bit) & 1 for bit in range(3))
        assert (graph.objective([a, b, c]) == 0.0) == rules[kind](a, 1 - b, c)


def test_dense_factor_with_the_last_group_fastest(tmp_path: Path) -> None:
    text = "5\n1\n0\n0\n0\n0\n0\nDENSE 5 1 2 3 4 5 2 2 3 1 2 3 4 5 6\n"
    graph = FactorGraph.read(write(tmp_path, "dense.fg", text))
    assert graph.objective([1, 0, 0, 0, 1]) == 3.0
    assert graph.objective([0, 1, 1, 0, 0]) == 4.0
    assert graph.objective([1, 1, 1, 0, 0]) == -math.inf


def test_lines_of_comments_are_skipped(tmp_path: Path) -> None:
    text = "# a graph\n2\n1 # factor\n0.5\n  # the second score\n1.5\n#\nOR 2 1 2\n# the end\n"
    assert FactorGraph.read(write(tmp_path, "commented.fg", text)).objective([1, 1]) == 2.0


def test_a_budget_of_any_length(tmp_path: Path) -> None:
    for budget in ("3", "1" + "0" * 30, "9" * 5000):
        graph = FactorGraph.read(write(tmp_path, "budget.fg", f"2\n1\n1\n1\nBUDGET 2 1 2 {budget}\n"))
        assert get_solver("ilp-cpsat").solve(graph).objective == 2.0


def test_several_graphs_in_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "two.fg", "1\n1\n0.5\nOR 1 1\n\n2\n1\n0.5\n-1\nXOR 2 1 2\n")
    assert [graph.number_of_variables for graph in read_fg(path)] == [1, 2]
    with pytest.raises(InputError, match=r"two\.fg: expected one graph, found 2"):
        FactorGraph.read(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("x\n", "line 1: expected the number of variables, found 'x'"),
        ("2\n1\n0.5\n", "line 3: the file ends where the score of variable 2 was expected"),
        ("1\n1\nnan\nOR 1 1\n", "line 3: a score must be finite"),
        ("1\n1\n0.5\nSEMIRING 1 1\n", "line 4: factor kind 'SEMIRING' is not supported"),
        ("1\n1\n0.5\nOR\n", "line 4: expected the degree"),
        ("1\n1\n0.5\nOR 2 1\n", "line 4: the OR factor of degree 2 lists 1 variables only"),
        ("1\n1\n0.5\nOROUT 1 1\n", "needs a degree of at least 2, not 1"),
        ("3\n1\n0\n0\n0\nXOR 3 1 2\n", "line 6: the XOR factor of degree 3 lists 2 variables only"),
        ("9" * 5000 + "\n", "line 1: expected the number of variables, found '999"),
        ("1\n1\n0.5\nOR 1 " + "9" * 5000 + "\n", "line 4: expected a variable, found '999"),
        ("2\n0\n1e308\n1e308\n", "absolute scores must sum to at most"),
        ("# a comment\n2\n1\n0\n# one more\nx\n", "line 6: expected a score, found 'x'"),
        ("1\n1\n0.5\nOR 1 2\n", "line 4: variable 2 does not exist"),
        ("1\n1\n0.5\nOR 1 0\n", "line 4: variable 0 does not exist"),
        ("2\n1\n0\n0\nOR 2 1 -1\n", "line 5: the OR factor names a variable twice"),
        ("1\n1\n0.5\nOR 1 one\n", "line 4: expected a variable, found 'one'"),
        ("2\n1\n0\n0\nBUDGET 2 1 2\n", "line 5: expected 1 fields after the variables"),
        ("2\n1\n0\n0\nBUDGET 2 1 2 -3\n", "line 5: a budget must be at least 0, found -3"),
        ("2\n1\n0\n0\nBUDGET 2 1 2 1.5\n", "line 5: expected the budget, found '1.5'"),
        ("3\n1\n0\n0\n0\nPAIR 3 1 2 3 1\n", "line 6: a PAIR factor has 2 variables"),
        ("2\n1\n0\n0\nPAIR 2 1 -2 1\n", "line 5: the PAIR factor cannot negate"),
        ("2\n1\n0\n0\nPAIR 2 1 2 inf\n", "line 5: a score must be finite"),
        ("2\n1\n0\n0\nDENSE 2 1 2 1 3 0 0 0\n", "line 5: the groups' sizes"),
        ("2\n1\n0\n0\nDENSE 2 1 2 1 2 0\n", "line 5: expected 2 fields after"),
        ("2\n2\n0\n0\nOR 2 1 2\n\nOR 1 1\n", "line 6: a blank line where factor 2 of 2 was expected"),
    ],
)
def test_broken_fg_files_are_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, "broken.fg", text)
    with pytest.raises(InputError) as caught:
        FactorGraph.read(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


UAI = "MARKOV\n3\n2 3 2\n2\n2 0 1\n1 2\n\n6\n1 2 3\n4 0 6\n\n2\n0.5 0.25\n"


def test_uai_tables_are_logs_and_zeros_are_forbidden(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, "small.uai", UAI))
    assert graph.number_of_variables == 7
    assert graph.objective([1, 0, 0, 0, 1, 1, 0]) == pytest.approx(math.log(3) + math.log(0.5))
    assert graph.objective([0, 1, 0, 0, 1, 0, 1]) == pytest.approx(math.log(6) + math.log(0.25))
    assert graph.objective([0, 1, 0, 1, 0, 0, 1]) == -math.inf  # a zero entry
    assert graph.objective([1, 1, 0, 0, 1, 1, 0]) == -math.inf  # two states at once
    assert graph.objective([1, 0, 0, 0, 1, 0, 0]) == -math.inf  # a variable without a table still has one state


def test_uai_unary_table_with_a_zero(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, "zero.uai", "MARKOV\n1\n2\n1\n1 0\n2 0 1\n"))
    assert graph.objective([0, 1]) == 0.0
    assert graph.objective([1, 0]) == -math.inf


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file ends where the header MARKOV or BAYES was expected"),
        ("CREDAL\n1\n2\n0\n", "line 1: expected the header MARKOV or BAYES, found 'CREDAL'"),
        ("BAYES\n1\n2\n0\n", "line 4: a BAYES network needs one table with variable 0 last in its scope, not 0"),
        ("BAYES\n2\n2 2\n2\n1 0\n2 1 0\n", "needs one table with variable 0 last in its scope, not 2"),
        ("BAYES\n2\n2 2\n2\n2 0 1\n2 1 0\n", "line 6: a BAYES network must have no cycles, but variable 0 depends"),
        ("BAYES\n1\n2\n1\n1 0\n2\n0.5 0.6\n", "line 7: table 1 has probabilities of variable 0 that sum to 1.1"),
        ("MARKOV\n1\n0\n0\n", "line 3: expected an arity of at least 1, found '0'"),
        ("MARKOV\n" + "9" * 5000 + "\n", "line 2: expected the number of variables, found '999"),
        ("MARKOV\n1\n99999999999\n0\n", "line 3: the variables have 99999999999 states together, more than"),
        ("MARKOV\n1\n" + "9" * 23 + "\n0\n", "line 3: expected an arity of at least 1, found '999"),
        ("MARKOV\n2\n3000000 3000000\n1\n2 0 1\n9000000000000\n1 1\n", "the file ends where an entry of table 1"),
        ("MARKOV\n1\n2\n1\n1 1\n2 1 1\n", "line 5: variable 1 does not exist"),
        ("MARKOV\n2\n2 2\n1\n2 0 0\n4 1 1 1 1\n", "line 5: scope 1 names a variable twice"),
        ("MARKOV\n1\n2\n1\n1 0\n3\n1 1 1\n", "line 6: table 1 must have 2 entries, not 3"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 -1\n", "line 7: expected an entry of table 1"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 nan\n", "line 7: expected an entry of table 1"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1\n", "the file ends where an entry of table 1"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n1 1\n7\n", "line 8: expected the end of the file, found '7'"),
    ],
)
def test_broken_uai_files_are_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, "broken.uai", text)
    with pytest.raises(InputError) as caught:
        FactorGraph.read(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


# Rain makes the sprinkler unlikely, and both make the grass wet; the slippery street has three states.
BAYES = """BAYES
4
2 2 2 3
4
1 0
2 0 1
3 0 1 2
2 2 3

2
 0.8 0.2

4
 0.6 0.4
 0.99 0.01

8
 1.0 0.0
 0.1 0.9
 0.2 0.8
 0.01 0.99

6
 0.7 0.2 0.1
 0.1 0.3 0.6
"""


def bayes_probability(rain: int, sprinkler: int, wet: int, street: int) -> float:
    is_wet = {(0, 0): 0.0, (0, 1): 0.9, (1, 0): 0.8, (1, 1): 0.99}[rain, sprinkler]
    slippery = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]][wet][street]
    on = [0.4, 0.01][rain]
    return [0.8, 0.2][rain] * (on if sprinkler else 1 - on) * (is_wet if wet else 1 - is_wet) * slippery


def states(*chosen: int) -> list[int]:
    return [int(value == state) for state, size in zip(chosen, (2, 2, 2, 3), strict=True) for value in range(size)]


EVERY = [(r, s, w, t) for r in (0, 1) for s in (0, 1) for w in (0, 1) for t in (0, 1, 2)]


def test_a_bayes_network_is_the_product_of_its_probabilities(tmp_path: Path) -> None:
    graph = FactorGraph.read(write(tmp_path, "garden.uai", BAYES))
    for chosen in EVERY:
        probability = bayes_probability(*chosen)
        expected = math.log(probability) if probability else -math.inf
        assert graph.objective(states(*chosen)) == pytest.approx(expected)
    assert sum(math.exp(graph.objective(states(*chosen))) for chosen in EVERY) == pytest.approx(1.0)


@pytest.mark.parametrize("evidence", [None, "1 2 1", "2 2 1 3 0", "1\n2 2 1 3 0", "0"])
def test_solvers_agree_on_a_bayes_network(tmp_path: Path, evidence: str | None) -> None:
    observed = {} if evidence is None else {"1 2 1": {2: 1}, "0": {}}.get(evidence, {2: 1, 3: 0})
    source = None if evidence is None else write(tmp_path, "garden.uai.evid", evidence)
    graph = FactorGraph.read(write(tmp_path, "garden.uai", BAYES), source)
    allowed = [chosen for chosen in EVERY if all(chosen[v] == state for v, state in observed.items())]
    best = math.log(max(bayes_probability(*chosen) for chosen in allowed))
    for name in ("brute-force", "ilp-highs", "ilp-cpsat", "ad3-exact"):
        assert get_solver(name).solve(graph).objective == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the file ends where the number of observed variables was expected"),
        ("x", "line 1: expected the number of observed variables, found 'x'"),
        ("1 9 0", "line 1: variable 9 does not exist; variables are numbered 0 to 3"),
        ("2 1 0\n1 0", "line 2: variable 1 is observed twice"),
        ("1 3 3", "line 1: expected the state of variable 3, from 0 to 2, found '3'"),
        ("2 1 0", "the file ends where a variable and its state was expected"),
        ("99999999 1 0", "the file ends where a variable and its state was expected"),
        ("1 1 0 5 6", "expected the end of the file, found '5'"),
    ],
)
def test_broken_evidence_is_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    network, evidence = write(tmp_path, "garden.uai", BAYES), write(tmp_path, "garden.uai.evid", text)
    with pytest.raises(InputError) as caught:
        FactorGraph.read(network, evidence)
    assert str(caught.value).startswith(str(evidence))
    assert said in str(caught.value)


def test_evidence_is_for_uai_files(tmp_path: Path) -> None:
    evidence = write(tmp_path, "x.evid", "0")
    with pytest.raises(InputError, match=r"x\.evid: evidence is for \.uai files"):
        FactorGraph.read(write(tmp_path, "small.fg", SMALL), evidence)
    with pytest.raises(InputError, match=r"none\.evid: no such file"):
        FactorGraph.read(write(tmp_path, "garden.uai", BAYES), tmp_path / "none.evid")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        FactorGraph.read(tmp_path / "none.fg")
    with pytest.raises(InputError, match=r"unknown ending '\.txt'"):
        FactorGraph.read(write(tmp_path, "graph.txt", ""))
    (tmp_path / "binary.fg").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected a text file"):
        FactorGraph.read(tmp_path / "binary.fg")
    (tmp_path / "folder.fg").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        FactorGraph.read(tmp_path / "folder.fg")


SAMPLES = {  # variables and factors of AD3's examples; unary UAI tables without zeros become scores
    "example1.fg": (3, 1),
    "example2.fg": (3, 2),
    "coref.fg": (45, 367),
    "srl_fract_001.fg": (321, 32),
    "srl_fract_002.fg": (884, 51),
    "srl_fract_005.fg": (443, 34),
    "mln_large.fg": (80292, 80292),
    "grid3x3.uai": (18, 12),
    "grid4x4.uai": (32, 24),
    "GEOM30a_3.uai": (90, 81),
    "smokers_10.uai": (240, 110),
    "grid10x10.f2.wrap.uai": (200, 200),
    "30markers.uai": (812, 435),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_of_ad3_are_read(data_folder: Path, name: str) -> None:
    graph = FactorGraph.read(data_folder / "factor_graphs" / name)
    assert (graph.number_of_variables, graph.number_of_factors) == SAMPLES[name]


@pytest.mark.parametrize(("name", "value"), [("example1.fg", 2.0), ("example2.fg", 1.25)])
def test_toy_examples_have_their_known_optimum(data_folder: Path, name: str, value: float) -> None:
    graph = FactorGraph.read(data_folder / "factor_graphs" / name)
    assert get_solver("brute-force").solve(graph).objective == pytest.approx(value)
    assert get_solver("ilp-glpk").solve(graph).objective == pytest.approx(value)


@pytest.mark.parametrize("name", ["coref.fg", "srl_fract_001.fg", "grid3x3.uai", "grid4x4.uai", "smokers_10.uai"])
def test_samples_have_one_optimum_whoever_solves_them(data_folder: Path, name: str) -> None:
    graph = FactorGraph.read(data_folder / "factor_graphs" / name)
    solutions = [get_solver(solver).solve(graph) for solver in ("ilp-cpsat", "ilp-highs", "ilp-scip")]
    assert {solution.status for solution in solutions} == {"optimal"}
    objectives = np.array([solution.objective for solution in solutions])
    assert objectives == pytest.approx(objectives[0], rel=1e-6)


@pytest.mark.slow
def test_published_optimum_of_30markers(data_folder: Path) -> None:
    """AD3's own documentation prints -1005.47 for this network, with an integral relaxation."""
    graph = FactorGraph.read(data_folder / "factor_graphs" / "30markers.uai")
    solution = get_solver("lp-highs-ipm").solve(graph)
    assert solution.bound == pytest.approx(-1005.47, abs=0.01)
    assert solution.objective == pytest.approx(-1005.47, abs=0.01)
