"""Tables for the terminal, Markdown and CSV from the same cells."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable


@dataclass(frozen=True)
class Table:
    """Headings and rows of text; an empty row separates groups. The first column is aligned left, the others right."""

    title: str
    headings: list[str]
    rows: list[list[str]]
    notes: list[str]

    def show(self, console: Console) -> None:
        table = RichTable(title=self.title, box=None, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0))
        for index, heading in enumerate(self.headings):
            table.add_column(heading, justify="left" if index == 0 else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)  # an empty row is a blank line
        console.print(table)
        console.print()
        for note in self.notes:
            console.print(note, markup=False, highlight=False)

    def markdown(self) -> str:
        lines = [f"# {self.title}", "", _markdown_row(self.headings)]
        lines.append(_markdown_row(["---", *["---:"] * (len(self.headings) - 1)]))
        lines += [_markdown_row(row) for row in self.rows if row]
        lines += ["", *(f"- {note}" for note in self.notes)]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headings, *(row for row in self.rows if row)])
        return text.getvalue()

    def write(self, folder: Path) -> None:
        (folder / "table.md").write_text(self.markdown(), encoding="utf-8")
        (folder / "table.csv").write_text(self.csv(), encoding="utf-8")


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
