"""What a returned solution is worth: feasibility, objective and status are recomputed; nothing is taken on trust."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, NamedTuple, get_args

from problems.errors import quoted, shortened
from solvers.base import Solution, Status, meets, tolerance

CLAIMS = get_args(Status)
LONGEST_PROBLEM = 4000


class CheckedAnswer(NamedTuple):
    """`audit` is "ok" or what is wrong with the claim; empty where there was nothing to check."""

    status: str
    objective: float | None = None
    bound: float | None = None
    gap: float | None = None
    message: str = ""
    audit: str = ""
    magnitude: float = 0.0


def failed(problem: str) -> CheckedAnswer:
    """The solver broke its contract: what it returned cannot be used."""
    said = shortened(problem, LONGEST_PROBLEM)
    return CheckedAnswer("error", message=said, audit=said)


def check_answer(task: Any, instance: Any, solution: Any) -> CheckedAnswer:
    """The status that a solution deserves; an exception in the task's own checks means a malformed structure."""
    if not isinstance(solution, Solution):
        return failed(f"solve returned {type(solution).__name__}, expected a Solution")
    if solution.status not in CLAIMS:
        return failed(f"unknown status {quoted(solution.status)}, expected one of {', '.join(CLAIMS)}")
    if math.isnan(_number(solution.bound)):
        return failed(f"the bound is {quoted(solution.bound)}, expected a number")
    if solution.structure is None:
        return _without_structure(solution)
    try:
        why = task.broken(instance, solution.structure)
        objective = math.nan if why else float(task.objective(instance, solution.structure))
    except Exception as error:
        return failed(f"the structure is malformed ({type(error).__name__}: {error})")
    if why:
        return _broken(solution, why)
    if not math.isfinite(_number(solution.objective)):
        return failed(f"the objective is {quoted(solution.objective)}, expected a finite number")
    if solution.bound == -math.inf:
        return failed("the bound is -inf beside a structure; bounds are upper ones, as objectives are maximised")
    return _judged(solution, objective, magnitude_of(task, instance))


def _without_structure(solution: Solution) -> CheckedAnswer:
    if solution.status in ("optimal", "feasible"):
        return failed(f"status {solution.status!r} without a structure")
    bound = solution.bound if math.isfinite(solution.bound) else None
    if solution.status == "relaxed" and bound is None:
        return failed("status 'relaxed' without a bound")
    return CheckedAnswer(solution.status, bound=bound, message=solution.message)


def _broken(solution: Solution, why: str) -> CheckedAnswer:
    """A structure that breaks a constraint is kept only by a solver that says so itself."""
    if solution.status != "infeasible":
        return failed(f"the structure is not feasible: {why.rstrip('.')}")
    bound = solution.bound if math.isfinite(solution.bound) else None
    message = shortened("; ".join(filter(None, (solution.message, why.rstrip(".")))), LONGEST_PROBLEM)
    return CheckedAnswer("infeasible", bound=bound, message=message, audit="ok")


def magnitude_of(task: Any, instance: Any) -> float:
    """The sum of all absolute scores, from the instance or its graph: what a solver says of it is not asked."""
    known = getattr(instance, "magnitude", None)
    return float(task.graph(instance).magnitude if known is None else known)


def _judged(solution: Solution, objective: float, magnitude: float) -> CheckedAnswer:
    bound = float(solution.bound)
    problems = []
    if abs(solution.objective - objective) > tolerance(objective, solution.objective, magnitude):
        problems.append(
            f"the solver claims the objective {solution.objective:.9g}, its structure scores {objective:.9g}"
        )
    status: str = solution.status
    if objective - bound > tolerance(objective, bound, magnitude):
        problems.append(f"the bound {bound:.9g} lies below the objective {objective:.9g}")
        status = "feasible"
    elif meets(objective, bound, magnitude):
        status = "optimal"
    elif status == "optimal":
        said = f"the bound is {bound:.9g}, the objective {objective:.9g}" if bound < math.inf else "there is no bound"
        problems.append(f"the solver claims optimality, but {said}")
        status = "feasible"
    if status not in ("optimal", "feasible"):
        problems.append(f"the solver says {status!r} of a feasible structure")
        status = "feasible"
    rescored = Solution("feasible", objective=objective, bound=bound, magnitude=magnitude)
    return CheckedAnswer(
        status,
        objective=objective,
        bound=bound if math.isfinite(bound) else None,
        gap=rescored.gap if math.isfinite(rescored.gap) else None,
        message=solution.message,
        audit="; ".join(problems) or "ok",
        magnitude=magnitude,
    )


def _number(value: Any) -> float:
    """A claimed number as a float; NaN where it is none, or where no float can hold it."""
    try:
        return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.nan
