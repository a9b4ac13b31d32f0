"""Instances with known optima: generated ones, by task, size and seed, with the best value that is known and who proved it.

`library.csv` is made from audited runs (`python -m bench.reproduction.library`). The audit of every run holds its answers against it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from . import get_task
from .errors import InputError, nearest, quoted
from .files import replacing

FILE = Path(__file__).parent / "library.csv"
PREFIX = "library:"
CLASSES = {"easy": 1.0, "medium": 10.0, "hard": 60.0}
"""Seconds within which the fastest proof of a class ends; what nobody has proved is open."""
OPEN = "open"


class Known(NamedTuple):
    """What is known of one instance. `bound` is its optimum where that is proved, else the lowest bound that anybody found."""

    name: str
    task: str
    size: str
    seed: int
    digest: str
    objective: float
    bound: float
    proved_by: tuple[str, ...]  # solvers, the fastest first; none: open
    seconds: float | None  # CPU, of the fastest proof

    @property
    def is_proved(self) -> bool:
        """One solver alone may be wrong, and so may two faces of one library."""
        return len({code_of(name) for name in self.proved_by}) > 1

    @property
    def difficulty(self) -> str:
        if not self.is_proved or self.seconds is None:
            return OPEN
        return next((name for name, most in CLASSES.items() if self.seconds <= most), "hard")

    def make(self) -> Any:
        """The instance."""
        return get_task(self.task).generate(self.seed, self.size)


def code_of(solver: str) -> str:
    """The library, or our own algorithm, behind a solver: `highs` for ilp-highs and lp-highs-ipm, `ad3` for ad3-exact."""
    kind, _, name = solver.partition("-")
    return name.partition("-")[0] if kind in ("ilp", "lp") else kind if kind == "ad3" else solver


def name_of(task: str, size: str, seed: int) -> str:
    return f"{task}-{size}-{seed}"


@cache
def library() -> dict[str, Known]:
    """All instances by name."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {row["name"]: _known(row) for row in csv.DictReader(file)}


def _known(row: dict[str, str]) -> Known:
    return Known(
        row["name"],
        row["task"],
        row["size"],
        int(row["seed"]),
        row["digest"],
        float(row["objective"]),
        float(row["bound"]),
        tuple(row["proved_by"].split()),
        float(row["seconds"]) if row["seconds"] else None,
    )


@cache
def by_digest() -> dict[str, Known]:
    return {known.digest: known for known in library().values()}


def known_as(name: str) -> Known:
    """The instance that `library:NAME` or NAME names."""
    plain = name.removeprefix(PREFIX)
    if plain not in library():
        raise InputError(
            f"the library has no instance {quoted(plain)}: {nearest(plain, library(), 'dualbench list library')}"
        )
    return library()[plain]


def matching(pattern: str) -> list[str]:
    """The names with their prefix that a pattern such as `library:parsing-*` matches."""
    plain = pattern.removeprefix(PREFIX)
    return [PREFIX + name for name in library() if fnmatchcase(name, plain)]


def write(found: Iterable[Known], path: Path = FILE) -> None:
    """The file, sorted by name."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Known._fields)
        for known in sorted(found):
            objective, bound = repr(known.objective), repr(known.bound)
            seconds = "" if known.seconds is None else f"{known.seconds:.3g}"
            writer.writerow([*known[:5], objective, bound, " ".join(known.proved_by), seconds])
