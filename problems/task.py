"""What a task is: where instances come from, what a structure is worth, and how it becomes a factor graph and back.

Three methods say what only the task can know: `objective`, `broken` and `graph`. The others have a default: an instance is a
dataclass (`instance_class`) whose fields are its JSON, a structure is the tuple of the graph's true variables.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .display import many, short_line
from .documents import from_document, to_document
from .errors import InputError, nearest, quoted
from .factor_graph import FactorGraph
from .profile import Profile, graph_profile
from .storage import read_document, write_document

Instance = TypeVar("Instance")
Structure = TypeVar("Structure")
Floats = NDArray[np.float64]


def power_of_two(exponent: int) -> float:
    """How many subsets there are; infinitely many as far as a double can tell."""
    return 2.0**exponent if exponent < 1024 else math.inf


LISTED = "dualbench list tasks"  # with their sizes


class Task(ABC, Generic[Instance, Structure]):
    """A decoding task. A structure is plain data (tuples of numbers), so a record can hold it."""

    name: ClassVar[str]
    sizes: ClassVar[tuple[str, ...]] = ()
    default_size: ClassVar[str] = ""
    instance_class: ClassVar[type[Any] | None] = None  # a dataclass; for tasks that leave JSON to the default
    roundings: ClassVar[tuple[str, ...]] = ("threshold",)  # the first is the default
    factor_kinds: ClassVar[tuple[str, ...] | None] = None  # that its graphs may have; None: any
    corpora: ClassVar[tuple[str, ...]] = ()  # the names that `read_corpus` knows
    metrics: ClassVar[tuple[str, ...]] = ()  # the names that `evaluate` may use

    def __repr__(self) -> str:
        default = f"default {self.default_size}" if self.default_size else ""
        return short_line(self, self.name, many(len(self.sizes), "size"), default)

    # -- instances -----------------------------------------------------------------------------------------------

    def _generate(self, seed: int, size: str) -> Instance:
        """An instance of one of `sizes`, from the seed alone."""
        raise NotImplementedError(f"task {self.name!r} names sizes but generates none.")

    def _from_document(self, document: dict[str, Any]) -> Instance:
        """The instance that `_to_document` has written; a wrong field is an InputError that names it."""
        if self.instance_class is None:
            raise NotImplementedError(f"task {self.name!r} needs `instance_class`, or `_from_document`.")
        return from_document(self.instance_class, document, others=("task",))

    def _to_document(self, instance: Instance) -> dict[str, Any]:
        """All that an instance is, as plain data for JSON."""
        return dict(to_document(instance))

    def generate(self, seed: int, size: str | None = None) -> Instance:
        """An instance, determined by seed and size."""
        chosen = size or self.default_size or next(iter(self.sizes), "")
        if not self.sizes:
            raise InputError(f"task {self.name!r} generates no instances: it names no `sizes`.")
        if chosen not in self.sizes:
            raise InputError(
                f"unknown size {quoted(chosen)} of task {self.name!r}: {nearest(chosen, self.sizes, LISTED)}"
            )
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise InputError(f"a seed must be a whole number of at least 0, not {quoted(seed)}.")
        return self._generate(int(seed), chosen)

    def small_instances(self) -> list[Instance]:
        """What solvers warm up on, so that no cell loads a kernel: the size `tiny`, or the default one."""
        return [self.generate(0, "tiny" if "tiny" in self.sizes else None)] if self.sizes else []

    def read_corpus(
        self,
        name: str,
        folder: str | Path,
        split: str | None = None,
        model: str | Path | None = None,
        limit: int | None = None,
    ) -> Iterator[Instance]:
        """The instances of a corpus: a name below `folder`, or a path. At most `limit`, in the corpus's order."""
        if not self.corpora:
            raise InputError(f"task {self.name!r} reads no corpora.")
        if name not in self.corpora and not self.own_corpus(name, Path(folder)):
            raise InputError(f"unknown corpus {quoted(name)} of task {self.name!r}: {nearest(name, self.corpora)}")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise InputError(f"the limit on a corpus must be a whole number of at least 1, not {quoted(limit)}.")
        return islice(self._read_corpus(name, Path(folder), split, model), limit)

    def own_corpus(self, name: str, folder: Path) -> bool:
        """Whether `read_corpus` can read this path, or a folder of this name below `folder`."""
        return False

    def _read_corpus(self, name: str, folder: Path, split: str | None, model: str | Path | None) -> Iterator[Instance]:
        raise NotImplementedError(f"task {self.name!r} names corpora but reads none.")

    def load(self, path: str | Path) -> Instance:
        """Read an instance from JSON. A wrong field raises an InputError that names it."""
        return self.parse(read_document(Path(path)), path)

    def parse(self, document: dict[str, Any], path: str | Path) -> Instance:
        """The instance of a document that was read from `path`."""
        found = document.get("task")
        if found != self.name:
            raise InputError(f"{path}: field 'task' is {quoted(found)}, expected {self.name!r}.")
        try:
            return self._from_document(document)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def save(self, instance: Instance, path: str | Path) -> None:
        """Write an instance as JSON."""
        write_document(Path(path), self.document(instance))

    def document(self, instance: Instance) -> dict[str, Any]:
        """The whole instance as plain data for JSON."""
        return {"task": self.name, **self._to_document(instance)}

    def length(self, instance: Instance) -> int | None:
        """The number of words, where an instance is a sentence."""
        return None

    def profile(self, instance: Instance) -> Profile:
        """Kind and size of the problem, for advice on solvers. A task may know them without building its graph."""
        return graph_profile(self.name, self.graph(instance))

    # -- structures ----------------------------------------------------------------------------------------------

    @abstractmethod
    def objective(self, instance: Instance, structure: Structure) -> float:
        """The score of a structure, computed from the instance and the structure alone."""

    @abstractmethod
    def broken(self, instance: Instance, structure: Structure) -> str | None:
        """Why a structure is not feasible, in one sentence; None if it is."""

    def evaluate(self, instance: Instance, structure: Structure) -> dict[str, float]:
        """The task's quality measures (ROUGE, F1, ...) where the instance has a gold standard."""
        return {}

    def render(self, instance: Instance, structure: Structure) -> list[str]:
        """The structure as lines that a person can read."""
        return [str(structure)]

    def marked(self, instance: Instance, structure: Structure) -> list[list[tuple[str, bool]]]:
        """Like `render`, with what was removed: lines of (word, kept). The first word keeps its indentation."""
        lines = self.render(instance, structure)
        return [[(word, True) for word in re.findall(r"^\s*\S+|\S+", line)] for line in lines]

    def structures(self, instance: Instance) -> Iterator[Structure]:
        """Every feasible structure, for brute force on small instances. By default, all assignments that `broken` accepts.

        The graph's constraints play no part, so brute force can test the graph.
        """
        seen = set()
        for values in product((0.0, 1.0), repeat=self.graph(instance).number_of_variables):
            structure = self.structure(instance, np.array(values))
            if structure not in seen and self.broken(instance, structure) is None:
                seen.add(structure)
                yield structure

    def count_structures(self, instance: Instance) -> float:
        """An upper bound on the number of structures that `structures` visits."""
        return power_of_two(self.graph(instance).number_of_variables)

    # -- the factor graph ----------------------------------------------------------------------------------------

    @abstractmethod
    def graph(self, instance: Instance) -> FactorGraph:
        """The instance as a factor graph with the same optimum."""

    def assignment(self, instance: Instance, structure: Structure) -> Floats:
        """The 0/1 values of the graph's variables that describe a structure."""
        values = np.zeros(self.graph(instance).number_of_variables)
        values[list(structure)] = 1.0  # type: ignore[call-overload]
        return values

    def structure(self, instance: Instance, assignment: Floats) -> Structure:
        """The structure that a 0/1 assignment describes; by default the tuple of the true variables."""
        return tuple(int(variable) for variable in np.flatnonzero(assignment > 0.5))  # type: ignore[return-value]

    def prepare(self) -> None:
        """Load or compile the kernels that `round` needs, before a clock starts."""

    def round(self, instance: Instance, posteriors: Floats, rounding: str) -> Structure | None:
        """A feasible structure near a fractional solution, or None if none was found.

        By default, the best feasible one of the thresholded solutions.
        """
        best, worth = None, -math.inf
        for least in np.unique(np.append(posteriors, 2.0)):
            structure = self.structure(instance, (posteriors >= least).astype(np.float64))
            if self.broken(instance, structure) is None and self.objective(instance, structure) > worth:
                best, worth = structure, self.objective(instance, structure)
        return best
