"""The runner's end of a checker: what an answer is worth, judged in a process that no solver runs in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..experiments.plan import Cell
from .session import Session
from .supervisor import Death, Supervisor

IMPORT_SECONDS = 20.0  # more for the first answer, which imports what metrics need


class Judge:
    """A job's checker: a process of ours that judges answers, replaced if one of them is too much for it."""

    def __init__(self, session: Session, cores: Sequence[int]) -> None:
        self._session, self._cores = session, cores
        self._checker: Supervisor | None = None
        self._digest = ""  # of the instance that the checker holds

    def __call__(self, cell: Cell, instance: bytes, claim: bytes) -> dict[str, Any]:
        """What an answer is worth. A checker that was ended from outside is replaced once."""
        answer, seconds = self._asked(cell, instance, claim)
        if isinstance(answer, Death) and answer.kind == "crash":
            answer, seconds = self._asked(cell, instance, claim)
        if isinstance(answer, Death):
            why = f"not within {seconds:g} s" if answer.kind == "timeout" else answer.message or answer.kind
            return {"status": "error", "message": f"the structure could not be checked ({why})"}
        return dict(answer["facts"])

    def _asked(self, cell: Cell, instance: bytes, claim: bytes) -> tuple[Any, float]:
        """What the checker says, or its death, and how long it was given."""
        session, experiment, answer = self._session, self._session.experiment, None
        seconds = experiment.limits.check_seconds
        if self._checker is None:
            seconds += IMPORT_SECONDS
            self._checker = Supervisor(session.stop, "bench.runner.checker")
            answer = self._checker.set_up("", experiment.task, session.plugins, self._cores, session.sources)
        if not isinstance(answer, Death):
            digest = cell.instance.digest
            request = {
                "task": experiment.task,
                "digest": digest,
                "instance": None if digest == self._digest else instance,
                "claim": claim,
            }
            answer = self._checker.ask("check", request, "checked", seconds)
            self._digest = digest
        if isinstance(answer, Death):
            self.close()
        return answer, seconds

    def close(self) -> None:
        if self._checker is not None:
            self._checker.close()
        self._checker, self._digest = None, ""
