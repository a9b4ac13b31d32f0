"""Every built-in solver passes the conformance suite, and each kind of bad solver fails the check that it should."""

from __future__ import annotations

import itertools
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.conformance.canonical import GRAPHS
from bench.conformance.isolated import _Clock, check_solver
from bench.conformance.stopwatch import COMPILING, JUDGING, SOLVING
from bench.conformance.subject import subject_of
from bench.conformance.suite import CHECKS, Result, run_check
from bench.conformance.task_problems import task_problems
from bench.experiments.plugins import unload_plugin
from bench.runner.processes import descendants, is_zombie
from problems import task_names, task_of
from problems.errors import InputError
from solvers import SOLVERS, Solution, Solver, get_solver, solver_class
from solvers.base import TracePoint
from solvers.brute_force import BruteForce

PROBLEMS = [*GRAPHS, *(problem for name in task_names() for problem in task_problems(name))]


def run_checks(solver: type[Solver], task: str | None = None, overrun: float = 3.0) -> Iterator[Result]:
    """All checks in this process: a solver that hangs or ends the process takes its caller along (see `isolated`)."""
    subject = subject_of(solver, task)
    subject.overrun = overrun
    with subject.stopwatch:
        for name in CHECKS:
            result = run_check(subject, name)
            yield result
            if name == "available" and result.outcome == "failed":
                return


def failures(results: list[Result]) -> dict[str, str]:
    return {result.check: result.why for result in results if result.outcome == "failed"}


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_every_built_in_solver_passes(name: str) -> None:
    results = list(run_checks(solver_class(name), overrun=60.0))  # a busy machine is not the solver's fault
    assert not failures(results)
    assert [result.check for result in results] == list(CHECKS)
    skipped = {result.check for result in results if result.outcome == "not applicable"}
    chosen = solver_class(name)
    expected = {"exactness"} if not chosen.exact else {"posteriors"}
    if chosen.tasks is not None:  # no problem of one task alone is infeasible, and no such solver is fractional
        expected |= {"infeasible problems", "posteriors"}
    options = {"traces": "trace", "time limit": "time_limit"}
    expected |= {check for check, option in options.items() if not hasattr(chosen, option)}
    may_be_either = {"posteriors"} if name == "auto" else set()  # as the solver that it takes has them
    assert skipped - may_be_either == expected - may_be_either


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_hand_computed_optima_are_right(problem: Any) -> None:
    """By enumeration of all structures of the task; graphs are also enumerated as 0/1 vectors."""
    instance = problem.make()
    task = task_of(instance)
    best = max((task.objective(instance, each) for each in task.structures(instance)), default=None)
    assert (best is None) == (problem.optimum is None)
    if best is not None:
        assert best == pytest.approx(problem.optimum, rel=1e-12, abs=1e-12)
        graph = task.graph(instance)
        if graph.number_of_variables <= 8:
            points = itertools.product((0, 1), repeat=graph.number_of_variables)
            assert max(graph.objective(point) for point in points) == pytest.approx(best, rel=1e-12, abs=1e-12)


def test_the_problems_cover_what_they_should() -> None:
    kinds = {block.kind for problem in GRAPHS for block in problem.make().blocks}
    from problems.factors import KINDS

    assert kinds == set(KINDS)
    assert {problem.task for problem in PROBLEMS} == {"graph", *task_names()}
    assert sum(problem.optimum is None for problem in PROBLEMS) == 3
    assert len({problem.name for problem in PROBLEMS}) == len(PROBLEMS)


@dataclass(kw_only=True)
class Good(Solver):
    """Brute force with a time limit, a seed and a trace: bad solvers below spoil one thing each."""

    name = "good"
    exact = True
    time_limit: float | None = None
    seed: int = 0
    trace: bool = False

    def check_options(self) -> None:
        self.require_time_limit(self.time_limit)

    def solve(self, instance: Any) -> Solution:
        if task_of(instance).count_structures(instance) > 30_000:
            return Solution("timeout")
        solution = BruteForce().solve(instance)
        if self.trace and solution.structure is not None:
            solution.trace = [TracePoint(0.0), TracePoint(0.1, solution.objective, solution.bound, 1)]
        return self.spoil(instance, solution)

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return solution


class LowBound(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, bound=solution.bound - 1e-3 * abs(solution.bound) - 1e-12)


class LooseProof(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, bound=solution.bound + 1.0)


class NanBound(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, bound=math.nan)


