"""The runner's end of a worker: start it, ask it, hold it to its limits, and end it with everything below it."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .frame_socket import FrameSocket
from .plugins import plugin_digest
from .processes import MARK, born, descendants, kill, kill_marked, tree_cpu_seconds, tree_memory
from .provenance import ROOT

POLL_SECONDS = 0.02  # between looks at the memory of a worker's process tree
PATIENCE_SECONDS = 300.0  # for what is not the solver's doing: loading an instance, evaluating a structure
KEPT_OUTPUT = 2000  # characters of what a solver printed, told if it crashes
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "NUMEXPR", "BLIS", "RAYON")


class Interrupted(Exception):
    """The run was told to stop."""


class Death(NamedTuple):
    """How a worker ended before it answered: `timeout`, `memout` or `crash`."""

    kind: str
    message: str
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_memory_mb: float = 0.0


class Supervisor:
    """One worker process. After a `Death` it is gone, and a new one must be made."""

    def __init__(self, mark: str, stop: threading.Event, module: str = "bench.worker") -> None:
        self._stop, self._mark = stop, mark
        ours, theirs = socket.socketpair()
        environment = {**os.environ, MARK: mark} | {f"{name}_NUM_THREADS": "1" for name in THREADS}
        environment["PYTHONHASHSEED"] = "0"
        self._process = subprocess.Popen(
            [*python_command(module), str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(theirs.fileno(),),
            env=with_our_code(environment),
            start_new_session=True,
        )
        theirs.close()
        self._connection = FrameSocket(ours)
        assert self._process.stdout is not None
        self._output = self._process.stdout.fileno()
        os.set_blocking(self._output, False)
        self._printed = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._connection, selectors.EVENT_READ)
        self._selector.register(self._output, selectors.EVENT_READ)
        self.peak = 0
        self._family: dict[int, int] = {}  # descendants seen so far and when they were born

    @property
    def pid(self) -> int:
        return self._process.pid

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
        request = {"kind": "setup", "solver": solver, "task": task, "plugins": plugins, "cores": tuple(cores)}
        return self.ask({**request, "sources": sources})

    def ask(self, request: dict[str, Any], seconds: float = PATIENCE_SECONDS, memory: float | None = None) -> Any:
        """Send a request and wait for the first answer."""
        try:
            self._connection.send(pickle.dumps(request), seconds)
        except OSError:
            return self._died()
        return self.answer(seconds, memory)

    def answer(self, seconds: float = PATIENCE_SECONDS, memory: float | None = None) -> Any:
        """The next answer, or the Death of the worker. Limits count from now."""
        start = time.perf_counter()
        cpu = tree_cpu_seconds(self.pid)
        self.peak = 0
        while True:
            left = seconds - (time.perf_counter() - start)
            answer = self._listen(min(POLL_SECONDS, max(left, 0.0)))
            if answer is not None:
                return answer
            if self._stop.is_set():
                raise Interrupted
            below = descendants(self.pid)
            self._family |= {pid: born(pid) for pid in below if pid not in self._family}
            used = tree_memory(self.pid, below)
            self.peak = max(self.peak, used)
            kind = "memout" if memory is not None and used > memory else "timeout" if left <= 0 else ""
            if kind:
                spent = tree_cpu_seconds(self.pid) - cpu
                self.end()
                wall = time.perf_counter() - start
                return Death(kind, "", spent, wall, self.peak / 2**20)
            if self._process.poll() is not None:
                answer = self._listen(0.0)
                return answer if answer is not None else self._died(time.perf_counter() - start)

    def _listen(self, seconds: float) -> Any:
        """An answer within this time, or None; what the solver prints is read on the way."""
        try:
            message = self._connection.pending()
            for ready, _ in self._selector.select(0.0 if message is not None else seconds):
                if ready.fd == self._output:
                    self._read_output()
                elif message is None:
                    message = self._connection.receive_ready()
            return None if message is None else json.loads(message)
        except (EOFError, OSError, ValueError):  # gone, or somebody else wrote to the socket
            if self._connection in self._selector.get_map():
                self._selector.unregister(self._connection)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
            return None

    def _read_output(self) -> None:
        """Keep the end of what was printed."""
        try:
            data = os.read(self._output, 65536)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(self._output)
        self._printed = (self._printed + data)[-KEPT_OUTPUT:]

    def forget_output(self) -> None:
        if self._output in self._selector.get_map():
            self._read_output()
        self._printed = b""

    def _died(self, seconds: float = 0.0) -> Death:
        code = self.end()
        why = signal_name(-code) if code < 0 else f"exit code {code}"
        while self._output in self._selector.get_map() and self._selector.select(0.0):
            before = self._printed
            self._read_output()
            if before == self._printed:
                break
        printed = " ".join(self._printed.decode(errors="replace").split())
        return Death("crash", why + (f"; it printed: {printed}" if printed else ""), 0.0, seconds, self.peak / 2**20)

    def end(self) -> int:
        """Kill the worker, its process group, all that was ever seen below it or carries its mark; its exit code."""
        code = self._process.poll()
        self._family |= {pid: born(pid) for pid in descendants(self.pid)}
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if code is None:
            self._process.kill()
        code = self._process.wait()
        kill([pid for pid, birth in self._family.items() if birth and born(pid) == birth])
        kill_marked(self._mark)
        with contextlib.suppress(OSError):
            self._connection.close()
        return code

    def close(self) -> None:
        """End the worker at the end of a run."""
        self.end()
        self._selector.close()
        if self._process.stdout is not None:
            self._process.stdout.close()


def python_command(module: str) -> list[str]:
    """How to run one of our modules: the user's current folder is not searched for it."""
    return [sys.executable, "-P", "-m", module]


def with_our_code(environment: dict[str, str]) -> dict[str, str]:
    """An environment in which Python finds this very code first."""
    paths = [str(ROOT), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def digests(plugins: Sequence[Path]) -> dict[str, str]:
    return {str(path): plugin_digest(path) for path in plugins}


def signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
