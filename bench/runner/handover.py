"""A solver's answer on its way to the checker: plain data, so that nothing of the solver's is run where it is judged."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from numbers import Real
from typing import Any, NamedTuple

from problems.errors import LONGEST_NAME, InputError
from solvers.base import Solution, Solver, TracePoint

from ..records.fields import finite
from ..records.record_checks import check_point
from .messages import error_message, error_text

SCALARS = ("status", "objective", "bound", "integral", "iterations", "build_seconds", "solve_seconds", "round_seconds")
LONGEST_TEXT = 4000
MOST_FACTS = 100  # in `info`
MOST_ITERATIONS = 2**53
POINT = tuple(field.name for field in dataclasses.fields(TracePoint))


class Failure(NamedTuple):
    """Why a solver returned nothing."""

    status: str
    message: str
    limit_hit: str = ""


def attempt(solver: Solver, instance: Any) -> Any:
    """What `solve` returns, or the facts of its failure."""
    try:
        return solver.solve(instance)
    except InputError as error:
        return Failure("skipped", error_message(error))
    except MemoryError as error:
        return Failure("memout", error_text(error), "memory")
    except BaseException as error:
        return Failure("error", error_text(error))


def claim_of(outcome: Any) -> dict[str, Any]:
    """What was returned, as plain data. Called in the solver's process: anything may be in its attributes."""
    if isinstance(outcome, Failure):
        return {"failure": outcome._asdict()}
    if not isinstance(outcome, Solution):
        return {"returned": type(outcome).__name__[:LONGEST_TEXT]}
    try:
        return {
            **{name: scalar(getattr(outcome, name)) for name in SCALARS},
            "structure": plain(outcome.structure),
            "message": str(outcome.message)[:LONGEST_TEXT],
            "info": {
                str(name)[:LONGEST_NAME]: scalar(value)
                for name, value in list(outcome.info.items())[:MOST_FACTS]
                if isinstance(value, Real)
            },
        }
    except Exception as error:
        return {"failure": Failure("error", f"the answer cannot be handed over ({error_text(error)})")._asdict()}


def points_of(outcome: Any) -> tuple[list[dict[str, Any]], str]:
    """The trace as plain data, and why there is none if it cannot be had."""
    if not isinstance(outcome, Solution):
        return [], ""
    try:
        return [{name: scalar(getattr(point, name)) for name in POINT} for point in outcome.trace], ""
    except Exception as error:
        return [], error_text(error)


def plain(value: Any) -> Any:
    """A structure as nested lists of numbers and texts; TypeError if it is made of anything else."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return plain(value.tolist())
    raise TypeError(f"a structure is made of tuples, lists, numbers and texts, not of {type(value).__name__}")


def scalar(value: Any) -> Any:
    """A number or text as JSON can hold it; anything else as the text that an error message can show."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    return value if value is None or isinstance(value, (bool, int, float)) else repr(value)[:LONGEST_TEXT]


def solution_of(claim: dict[str, Any]) -> Solution:
    """The solution that a claim describes. Called by the checker: no field need have the type that it should."""
    known = {name: claim.get(name) for name in ("status", "objective", "bound")}
    integral, info = claim.get("integral"), claim.get("info")
    return Solution(
        **known,  # type: ignore[arg-type]
        structure=tuples(claim.get("structure")),
        integral=integral if isinstance(integral, bool) else None,
        iterations=_count(claim.get("iterations")),
        build_seconds=_seconds(claim.get("build_seconds")),
        solve_seconds=_seconds(claim.get("solve_seconds")),
        round_seconds=_seconds(claim.get("round_seconds")),
        message=str(claim.get("message") or "")[:LONGEST_TEXT],
        info=dict(list(info.items())[:MOST_FACTS]) if isinstance(info, dict) else {},
    )


def tuples(structure: Any) -> Any:
    """A structure as it was before JSON made lists of its tuples."""
    return tuple(tuples(item) for item in structure) if isinstance(structure, (list, tuple)) else structure


def _count(value: Any) -> int:
    return min(max(value, 0), MOST_ITERATIONS) if isinstance(value, int) else 0


def _seconds(value: Any) -> float:
    """A time as claimed; NaN where it is none."""
    number = number_of(value)
    return math.nan if number is None else number


def number_of(value: Any) -> float | None:
    """A finite float, or None."""
    try:
        return finite(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    except OverflowError:
        return None


def trace_of(points: list[Any], build_seconds: float | None) -> list[dict[str, float | None]]:
    """A claimed trace, with building the model on the clock: that is when a user would have seen its points.

    Points that cannot be are left out.
    """
    trace = []
    for point in points:
        if isinstance(point, dict) and number_of(point.get("seconds")) is not None:
            facts = {name: number_of(point.get(name)) for name in POINT}
            later = facts | {"seconds": (facts["seconds"] or 0.0) + (build_seconds or 0.0)}
            with contextlib.suppress(ValueError):
                check_point(facts)
                check_point(later)
                trace.append(later)
    return trace
