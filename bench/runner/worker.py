"""The process that a solver's cells run in, one after the other: `python -m bench.runner.worker FD`.

It answers over a socket that solvers do not know of, so that they may print what they like. A cell takes two steps: the
worker loads the instance and says `loaded`; told to go, it solves and says `solved` with the solver's claim. The runner may
ask for more calls (see `short_cells`), in the same two steps; then the worker says `done`. The runner's clocks run between
`loaded` and `solved`. Nothing that is recorded is measured or checked in this process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import pickle
import signal
import socket
import sys
from functools import cache
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from solvers import make_solver, solver_class
from solvers.base import Solution, Solver

from ..experiments.plugins import load_plugin
from ..experiments.sources import task_named
from ..records.provenance import solver_version
from .handover import Failure, attempt, claim_of, points_of
from .kernel_steps import load_step
from .message_socket import MessageSocket
from .messages import encode, error_text
from .processes import reap

TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)


class Worker:
    """Answers requests until the runner hangs up."""

    def __init__(self, connection: MessageSocket) -> None:
        self.connection = connection
        self.pid = os.getpid()
        self._nonce, self._number = "", 0

    @classmethod
    def main(cls) -> None:
        """The life of a process that was given a descriptor of its connection."""
        cls(MessageSocket(socket.socket(fileno=int(sys.argv[1])))).serve()

    def say(self, kind: str, **fields: Any) -> None:
        if os.getpid() != self.pid:  # a child that the solver forked came back from `solve`
            os._exit(0)
        self.connection.send(encode(kind, self._nonce, self._number, fields))
        self._number += 1

    def serve(self) -> None:
        while True:
            try:
                request = pickle.loads(self.connection.receive())
            except EOFError:
                return
            self._nonce, self._number = request["nonce"], 0
            if request["kind"] == "set up":
                self.set_up(request)
            elif request["kind"] == "version":
                self.say("version", version=solver_version(request["solver"]))
            elif request["kind"] == "warm up":
                self.warm_up(request)
            elif request["kind"] == "load":
                self.load(request)
            else:
                self.solve(request)

    def set_up(self, request: dict[str, Any]) -> None:
        """Load plug-ins and the solver's library; the runner is told what it would tell a user."""
        if request["cores"]:
            os.sched_setaffinity(0, request["cores"])
        changed, sources = "", request["sources"]
        try:
            for path, digest in request["plugins"].items():
                if load_plugin(path, None if sources is None else sources[path]).digest != digest:
                    changed = path
            task_named(request["task"])
            problem = solver_class(request["solver"], request["task"]).unavailable() if request["solver"] else None
        except (Exception, SystemExit) as error:
            problem = error_text(error)
        version = "" if sources is None else solver_version(request["solver"])
        gc.collect()
        gc.freeze()  # so that collecting before each cell looks at that cell's garbage only
        self.say("ready", problem=problem or "", changed=changed, version=version)

    def warm_up(self, request: dict[str, Any]) -> None:
        """Solve something small: imports and licence checks happen now. What goes wrong here is not a cell's."""
        with contextlib.suppress(BaseException):  # it will happen again in a cell, and be recorded there
            instances = request.get("instances") or small_instances(request["task"])
            for pickled in instances:
                with contextlib.suppress(Exception):  # a solver may refuse one graph and solve the others
                    made_solver(request).warm_up(pickle.loads(pickled))
        stop_timers()
        gc.collect()
        gc.freeze()
        self.say("warm")

    def load(self, request: dict[str, Any]) -> None:
        """Load (or compile) kernels that several solvers need."""
        with contextlib.suppress(BaseException):  # a solver that needs them meets it again, and its cells record it
            load_step(request["step"])
        self.say("warm")

    def solve(self, request: dict[str, Any]) -> None:
        reap()
        outcome: Any = None
        calls = 1
        while calls:  # the first call; then the runner may want more of them
            outcome = self.call(request, calls, outcome)
            calls = int(self.connection.receive())
        if request["traced"]:
            points, problem = points_of(outcome)
            try:
                self.say("trace", points=points, problem=problem)
            except ValueError as error:
                self.say("trace", points=[], problem=error_text(error))
        del outcome
        gc.collect()
        self.say("done")

    def call(self, request: dict[str, Any], calls: int, outcome: Any) -> Any:
        """One call or a batch of them, each with a solver and an instance of its own; what the last one returned.

        The first failure ends all calls: it is what the cell has come to.
        """
        named = bool(request["solver"])
        solvers = [made_solver(request) if named else Nothing() for _ in range(calls)]  # before there is an instance
        gc.disable()  # what earlier cells have left is not looked at while the runner waits for this one
        work = [(solver, pickle.loads(request["instance"])) for solver in solvers]
        gc.collect(1)  # instances are old now: the solver is not charged with looking at them
        gc.enable()
        self.say("loaded")
        self.connection.receive()
        waited = children_seconds()
        for solver, instance in work:
            if not isinstance(outcome, Failure):
                outcome = attempt(solver, instance)
        stop_timers()
        waited = children_seconds() - waited
        try:
            claim = json.dumps(claim_of(outcome))
        except (TypeError, ValueError, RecursionError) as error:
            failure = {"status": "error", "message": f"the answer cannot be handed over ({error_text(error)})"}
            claim = json.dumps({"failure": failure})
        self.say("solved", claim=claim.encode(), children_seconds=waited)
        return outcome


class Nothing(Solver):
    """Solves nothing: what a cell takes with it is what the harness takes, which the runner then subtracts."""

    name = ""

    def solve(self, instance: Any) -> Solution:
        return Solution("feasible", (), 0.0)


def stop_timers() -> None:
    for timer in TIMERS:
        signal.setitimer(timer, 0.0)


def children_seconds() -> float:
    """CPU seconds of finished children, to the microsecond; the runner itself sees them in ticks only."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def made_solver(request: dict[str, Any]) -> Solver:
    """The solver of a cell. One that can keep a time limit is told the cell's; one that can trace is told to."""
    task = None if request["task"] == "graph" else request["task"]
    chosen = solver_class(request["solver"], task)
    options = dict(request["options"])
    names = {field.name for field in dataclasses.fields(chosen)}
    if "time_limit" in names and options.get("time_limit") is None:
        options["time_limit"] = request["seconds"]
    if request["traced"] and "trace" in names:
        options["trace"] = True
    return make_solver(request["solver"], task, options)


@cache
def small_instances(name: str) -> tuple[bytes, ...]:
    """What a task's solvers warm up on, pickled."""
    return tuple(pickle.dumps(instance) for instance in task_named(name).small_instances())


if __name__ == "__main__":
    Worker.main()
