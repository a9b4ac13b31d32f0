"""What every study shares: its arguments, its folder, its tables, and where they come from.

    STUDY = Study("parsing-costs", "What does each subproblem cost as sentences grow?", solvers=("ad3",))

    def measure(folder: Path, quick: bool) -> Table: ...

    if __name__ == "__main__":
        STUDY.main(measure)

Then `python -m bench.studies.parsing_costs [FOLDER] [--quick]` measures, writes and shows the table, and leaves a `provenance.json`
beside it. Options of its own are keyword arguments of `main`: a default value, or a type where there is none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from ..output.tables import Table
from ..records.marks import marks
from ..records.provenance import Recording, write_provenance

Tables = Table | Mapping[str, Table]
"""One table, or several by the stems of their files."""


@dataclass(frozen=True)
class Study:
    """`name` is that of its folder in `results/`, `question` what its tables answer, `facts` what its provenance adds (seeds)."""

    name: str
    question: str
    solvers: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def main(self, measure: Callable[..., Tables], arguments: Sequence[str] | None = None, **options: Any) -> None:
        """Measure, write and show."""
        given = vars(self._parser(options).parse_args(arguments))
        folder = given.pop("folder") or Path("runs" if given["quick"] else "results") / self.name
        folder.mkdir(parents=True, exist_ok=True)
        settings = {name: str(value) if isinstance(value, Path) else value for name, value in given.items()}
        recording = Recording(self.solvers, question=self.question, **self.facts, **settings)
        made = measure(folder, **given)
        facts = recording.ended()
        write_provenance(folder, facts)
        notes = [f"Marked: {mark}." for mark in marks(facts)]
        for stem, table in {"table": made}.items() if isinstance(made, Table) else made.items():
            marked = replace(table, notes=[*table.notes, *notes])
            marked.write(folder, stem=stem)
            marked.show(Console(highlight=False))

    def _parser(self, options: Mapping[str, Any]) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(description=self.question)
        parser.add_argument(
            "folder", type=Path, nargs="?", help=f"results/{self.name} by default, runs/{self.name} if quick"
        )
        parser.add_argument("--quick", action="store_true", help="a few small cases, to see that it works")
        for name, value in options.items():
            flag = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                parser.add_argument(flag, action="store_true")
            else:
                kind = value if isinstance(value, type) else type(value)
                parser.add_argument(flag, type=kind, default=None if isinstance(value, type) else value)
        return parser
