"""Cells on a Dask cluster, pinned to a worker and its core; the runner keeps count of what was lost.

Dask moves tasks and results; it decides nothing. A cell is given to a particular worker, so that the runner knows where it
runs, and a worker that is gone costs its cells one attempt of two. A task costs CPU on its way, so short
cells share one (`Batches`).
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from problems.errors import LONGEST_MESSAGE, InputError, shortened
from problems.files import read_bytes

from ...experiments.sources import Sources
from ...records.provenance import now
from ..executors import Work
from ..job import make_record
from .client import Connection
from .node import LEASE_SECONDS, NodeAnswer, Order, close_session, renew, run_cells
from .nodes import Batches, Flight, Lane, Node, Nodes

ATTEMPTS = 2
LOOK_SECONDS = 1.0  # between looks at who is there
PATIENCE_SECONDS = 60.0  # to wait for another one when all are gone


@dataclass
class Task:
    """Cells on their way to a lane and back."""

    lane: Lane
    flights: list[Flight]
    future: Any


class Session:
    """The cells of one run on the cluster's lanes."""

    def __init__(self, connection: Connection, nodes: Nodes, where: str, run: Work) -> None:
        self._connection, self._nodes, self._where, self._run = connection, nodes, where, run
        experiment = run.experiment
        self._order = Order(
            uuid.uuid4().hex,
            replace(experiment, source=Sources(()), solvers=(), text=""),
            run.plugins,
            {path: read_bytes(path) for path in run.plugins},
        )
        self._again: deque[Flight] = deque()
        self._tasks: list[Task] = []
        self._batches = Batches(run.take)
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._described: set[str] = set()  # workers that were asked what they are
        self._last_loss = "none has come"
        self._ended = threading.Event()

    def work(self) -> None:
        for node in self._nodes.by_address.values():
            self._run.add_node(node.name, node.facts["machine"])
        threading.Thread(target=self._renew, daemon=True).start()
        alone_since = looked = time.monotonic()
        try:
            while not self._run.stop.is_set():
                self._give_out()
                if self._batches.exhausted and not (self._tasks or self._again):
                    return
                with contextlib.suppress(queue.Empty):
                    self._events.get(timeout=0.1)()  # short waits let signals through
                    while True:
                        self._events.get_nowait()()
                now = time.monotonic()
                if now - looked >= LOOK_SECONDS:
                    self._look()
                    looked = now
                alone_since = now if self._nodes.lanes else alone_since
                if now - alone_since > PATIENCE_SECONDS:
                    raise InputError(
                        f"the Dask cluster at {self._where} has had no usable worker for {PATIENCE_SECONDS:g} s "
                        f"({self._last_loss}); everything recorded is kept, continue with --resume."
                    )
        finally:
            self._end()

    def _give_out(self) -> None:
        """Cells for every idle lane; one that has lost its node goes first, and alone."""
        for lane in [lane for lane in self._nodes.lanes if not lane.busy]:
            flights = [self._again.popleft()] if self._again else self._batches.take()
            if not flights:
                return
            cells = [(flight.cell, flight.instance) for flight in flights]
            arguments = (self._order, self._nodes.place(lane), cells)
            future = self._connection.submit(lane.node.address, run_cells, *arguments)
            task = Task(lane, flights, future)
            lane.busy = True
            self._tasks.append(task)
            future.add_done_callback(lambda _, task=task: self._events.put(lambda: self._landed(task)))

    def _landed(self, task: Task) -> None:
        """A task has ended; what it brought are records, or a loss."""
        if task not in self._tasks:
            return  # its node was given up before
        outcome, node = self._connection.outcome(task.future), task.lane.node
        if isinstance(outcome, InputError):
            raise outcome
        if not isinstance(outcome, NodeAnswer):  # what is around the solvers has failed: that node gets no cell again
            said = f"{type(outcome).__name__}: {' '.join(str(outcome).split())}"
            self._give_up(node, said, "" if self._connection.is_loss(outcome) else said)
            return
        for flight, (record, trace) in zip(task.flights, outcome.found, strict=False):
            attempt = {"attempt": len(flight.losses) + 1, "rerun_because": "; ".join(flight.losses)}
            self._run.record(flight.cell, {**record, **attempt}, trace)
            self._batches.learn(record)
        del task.flights[: len(outcome.found)]
        if task.flights:
            self._give_up(node, outcome.lost)
        else:
            self._tasks.remove(task)
            task.lane.busy = False

    def _look(self) -> None:
        """Who has come, and who has gone."""
        there = self._connection.workers()
        for address in [address for address in self._nodes.by_address if address not in there]:
            self._give_up(self._nodes.by_address[address], "its Dask worker is gone")
        self._described &= there
        new = there - {*self._nodes.by_address, *self._nodes.refused, *self._described}
        for address in new:
            self._described.add(address)
            self._connection.describe_soon(address, lambda *found: self._events.put(lambda: self._welcome(*found)))

    def _welcome(self, address: str, facts: dict[str, Any] | BaseException) -> None:
        self._described.discard(address)
        node = self._nodes.add(address, facts)
        if node is not None:
            self._run.add_node(node.name, node.facts["machine"])
        elif isinstance(facts, BaseException):
            del self._nodes.refused[address]  # it may answer next time

    def _give_up(self, node: Node, why: str, for_good: str = "") -> None:
        """A node is lost: its cells are run again, those that were already lost once are recorded as such."""
        self._nodes.remove(node.address, for_good)
        self._last_loss = f"{node.name} ({node.address}): {why}"
        if for_good:  # what it is still running is run elsewhere
            told = ([node.address], close_session, self._order.mark)
            threading.Thread(target=self._connection.tell, args=told, daemon=True).start()
        for task in [task for task in self._tasks if task.lane.node is node]:
            self._tasks.remove(task)
            self._connection.cancel([task.future])
            for flight in task.flights:
                flight.losses.append(f"{node.name} was lost ({shortened(why, LONGEST_MESSAGE)})")
                if len(flight.losses) < ATTEMPTS:
                    self._again.append(flight)
                else:
                    self._record_loss(flight, task.lane)

    def _record_loss(self, flight: Flight, lane: Lane) -> None:
        facts = {"status": "crash", "message": f"lost {ATTEMPTS} times: {'; '.join(flight.losses)}"}
        record = make_record(self._run, lane.slot, flight.cell, facts, now())
        again = {"node": lane.node.name, "attempt": ATTEMPTS, "rerun_because": flight.losses[0]}
        self._run.record(flight.cell, {**record, **again}, [])

    def _renew(self) -> None:
        while not self._ended.wait(LEASE_SECONDS / 6):
            with contextlib.suppress(Exception):  # the loop that looks for workers says what is wrong
                self._connection.tell(list(self._nodes.by_address), renew, self._order.mark)

    def _end(self) -> None:
        """Stop what is running; nodes that cannot be told notice that nobody renews their lease."""
        self._ended.set()
        self._connection.cancel([task.future for task in self._tasks])
        self._connection.tell(list(self._nodes.by_address), close_session, self._order.mark)
        for lane in self._nodes.lanes:
            lane.busy = False
