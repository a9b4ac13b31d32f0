"""`dualbench reproduce`: run the pieces, write the report, say what came out, on a screen of 80 x 24."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from problems.errors import InputError

from ..records.log import writing
from ..runner.executors import LocalExecutor, number_of_cores
from ..runner.progress import duration
from .claims import counted
from .piece import Context, Piece
from .report import PIECES, chosen, write_report
from .schedule import Event, outcomes, run_pieces
from .store import Kept
from .verdicts import VERDICTS

WIDTH, COLUMN = 80, 6
HEADS = ("holds", "paper", "fails", "undec.", "untest")  # of VERDICTS; paper: against its solver only


class PieceProgress:
    """Prints each event with what is left; `timed` pieces of earlier runs tell nothing about how long the rest takes."""

    def __init__(self, console: Console, pieces: Sequence[Piece]) -> None:
        self._console = console
        self._pieces = {piece.name: piece for piece in pieces}
        self._left = dict.fromkeys(self._pieces)
        self._start = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def __call__(self, event: Event) -> None:
        piece = self._pieces[event.name]
        if event.state == "started":
            self._say(f"{event.name}: {piece.where}, {piece.title} ...")
            return
        self._left.pop(event.name, None)
        said = {
            "finished": f"made in {duration(event.seconds)}",
            "reused": "reused, nothing has changed",
            "left out": f"left out: {event.message}",
            "missing": f"left out: {event.message}",
            "failed": f"failed: {event.message}",
        }[event.state]
        rest = f"{len(self._left)} of {len(self._pieces)} left" if self._left else "that was the last"
        self._say(f"{event.name}: {said} ({duration(self.elapsed)} since the start, {rest})")

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def summary_lines(
    pieces: Sequence[Piece], events: Mapping[str, Event], kept: Mapping[str, Kept], report: Path, seconds: float
) -> list[str]:
    """One line per piece, the claims by verdict, and where the report is; none is wider than a screen but the path."""
    heads = " ".join(f"{head:>{COLUMN}}" for head in HEADS)
    lines = [f"{'piece':<21} {'where':<14} {'time':>6} {heads}"]
    for piece in pieces:
        event = events.get(piece.name)
        if event is None:
            lines.append(f"{piece.name:<21} not run")
        elif event.state in ("left out", "missing", "failed"):
            lines.append(f"{piece.name:<21} {event.state}: {event.message}"[:WIDTH])
        else:
            found = counted(kept[piece.name].claims) if piece.name in kept else {}
            counts = " ".join(f"{count or '':>{COLUMN}}" for count in found.values())
            spent = "reused" if event.state == "reused" else duration(event.seconds)
            lines.append(f"{piece.name:<21} {piece.where:<14} {spent:>6} {counts}".rstrip())
    every = [claim for each in kept.values() for claim in each.claims]
    total = counted(every)
    said = [f"{total[verdict]} {_plural(verdict)}" for verdict in VERDICTS]
    lines += ["", f"{len(every)} claims: {said[0]}, {said[1]},", f"{said[2]}, {said[3]}, {said[4]}."]
    reused = sum(event.state == "reused" for event in events.values())
    if reused:
        lines.append(
            f"{reused} of {len(pieces)} pieces were reused from an earlier run: code and settings are the same."
        )
    lines.append(f"{duration(seconds)} in all. Report: {report}")
    return lines


def _plural(verdict: str) -> str:
    return verdict.replace("holds", "hold").replace("does not", "do not")


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
    lanes = LocalExecutor(min(2, number_of_cores()) if jobs is None else jobs).jobs
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
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    progress = PieceProgress(console, pieces)
    events = run_pieces(pieces, context, lanes, progress)
    every = outcomes(list(PIECES.values()), context)
    report = write_report(every, context)
    mine = {piece.name: every[piece.name] for piece in pieces if piece.name in every}
    shown = {name: kept for name, kept in mine.items() if events[name].state in ("finished", "reused")}
    lines = summary_lines(pieces, events, shown, report, progress.elapsed)
    console.print()
    for line in lines:
        console.print(Text(line), soft_wrap=True)
    return 1 if any(event.state == "failed" for event in events.values()) else 0
