"""Factor graphs as `.cfn` files for toulbar2 (`cfn`, `graph_network`): JSON, decimal costs, names.

Costs are minimized and are negated scores, with all their decimal digits, or as many as leave their sum below 10^17 units. So
the optimum is the negated objective. A variable `x5` with two values is the graph's variable 5; a group `g3` has a value for
each of its variables, named like these; variables `y7` are columns of a factor's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..factor_graph import FactorGraph
from .graph_network import network_of
from .network import Linear, Network
from .network_costs import FORBIDDEN, CostTable, costs_of

LARGEST = 10**17


def write_cfn(graph: FactorGraph, path: Path | str) -> None:
    """Write one graph; a kind of factor that networks cannot say is an InputError."""
    Path(path).write_text("\n".join(_lines(network_of(graph))) + "\n", encoding="ascii")


def _lines(network: Network) -> Iterator[str]:
    costs = costs_of(network, LARGEST)
    if costs.digits < 0:
        raise InputError("the .cfn format has no costs for scores as large as these.")
    digits, most, forbidden = costs.digits, costs.bound + max(0, -costs.top), costs.bound + abs(costs.top)
    functions = [f'"scope": [], "costs": [{_decimal(-costs.top, digits)}]'] if costs.top else []
    functions += [_table(table, network.names, digits, forbidden) for table in costs.tables]
    functions += [_linear(linear, network) for linear in network.linears]
    values = [names or domain for names, domain in zip(network.value_names, network.domains, strict=True)]
    variables = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in zip(network.names, values, strict=True)]
    yield '{"problem": {"name": "minus_score", "mustbe": "<' + _decimal(most, digits) + '"},'
    yield '"variables": {'
    yield ",\n".join(variables)
    yield '},\n"functions": {'
    yield ",\n".join(f'"f{number}": {{{function}}}' for number, function in enumerate(functions))
    yield "}}"


def _decimal(units: int, digits: int) -> str:
    whole, part = divmod(abs(units), 10**digits)
    return ("-" if units < 0 else "") + str(whole) + (f".{part:0{digits}d}" if digits else "")


def _table(table: CostTable, names: list[str], digits: int, forbidden: int) -> str:
    def cost(given: int) -> str:
        return _decimal(forbidden if given == FORBIDDEN else given, digits)

    scope = json.dumps([names[v] for v in table.scope])
    if table.complete:
        return f'"scope": {scope}, "costs": [{", ".join(map(cost, table.costs.tolist()))}]'
    if not table.scope:
        return f'"scope": [], "costs": [{cost(table.default)}]'
    tuples = [
        f"{', '.join(map(str, values))}, {cost(given)}"
        for values, given in zip(table.tuples.tolist(), table.costs.tolist(), strict=True)
    ]
    return f'"scope": {scope}, "defaultcost": {cost(table.default)}, "costs": [{", ".join(tuples)}]'


def _linear(linear: Linear, network: Network) -> str:
    variables, values, weights = linear.variables.tolist(), linear.values.tolist(), linear.weights.tolist()
    scope = json.dumps([network.names[v] for v in dict.fromkeys(variables)])
    if set(values) == {1} and all(network.domains[v] == 2 for v in variables):
        kind, given = "knapsack", f'"weights": {weights}'
    else:
        triples = [list(triple) for triple in zip(variables, values, weights, strict=True)]
        kind, given = "knapsackv", f'"weightedvalues": {triples}'
    return f'"scope": {scope}, "type": "{kind}", "params": {{"capacity": {linear.least}, {given}}}'
