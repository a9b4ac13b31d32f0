"""The runner's end of a worker: start it, ask it, hold it to its limits, and end it with everything below it."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from .control_group import ControlGroup
from .launching import enlarge_pipe, isolation, keeper_command, python_command, with_our_code
from .message_socket import MessageSocket
from .messages import LONGEST, NotAnAnswer, decode, new_nonce
from .process_tree import ProcessTree, Usage
from .processes import children, kill, kill_descendants

FAST_POLL, SLOW_POLL = 0.02, 0.1  # seconds between looks at the memory of a worker's process tree
FAST_SECONDS = 0.5  # of a cell in which it is looked at often
FILLING = 4 * 2**30  # bytes per second: nobody fills memory faster
START_SECONDS = 60.0  # for what is not the solver's doing: starting Python, loading plug-ins and instances
END_SECONDS = 5.0  # for a keeper to end everything
IDLE_SHARE = 0.02  # of a core: what uses less is idle
KEPT_OUTPUT = 2000  # characters of what a solver printed, told if it crashes
OUTPUT_AT_ONCE = 2**20  # bytes of it that are read in FAST_POLL seconds: who prints more, waits
STOPPED = 1.0  # seconds longer than it meant to wait: then the runner itself was stopped
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "NUMEXPR", "BLIS", "RAYON")


class Interrupted(Exception):
    """The run was told to stop."""


class Death(NamedTuple):
    """How a worker ended before it answered: `timeout`, `memout` or `crash`."""

    kind: str
    message: str
    cpu_seconds: float | None = None  # None where it is not known
    wall_seconds: float = 0.0
    peak_memory_mb: float = 0.0


class Supervisor:
    """One worker process below its keeper. After a `Death` it is gone, and a new one must be made."""

    def __init__(
        self, stop: threading.Event, module: str = "bench.runner.worker", alone: bool = True, mode: str | None = None
    ) -> None:
        self._stop = stop
        self._mode = mode or isolation()
        ours, theirs = socket.socketpair()
        held, self._lifeline = os.pipe()
        self._status, status = os.pipe()
        self._group = ControlGroup()
        environment = dict(os.environ) | {f"{name}_NUM_THREADS": "1" for name in THREADS} | {"PYTHONHASHSEED": "0"}
        worker = [*python_command(module), str(theirs.fileno())]
        self._keeper = subprocess.Popen(
            keeper_command(self._mode, str(held), str(status), *worker),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(theirs.fileno(), held, status),
            env=with_our_code(environment) | self._group.environment(),
            start_new_session=True,
        )
        theirs.close()
        os.close(held)
        os.close(status)
        self._connection = MessageSocket(ours)
        assert self._keeper.stdout is not None
        self._output = self._keeper.stdout.fileno()
        for descriptor in (self._output, self._status):
            os.set_blocking(descriptor, False)
        enlarge_pipe(self._output, OUTPUT_AT_ONCE)
        self._printed, self._reported = b"", b""
        self._printing, self._deaf_until = True, 0.0  # whether and when to look at what the solver prints
        self._selector = selectors.DefaultSelector()
        for source in (self._connection, self._output, self._status):
            self._selector.register(source, selectors.EVENT_READ)
        self.peak = 0
        self.received = Usage(0.0, 0.0, 0.0, 0.0)  # when the last answer had come
        self.stopped = 0.0  # seconds for which the runner did not run while it waited for it
        self.overhead = Usage(0.0, 0.0, 0.0, 0.0)  # of a cell without a solver
        self.first_state: dict[str, str] = {}  # of its signals, when its first cell began
        self._ended: str | None = None  # how the worker ended
        self._closed = False
        self._nonce, self._number = "", 0
        self.tree = ProcessTree(*self._family(), self._mode == "namespace", alone, self._group)

    def _family(self) -> tuple[int, int]:
        """The process that all others are below, and the worker; zeros if they did not start."""
        deadline = time.monotonic() + START_SECONDS
        while b"started\n" not in self._reported or b"root " not in self._reported:
            if self._ended is not None or time.monotonic() > deadline:
                self._ended = self._ended or "it did not start"
                return 0, 0
            self._listen(FAST_POLL)
        root = int(self._reported.partition(b"root ")[2].split()[0])
        return root, next(iter(children(root)), 0)

    @property
    def pid(self) -> int:
        return self.tree.worker

    def set_up(
        self,
        solver: str,
        task: str,
        plugins: dict[str, str],
        cores: Sequence[int],
        sources: dict[str, bytes] | None = None,
    ) -> Any:
        """An answer that says why the solver cannot be used (`problem`) or which plug-in is not the same (`changed`).

        Away from the runner's machine plug-ins come as `sources`, and the answer tells the solver's `version`.
        """
        request = {"solver": solver, "task": task, "plugins": plugins, "cores": tuple(cores), "sources": sources}
        return self.ask("set up", request, "ready")

    def ask(
        self,
        kind: str,
        request: dict[str, Any],
        answer: str,
        seconds: float = START_SECONDS,
        memory: float | None = None,
        idle_seconds: float | None = None,
    ) -> Any:
        """Send a request and wait for its first answer, which must be of a kind."""
        if self._connection.unread():  # what somebody wrote while nothing had been asked
            return self._broke_off("it wrote to the runner's connection unasked")
        self._nonce, self._number = new_nonce(), 0
        if not self._send(pickle.dumps({**request, "kind": kind, "nonce": self._nonce}), seconds):
            return self._died()
        return self.answer(answer, seconds, memory, idle_seconds)

    def go(self) -> None:
        """Tell a worker that has loaded an instance to solve it. If it is gone, `answer` will say so."""
        self._send(self._nonce.encode(), START_SECONDS)

    def tell(self, calls: int) -> None:
        """Tell a worker that has solved its cell to get ready for so many more calls; 0: it is done."""
        self._send(str(calls).encode(), START_SECONDS)

    def _send(self, message: bytes, seconds: float) -> bool:
        try:
            self._connection.send(message, seconds)
        except OSError:
            return False
        return True

    def answer(
        self,
        kind: str,
        seconds: float = START_SECONDS,
        memory: float | None = None,
        idle_seconds: float | None = None,
        since: Usage | None = None,
    ) -> Any:
        """The next answer to the last request, or the Death of the worker. Limits count from now.

        A worker that has next to no CPU time for `idle_seconds` is ended before its time. The CPU time of a Death
        counts from `since`.
        """
        self._connection.longest = LONGEST[kind]
        start = time.perf_counter()
        idle_since, idle_cpu = start, self.tree.usage().cpu if idle_seconds is not None else 0.0
        self.peak = used = 0
        self.stopped = 0.0
        while True:
            asked = time.perf_counter()
            left = seconds - (asked - start - self.stopped)
            room = math.inf if memory is None else memory - used
            often = seconds - left < FAST_SECONDS or asked < self._deaf_until
            wait = min(FAST_POLL if often else min(max(room / FILLING, FAST_POLL), SLOW_POLL), max(left, 0.0))
            message = self._listen(wait)
            now = time.perf_counter()
            if message is not None:
                self.received = self.tree.usage() if since is not None else self.received
                return self._understood(message, kind)
            if self._stop.is_set():
                raise Interrupted
            if self._ended is not None:
                return self._died(now - start, since)
            if now - asked > wait + STOPPED:
                self.stopped += now - asked - wait
                continue  # an answer may have come meanwhile
            used = self.tree.memory(memory)
            self.peak = max(self.peak, used)
            late = now - start - self.stopped >= seconds
            if idle_seconds is not None and now - idle_since >= idle_seconds:
                spent = self.tree.usage().cpu
                late = late or spent - idle_cpu < IDLE_SHARE * (now - idle_since)
                idle_since, idle_cpu = now, spent
            kind_of_death = "memout" if memory is not None and used > memory else "timeout" if late else ""
            if kind_of_death:
                used_cpu = self._spent(since)
                self.end()
                return Death(kind_of_death, "", used_cpu, time.perf_counter() - start, self.peak / 2**20)

    def _understood(self, message: bytes | NotAnAnswer, kind: str) -> Any:
        try:
            if isinstance(message, NotAnAnswer):
                raise message
            found = decode(message, kind, self._nonce, self._number)
        except NotAnAnswer as error:
            return self._broke_off(f"it wrote to the runner's connection what is no answer ({error})")
        self._number += 1
        return found

    def _spent(self, since: Usage | None) -> float | None:
        """CPU seconds since then; of a worker that is gone only its control group tells."""
        if since is None:
            return None
        now = self.tree.usage()
        grouped = None if now.group is None or since.group is None else now.group - since.group
        if self._ended is not None:
            return grouped
        return max(now.cpu - since.cpu, grouped or 0.0)

    def _listen(self, seconds: float) -> bytes | NotAnAnswer | None:
        """A message within this time; what the solver prints and its keeper reports is read on the way."""
        try:
            message = self._connection.pending()
            self._hear(time.perf_counter() >= self._deaf_until)
            for ready, _ in self._selector.select(0.0 if message is not None else seconds):
                if ready.fd == self._output:
                    self._read_output()
                    self._deaf_until = time.perf_counter() + FAST_POLL
                elif ready.fd == self._status:
                    self._read_status()
                elif message is None:
                    message = self._connection.receive_ready()
            return message
        except (EOFError, OSError):
            self._forget(self._connection)
            return None
        except ValueError as error:
            return NotAnAnswer(str(error))

    def _hear(self, wanted: bool) -> None:
        """Listen to what the solver prints, or not: not all the time, or printing could keep the runner busy."""
        if not self._printing or wanted == (self._output in self._selector.get_map()):
            return
        if wanted:
            self._selector.register(self._output, selectors.EVENT_READ)
        else:
            self._selector.unregister(self._output)

    def _forget(self, source: Any) -> None:
        if source in self._selector.get_map():
            self._selector.unregister(source)

    def _read_status(self) -> None:
        """What the keeper has to tell; if it is gone, so is everything."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._status, 4096)
            self._reported += data
            _, ended, code = self._reported.partition(b"ended ")
            if ended and b"\n" in code:
                number = int(code.split()[0])
                self._ended = signal_name(-number) if number < 0 else f"exit code {number}"
            if not data:
                self._forget(self._status)
                self._ended = self._ended or "its keeper was killed"

    def _read_output(self) -> None:
        """Keep the end of what was printed."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._output, OUTPUT_AT_ONCE)
            if not data:
                self._printing = False
                self._forget(self._output)
            self._printed = (self._printed + data[-KEPT_OUTPUT:])[-KEPT_OUTPUT:]

    def forget_output(self) -> None:
        if self._printing:
            self._read_output()
        self._printed = b""

    def _died(self, seconds: float = 0.0, since: Usage | None = None) -> Death:
        spent = self._spent(since)
        self.end()
        while self._printing:
            before = self._printed
            self._read_output()
            if before == self._printed:
                break
        why = self._ended or "it is gone"
        printed = " ".join(self._printed.decode(errors="replace").split())
        return Death("crash", why + (f"; it printed: {printed}" if printed else ""), spent, seconds, self.peak / 2**20)

    def _broke_off(self, why: str) -> Death:
        self.end()
        return Death("crash", why, peak_memory_mb=self.peak / 2**20)

    def end(self) -> None:
        """End the worker and all that it started: the keeper does it when its lifeline is cut."""
        if self._closed:
            return
        self._closed = True
        os.close(self._lifeline)
        try:
            self._keeper.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            kill_descendants(self._keeper.pid)
            self._keeper.kill()
            self._keeper.wait()
        kill([self.tree.worker] if self._ended == "its keeper was killed" and self.tree.worker else [])
        with contextlib.suppress(OSError):
            self._read_status()
            self._connection.close()
        self._group.close()

    def close(self) -> None:
        """End the worker at the end of a run."""
        self.end()
        if self._selector.get_map() is not None:
            self._selector.close()
            os.close(self._status)
        if self._keeper.stdout is not None:
            self._keeper.stdout.close()


def signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
