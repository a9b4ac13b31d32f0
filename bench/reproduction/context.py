"""How a run was asked for, where its files go, and files that several processes make: what models and corpora need of a run.

Nothing here knows how results are shown or judged: trained models depend on this module, and are trained again when it changes.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console


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
