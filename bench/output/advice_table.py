"""Advice on an instance for a terminal: a row per solver, and a sentence per target."""

from __future__ import annotations

from solvers.advice import Advice

from ..analysis.choices import Choice
from .table_columns import digits
from .tables import Table

HEADINGS = ["solver", "expected ms", "90 % interval", "loss", "proved", "within 1 %", "cells", "near", "at limit"]


def advice_table(advice: Advice, chosen: list[Choice], runs: str, missing: list[str]) -> Table:
    """The forecasts by expected time; notes say what to take, how sure that is and what it rests on.

    `missing` are the solvers of which nothing is recorded.
    """
    unusable = {candidate: why for choice in chosen for candidate, why in choice.passed_over.items()}
    rows = []
    for each in advice.forecasts:
        mark = "*" if each.candidate in unusable else "+" if each.refused > 0.5 else ""
        interval = f"{digits(1e3 * each.low)} to {digits(1e3 * each.high)}"
        loss = "-" if each.loss is None else f"{each.loss:.2%}"
        shares = [f"{each.proved:.0%}", f"{each.within:.0%}"]
        counts = [str(each.cells), str(each.near), str(each.stopped or "")]
        rows.append([f"{each.candidate}{mark}", digits(1e3 * each.seconds), interval, loss, *shares, *counts])
    measures = ", ".join(f"{value:,.0f} {name}" for name, value in advice.profile.measures.items())
    variant = f" ({advice.profile.variant})" if advice.profile.variant else ""
    notes = [*(sentence(choice) for choice in chosen), f"Rests on {advice.basis}, {runs}."]
    if not advice.known:
        notes.append(
            "No instance of this kind is recorded: times are guesses, and nobody can say how sure a choice is."
        )
    if advice.extrapolated:
        notes.append(f"Extrapolated: {advice.extrapolated}. The further away, the less the intervals can be trusted.")
    notes += [f"* {candidate} cannot be used here: {why}." for candidate, why in unusable.items()]
    if any(each.refused > 0.5 for each in advice.forecasts):
        notes.append("+ refused or failed on most recorded instances of about this size, so it is not chosen.")
    if missing:
        notes.append(f"Nothing is recorded of {', '.join(missing)}.")
    notes.append(
        "Near: cells on instances of about this size, which weigh most. At limit: their times count as beyond it."
    )
    return Table(f"{advice.profile.task}{variant}: {measures}", HEADINGS, rows, notes)


def sentence(choice: Choice) -> str:
    """What to take for a target, in words."""
    step = choice.first
    if step is None:
        return f"{choice.target}: no recorded solver meets it."
    first, others = step.forecast, choice.steps[1:]
    said = f"{choice.target}: {first.candidate}, {digits(1e3 * step.seconds)} ms on average"
    if step.enough < 1.0:
        then = f"then {others[0].forecast.candidate}" if others else "and nothing behind it"
        said += f"; it proves {step.enough:.0%} of its answers, {then}"
    elif others and choice.sure is not None:
        said += f"; {choice.sure:.0%} sure to be faster than {others[0].forecast.candidate}"
    return f"{said}."
