"""The process that judges what plug-ins claim of their rows, out of their reach: `python -m bench.decoding.checker FD`."""

from __future__ import annotations

import pickle
import socket
import sys
from typing import Any

from ..experiments.sources import task_named
from ..runner.checker import failure_of
from ..runner.handover import solution_of
from ..runner.message_socket import MessageSocket
from ..runner.messages import error_text
from ..runner.worker import Worker
from .corpus import Entry
from .worker import judged, read


class DecodingChecker(Worker):
    """Differs from a worker in what it does with a request: a batch of entries, each with the solver's claim."""

    def solve(self, request: dict[str, Any]) -> None:
        task = task_named(request["task"])
        for entry, claim in request["claims"]:
            self.say("row", row=checked(task, entry, pickle.loads(claim), request["metrics"]))


def checked(task: Any, entry: Entry, claim: dict[str, Any], with_metrics: bool) -> dict[str, Any]:
    """A row from the entry and the claim alone."""
    instance, facts = read(task, entry)
    if instance is None:
        return facts
    if "returned" in claim:
        return {**facts, "status": "error", "message": f"solve returned {claim['returned']}, expected a Solution"}
    try:
        if "failure" in claim:
            failure = failure_of(claim["failure"])
            return {**facts, "status": failure["status"], "message": failure["message"]}
        solution = solution_of(claim)
    except Exception as error:
        return {**facts, "status": "error", "message": f"the answer could not be checked ({error_text(error)})"}
    return {**facts, **judged(task, instance, solution, with_metrics)}


def main(descriptor: int) -> None:
    DecodingChecker(MessageSocket(socket.socket(fileno=descriptor))).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
