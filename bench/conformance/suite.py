"""The conformance suite: named checks that every solver must pass, run in this process or, isolated, in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from ..runner.messages import error_text
from . import answers, behaviour
from .subject import Failed, NotApplicable, Subject

Outcome = Literal["passed", "failed", "not applicable"]


class Result(NamedTuple):
    """The result of a check, and why it is not `passed`."""

    check: str
    outcome: Outcome
    why: str = ""


def available(subject: Subject) -> None:
    """the solver can run on this machine, and tells its version"""
    missing = subject.solver.unavailable()
    if missing is not None:
        raise Failed(f"it cannot run here: {missing}.")
    version = subject.solver.version()
    if not isinstance(version, str) or not version:
        raise Failed(f"its version is {version!r}, not a text.")


CHECKS: dict[str, Callable[[Subject], None]] = {
    "available": available,
    "options": behaviour.options,
    "runs": answers.runs,
    "statuses": answers.statuses,
    "structures": answers.structures,
    "plain structures": answers.plain_structures,
    "objectives": answers.objectives,
    "bounds": answers.bounds,
    "optimality": answers.optimality,
    "exactness": answers.exactness,
    "infeasible problems": answers.infeasible_problems,
    "posteriors": answers.posteriors,
    "determinism": behaviour.determinism,
    "untouched instances": behaviour.untouched_instances,
    "silence": behaviour.silence,
    "clocks": behaviour.clocks,
    "traces": behaviour.traces,
    "time limit": behaviour.time_limit,
}
"""Every check by name; the docstring says what must hold."""


def run_check(subject: Subject, name: str) -> Result:
    """One check of a solver."""
    return attempted(name, lambda: CHECKS[name](subject))


def attempted(name: str, check: Callable[[], None]) -> Result:
    """The result of one check. Whatever else goes wrong in it is a failure, not the end of the suite."""
    try:
        check()
    except NotApplicable as reason:
        return Result(name, "not applicable", str(reason))
    except Failed as failure:
        return Result(name, "failed", str(failure))
    except Exception as error:
        return Result(name, "failed", f"it raised {error_text(error).rstrip('.')}.")
    return Result(name, "passed")
