"""The process that judges answers, out of the solvers' reach: `python -m bench.runner.checker FD`.

It gets the instance from the runner and the claim as plain data. Feasibility, objective, status and metrics are made from
the structure alone; no solver ever runs here. Each job of a run has one, and a limit of its own for each answer.
"""

from __future__ import annotations

import json
import pickle
import socket
import sys
from typing import Any

from problems.errors import LONGEST_NAME, shortened

from ..experiments.sources import task_named
from ..records.fields import NOT_KEPT, finite
from .answer_check import check_answer, failed
from .handover import LONGEST_TEXT, number_of, solution_of
from .message_socket import MessageSocket
from .messages import error_text
from .worker import Worker

MOST_CHARACTERS = 2**20  # of a structure's JSON: larger ones are judged, but not recorded
TIMES = ("build_seconds", "solve_seconds", "round_seconds")


class Checker(Worker):
    """Differs from a worker in what it does with a request; of a run's instances it keeps the last one."""

    digest, instance = "", None

    def solve(self, request: dict[str, Any]) -> None:
        if request["digest"] != self.digest:
            self.instance = pickle.loads(request["instance"])
            self.digest = request["digest"]
        self.say("checked", facts=check(task_named(request["task"]), self.instance, request["claim"]))


def check(task: Any, instance: Any, claimed: bytes) -> dict[str, Any]:
    """The facts of whatever a solver returned."""
    try:
        claim = json.loads(claimed)
        if not isinstance(claim, dict):
            return failed("the answer is no claim of a solution")._asdict()
        if "failure" in claim:
            return failure_of(claim["failure"])
        if "returned" in claim:
            return failed(f"solve returned {claim['returned']}, expected a Solution")._asdict()
        return judged(task, instance, claim)
    except Exception as error:
        return failed(f"the answer could not be checked ({error_text(error)})")._asdict()


def failure_of(claimed: dict[str, Any]) -> dict[str, Any]:
    """Why nothing was returned; a claim that is no failure's is an error."""
    status = claimed.get("status")
    facts = {
        "status": status if status in ("skipped", "memout") else "error",
        "message": shortened(str(claimed.get("message", "")), LONGEST_TEXT),
    }
    return {**facts, "limit_hit": "memory"} if status == "memout" else facts


def judged(task: Any, instance: Any, claim: dict[str, Any]) -> dict[str, Any]:
    """The facts of a returned solution, checked, re-scored and evaluated."""
    solution = solution_of(claim)
    found = check_answer(task, instance, solution)
    facts = {**found._asdict(), "metrics": {}, "structure": None}
    if found.status == "error":
        return facts
    if solution.structure is not None:
        characters = len(json.dumps(claim["structure"], ensure_ascii=False))
        if characters <= MOST_CHARACTERS:
            facts["structure"] = claim["structure"]
        else:
            too_large = f"{NOT_KEPT} ({characters} characters of JSON, more than {MOST_CHARACTERS})"
            facts["message"] = "; ".join(filter(None, (facts["message"], too_large)))
        try:
            measures = task.evaluate(instance, solution.structure)
            facts["metrics"] = {shortened(str(name)): finite(value) for name, value in measures.items()}
        except Exception as error:
            facts["audit"] = f"the structure could not be evaluated ({error_text(error)})"
    times = {name: number_of(claim.get(name)) for name in TIMES}
    if any(value is None or value < 0 for value in times.values()):
        times = dict.fromkeys(TIMES)
        complaint = "the solver says negative times or none"
        facts["audit"] = "; ".join(filter(None, (facts["audit"].removeprefix("ok"), complaint)))
    return {
        **facts,
        **times,
        "integral": solution.integral,
        "iterations": solution.iterations,
        "info": {shortened(name, LONGEST_NAME): number_of(value) for name, value in solution.info.items()},
    }


def main(descriptor: int) -> None:
    Checker(MessageSocket(socket.socket(fileno=descriptor))).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
