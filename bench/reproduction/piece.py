"""A piece: one table or figure of a paper, or one comparison of solvers. What it made is plain data that can be kept in files."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from problems.errors import to_get

from ..output.tables import Table
from .claims import Claim
from .imported import sources_digest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Word = tuple[str, bool]  # a word and whether it was kept


@dataclass(frozen=True)
class Context:
    """How a run was asked for. `data` is the folder of the real corpora, None for generated data."""

    out: Path
    quick: bool = False
    data: Path | None = None
    console: Console = field(default_factory=lambda: Console(quiet=True))
    texts: bool = True  # keep example texts
    parser: Path | None = None  # a trained one, for real data; None: trained when it is needed
    repetitions: int | None = None  # of each cell at most; None: as many as the experiment asks for
    brief: bool = False  # without what `brief` leaves out
    runs: list[dict[str, Any]] = field(default_factory=list)  # where the runs that a piece has used come from

    def settings(self) -> dict[str, Any]:
        data = None if self.data is None else str(self.data.resolve())
        parser = None if self.parser is None else stamp(self.parser)
        settings: dict[str, Any] = {"quick": self.quick, "data": data, "texts": self.texts, "parser": parser}
        settings |= {} if self.repetitions is None else {"repetitions": self.repetitions}
        return {**settings, "brief": True} if self.brief else settings

    def folder(self, name: str) -> Path:
        return self.out / "pieces" / name

    def run_folder(self, name: str) -> Path:
        """Where the records of the runner go: they are bulky and not committed."""
        return self.out / "runs" / name


@dataclass(frozen=True)
class Shown:
    """A figure with what it shows (its caption) and what a reader who cannot see it should know; kept as STEM.png and STEM.svg."""

    stem: str
    caption: str
    alt: str
    figure: Figure | None = None  # none of one that is read from its files


@dataclass(frozen=True)
class Passage:
    """Text with its removed words: (title, lines of words)."""

    title: str
    lines: Sequence[Sequence[Word]]


@dataclass(frozen=True)
class Outcome:
    """What a piece made. `tables` are by stem; the first is the piece's own table."""

    tables: dict[str, Table] = field(default_factory=dict)
    figures: Sequence[Shown] = ()
    claims: Sequence[Claim] = ()
    passages: Sequence[Passage] = ()
    facts: dict[str, Any] = field(default_factory=dict)  # plain data for the cover page


@dataclass(frozen=True)
class Corpus:
    """A part of the real data that a piece needs: a path below the data folder, what it is, and what one's own has instead.

    Where it is not there, the only corpus beside that path that `own` says is one takes its place, or the first of `several`.
    """

    path: str
    what: str
    own: Callable[[Path], bool] | None = None
    several: bool = False
    option: str = ""  # of `dualbench reproduce`, which names one's own

    def owned(self, data: Path) -> list[Path]:
        """What could take its place, by name; none where it is there itself."""
        path = data / self.path
        if path.exists() or self.own is None or not path.parent.is_dir():
            return []
        return [each for each in sorted(path.parent.iterdir()) if each.is_dir() and self.own(each)]

    def locate(self, data: Path) -> Path | None:
        """Where it is; None where it is not, or where it is not clear which takes its place."""
        path = data / self.path
        if path.exists():
            return path
        found = self.owned(data)
        return found[0] if len(found) == 1 or (found and self.several) else None

    def name_in(self, data: Path) -> str:
        """The name by which readers know it."""
        return (self.locate(data) or data / self.path).name

    @property
    def name(self) -> str:
        """What `dualbench data get` calls it: the folder below that of its task."""
        return Path(self.path).parts[:2][-1]


@dataclass(frozen=True)
class Piece:
    """`timed` pieces measure seconds and keep a core of their own; `corpora` are needed with real data."""

    name: str
    paper: str
    where: str
    title: str
    make: Callable[[Context], Outcome]
    timed: bool = True
    corpora: tuple[Corpus, ...] = ()
    real: bool = True  # whether there is something to be run on real data

    @property
    def module(self) -> str:
        """The module that makes it."""
        function: Any = self.make.func if isinstance(self.make, partial) else self.make
        return str(function.__module__)

    def missing(self, context: Context) -> str | None:
        """One sentence about the first corpus that is not there; None where nothing is missing."""
        if context.data is None:
            return None
        for corpus in self.corpora:
            if corpus.locate(context.data) is None:
                path = context.data / corpus.path
                own = f", or one corpus of your own in {path.parent} (option '{corpus.option}')" if corpus.own else ""
                what = f"{corpus.what}{own}, for {self.name} ({self.title})"
                return f"{path}: not there; expected {what}; {to_get(corpus.name)}"
        return None

    def key(self, context: Context) -> str:
        """A hash of the code, the settings and the corpora (names, sizes, dates): what the outcome depends on."""
        state = hashlib.sha256(sources_digest(self.module).encode())
        state.update(json.dumps([self.name, context.settings()], sort_keys=True).encode())
        if context.data is not None:
            for corpus in self.corpora:
                state.update(stamp(corpus.locate(context.data) or context.data / corpus.path).encode())
        return state.hexdigest()[:20]


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Whoever comes second waits, and then finds what the first has made."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def stamp(path: Path) -> str:
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    return "\n".join(f"{each} {each.stat().st_size} {each.stat().st_mtime_ns}" for each in files if each.exists())
