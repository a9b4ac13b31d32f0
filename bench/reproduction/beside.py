"""The paper beside ours: a published table and ours in its layout, cell by cell, marked by agreement; for the report and for LaTeX.

Texts, machines and models differ, so that a cell is held against a *reference* of the same column (a row of the table, named there): the
paper's cell over the paper's reference, and ours over ours. Two such quotients agree if they differ by at most a stated factor. Rows that
only we have follow apart, without a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from math import isfinite, log
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..output.escaping import latex_text
from ..output.tables import Table
from ..records.log import writing

Kind = Literal["quality", "time", "rate", "power", "shown"]
Agreement = Literal["agrees", "near", "differs", "reference", ""]
WITHIN: dict[str, tuple[float, float]] = {"quality": (1.02, 1.05), "time": (2.0, 4.0), "rate": (1.05, 1.15)}
"""Factors within which two quotients agree, and are near each other. Rates are compared as they are, without a reference."""
POWERS = (0.3, 0.6)  # what a measured power may be above that of the theory
MARKS: dict[Agreement, str] = {"agrees": "=", "near": "~", "differs": "≠", "reference": "·", "": ""}
COLOURS = {"agrees": "green!18", "near": "yellow!30", "differs": "red!16"}
RULE = (
    "Marks, on ours: = agrees, ~ near, ≠ differs. Qualities and times are held against the reference (·), the paper's "
    "against the paper's and ours against ours, and these quotients may differ by a factor of 1.02 (1.05: near) for qualities and 2 (4) for "
    "times and speeds. Rates as they are: 1.05 (1.15). Powers: at most 0.3 (0.6) above theory."
)


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

    def own_columns(self) -> list[int]:
        """The columns that we have a cell of; what only people could judge has none."""
        every = (*self.rows, *self.only_ours)
        return [
            place
            for place, column in enumerate(self.columns)
            if column.kind != "shown" or any(_texts(row.ours, len(self.columns))[place] for row in every)
        ]

    def _published_places(self) -> tuple[list[int], list[int]]:
        """The paper's columns that stand beside ours, and those that we have nothing for, which follow."""
        own = self.own_columns()
        every = [*range(len(self.columns))]
        return (own, [place for place in every if place not in own]) if own else (every, [])

    def counts(self) -> dict[Agreement, int]:
        """How many cells have each mark."""
        every = [each for row in self.rows for each in self.agreements(row)]
        return {mark: every.count(mark) for mark in ("agrees", "near", "differs")}

    def table(self) -> Table:
        """As plain text, the paper's columns before ours."""
        headings = ["", *(f"paper: {column.name}" for column in self.columns)]
        headings += [*(f"ours: {self.columns[place].name}" for place in self.own_columns()), "our system"]
        rows = [
            [row.name, *_texts(row.published, len(self.columns)), *self._marked(row), row.own]
            for row in (*self.rows, *self.only_ours)
        ]
        if self.only_ours:
            rows.insert(len(self.rows), [])
        return Table(f"{self.title} ({self.where})", headings, rows, self.explained())

    def explained(self) -> list[str]:
        """The notes, and what the marks say where there are any."""
        return [*self.notes, *([self.sentence(), RULE] if any(self.counts().values()) else [])]

    def sentence(self) -> str:
        found = self.counts()
        return f"{found['agrees']} cells agree, {found['near']} are near, {found['differs']} differ."

    def _marked(self, row: Row) -> list[str]:
        return [f"{text} {MARKS[mark]}".rstrip() for text, mark in self._own(row)]

    def _own(self, row: Row) -> list[tuple[str, Agreement]]:
        """Our texts of a row with their marks, column by column."""
        texts, marks = _texts(row.ours, len(self.columns)), self.agreements(row)
        return [(texts[place], marks[place]) for place in self.own_columns()]

    def latex(self) -> str:
        r"""A `table` environment with coloured cells; it needs booktabs and `\usepackage[table]{xcolor}`."""
        count, own = len(self.columns), self.own_columns()
        heads = [_latex(column.name) for column in self.columns]
        heads += [heads[place] for place in own]
        lines = [r"\begin{table}", r"\centering", rf"\caption{{{_latex(f'{self.title} ({self.where})')}}}"]
        lines += [rf"\begin{{tabular}}{{l{'r' * count}@{{\quad}}{'r' * len(own)}}}", r"\toprule"]
        if own:
            lines += [rf" & \multicolumn{{{count}}}{{c}}{{paper}} & \multicolumn{{{len(own)}}}{{c}}{{ours}} \\"]
            lines += [rf"\cmidrule(lr){{2-{count + 1}}}\cmidrule(lr){{{count + 2}-{count + len(own) + 1}}}"]
        lines += [rf" & {' & '.join(heads)} \\", r"\midrule"]
        lines += [self._latex_row(row) for row in self.rows]
        if self.only_ours:
            lines += [r"\midrule", *(self._latex_row(row) for row in self.only_ours)]
        lines += [r"\bottomrule", r"\end{tabular}", "", r"\smallskip", r"\begin{minipage}{\linewidth}\footnotesize"]
        notes = self.explained()
        return "\n".join([*lines, *map(_latex, notes), r"\end{minipage}", r"\end{table}"]) + "\n"

    def _latex_row(self, row: Row) -> str:
        texts = [_latex(text) for text in _texts(row.published, len(self.columns))]
        for text, mark in self._own(row):
            colour = COLOURS.get(mark)
            texts.append(rf"\cellcolor{{{colour}}}{_latex(text)}" if colour else _latex(text))
        return rf"{_latex(row.name)} & {' & '.join(texts)} \\"

    def html(self, level: int = 4) -> str:
        """The table with both sides under common headings; our own rows folded below it."""
        title = escape(f"{self.title} ({self.where})")
        parts = [f"<h{level}>{title}, beside ours</h{level}>", self._html_table(title, self.rows)]
        if self.only_ours:
            rows = self._html_table(f"{title}: rows that only we have", self.only_ours)
            count = len(self.only_ours)
            parts.append(
                f"<details><summary>{count} row{'s' * (count > 1)} that only we have</summary>{rows}</details>"
            )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.explained())
        return "".join([*parts, f'<ul class="note">{notes}</ul>'])

    def _html_table(self, title: str, rows: Sequence[Row]) -> str:
        published, own = any(row.published for row in rows), self.own_columns()
        groups = [("ours", own)] if own else []
        if published:
            common, more = self._published_places()
            groups = [("paper", common), *groups, *([("paper, not ours", more)] if more else [])]
        first = "".join(f'<th scope="colgroup" colspan="{len(places)}">{name}</th>' for name, places in groups)
        names = "".join(
            f'<th scope="col" class="number">{escape(self.columns[place].name)}</th>'
            for _, places in groups
            for place in places
        )
        owned = any(row.own for row in rows)
        last = '<th scope="col" rowspan="2">our system</th>' if owned else ""
        head = f'<tr><th scope="col" rowspan="2"><span class="hidden-text">row</span></th>{first}{last}</tr><tr>{names}</tr>'
        body = "".join(self._html_row(row, published, owned) for row in rows)
        return (
            f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table class="beside">'
            f'<caption class="hidden-text">{title}</caption><thead>{head}</thead><tbody>{body}</tbody></table></div>'
        )

    def _html_row(self, row: Row, published: bool, owned: bool) -> str:
        texts = [f'<td class="number">{escape(text)}</td>' for text in _texts(row.published, len(self.columns))]
        common, more = self._published_places() if published else ([], [])
        cells = [f'<th scope="row">{escape(row.name)}</th>', *(texts[place] for place in common)]
        for text, mark in self._own(row):
            sign = f' <span class="sign" title="{mark}">{MARKS[mark]}</span>' if mark else ""
            cells.append(f'<td class="number {mark}">{escape(text)}{sign}</td>'.replace(' "', '"'))
        cells += [texts[place] for place in more]
        if owned:
            cells.append(f'<td class="note">{escape(row.own)}</td>')
        return f"<tr>{''.join(cells)}</tr>"


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


