"""Trainings and evaluations by task: each is a dataclass of options, made from `key=value` texts of the command line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from problems.errors import InputError, nearest
from problems.options import check_names, check_types

from ..data.folder import data_folder
from .loop import Watcher

if TYPE_CHECKING:
    import pandas as pd

GENERATED = "generated"
MODULES = {  # task -> where its `Training` and `Evaluation` are
    "parsing": "bench.learning.parsing.training",
    "summarization": "bench.learning.summarization.training",
    "compression": "bench.learning.compression.training",
    "transduction": "bench.learning.transduction.training",
}


@dataclass(kw_only=True)
class _Options(ABC):
    """What every training and evaluation has. `corpus` is `generated`, a corpus that the task knows, or a path."""

    task: ClassVar[str]
    does: ClassVar[str]

    corpus: str = GENERATED
    data: str = ""  # the folder of corpora; empty: DUALBENCH_DATA
    limit: int | None = None  # at most so many examples
    seed: int = 1

    def __post_init__(self) -> None:
        check_types(self, f"the {self.does} of task {self.task!r}")
        self.data = self.data or str(data_folder())
        self.require_least(1, "limit")
        self.require_least(0, "seed")
        self.check_options()

    def check_options(self) -> None:  # noqa: B027 (most have nothing to add)
        """Raise InputError where an option's value makes no sense."""

    def require(self, option: str, valid: bool, expected: str) -> None:
        if not valid:
            found = getattr(self, option)
            raise InputError(
                f"option {option!r} of the {self.does} of task {self.task!r} must be {expected}, not {found!r}."
            )

    def require_least(self, least: int, *options: str) -> None:
        """Of numbers; one that is left out is always valid."""
        for option in options:
            value = getattr(self, option)
            self.require(option, value is None or value >= least, f"at least {least}")


@dataclass(kw_only=True)
class BaseTraining(_Options):
    does = "training"

    epochs: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_least(1, "epochs")

    @abstractmethod
    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        """Train, write the model to a file, and return figures worth printing."""


@dataclass(kw_only=True)
class BaseEvaluation(_Options):
    does = "evaluation"

    def run(self, model: Path, watcher: Watcher) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.rows(model, watcher))

    @abstractmethod
    def rows(self, model: Path, watcher: Watcher) -> list[dict[str, Any]]:
        """One row per system or setting, with its measures."""


def _chosen(name: str, task: str, options: dict[str, Any]) -> Any:
    if task not in MODULES:
        raise InputError(f"task {task!r} has nothing to train: {nearest(task, MODULES)}")
    kind = getattr(import_module(MODULES[task]), name)
    check_names(kind, options, f"the {kind.does} of task {task!r}")
    return kind(**options)


def training(task: str, options: dict[str, Any]) -> BaseTraining:
    return _chosen("Training", task, options)


def evaluation(task: str, options: dict[str, Any]) -> BaseEvaluation:
    return _chosen("Evaluation", task, options)
