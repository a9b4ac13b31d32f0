"""Tables for the terminal, Markdown, CSV and LaTeX (booktabs) from the same cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from problems.errors import InputError, nearest
from problems.files import check_regular

from ..records.log import writing
from .escaping import csv_text, html_text, latex_text, markdown_text, plain_text
from .latex import latex_table
from .table_csv import csv_rows

FORMATS = ("md", "csv", "tex")


def print_whole(table: RichTable, console: Console) -> None:
    """Print a table in the console's width. No word is cut, nor what may not be wrapped; without a terminal nothing is wrapped."""
    cells = [[str(cell) for cell in (column.header, *column.cells)] for column in table.columns]
    longest = [max(map(cell_len, texts)) for texts in cells]
    words = [max((cell_len(word) for text in texts for word in text.split()), default=0) for texts in cells]
    least = [most if column.no_wrap else word for column, most, word in zip(table.columns, longest, words, strict=True)]
    beside = len(cells) * (table.padding[1] + table.padding[3])
    width = console.width
    widths = shared_width(least, longest, width - beside if console.is_terminal else sum(longest))
    for column, given in zip(table.columns, widths, strict=True):
        column.width = given
    console.width = max(width, sum(widths) + beside)  # `print` takes no width beyond the console's own
    console.print(table, crop=False)
    console.width = width


def shared_width(least: Sequence[int], longest: Sequence[int], room: int) -> list[int]:
    """A width for each column, at least what it needs; what room is left goes to those that lack most."""
    widths = list(least)
    for _ in range(min(room, sum(longest)) - sum(least)):
        lacking = [most - width for most, width in zip(longest, widths, strict=True)]
        widths[lacking.index(max(lacking))] += 1
    return widths


@dataclass(frozen=True)
class Table:
    """Headings and rows of text; an empty row separates groups. The first `left` columns are aligned left, the others right."""

    title: str
    headings: list[str]
    rows: list[list[str]]
    notes: list[str]
    left: int = 1
    terminal: Table | None = None
    """The same for a terminal, if that has no room for all of it."""

    def show(self, console: Console) -> None:
        if self.terminal is not None:
            self.terminal.show(console)
            return
        table = RichTable(
            title=Text(plain_text(self.title)), box=None, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0)
        )
        for index, heading in enumerate(self.headings):
            table.add_column(Text(plain_text(heading)), justify="left" if index < self.left else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(plain_text(cell)) for cell in row))  # an empty row is a blank line
        print_whole(table, console)
        console.print()
        for note in self.notes:
            console.print(plain_text(note), markup=False, highlight=False)

    def print(self, form: str, console: Console) -> None:
        """Print as `terminal`, `markdown`, `csv` or `latex`; what is meant for a file is not wrapped."""
        texts = {"markdown": self.markdown, "csv": self.csv, "latex": self.latex}
        if form == "terminal":
            self.show(console)
        elif form in texts:
            console.print(texts[form](), markup=False, highlight=False, soft_wrap=True, end="")
        else:
            raise InputError(f"unknown format {form!r} of a table: {nearest(form, ['terminal', *texts])}")

    def markdown(self) -> str:
        alignment = ["---"] * self.left + ["---:"] * (len(self.headings) - self.left)
        lines = [f"# {markdown_text(self.title)}", "", _markdown_row(self.headings), _markdown_row(alignment)]
        lines += [_markdown_row(row) for row in self.rows if row]
        lines += ["", *(f"- {markdown_text(note)}" for note in self.notes)]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        """One number per cell: the ends of an interval have columns of their own."""
        text = io.StringIO()
        rows = csv_rows(self.headings, self.rows)
        csv.writer(text, lineterminator="\n").writerows([csv_text(cell) for cell in row] for row in rows)
        return text.getvalue()

    def latex(self) -> str:
        """A `table` with caption and label, or several where it is too wide; a comment names the packages it needs."""
        return latex_table(self.title, self.headings, self.rows, self.notes, self.left)

    def _repr_html_(self) -> str:
        """For notebooks: the whole table with its notes."""

        def cells(texts: list[str], tag: str) -> str:
            sides = ["left"] * self.left + ["right"] * (len(texts) - self.left)
            found = zip(texts, sides, strict=False)
            return "".join(f'<{tag} style="text-align:{side}">{html_text(text)}</{tag}>' for text, side in found)

        rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in self.rows if row)
        notes = "".join(f"<li>{html_text(note)}</li>" for note in self.notes)
        caption = f'<caption style="text-align:left">{html_text(self.title)}</caption>'
        head = f"<thead><tr>{cells(self.headings, 'th')}</tr></thead>"
        return f"<table>{caption}{head}<tbody>{rows}</tbody></table>" + (f"<ul>{notes}</ul>" if notes else "")

    def write(self, folder: Path, formats: Iterable[str] = FORMATS, stem: str = "table") -> list[Path]:
        """Write `table.md`, `table.csv` and `table.tex`, or those that are asked for."""
        written = []
        writers = {"md": self.markdown, "csv": self.csv, "tex": self.latex}
        for name in formats:
            if name not in writers:
                raise InputError(f"unknown format {name!r} of a table: {nearest(name, writers)}")
            written.append(folder / f"{stem}.{name}")
            with writing(written[-1]):
                folder.mkdir(parents=True, exist_ok=True)
                check_regular(written[-1])
                written[-1].write_text(writers[name](), encoding="utf-8")
        return written


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(map(markdown_text, cells)) + " |"


__all__ = ["FORMATS", "Table", "latex_text"]
