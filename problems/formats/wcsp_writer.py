"""Factor graphs as `.wcsp` files for toulbar2 (`wcsp`, `graph_network`).

Costs are whole: tenths, hundredths, ... of a score, whichever keeps all digits, or as many as leave their sum below 10^15. The
format has no comments, so the problem's name says what a cost means: `dualbench:score=12.5-cost/1e3` for an assignment that
scores 12.5 minus a thousandth of its cost. `read_wcsp` understands that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from ..factor_graph import FactorGraph
from .graph_network import network_of
from .network import Linear, Network
from .network_costs import FORBIDDEN, CostTable, costs_of

LARGEST = 10**15


def write_wcsp(graph: FactorGraph, path: Path | str) -> None:
    """Write one graph; a kind of factor that networks cannot say is an InputError."""
    Path(path).write_text("\n".join(_lines(network_of(graph))) + "\n", encoding="ascii")


def _lines(network: Network) -> Iterator[str]:
    costs = costs_of(network, LARGEST)
    top = float(Decimal(costs.top).scaleb(-costs.digits))
    functions = len(costs.tables) + len(network.linears)
    name = f"dualbench:score={top!r}-cost/1e{costs.digits}"
    yield f"{name} {len(network.domains)} {max(network.domains, default=0)} {functions} {costs.bound}"
    yield " ".join(map(str, network.domains))
    for table in costs.tables:
        yield from _table(table.with_default(), costs.bound)
    for linear in network.linears:
        yield _linear(linear, network.domains)


def _table(table: CostTable, bound: int) -> Iterator[str]:
    def cost(given: int) -> int:
        return bound if given == FORBIDDEN else given

    yield " ".join(map(str, [len(table.scope), *table.scope, cost(table.default), len(table.costs)]))
    for values, given in zip(table.tuples.tolist(), table.costs.tolist(), strict=True):
        yield " ".join(map(str, [*values, cost(given)]))


def _linear(linear: Linear, domains: list[int]) -> str:
    weights = linear.by_variable()
    if all(domains[v] == 2 and len(given) == 2 and given[0] == 1 for v, given in weights.items()):
        fields = ["knapsack", linear.least, *(given[1] for given in weights.values())]
    else:
        fields = ["knapsackp", linear.least]
        for given in weights.values():
            fields += [len(given) // 2, *given]
    return " ".join(map(str, [len(weights), *weights, -1, *fields]))
