"""The pool's end of a checker: what the claims of plug-ins are worth, judged in a process that no solver runs in.

Built-in solvers are our own code: their workers judge their answers themselves, which saves reading every instance twice.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..runner.handover import number_of
from ..runner.judge import IMPORT_SECONDS
from ..runner.supervisor import Death, Supervisor
from .corpus import Entry

CHECK_SECONDS = 10.0  # for one answer
MOST_CLAIMS = 16  # that are held at a time


class RowClaim(NamedTuple):
    """What a plug-in says of a entry; pickled, because plain data can take 20 times the memory."""

    entry: Entry
    content: bytes
    seconds: float | None


def claim_in(entry: Entry, row: dict[str, Any], elapsed: float) -> RowClaim:
    """The claim in what a worker sent. A time that cannot be is left out: more than went by since the batch was sent."""
    seconds, claim = number_of(row.get("seconds")), row.get("claim")
    possible = seconds is not None and 0.0 <= seconds <= elapsed
    return RowClaim(entry, pickle.dumps(claim if isinstance(claim, dict) else {}), seconds if possible else None)


class RowJudge:
    """A worker's checker, started when there is something to judge and replaced if an answer is too much for it."""

    def __init__(
        self, stop: threading.Event, task: str, metrics: bool, plugins: dict[str, str], cores: Sequence[int]
    ) -> None:
        self._stop, self._task, self._metrics, self._plugins, self._cores = stop, task, metrics, plugins, cores
        self._checker: Supervisor | None = None

    def rows(self, claims: Sequence[RowClaim]) -> Iterator[dict[str, Any]]:
        """What each claim is worth."""
        left, again = deque(claims), True
        while left:
            seconds, answer = self._ask(list(left))
            while not isinstance(answer, Death):
                left.popleft()
                again = True
                yield answer["row"]
                if not left or self._checker is None:
                    break
                seconds, answer = CHECK_SECONDS, self._checker.answer("row", CHECK_SECONDS)
            if isinstance(answer, Death):
                self.close()
                if answer.kind == "crash" and again:  # it may have been ended from outside
                    again = False
                    continue
                left.popleft()
                again = True
                why = f"not within {seconds:g} s" if answer.kind == "timeout" else answer.message or answer.kind
                yield {"status": "error", "message": f"the structure could not be checked ({why})"}

    def _ask(self, claims: list[RowClaim]) -> tuple[float, Any]:
        """The first answer to a request, and its limit: more for the first of all, which imports what metrics need."""
        seconds = CHECK_SECONDS
        if self._checker is None:
            seconds += IMPORT_SECONDS
            self._checker = Supervisor(self._stop, "bench.decoding.worker")
            ready = self._checker.set_up("", self._task, self._plugins, self._cores)
            if isinstance(ready, Death):
                return seconds, ready
        request = {
            "task": self._task,
            "metrics": self._metrics,
            "claims": [(claim.entry, claim.content) for claim in claims],
        }
        return seconds, self._checker.ask("check", request, "row", seconds)

    def close(self) -> None:
        if self._checker is not None:
            self._checker.close()
        self._checker = None
