"""The suite with the solver in a process of its own, which is ended with all its children when it hangs, and begun again.

What is promised: answers come over as plain data and are judged here, where the solver cannot reach, by the checks that look
at answers; times are taken here. Only the checks in `INSIDE` are made in the solver's process, since they look at what it does
there: a solver that wants to deceive these can, for its code runs beside theirs. Whatever a solver writes to the
connection itself has neither nonce nor number (see `runner.messages`) and fails the check that runs; one that has read the
nonce from our stack still answers one request at a time, and gains no time: limits are per check, and compiling has one for
all. So the suite ends after (checks x (`seconds` + JUDGE_SECONDS)) + COMPILE_SECONDS, and the starts of processes, at the latest.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
from rich.console import Console

from solvers import solver_class
from solvers.base import Solution, TracePoint

from ..experiments.plugins import load_plugins
from ..runner.executors import LocalExecutor, check_positive
from ..runner.handover import POINT, solution_of
from ..runner.launching import digests
from ..runner.messages import error_text
from ..runner.runner import MEMORY_SHARE
from ..runner.supervisor import Death, Supervisor
from .apart import show_results
from .canonical import Problem
from .stopwatch import COMPILING, JUDGING, SOLVING
from .subject import Answer, Failed, subject_of
from .suite import CHECKS, Outcome, Result, run_check
from .worker import DONE

SECONDS = 60.0  # for the solver's calls in one check
JUDGE_SECONDS = 60.0  # for everything else in its process: an answer without an end must not hang it
COMPILE_SECONDS = 1800.0  # for our kernels, in all checks together, on a machine that has other things to do
ON_TRIALS = ("untouched instances", "silence", "clocks")
INSIDE = ("available", "options", *ON_TRIALS)
OF_ANSWERS = ("statuses", "structures", "plain structures", "objectives", "bounds", "optimality", "exactness")
AFTER_RUNS = (*OF_ANSWERS, "infeasible problems", "posteriors")  # nothing to look at if `runs` did not end


def check_solver(
    name: str,
    task: str | None = None,
    plugins: Iterable[str | Path] = (),
    seconds: float = SECONDS,
    memory_gb: float | None = None,
) -> Iterator[Result]:
    """All checks of a solver, one result after the other; a check that hangs or kills its process has failed."""
    check_positive(seconds=seconds, memory=memory_gb)
    paths = [plugin.path for plugin in load_plugins(plugins)]
    subject = subject_of(solver_class(name), task)  # unknown names are refused here
    memory = memory_gb or MEMORY_SHARE * LocalExecutor().memory_gb
    process = SolverProcess({"solver": name, "task": task}, digests(paths), _Clock(seconds), memory)
    subject.elsewhere = process.answer
    unfinished = False
    try:
        for check in CHECKS:
            if unfinished and check in AFTER_RUNS:
                yield Result(check, "not applicable", "the check 'runs' did not come to its end.")
                continue
            process.begin()
            result = process.check(check, subject.trials) if check in INSIDE else run_check(subject, check)
            yield result
            unfinished = unfinished or (check == "runs" and process.ended)
            if check == "available" and result.outcome == "failed":
                return
    finally:
        process.close()


class _Clock:
    """What is left of the limits of a check; only the state that the process is in costs time."""

    def __init__(self, seconds: float) -> None:
        self._limits = {SOLVING: seconds, JUDGING: JUDGE_SECONDS, COMPILING: COMPILE_SECONDS}
        self.spent = dict.fromkeys(self._limits, 0.0)
        self.state, self._since = JUDGING, time.monotonic()

    def begin(self) -> None:
        """A check begins; what compilations took is not forgotten."""
        self.spent |= {SOLVING: 0.0, JUDGING: 0.0}

    def start(self) -> None:
        """The process is asked something."""
        self.state, self._since = JUDGING, time.monotonic()

    def change(self, state: str) -> None:
        now = time.monotonic()
        self.spent[self.state] += now - self._since
        self.state, self._since = state, now

    def left(self) -> float:
        spent = self.spent[self.state] + time.monotonic() - self._since
        return max(0.0, self._limits[self.state] - spent)

    def why(self) -> str:
        return f"{self.state} took more than {self._limits[self.state]:g} s"


class SolverProcess:
    """Our end of the process that the solver runs in; a new one is started when it is asked after its end."""

    def __init__(self, subject: dict[str, Any], plugins: dict[str, str], clock: _Clock, memory_gb: float) -> None:
        self._subject, self._plugins, self._clock, self._memory_gb = subject, plugins, clock, memory_gb
        self._worker: Supervisor | None = None
        self.ended = False  # during this check

    def begin(self) -> None:
        self.ended = False
        self._clock.begin()

    def check(self, name: str, trials: Callable[[], list[Problem]]) -> Result:
        """A check that is made where the solver is, on these problems if it solves any."""
        try:
            sent = [(trial.name, pickle.dumps(trial.make())) for trial in (trials() if name in ON_TRIALS else ())]
            facts = self._ask("check", {"check": name, "trials": sent})
        except Failed as failure:
            return Result(name, "failed", str(failure))
        except Exception as error:  # a task of the user's own that cannot make its instances
            return Result(name, "failed", f"it raised {error_text(error)}.")
        if facts.get("outcome") not in get_args(Outcome) or not isinstance(facts.get("why"), str):
            return Result(name, "failed", str(self._end("it wrote to the suite's connection")))
        return Result(name, facts["outcome"], facts["why"])

    def answer(self, problem: Problem, options: dict[str, Any]) -> Answer:
        """What the solver says to a problem; its time is ours."""
        before = self._clock.spent[SOLVING]
        facts = self._ask("solve", {"instance": pickle.dumps(problem.make()), "options": options})
        answer = Answer(problem, problem.make(), seconds=self._clock.spent[SOLVING] - before)
        for what in ("error", "returned", "unwritable"):
            setattr(answer, what, str(facts.get(what) or ""))
        if "claim" in facts:
            answer.solution = _solution(facts)
        elif not (answer.error or answer.returned or answer.unwritable):
            raise self._end("it wrote to the suite's connection")
        return answer

    def _ask(self, kind: str, request: dict[str, Any]) -> dict[str, Any]:
        """The facts that a request is answered with; Failed if the process had to be ended."""
        worker, memory, clock = self._worker or self._start(), self._memory_gb * 2**30, self._clock
        clock.start()
        answer = worker.ask(kind, {**self._subject, **request}, "suite", clock.left(), memory)
        while not isinstance(answer, Death):
            if answer["state"] == DONE:
                clock.change(JUDGING)
                return dict(answer["facts"])
            if answer["state"] not in clock.spent:
                raise self._end("it wrote to the suite's connection")
            clock.change(answer["state"])
            answer = worker.answer("suite", clock.left(), memory)
        raise self._end(self._cause(answer))

    def _start(self) -> Supervisor:
        self._worker = Supervisor(threading.Event(), "bench.conformance.worker")
        ready = self._worker.set_up("", "graph", self._plugins, ())
        if isinstance(ready, Death) or ready["problem"] or ready["changed"]:
            why = self._cause(ready) if isinstance(ready, Death) else ready["problem"] or "a plug-in has changed"
            raise self._end(f"it could not be set up ({why})")
        return self._worker

    def _cause(self, death: Death) -> str:
        if death.kind == "timeout":
            return self._clock.why()
        if death.kind == "memout":
            return f"it held more than {self._memory_gb:g} GB"
        return death.message.replace("the runner's", "the suite's")

    def _end(self, why: str) -> Failed:
        self.close()
        self.ended = True
        return Failed(f"the process ended: {why}.")

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()
        self._worker = None


def _solution(facts: dict[str, Any]) -> Solution:
    """The solution that was handed over. No field need have the type that it should: that is for the checks to find."""
    solution = solution_of(facts["claim"])
    if facts["posteriors"] is not None:
        solution.posteriors = np.asarray(facts["posteriors"], dtype=float)
    solution.trace = [TracePoint(**{name: point[name] for name in POINT}) for point in facts["trace"]]
    return solution


def show_checks(
    solver: str, task: str | None, plugins: Sequence[Path], seconds: float, memory_gb: float | None, console: Console
) -> bool:
    """Print each check's result as it comes, then a count; does the solver pass?"""
    return show_results(solver, check_solver(solver, task, plugins, seconds, memory_gb=memory_gb), console)
