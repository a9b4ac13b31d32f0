"""Runs as DataFrames: what `bench.load_run` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from problems.errors import InputError

from .damage import Damage
from .log import EXPERIMENT, PROVENANCE, RECORDS, TRACES, read_document, read_lines, read_records


def load_run(path: str | Path, *more: str | Path, everything: bool = False) -> Any:
    """The records of a run as a DataFrame, one row per cell, with `.traces`, `.provenance`, `.experiment`, `.folder`.

    Several runs are merged: where two have the same cell, the later one counts. Records that the experiment no longer
    asks for (another version of a solver, an option that was changed) are left out unless `everything` is wanted.

    Lines and fields that cannot be read are left out; `.damage` tells which. A time that cannot be (negative, zero,
    or beyond any limit) is missing; the column `untimed` tells it. `bench.analysis.audit` audits a loaded run once, when its
    result is first asked for, with the instances where they can be made again.
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
