"""Which variables a network has for a factor graph: groups, and 0/1 variables for the rest (`graph_network`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..factor_graph import FactorGraph
from ..factors.automata import HeadBigrams
from ..factors.tables import Dense
from ..factors.trees import Arborescence
from .network import Network, Table
from .network_constraints import Literal


class Variables:
    """`literals[x]` says in the network that the graph's variable x is true."""

    def __init__(self, graph: FactorGraph) -> None:
        chosen: dict[
            frozenset[int], list[int]
        ] = {}  # groups by their members; the first order is the order of the values
        owned: set[int] = set()
        for group in _tables_groups(graph):
            chosen.setdefault(frozenset(group), group)
            owned |= set(group)
        for group in _exclusive_groups(graph):
            if not owned & set(group):
                chosen[frozenset(group)] = group
                owned |= set(group)
        alone = [[x] for x in range(graph.number_of_variables) if x not in owned]
        self.network = Network([])
        self.literals: list[Literal] = [Literal(-1, -1)] * graph.number_of_variables
        self._groups: dict[frozenset[int], tuple[int, list[int]]] = {}
        self._ties: list[tuple[int, list[tuple[int, Literal]]]] = []
        for is_group, members in sorted(
            [(True, group) for group in chosen.values()] + [(False, group) for group in alone],
            key=lambda part: min(part[1]),
        ):
            self._add(is_group, members)

    def _add(self, is_group: bool, members: list[int]) -> None:
        variable = len(self.network.domains)
        self.network.domains.append(len(members) if is_group else 2)
        self.network.names.append(f"g{variable}" if is_group else f"x{members[0]}")
        self.network.value_names.append([f"x{x}" for x in members] if is_group else [])
        if not is_group:
            self.literals[members[0]] = Literal(variable, 1)
            return
        self._groups[frozenset(members)] = (variable, members)
        ties = []
        for value, x in enumerate(members):
            if self.literals[x].variable < 0:
                self.literals[x] = Literal(variable, value)
            else:
                ties.append((value, self.literals[x]))
        if ties:
            self._ties.append((variable, ties))

    def extra(self, score: float, network: Network) -> Literal:
        """One more 0/1 variable, which no variable of the graph is."""
        variable = len(network.domains)
        network.domains.append(2)
        network.names.append(f"y{variable}")
        network.value_names.append([])
        if score:
            network.tables.append(Table.full((variable,), np.array([0.0, score])))
        return Literal(variable, 1)

    def group(self, members: list[int]) -> tuple[int, list[int]]:
        """The variable of a group, and for each of its values the place of that member in `members`."""
        variable, order = self._groups[frozenset(members)]
        place = {x: at for at, x in enumerate(members)}
        return variable, [place[x] for x in order]

    def is_group(self, literals: list[Literal], kind: str) -> bool:
        """Does a variable's domain say already that exactly one, or at most one, of these is true?"""
        variable = literals[0].variable
        values = {literal.value for literal in literals if literal.variable == variable and not literal.negated}
        if len(values) < len(literals):
            return False
        return kind == "at_most_one" or (kind == "xor" and len(values) == self.network.domains[variable])

    def ties(self) -> Iterator[tuple[int, list[tuple[int, Literal]]]]:
        """Copies of groups, with those of their values that other variables say."""
        yield from self._ties


def _tables_groups(graph: FactorGraph) -> Iterator[list[int]]:
    for block in graph.blocks:
        if isinstance(block, Dense | HeadBigrams):
            for factor, (first, end) in enumerate(pairwise(block.starts.tolist())):
                ends = np.cumsum(block.sizes(factor))[:-1]
                yield from (group.tolist() for group in np.split(block.variables[first:end], ends))


def _exclusive_groups(graph: FactorGraph) -> Iterator[list[int]]:
    """The variables of each `xor` without negations, and the arcs to each word of a tree; larger ones first."""
    found: list[list[int]] = []
    for block in graph.blocks:
        links = pairwise(block.starts.tolist())
        if block.kind == "xor":
            found += [block.variables[a:b].tolist() for a, b in links if b - a > 1 and not block.negated[a:b].any()]
        elif isinstance(block, Arborescence):
            for factor, (first, end) in enumerate(links):
                ends = block.parameters(factor).starts[1:-1]
                found += [arcs.tolist() for arcs in np.split(block.variables[first:end], ends) if len(arcs) > 1]
    yield from sorted(found, key=len, reverse=True)
