"""The command `dualbench decode`. Rows go to the output; everything else is said on standard error."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from problems.errors import InputError

from ..data.folder import data_folder
from ..experiments.plugins import load_plugins
from ..runner.compiling_bar import CompilingBar
from ..runner.supervisor import Interrupted
from . import completion
from .arguments import INTERRUPTED, TASK_HELP, Plugins, SolverName, SolverOption, console_on, errors, parse_options

SAY_SECONDS = 10.0


def decode(
    corpus: Annotated[
        str,
        typer.Argument(
            help="JSON lines (a file, .gz too, or - for standard input), a folder or glob of instance files, a corpus by "
            "name, or generated:SIZE:SEED:COUNT."
        ),
    ],
    task: Annotated[str, typer.Option(help=TASK_HELP, autocompletion=completion.tasks)],
    solver: SolverName,
    option: SolverOption = None,
    jobs: Annotated[int, typer.Option(help="Worker processes, each pinned to a core of its own.")] = 1,
    out: Annotated[str, typer.Option(help="A .jsonl or .parquet file, or - for JSON lines on standard output.")] = "-",
    resume: Annotated[bool, typer.Option("--resume", help="Decode only what the output does not have yet.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first instance that fails.")] = False,
    data: Annotated[Path | None, typer.Option(help="The folder of corpora; DUALBENCH_DATA if not given.")] = None,
    split: Annotated[str | None, typer.Option(help="The part of a corpus by name.")] = None,
    model: Annotated[str | None, typer.Option(help="The model that scores a corpus by name.")] = None,
    limit: Annotated[int | None, typer.Option(help="The most instances to decode.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds per instance.")] = 300.0,
    memory: Annotated[float | None, typer.Option(help="Gigabytes per worker.")] = None,
    metrics: Annotated[
        bool, typer.Option(help="Evaluate structures (ROUGE, ...) where there is a gold standard.")
    ] = True,
    plugin: Plugins = None,
) -> None:
    """Decode a corpus of any length, in order and with little memory; one row per instance.

    Exit code 1 if a row has no answer (status error, crash, timeout or memout).
    """
    from ..decoding.corpus import STREAM, open_corpus
    from ..decoding.decode import Decoding

    load_plugins(plugin or ())
    if resume and out == STREAM:
        raise InputError("option '--resume' needs an output file (--out).")
    path = str(Path(model).resolve()) if model else None
    found = open_corpus(corpus, task, split, path, data or data_folder(), limit)
    options = parse_options(option or [])
    bar = CompilingBar(console_on(errors))
    decoding = Decoding(
        found,
        solver,
        options,
        jobs=jobs,
        seconds=timeout,
        memory_gb=memory,
        metrics=metrics,
        plugins=plugin or (),
        strict=strict,
        announce=bar,
    )
    say = _Progress(decoding)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: decoding.pool.stop.set())
    try:
        with bar:
            if out == STREAM:
                decoding.to_stream(say)
            else:
                decoding.to_file(Path(out), resume, say)
    except BrokenPipeError:  # whoever reads the rows has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except Interrupted:
        say.end("stopped")
        if out != STREAM:
            arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
            print(f"continue with:\n    dualbench {shlex.join(arguments)} --resume", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    say.end("decoded")
    if decoding.failed:
        rows = decoding.before + sum(decoding.counts.values())
        have = "row has" if rows == 1 else "rows have"
        raise RuntimeError(f"{decoding.failed} of {rows} {have} no answer; the first is {decoding.first_failure}.")


class _Progress:
    """Now and then a line of how far it is, and one at the end."""

    def __init__(self, decoding: Any) -> None:
        self._decoding = decoding
        self._start = self._said = time.monotonic()

    def __call__(self, row: dict[str, Any]) -> None:
        if time.monotonic() - self._said > SAY_SECONDS:
            self._said = time.monotonic()
            self.end("so far")

    def end(self, what: str) -> None:
        counts, seconds = self._decoding.counts, time.monotonic() - self._start
        many = sum(counts.values())
        statuses = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "nothing new"
        before = f", {self._decoding.before} were there already" if self._decoding.before else ""
        print(
            f"{what}: {many} in {seconds:.1f} s ({many / seconds:.1f} per second): {statuses}{before}.", file=sys.stderr
        )
