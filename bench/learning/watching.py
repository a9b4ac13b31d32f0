"""Shows how far a training is: a bar in a terminal, a line per epoch everywhere."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class TerminalWatcher:
    """A context manager; `say` prints a line above the bar."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("reading", total=None)

    def epoch(self, number: int, epochs: int, examples: int) -> None:
        self._bar.reset(self._task, description=f"epoch {number} of {epochs}", total=examples)

    def example(self) -> None:
        self._bar.advance(self._task)

    def finished(self, record: dict[str, Any]) -> None:
        said = [f"epoch {record['epoch']:3d}", f"loss {record['loss']:.4f}"]
        if "development" in record:
            said.append(f"development {record['development']:.4f}")
        self.say("   ".join([*said, f"{record['cpu_seconds']:.1f} s CPU"]))

    def say(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)

    def __enter__(self) -> TerminalWatcher:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
