"""The experiments that reproduce the papers' tables, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from rich.console import Console

from .summarization_runtimes import SummarizationRuntimes


class Experiment(Protocol):
    @property
    def reproduces(self) -> str: ...

    def run(self, console: Console, quick: bool, folder: Path) -> None:
        """Run it, print its table and write table and cells to the folder."""


EXPERIMENTS: dict[str, Experiment] = {"summarization-runtimes": SummarizationRuntimes()}
