"""Cells on a Dask cluster: one task per cell, pinned to a worker and its core; the runner keeps count of what was lost.

Dask moves tasks and results; it decides nothing. A cell is given to a particular worker, so that the runner knows where it
runs, and a worker that is gone costs its cells one attempt of two.
"""

from __future__ import annotations

import contextlib
import queue
import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from problems.errors import InputError

from .cluster_client import Connection
from .cluster_local import LocalCluster
from .cluster_node import LEASE_SECONDS, Order, Outcome, close_session, renew, run_cell
from .cluster_nodes import Lane, Node, Nodes
from .executors import Work, number_of_cores
from .plan import Cell, code_digest
from .slot import make_record
from .sources import Source

ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d+")
ATTEMPTS = 2
LOOK_SECONDS = 1.0  # between looks at who is there
NODES_SECONDS = 10.0  # to wait for the first worker
PATIENCE_SECONDS = 60.0  # to wait for another one when all are gone


@dataclass
class Flight:
    """A cell and what has become of it so far."""

    cell: Cell
    instance: bytes
    losses: list[str] = field(default_factory=list)
    lane: Lane | None = None
    future: Any = None


class DaskExecutor:
    """Connects to a scheduler (`tcp://host:port`), or starts a cluster of N workers on this machine (`local:N`)."""

    def __init__(self, where: str) -> None:
        self._where, self._workers = where, _local_workers(where)
        self._cluster: LocalCluster | None = None
        self.jobs = self._workers or 1

    @property
    def facts(self) -> dict[str, Any]:
        return {"jobs": self.jobs, "dask": self._where}

    @property
    def memory_gb(self) -> float:
        return self._nodes.memory_gb

    def __enter__(self) -> DaskExecutor:
        Connection.check_package()
        if self._workers:
            self._cluster = LocalCluster(self._workers)
        address = self._cluster.address if self._cluster else self._where
        try:
            self._connection = Connection(address)
            try:
                self._nodes = Nodes(code_digest(()))
                self._find_nodes()
            except BaseException:
                self._connection.close()
                raise
        except BaseException:
            self._end_cluster()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._end_cluster()

    def _end_cluster(self) -> None:
        if self._cluster is not None:
            self._cluster.close()

    def _find_nodes(self) -> None:
        """The workers that are there now; all that a local cluster must have."""
        deadline = time.monotonic() + (PATIENCE_SECONDS if self._workers else NODES_SECONDS)
        while True:
            for address in set(self._connection.workers()) - {*self._nodes.by_address, *self._nodes.refused}:
                self._nodes.add(address, self._connection.described(address))
            if len(self._nodes.lanes) >= max(self._workers, 1):
                break
            if self._nodes.refused or time.monotonic() > deadline:
                raise InputError(self._nobody())
            time.sleep(0.1)
        self.jobs = len(self._nodes.lanes)

    def _nobody(self) -> str:
        if not self._nodes.refused:
            return f"the Dask cluster at {self._where} has no workers; start some with --resources core=1."
        address, why = next(iter(self._nodes.refused.items()))
        return f"no worker of the Dask cluster at {self._where} can be used: {address} {why}."

    def work(self, run: Work) -> None:
        Session(self._connection, self._nodes, self._where, run).work()


class Session:
    """The cells of one run on the cluster's lanes."""

    def __init__(self, connection: Connection, nodes: Nodes, where: str, run: Work) -> None:
        self._connection, self._nodes, self._where, self._run = connection, nodes, where, run
        experiment = run.experiment
        self._order = Order(
            uuid.uuid4().hex,
            replace(experiment, source=Source(experiment.task, "load", []), solvers=(), text=""),
            run.plugins,
            {path: Path(path).read_bytes() for path in run.plugins},
        )
        self._again: deque[Flight] = deque()
        self._flights: list[Flight] = []
        self._more = True
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
                if not (self._flights or self._again or self._more):
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
                        f"({self._last_loss}); everything recorded is kept, go on with --resume."
                    )
        finally:
            self._end()

    def _give_out(self) -> None:
        """A cell for every idle lane; those that lost their node come first."""
        for lane in self._nodes.idle():
            if self._again:
                flight = self._again.popleft()
            else:
                taken = self._run.take() if self._more else None
                if taken is None:
                    self._more = False
                    return
                flight = Flight(*taken)
            flight.lane, lane.busy = lane, True
            flight.future = self._connection.submit(
                lane.node.address, run_cell, self._order, self._nodes.place(lane), flight.cell, flight.instance
            )
            self._flights.append(flight)
            flight.future.add_done_callback(
                lambda future, flight=flight: self._events.put(lambda: self._landed(flight, future))
            )

    def _landed(self, flight: Flight, future: Any) -> None:
        """A task has ended; what it brought is a record, or a loss."""
        if flight.future is not future or flight not in self._flights:
            return  # of a node that was given up before
        lane = flight.lane
        assert lane is not None
        outcome = self._connection.outcome(future)
        if isinstance(outcome, InputError):
            raise outcome
        if isinstance(outcome, Outcome) and outcome.record is not None:
            self._flights.remove(flight)
            lane.busy = False
            attempt = {"attempt": len(flight.losses) + 1, "rerun_because": "; ".join(flight.losses)}
            self._run.record(flight.cell, {**outcome.record, **attempt}, list(outcome.trace))
        elif isinstance(outcome, Outcome):
            self._give_up(lane.node, outcome.lost)
        else:  # what failed is not the solver but the machinery around it: no cell is given to that node again
            said = f"{type(outcome).__name__}: {' '.join(str(outcome).split())}"
            self._give_up(lane.node, said, "" if self._connection.is_loss(outcome) else said)

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
        for flight in [flight for flight in self._flights if flight.lane is not None and flight.lane.node is node]:
            self._flights.remove(flight)
            flight.losses.append(f"{node.name} was lost ({why})")
            self._connection.cancel([flight.future])
            if len(flight.losses) < ATTEMPTS:
                self._again.append(flight)
                continue
            facts = {"status": "crash", "message": f"lost {ATTEMPTS} times: {'; '.join(flight.losses)}"}
            slot = flight.lane.slot if flight.lane is not None else 0
            record = make_record(self._run, slot, flight.cell, facts)
            again = {"node": node.name, "attempt": ATTEMPTS, "rerun_because": flight.losses[0]}
            self._run.record(flight.cell, {**record, **again}, [])

    def _renew(self) -> None:
        while not self._ended.wait(LEASE_SECONDS / 6):
            with contextlib.suppress(Exception):  # the loop that looks for workers says what is wrong
                self._connection.tell(list(self._nodes.by_address), renew, self._order.mark)

    def _end(self) -> None:
        """Stop what is running; nodes that cannot be told notice that nobody renews their lease."""
        self._ended.set()
        self._connection.cancel([flight.future for flight in self._flights])
        self._connection.tell(list(self._nodes.by_address), close_session, self._order.mark)
        for lane in self._nodes.lanes:
            lane.busy = False


def _local_workers(where: str) -> int:
    """The N of `local:N`; 0 for an address."""
    kind, _, number = where.partition(":")
    if kind == "local":
        cores = number_of_cores()
        if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= cores:
            raise InputError(
                f"option '--dask' must be local:N with N between 1 and {cores} (the cores of this machine), not {where!r}."
            )
        return int(number)
    if not ADDRESS.fullmatch(where):
        raise InputError(f"option '--dask' must be local:N or an address such as tcp://host:8786, not {where!r}.")
    return 0
