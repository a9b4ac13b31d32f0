"""What a task is: where instances come from, what a structure is worth, and how it becomes a factor graph and back."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, nearest, quoted
from .factor_graph import FactorGraph
from .storage import read_document, write_document

Instance = TypeVar("Instance")
Structure = TypeVar("Structure")
Floats = NDArray[np.float64]


def power_of_two(exponent: int) -> float:
    """How many subsets there are; infinitely many as far as a double can tell."""
    return 2.0**exponent if exponent < 1024 else math.inf


class Task(ABC, Generic[Instance, Structure]):
    """One decoding task. A structure is plain data (tuples of numbers), so that it can be written to a record."""

    name: ClassVar[str]
    sizes: ClassVar[tuple[str, ...]] = ()
    default_size: ClassVar[str] = ""
    roundings: ClassVar[tuple[str, ...]] = ()  # the first is the default
    corpora: ClassVar[tuple[str, ...]] = ()  # the names that `read_corpus` knows
    metrics: ClassVar[tuple[str, ...]] = ()  # the names that `evaluate` may use

    # -- instances -----------------------------------------------------------------------------------------------

    @abstractmethod
    def _generate(self, seed: int, size: str) -> Instance: ...

    @abstractmethod
    def _from_document(self, document: dict[str, Any]) -> Instance: ...

    @abstractmethod
    def _to_document(self, instance: Instance) -> dict[str, Any]: ...

    def generate(self, seed: int, size: str | None = None) -> Instance:
        """An instance that depends on the seed and the size alone."""
        chosen = size or self.default_size
        if chosen not in self.sizes:
            raise InputError(f"unknown size {quoted(chosen)} of task {self.name!r}: {nearest(chosen, self.sizes)}")
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise InputError(f"a seed must be a whole number of at least 0, not {quoted(seed)}.")
        return self._generate(int(seed), chosen)

    def read_corpus(
        self,
        name: str,
        folder: str | Path,
        split: str | None = None,
        model: str | Path | None = None,
        limit: int | None = None,
    ) -> Iterator[Instance]:
        """The instances of a real corpus below `folder`, in its own order; at most `limit` of them."""
        if not self.corpora:
            raise InputError(f"task {self.name!r} reads no corpora.")
        if name not in self.corpora:
            raise InputError(f"unknown corpus {quoted(name)} of task {self.name!r}: {nearest(name, self.corpora)}")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise InputError(f"the limit on a corpus must be a whole number of at least 1, not {quoted(limit)}.")
        return islice(self._read_corpus(name, Path(folder), split, model), limit)

    def _read_corpus(self, name: str, folder: Path, split: str | None, model: str | Path | None) -> Iterator[Instance]:
        raise NotImplementedError(f"task {self.name!r} names corpora but reads none.")

    def load(self, path: str | Path) -> Instance:
        """Read an instance from JSON; a wrong field is an InputError that names it."""
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
        """All that an instance is, as plain data for JSON."""
        return {"task": self.name, **self._to_document(instance)}

    def length(self, instance: Instance) -> int | None:
        """The words of the sentence, where an instance is one."""
        return None

    # -- structures ----------------------------------------------------------------------------------------------

    @abstractmethod
    def objective(self, instance: Instance, structure: Structure) -> float:
        """The score of a structure, computed from the instance and the structure alone."""

    @abstractmethod
    def broken(self, instance: Instance, structure: Structure) -> str | None:
        """Why a structure is not feasible, in one sentence; None if it is."""

    @abstractmethod
    def evaluate(self, instance: Instance, structure: Structure) -> dict[str, float]:
        """The task's quality measures (ROUGE, F1, ...) where the instance has a gold standard."""

    @abstractmethod
    def render(self, instance: Instance, structure: Structure) -> list[str]:
        """The structure as lines that a person can read."""

    def marked(self, instance: Instance, structure: Structure) -> list[list[tuple[str, bool]]]:
        """The same with what was removed: lines of (word, kept)."""
        return [[(word, True) for word in line.split()] for line in self.render(instance, structure)]

    @abstractmethod
    def structures(self, instance: Instance) -> Iterator[Structure]:
        """Every feasible structure, for brute force on small instances."""

    @abstractmethod
    def count_structures(self, instance: Instance) -> float:
        """An upper bound on the number of structures that `structures` goes through."""

    # -- the factor graph ----------------------------------------------------------------------------------------

    @abstractmethod
    def graph(self, instance: Instance) -> FactorGraph:
        """The instance as a factor graph whose optimum is the task's."""

    @abstractmethod
    def assignment(self, instance: Instance, structure: Structure) -> Floats:
        """The 0/1 values of the graph's variables that describe a structure."""

    @abstractmethod
    def structure(self, instance: Instance, assignment: Floats) -> Structure:
        """The structure that a 0/1 assignment describes."""

    def prepare(self) -> None:
        """Load (or compile) the kernels that `round` needs, so that a clock started afterwards does not see it."""

    @abstractmethod
    def round(self, instance: Instance, posteriors: Floats, rounding: str) -> Structure | None:
        """A feasible structure near a fractional solution; None where none was found."""
