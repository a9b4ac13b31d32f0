"""The sentence that a wrong .wcsp or .cfn file gets."""

from __future__ import annotations

from pathlib import Path

import pytest
from network_files import write

from problems.errors import InputError
from problems.factor_graph import FactorGraph

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
