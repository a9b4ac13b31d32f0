"""The folder of a run: opened for writing by one runner at a time, checked before anything is solved."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import shutil
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.files import check_regular, replacing

from .damage import LARGEST, Damage
from .log import EXPERIMENT, PROVENANCE, RECORDS, TRACES, Log, read_document, read_records, writing
from .others import OtherPrograms
from .provenance import code_state, command, libraries, load_average, machine, now

LOCK = ".lock"
NEEDED_BYTES = 2**20  # free space below which no run is started


class RunFolder:
    """Logs of records and traces, the experiment and the provenance of a run; `damage` is what could not be read of it."""

    def __init__(self, path: Path, resume: bool) -> None:
        self.path = path
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
            check_regular(path / LOCK)
            self._lock = open(path / LOCK, "a")  # noqa: SIM115 (closed by close)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{path}: another run is being written there; choose another folder with --out.") from None
        if not resume and (path / RECORDS).exists() and (path / RECORDS).stat().st_size:
            raise InputError(f"{path}: holds a run already; add --resume to continue it, or choose another --out.")
        if shutil.disk_usage(path).free < NEEDED_BYTES:
            raise InputError(f"{path}: the disk is full.")
        self.records, self.traces = Log(path / RECORDS), Log(path / TRACES)
        self.damage: list[Damage] = []
        self.known = read_records(path, self.damage)
        self._provenance = self._read(PROVENANCE)

    def begin(self, experiment: dict[str, Any], text: str, cells: list[str], facts: dict[str, Any]) -> None:
        """Write what is going to be run, and by whom, before it is run."""
        before = self._read(EXPERIMENT)
        for name in ("name", "task"):
            if name in before and before[name] != experiment[name]:
                raise InputError(
                    f"{self.path}: holds a run whose {name} is {before.get(name)!r}, not {experiment[name]!r}; choose another --out."
                )
        part = experiment.get("part", {})
        if part and self.known and before.get("part", {}) != part:  # the rest of its records would no longer count
            raise InputError(f"{self.path}: holds another part of this experiment, or all of it; choose another --out.")
        if text:
            self._write("experiment.toml", text)
        self._write(EXPERIMENT, json.dumps({**experiment, "cells": cells}, indent=1) + "\n")
        code = code_state()
        session = {
            "command": command(),
            "code": code,
            "started": now(),
            "ended": None,
            "load_start": load_average(),
            "load_end": None,
            "others": None,
        }
        self._others = OtherPrograms()
        sessions = [*self._provenance.get("sessions", []), {**session, **facts.pop("session")}]
        described = {"code": code, "libraries": libraries(), "machine": machine()}
        self._provenance = {**described, **facts, "sessions": sessions}
        self._write_provenance()

    def _read(self, name: str) -> dict[str, Any]:
        """A document of the run so far. A damaged one is kept under another name, since it will be written anew."""
        bad: list[Damage] = []
        try:
            check_regular(self.path / name, LARGEST)  # what is larger could neither be read nor be kept
        except OSError as error:
            raise InputError(f"{self.path / name}: cannot be read ({error.strerror}).") from None
        document = read_document(self.path / name, bad)
        if bad:
            self.damage += bad
            number = next(n for n in itertools.count(1) if not (self.path / f"{name}.damaged-{n}").exists())
            with writing(self.path / name, kept=True):
                shutil.copyfile(self.path / name, self.path / f"{name}.damaged-{number}")
        return document

    def add_node(self, name: str, facts: dict[str, Any]) -> None:
        """A machine takes part in this session: what its times depend on."""
        self._provenance["sessions"][-1]["nodes"][name] = facts
        self._write_provenance()

    def end(self, cells: int, interrupted: bool) -> None:
        last = self._provenance["sessions"][-1]
        last |= {
            "ended": now(),
            "load_end": load_average(),
            "others": self._others.share(),
            "cells": cells,
            "interrupted": interrupted,
        }
        self._write_provenance()

    def _write_provenance(self) -> None:
        self._write(PROVENANCE, json.dumps(self._provenance, indent=1, allow_nan=False) + "\n")

    def _write(self, name: str, text: str) -> None:
        """Replace a file as a whole."""
        with (
            writing(self.path / name),
            replacing(self.path / name) as temporary,
            open(temporary, "w", encoding="utf-8") as file,
        ):
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        for log in (self.records, self.traces):
            log.__exit__(None, None, None)
        self._lock.close()
