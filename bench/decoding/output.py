"""Where rows go: JSON lines that are appended to, or Parquet in parts that become one file at the end.

Rows are in the order of the corpus, so what has been written is always the beginning of the whole. A crash costs the JSON
line that it tore, or the rows since the last part.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

from problems.errors import InputError
from problems.files import check_regular, replacing

from ..records.log import as_line, cut_torn_line, writing

SYNC_SECONDS = 1.0  # between moments at which all rows are on disk, whatever happens to the machine
PART_SECONDS = 30.0
PART_ROWS = 4096
PART_CHARACTERS = 2**24
GROUP_ROWS = 65536
GROUP_BYTES = 2**26


class Done(NamedTuple):
    """What counts of a row that is there already."""

    position: int
    digest: str
    name: str
    status: str
    message: str


class Output(Protocol):
    def done(self) -> Iterator[Done]:
        """The rows that are there, in order."""

    def append(self, row: dict[str, Any]) -> None: ...

    def close(self, complete: bool) -> None:
        """Everything is on disk afterwards; `complete` if it is the whole corpus."""


class JsonLines:
    """A file of JSON lines, or standard output."""

    def __init__(self, path: Path | None) -> None:
        self._path = path or Path("standard output")
        self._synced = time.monotonic()
        with writing(self._path, kept=True):
            if path:
                check_regular(path)
            self._file: BinaryIO = open(path, "ab") if path else sys.stdout.buffer  # noqa: SIM115 (closed by close)
            if path:
                cut_torn_line(path)

    def done(self) -> Iterator[Done]:
        with open(self._path, "rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    row = json.loads(line)
                    yield Done(int(row["position"]), *(str(row[field]) for field in Done._fields[1:]))
                except (ValueError, KeyError, TypeError):
                    raise InputError(f"{self._path}, line {number}: not a row of an earlier decoding.") from None

    def append(self, row: dict[str, Any]) -> None:
        with writing(self._path, kept=True):
            self._file.write(as_line(row))
            self._file.flush()  # whoever reads standard output may be waiting for this row
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self._sync()

    def _sync(self) -> None:
        self._file.flush()
        if self._file is not sys.stdout.buffer:
            os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self, complete: bool) -> None:
        with writing(self._path, kept=True):
            self._sync()
            if self._file is not sys.stdout.buffer:
                self._file.close()


class Parquet:
    """Parts in a folder beside the file, each written whole; structures and metrics are JSON texts in them."""

    def __init__(self, path: Path) -> None:
        self._path, self._folder = path, path.with_name(path.name + ".parts")
        self._rows: list[dict[str, Any]] = []
        self._characters, self._began = 0, time.monotonic()
        with writing(path, kept=True):
            check_regular(path)
            self._folder.mkdir(exist_ok=True)

    def _files(self) -> list[Path]:
        """What there is, in order: the file of an earlier decoding that came to its end, then parts."""
        return [*([self._path] if self._path.exists() else []), *sorted(self._folder.glob("part-*.parquet"))]

    def done(self) -> Iterator[Done]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        for file in self._files():
            try:
                check_regular(file)
                with pq.ParquetFile(file) as opened:
                    for batch in opened.iter_batches(columns=list(Done._fields)):
                        yield from map(Done, *(batch[field].to_pylist() for field in Done._fields))
            except (OSError, KeyError, pa.ArrowException):
                raise InputError(f"{file}: not a file of rows of an earlier decoding.") from None

    def append(self, row: dict[str, Any]) -> None:
        text = {name: json.dumps(row[name], ensure_ascii=False) for name in ("structure", "metrics")}
        self._rows.append({**row, **text})
        self._characters += len(text["structure"]) + len(text["metrics"])
        late = time.monotonic() - self._began > PART_SECONDS
        if late or len(self._rows) >= PART_ROWS or self._characters >= PART_CHARACTERS:
            self._write_part()

    def _write_part(self) -> None:
        if self._rows:
            import pyarrow as pa
            import pyarrow.parquet as pq

            part = self._folder / f"part-{self._rows[0]['position']:012d}.parquet"
            temporary = part.with_suffix(".unfinished")
            with writing(part, kept=True):
                pq.write_table(pa.Table.from_pylist(self._rows, _schema()), temporary)
                _sync(temporary)
                os.replace(temporary, part)
        self._rows, self._characters, self._began = [], 0, time.monotonic()

    def close(self, complete: bool) -> None:
        self._write_part()
        if complete:
            self._join()

    def _join(self) -> None:
        """One file of all parts, made of one group of rows after the other."""
        files = self._files()
        if files == [self._path]:
            shutil.rmtree(self._folder)
            return
        with writing(self._path, kept=True):
            with replacing(self._path) as temporary:
                self._write_all(files, temporary)
                _sync(temporary)
            shutil.rmtree(self._folder)

    def _write_all(self, files: list[Path], target: Path) -> None:
        """The rows of all files in one, one group of them after the other."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetWriter(target, _schema()) as writer:
            group: list[Any] = []
            for file in files:
                with pq.ParquetFile(file) as opened:
                    for number in range(opened.num_row_groups):
                        group.append(opened.read_row_group(number))
                        rows, size = sum(map(len, group)), sum(table.nbytes for table in group)
                        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                            writer.write_table(pa.concat_tables(group))
                            group = []
            if group:
                writer.write_table(pa.concat_tables(group))


def _schema() -> Any:
    import pyarrow as pa

    texts = ("digest", "name", "status", "message")
    fields = [("position", pa.int64()), *((name, pa.string()) for name in texts)]
    fields += [("objective", pa.float64()), ("bound", pa.float64())]
    fields += [("structure", pa.string()), ("metrics", pa.string()), ("seconds", pa.float64())]
    return pa.schema(fields)


def _sync(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
