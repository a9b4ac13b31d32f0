"""The process that a solver's cells run in, one after the other: `python -m bench.worker FD`.

It answers over a socket that solvers do not know of, so that they may print what they like. A cell is answered twice:
`solved` as soon as the clock has stopped, `done` when the structure has been checked and scored. Before the clock starts
it says `started`, and the runner's limits count from there.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import pickle
import socket
import sys
import threading
import time
from numbers import Real
from typing import Any, NamedTuple

from problems.errors import InputError
from solvers import make_solver, solver_class
from solvers.base import Solver, TracePoint, cpu_clock

from .frame_socket import FrameSocket
from .plugins import load_plugin
from .processes import (
    adopt_orphans,
    descendants,
    kill_descendants,
    peak_resident,
    reap,
    reset_peak,
    resident,
    tree_cpu_seconds,
)
from .provenance import solver_version
from .records import finite
from .sources import task_named
from .verdict import failed, verdict

MEGABYTE = 2**20


class Failure(NamedTuple):
    """Why a solver returned nothing."""

    status: str
    message: str
    limit_hit: str = ""


class Worker:
    """Answers requests until the runner hangs up."""

    def __init__(self, connection: FrameSocket) -> None:
        self.connection = connection
        self.pid = os.getpid()
        self.cold = ""  # why warming up failed, told with the next cell

    def say(self, kind: str, **facts: Any) -> None:
        if os.getpid() != self.pid:  # a child that the solver forked came back from `solve`
            os._exit(0)
        self.connection.send(json.dumps({"kind": kind, **facts}, allow_nan=False).encode())

    def serve(self) -> None:
        while True:
            try:
                request = pickle.loads(self.connection.receive())
            except EOFError:
                return
            if request["kind"] == "setup":
                self.set_up(request)
            elif request["kind"] == "warm up":
                self.warm_up(request)
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
            problem = solver_class(request["solver"], request["task"]).unavailable()
        except Exception as error:
            problem = said(error)
        version = "" if sources is None else solver_version(request["solver"])
        self.say("ready", problem=problem or "", changed=changed, version=version)

    def warm_up(self, request: dict[str, Any]) -> None:
        """Solve something small: imports, compilation and licence checks happen now. What goes wrong here is not a cell's."""
        try:
            instance = small_instance(task_named(request["task"]))
            if instance is not None:
                made_solver(request).solve(instance)
        except BaseException as error:
            self.cold = f"warming up failed ({said(error)})"
        kill_descendants(self.pid)
        gc.collect()
        gc.freeze()  # so that collecting before each cell looks at that cell's garbage only
        self.say("warm")

    def solve(self, request: dict[str, Any]) -> None:
        task = task_named(request["task"])
        instance = pickle.loads(request["instance"])
        solver = made_solver(request)
        threads = number_of_threads()
        gc.collect()
        reset_peak()
        base = resident(self.pid)
        self.say("started", base_memory_mb=base / MEGABYTE)
        wall, cpu = time.perf_counter(), cpu_clock()
        outcome = attempt(solver, instance)
        wall, cpu = time.perf_counter() - wall, cpu_clock() - cpu
        peak = peak_resident() or resident(self.pid)
        left = descendants(self.pid)
        cpu += sum(tree_cpu_seconds(pid) for pid in left)
        killed = kill_descendants(self.pid) if left else 0
        reap()
        measured = {"cpu_seconds": cpu, "wall_seconds": wall, "peak_memory_mb": peak / MEGABYTE}
        self.say("solved", **measured)
        if isinstance(outcome, Failure):
            facts = outcome._asdict()
        else:  # scored on a copy: the solver had the other one in its hands
            facts = checked(task, pickle.loads(request["instance"]), outcome)
        left_behind = f"{killed} process{'es' if killed > 1 else ''} left behind and killed" if killed else ""
        facts["message"] = "; ".join(filter(None, (facts.get("message", ""), left_behind, self.cold)))
        self.cold = ""
        self.say("done", record={**facts, **measured}, dirty=number_of_threads() > threads)


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


def small_instance(task: Any) -> Any:
    """Something to warm up on: the task's size `tiny`, or its default one; a few variables for bare graphs."""
    if task.name == "graph":
        from problems.factor_graph import FactorGraph

        graph = FactorGraph()
        variables = graph.add_variables([0.5, -0.2, 1.0])
        graph.add_logic("or_out", variables)
        return graph
    if not task.sizes:
        return None
    return task.generate(0, "tiny" if "tiny" in task.sizes else task.default_size)


def attempt(solver: Solver, instance: Any) -> Any:
    """What `solve` returns, or the facts of its failure."""
    try:
        return solver.solve(instance)
    except InputError as error:
        return Failure("skipped", said_short(error))
    except MemoryError as error:
        return Failure("memout", said(error), "memory")
    except BaseException as error:
        return Failure("error", said(error))


def checked(task: Any, instance: Any, outcome: Any) -> dict[str, Any]:
    """The facts of whatever a solver returned."""
    try:
        return judged(task, instance, outcome)
    except Exception as error:
        return failed(f"the answer could not be checked ({said(error)})")._asdict()


def judged(task: Any, instance: Any, solution: Any) -> dict[str, Any]:
    """The facts of a returned solution, checked, re-scored and evaluated off the clock."""
    found = verdict(task, instance, solution)
    facts = {**found._asdict(), "metrics": {}, "structure": None}
    if found.status == "error":
        return facts
    if solution.structure is not None:
        facts["structure"] = plain(solution.structure)
        try:
            facts["metrics"] = {
                name: finite(value) for name, value in task.evaluate(instance, solution.structure).items()
            }
        except Exception as error:
            facts["audit"] = f"the structure could not be evaluated ({said(error)})"
    own = (solution.build_seconds, solution.solve_seconds, solution.round_seconds)
    if min(own) < 0:
        facts["audit"] = "; ".join(filter(None, (facts["audit"].removeprefix("ok"), "the solver says negative times")))
    return {
        **facts,
        "integral": None if solution.integral is None else bool(solution.integral),
        "iterations": min(max(int(solution.iterations), 0), 2**53),
        "build_seconds": finite(solution.build_seconds),
        "solve_seconds": finite(solution.solve_seconds),
        "round_seconds": finite(solution.round_seconds),
        "info": {name: finite(value) for name, value in solution.info.items() if isinstance(value, Real)},
        "trace": [point_of(point, solution.build_seconds) for point in solution.trace],
    }


def point_of(point: TracePoint, build_seconds: float) -> dict[str, float | None]:
    """A point of a trace, with building the model on the clock: that is when a user would have seen it."""
    facts = dataclasses.asdict(point) | {"seconds": point.seconds + build_seconds}
    return {name: finite(value) for name, value in facts.items()}


def plain(value: Any) -> Any:
    """A structure as nested lists of plain numbers and texts."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value.item() if hasattr(value, "item") else value


def said(error: BaseException) -> str:
    return f"{type(error).__name__}: {said_short(error)}".rstrip(": ")


def said_short(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:2000]
    except Exception:
        return "its message cannot be printed"


def number_of_threads() -> int:
    """Of this process, those that no Python code started included where the system tells."""
    with contextlib.suppress(OSError):
        return len(os.listdir("/proc/self/task"))
    return threading.active_count()


def main(descriptor: int) -> None:
    adopt_orphans()
    Worker(FrameSocket(socket.socket(fileno=descriptor))).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
