"""What a run leaves behind: one line per cell, appended and fsynced as it happens, readable at any time.

`records.jsonl` is the truth; `records.parquet` is a columnar copy made at the end. A later record with the same key
supersedes an earlier one (a cell that was run again under a raised limit). A line that a crash tore off is no record.
One that cannot be read stays where it is; the others count, and its cell is run again when the run is resumed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from problems.errors import LONGEST_MESSAGE, InputError, quoted, shortened
from problems.files import check_regular, open_regular, replacing

from .damage import LONGEST_LINE, Damage, is_whole, parse, read_file, whole_lines
from .fields import CIRCUMSTANCES, FIELDS, IDENTITY
from .record_checks import EXPERIMENT_FORMS, PROVENANCE_FORMS, checked_record, checked_trace, wrong_fields

RECORDS, TRACES, PARQUET = "records.jsonl", "traces.jsonl", "records.parquet"
EXPERIMENT, PROVENANCE = "experiment.json", "provenance.json"
LARGEST_LOG = 4 << 30  # bytes: a million cells
MOST_DAMAGE = 100_000  # bad lines, beyond which it is no log of ours


class Log:
    """An append-only file of JSON lines. Each line is one write, on disk before `append` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with writing(path, kept=True):
            check_regular(path, LARGEST_LOG)
            self._file: BinaryIO = open(path, "ab", buffering=0)  # noqa: SIM115 (closed by __exit__)
            cut_torn_line(path)

    def append(self, document: dict[str, Any]) -> None:
        line = as_line(document)
        state = os.fstat(self._file.fileno())
        if state.st_nlink == 0:
            raise InputError(f"{self.path}: was deleted during the run; what it held is lost.")
        try:
            written = self._file.write(line)
            if written != len(line):  # a full disk may take a part
                raise OSError(28, "No space left on device")
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):  # otherwise the next reader cuts the torn line off
                os.ftruncate(self._file.fileno(), state.st_size)
            raise unwritable(self.path, error) from None

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def as_line(document: dict[str, Any]) -> bytes:
    """A document as it stands in a log; TypeError or ValueError where JSON cannot hold it."""
    return (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode(errors="backslashreplace")


def unwritable(path: str | Path, error: OSError, kept: bool = True) -> InputError:
    said = "; everything recorded before is kept" if kept else ""
    return InputError(f"{path}: cannot be written ({error.strerror}){said}.")


@contextlib.contextmanager
def writing(path: str | Path, kept: bool = False) -> Iterator[None]:
    """What the system has against writing there becomes a sentence; a reader of a pipe that has gone is the caller's affair."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(path, error, kept) from None


def cut_torn_line(path: Path) -> None:
    """Cut off what follows the last newline: a write that a crash or a full disk ended. A whole line gets its end."""
    with open(path, "r+b") as file:
        size = position = file.seek(0, os.SEEK_END)
        while position > 0:
            step = min(65536, position)
            position = file.seek(position - step)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                position += newline + 1
                break
        if position < size:
            file.seek(position)
            if size - position <= LONGEST_LINE and is_whole(file.read()):
                file.write(b"\n")
            else:
                file.truncate(position)


def read_lines(path: Path, damage: list[Damage] | None = None, largest: int = LARGEST_LOG) -> Iterator[dict[str, Any]]:
    """The good lines of a log, records with all their fields; bad ones are left out and told in `damage`."""
    checked = checked_trace if path.name == TRACES else checked_record
    bad = 0
    try:
        with open_regular(path, largest) as file:
            for number, line in whole_lines(file):
                try:
                    document = checked(parse(line))
                except ValueError as error:
                    bad += 1
                    if bad > MOST_DAMAGE:
                        raise InputError(f"{path}: more than {MOST_DAMAGE} of its lines cannot be read.") from None
                    if damage is not None:
                        damage.append(Damage(path, number, str(error)))
                    continue
                yield document
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None


def read_records(folder: Path, damage: list[Damage] | None = None) -> dict[str, dict[str, Any]]:
    """The records of a run by key, in the order of their first appearance; the last of a key counts."""
    path = folder / RECORDS
    if not path.exists():
        raise InputError(f"{folder}: no run here (expected a file {RECORDS}).")
    return {record["key"]: record for record in read_lines(path, damage)}


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object in a file; empty where there is none."""
    if not path.exists():
        return {}
    try:
        document = parse(read_file(path))
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError(f"{path}: {error}.") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected an object, not {quoted(document)}.")
    return document


def read_document(path: Path, damage: list[Damage]) -> dict[str, Any]:
    """The experiment or the provenance of a run, without what cannot be read of it; that is told in `damage`."""
    try:
        document = read_json(path)
        json.dumps(document, allow_nan=False)  # what is read here is written again when the run is resumed
    except ValueError as error:
        text = str(error).removeprefix(f"{path}: ").rstrip(".")
        damage.append(Damage(path, None, text))
        return {}
    wrong = dict(wrong_fields(document, EXPERIMENT_FORMS if path.name == EXPERIMENT else PROVENANCE_FORMS))
    damage += [Damage(path, None, text) for text in wrong.values()]
    return {name: value for name, value in document.items() if name not in wrong and value is not None}


def write_parquet(folder: Path) -> None:
    """The columnar copy; maps and structures are JSON texts in it."""
    from .frame import columnar

    with writing(folder / PARQUET, kept=True):
        data = columnar(read_records(folder).values()).to_parquet(index=False)
        with replacing(folder / PARQUET) as temporary:
            temporary.write_bytes(data)  # pyarrow itself opens only files whose names are UTF-8


def load_run(path: str | Path, *more: str | Path, everything: bool = False) -> Any:
    """The records of a run as a DataFrame, one row per cell, with `.traces`, `.provenance`, `.experiment` and `.folder`.

    Several runs are merged; if two have the same cell, the later one counts. Records that the experiment no longer asks for
    (another version of a solver, a changed option) are left out, unless `everything` is true.

    Lines and fields that cannot be read are left out; `.damage` lists them. Impossible times (negative, zero, or beyond any
    limit) are missing; the column `untimed` says why. `bench.analysis.audit` audits a loaded run once, on first use, with
    its instances where they can be made again.
    """
    from .frame import WholeRun, make_frame

    folders = [Path(path), *map(Path, more)]
    records: dict[str, dict[str, Any]] = {}
    traces: dict[str, dict[str, Any]] = {}
    damage: list[Damage] = []
    experiments = []
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such run (expected a folder with {RECORDS}).")
        bad: list[Damage] = []
        found = read_records(folder, bad)
        if bad and not found:
            raise InputError(
                f"{bad[0].path}: none of its {len(bad)} lines is a record (line {bad[0].line}: {bad[0].text})."
            )
        damage += bad
        experiments.append(read_document(folder / EXPERIMENT, damage))
        planned = set(experiments[-1].get("cells", []))
        records |= {key: found[key] for key in found if everything or not planned or key in planned}
        if (folder / TRACES).exists():
            traces |= {trace["key"]: trace for trace in read_lines(folder / TRACES, damage)}
    provenances = [read_document(folder / PROVENANCE, damage) for folder in folders]
    sessions = [session for provenance in provenances for session in provenance.get("sessions", [])]
    provenance = {**provenances[0], **({"sessions": sessions} if sessions else {})}
    frame = make_frame(records.values(), traces.values(), provenance, experiments[0], folders[0])
    frame.damage = damage
    frame.whole = WholeRun(frame, experiments)
    return frame


def readable(record: dict[str, Any]) -> dict[str, Any]:
    """The record, or an error in its place without what the solver answered."""
    try:
        checked_record(parse(as_line(record)))
    except (TypeError, ValueError, RecursionError) as error:
        kept = {name: record[name] for name in (*IDENTITY, *CIRCUMSTANCES)}
        message = shortened(f"the answer cannot be written down ({error})", LONGEST_MESSAGE)
        return {**FIELDS, **kept, "status": "error", "message": message}
    return record
