"""A piece: one table or figure of a paper, or one comparison of solvers. What it made is plain data that can be kept in files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from problems.errors import to_get

from ..output.tables import Table
from .claims import Claim
from .context import Context, stamp
from .imported import sources_digest
from .real_data import Corpus

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Word = tuple[str, bool]  # a word and whether it was kept


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
