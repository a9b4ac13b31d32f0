"""One of a runner's jobs: asks workers to solve cells, and turns whatever happens into a record.

Times and memory are read here, from outside of the solver's process: the clock of the process that the kernel keeps, the
runner's own wall clock, and what /proc tells. What the solver says of its times is kept as its claim.
"""

from __future__ import annotations

import contextlib
import platform
import time
from collections.abc import Sequence
from typing import Any

from problems.errors import InputError, shortened
from solvers.registry import registry

from ..experiments.experiment import Limits
from ..experiments.plan import Cell
from ..records.fields import FAILURES, FIELDS
from ..records.provenance import LONGEST_REASON, UNAVAILABLE, now
from .compilation import COMPILE_SECONDS
from .handover import trace_of
from .judge import Judge
from .measuring import cpu_between, hidden_cpu, is_as_before, number_of_threads, overhead
from .process_tree import Usage
from .processes import peak_resident, reset_peak, resident
from .session import Session
from .short_cells import LOAD_SECONDS, calls_of_batch, warm_calls
from .supervisor import Death, Supervisor
from .worker import small_instances

LONGEST_MESSAGE = 4000
LOAD_CPU, LOAD_CPU_PER_BYTE = 0.05, 1e-7  # CPU seconds that loading one takes at most; more is the solver's
LIBRARY_SECONDS = 20.0  # what loading a cold library may take
NEARLY = 0.95  # of the time limit: a solver that stopped there without a proof was stopped by it
SHORTEST = 1e-6  # seconds of a cell: nothing is solved in less
MEGABYTE = 2**20


