"""`dualbench reproduce`: run the pieces, write the report, say what came out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from problems.errors import InputError

from .catalog import PIECES, chosen
from .piece import Context, Piece
from .report import write_report
from .schedule import outcomes, run_pieces
from .summary import PieceProgress, show_summary, summary_lines

COMPILE = ("am-table2", "ql-table2", "yao-table2")


def spread(pieces: Sequence[Piece]) -> list[Piece]:
    """Those first that compile kernels of their own: side by side, others would compile the same ones twice."""
    return sorted(pieces, key=lambda piece: COMPILE.index(piece.name) if piece.name in COMPILE else len(COMPILE))


def reproduce(
    names: list[str] | None,
    *,
    quick: bool,
    data: Path | None,
    out: Path,
    jobs: int | None,
    texts: bool,
    parser: Path | None,
    console: Console,
) -> int:
    """The exit code: 1 if a piece failed. KeyboardInterrupt passes through; what is done is kept."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    lanes = min(2, cores) if jobs is None else jobs
    if not 1 <= lanes <= cores:
        raise InputError(f"option '--jobs' must be between 1 and {cores} (the cores of this machine), not {jobs}.")
    if data is not None:
        if not data.is_dir():
            raise InputError(f"{data}: no such folder; option '--data' names the folder of the real corpora.")
        os.environ["DUALBENCH_DATA"] = str(data.resolve())
    if parser is not None and not parser.is_file():
        raise InputError(
            f"{parser}: no such file; option '--parser' names a parser that `dualbench train parsing` wrote."
        )
    pieces = chosen(names)
    context = Context(out, quick, data, console, texts, parser)
    sentences = [piece.missing(context) for piece in pieces]
    if data is not None and all(sentence or not piece.real for sentence, piece in zip(sentences, pieces, strict=True)):
        raise InputError(
            next((sentence for sentence in sentences if sentence), f"{data}: no piece needs real corpora.")
        )
    if quick:  # nothing is measured well: all lanes share everything
        pieces = spread([replace(piece, timed=False) for piece in pieces])
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror}).") from None
    progress = PieceProgress(console, pieces)
    events = run_pieces(pieces, context, lanes, progress)
    every = outcomes(list(PIECES.values()), context)
    report = write_report(every, context)
    mine = {piece.name: every[piece.name] for piece in pieces if piece.name in every}
    shown = {name: kept for name, kept in mine.items() if events[name].state in ("finished", "reused")}
    show_summary(console, summary_lines(pieces, events, shown, report, progress.elapsed))
    return 1 if any(event.state == "failed" for event in events.values()) else 0
