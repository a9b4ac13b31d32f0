"""The commands around public corpora: data list, data get, data path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.padding import Padding
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..data.catalogue import Corpus, catalogue, corpus_named
from ..data.folder import data_folder
from . import completion
from .arguments import console

app = typer.Typer(help="Public corpora: what there is, fetching one, and where they are.", no_args_is_help=True)

Data = Annotated[
    Path | None, typer.Option(help="The folder of corpora; DUALBENCH_DATA or the user's data folder if not given.")
]


@app.command(name="list")
def list_corpora(data: Data = None) -> None:
    """List the corpora that can be fetched: task, size, whether they are here, licence and origin."""
    folder = data or data_folder()
    for corpus in catalogue().values():
        here = "here" if corpus.is_complete(folder) else "not here"
        console.print(Text(f"{corpus.name}: {corpus.task}, {corpus.size / 1e6:.1f} MB, {here}", style="bold"))
        about = (
            f"{corpus.title}. {corpus.note} Licence: {corpus.licence}. From {corpus.origin}, commit {corpus.commit}."
        )
        console.print(Padding(Text(" ".join(about.split()), overflow="fold"), (0, 0, 0, 4)))
    console.print("\nFetch one with `dualbench data get NAME`.", markup=False)


@app.command()
def get(
    names: Annotated[
        list[str], typer.Argument(help="Corpora by name; see `dualbench data list`.", autocompletion=completion.corpora)
    ],
    data: Data = None,
) -> None:
    """Fetch corpora into the data folder. Interrupted downloads continue; every file is verified by its SHA-256."""
    folder = data or data_folder()
    for corpus in [corpus_named(name) for name in names]:
        count = _fetched(corpus, folder)
        said = f"{count} of {len(corpus.files)} files fetched and verified" if count else "nothing to fetch"
        console.print(f"{corpus.name}: {said}; {corpus.home(folder)}", markup=False, soft_wrap=True)
        console.print(f"Licence: {corpus.licence}.", markup=False, soft_wrap=True)


def _fetched(corpus: Corpus, folder: Path) -> int:
    from ..data.get import get as get_corpus

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(corpus.name, total=None if corpus.archive else corpus.size)
        return len(get_corpus(corpus, folder, lambda count: bar.advance(task, count)))


@app.command()
def path(
    name: Annotated[
        str | None, typer.Argument(help="A corpus; without it, the data folder.", autocompletion=completion.corpora)
    ] = None,
    data: Data = None,
) -> None:
    """Print where corpora are, or where one of them is or would be."""
    folder = data or data_folder()
    print(folder if name is None else corpus_named(name).home(folder))
