"""The cells of an experiment, and which of them are still to be run.

A cell's key is a hash of all that its result depends on: the instance, the solver with every option, the solver's version, our own
code and plug-ins, the repetition. Limits are not part of it: a record that hit a limit is run again under a higher one.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import pickle
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.registration import BUILT_IN
from solvers import make_solver, solver_class
from solvers.registry import registry

from ..records.damage import parse
from .experiment import Experiment, Limits, SolverSpec, check_cells
from .plugins import plugin_digest
from .sources import Item, digest, instance_name, task_named
from .targets import TARGET, relaxed_optimum, target

JUDGES = ("answer_check.py", "checker.py", "handover.py")
PACKAGES = ("problems", "solvers")
SAY_EVERY_SECONDS = 5.0
KEPT_BYTES = 2**28  # of instances in the form in which workers get them


@dataclass(frozen=True)
class Instance:
    """What a record says of an instance."""

    name: str
    digest: str
    size: str
    instance_size: int
    length: int | None
    relaxed: float | None = None  # the optimum of its linear relaxation, where a solver's target depends on it


@dataclass(frozen=True)
class Cell:
    key: str
    instance: Instance
    solver: SolverSpec
    options: dict[str, Any]  # all of them, defaults included
    version: str
    repetition: int
    traced: bool


class Plan:
    """All cells in the order of running: rounds of repetitions; in each, solvers take turns on every instance.

    `most` makes a plan to look at, not to run: of so many instances, spread over the source, which stand for all `total` of it.
    `versions` are those of the solvers (`bench.runner.solver_versions`).
    """

    def __init__(
        self,
        experiment: Experiment,
        versions: Mapping[str, str],
        announce: Callable[[str], None] = lambda text: None,
        most: int | None = None,
    ) -> None:
        self.experiment = experiment
        self.task = task_named(experiment.task)
        self.solvers = [
            _described(spec, None if self.task.name == "graph" else self.task.name, versions[spec.name])
            for spec in experiment.solvers
        ]
        self._code = {spec.name: [code_digest(experiment.plugins), _own_code(spec.name)] for spec in experiment.solvers}
        self._kept: dict[int, bytes] = {}
        self._kept_bytes = 0
        self._digests: set[str] = set()
        self.instances: list[Instance | None] = []
        count, said = experiment.source.count, time.monotonic()
        wanted = count if most is None or count is None else min(count, most)
        for number, item in enumerate(_spread(experiment.source.items(), count, wanted)):
            check_cells(experiment, number + 1, experiment.name)
            self.instances.append(self._looked_at(number, item))
            if time.monotonic() - said >= SAY_EVERY_SECONDS:
                announce(f"made {number + 1:,} {f'of {wanted:,} ' if wanted else ''}instances")
                said = time.monotonic()
        self.looked_at = sum(instance is not None for instance in self.instances)
        self.total = self.looked_at if count is None or count == wanted else count

    def _looked_at(self, number: int, item: Item) -> Instance | None:
        """What there is to say of an instance; None if it is the same as an earlier one, which is run once."""
        task, instance = self.task, item.make()
        found = digest(task, instance)
        if found in self._digests:
            return None
        self._digests.add(found)
        pickled = pickle.dumps(instance, protocol=pickle.HIGHEST_PROTOCOL)
        self._kept_bytes += len(pickled)
        if self._kept_bytes <= KEPT_BYTES:  # what does not fit into memory is made again in each round
            self._kept[number] = pickled
        size = task.graph(instance).number_of_variables
        name = item.name or instance_name(task, instance, found)
        wanted = any(spec.bound_within is not None and spec.runs_on(item.size) for spec, *_ in self.solvers)
        relaxed = relaxed_optimum(task, instance) if wanted else None
        return Instance(name, found, item.size, size, task.length(instance), relaxed)

    @property
    def rounds(self) -> list[tuple[int, bool]]:
        """Repetitions, and whether they are traced: the last one is, if the experiment asks for it."""
        plain = [(number, False) for number in range(self.experiment.repetitions)]
        return [*plain, (len(plain), True)] if self.experiment.trace else plain

    def counts(self) -> list[int]:
        """The cells of each solver, counted without making them."""
        rounds = [traced for _, traced in self.rounds]
        sizes = [instance.size for instance in self.instances if instance is not None]
        share = self.total / max(self.looked_at, 1)
        return [
            round(share * sum(spec.runs_on(size) for size in sizes)) * sum(can_trace or not traced for traced in rounds)
            for spec, *_, can_trace in self.solvers
        ]

    def __iter__(self) -> Iterator[Cell]:
        for repetition, traced in self.rounds:
            for number in range(len(self.instances)):
                yield from self.cells(number, repetition, traced)

    def cells(self, number: int, repetition: int, traced: bool) -> Iterator[Cell]:
        """One turn of every solver on an instance; each turn starts with another solver."""
        instance, count = self.instances[number], len(self.solvers)
        if instance is None:
            return
        for turn in range(count):
            spec, options, version, can_trace = self.solvers[(turn + number + repetition) % count]
            if (can_trace or not traced) and spec.runs_on(instance.size):
                spec, options = _aimed(spec, options, instance)
                key = self._key(instance, spec, options, version, repetition, traced)
                yield Cell(key, instance, spec, options, version, repetition, traced)

    def _key(
        self, instance: Instance, spec: SolverSpec, options: Any, version: str, repetition: int, traced: bool
    ) -> str:
        content = [self.experiment.task, instance.digest, spec.name, options, version, repetition, traced]
        text = json.dumps([*content, *self._code[spec.name]], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def pickled(self, number: int, item: Item) -> bytes:
        """The instance in the form in which workers get it."""
        if number in self._kept:
            return self._kept[number]
        instance = item.make()
        found = digest(self.task, instance)
        expected = self.instances[number]
        if expected is not None and found != expected.digest:
            raise RuntimeError(f"the instance {expected.name!r} changed while the experiment ran.")
        return pickle.dumps(instance, protocol=pickle.HIGHEST_PROTOCOL)


def _spread(items: Iterator[Item], count: int | None, wanted: int | None) -> Iterator[Item]:
    """So many items from all over the source, the same each time; all where nobody knows how many there are."""
    if wanted is None or count is None:
        return items
    places = set(random.Random(0).sample(range(count), wanted))
    return (item for number, item in enumerate(items) if number in places)


def _described(spec: SolverSpec, task: str | None, version: str) -> tuple[SolverSpec, dict[str, Any], str, bool]:
    """A solver, all its options, its version, and whether it is traced where the experiment asks for it."""
    options = {name: plain(value) for name, value in make_solver(spec.name, task, spec.options).options.items()}
    try:
        parse(json.dumps(options).encode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"the options of solver {spec.name!r} cannot be written down ({error}).") from None
    return spec, options, version, "trace" in options and spec.bound_within is None


def _aimed(spec: SolverSpec, options: dict[str, Any], instance: Instance) -> tuple[SolverSpec, dict[str, Any]]:
    """A solver and its options with the instance's own target, where it has one."""
    if spec.bound_within is None or instance.relaxed is None:
        return spec, options
    own = {TARGET: target(instance.relaxed, spec.bound_within)}
    return replace(spec, options=spec.options | own), options | own


