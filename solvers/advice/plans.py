"""Plans: which candidates to try for a target, and in which order.

Of those that qualify the one with the least expected time comes first. For `exact`, one that often proves its answer may come before
it, with another behind it for when it does not. Those that a limit stopped whenever they were recorded come last.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .forecasts import WORTH_TRYING, Forecast, Target

PATIENCE = 3.0  # times what the next candidate takes on average
LEAST_PATIENCE = 0.2  # seconds


class Step(NamedTuple):
    """A candidate to run, its expected time, and the share of instances on which it is the last one.

    After `patience` seconds `auto` gives it up for the next one: it has taken more than the upper bound of its forecast, and a few
    times what the next one costs. An upper bound that rests on other kinds or sizes does not count.
    """

    forecast: Forecast
    seconds: float
    enough: float = 1.0
    patience: float = LEAST_PATIENCE


def plan(forecasts: tuple[Forecast, ...], target: Target) -> tuple[Step, ...]:
    """Those that meet the target, by their expected time; behind them those that prove, for when the others fail.

    For `exact`, what often proves comes first if that saves more than it costs: what it fails to prove is hard for others, too, so
    that their time counts as it was on those instances.
    """
    met = sorted((each for each in forecasts if each.meets(target)), key=lambda each: each.mean)
    steps = [Step(each, each.mean) for each in met]
    if target != "exact":
        return _patient([*steps, *(step for step in plan(forecasts, "exact") if step.forecast not in met)])
    first, least = None, met[0].mean if met else math.inf
    for each in forecasts:
        if not each.meets(target) and each.proved >= WORTH_TRYING and each.refused <= 0.5:
            together = each.mean + min((other.after.get(each.candidate, other.mean) for other in met), default=0.0)
            if together < least:
                first, least = Step(each, together, each.proved), together
    if first is not None:
        behind = sorted(steps, key=lambda step: step.forecast.after.get(first.forecast.candidate, step.seconds))
        steps = [first, *behind]
    always_stopped = (each for each in forecasts if each.cells and each.stopped == each.cells and each.refused <= 0.5)
    return _patient(
        [*steps, *(Step(each, each.mean, 0.0) for each in sorted(always_stopped, key=lambda each: each.mean))]
    )


def _patient(steps: list[Step]) -> tuple[Step, ...]:
    """The steps with how long each may take while there is another one."""
    following = [step.forecast.mean for step in steps[1:]] + [0.0]
    longest = [max(step.forecast.longest, PATIENCE * after) for step, after in zip(steps, following, strict=True)]
    return tuple(step._replace(patience=max(own, LEAST_PATIENCE)) for step, own in zip(steps, longest, strict=True))


def surely_faster(first: Forecast, second: Forecast) -> float:
    """The probability that the first takes less time than the second, as far as their forecasts tell."""
    apart = math.log(second.seconds / first.seconds)
    return 0.5 * math.erfc(-apart / math.hypot(first.error, second.error) / math.sqrt(2.0))
