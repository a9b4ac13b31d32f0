"""The paper beside ours: a published table and ours in its layout, cell by cell, marked by agreement.

Texts, machines and models differ, so that a cell is held against a *reference* of the same column (a row of the table, named there): the
paper's cell over the paper's reference, and ours over ours. Two such quotients agree if they differ by at most a stated factor. Rows that
only we have follow apart, without a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite, log
from typing import Any, Literal, NamedTuple

from ..output.headings import grouped
from ..output.units import with_unit

Kind = Literal["quality", "time", "rate", "power", "shown"]
Agreement = Literal["agrees", "near", "differs", "reference", ""]
WITHIN: dict[str, tuple[float, float]] = {"quality": (1.02, 1.05), "time": (2.0, 4.0), "rate": (1.05, 1.15)}
"""Factors within which two quotients agree, and are near each other. Rates are compared as they are, without a reference."""
POWERS = (0.3, 0.6)  # what a measured power may be above that of the theory
MARKS: dict[Agreement, str] = {"agrees": "=", "near": "~", "differs": "≠", "reference": "·", "": ""}


class Cell(NamedTuple):
    """A number and how it is printed; a text alone where there is no number."""

    value: float | None = None
    text: str = ""


NOTHING = Cell()


def cell(value: float | None, places: int = 2, mark: str = "") -> Cell:
    """A number with so many digits behind the point; -1: three digits that count."""
    if value is None or not isfinite(value):
        return NOTHING
    return Cell(value, (f"{value:,.{places}f}" if places >= 0 else f"{value:.3g}") + mark)


class Column(NamedTuple):
    name: str
    kind: Kind


class Row(NamedTuple):
    """A row of the paper's, and what we have for it; `own` says which system of ours that is.

    `base` is what our reference has on the items of this row, where these are not those of the reference's own row.
    """

    name: str
    published: Sequence[Cell]
    ours: Sequence[Cell] = ()
    own: str = ""
    base: Sequence[Cell] = ()


@dataclass(frozen=True)
class Beside:
    """`where`: table and page of the paper. `reference`: the name of the row that qualities and times are relative to."""

    title: str
    where: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    reference: str = ""
    only_ours: Sequence[Row] = ()  # `published` is empty
    notes: Sequence[str] = field(default_factory=list)
    across: int = 0  # so many first columns are the reference of the others of their row, instead of a row

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Beside:
        """From what `plain` made and a file kept."""
        values = dict(plain)
        values["columns"] = [Column(*each) for each in plain["columns"]]
        for name in ("rows", "only_ours"):
            values[name] = [
                Row(
                    row[0],
                    [Cell(*each) for each in row[1]],
                    [Cell(*each) for each in row[2]],
                    row[3],
                    [Cell(*each) for each in (row[4] if len(row) > 4 else ())],
                )
                for row in plain[name]
            ]
        return cls(**values)

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    def agreements(self, row: Row) -> list[Agreement]:
        """Of each column."""
        base = next((each for each in self.rows if each.name == self.reference), None)
        found: list[Agreement] = []
        for place, column in enumerate(self.columns):
            paper, ours = _at(row.published, place), _at(row.ours, place)
            if self.across and column.kind in ("quality", "time"):
                if place < self.across:
                    found.append("" if paper is None or ours is None else "reference")
                    continue
                first = place % self.across
                paper, ours = _over(paper, _at(row.published, first)), _over(ours, _at(row.ours, first))
            elif base is not None and column.kind in ("quality", "time"):
                known = paper is not None and ours is not None
                if row is base or row.name == base.name:
                    found.append("reference" if known else "")
                    continue
                paper = _over(paper, _at(base.published, place))
                ours = _over(ours, _at(row.base or base.ours, place))
            found.append(agreement(column.kind, paper, ours))
        return found

    def own_columns(self, rows: Sequence[Row] = ()) -> list[int]:
        """The columns that we have a cell of, in these rows or in any; what only people could judge has none."""
        texts = [texts_of(row.ours, len(self.columns)) for row in rows or (*self.rows, *self.only_ours)]
        return [place for place in range(len(self.columns)) if any(each[place] for each in texts)]

    def names(self) -> list[str]:
        """Of the columns, with units and with the words of their group: each can stand alone."""
        return [with_unit(name) for name in grouped([column.name for column in self.columns])]

    def own_cells(self, row: Row) -> dict[int, tuple[str, Agreement]]:
        """Our texts of a row with their marks, by column."""
        texts, marks = texts_of(row.ours, len(self.columns)), self.agreements(row)
        return {place: (texts[place], marks[place]) for place in self.own_columns()}

    def counts(self) -> dict[Agreement, int]:
        """How many cells have each mark."""
        every = [each for row in self.rows for each in self.agreements(row)]
        return {mark: every.count(mark) for mark in ("agrees", "near", "differs")}

    def explained(self) -> list[str]:
        """The notes, and what the marks say where there are any."""
        said = any(self.counts().values()) or any(self._unmarked())
        return [*self.notes, *([self.sentence(), self.rule()] if said else [])]

    def sentence(self) -> str:
        """How many cells have each mark, and why others have none."""
        found = self.counts()
        said = [f"{found['agrees']} cells agree, {found['near']} are near, {found['differs']} differ."]
        wide, alone = self._unmarked()
        if wide:
            said.append(
                f"{wide} of our powers have no mark: their intervals are wider than {2 * POWERS[1]:g}, which agrees with anything."
            )
        if alone:
            said.append(f"{alone} of our cells have no mark, because the paper or the reference row has no cell there.")
        return " ".join(said)

    def _unmarked(self) -> tuple[int, int]:
        """How many of our cells in the paper's rows have no mark: powers that decide nothing, and cells without a partner."""
        wide = alone = 0
        for row in self.rows:
            for place, (text, mark) in self.own_cells(row).items():
                kind = self.columns[place].kind
                if text and not mark and kind != "shown":
                    decides_nothing = kind == "power" and _at(row.ours, place) is None
                    wide, alone = wide + decides_nothing, alone + (not decides_nothing)
        return wide, alone

    def rule(self) -> str:
        """What the marks mean for the kinds of columns that the table has."""
        kinds = {column.kind for column in self.columns}
        said = []
        if kinds & {"quality", "time"}:
            base = "first cell of its kind in its own row" if self.across else "reference row (·) of its own table"
            differ = _marks_say("quality", "the paper's quotient and ours")
            close, far = WITHIN["time"]
            said.append(
                f"Each value is divided by the {base}. {differ} (times and speeds: factors {close:g} and {far:g})."
            )
        if "rate" in kinds:
            said.append(f"Rates are compared without a reference: {_marks_say('rate', 'they')}.")
        if "power" in kinds:
            said.append(
                f"= means that our power is at most {POWERS[0]:g} above that of the theory, ~ at most {POWERS[1]:g}, ≠ more."
            )
        return " ".join(said)