class NanObjective(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return solution if solution.structure is None else replace(solution, objective=math.nan)


class Boaster(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return solution if solution.structure is None else replace(solution, objective=solution.objective + 1.0)


class Unfeasible(Good):
    """All variables true, or all sentences: too many nearly everywhere."""

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if solution.structure is None or not hasattr(instance, "number_of_variables"):
            return solution
        return replace(solution, structure=(1,) * instance.number_of_variables + (1,))


class Hasty(Good):
    """The first structure that comes, called optimal, with the true optimum as its bound."""

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if solution.structure is None:
            return solution
        task = task_of(instance)
        first = next(task.structures(instance))
        return replace(solution, structure=first, objective=task.objective(instance, first))


class Modest(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, status="feasible") if solution.status == "optimal" else solution


class Desperate(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return Solution("infeasible", bound=math.inf) if solution.objective == 0.75 else solution


class Inventive(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, status="great")  # type: ignore[arg-type]


class Optimist(Good):
    """Finds a structure where there is none."""

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if solution.status == "infeasible":
            return Solution("feasible", structure=(0,) * instance.number_of_variables, objective=0.0)
        return solution


class Array(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if solution.structure is None or not hasattr(instance, "number_of_variables"):
            return solution
        return replace(solution, structure=tuple(np.array(solution.structure, dtype=np.int64)))


class Restless(Good):
    calls = itertools.count()

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, iterations=next(self.calls))


class Printing(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        print("iteration 1")
        return solution


class Shouting(Good):
    """Past Python, as a C library does."""

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        os.write(1, b"iteration 1\n")
        return solution


class Mutating(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if hasattr(instance, "number_of_variables") and instance.number_of_variables:
            instance.scores[0] += 1.0
        return solution


class Adding(Good):
    """Adds a factor that changes nothing, to a graph that it does not own."""

    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if hasattr(instance, "number_of_variables") and instance.number_of_variables:
            instance.add_budget([0], 1)
        return solution


class Late(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return solution

    def solve(self, instance: Any) -> Solution:
        if self.time_limit is not None:
            time.sleep(1.5)
        return super().solve(instance)


class WrongAtTheLimit(Good):
    def solve(self, instance: Any) -> Solution:
        if self.time_limit is not None:
            return Solution("infeasible", bound=-math.inf)
        return super().solve(instance)


class Timeless(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, solve_seconds=solution.solve_seconds + 5.0)


class BackInTime(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, round_seconds=-1e-3)


class BrokenTrace(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, trace=solution.trace[::-1])


class TraceAbove(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, trace=[replace(point, objective=point.objective + 1) for point in solution.trace])


class TraceBelow(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        return replace(solution, trace=[replace(point, bound=point.bound - 1) for point in solution.trace])


class Careless(Good):
    def check_options(self) -> None:
        """Takes a time limit of -1."""


class Raising(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        if solution.objective == 0.75:
            raise KeyError("three quarters")
        return solution


class Dict(Good):
    def spoil(self, instance: Any, solution: Solution) -> Any:
        return vars(solution) if solution.objective == 0.75 else solution


class FarPosteriors(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        count = task_of(instance).graph(instance).number_of_variables
        return replace(solution, posteriors=np.full(count, 1.5))


class NotIntegral(Good):
    def spoil(self, instance: Any, solution: Solution) -> Solution:
        count = task_of(instance).graph(instance).number_of_variables
        return replace(solution, posteriors=np.full(count, 0.5), integral=True)


class Absent(Good):
    @classmethod
    def unavailable(cls) -> str | None:
        return "no licence"


BAD: list[tuple[type[Solver], str, str]] = [
    (LowBound, "bounds", "its bound is 0.99"),
    (NanBound, "bounds", "its bound is nan"),
    (LooseProof, "exactness", "leaves a gap"),
    (NanObjective, "objectives", "it says nan of a structure worth 1.0"),
    (Boaster, "objectives", "it says 2.0 of a structure worth 1.0"),
    (Unfeasible, "structures", "its structure is not feasible: expected 3 zeros and ones"),
    (Hasty, "optimality", "on problem 'xor, negated' it calls 0.0 optimal, but the optimum is 1.5"),
    (Modest, "exactness", "its status is 'feasible', not 'optimal'"),
    (Desperate, "statuses", "it calls the feasible problem 'at_most_one' infeasible"),
    (Inventive, "statuses", "its status is 'great', not one of optimal"),
    (Optimist, "infeasible problems", "it returned status 'feasible'"),
    (Array, "plain structures", "cannot be written to a record"),
    (Restless, "determinism", "the iterations is"),
    (Printing, "silence", "it prints 'iteration 1'"),
    (Shouting, "silence", "it prints 'iteration 1'"),
    (Mutating, "untouched instances", "it changes the instance"),
    (Adding, "untouched instances", "it changes the instance"),
    (Late, "time limit", "with a limit of 0.2 s it took"),
    (WrongAtTheLimit, "time limit", "its status is 'infeasible'"),
    (Timeless, "clocks", "s of CPU time, but only"),
    (BackInTime, "clocks", "round_seconds is -0.001"),
    (BrokenTrace, "traces", "its trace goes back"),
    (TraceAbove, "traces", "above"),
    (TraceBelow, "traces", "below"),
    (Careless, "options", "a time limit of -1.0 is not refused"),
    (Raising, "runs", "on problem 'at_most_one' it raised KeyError"),
    (Dict, "runs", "it returned dict, not a Solution"),
    (FarPosteriors, "posteriors", "posteriors lie between 1.5 and 1.5"),
    (NotIntegral, "posteriors", "`integral` is True, which its posteriors are not"),
    (Absent, "available", "it cannot run here: no licence"),
]


def test_the_good_solver_passes() -> None:
    assert not failures(list(run_checks(Good)))


@pytest.mark.parametrize(("solver", "check", "said"), BAD, ids=lambda value: getattr(value, "__name__", None))
def test_a_bad_solver_fails_the_check_it_should_and_no_other(solver: type[Solver], check: str, said: str) -> None:
    found = failures(list(run_checks(solver, "graph", overrun=0.5)))
    assert list(found) == [check]
    assert said in found[check]
    assert "\n" not in found[check]
    assert found[check].endswith(".")


def test_tasks_can_be_chosen() -> None:
    assert {problem.task for problem in subject_of(Good).problems()} == {"graph", *task_names()}
    assert {problem.task for problem in subject_of(Good, "summarization").problems()} == {"summarization"}
    assert subject_of(solver_class("greedy")).tasks == ("extraction",)
    with pytest.raises(InputError, match="'greedy' does not solve task 'graph'"):
        subject_of(solver_class("greedy"), "graph")
    with pytest.raises(InputError, match="unknown task 'extractoin': did you mean 'extraction'"):
        subject_of(Good, "extractoin")


WILD = """
import os, signal, sys, time
from problems import task_of
from solvers.base import Solution, Solver
from solvers.brute_force import BruteForce

class Sleeper(Solver):
    name = "sleeper"
    def solve(self, instance):
        time.sleep(600)

class Aborter(Solver):
    name = "aborter"
    def solve(self, instance):
        os.abort()

class Quitter(Solver):
    name = "quitter"
    def solve(self, instance):
        os._exit(0)

class Forker(Solver):
    name = "forker"
    def solve(self, instance):
        if os.fork() == 0:
            time.sleep(600)
        return BruteForce().solve(instance)

class Hider(Solver):
    name = "hider"
    def solve(self, instance):
        if os.fork() == 0:
            os.setsid()
            os.execve("/bin/sleep", ["sleep", "623"], {})
        time.sleep(600)

class Compiler(Solver):
    # waits for two seconds, in which it says to compile a kernel, of ours or of its own
    name = "compiler"
    def solve(self, instance):
        from numba.core import event
        from problems.kernels.project import project_block
        if not Compiler.done:
            Compiler.done = True
            theirs = type("Dispatcher", (), {"py_func": Compiler.solve})
            data = {"dispatcher": project_block if os.environ["OURS"] == "1" else theirs}
            with event.trigger_event("numba:compile", data=data):
                time.sleep(2)
        return BruteForce().solve(instance)
    done = False

class Scribbler(Solver):
    # writes to every open file, with or without the length that goes before a message
    name = "scribbler"
    def solve(self, instance):
        text = os.environ["SCRIBBLE"].encode()
        framed = len(text).to_bytes(8, "big") + text if os.environ["FRAMED"] == "1" else text + b"\\n"
        for descriptor in range(3, 40):
            try:
                os.write(descriptor, framed * int(os.environ["TIMES"]))
            except OSError:
                pass
        time.sleep(float(os.environ["SLEEP"]))
        return BruteForce().solve(instance)

class Insider(Solver):
    # finds our own end of the connection, with its nonce
    name = "insider"
    def solve(self, instance):
        frame = sys._getframe()
        while not hasattr(frame.f_locals.get("self"), "say"):
            frame = frame.f_back
        worker = frame.f_locals["self"]
        if os.environ["STATE"] == "done":
            for _ in range(60):
                worker.say("suite", state="done", facts={"outcome": "passed", "why": ""})
        while True:
            worker.say("suite", state=os.environ["STATE"], facts={})
            time.sleep(0.02)

class Hoarder(Solver):
    name = "hoarder"
    def solve(self, instance):
        hoard = []
        while True:
            hoard.append(bytearray(b"x") * 2**25)
            time.sleep(0.02)

class Tamperer(Solver):
    # claims what it likes, and changes everything that could tell
    name = "tamperer"
    exact = True
    def solve(self, instance):
        from bench.conformance import answers, suite
        task = type(task_of(instance))
        task.broken = lambda *_: None
        task.objective = lambda *_: 1e9
        for check in ("structures", "objectives", "bounds", "optimality", "exactness"):
            suite.CHECKS[check] = lambda subject: None
            setattr(answers, check, lambda subject: None)
        return Solution("optimal", (0, 7, 9), 1e9, bound=1e9)

class Endless(Solver):
    name = "endless"
    def solve(self, instance):
        class Structure(tuple):
            def __iter__(self):
                while True:
                    yield 0
            def __len__(self):
                time.sleep(600)
        return Solution("feasible", Structure((0,)), 0.0)
"""


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("wild") / "wild.py"
    path.write_text(WILD, encoding="utf-8")
    yield path
    unload_plugin(path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sleeper", "the process ended: solving took more than 1 s."),
        ("aborter", "the process ended: signal SIGABRT."),
        ("quitter", "the process ended: exit code 0."),
    ],
)
def test_a_wild_solver_cannot_stop_the_suite(name: str, said: str, wild: Path) -> None:
    """In a process of its own: every check has a result, and the one that did not end says why."""
    results = list(check_solver(name, "graph", [wild], seconds=1.0))
    assert sorted(result.check for result in results) == sorted(CHECKS)
    found = {result.check: result for result in results}
    assert found["options"].outcome == "passed"
    assert found["runs"] == Result("runs", "failed", said)
    assert found["bounds"].why == "the check 'runs' did not come to its end."
    assert found["determinism"] == Result("determinism", "failed", said)


@pytest.mark.parametrize(("ours", "outcome"), [("1", "passed"), ("0", "failed")])
def test_compiling_our_kernels_is_not_on_the_clock(
    wild: Path, ours: str, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", ours)
    found = {result.check: result for result in until("runs", check_solver("compiler", "graph", [wild], seconds=1.5))}
    why = "" if outcome == "passed" else "the process ended: solving took more than 1.5 s."
    assert found["runs"] == Result("runs", outcome, why)


def until(check: str, results: Iterator[Result]) -> Iterator[Result]:
    for result in results:
        yield result
        if result.check == check:
            results.close()
            return


def test_time_spent_on_compiling_does_not_break_a_time_limit() -> None:
    """The check itself, with a kernel that has to be compiled under the limit."""
    from numba.core import event

    from problems.kernels.project import project_block

    class Cold(Good):
        def solve(self, instance: Any) -> Solution:
            if self.time_limit is not None:
                with event.trigger_event("numba:compile", data={"dispatcher": project_block}):
                    time.sleep(1.0)
            return super().solve(instance)

    assert not failures(list(run_checks(Cold, "graph", overrun=0.5)))


PASSED = '{"kind": "suite", "nonce": "", "number": 0, "state": "done", "facts": {"outcome": "passed", "why": ""}}'


@pytest.mark.parametrize(
    ("text", "framed", "times", "sleep"),
    [
        ("[]", "0", "1", "0"),
        (PASSED, "1", "60", "600"),
        ('{"outcome":"passed","why":""}', "0", "60", "600"),
        *(
            pytest.param(text, "1", "1", "0", marks=pytest.mark.slow)
            for text in ("3", "{", '{"state": "solving"}', '{"outcome": 1, "why": []}', "[" * 5000)
        ),
    ],
)
def test_what_a_solver_writes_to_the_connection_is_no_result(
    wild: Path, text: str, framed: str, times: str, sleep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"SCRIBBLE": text, "FRAMED": framed, "TIMES": times, "SLEEP": sleep}.items():
        monkeypatch.setenv(name, value)
    results = list(until("determinism", check_solver("scribbler", "graph", [wild])))
    assert {"available", "options"} == {result.check for result in results if result.outcome == "passed"}
    for check, why in failures(results).items():
        assert check in ("runs", "determinism")
        assert why.startswith("the process ended: it wrote to the suite's connection")


def test_a_nonce_read_from_the_stack_does_not_pass_a_check(wild: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged answer is one answer at most: what comes after it belongs to no request."""
    monkeypatch.setenv("STATE", "done")
    results = list(until("determinism", check_solver("insider", "graph", [wild])))
    assert {"available", "options"} == {result.check for result in results if result.outcome == "passed"}
    assert failures(results) == dict.fromkeys(
        ("runs", "determinism"), "the process ended: it wrote to the suite's connection."
    )


@pytest.mark.parametrize(
    ("state", "limit"), [("solving", None), ("judging", "JUDGE_SECONDS"), ("compiling", "COMPILE_SECONDS")]
)
def test_telling_what_one_is_at_gains_no_time(
    wild: Path, state: str, limit: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE", state)
    if limit is not None:
        monkeypatch.setattr(f"bench.conformance.isolated.{limit}", 3.0)
    seconds = 60.0 if limit else 3.0
    found = failures(list(until("runs", check_solver("insider", "graph", [wild], seconds=seconds))))
    assert found == {"runs": f"the process ended: {state} took more than 3 s."}


def test_compilations_have_one_limit_for_all_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("bench.conformance.isolated.time.monotonic", lambda: now[0])
    clock = _Clock(60.0)
    for _ in range(3):
        clock.begin()
        clock.start()
        clock.change(COMPILING)
        now[0] += 500.0
        assert clock.left() > 0
        clock.change(SOLVING)
        now[0] += 50.0
        assert clock.left() == 10.0
        clock.change(JUDGING)
    clock.change(COMPILING)
    assert clock.left() == 300.0


def test_memory_has_a_limit(wild: Path) -> None:
    results = until("runs", check_solver("hoarder", "graph", [wild], memory_gb=0.6))
    assert failures(list(results)) == {"runs": "the process ended: it held more than 0.6 GB."}


def test_answers_are_judged_where_the_solver_cannot_reach(wild: Path) -> None:
    found = failures(list(until("objectives", check_solver("tamperer", "extraction", [wild]))))
    assert list(found) == ["structures"]
    assert "is not feasible" in found["structures"]


def test_an_answer_without_an_end_does_not_hang_the_judge(wild: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.conformance.isolated.JUDGE_SECONDS", 2.0)
    found = {result.check: result for result in until("runs", check_solver("endless", "graph", [wild]))}
    assert found["runs"].why == "the process ended: judging took more than 2 s."


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        signal.SIGTERM,
        *(pytest.param(n, marks=pytest.mark.slow) for n in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_a_command_that_is_ended_leaves_nothing_behind(wild: Path, number: signal.Signals) -> None:
    """Not even a process that left the tree, its session and its environment behind."""
    command = [sys.executable, "-m", "bench.cli", "check-solver", "hider", "--task", "graph", "--plugin", str(wild)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (hidden := [pid for pid in descendants(process.pid) if is_sleep(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert hidden
    below = descendants(process.pid)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert "Traceback" not in said
    while (left := [pid for pid in below if not is_zombie(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def is_sleep(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == b"sleep\x00623\x00"
    except OSError:
        return False


@pytest.mark.slow
def test_children_do_not_outlive_the_suite(wild: Path) -> None:
    import psutil

    results = list(check_solver("forker", "extraction", [wild], seconds=20.0))
    assert found_child_free(results)
    time.sleep(0.2)
    mine = [p for p in psutil.process_iter(["cmdline"]) if str(wild) in " ".join(p.info["cmdline"] or [])]
    assert not mine


def found_child_free(results: list[Result]) -> bool:
    return {result.outcome for result in results} <= {"passed", "not applicable"}


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.cli", "check-solver", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    return done


def test_the_command(tmp_path: Path) -> None:
    good = run("ilp-glpk", "--task", "extraction")
    assert good.returncode == 0
    assert "exactness            passed" in good.stdout
    assert "ilp-glpk: 16 passed, 2 not applicable." in good.stdout
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from solvers.brute_force import BruteForce\n"
        "class Mine(BruteForce):\n    name = 'mine'\n"
        "    def solve(self, instance):\n        print('hello')\n        return super().solve(instance)\n",
        encoding="utf-8",
    )
    bad = run("mine", "--plugin", plugin, "--task", "extraction")
    assert bad.returncode == 1
    assert "silence              failed          on problem 'extraction, no sentences' it prints 'hello'." in bad.stdout
    unknown = run("mine")
    assert unknown.returncode == 2
    assert "unknown solver 'mine'" in unknown.stderr


def test_traces_of_relaxations_hold_structures_not_fractions() -> None:
    """What the suite found: the value of the linear program stood in the traces of LP solvers as if it were primal."""
    knapsack = next(problem for problem in GRAPHS if problem.name == "knapsack")
    solution = get_solver("lp-highs", trace=True).solve(knapsack.make())
    assert solution.bound == pytest.approx(7.5)
    last = solution.trace[-1].objective
    assert math.isnan(last) or last <= 7.0 + 1e-9
