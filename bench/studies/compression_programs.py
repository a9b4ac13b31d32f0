"""Times and memory of the dynamic programs of sentence compression on many planted sentences.

python -m bench.studies.compression_programs results/compression-programs [--quick]
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import fmean, median
from typing import Any

from ..output.tables import Table
from ..records.provenance import now
from .compression_rivals import (
    EXACT_ALL,
    EXACT_FAST,
    EXACT_PAPER,
    LAGRANGIAN,
    LAGRANGIAN_PAPER,
    LAGRANGIAN_STEPS,
    TASK,
    cell,
    ready,
    write_records,
)

SEEDS = {"30": range(4201, 4221), "40": range(4201, 4221), "100": range(4201, 4204)}
PROGRAMS = [EXACT_FAST, EXACT_ALL, EXACT_PAPER, LAGRANGIAN, LAGRANGIAN_STEPS, LAGRANGIAN_PAPER]
UP_TO_40 = (EXACT_PAPER, LAGRANGIAN_PAPER)  # at 100 words they take seconds: `compression_runtime` has them there


def own_times(quick: bool, cells: list[dict[str, Any]]) -> Table:
    """Times of the dynamic programs by size, and the memory of their tables."""
    rows = []
    for one in ready(PROGRAMS):
        for size, seeds in SEEDS.items():
            if int(size) > 40 and one in UP_TO_40:
                continue
            used = seeds[:2] if quick else seeds
            seconds, memory, repaired = [], 0.0, 0.0
            for seed in used:
                instance = TASK.generate(seed, size)
                solution, taken = one.solve(instance)
                cells.append(cell("own", one, instance, taken))
                seconds.append(1e3 * taken)
                memory = max(memory, solution.info.get("table_mb", 0.0))
                repaired += solution.info.get("repaired", 0.0)
            figures = [f"{reduce(seconds):.3g}" for reduce in (median, fmean, max)]
            share = f"{repaired / len(used):.0%}" if one in (LAGRANGIAN, LAGRANGIAN_STEPS) else ""
            rows.append([one.name, size, str(len(used)), *figures, share, f"{memory:.3g}" if memory else ""])
    notes = [
        "CPU milliseconds of the whole solve() call, warm: tables, back-pointers, decoding, repair. Per sentence the median of three if short.",
        'dp-exact has the counts that the length allows (`lengths = "given"`).',
        "repaired: share of sentences where the search left the optimum to the exact program.",
    ]
    headings = ["program", "words", "sentences", "median ms", "mean ms", "slowest ms", "repaired", "tables MB"]
    return Table("Dynamic programs of sentence compression", headings, rows, notes)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    own_times(quick, cells).write(folder)
    seeds = {size: list(own) for size, own in SEEDS.items()}
    write_records(folder, PROGRAMS, cells, started, seeds=seeds)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-programs"), "--quick" in sys.argv)
