"""The process that the solver under test runs in: `python -m bench.conformance.worker FD`.

It solves the problems that the suite sends, and runs the checks that can only be made where the solver is. Each message tells
what the process is at; the last one of a request is `done` and has its facts. No solver is told of the connection.
"""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np

from solvers import solver_class

from ..runner.handover import claim_of, plain, points_of
from ..runner.message_socket import MessageSocket
from ..runner.messages import error_text
from ..runner.worker import Worker, stop_timers
from .canonical import Problem
from .stopwatch import Stopwatch
from .subject import Answer, Subject, subject_of
from .suite import run_check

DONE = "done"


class SuiteWorker(Worker):
    """Differs from the runner's worker in what it does with a request."""

    def __init__(self, connection: MessageSocket) -> None:
        super().__init__(connection)
        self.subject: Subject | None = None
        self._turn = threading.RLock()  # a thread of the solver may have a kernel compiled

    def say(self, kind: str, **fields: Any) -> None:
        with self._turn:
            super().say(kind, **fields)

    def solve(self, request: dict[str, Any]) -> None:
        with Stopwatch(lambda state: self.say("suite", state=state, facts={})) as stopwatch:
            if self.subject is None:
                self.subject = subject_of(solver_class(request["solver"]), request["task"])
            self.subject.stopwatch = stopwatch
            if request["kind"] == "check":
                self.subject.sent = [problem_of(*sent) for sent in request["trials"]]
                facts: dict[str, Any] = run_check(self.subject, request["check"])._asdict()
            else:
                problem = problem_of("", request["instance"])
                facts = facts_of(self.subject.solve(problem, **request["options"]))
        stop_timers()
        try:
            self.say("suite", state=DONE, facts=facts)
        except (TypeError, ValueError, RecursionError) as error:
            self.say("suite", state=DONE, facts={"error": f"its answer cannot be handed over ({error_text(error)})"})


def problem_of(name: str, pickled: bytes) -> Problem:
    """A problem to solve; its optimum is not known in this process."""
    return Problem(name, "", lambda: pickle.loads(pickled), None)


def facts_of(answer: Answer) -> dict[str, Any]:
    """An answer as plain data. A structure that cannot be made plain is left out, and said to be unwritable."""
    facts: dict[str, Any] = {"error": answer.error, "returned": answer.returned, "unwritable": answer.unwritable}
    solution = answer.solution
    if solution is None:
        return facts
    try:
        plain(solution.structure)
    except Exception as error:
        return {**facts, "unwritable": answer.unwritable or error_text(error)}
    claim = claim_of(solution)
    if "failure" in claim:
        return {**facts, "error": claim["failure"]["message"]}
    points, problem = points_of(solution)
    if problem:
        return {**facts, "error": f"its trace cannot be handed over ({problem})"}
    posteriors = solution.posteriors
    return {
        **facts,
        "claim": claim,
        "trace": points,
        "posteriors": None if posteriors is None else np.asarray(posteriors).tolist(),
    }


if __name__ == "__main__":
    SuiteWorker.main()
