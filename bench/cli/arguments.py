"""Arguments that commands share, and standard output and error as they use them: a reader that has gone and a full disk stop nothing."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Annotated, Any, cast

import typer
from rich.console import Console

from problems.errors import InputError

from . import completion


class UnfailingStream:
    """A text stream that takes everything; `error` is what the real one said when it took no more."""

    def __init__(self, current: Callable[[], IO[str] | None]) -> None:
        self._current = current
        self.error: OSError | None = None

    @property
    def _stream(self) -> Any:
        stream = self._current()
        return getattr(stream, "rich_proxied_file", stream)  # what is below a progress bar

    def write(self, text: str) -> int:
        stream = self._stream
        if stream is not None:
            try:
                self._do(lambda: stream.write(text))
            except UnicodeEncodeError as error:
                plain = text.encode(error.encoding, "backslashreplace").decode(error.encoding)
                self._do(lambda: stream.write(plain))
        return len(text)

    def flush(self) -> None:
        stream = self._stream
        if stream is not None:
            self._do(stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _do(self, action: Callable[[], object]) -> None:
        if self.error is None:
            try:
                action()
            except OSError as error:
                self.error = error
                self._silence()

    def _silence(self) -> None:
        """Let what is still in the stream's buffer go nowhere, as Python would complain at the end."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


output, errors = UnfailingStream(lambda: sys.stdout), UnfailingStream(lambda: sys.stderr)


def write_document(text: str) -> None:
    """Write a text to standard output as it would be in a file: in UTF-8 and with its own line ends, whatever the terminal has."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    output.write(text)


def console_on(stream: UnfailingStream) -> Console:
    return Console(file=cast(IO[str], stream), highlight=False)


def lost_output() -> str:
    """Why a part of the output is missing, if somebody may miss it: a reader that has gone does not."""
    error = output.error
    return "" if error is None or isinstance(error, BrokenPipeError) else error.strerror or str(error)


console = console_on(output)
INTERRUPTED = 130  # the exit code after Ctrl-C

Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", help="A Python file with solvers or tasks of your own; may be repeated."),
]
Instance = Annotated[
    Path,
    typer.Argument(
        help="An instance (.json), a graph (.fg, .uai, .wcsp, .cfn), or library:NAME.",
        autocompletion=completion.instances,
    ),
]
SolverName = Annotated[
    str, typer.Option(help="The solver's name; see `dualbench list solvers`.", autocompletion=completion.solvers)
]
TASK_HELP = "The task; see `dualbench list tasks`."
SolverOption = Annotated[list[str] | None, typer.Option(help="An option of the solver, key=value; may be repeated.")]


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """Options from `key=value` texts; values are read as JSON where they can be."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise InputError(f"option {pair!r} must have the form key=value.")
        try:
            options[key] = json.loads(text)
        except (ValueError, RecursionError):
            options[key] = text
    return options
