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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from typing import Any, Literal

from rich.console import Console

from problems.errors import InputError

from ..records.provenance import at_the_end, provenance
from .piece import Context, Piece
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


def run_piece(piece: Piece, context: Context) -> tuple[Event, Kept | None]:
    """Run one piece, or take what is there."""
    if context.data is not None and not piece.real:
        return Event(piece.name, "left out", message="it measures generated sentences only"), None
    sentence = piece.missing(context)
    if sentence is not None:
        return Event(piece.name, "missing", message=sentence), None
    key, folder = piece.key(context), context.folder(piece.name)
    kept = reusable(folder, key)
    if kept is not None:
        return Event(piece.name, "reused", float(kept.done["seconds"])), kept
    facts, start, cpu = provenance(()), time.monotonic(), _cpu_seconds()
    context = replace(context, runs=[])
    with redirect_stdout(io.StringIO()):  # studies print what they do; the console of the context has its own file
        outcome = piece.make(context)
    if not context.texts:
        outcome = replace(outcome, passages=())
    seconds = round(time.monotonic() - start, 1)
    done = {"key": key, "name": piece.name, "quick": context.quick, "data": context.data is not None}
    done |= {"seconds": seconds, "cpu_seconds": round(_cpu_seconds() - cpu, 1)}
    own = at_the_end(facts)
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

    timed = [piece for piece in pieces if piece.timed]
    others = [piece for piece in pieces if not piece.timed]
    if len(pieces) == 1:
        _observed(pieces[0], context, note)
        return ended
    if jobs == 1 or not others:
        for piece in pieces:
            (_alone if piece.timed else _observed)(piece, context, note)
        return ended
    with _Lanes(others, context, jobs - 1, note) as lanes:
        for piece in timed:
            _alone(piece, context, note)
        lanes.help(context, note)
    for piece in pieces:
        if piece.name not in ended:
            note(Event(piece.name, "failed", message="its process ended without a word"))
    return ended


def _observed(piece: Piece, context: Context, observe: Observer) -> None:
    observe(Event(piece.name, "started"))
    try:
        event, _ = run_piece(piece, context)
    except (InputError, RuntimeError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
        event = Event(piece.name, "failed", message=" ".join(f"{kind}{error}".split()))
    observe(event)


def _plain(context: Context) -> dict[str, Any]:
    """What another process needs of a context."""
    return {name: getattr(context, name) for name in ("out", "quick", "data", "texts", "parser")}


def _alone(piece: Piece, context: Context, observe: Observer) -> None:
    """Run a piece in a process of its own and pass on what it says; none is needed for what is there."""
    if reusable(context.folder(piece.name), piece.key(context)) is not None:
        _observed(piece, context, observe)
        return
    spawn = multiprocessing.get_context("spawn")
    events = spawn.Queue()
    process = spawn.Process(target=_once, args=(piece, _plain(context), context.console.quiet, events))
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
        if process.is_alive():  # it is about to end, or this side was interrupted
            process.join(1)
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
            process.join(20)
            process.terminate()
        process.join()


def _once(piece: Piece, settings: dict[str, Any], quiet: bool, events: Any) -> None:
    with _quiet_interrupt():
        _observed(piece, Context(**settings, console=Console(quiet=quiet)), events.put)


class _Lanes:
    """Processes that take pieces from a common list until it is empty; each keeps to a core of its own."""

    def __init__(self, pieces: Sequence[Piece], context: Context, lanes: int, observe: Observer) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._tasks: Any = spawn.Queue()
        self._events: Any = spawn.Queue()
        for piece in pieces:
            self._tasks.put(piece)
        self._observe, self._left = observe, len(pieces)
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._own = cores[:1]
        self._all = cores
        self._processes = []
        for number in range(min(lanes, len(pieces))):
            core = cores[(number + 1) % len(cores)] if len(cores) > 1 else None
            arguments = (_plain(context), core, self._tasks, self._events)
            self._processes.append(spawn.Process(target=_lane, args=arguments, daemon=False))
        self._listener = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> _Lanes:
        for process in self._processes:
            process.start()
        if len(self._all) > 1:
            os.sched_setaffinity(0, self._own)
        self._listener.start()
        return self

    def help(self, context: Context, observe: Observer) -> None:
        """Take pieces as well, now that nothing here is timed any more."""
        if len(self._all) > 1:
            os.sched_setaffinity(0, self._all)
        while True:
            try:
                piece = self._tasks.get(timeout=0.2)
            except queue.Empty:
                break
            self._left -= 1
            _observed(piece, context, observe)
        while self._left > 0 and any(process.is_alive() for process in self._processes):
            time.sleep(0.1)

    def _listen(self) -> None:
        while True:
            event = self._events.get()
            if event is None:
                return
            self._observe(event)
            if event.state != "started":
                self._left -= 1

    def __exit__(self, *_: object) -> None:
        if len(self._all) > 1:
            os.sched_setaffinity(0, self._all)
        for process in self._processes:
            if process.is_alive() and self._left > 0:  # this side was interrupted
                os.kill(process.pid or 0, signal.SIGINT)
        for process in self._processes:
            process.join(20)
            if process.is_alive():
                process.terminate()
        self._events.put(None)
        self._listener.join(5)


def _lane(settings: dict[str, Any], core: int | None, tasks: Any, events: Any) -> None:
    """The life of a lane: silent, on its own core, gone when the list is empty or the user stops."""
    if core is not None:
        os.sched_setaffinity(0, [core])
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    context = Context(**settings, console=Console(quiet=True))
    with _quiet_interrupt():
        while True:
            try:
                piece = tasks.get(timeout=0.2)
            except queue.Empty:
                return
            _observed(piece, context, events.put)


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
