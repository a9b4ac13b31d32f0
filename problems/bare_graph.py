"""A factor graph without a task around it: its structure is the 0/1 assignment itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import large_graphs, small_graphs
from .errors import InputError
from .factor_graph import FactorGraph
from .task import Floats, Task, power_of_two

Assignment = tuple[int, ...]


class BareGraphTask(Task[FactorGraph, Assignment]):
    """The face of a bare graph that solvers see. It has no gold standard. Sizes: a kind of graph and its number of variables."""

    name = "graph"
    sizes = (*large_graphs.SIZES, *small_graphs.SIZES)
    default_size = "grid-1000"
    roundings = ("threshold",)

    def _generate(self, seed: int, size: str) -> FactorGraph:
        kinds = small_graphs if size in small_graphs.SIZES else large_graphs
        return kinds.generate(seed, size)

    def small_instances(self) -> list[FactorGraph]:
        from .warm_up_graphs import warm_up_graphs

        return warm_up_graphs()

    def _from_document(self, document: dict[str, Any]) -> FactorGraph:
        raise InputError("a bare factor graph is read from a .fg, .uai, .wcsp or .cfn file, not from JSON.")

    def _to_document(self, instance: FactorGraph) -> dict[str, Any]:
        raise InputError("a bare factor graph is not saved as JSON.")

    def objective(self, instance: FactorGraph, structure: Assignment) -> float:
        return instance.objective(structure)

    def broken(self, instance: FactorGraph, structure: Assignment) -> str | None:
        values = np.asarray(structure, dtype=np.float64)
        if values.shape != (instance.number_of_variables,) or not np.isin(values, (0.0, 1.0)).all():
            return f"expected {instance.number_of_variables} zeros and ones."
        for block in instance.blocks:
            forbidden = np.flatnonzero(block.score(values) == -np.inf)
            if len(forbidden):
                return (
                    f"{len(forbidden)} factors of kind {block.kind!r} are broken, the first is number {forbidden[0]}."
                )
        return None

    def evaluate(self, instance: FactorGraph, structure: Assignment) -> dict[str, float]:
        return {}

    def render(self, instance: FactorGraph, structure: Assignment) -> list[str]:
        true = [str(index) for index, value in enumerate(structure) if value]
        return ["true variables: " + (" ".join(true) or "none")]

    def structures(self, instance: FactorGraph) -> Iterator[Assignment]:
        for assignment in itertools.product((0, 1), repeat=instance.number_of_variables):
            if instance.objective(assignment) > -np.inf:
                yield assignment

    def count_structures(self, instance: FactorGraph) -> float:
        return power_of_two(instance.number_of_variables)

    def graph(self, instance: FactorGraph) -> FactorGraph:
        return instance

    def assignment(self, instance: FactorGraph, structure: Assignment) -> Floats:
        return np.asarray(structure, dtype=np.float64)

    def structure(self, instance: FactorGraph, assignment: Floats) -> Assignment:
        return tuple(int(value) for value in assignment)

    def round(self, instance: FactorGraph, posteriors: Floats, rounding: str) -> Assignment | None:
        """The nearest 0/1 point, where that happens to be feasible."""
        candidate = self.structure(instance, np.rint(posteriors))
        return candidate if self.broken(instance, candidate) is None else None
