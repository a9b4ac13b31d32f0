"""From advice to what to take here: the first solver of each target's list that can be used, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from solvers.advice import TARGETS, Advice, Candidate
from solvers.advice.forecasts import Forecast
from solvers.advice.plans import Step, surely_faster

ASKS = "auto"  # it follows the advice
MOST_OTHERS = 2  # solvers that a choice names behind its first


@dataclass(frozen=True)
class Choice:
    """For one target. `steps` can be used here, the first is the choice; `passed_over` would have come before it."""

    target: str
    steps: tuple[Step, ...]
    passed_over: dict[Candidate, str]
    sure: (
        float | None
    )  # the probability that it is faster than the next one; None where nobody can tell, or there is none

    @property
    def first(self) -> Step | None:
        return self.steps[0] if self.steps else None


def choices(advice: Advice, why_unusable: Callable[[Candidate], str | None]) -> list[Choice]:
    """One for each target; a target without any solver has no steps."""
    found = []
    for target in TARGETS:
        usable, passed = [], {}
        for step in advice.plans[target]:
            why = why_unusable(step.forecast.candidate)
            if why is None:
                usable.append(step)
            elif not usable:
                passed[step.forecast.candidate] = why
        told = advice.known and len(usable) > 1
        sure = surely_faster(usable[0].forecast, usable[1].forecast) if told else None
        found.append(Choice(target, tuple(usable), passed, sure))
    return found


def unrecorded(advice: Advice, solvers: Iterable[str]) -> list[str]:
    """Those of some solvers of which no cell of such an instance is recorded."""
    recorded = {each.candidate.solver for each in advice.forecasts}
    return [name for name in solvers if name not in recorded and name != ASKS]


def document(
    advice: Advice, chosen: list[Choice], missing: list[str], provenance: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    """All of it as plain data."""
    return {
        **advice.profile._asdict(),
        "basis": advice.basis,
        "known": advice.known,
        "extrapolated": advice.extrapolated,
        "forecasts": [_forecast(each) for each in advice.forecasts],
        "unrecorded": missing,
        "choices": {choice.target: _choice(choice) for choice in chosen},
        "provenance": list(provenance),
    }


def _forecast(forecast: Forecast) -> dict[str, Any]:
    shares = {name: getattr(forecast, name) for name in ("proved", "within", "answered", "refused")}
    counts = {name: getattr(forecast, name) for name in ("cells", "near", "stopped")}
    return {
        **_named(forecast.candidate),
        "seconds": forecast.seconds,
        "interval": [forecast.low, forecast.high],
        "loss": forecast.loss,
        "proves": forecast.proves,
        **shares,
        **counts,
    }


def _choice(choice: Choice) -> dict[str, Any] | None:
    if choice.first is None:
        return None
    first = choice.first.forecast
    return {
        **_named(first.candidate),
        "seconds": choice.first.seconds,
        "interval": [first.low, first.high],
        "enough": choice.first.enough,
        "surely_faster": choice.sure,
        "next": [_named(step.forecast.candidate) for step in choice.steps[1 : 1 + MOST_OTHERS]],
        "passed_over": [{**_named(each), "why": why} for each, why in choice.passed_over.items()],
    }


def _named(candidate: Candidate) -> dict[str, Any]:
    return {"solver": candidate.solver, "options": candidate.settings}
