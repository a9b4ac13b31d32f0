"""Record the table that `advise` and `auto` come with: `python -m bench.reproduction.advice [--runs DIR] [--out FILE]`.

It runs the experiments `advice-*` (about a quarter of an hour on a quiet machine), goes on with runs that were left, and writes
the table from their records, with the provenance of each run. A run in which the audit finds an error is refused.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from problems.errors import InputError
from solvers.advice.table import FILE, Table

from ..analysis.advice_cases import cases_of
from ..experiments.experiment import built_in
from ..runner.runner import prepare
from .publish import RUNS, wait_for_quiet
from .runs import audited_run

PREFIX = "advice-"


def names() -> list[str]:
    """The experiments whose runs feed the advice."""
    return [name for name in built_in() if name.startswith(PREFIX)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Record the table that advice on solvers rests on.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all of `advice-*` where none is named")
    parser.add_argument("--runs", type=Path, default=RUNS, help="the folder of runs, which are gone on with")
    parser.add_argument("--out", type=Path, default=FILE, help="the table")
    given = parser.parse_args(arguments)
    console, table = Console(highlight=False), Table(())
    for name in given.names or names():
        wait_for_quiet(console)
        experiment = prepare(name)
        table = table.extended(cases_of(audited_run(experiment, given.runs / experiment.name, console)).table)
    table.write(given.out)
    cells = sum(len(case.cells) for case in table.cases)
    console.print(f"{given.out}: {cells} cells of {len(table.cases)} instances", soft_wrap=True)


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"dualbench: {error}")
