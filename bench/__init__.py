"""How well it was solved: the runner, its records, tables, plots and the command line.

`race` and `run` run solvers, `load_run` reads what they recorded; `table`, `plot` and `verdict` show it. All take a loaded run or
the path of its folder. Importing this package loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from .output.notebook import Run
    from .records.frame import Records


def run(experiment: str | Path | dict[str, Any], **options: Any) -> Records:
    """Run an experiment: a name, the path of a TOML file, or a dictionary. See `bench.runner.runner.run`."""
    from .output import notebook  # shows what is returned
    from .runner.runner import run as run_experiment

    return notebook.records_of(run_experiment(experiment, **options))


def race(
    *entries: str | Path,
    solvers: Sequence[str] = (),
    repetitions: int | None = None,
    seconds: float = 20.0,
    seed: int = 1,
    count: int = 6,
    trace: bool = False,
    out: str | Path | None = None,
    jobs: int = 1,
    plugins: Iterable[str | Path] = (),
) -> Records:
    """Race solvers on files, `library:NAME` or `TASK:SIZE`, like `dualbench race`. `trace` records convergence."""
    from .experiments.race import free_folder, race_experiment

    plugins = list(plugins)
    described = race_experiment(
        entries,
        solvers,
        repetitions=repetitions,
        seconds=seconds,
        seed=seed,
        count=count,
        plots=[{"kind": "convergence"}] if trace else [],
        plugins=plugins,
    )
    folder = Path(out) if out is not None else free_folder(Path("runs") / described["name"])
    return run(described, out=folder, jobs=jobs, plugins=plugins)


def load_run(path: str | Path, *more: str | Path, everything: bool = False) -> Records:
    """The records of one or more runs as a DataFrame; see `bench.records.log.load_run`."""
    from .output import notebook
    from .records.log import load_run as load

    return notebook.records_of(load(path, *more, everything=everything))


def table(run: Run, **layout: Any) -> pd.DataFrame:
    """The table of a run as numbers, by size and solver. `layout` is that of an experiment (columns, baseline, ...)."""
    from .output.notebook import table_frame

    return table_frame(run, layout or None)


def plot(run: Run, kind: str = "convergence", **options: Any) -> Figure:
    """A plot of a run as a matplotlib figure: convergence, scaling, profile, pareto or bins."""
    from .output.notebook import figure

    return figure(run, kind, **options)


def verdict(run: Run) -> list[str]:
    """The winner of each size and how the others compare. Ratios compare answers of equal quality only."""
    from .output.notebook import records_of
    from .output.race_verdict import verdicts

    return verdicts(records_of(run))


def __getattr__(name: str) -> Any:
    if name != "Records":  # it loads pandas
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .records.frame import Records

    return Records


__all__ = ["Records", "load_run", "plot", "race", "run", "table", "verdict"]
