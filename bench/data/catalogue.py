"""Public corpora that can be fetched: origin, commit, licence, and the size and SHA-256 of every file.

`catalogue.toml` has the corpora, `files.csv` their files. A file is pinned to a commit of its repository and to its content: a
repository that changes can break a download, not a number.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from problems.errors import InputError, nearest, quoted

HERE = Path(__file__).parent
HOMES = {"parsing": "treebanks", "compression": "compression", "summarization": "summarization"}
FIELDS = ("corpus", "path", "size", "sha256", "source")


class File(NamedTuple):
    """A file below its corpus's folder; `source` is its path in the repository or archive where that differs."""

    path: str
    size: int
    sha256: str
    source: str = ""


@dataclass(frozen=True)
class Corpus:
    name: str
    task: str
    title: str
    licence: str
    origin: str  # owner/repository on GitHub
    commit: str
    root: str = ""
    archive: str = ""
    note: str = ""
    files: tuple[File, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of its files; what an archive holds beside them is not counted."""
        return sum(file.size for file in self.files)

    def home(self, folder: Path) -> Path:
        """Where readers expect it below the data folder."""
        return folder / HOMES[self.task] / self.name

    def is_complete(self, folder: Path) -> bool:
        """Are all files there, with their sizes? Contents are verified when they are fetched."""
        home = self.home(folder)
        return all(
            (home / file.path).is_file() and (home / file.path).stat().st_size == file.size for file in self.files
        )

    def path_of(self, file: File) -> str:
        """Its path in the repository (or in the archive)."""
        return "/".join(part for part in (self.root, file.source or file.path) if part)

    def url(self, mirror: str, path: str) -> str:
        """A file of the repository at the pinned commit."""
        return f"{mirror.rstrip('/')}/{self.origin}/{self.commit}/{quote(path)}"


@cache
def catalogue() -> dict[str, Corpus]:
    """All corpora by name."""
    files: dict[str, list[File]] = {}
    with (HERE / "files.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            files.setdefault(row["corpus"], []).append(
                File(row["path"], int(row["size"]), row["sha256"], row["source"])
            )
    described = tomllib.loads((HERE / "catalogue.toml").read_text(encoding="utf-8"))
    return {name: Corpus(name, **facts, files=tuple(files[name])) for name, facts in described.items()}


def corpus_named(name: str) -> Corpus:
    if name not in catalogue():
        raise InputError(f"unknown corpus {quoted(name)}: {nearest(name, catalogue())} See `dualbench data list`.")
    return catalogue()[name]
