"""One of a runner's jobs: takes cells, asks workers to solve them, and turns whatever happens into a record."""

from __future__ import annotations

import os
import platform
import threading
from typing import Any, Protocol

from .experiment import Experiment
from .plan import Cell
from .provenance import now
from .records import FIELDS
from .supervision import PATIENCE_SECONDS, Death, Supervisor

NEARLY = 0.95  # of the time limit: a solver that stopped there without a proof was stopped by it


class Session(Protocol):
    """What a slot needs of the run that it works for."""

    experiment: Experiment
    jobs: int
    mark: str
    stop: threading.Event

    def take(self) -> tuple[Cell, bytes] | None:
        """The next cell and its pickled instance; None at the end."""

    def record(self, cell: Cell, record: dict[str, Any], trace: list[dict[str, Any]]) -> None: ...


class Slot:
    """One of the jobs: its workers, one per solver, and the cores they are pinned to if there are several jobs."""

    def __init__(self, session: Session, number: int) -> None:
        self.session, self.number = session, number
        self.workers: dict[str, Supervisor] = {}
        self.problems: dict[str, str] = {}
        self.too_slow_to_warm_up: set[str] = set()
        self.started = 0

    def work(self) -> None:
        while (taken := self.session.take()) is not None:
            cell, instance = taken
            facts = self._facts(cell, instance)
            self.session.record(cell, self._record(cell, facts), facts.pop("trace", []))

    def _facts(self, cell: Cell, instance: bytes) -> dict[str, Any]:
        """What happened to a cell."""
        name = cell.solver.name
        if cell.version.startswith("unavailable: "):
            return {"status": "skipped", "message": cell.version.removeprefix("unavailable: ")}
        worker = self._worker(cell)
        if worker is None:
            return {"status": "skipped", "message": self.problems[name]}
        limits = self.session.experiment.limits
        worker.forget_output()
        answer = worker.ask({**self._request(cell), "kind": "solve", "instance": instance})
        if isinstance(answer, Death):
            return self._buried(
                name,
                {
                    "status": "error",
                    "message": f"the worker ended before the solver ran ({answer.message or answer.kind})",
                },
            )
        base = {"base_memory_mb": answer["base_memory_mb"]}
        memory = (limits.memory_gb or 0.0) * 2**30
        answer = worker.answer(limits.seconds + limits.grace_seconds, memory)
        if isinstance(answer, Death):
            return self._buried(name, {**base, **_of_death(answer)})
        sampled = worker.peak / 2**20
        solved = answer
        answer = worker.answer(PATIENCE_SECONDS, memory)
        if isinstance(answer, Death):
            measured = {key: solved[key] for key in ("cpu_seconds", "wall_seconds", "peak_memory_mb")}
            message = f"the structure could not be checked ({answer.message or answer.kind})"
            return self._buried(name, {**base, **measured, "status": "error", "message": message})
        facts = {**base, **answer["record"]}
        facts["peak_memory_mb"] = max(facts["peak_memory_mb"], sampled)
        if facts["peak_memory_mb"] * 2**20 > memory:
            facts |= {"status": "memout", "limit_hit": "memory", "message": "used more memory than allowed"}
        elif facts["status"] in ("feasible", "relaxed", "timeout") and facts["wall_seconds"] >= NEARLY * limits.seconds:
            facts["limit_hit"] = "time"
        if answer["dirty"]:
            self._buried(name, {})
        return facts

    def _record(self, cell: Cell, facts: dict[str, Any]) -> dict[str, Any]:
        experiment, instance = self.session.experiment, cell.instance
        limits = experiment.limits
        return {
            **FIELDS,
            "key": cell.key,
            "experiment": experiment.name,
            "task": experiment.task,
            "size": instance.size,
            "instance": instance.name,
            "instance_digest": instance.digest,
            "instance_size": instance.instance_size,
            "length": instance.length,
            "solver": cell.solver.name,
            "label": cell.solver.label,
            "options": cell.options,
            "solver_version": cell.version,
            "repetition": cell.repetition,
            "traced": cell.traced,
            "limits": {"seconds": limits.seconds, "memory_gb": limits.memory_gb, "grace_seconds": limits.grace_seconds},
            "node": platform.node(),
            "slot": self.number,
            "jobs": self.session.jobs,
            "started": now(),
            **{name: value for name, value in facts.items() if name != "trace"},
        }

    def _request(self, cell: Cell) -> dict[str, Any]:
        experiment = self.session.experiment
        return {
            "solver": cell.solver.name,
            "options": cell.solver.options,
            "task": experiment.task,
            "seconds": experiment.limits.seconds,
            "traced": cell.traced,
        }

    def _worker(self, cell: Cell) -> Supervisor | None:
        """The warm worker of a solver; None if the solver cannot be used (see `problems`)."""
        name = cell.solver.name
        if name in self.workers:
            return self.workers[name]
        worker = self._start(name)
        if worker is not None and name not in self.too_slow_to_warm_up:
            limits = self.session.experiment.limits
            memory = (limits.memory_gb or 0.0) * 2**30
            answer = worker.ask({**self._request(cell), "kind": "warm up"}, limits.warmup_seconds, memory)
            if isinstance(answer, Death):  # whatever it was, it will happen again to a cell and be recorded there
                self.too_slow_to_warm_up.add(name)
                self._buried(name, {})
                worker = self._start(name)
        return worker

    def _start(self, name: str) -> Supervisor | None:
        if name in self.problems:
            return None
        experiment = self.session.experiment
        self.started += 1
        worker = Supervisor(f"{self.session.mark}/{self.number}.{self.started}/", self.session.stop)
        self.workers[name] = worker
        problem = worker.set_up(name, experiment.task, experiment.plugins, self._cores())
        if isinstance(problem, Death):
            problem = f"its worker did not start ({problem.message or problem.kind})"
        if problem:
            self.problems[name] = problem
            self._buried(name, {})
            return None
        return worker

    def _cores(self) -> list[int]:
        if self.session.jobs == 1 or not hasattr(os, "sched_getaffinity"):
            return []
        return [sorted(os.sched_getaffinity(0))[self.number]]

    def _buried(self, name: str, facts: dict[str, Any]) -> dict[str, Any]:
        """End a solver's worker; the next cell gets a new one."""
        self.workers.pop(name).close()
        return facts

    def close(self) -> None:
        for name in list(self.workers):
            self._buried(name, {})


def _of_death(death: Death) -> dict[str, Any]:
    """The facts of a cell whose worker did not survive it."""
    facts: dict[str, Any] = {
        "status": death.kind,
        "wall_seconds": death.wall_seconds,
        "peak_memory_mb": death.peak_memory_mb,
    }
    if death.kind == "timeout":
        return {**facts, "cpu_seconds": death.cpu_seconds, "limit_hit": "time", "message": "killed at the time limit"}
    if death.kind == "memout":
        return {
            **facts,
            "cpu_seconds": death.cpu_seconds,
            "limit_hit": "memory",
            "message": "killed at the memory limit",
        }
    return {**facts, "message": death.message}