def _texts(cells: Sequence[Cell], count: int) -> list[str]:
    return [*(each.text for each in cells), *[""] * (count - len(cells))]


SYMBOLS = {"≠": r"$\neq$", "·": r"$\cdot$", "†": r"$\dagger$", "§": r"\S{}", "≤": r"$\leq$"}


def _latex(text: str) -> str:
    """Text for LaTeX, with the few symbols that the tables have."""
    return "".join(SYMBOLS.get(character, latex_text(character)) for character in text)


FACT = "beside"  # where a piece keeps its views, by stem


def facts(views: Mapping[str, Beside]) -> dict[str, Any]:
    """What a piece's outcome keeps."""
    return {FACT: {stem: view.plain() for stem, view in views.items()}}


def views_of(found: Mapping[str, Any]) -> dict[str, Beside]:
    return {stem: Beside.of(plain) for stem, plain in found.get(FACT, {}).items()}


def write_views(folder: Path, found: Mapping[str, Any]) -> None:
    """STEM.tex with colours, and STEM.md and STEM.csv as plain tables."""
    for stem, view in views_of(found).items():
        view.table().write(folder, ("md", "csv"), stem=stem)
        with writing(folder / f"{stem}.tex"):
            (folder / f"{stem}.tex").write_text(view.latex(), encoding="utf-8")


def views_part(found: Mapping[str, Any], tables: str) -> str:
    """The views of a piece, and its other tables (as HTML), which are folded where there is a view."""
    views = "".join(view.html() for view in views_of(found).values())
    folded = (
        f"<details><summary>All of our rows and columns</summary>{tables}</details>" if views and tables else tables
    )
    return views + folded
