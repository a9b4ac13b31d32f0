"""The workers of a Dask cluster as the runner sees them: who may run cells, and on which core each of them does; and which cells travel
together: only those whose solvers have been fast so far, for as long as a task may take.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...experiments.plan import Cell
from ...records.fields import FAILURES
from .node import CORE, Place


@dataclass
class Node:
    """A Dask worker. `facts` are what `node.describe` says of it."""

    address: str
    facts: dict[str, Any]
    lanes: list[Lane] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.facts["node"])


@dataclass
class Lane:
    """A core of a node: one cell at a time."""

    node: Node
    slot: int
    cores: tuple[int, ...]
    busy: bool = False


class Nodes:
    """All nodes of a run. Two lanes never share a core, also where several Dask workers are on one machine."""

    def __init__(self, code: str) -> None:
        self._code = code
        self.by_address: dict[str, Node] = {}
        self.refused: dict[str, str] = {}  # addresses of workers that are not used, and why

    @property
    def lanes(self) -> list[Lane]:
        return [lane for node in self.by_address.values() for lane in node.lanes]

    def add(self, address: str, facts: dict[str, Any] | BaseException) -> Node | None:
        """Take a worker into use; None if it cannot be (see `refused`)."""
        why = self._unfit(facts)
        if why or isinstance(facts, BaseException):
            self.refused[address] = why
            return None
        node = Node(address, facts)
        taken = {core for lane in self._neighbours(facts) for core in lane.cores}
        free = [core for core in facts["cpus"] if core not in taken]
        many = min(facts["cores"], facts["threads"])
        pinned = [(core,) for core in free[:many]] if facts["cpus"] else [()] * many
        if not pinned:
            self.refused[address] = f"declares {facts['cores']} cores, but other workers on {node.name} have them all"
            return None
        slots = (slot for slot in itertools.count() if slot not in {lane.slot for lane in self.lanes})
        node.lanes = [Lane(node, slot, cores) for slot, cores in zip(slots, pinned, strict=False)]
        self.by_address[address] = node
        return node

    def remove(self, address: str, why: str = "") -> Node | None:
        """A worker is gone, or is not to be used again if there is a reason."""
        if why:
            self.refused[address] = why
        return self.by_address.pop(address, None)

    def place(self, lane: Lane) -> Place:
        return Place(lane.node.facts["token"], lane.slot, lane.cores, len(self._neighbours(lane.node.facts)))

    @property
    def memory_gb(self) -> float:
        """The least that a lane has if those of a machine share its memory."""
        return min(float(lane.node.facts["memory_gb"]) / len(self._neighbours(lane.node.facts)) for lane in self.lanes)

    def _neighbours(self, facts: dict[str, Any]) -> list[Lane]:
        """The lanes on a machine."""
        return [lane for lane in self.lanes if lane.node.facts["system"] == facts["system"]]

    def _unfit(self, facts: dict[str, Any] | BaseException) -> str:
        if isinstance(facts, BaseException):
            said = f"{type(facts).__name__}: {' '.join(str(facts).split())[:300]}"
            if "ModuleNotFoundError" in said:  # Dask may tell of it in another exception
                return f"cannot import this version of dualbench ({said}): install it there"
            return f"does not answer ({said})"
        if facts["cores"] < 1:
            return f"has no resource {CORE!r}: start it with --resources {CORE}=1 (one per core that cells may use)"
        if facts["code"] != self._code:
            return "has other sources of dualbench than this machine: install the same version there and restart it"
        return ""


TASK_SECONDS = 0.25
MOST_CELLS = 16  # in a task
HARNESS_SECONDS = 0.005  # around a cell
FORGETTING = 0.2
FAILED_SECONDS = 1.0  # a cell that failed may need a new worker process


@dataclass
class Flight:
    """A cell with its instance, and why it has to be run again."""

    cell: Cell
    instance: bytes
    losses: list[str] = field(default_factory=list)


class Batches:
    """Takes cells in order and puts them into batches by what is known of the time that they need."""

    def __init__(self, take: Callable[[], tuple[Cell, bytes] | None]) -> None:
        self._take = take
        self._next: Flight | None = None
        self._seconds: dict[str, float] = {}  # by label: the slowest cell, slowly forgotten
        self.exhausted = False

    def learn(self, record: dict[str, Any]) -> None:
        label, wall = record["label"], record["wall_seconds"] or 0.0
        found = FAILED_SECONDS if record["status"] in FAILURES else wall + HARNESS_SECONDS
        before = self._seconds.get(label, 0.0)
        self._seconds[label] = max(found, (1 - FORGETTING) * before + FORGETTING * found)

    def take(self) -> list[Flight]:
        """The next batch: one cell, or several that together should not take longer than `TASK_SECONDS`; empty at the end."""
        batch: list[Flight] = []
        left = TASK_SECONDS
        while len(batch) < MOST_CELLS and (flight := self._peek()) is not None:
            left -= self._seconds.get(flight.cell.solver.label, math.inf)
            if batch and left < 0:
                break
            batch.append(flight)
            self._next = None
        return batch

    def _peek(self) -> Flight | None:
        if self._next is None and not self.exhausted:
            taken = self._take()
            self._next = None if taken is None else Flight(*taken)
            self.exhausted = taken is None
        return self._next
