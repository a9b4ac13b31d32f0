"""The dynamic programs of sentence compression against the fastest exact ILP, and their own times on many sentences.

    python -m bench.studies.compression_race results/compression-race [--quick]

The rival of the dynamic programs is, sentence by sentence, the fastest of all backends on all formulations of the same
projective problem.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from ..provenance import now
from ..tables import Table
from .compression_rivals import (
    EXACT_ALL,
    EXACT_FAST,
    LAGRANGIAN,
    TASK,
    Run,
    cell,
    integer_programs,
    race,
    ready,
    write_records,
)

SIZE = "30"
SEEDS = range(4101, 4116)
LIMIT = 10.0
OWN_SIZES = {"30": range(4201, 4251), "40": range(4201, 4251), "100": range(4201, 4206)}


def proved(run: Run, optimum: float) -> float:
    """CPU seconds, infinite without a proof of optimality; a proof of another optimum would be a bug."""
    if run.solution.status != "optimal":
        return float("inf")
    if abs(run.solution.objective - optimum) > 1e-5 * (1 + abs(optimum)):
        raise AssertionError(f"{run.rival.name}: {run.solution.objective} is not the optimum {optimum}")
    return run.seconds


def against_programs(seeds: range, cells: list[dict[str, Any]]) -> Table:
    """One row per sentence: the dynamic programs, and the fastest of all exact integer programs."""
    rivals = ready(integer_programs())
    ready([EXACT_FAST, LAGRANGIAN])
    rows, figures = [], []
    for seed in seeds:
        instance = TASK.generate(seed, SIZE)
        exact, exact_seconds = EXACT_FAST.solve(instance)
        _, lagrangian_seconds = LAGRANGIAN.solve(instance)
        runs = race(rivals, instance, LIMIT)
        times = [proved(run, exact.objective) for run in runs]
        cells += [cell("race", one, instance, found) for one, found in zip(rivals, times, strict=True)]
        cells += [
            cell("race", EXACT_FAST, instance, exact_seconds),
            cell("race", LAGRANGIAN, instance, lagrangian_seconds),
        ]
        seconds, name = min(zip(times, (one.name for one in rivals), strict=True))
        if seconds == float("inf"):  # a lower bound of what it would have taken
            seconds, name = LIMIT, f"none within {LIMIT:g} s"
        milliseconds = [1e3 * value for value in (exact_seconds, lagrangian_seconds, seconds)]
        figures.append([*milliseconds, seconds / exact_seconds, seconds / lagrangian_seconds])
        rows.append(_row(str(seed), figures[-1], name))
        print(rows[-1], flush=True)
    columns = np.array(figures)
    rows.append(_row("median", np.median(columns, axis=0).tolist(), ""))
    rows.append(_row("least", columns.min(axis=0).tolist(), ""))
    rows.append(_row("largest", columns.max(axis=0).tolist(), ""))
    headings = [
        "seed",
        "dp-exact ms",
        "dp-lagrangian ms",
        "fastest ILP ms",
        "fastest ILP",
        "ILP/exact",
        "ILP/Lagrangian",
    ]
    notes = [
        f"Sentences of {SIZE} words. ILP: the fastest of {len(rivals)} pairs of backend and formulation that proved the optimum.",
        f"An ILP is stopped after {LIMIT:g} s, or when it has used twice the (wall) time of the fastest so far and 0.5 s more.",
        f'"None within {LIMIT:g} s" counts as {LIMIT:g} s: the ratio is then a lower bound. least, largest: of each column alone.',
    ]
    return Table(f"Dynamic programs against ILP, {SIZE} words", headings, rows, notes)


def _row(name: str, figures: list[float], fastest: str) -> list[str]:
    exact, lagrangian, program, *ratios = figures
    times = [f"{exact:.2f}", f"{lagrangian:.3f}", f"{program:,.0f}"]
    return [name, *times, fastest, *(f"{ratio:,.0f}" for ratio in ratios)]


def own_times(quick: bool, cells: list[dict[str, Any]]) -> Table:
    """Times of the dynamic programs by size, and the memory of their tables."""
    rows = []
    for one in ready([EXACT_FAST, EXACT_ALL, LAGRANGIAN]):
        for size, seeds in OWN_SIZES.items():
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
            share = f"{repaired / len(used):.0%}" if one is LAGRANGIAN else ""
            rows.append([one.name, size, str(len(used)), *figures, share, f"{memory:.3g}" if memory else ""])
    notes = [
        "CPU milliseconds of the whole solve() call, warm: tables, back-pointers, decoding, repair. Per sentence the median of three if short.",
        'dp-exact has the counts that the length allows (`lengths = "given"`). repaired: share of sentences with a duality gap.',
    ]
    headings = ["program", "words", "sentences", "median ms", "mean ms", "slowest ms", "repaired", "tables MB"]
    return Table("Dynamic programs of sentence compression", headings, rows, notes)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    seeds = SEEDS[:1] if quick else SEEDS
    own_times(quick, cells).write(folder, stem="programs")
    against_programs(seeds, cells).write(folder, stem="race")
    rivals = [EXACT_FAST, EXACT_ALL, LAGRANGIAN, *integer_programs()]
    own_seeds = {size: list(own) for size, own in OWN_SIZES.items()}
    write_records(
        folder, rivals, cells, started, seeds=list(seeds), own_seeds=own_seeds, size=SIZE, limits={"seconds": LIMIT}
    )


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-race"), "--quick" in sys.argv)
