"""The command that reproduces the papers' tables and figures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from . import completion
from .arguments import INTERRUPTED, UnfailingStream, console, console_on


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Pieces (`dualbench list pieces`); all of them if none is named.", autocompletion=completion.pieces
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few small instances, for a first look.")] = False,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the real corpora, instead of generated data.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for tables, figures, records and the report.")] = Path(
        "runs/reproduction"
    ),
    jobs: Annotated[
        int | None,
        typer.Option(help="Processes; those beside the first take what is not timed. 2 if there are 2 cores."),
    ] = None,
    texts: Annotated[bool, typer.Option("--texts/--no-texts", help="Example texts in the report.")] = True,
    anytime: Annotated[
        bool,
        typer.Option("--anytime", help="A quick pass and its report first; full versions replace it piece by piece."),
    ] = False,
    opened: Annotated[bool, typer.Option("--open", help="Open the first report in a browser.")] = False,
    repetitions: Annotated[
        int | None,
        typer.Option(min=1, help="Measure each cell at most this often; 1 takes less than half the time."),
    ] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Each cell once, on all cores, without slow rows that only we have."),
    ] = False,
    parser: Annotated[
        Path | None, typer.Option(help="A trained parser for real data; one is trained on en_ewt if not given.")
    ] = None,
    treebank: Annotated[
        list[Path] | None,
        typer.Option(help="A treebank of yours, a folder or a CoNLL file, in place of ours; may be repeated."),
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="Sentence pairs of yours, a folder or a file, in place of google_eval.")
    ] = None,
    topics: Annotated[
        Path | None, typer.Option(help="A folder of topics of yours, in place of MultiLing and Opinosis.")
    ] = None,
) -> None:
    """Reproduce the tables and figures of all four papers, with a verdict per claim and one report."""
    from ..reproduction.command import reproduce as run_reproduction
    from ..reproduction.own_corpora import OwnCorpora
    from ..runner.processes import started

    try:
        options: dict[str, Any] = {"quick": quick, "data": data, "out": out, "jobs": jobs, "texts": texts}
        options |= {"anytime": anytime, "opened": opened, "repetitions": repetitions, "brief": brief}
        options["start"] = started()
        options["own"] = OwnCorpora(tuple(treebank or ()), pairs, topics)
        stdout = sys.stdout
        shown = console_on(UnfailingStream(lambda: stdout))
        code = run_reproduction(names, **options, parser=parser, console=shown)
    except KeyboardInterrupt:
        console.print("Stopped; the same command continues where this one ended.")
        raise typer.Exit(INTERRUPTED) from None
    if code:
        raise typer.Exit(code)
