"""The library of instances with known optima, made from runs: `python -m bench.reproduction.library RUN ... [--out FILE]`.

Only verified structures and proofs count in which the audit finds nothing wrong. An instance is proved if two solvers of different
libraries proved its optimum; what fewer proved within the runs' limits is open, with the best value and the lowest bound.
What the file has already of other instances stays; of the same ones the better value counts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from problems.errors import InputError
from problems.library import FILE, Known, library, name_of, write

from ..analysis.audit import with_audit
from ..analysis.statistics.cells import best_known, reduce_cells
from ..experiments.sources import described_sources, digest, task_named
from ..records.frame import Records
from ..records.log import load_run

OTHERS_LIBRARY = ("ilp-pulp",)  # they call the library of another solver: no second opinion


def known_of(records: Records) -> Iterator[Known]:
    """What a run knows of its generated instances."""
    audited = with_audit(records)
    cells, best = reduce_cells(audited), best_known(audited)
    for found, (task, size, seed) in _origins(records):
        own = cells[(cells["instance_digest"] == found) & cells["answered"].astype(bool)]
        if found not in best:
            continue
        optimal = own[(own["status"] == "optimal") & ~own["solver"].isin(OTHERS_LIBRARY)].sort_values("runtime")
        proofs = tuple(dict.fromkeys(str(name) for name in optimal["solver"]))
        bounds = own["bound"].dropna()
        bound = float(bounds.min()) if len(bounds) else float("inf")
        seconds = float(optimal["runtime"].iloc[0]) if proofs else None
        known = Known(name_of(task, size, seed), task, size, seed, found, best[found], bound, proofs, seconds)
        yield known._replace(bound=known.objective) if known.is_proved else known


def _origins(records: Records) -> Iterator[tuple[str, tuple[str, str, int]]]:
    """The digests of generated instances that were run, and what generates them."""
    wanted = set(records["instance_digest"])
    for source in described_sources(records.experiment.get("instances", {})):
        if source.kind == "generate":
            task = task_named(source.task)
            for size in source.values["sizes"]:
                for seed in source.values["seeds"]:
                    found = digest(task, task.generate(seed, size))
                    if found in wanted and task.name != "graph":
                        yield found, (task.name, size, seed)


def merged(found: Iterable[Known]) -> dict[str, Known]:
    """By name; of two runs of one instance the proof counts, then the faster one, then the better value."""
    result: dict[str, Known] = {}
    for known in found:
        other = result.get(known.name)
        if other is None or _worth(known) > _worth(other):
            result[known.name] = known
    return result


def _worth(known: Known) -> tuple[bool, float, float]:
    seconds = known.seconds if known.is_proved and known.seconds is not None else 0.0
    return known.is_proved, -seconds, known.objective


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the library of instances with known optima from runs.")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args(arguments)
    before = list(library().values()) if given.out == FILE and FILE.exists() else []
    found = merged([*before, *(known for path in given.runs for known in known_of(load_run(path)))])
    write(found.values(), given.out)
    counts = pd.Series([known.difficulty for known in found.values()]).value_counts()
    print(f"{given.out}: {len(found)} instances ({', '.join(f'{count} {name}' for name, count in counts.items())})")


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        sys.exit(f"dualbench: {error}")
