"""Worker processes that decode a stream: rows come out in the order of the entries, and little of either is held at a time.

A thread reads entries as long as the window has room for them. Each worker has a thread that sends it batches and takes its
rows. A worker that dies costs the entry it was at, which gets a row that says so; the rest of its batch goes to a new one.
Workers of plug-ins send claims instead of rows, which a checker judges batch by batch.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from problems.errors import InputError

from ..runner.supervisor import Death, Interrupted, Supervisor
from .corpus import Entry
from .judge import MOST_CLAIMS, RowClaim, RowJudge, claim_in

BATCH_SECONDS = 0.1  # of work that goes to a worker at a time
LARGEST_BATCH = 64
WINDOW = 256  # entries per worker that are read but not yet written
WINDOW_BYTES = 2**28
ROW: dict[str, Any] = {
    "position": 0,
    "digest": "",
    "name": "",
    "status": "",
    "message": "",
    "objective": None,
    "bound": None,
    "structure": None,
    "metrics": {},
    "seconds": None,
}
"""Every field of a row and its value where there is nothing to say."""


@dataclass(frozen=True)
class Assignment:
    """What is done to every entry."""

    task: str
    solver: str
    options: dict[str, Any]
    plugins: dict[str, str]
    seconds: float
    memory_gb: float
    metrics: bool = True
    trusted: bool = False  # a built-in solver, which may judge its answers itself

    @property
    def request(self) -> dict[str, Any]:
        facts = {"solver": self.solver, "options": self.options, "task": self.task, "traced": False}
        return {**facts, "seconds": self.seconds, "metrics": self.metrics, "trusted": self.trusted}


class Pool:
    """Decodes one stream with `jobs` processes; each is pinned to one of `cores` if there are any."""

    grace_seconds = 0.5
    warmup_seconds = 300.0

    def __init__(self, job: Assignment, jobs: int, cores: Sequence[int] = ()) -> None:
        self._job, self._jobs, self._cores = job, jobs, cores
        self._state = threading.Condition()
        self._pending: deque[Entry] = deque()
        self._sizes: dict[int, int] = {}  # of the entries in the window, by position
        self._held = 0  # their sum
        self._ready: dict[int, dict[str, Any]] = {}
        self._exhausted = False
        self._failure: BaseException | None = None
        self.stop = threading.Event()

    def rows(self, entries: Iterator[Entry]) -> Iterator[dict[str, Any]]:
        """The rows of all entries in order. `stop` ends it early; whoever closes it ends all processes."""
        targets = [(self._read, (entries,)), *((self._work, (number,)) for number in range(self._jobs))]
        threads = [threading.Thread(target=self._guarded, args=target, daemon=True) for target in targets]
        try:
            for thread in threads:
                thread.start()
            while (row := self._next()) is not None:
                yield row
        finally:
            self.stop.set()
            with self._state:
                self._state.notify_all()
            for thread in threads[1:]:
                thread.join()  # the reader may be waiting for a line of standard input

    def _next(self) -> dict[str, Any] | None:
        """The row of the first entry in the window; None at the end."""
        with self._state:
            while True:
                if self._failure is not None:
                    raise self._failure
                if self.stop.is_set():
                    raise Interrupted
                first = next(iter(self._sizes), None)
                if first is None and self._exhausted:
                    return None
                if first in self._ready:
                    self._held -= self._sizes.pop(first)
                    self._state.notify_all()
                    return self._ready.pop(first)
                self._state.wait(0.1)  # short waits let signals through

    def _guarded(self, work: Any, arguments: tuple[Any, ...]) -> None:
        try:
            work(*arguments)
        except Interrupted:
            pass
        except BaseException as error:
            with self._state:
                self._failure = self._failure or error
                self._state.notify_all()

    def _read(self, entries: Iterator[Entry]) -> None:
        for entry in entries:
            with self._state:
                while len(self._sizes) >= WINDOW * self._jobs or (self._sizes and self._held >= WINDOW_BYTES):
                    self._state.wait()
                    if self.stop.is_set():
                        return
                self._sizes[entry.position] = len(entry.content)
                self._held += len(entry.content)
                self._pending.append(entry)
                self._state.notify_all()
        with self._state:
            self._exhausted = True
            self._state.notify_all()

    def _take(self, many: int) -> list[Entry]:
        """Up to so many entries of those that are there, leaving a share for the others; none at the end."""
        with self._state:
            while not self._pending and not self._exhausted and not self.stop.is_set():
                self._state.wait()
            if self.stop.is_set():
                raise Interrupted
            share = -(-len(self._pending) // self._jobs)
            return [self._pending.popleft() for _ in range(min(many, share))]

    def _put(self, entry: Entry, facts: dict[str, Any]) -> None:
        known = {"position": entry.position, "digest": entry.digest}
        with self._state:
            self._ready[entry.position] = {**ROW, "name": entry.name, **facts, **known}
            self._state.notify_all()

    def _work(self, number: int) -> None:
        worker: Supervisor | None = None
        job, cores = self._job, self._cores[number : number + 1]
        judge = None if job.trusted else RowJudge(self.stop, job.task, job.metrics, job.plugins, cores)
        largest = LARGEST_BATCH if job.trusted else MOST_CLAIMS
        pace = BATCH_SECONDS  # seconds per entry lately
        try:
            while batch := self._take(max(1, min(largest, int(BATCH_SECONDS / pace)))):
                start, many = time.perf_counter(), len(batch)
                while batch:
                    worker = worker or self._start(cores)
                    death = self._decode(worker, batch, judge)
                    if death is not None:
                        worker.close()
                        worker = None
                        self._put(batch.pop(0), _of_death(death))
                pace = max((time.perf_counter() - start) / many, 1e-6)
        finally:
            if worker is not None:
                worker.close()
            if judge is not None:
                judge.close()

    def _decode(self, worker: Supervisor, batch: list[Entry], judge: RowJudge | None) -> Death | None:
        """Have a batch decoded; what is left of it when the worker dies begins with the entry it was at."""
        worker.forget_output()
        memory = self._job.memory_gb * 2**30
        limit = self._job.seconds + self.grace_seconds
        claims: list[RowClaim] = []
        start = time.perf_counter()
        answer = worker.ask("decode", {**self._job.request, "entries": list(batch)}, "row", limit, memory)
        while not isinstance(answer, Death):
            if judge is None:
                self._put(batch.pop(0), answer["row"])
            else:
                claims.append(claim_in(batch.pop(0), answer["row"], time.perf_counter() - start))
            if not batch:
                break
            answer = worker.answer("row", limit, memory)
        if judge is not None:  # not before: nobody would watch the worker meanwhile
            for claim, row in zip(claims, judge.rows(claims), strict=True):
                self._put(claim.entry, {**row, "seconds": claim.seconds})
        return answer if isinstance(answer, Death) else None

    def _start(self, cores: Sequence[int]) -> Supervisor:
        """A warm worker."""
        job = self._job
        worker = self._supervisor()
        ready = worker.set_up(job.solver, job.task, job.plugins, cores)
        problem = ready.message or ready.kind if isinstance(ready, Death) else ready["changed"] or ready["problem"]
        if problem:
            worker.close()
            raise InputError(f"solver {job.solver!r} cannot be used: {problem}.")
        warm = worker.ask("warm up", job.request, "warm", self.warmup_seconds, job.memory_gb * 2**30)
        if isinstance(warm, Death):  # it will happen to an instance as well, and be said there
            worker.close()
            worker = self._supervisor()
            worker.set_up(job.solver, job.task, job.plugins, cores)
        return worker

    def _supervisor(self) -> Supervisor:
        return Supervisor(self.stop, "bench.decoding.worker", alone=self._jobs == 1)


def _of_death(death: Death) -> dict[str, Any]:
    limits = {"timeout": "killed at the time limit", "memout": "killed at the memory limit"}
    return {"status": death.kind, "message": limits.get(death.kind, death.message), "seconds": death.wall_seconds}
