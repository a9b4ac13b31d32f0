"""How well it was solved: the runner, its records, tables, plots and the command line."""

from __future__ import annotations

from typing import Any


def run(experiment: Any, **options: Any) -> Any:
    """Run an experiment (a name, a path of a TOML file or a dictionary); see `bench.runner.runner.run`."""
    from .runner.runner import run as run_experiment

    return run_experiment(experiment, **options)


def load_run(path: Any, *more: Any, everything: bool = False) -> Any:
    """The records of one or more runs as a DataFrame; see `bench.records.log.load_run`."""
    from .records.log import load_run as load

    return load(path, *more, everything=everything)


__all__ = ["load_run", "run"]
