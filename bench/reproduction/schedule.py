"""Run pieces: timed ones one after the other, each in a process of its own, the others beside them on other cores.

A timed piece has a new process so that its times do not depend on what ran before it: once, after a long piece in the same
process, oracles that grow linearly were measured as if they grew quadratically (the cause was not found).

Whatever one piece does, the others are run. What has been made before from the same code and settings is reused.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from typing import Any, Literal

from rich.console import Console

from problems.errors import InputError

from ..records.provenance import Recording
from .claims import holm_corrected, with_settings
from .context import Context
from .piece import Piece
from .store import Kept, read_outcome, reusable, write_outcome

State = Literal["started", "finished", "reused", "left out", "missing", "failed"]


@dataclass(frozen=True)
class Event:
    """What happened to a piece; `seconds` is how long it took, `message` why it has no outcome."""

    name: str
    state: State
    seconds: float = 0.0
    message: str = ""


Observer = Callable[[Event], None]
INTERRUPTED = 130  # the exit code of a process that the user has stopped


def run_piece(piece: Piece, context: Context, key: str = "") -> tuple[Event, Kept | None]:
    """Run one piece, or take what is there; `key` is the piece's, where it is known."""
    if context.data is not None and not piece.real:
        return Event(piece.name, "left out", message="it measures generated sentences only"), None
    sentence = piece.missing(context)
    if sentence is not None:
        return Event(piece.name, "missing", message=sentence), None
    key, folder = key or piece.key(context), context.folder(piece.name)
    kept = reusable(folder, key)
    if kept is not None:
        return Event(piece.name, "reused", float(kept.done["seconds"])), kept
    recording, start, cpu = Recording(), time.monotonic(), _cpu_seconds()
    context = replace(context, runs=[])
    with redirect_stdout(io.StringIO()):  # studies print what they do; the console of the context has its own file
        outcome = piece.make(context)
    if not context.texts:
        outcome = replace(outcome, passages=())
    settings = "; ".join(run["settings"] for run in context.runs)
    outcome = replace(outcome, claims=with_settings(holm_corrected(outcome.claims), settings))
    seconds = round(time.monotonic() - start, 1)
    done = {"key": key, "name": piece.name, "quick": context.quick, "data": context.data is not None}
    done |= {"brief": True} if context.brief else {}
    done |= {"seconds": seconds, "cpu_seconds": round(_cpu_seconds() - cpu, 1)}
    own = recording.ended()
    done |= {name: own[name] for name in ("started", "ended", "code", "load", "machine")} | {"runs": context.runs}
    return Event(piece.name, "finished", seconds), write_outcome(folder, outcome, done)


def _cpu_seconds() -> float:
    """Of this process and of all that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run_pieces(pieces: Sequence[Piece], context: Context, jobs: int, observe: Observer) -> dict[str, Event]:
    """The last event of each piece. KeyboardInterrupt after all lanes have stopped, if the user asks for it."""
    ended: dict[str, Event] = {}

    def note(event: Event) -> None:
        if event.state != "started":
            ended[event.name] = event
        observe(event)

    if len(pieces) == 1:
        _observed(pieces[0], context, note)
    elif jobs == 1 or all(piece.timed for piece in pieces):
        for piece in pieces:
            (_alone if piece.timed or context.brief else _observed)(piece, context, note)
    else:
        _in_lanes(pieces, context, jobs - 1, note)
    return ended


def _in_lanes(pieces: Sequence[Piece], context: Context, beside: int, observe: Observer) -> None:
    """Timed pieces on a core of their own; the others are taken by lanes beside them, and here once nothing is timed any more."""
    others = deque(piece for piece in pieces if not piece.timed)
    cores: list[int | None] = [*sorted(os.sched_getaffinity(0))] if hasattr(os, "sched_getaffinity") else [None]
    silent = replace(context, console=Console(quiet=True))

    def lane(core: int | None) -> None:
        with suppress(IndexError, KeyboardInterrupt):  # nothing is left, or the user stops
            while True:
                _alone(others.popleft(), silent, observe, core)

    numbers = range(1, 1 + min(beside, len(others)))
    lanes = [threading.Thread(target=lane, args=(cores[number % len(cores)],), daemon=True) for number in numbers]
    try:
        for thread in lanes:
            thread.start()
        for piece in pieces:
            if piece.timed:
                _alone(piece, context, observe, cores[0])
        with suppress(IndexError):
            while True:
                if context.quick:  # nothing is measured well: no process has to be started for each
                    _observed(others.popleft(), context, observe)
                else:
                    _alone(others.popleft(), silent, observe, cores[0])
        for thread in lanes:
            thread.join()
    except BaseException:  # this side was interrupted
        others.clear()
        for child in multiprocessing.active_children():
            _stop(child)
        raise


def _observed(piece: Piece, context: Context, observe: Observer, key: str = "") -> None:
    observe(Event(piece.name, "started"))
    start = time.monotonic()
    try:
        event, _ = run_piece(piece, context, key)
        if event.state == "finished":  # with its key, its figures and its files
            event = replace(event, seconds=round(time.monotonic() - start, 1))
    except (InputError, RuntimeError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
        event = Event(piece.name, "failed", message=" ".join(f"{kind}{error}".split()))
    observe(event)


def _plain(context: Context) -> dict[str, Any]:
    """What another process needs of a context."""
    return {
        name: getattr(context, name) for name in ("out", "quick", "data", "texts", "parser", "repetitions", "brief")
    }


def _alone(piece: Piece, context: Context, observe: Observer, core: int | None = None) -> None:
    """Run a piece in a process of its own and pass on what it says; none is needed for what is there."""
    key = piece.key(context)  # reads all sources: seconds, but once in this process
    if reusable(context.folder(piece.name), key) is not None:
        _observed(piece, context, observe, key)
        return
    spawn = multiprocessing.get_context("spawn")
    events = spawn.Queue()
    process = spawn.Process(target=_once, args=(piece, _plain(context), context.console.quiet, events, core, key))
    process.start()
    try:
        while True:
            alive = process.is_alive()
            try:
                event = events.get(timeout=0.2)
            except queue.Empty:
                if alive:
                    continue
                if process.exitcode == INTERRUPTED:
                    raise KeyboardInterrupt from None
                event = Event(piece.name, "failed", message="its process ended without a word")
            observe(event)
            if event.state != "started":
                break
    finally:
        process.join(1)
        _stop(process)  # if this side was interrupted


def _stop(process: BaseProcess) -> None:
    if process.is_alive() and process.pid is not None:
        os.kill(process.pid, signal.SIGINT)
        process.join(20)
        process.terminate()
    process.join()


def _once(piece: Piece, settings: dict[str, Any], quiet: bool, events: Any, core: int | None, key: str) -> None:
    if core is not None:
        os.sched_setaffinity(0, [core])
    if not piece.timed:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    with _quiet_interrupt():
        _observed(piece, Context(**settings, console=Console(quiet=quiet)), events.put, key)


@contextmanager
def _quiet_interrupt() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)


def outcomes(pieces: Sequence[Piece], context: Context) -> dict[str, Kept]:
    """What the folders hold of these pieces, whichever run made it."""
    found = {}
    for piece in pieces:
        try:
            found[piece.name] = read_outcome(context.folder(piece.name))
        except InputError:
            continue
    return found
