"""What a run leaves behind: one line per cell, appended and fsynced as it happens, readable at any time.

`records.jsonl` is the truth; `records.parquet` is a columnar copy made at the end. A later record with the same key
supersedes an earlier one (a cell that was run again under a raised limit). A line that a crash tore off is no record.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from problems.errors import InputError

RECORDS, TRACES, PARQUET = "records.jsonl", "traces.jsonl", "records.parquet"
EXPERIMENT, PROVENANCE = "experiment.json", "provenance.json"

LARGEST = 1e308
STATUSES = ("optimal", "feasible", "relaxed", "infeasible", "timeout", "memout", "crash", "error", "skipped")
FAILURES = ("timeout", "memout", "crash", "error", "skipped")
FIELDS: dict[str, Any] = {
    "key": "",
    "experiment": "",
    "task": "",
    "size": "",
    "instance": "",
    "instance_digest": "",
    "instance_size": None,
    "length": None,
    "solver": "",
    "label": "",
    "options": {},
    "solver_version": "",
    "repetition": 0,
    "traced": False,
    "status": "",
    "message": "",
    "objective": None,
    "bound": None,
    "gap": None,
    "integral": None,
    "iterations": 0,
    "build_seconds": None,
    "solve_seconds": None,
    "round_seconds": None,
    "cpu_seconds": None,
    "wall_seconds": None,
    "peak_memory_mb": None,
    "base_memory_mb": None,
    "setup_seconds": 0.0,
    "metrics": {},
    "info": {},
    "structure": None,
    "magnitude": 0.0,
    "audit": "",
    "limit_hit": "",
    "limits": {},
    "node": "",
    "slot": 0,
    "jobs": 1,
    "started": "",
    "attempt": 1,
    "rerun_because": "",
}
"""Every field of a record and its value where there is nothing to say."""

IDENTITY = (*tuple(FIELDS)[: list(FIELDS).index("status")], "limits")
"""What a cell is, before anything is known of how it went."""

TIMES = ("build_seconds", "solve_seconds", "round_seconds", "cpu_seconds", "wall_seconds")
NUMBERS = (
    *(
        "objective",
        "bound",
        "gap",
        "magnitude",
        "instance_size",
        "length",
        "repetition",
        "iterations",
        "slot",
        "jobs",
        "attempt",
    ),
    *(*TIMES, "peak_memory_mb", "base_memory_mb", "setup_seconds"),
)
CIRCUMSTANCES = (
    *(*TIMES, "peak_memory_mb", "base_memory_mb", "setup_seconds", "node", "slot", "jobs", "started"),
    *("attempt", "rerun_because"),  # a cell whose machine was lost is run once more
)
"""What may differ between two runs with the same seeds; all other fields are the same."""


def finite(value: Any) -> float | None:
    """A number that JSON can hold, or None."""
    return float(value) if value is not None and math.isfinite(value) else None


class Log:
    """An append-only file of JSON lines. Each line is one write, on disk before `append` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: BinaryIO = open(path, "ab", buffering=0)  # noqa: SIM115 (closed by __exit__)
            cut_torn_line(path)
        except OSError as error:
            raise unwritable(path, error) from None

    def append(self, document: dict[str, Any]) -> None:
        line = (json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n").encode(errors="backslashreplace")
        state = os.fstat(self._file.fileno())
        if state.st_nlink == 0:
            raise InputError(f"{self.path}: was deleted during the run; what it held is lost.")
        before = state.st_size
        try:
            written = self._file.write(line)
            if written != len(line):  # a full disk may take a part
                raise OSError(28, "No space left on device")
            os.fsync(self._file.fileno())
        except OSError as error:
            self._undo(before)
            raise unwritable(self.path, error) from None

    def _undo(self, size: int) -> None:
        with contextlib.suppress(OSError):  # otherwise the next reader cuts the torn line off
            os.ftruncate(self._file.fileno(), size)

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written ({error.strerror}); everything recorded before is kept.")


def cut_torn_line(path: Path) -> None:
    """Cut off what follows the last newline: a write that a crash or a full disk ended."""
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
            file.truncate(position)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a log. A torn last line is left out; a broken line elsewhere is refused."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            document = json.loads(line)
        except ValueError:
            raise InputError(f"{path}, line {number}: not valid JSON.") from None
        if not isinstance(document, dict) or not isinstance(document.get("key"), str):
            raise InputError(f"{path}, line {number}: expected an object with the field 'key'.")
        yield document


def read_records(folder: Path) -> dict[str, dict[str, Any]]:
    """The records of a run by key, in the order of their first appearance; the last of a key counts."""
    path = folder / RECORDS
    if not path.exists():
        raise InputError(f"{folder}: no run here (expected a file {RECORDS}).")
    records = {}
    for number, record in enumerate(read_lines(path), start=1):
        problem = _malformed(record)
        if problem:
            raise InputError(f"{path}, line {number}: {problem}.")
        records[record["key"]] = {**FIELDS, **record}
    return records


def _malformed(record: dict[str, Any]) -> str | None:
    """What is wrong with a record that somebody edited."""
    if record.get("status") not in STATUSES:
        return f"field 'status' is {record.get('status')!r}: expected one of {', '.join(STATUSES)}"
    for name, default in FIELDS.items():
        value = record.get(name, default)
        if isinstance(default, (dict, str)) and not isinstance(value, type(default)):
            return f"field {name!r} must be {'an object' if isinstance(default, dict) else 'a text'}, not {value!r}"
        number = isinstance(value, (int, float)) and abs(value) <= LARGEST
        if name in NUMBERS and value is not None and not number:
            return f"field {name!r} must be a number, not {value!r}"
    if record.get("limit_hit") and not {"seconds", "memory_gb"} <= set(record.get("limits", {})):
        return "field 'limits' must have 'seconds' and 'memory_gb'"
    return None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object beside the records; empty where there is none."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except ValueError:
        raise InputError(f"{path}: not valid JSON.") from None
    return document if isinstance(document, dict) else {}


def load_run(path: str | Path, *more: str | Path, everything: bool = False) -> Any:
    """The records of a run as a DataFrame, one row per cell, with `.traces`, `.provenance`, `.experiment`, `.folder`.

    Several runs are merged: where two have the same cell, the later one counts. Records that the experiment no longer
    asks for (another version of a solver, an option that was changed) are left out unless `everything` is wanted.
    """
    from .frames import make_frame

    folders = [Path(path), *map(Path, more)]
    records: dict[str, dict[str, Any]] = {}
    traces: dict[str, dict[str, Any]] = {}
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such run (expected a folder with {RECORDS}).")
        planned = set(read_json(folder / EXPERIMENT).get("cells", []))
        found = read_records(folder)
        records |= {key: found[key] for key in found if everything or not planned or key in planned}
        if (folder / TRACES).exists():
            traces |= {trace["key"]: trace for trace in read_lines(folder / TRACES)}
    provenances = [read_json(folder / PROVENANCE) for folder in folders]
    sessions = [session for provenance in provenances for session in provenance.get("sessions", [])]
    provenance = {**provenances[0], **({"sessions": sessions} if sessions else {})}
    return make_frame(records.values(), traces.values(), provenance, read_json(folders[0] / EXPERIMENT), folders[0])


def write_parquet(folder: Path) -> None:
    """The columnar copy; maps and structures are JSON texts in it."""
    from .frames import columnar

    temporary = folder / (PARQUET + ".part")
    try:
        columnar(read_records(folder).values()).to_parquet(temporary, index=False)
        os.replace(temporary, folder / PARQUET)
    except OSError as error:
        raise unwritable(folder / PARQUET, error) from None


def same_cells(first: Iterable[dict[str, Any]], second: Iterable[dict[str, Any]]) -> bool:
    """Do two sets of records say the same, times and other circumstances aside?"""

    def said(records: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {r["key"]: {name: value for name, value in r.items() if name not in CIRCUMSTANCES} for r in records}

    return said(first) == said(second)
