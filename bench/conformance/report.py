"""The suite's results as a table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .isolated import check_solver

STYLES = {"passed": "green", "failed": "red", "not applicable": "dim"}
WIDTH = 20


def show_checks(
    solver: str, task: str | None, plugins: Sequence[Path], seconds: float, memory_gb: float | None, console: Console
) -> bool:
    """Print each check's result as it comes, then a count; does the solver pass?"""
    counts = dict.fromkeys(STYLES, 0)
    for result in check_solver(solver, task, plugins, seconds, memory_gb=memory_gb):
        counts[result.outcome] += 1
        line = Text(f"{result.check:{WIDTH}s} ").append(f"{result.outcome:14s}", style=STYLES[result.outcome])
        if result.why:
            line.append(f"  {result.why}")
        console.print(line, soft_wrap=True)
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    console.print(f"\n{solver}: {said}.", markup=False, soft_wrap=True)
    return not counts["failed"]
