"""The commands around learned models: train, evaluate, and parse, compress and summarize for people with text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from problems.errors import InputError

console = Console(highlight=False)
CHECKPOINT_SUFFIX = ".checkpoint"

Option = Annotated[list[str] | None, typer.Option("--option", help="An option, key=value; may be repeated.")]
Corpus = Annotated[str | None, typer.Option(help="`generated`, the name of a corpus, or a path.")]
Data = Annotated[Path | None, typer.Option(help="The folder of real corpora; DUALBENCH_DATA if not given.")]


def register(app: typer.Typer) -> None:
    app.command()(train)
    app.command()(evaluate)


def _options(given: list[str] | None, **named: Any) -> dict[str, Any]:
    from ..cli import parse_options

    options = parse_options(given or [])
    return options | {name: str(value) for name, value in named.items() if value is not None}


def train(
    task: Annotated[str, typer.Argument(help="parsing, summarization, compression or transduction")],
    out: Annotated[Path, typer.Option(help="The file for the model.")],
    corpus: Corpus = None,
    data: Data = None,
    option: Option = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint beside the model.")] = False,
) -> None:
    """Train a model on generated data or on a corpus."""
    from .options import training
    from .watching import TerminalWatcher

    chosen = training(task, _options(option, corpus=corpus, data=data))
    if out.is_dir():
        raise InputError(f"option '--out' must be a file for the model; {out} is a folder.")
    with TerminalWatcher(console) as watcher:
        figures = chosen.run(out, resume, watcher)
    said = "   ".join(f"{name} {value:.4g}" for name, value in figures.items())
    console.print(f"{out}   {said}".rstrip(), markup=False, soft_wrap=True)


def evaluate(
    task: Annotated[str, typer.Argument(help="parsing, summarization, compression or transduction")],
    model: Annotated[Path, typer.Argument(help="A model that `dualbench train` wrote.")],
    corpus: Corpus = None,
    data: Data = None,
    option: Option = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the table (Markdown, CSV, LaTeX).")] = None,
) -> None:
    """Decode a test set with a trained model and print the measures."""
    from ..tables import Table
    from .options import evaluation
    from .watching import TerminalWatcher

    chosen = evaluation(task, _options(option, corpus=corpus, data=data))
    with TerminalWatcher(console) as watcher:
        frame = chosen.run(model, watcher)
    rows = [[_shown(value) for value in row] for row in frame.itertuples(index=False)]
    table = Table(f"{task}: {model.name} on {chosen.corpus}", [str(name) for name in frame.columns], rows, [])
    table.show(console)
    if out is not None:
        table.write(out)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