class Job:
    """One of the jobs: its workers, one per solver, its checker, and the cores that they are pinned to, if any."""

    def __init__(self, session: Session, number: int, cores: Sequence[int] = ()) -> None:
        self.session, self.number, self.cores = session, number, cores
        self.workers: dict[str, Supervisor] = {}
        self.problems: dict[str, dict[str, Any]] = {}  # the facts of every cell of a solver that cannot be used
        self.warm: dict[str, set[str]] = {}  # the labels that each worker has been warmed up with
        self.not_to_warm_up: set[str] = set()  # labels
        self.stumbled: set[str] = set()  # solvers whose worker did not start at the first try
        self.judge = Judge(session, cores)

    def run(self, cell: Cell, instance: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The record and the trace of a cell, given its pickled instance."""
        started = now()
        facts = self._facts(cell, instance)
        return make_record(self.session, self.number, cell, facts, started), facts.pop("trace", [])

    def _facts(self, cell: Cell, instance: bytes) -> dict[str, Any]:
        """What happened to a cell."""
        name = cell.solver.name
        if cell.version.startswith(UNAVAILABLE):
            return {"status": "skipped", "message": cell.version.removeprefix(UNAVAILABLE)}
        setup = 0.0
        for _ in range(2):  # an earlier cell may have left its worker in a bad state: then a new one tries again
            start = time.perf_counter()
            worker = self._worker(cell)
            setup += time.perf_counter() - start
            if worker is None:
                return {**self.problems[name], "setup_seconds": setup}
            worker.forget_output()
            asked = worker.tree.usage()
            answer = worker.ask("solve", {**self._request(cell), "instance": instance}, "loaded", LOAD_SECONDS)
            if isinstance(answer, Death):
                self._bury(name)
            elif not is_as_before(worker):
                answer = Death("crash", "an earlier cell changed its signals or left a timer behind")
                self._bury(name)
            else:
                return {"setup_seconds": setup, **self._solved(cell, worker, instance, asked)}
        message = f"the worker ended before the solver ran ({answer.message or answer.kind})"
        return {"status": "crash", "message": message, "setup_seconds": setup}

    def _solved(self, cell: Cell, worker: Supervisor, instance: bytes, asked: Usage) -> dict[str, Any]:
        """What happens from the moment when the clocks are started; the worker was `asked` to load the instance before."""
        limits, name = self.session.experiment.limits, cell.solver.name
        memory = (limits.memory_gb or 0.0) * 2**30
        worker.tree.begin()
        files, threads = worker.tree.shared_memory(), number_of_threads(worker.pid)
        base = {"base_memory_mb": (resident(worker.pid) + files) / MEGABYTE}
        reset_peak(worker.pid)
        before = worker.tree.usage()
        early = before.cpu - asked.cpu + hidden_cpu(asked, before, before.cpu - asked.cpu)
        early = early if early > LOAD_CPU + LOAD_CPU_PER_BYTE * len(instance) else 0.0
        worker.go()
        answer = worker.answer("solved", limits.seconds + limits.grace_seconds, memory, since=before)
        if isinstance(answer, Death):
            self._bury(name)
            return {**base, **_of_death(answer)}
        after = worker.received
        left = worker.tree.shared_memory()
        peak = max(peak_resident(worker.pid) + left, worker.peak)
        measured = {
            "cpu_seconds": early
            + max(cpu_between(before, after, answer["children_seconds"]) - worker.overhead.cpu, SHORTEST),
            "wall_seconds": max(after.wall - before.wall - worker.stopped - worker.overhead.wall, SHORTEST),
            "peak_memory_mb": peak / MEGABYTE,
        }
        stopped = worker.stopped
        if stopped:  # the solver went on meanwhile
            measured["wall_seconds"] = max(measured["wall_seconds"], measured["cpu_seconds"])
        killed = max(after.alive, worker.tree.kill_others()) if after.alive else 0
        changed = number_of_threads(worker.pid) > threads or left > files
        alone = not (changed or killed or early or stopped or after.waited > before.waited)
        calls = calls_of_batch(measured["cpu_seconds"], measured["wall_seconds"]) if alone and not cell.traced else 0
        if not calls:
            worker.tell(0)
        points: Any = (
            worker.answer("trace", limits.check_seconds, memory) if cell.traced else {"points": [], "problem": ""}
        )
        facts = {**base, **self.judge(cell, instance, answer["claim"]), **measured}
        if calls:
            again = self._again(cell, worker, instance, facts, calls)
            if isinstance(again, Death):
                self._bury(name)
                return {**base, **_of_death(again)}
            worker.tell(0)
            facts |= again
            changed = number_of_threads(worker.pid) > threads or worker.tree.shared_memory() > files
        if isinstance(points, Death) or isinstance(worker.answer("done", LOAD_SECONDS, memory), Death) or changed:
            self._bury(name)
        left_behind = f"{killed} process{'es' if killed > 1 else ''} left behind and killed" if killed else ""
        facts["trace"], lost = _trace(points, facts.get("build_seconds"), limits.check_seconds)
        began = f"it used {early:.2f} s of CPU before its clock was started, which are counted" if early else ""
        paused = f"the runner was stopped for {stopped:.1f} s, which are not counted" if stopped else ""
        facts["message"] = "; ".join(filter(None, (facts.get("message", ""), left_behind, began, paused, lost)))
        return _held_to(facts, limits.seconds, memory)

    def _again(
        self, cell: Cell, worker: Supervisor, instance: bytes, first: dict[str, Any], calls: int
    ) -> dict[str, Any] | Death:
        """What changes when a short cell is solved again: its times, and its answer, which is that of the last call."""
        limits = self.session.experiment.limits
        if first["status"] in FAILURES:
            return {}
        memory = (limits.memory_gb or 0.0) * 2**30
        found = warm_calls(worker, calls, limits.seconds + limits.grace_seconds, memory)
        if isinstance(found, Death):
            return found._replace(message=f"in a later call than the first: {found.message or found.kind}")
        if worker.received.alive:
            worker.tree.kill_others()
        last = self.judge(cell, instance, found.claim)
        if (last["status"], last.get("objective")) != (first["status"], first.get("objective")):
            other = f"its first call answered otherwise ({first['status']}, {first.get('objective')})"
            last["message"] = "; ".join(filter(None, (last.get("message", ""), other)))
        return last | {
            "calls": found.calls,
            "first_seconds": first["cpu_seconds"],
            "cpu_seconds": max(found.cpu, SHORTEST),
            "wall_seconds": max(found.wall, SHORTEST),
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
        """The worker of a solver, warm for this label: other options may need other files. None if the solver cannot be used (`problems`)."""
        name, label = cell.solver.name, cell.solver.label
        worker = self.workers.get(name) or self._start(cell)
        if worker is None or label in self.warm[name] | self.not_to_warm_up:
            return worker
        limits = self.session.experiment.limits
        memory = (limits.memory_gb or 0.0) * 2**30
        seconds, idle = warm_up_limits(name, limits)
        request = self._request(cell)
        with contextlib.suppress(InputError):  # the task may be a plug-in's, which only workers have loaded
            request["instances"] = small_instances(request["task"])
        answer = worker.ask("warm up", request, "warm", seconds, memory, idle)
        if isinstance(answer, Death):  # whatever it was, it will happen again to a cell and be recorded there
            self.not_to_warm_up.add(label)
            self._bury(name)
            return self._start(cell)
        worker.tree.kill_others()
        self.warm[name].add(label)
        return worker

    def _start(self, cell: Cell) -> Supervisor | None:
        name = cell.solver.name
        if name in self.problems:
            return None
        experiment, sources = self.session.experiment, self.session.sources
        mode = "tree" if name in self.stumbled else None
        worker = Supervisor(self.session.stop, alone=self.session.jobs == 1, mode=mode)
        self.workers[name], self.warm[name] = worker, set()
        answer = worker.set_up(name, experiment.task, self.session.plugins, self.cores, sources)
        if isinstance(answer, Death) and name not in self.stumbled:  # it may have been killed by accident
            self.stumbled.add(name)
            self._bury(name)
            return self._start(cell)
        if isinstance(answer, Death):
            message = f"its worker did not start ({answer.message or answer.kind})"
            self.problems[name] = {"status": "crash", "message": message}
        elif answer["changed"]:
            raise InputError(
                f"{answer['changed']}: the plug-in changed while the experiment ran; continue with --resume."
            )
        elif sources is not None and answer["version"] != cell.version:
            found = answer["version"].removeprefix(UNAVAILABLE)
            raise InputError(
                f"solver {name!r} is {found!r} on {platform.node()} but {cell.version!r} where the run was started; "
                "every machine of a run must have the same versions."
            )
        elif answer["problem"]:
            self.problems[name] = {"status": "skipped", "message": answer["problem"]}
        else:
            worker.overhead = overhead(worker)
            return worker
        self._bury(name)
        return None

    def _bury(self, name: str) -> None:
        """End a solver's worker; the next cell gets a new one."""
        self.workers.pop(name).close()

    def close(self) -> None:
        for name in list(self.workers):
            self._bury(name)
        self.judge.close()


def warm_up_limits(solver: str, limits: Limits) -> tuple[float, float | None]:
    """Seconds for a warm-up, and for how long it may do nothing. Our own solvers may have kernels to compile."""
    if limits.warmup_seconds is not None:
        return limits.warmup_seconds, None
    if solver in registry.built_in:
        return max(COMPILE_SECONDS, limits.seconds), None
    cell = limits.seconds + limits.grace_seconds
    return max(cell, LIBRARY_SECONDS), cell


def make_record(session: Session, slot: int, cell: Cell, facts: dict[str, Any], started: str) -> dict[str, Any]:
    """The record of a cell that was started then, from what is known of how it went."""
    experiment, instance = session.experiment, cell.instance
    limits = experiment.limits
    return {
        **FIELDS,
        **{name: _short(value) for name, value in facts.items() if name in FIELDS},
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
        "started": started,
    }


def _short(value: Any) -> Any:
    """Of a text as much as a record keeps, such that every file and terminal can take it; other values as they are."""
    if not isinstance(value, str):
        return value
    return shortened(value, LONGEST_MESSAGE).encode(errors="backslashreplace").decode()


def _trace(answer: Any, build_seconds: float | None, limit: float) -> tuple[list[dict[str, Any]], str]:
    """The trace of a cell, and what is to be said of points that are not in it."""
    if isinstance(answer, Death):
        why = (
            f"it was not handed over within {limit:g} s" if answer.kind == "timeout" else answer.message or answer.kind
        )
        return [], f"its trace is lost ({shortened(why, LONGEST_REASON)})"
    if answer["problem"]:
        return [], f"its trace is lost ({shortened(answer['problem'], LONGEST_REASON)})"
    claimed = answer["points"]
    trace = trace_of(claimed, build_seconds)
    missing = len(claimed) - len(trace)
    return trace, f"{missing} of {len(claimed)} points of its trace cannot be and are left out" if missing else ""


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
    limit = {"timeout": "time", "memout": "memory"}.get(death.kind, "")
    return {
        "status": death.kind,
        "message": f"killed at the {limit} limit" if limit else death.message,
        "limit_hit": limit,
        "cpu_seconds": death.cpu_seconds,
        "wall_seconds": death.wall_seconds,
        "peak_memory_mb": death.peak_memory_mb,
    }
