"""Where the instances of `decode` come from, one after the other: what is in memory is what is being worked on.

A entry of a corpus is handed on as it was found (a line, a path, a seed); parsing is the workers' business. Its digest is a
hash of its content, which tells whether an output that is resumed was made from the same corpus.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import pickle
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from problems.bare_graph import BareGraphTask
from problems.errors import InputError, nearest
from problems.files import open_regular, read_bytes
from problems.formats import ENDINGS

from ..experiments.instances import matching
from ..experiments.sources import digest, task_named

GENERATED = "generated:"
STREAM = "-"
LONGEST_LINE = 1 << 28  # bytes of an instance; also of what a packed line may unpack to


class Entry(NamedTuple):
    """An instance on its way to a worker."""

    position: int
    name: str  # where it comes from, for messages
    digest: str
    form: str  # json, graph (a path), generated, instance (pickled), or broken (why)
    content: bytes


class Corpus(NamedTuple):
    """What the user named, and how to get at it; `task` is the name of one."""

    task: str
    where: str
    kind: str  # lines, files, generated or corpus
    split: str | None = None
    model: str | None = None
    folder: Path = Path()
    limit: int | None = None

    def entries(self) -> Iterator[Entry]:
        """All entries in order, numbered from 0."""
        found = getattr(self, f"_{self.kind}")()
        for position, (name, form, content, known) in enumerate(islice(found, self.limit)):
            yield Entry(position, name, known or _hash(form, content), form, content)

    def _lines(self) -> Iterator[tuple[str, str, bytes, str]]:
        where = "standard input" if self.where == STREAM else self.where
        with _opened(self.where) as file:
            try:
                lines = iter(lambda: file.readline(LONGEST_LINE + 1), b"")
                for number, line in enumerate(lines, start=1):
                    if len(line) > LONGEST_LINE:
                        raise InputError(f"{where}, line {number}: longer than {LONGEST_LINE >> 20} MB.")
                    if line.strip():
                        yield f"{where}, line {number}", "json", line, ""
            except (OSError, EOFError, zlib.error) as error:
                raise InputError(f"{where}: cannot be read ({error}).") from None

    def _files(self) -> Iterator[tuple[str, str, bytes, str]]:
        for path in _paths(self.where):
            try:
                content = read_bytes(path, LONGEST_LINE)
            except OSError as error:
                yield str(path), "broken", f"{path}: cannot be read ({error.strerror}).".encode(), ""
                continue
            if path.suffix.lower() in ENDINGS:
                yield str(path), "graph", str(path.resolve()).encode(), _hash("graph", content)
            else:
                yield str(path), "json", content, ""

    def _generated(self) -> Iterator[tuple[str, str, bytes, str]]:
        size, first, count = _generator(self.where, task_named(self.task))
        for seed in range(first, first + count):
            yield f"{size}-{seed}", "generated", f"{size}:{seed}".encode(), ""

    def _corpus(self) -> Iterator[tuple[str, str, bytes, str]]:
        task = task_named(self.task)
        read = task.read_corpus(self.where, self.folder, self.split, self.model, self.limit)
        for number, instance in enumerate(read, start=1):
            name = getattr(instance, "name", "") or f"{self.where}, {number}"
            yield name, "instance", pickle.dumps(instance, pickle.HIGHEST_PROTOCOL), digest(task, instance)


def open_corpus(
    where: str,
    task: str,
    split: str | None = None,
    model: str | None = None,
    folder: Path = Path(),
    limit: int | None = None,
) -> Corpus:
    """What the user means: a generator, a corpus by name, standard input (-), a folder or glob, or a file of JSON lines."""
    chosen = task_named(task)
    if limit is not None and limit < 1:
        raise InputError(f"option '--limit' must be at least 1, not {limit}.")
    kind = _kind(where, chosen)
    if kind != "corpus" and (split or model):
        raise InputError(f"options '--split' and '--model' are for corpora by name, and {where!r} is none.")
    if kind == "generated":
        _generator(where, chosen)
    if kind == "lines" and task == BareGraphTask.name:
        raise InputError(f"{where}: factor graphs are read from .fg, .uai, .wcsp and .cfn files, not from JSON lines.")
    return Corpus(task, where, kind, split, model, folder, limit)


def _kind(where: str, task: Any) -> str:
    path = Path(where)
    if where.startswith(GENERATED):
        return "generated"
    if where == STREAM:
        return "lines"
    if path.is_dir() or path.suffix.lower() in (".json", *ENDINGS) or glob.has_magic(where):
        return "files"
    if path.exists():
        return "lines"
    if where in task.corpora:
        return "corpus"
    known = nearest(where, task.corpora) if task.corpora else f"task {task.name!r} reads no corpora by name."
    raise InputError(
        f"{where}: no such file, folder or corpus ({known.rstrip('.')}); `dualbench data list` shows corpora to get."
    )


def _paths(where: str) -> list[Path]:
    path = Path(where)
    if path.is_dir():
        found = sorted(file for file in path.iterdir() if file.suffix.lower() in (".json", *ENDINGS))
    else:
        found = list(map(Path, matching(where))) if glob.has_magic(where) else [path]
    if not found:
        raise InputError(f"{where}: no instance files there (expected .json, {', '.join(ENDINGS)}).")
    return found


def _generator(where: str, task: Any) -> tuple[str, int, int]:
    size, *numbers = where.removeprefix(GENERATED).split(":")
    if len(numbers) != 2 or not all(text.isascii() and text.isdigit() for text in numbers) or int(numbers[1]) < 1:
        raise InputError(f"{where!r} must have the form generated:SIZE:SEED:COUNT, such as generated:tiny:1:1000.")
    if size not in task.sizes:
        known = nearest(size, task.sizes) if task.sizes else f"task {task.name!r} has no generator."
        raise InputError(f"{where!r}: unknown size {size!r}: {known}")
    return size, int(numbers[0]), int(numbers[1])


@contextmanager
def _opened(where: str) -> Iterator[BinaryIO]:
    if where == STREAM:  # not sys.stdin itself: a thread that waits for it would keep Python from ending
        with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as stream:
            yield stream
        return
    try:
        opened = open_regular(where)
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror}).") from None
    with opened:
        if where.endswith(".gz"):
            with gzip.open(opened, "rb") as unpacked:
                yield cast(BinaryIO, unpacked)
        else:
            yield opened


def _hash(form: str, content: bytes) -> str:
    return hashlib.sha256(form.encode() + b"\n" + content.strip()).hexdigest()[:20]
