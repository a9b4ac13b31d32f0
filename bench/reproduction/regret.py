"""The regret of `auto` in runs of the experiments `auto-*`: `python -m bench.reproduction.regret RUN ... [--out DIR]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from problems.errors import InputError

from ..analysis.regret import regrets
from ..output.regret_table import regret_table
from ..records.log import load_run


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What `auto` costs against the virtual best of all solvers of a run.")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, help="a folder for the table as Markdown, CSV and LaTeX")
    given = parser.parse_args(arguments)
    table = regret_table([each for run in given.runs for each in regrets(load_run(run))])
    table.show(Console(highlight=False))
    if given.out is not None:
        table.write(given.out, stem="regret")


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"dualbench: {error}")
