"""The recorded runs that advice rests on: one case per instance, with a cell for each solver that was run on it.

The built-in table is `recorded.json`, made by `dualbench advise --record` from runs of the experiments `advice-*`. It is small, because
a case keeps the instance's profile only. A cell that hit a limit says how long it ran at least: its time is censored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from problems.errors import InputError, quoted
from problems.files import replacing
from problems.profile import Profile
from problems.storage import read_document

FILE = Path(__file__).parent / "recorded.json"
FORMAT = 1
OUTCOMES = ("optimal", "feasible", "stopped", "refused")


class Candidate(NamedTuple):
    """A solver with the options that a run gave it, as pairs of a name and its value in JSON."""

    solver: str
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, solver: str, options: dict[str, Any]) -> Candidate:
        return cls(solver, tuple(sorted((name, json.dumps(value)) for name, value in options.items())))

    @property
    def settings(self) -> dict[str, Any]:
        return {name: json.loads(value) for name, value in self.options}

    def __str__(self) -> str:
        return " ".join([self.solver, *(f"{name}={value}" for name, value in self.options)])


class Cell(NamedTuple):
    """How a candidate fared on an instance.

    `optimal`: proved; `feasible`: ended with an answer that it did not prove; `stopped`: `seconds` is the limit that it hit; `refused`:
    it cannot solve such an instance, or its licence or memory did not suffice. `loss` is relative to the best value that any solver found.
    """

    seconds: float
    outcome: str
    loss: float | None = None


def case_name(name: str, digest: str) -> str:
    """What a case calls an instance: names alone may be the same for different ones."""
    return f"{name} {digest[:8]}"


@dataclass(frozen=True)
class Case:
    """One recorded instance; `instance` is its `case_name`."""

    profile: Profile
    instance: str
    size: str
    cells: dict[Candidate, Cell]


@dataclass(frozen=True)
class Table:
    cases: tuple[Case, ...]
    provenance: tuple[dict[str, Any], ...] = field(default=())  # one for each run

    def extended(self, other: Table) -> Table:
        """With the cases of another table; where both have a cell, the other's counts."""
        cases = {(case.profile.task, case.instance): case for case in self.cases}
        for case in other.cases:
            key = (case.profile.task, case.instance)
            old = cases.get(key)
            cases[key] = replace(case, cells={**old.cells, **case.cells}) if old else case
        return Table(tuple(cases.values()), (*self.provenance, *other.provenance))

    def write(self, path: Path) -> None:
        """One line per run, candidate and case, so that differences can be read."""
        candidates = list(dict.fromkeys(candidate for case in self.cases for candidate in case.cells))
        place = {candidate: index for index, candidate in enumerate(candidates)}
        parts = {
            "provenance": self.provenance,
            "candidates": [{"solver": each.solver, "options": each.settings} for each in candidates],
            "cases": [_written(case, place) for case in self.cases],
        }
        lines = [f'"{name}": [\n{_lines(values)}\n]' for name, values in parts.items()]
        try:
            with replacing(path) as temporary:
                temporary.write_text(f'{{"format": {FORMAT},\n' + ",\n".join(lines) + "}\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror}).") from None


def _lines(values: Iterable[Any]) -> str:
    return ",\n".join(json.dumps(value, allow_nan=False) for value in values)


def _written(case: Case, place: dict[Candidate, int]) -> dict[str, Any]:
    def loss(cell: Cell) -> float | None:
        return None if cell.loss is None else float(f"{cell.loss:.2g}")

    return {
        **case.profile._asdict(),
        "instance": case.instance,
        "size": case.size,
        "cells": [
            [place[candidate], float(f"{cell.seconds:.3g}"), cell.outcome, loss(cell)]
            for candidate, cell in case.cells.items()
        ],
    }


def read_table(path: Path) -> Table:
    """A table from its file; what is no such file is an InputError that names it."""
    document = read_document(path)
    if document.get("format") != FORMAT:
        raise InputError(f"{path}: field 'format' is {quoted(document.get('format'))}, expected {FORMAT}.")
    try:
        candidates = [Candidate.of(each["solver"], each["options"]) for each in document["candidates"]]
        cases = tuple(_case(each, candidates) for each in document["cases"])
        return Table(cases, tuple(document["provenance"]))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise InputError(f"{path}: no table of `dualbench advise --record` ({said}).") from None


def _case(document: dict[str, Any], candidates: list[Candidate]) -> Case:
    measures = {str(name): float(value) for name, value in document["measures"].items()}
    profile = Profile(str(document["task"]), str(document["variant"]), measures)
    cells = {}
    for index, seconds, outcome, loss in document["cells"]:
        if outcome not in OUTCOMES or not seconds >= 0:
            raise ValueError(f"a cell of {document['instance']} says {seconds!r} seconds, {outcome!r}")
        cells[candidates[index]] = Cell(float(seconds), outcome, None if loss is None else float(loss))
    return Case(profile, str(document["instance"]), str(document["size"]), cells)