def _marks_say(kind: str, what: str) -> str:
    close, far = (f"{100 * (factor - 1):.0f} %" for factor in WITHIN[kind])
    return f"= means that {what} differ by at most {close}, ~ by at most {far}, ≠ by more"


def agreement(kind: Kind, paper: float | None, ours: float | None) -> Agreement:
    """By the rule of a column's kind; none where one of the two is missing."""
    if paper is None or ours is None or kind == "shown":
        return ""
    if kind == "power":
        above = ours - paper
        return "agrees" if above <= POWERS[0] else "near" if above <= POWERS[1] else "differs"
    if paper <= 0 or ours <= 0:
        return "agrees" if paper == ours else "differs"
    apart, (close, far) = abs(log(ours / paper)), WITHIN[kind]
    slack = 1e-9  # of rounding: a factor of exactly 2 agrees
    return "agrees" if apart <= log(close) + slack else "near" if apart <= log(far) + slack else "differs"


def _at(cells: Sequence[Cell], place: int) -> float | None:
    return cells[place].value if place < len(cells) else None


def _over(value: float | None, base: float | None) -> float | None:
    return None if value is None or not base else value / base


def texts_of(cells: Sequence[Cell], count: int) -> list[str]:
    """Of so many columns; empty where there is no cell."""
    return [*(each.text for each in cells), *[""] * (count - len(cells))]


FACT = "beside"  # where a piece keeps its views, by stem


def facts(views: Mapping[str, Beside]) -> dict[str, Any]:
    """What a piece's outcome keeps."""
    return {FACT: {stem: view.plain() for stem, view in views.items()}}


def views_of(found: Mapping[str, Any]) -> dict[str, Beside]:
    return {stem: Beside.of(plain) for stem, plain in found.get(FACT, {}).items()}
