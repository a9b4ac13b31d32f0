"""One of a runner's jobs: asks workers to solve cells, and turns whatever happens into a record."""

from __future__ import annotations

import platform
import threading
from collections.abc import Sequence
from typing import Any, Protocol

from problems.errors import InputError

from .experiment import Experiment
from .plan import Cell
from .provenance import now
from .records import FIELDS
from .supervision import PATIENCE_SECONDS, Death, Supervisor

LONGEST_MESSAGE = 4000
START_SECONDS = 60.0  # for a worker to take over an instance
NEARLY = 0.95  # of the time limit: a solver that stopped there without a proof was stopped by it


class Session(Protocol):
    """What a slot needs to know of the run that it works for."""

    experiment: Experiment
    jobs: int  # cells at the same time on this machine
    mark: str
    stop: threading.Event
    plugins: dict[str, str]  # paths of plug-ins and the digests of their content when the run began
    sources: (
        dict[str, bytes] | None
    )  # what they contain, away from the runner's machine: solvers' versions are checked then


class Slot:
    """One of the jobs: its workers, one per solver, and the cores that they are pinned to, if any."""

    def __init__(self, session: Session, number: int, cores: Sequence[int] = ()) -> None:
        self.session, self.number, self.cores = session, number, cores
        self.workers: dict[str, Supervisor] = {}
        self.problems: dict[str, dict[str, Any]] = {}  # the facts of every cell of a solver that cannot be used
        self.not_to_warm_up: set[str] = set()
        self.stumbled: set[str] = set()  # solvers whose worker did not start at the first try
        self.started = 0

    def run(self, cell: Cell, instance: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The record and the trace of a cell, given its pickled instance."""
        facts = self._facts(cell, instance)
        return make_record(self.session, self.number, cell, facts), facts.pop("trace", [])

    def _facts(self, cell: Cell, instance: bytes) -> dict[str, Any]:
        """What happened to a cell."""
        name = cell.solver.name
        if cell.version.startswith("unavailable: "):
            return {"status": "skipped", "message": cell.version.removeprefix("unavailable: ")}
        for _ in range(2):  # an earlier cell may have left its worker in a bad state: then a new one tries again
            worker = self._worker(cell)
            if worker is None:
                return self.problems[name]
            worker.forget_output()
            answer = worker.ask({**self._request(cell), "kind": "solve", "instance": instance}, START_SECONDS)
            if not isinstance(answer, Death):
                return self._solved(cell, worker, float(answer["base_memory_mb"]))
            self._bury(name)
        message = f"the worker ended before the solver ran ({answer.message or answer.kind})"
        return {"status": "crash", "message": message}

    def _solved(self, cell: Cell, worker: Supervisor, base_memory_mb: float) -> dict[str, Any]:
        """What happened after the clock was started."""
        limits, name = self.session.experiment.limits, cell.solver.name
        memory = (limits.memory_gb or 0.0) * 2**30
        base = {"base_memory_mb": base_memory_mb}
        answer = worker.answer(limits.seconds + limits.grace_seconds, memory)
        if isinstance(answer, Death):
            self._bury(name)
            return {**base, **_of_death(answer)}
        sampled, solved = worker.peak / 2**20, answer
        answer = worker.answer(PATIENCE_SECONDS, memory)
        if isinstance(answer, Death):
            self._bury(name)
            measured = {key: solved[key] for key in ("cpu_seconds", "wall_seconds", "peak_memory_mb")}
            message = f"the structure could not be checked ({answer.message or answer.kind})"
            return {**base, **measured, "status": "error", "message": message}
        if answer["dirty"]:
            self._bury(name)
        facts = {**base, **answer["record"]}
        facts["peak_memory_mb"] = max(facts["peak_memory_mb"], sampled)
        return _held_to(facts, limits.seconds, memory)

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
        worker = self._start(cell)
        if worker is not None and name not in self.not_to_warm_up:
            limits = self.session.experiment.limits
            memory = (limits.memory_gb or 0.0) * 2**30
            answer = worker.ask({**self._request(cell), "kind": "warm up"}, limits.warmup_seconds, memory)
            if isinstance(answer, Death):  # whatever it was, it will happen again to a cell and be recorded there
                self.not_to_warm_up.add(name)
                self._bury(name)
                worker = self._start(cell)
        return worker

    def _start(self, cell: Cell) -> Supervisor | None:
        name = cell.solver.name
        if name in self.problems:
            return None
        experiment, sources = self.session.experiment, self.session.sources
        self.started += 1
        worker = Supervisor(f"{self.session.mark}/{self.number}.{self.started}/", self.session.stop)
        self.workers[name] = worker
        answer = worker.set_up(name, experiment.task, self.session.plugins, self.cores, sources)
        if isinstance(answer, Death) and name not in self.stumbled:  # it may have been killed by accident
            self.stumbled.add(name)
            self._bury(name)
            return self._start(cell)
        if isinstance(answer, Death):
            message = f"its worker did not start ({answer.message or answer.kind})"
            self.problems[name] = {"status": "crash", "message": message}
        elif answer["changed"]:
            raise InputError(f"{answer['changed']}: the plug-in changed while the experiment ran; go on with --resume.")
        elif sources is not None and answer["version"] != cell.version:
            found = answer["version"].removeprefix("unavailable: ")
            raise InputError(
                f"solver {name!r} is {found!r} on {platform.node()} but {cell.version!r} where the run was started; "
                "every machine of a run must have the same versions."
            )
        elif answer["problem"]:
            self.problems[name] = {"status": "skipped", "message": answer["problem"]}
        else:
            return worker
        self._bury(name)
        return None

    def _bury(self, name: str) -> None:
        """End a solver's worker; the next cell gets a new one."""
        self.workers.pop(name).close()

    def close(self) -> None:
        for name in list(self.workers):
            self._bury(name)


def make_record(session: Session, slot: int, cell: Cell, facts: dict[str, Any]) -> dict[str, Any]:
    """The record of a cell from what is known of how it went."""
    experiment, instance = session.experiment, cell.instance
    limits = experiment.limits
    return {
        **FIELDS,
        **{name: value for name, value in facts.items() if name in FIELDS},
        "message": _printable(str(facts.get("message", "")))[:LONGEST_MESSAGE],
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
        "slot": slot,
        "jobs": session.jobs,
        "started": now(),
    }


def _printable(text: str) -> str:
    """Text that every file and terminal can take: what is no character is written as its code."""
    return text.encode(errors="backslashreplace").decode()


def _held_to(facts: dict[str, Any], seconds: float, memory: float) -> dict[str, Any]:
    """The facts of a cell that ended by itself, under the limits: a proof that came too late does not count."""
    if facts["peak_memory_mb"] * 2**20 > memory:
        return {**facts, "status": "memout", "limit_hit": "memory", "message": "used more memory than allowed"}
    late = facts["wall_seconds"] > seconds
    unproved = facts["status"] in ("feasible", "relaxed", "timeout")
    if late or (unproved and facts["wall_seconds"] >= NEARLY * seconds):
        facts["limit_hit"] = "time"
    if late and facts["status"] == "optimal":
        said = "; ".join(filter(None, (facts["message"], "proved optimal after the time limit")))
        return {**facts, "status": "feasible", "message": said}
    return facts


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
