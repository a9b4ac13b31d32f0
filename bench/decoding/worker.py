"""The process that decodes batches: `python -m bench.decoding.worker FD`. A row is sent as soon as it is there.

Built-in solvers are trusted: their answers are judged here. A plug-in or an installed package could change the judge, so
its rows hold the claim alone, which goes to a checker: another process of this kind, out of the plug-in's reach, which judges
claims and runs no solver. `seconds` are measured here in both cases: a plug-in's word.
"""

from __future__ import annotations

import json
import pickle
import time
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.storage import parse_document

from ..experiments.instances import load_instance
from ..experiments.sources import instance_name, task_named
from ..records.fields import finite
from ..runner.answer_check import check_answer
from ..runner.checker import failure_of
from ..runner.handover import Failure, attempt, claim_of, plain, solution_of
from ..runner.messages import error_text
from ..runner.processes import children, kill_descendants
from ..runner.worker import Worker, made_solver
from .corpus import Entry


class DecodingWorker(Worker):
    """Differs from the runner's worker in what it does with a request: a batch of entries, or of entries with a solver's claims."""

    remembering: Any = None

    def solve(self, request: dict[str, Any]) -> None:
        task = task_named(request["task"])
        for entry, claim in request.get("claims", ()):
            self.say("row", row=checked(task, entry, pickle.loads(claim), request["metrics"]))
        for entry in request.get("entries", ()):
            self.say("row", row=self.row(task, entry, request))

    def solver_for(self, request: dict[str, Any]) -> Any:
        """A new solver for each instance, unless it is to start from what it remembers: then one for all of this process."""
        if not request["options"].get("warm_start"):
            return made_solver(request)
        if self.remembering is None:
            self.remembering = made_solver(request)
        return self.remembering

    def row(self, task: Any, entry: Entry, request: dict[str, Any]) -> dict[str, Any]:
        """What there is to say of one instance, whatever goes wrong with it."""
        instance, facts = read(task, entry)
        if instance is None:
            return facts if request["trusted"] else {"claim": {}}  # the checker will find the same
        solver = self.solver_for(request)
        start = time.perf_counter()
        outcome = attempt(solver, instance)
        facts["seconds"] = time.perf_counter() - start
        if children(self.pid):
            kill_descendants(self.pid)
        if not request["trusted"]:
            return {"seconds": facts["seconds"], "claim": claimed(outcome)}
        if isinstance(outcome, Failure):
            return {**facts, "status": outcome.status, "message": outcome.message}
        return {**facts, **judged(task, instance, outcome, request["metrics"])}


def read(task: Any, entry: Entry) -> tuple[Any, dict[str, Any]]:
    """The instance of a entry and the first fact of its row; no instance and the whole row if it cannot be read."""
    try:
        instance = made(task, entry)
    except InputError as error:
        return None, {"status": "error", "message": str(error)}
    except Exception as error:
        return None, {"status": "error", "message": f"{entry.name}: cannot be read ({error_text(error)})."}
    name = instance_name(task, instance, entry.digest) if entry.form != "graph" else Path(entry.name).stem
    return instance, {"name": name}


def made(task: Any, entry: Entry) -> Any:
    """The instance of a entry."""
    if entry.form == "json":
        return task.parse(parse_document(entry.content, entry.name), entry.name)
    if entry.form == "generated":
        size, _, seed = entry.content.decode().rpartition(":")
        return task.generate(int(seed), size)
    if entry.form == "instance":
        return pickle.loads(entry.content)
    if entry.form == "broken":
        raise InputError(entry.content.decode())
    instance = load_instance(Path(entry.content.decode()))
    if task.name != "graph":
        raise InputError(f"{entry.name}: a factor graph, expected an instance of task {task.name!r}.")
    return instance


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


def claimed(outcome: Any) -> dict[str, Any]:
    """What a plug-in returned, as JSON can hold it."""
    try:
        claim = claim_of(outcome)
        json.dumps(claim)
    except (TypeError, ValueError, RecursionError) as error:
        return claim_of(Failure("error", f"the answer cannot be handed over ({error_text(error)})"))
    return claim


def judged(task: Any, instance: Any, solution: Any, with_metrics: bool) -> dict[str, Any]:
    """The checked and re-scored answer."""
    try:
        found = check_answer(task, instance, solution)
    except Exception as error:
        return {"status": "error", "message": f"the answer could not be checked ({error_text(error)})"}
    wrong = "" if found.audit in ("ok", "", found.message) else found.audit
    facts: dict[str, Any] = {
        "status": found.status,
        "message": "; ".join(filter(None, (found.message, wrong))),
        "objective": finite(found.objective),
        "bound": finite(found.bound),
    }
    if found.status == "error" or solution.structure is None:
        return facts
    try:
        facts["structure"] = plain(solution.structure)
        json.dumps(facts["structure"], allow_nan=False)
        if with_metrics:
            measures = task.evaluate(instance, solution.structure)
            facts["metrics"] = {name: finite(value) for name, value in measures.items()}
    except Exception as error:
        facts["message"] = f"the structure could not be evaluated ({error_text(error)})"
    return facts


if __name__ == "__main__":
    DecodingWorker.main()