def plain(value: Any) -> Any:
    """An option's value as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    return plain(value.item()) if hasattr(value, "item") else str(value)


def _own_code(solver: str) -> str:
    """A hash of the file of a solver that somebody else wrote."""
    if registry.origin(solver) == BUILT_IN:
        return ""
    source = inspect.getsourcefile(solver_class(solver))
    return hashlib.sha256(Path(source).read_bytes()).hexdigest() if source and Path(source).exists() else ""


@cache
def code_digest(plugins: tuple[Path, ...]) -> str:
    """A hash of the sources that results depend on."""
    state = hashlib.sha256()
    root = Path(__file__).resolve().parents[2]
    files = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    for path in sorted([*files, *(root / "bench" / "runner" / name for name in JUDGES)]):
        state.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    for plugin in plugins:
        state.update(plugin_digest(plugin).encode())
    return state.hexdigest()


def is_settled(record: dict[str, Any] | None, limits: Limits, retry: bool = False) -> bool:
    """Does this record still hold under these limits? One that hit a lower limit, or used more than is allowed now, does not."""
    if record is None or (retry and record["status"] in ("crash", "error", "skipped")):
        return False
    old = record["limits"]
    if record["limit_hit"] == "time":
        return bool(limits.seconds <= old["seconds"])
    if record["limit_hit"] == "memory":
        return (limits.memory_gb or 0.0) <= (old["memory_gb"] or 0.0)
    wall, peak = record["wall_seconds"] or 0.0, record["peak_memory_mb"] or 0.0
    return wall <= limits.seconds + limits.grace_seconds and peak <= 1024 * (limits.memory_gb or float("inf"))
