"""The index of `results/` and the results table of the README, made from the folders' `provenance.json` and `cells.csv` only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.files import read_text, replacing

from ..output.escaping import markdown_text
from ..records.log import PROVENANCE
from ..records.marks import load_per_core, marks
from . import exact_solvers
from .runs import CELLS, read_cells
from .standings import HEADINGS, NOTES, Contest, contest_row, contests

INDEX = "README.md"
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
IN_README = "compare-"
"""Of these experiments the README has every size. There is one for each task, so that no size stands there twice."""
MADE = "python -m bench.reproduction.publish --index"


@dataclass(frozen=True)
class Folder:
    """A folder of results: its provenance, and its contests if it is a published experiment, with the exact solvers of a race."""

    name: str
    facts: dict[str, Any]
    contests: list[Contest]
    exact: list[list[str]] = field(default_factory=list)

    @property
    def marks(self) -> list[str]:
        return marks(self.facts)


def read_folders(results: Path) -> list[Folder]:
    """Every folder, by name. One without a provenance has no facts, which marks it."""
    return [_folder(path) for path in sorted(results.iterdir()) if path.is_dir() and not path.name.startswith(".")]


def _folder(path: Path) -> Folder:
    facts, found, exact = {}, [], []
    if (path / PROVENANCE).exists():
        try:
            facts = json.loads(read_text(path / PROVENANCE))
        except (OSError, ValueError):
            raise InputError(f"{path / PROVENANCE}: cannot be read.") from None
    if (path / CELLS).exists():
        cells, best = read_cells(path / CELLS)
        found = contests(cells, best)
        exact = list(exact_solvers.exact_rows(cells, best)) if path.name in exact_solvers.RACES else []
    return Folder(path.name, facts, found, exact)


def index_page(folders: list[Folder]) -> str:
    """`results/README.md`: what each folder answers and how it was recorded, then every experiment size by size."""
    headings = ["folder", "question", "command", "commit", "load", "marked"]
    note = (
        "load: the share of each core that other programs took during the run; where it was not measured, their load average, "
        "before or after, whichever is higher. marked: why times must be taken with care."
    )
    made = f"Made by `{MADE}` from the folders' `provenance.json` and `cells.csv`; do not edit it by hand."
    parts = ["# What our own runs recorded", "", made, ""]
    parts += _markdown(headings, [_index_row(folder) for folder in folders], [note])
    compared = [(folder, contest) for folder in folders for contest in folder.contests if is_compared(contest)]
    if compared:
        parts += ["", "## Size by size", "", *results_lines(compared, "")]
    if any(folder.exact for folder in folders):
        parts += ["", "## The fastest exact solver", "", *_exact_lines(folders)]
    return "\n".join(parts) + "\n"


def _index_row(folder: Folder) -> list[str]:
    code, load = folder.facts.get("code") or {}, load_per_core(folder.facts)
    command = " ".join(folder.facts.get("command") or [])
    return [
        f"[{folder.name}]({folder.name})",
        markdown_text(str(folder.facts.get("question") or "")),
        f"`{command}`" if command else "",
        str(code.get("commit") or "")[:10],
        "" if load is None else f"{load:.2f}",
        markdown_text("; ".join(folder.marks)),
    ]


def is_compared(contest: Contest) -> bool:
    """Are there an ILP solver and a combinatorial algorithm?"""
    return bool(contest.ilp_label) and contest.rival is not None


def results_lines(rows: list[tuple[Folder, Contest]], base: str) -> list[str]:
    """The table of some contests; `base` is where the folders are, seen from the page."""
    shown = [
        [
            _linked(folder, base),
            *map(markdown_text, contest_row(contest)),
        ]
        for folder, contest in rows
    ]
    notes = [markdown_text(note) for note in NOTES]
    marked = {folder.name: folder.marks for folder, _ in rows if folder.marks}
    notes += [f"\\* {name}: {markdown_text('; '.join(why))}." for name, why in marked.items()]
    return _markdown(["experiment", *HEADINGS], shown, notes)


def _exact_lines(folders: list[Folder]) -> list[str]:
    """Every race, and the versions that ran in them."""
    raced = [folder for folder in folders if folder.exact]
    rows = [[_linked(folder, ""), *map(markdown_text, row)] for folder in raced for row in folder.exact]
    versions = sorted(
        {
            f"{name} {version}"
            for each in raced
            for name, version in (each.facts.get("solvers") or {}).items()
            if version != "built in"
        }
    )
    notes = [*exact_solvers.NOTES, f"Versions: {', '.join(versions)}."]
    return _markdown(["experiment", *exact_solvers.HEADINGS], rows, [markdown_text(note) for note in notes])


def _linked(folder: Folder, base: str) -> str:
    return f"[{folder.name}]({base}{folder.name}/table.md){' *' if folder.marks else ''}"


def _markdown(headings: list[str], rows: list[list[str]], notes: list[str]) -> list[str]:
    lines = [headings, ["---"] * len(headings), *rows]
    return [*("| " + " | ".join(line) + " |" for line in lines), "", *(f"- {note}" for note in notes)]


def readme_part(folders: list[Folder]) -> str:
    """What stands between the two comments of the README."""
    shown = [folder for folder in folders if folder.name.startswith(IN_README)]
    rows = [(folder, contest) for folder in shown for contest in folder.contests if is_compared(contest)]
    if not rows:
        return f"No experiment has been published yet: `{MADE.removesuffix(' --index')}` (`make results`)."
    return "\n".join(results_lines(rows, "results/"))


def with_part(text: str, part: str) -> str:
    """A page whose part between the comments is this one."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"the README has no table of results (expected {BEGIN} and {END}).")
    return f"{before}{BEGIN}\n{part}\n{END}{after}"


def pages(results: Path) -> dict[Path, str]:
    """The index and the README beside the folder of results, as they should be."""
    folders, readme = read_folders(results), results.parent / "README.md"
    found = {results / INDEX: index_page(folders)}
    if readme.exists():
        found[readme] = with_part(readme.read_text(encoding="utf-8"), readme_part(folders))
    return found


def write_index(results: Path) -> list[Path]:
    """Write both pages."""
    written = pages(results)
    for path, text in written.items():
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return list(written)
