"""Publish experiments: run them by the runner, audit them, and write what their records say to a folder of `results/`.

    python -m bench.reproduction.publish [NAME ...] [--results DIR] [--runs DIR]      all published experiments where none is named
    python -m bench.reproduction.publish --index                                      only the index and the README's table

A run is resumed where it was left, and the reproduction's runs are the same ones (`dualbench reproduce --out results/reproduction`), so
that no cell is timed twice. A run in which the audit finds an error is not published. Times that were recorded on changed code, on a busy
machine or with too few repetitions are marked, in the table and in the index.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from problems.errors import InputError, nearest

from ..analysis.regret import ASKS, regrets
from ..experiments.experiment import Experiment, built_in
from ..output.bound_table import bound_table, has_bounds
from ..output.growth_table import growth_table
from ..output.plots import save
from ..output.regret_table import regret_table
from ..output.run_tables import run_table
from ..records.frame import Records
from ..records.log import writing
from ..records.marks import marks, run_facts
from ..records.others import OtherPrograms
from ..records.provenance import ROOT, write_provenance
from ..runner.runner import prepare
from .results_index import write_index
from .runs import CELLS, audited_run, run_cells, run_figures, write_cells

UNPUBLISHED = (
    *("extraction-systems", "first-look", "parsing-calibration", "summarization-hard", "summarization-systems"),
    *(name for name in built_in() if name.startswith("advice-")),  # the table of `advise` has their cells
)
PUBLISHED = tuple(name for name in built_in() if name not in UNPUBLISHED)
"""Built-in experiments whose times are published, each with a folder of its own."""
RESULTS, RUNS = ROOT / "results", ROOT / "results" / "reproduction" / "runs"
PATIENCE, LOOK = 180, 5  # seconds: how long a quiet machine is waited for, and how long each look takes
CALM = 0.15  # of each core: what other programs may take before a run begins


def publish(experiment: Experiment, results: Path, runs: Path, console: Console) -> Path:
    """Run what is missing of an experiment and write its folder."""
    wait_for_quiet(console)
    records = audited_run(experiment, runs / experiment.name, console)
    missing = len(set(records.experiment["cells"]) - set(records["key"]))
    if missing:
        raise InputError(f"{runs / experiment.name}: {missing} cells have no record; run the command again.")
    return write_folder(records, experiment, results / experiment.name)


def missing_corpus(experiment: Experiment) -> str | None:
    """Why the real data of an experiment is not at hand; None if it needs none or has it."""
    for part in experiment.source.parts:
        if part.kind == "corpus":
            try:
                next(iter(part.items()), None)
            except InputError as error:
                return str(error)
    return None


def wait_for_quiet(console: Console) -> None:
    """Until other programs leave the machine alone; not for ever."""
    for waited in range(0, PATIENCE, LOOK):
        others = OtherPrograms()
        time.sleep(LOOK)
        taken = others.share()
        if taken is None or taken <= CALM:
            return
        if not waited:
            console.print(
                f"Other programs take {taken:.0%} of each core: waiting up to {PATIENCE} s for a quiet machine."
            )


def write_folder(records: Records, experiment: Experiment, folder: Path) -> Path:
    """Table, plots, growth, bounds, regret of `auto`, cells, the experiment and its provenance. What an earlier run left there is replaced as a whole."""
    facts = provenance_of(records, experiment)
    marked = [f"Marked: {mark}." for mark in marks(facts)]
    table = run_table(records)
    new = folder.with_name(f".{folder.name}.new")
    with writing(folder):
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        replace(table, notes=[*table.notes, *marked]).write(new)
        if records["size"].nunique() > 1:
            growth_table(records).write(new, ("md",), stem="growth")
        if has_bounds(records):
            bound_table(records).write(new, ("md", "csv"), stem="bounds")
        if (records["solver"] == ASKS).any():
            regret_table(regrets(records)).write(new, ("md", "csv"), stem="regret")
        for stem, figure in run_figures(records):
            save(figure, new / stem, ("png",))
        write_cells(run_cells(records), new / CELLS)
        (new / "experiment.toml").write_text(experiment.text, encoding="utf-8")
        write_provenance(new, facts)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    return folder


def provenance_of(records: Records, experiment: Experiment) -> dict[str, Any]:
    """Where the numbers come from, without what a run's own provenance has for its report only."""
    known = records.provenance
    return {
        "question": experiment.question,
        "command": ["python", "-m", "bench.reproduction.publish", experiment.name],
        **run_facts(known, records["started"]),
        "repetitions": experiment.repetitions,
        "limits": records.experiment.get("limits"),
        "seeds": known.get("seeds"),
        "solvers": known.get("solvers"),
        "libraries": known.get("libraries"),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    given = argparse.ArgumentParser(
        prog="python -m bench.reproduction.publish", description=(__doc__ or "").split("\n")[0]
    )
    given.add_argument(
        "names", nargs="*", metavar="NAME", help="experiments; all that are published where none is named"
    )
    given.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    given.add_argument("--runs", type=Path, default=RUNS, help="where runs are kept, and resumed")
    given.add_argument("--index", action="store_true", help="run nothing; write the index and the README's table")
    chosen = given.parse_args(arguments)
    console = Console(highlight=False)
    names = () if chosen.index else chosen.names or PUBLISHED
    if unknown := [name for name in names if name not in built_in()]:
        raise InputError(f"unknown experiment {unknown[0]!r}: {nearest(unknown[0], built_in())}")
    for name in names:
        experiment = prepare(name)
        missing = missing_corpus(experiment)
        if missing and not chosen.names:
            console.print(f"{name}: left out. {missing}", soft_wrap=True)
            continue
        folder = publish(experiment, chosen.results, chosen.runs, console)
        console.print(f"{name}: {folder}", soft_wrap=True)
    for path in write_index(chosen.results):
        console.print(f"index: {path}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        sys.exit(f"dualbench: {error}")
