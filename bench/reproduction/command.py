"""`dualbench reproduce`: run the pieces, write the report, say what came out, on a screen of 80 x 24."""

from __future__ import annotations

import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from problems.errors import InputError

from ..records.log import writing
from ..runner.executors import LocalExecutor
from ..runner.processes import number_of_cores
from ..runner.progress import duration
from .claims import counted
from .context import Context
from .kernels import compile_first
from .own_corpora import NONE, OwnCorpora
from .piece import Piece
from .report import PIECES, chosen, write_report
from .schedule import Event, outcomes, run_pieces
from .store import Kept
from .verdicts import VERDICTS
from .watching import Watch

WIDTH, COLUMN = 80, 5
REPORT_EVERY_SECONDS = 60.0  # writing it takes some seconds of a core
HEADS = ("repr.", "weak", "not", "opp.", "open", "n/t")  # of VERDICTS


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
    said = [f"{total[verdict]} {verdict}" for verdict in VERDICTS]
    lines += ["", f"{len(every)} claims: {', '.join(said[:3])},", f"{', '.join(said[3:])}."]
    reused = sum(event.state == "reused" for event in events.values())
    if reused:
        lines.append(
            f"{reused} of {len(pieces)} pieces were reused from an earlier run: code and settings are the same."
        )
    lines.append(f"{duration(seconds)} in all. Report: {report}")
    return lines


LONGEST = ("am-table3", "am-table2", "yao-table2", "ql-table2", "martins-table3")


def side_by_side(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces that all lanes share, whether they are timed or not; the longest first, so that no lane waits for the other."""
    ordered = sorted(pieces, key=lambda piece: LONGEST.index(piece.name) if piece.name in LONGEST else len(LONGEST))
    return [replace(piece, timed=False) for piece in ordered]


def without_outcome(pieces: Sequence[Piece], context: Context) -> list[Piece]:
    """Those of which nothing can be shown yet; a full version, even of older code, is never replaced by a quick one."""
    kept = outcomes(pieces, context)
    return [piece for piece in pieces if piece.name not in kept]


def open_page(path: Path) -> bool:
    """Open a page where there is a screen to show it on; a text browser would take over the terminal."""
    if sys.platform not in ("darwin", "win32") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    return webbrowser.open(path.resolve().as_uri())


def _pass(
    pieces: Sequence[Piece],
    context: Context,
    lanes: int,
    console: Console,
    start: float,
    report: Callable[[], Path] | None = None,
) -> tuple[Watch, dict[str, Event]]:
    """Run pieces with their progress on view; `report` is written again now and then when one was made."""
    lock, written = threading.Lock(), time.monotonic()
    with Watch(console, pieces, context, lanes, start=start) as watch:

        def observe(event: Event) -> None:
            nonlocal written
            watch(event)
            if report is not None and event.state == "finished" and time.monotonic() - written > REPORT_EVERY_SECONDS:
                with lock:
                    written = time.monotonic()
                    report()

        return watch, run_pieces(pieces, context, lanes, observe)


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
    anytime: bool = False,
    opened: bool = False,
    repetitions: int | None = None,
    brief: bool = False,
    own: OwnCorpora = NONE,
    start: float | None = None,
) -> int:
    """The exit code: 1 if a piece failed. KeyboardInterrupt passes through; what is done is kept.

    `anytime`: a quick pass over the pieces that have no outcome comes first, and the report is written again as pieces end.
    `opened`: the first report is opened in a browser. `repetitions`: how often each cell is measured, at most; once in a quick run. `brief`: once, without the
    rows that `brief` leaves out, and all lanes share everything. `own`: corpora of the user's own, which take the place of the usual ones.
    `start`: when the user began to wait, by `time.monotonic`; None: now.
    """
    start = time.monotonic() if start is None else start
    lanes = LocalExecutor(min(2, number_of_cores()) if jobs is None else jobs).jobs
    if data is not None and not data.is_dir():
        raise InputError(f"{data}: no such folder; option '--data' names the folder of the real corpora.")
    if parser is not None and not parser.is_file():
        raise InputError(
            f"{parser}: no such file; option '--parser' names a parser that `dualbench train parsing` wrote."
        )
    if own != NONE:
        data = own.gathered(out / "runs" / "corpora", data)
    if data is not None:
        os.environ["DUALBENCH_DATA"] = str(data.resolve())
    if brief and repetitions not in (None, 1):
        raise InputError(f"options '--brief' and '--repetitions {repetitions}': a brief run measures each cell once.")
    pieces = chosen(names)
    once = 1 if brief or (quick and repetitions is None) else repetitions
    context = Context(out, quick, data, console, texts, parser, once, brief=brief and not quick)
    sentences = [piece.missing(context) for piece in pieces]
    if data is not None and all(sentence or not piece.real for sentence, piece in zip(sentences, pieces, strict=True)):
        raise InputError(
            next((sentence for sentence in sentences if sentence), f"{data}: no piece needs real corpora.")
        )
    if quick or brief:  # times are marked
        pieces = side_by_side(pieces)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    silent = replace(context, console=Console(quiet=True))  # one view shows everything
    compile_first(pieces, context, console)

    def reported() -> Path:
        return write_report(outcomes(list(PIECES.values()), silent), silent)

    if anytime and not quick and (fresh := without_outcome(pieces, context)):
        console.print(f"A quick pass over {len(fresh)} pieces comes first; each is then replaced by its full version.")
        hasty = replace(silent, quick=True, brief=False, repetitions=1)
        _pass(side_by_side(fresh), hasty, lanes, console, start)
        page = reported()
        console.print(Text(f"The quick report: {page}"), soft_wrap=True)
        opened = opened and not open_page(page)
    progress, events = _pass(pieces, silent, lanes, console, start, reported if anytime else None)
    report = reported()
    every = outcomes(list(PIECES.values()), silent)
    if opened:
        open_page(report)
    mine = {piece.name: every[piece.name] for piece in pieces if piece.name in every}
    shown = {name: kept for name, kept in mine.items() if events[name].state in ("finished", "reused")}
    lines = summary_lines(pieces, events, shown, report, progress.elapsed)
    console.print()
    for line in lines:
        console.print(Text(line), soft_wrap=True)
    return 1 if any(event.state == "failed" for event in events.values()) else 0
