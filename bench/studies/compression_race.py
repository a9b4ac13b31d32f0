"""The dynamic programs of sentence compression against the fastest exact ILP, sentence by sentence.

    python -m bench.studies.compression_race results/compression-race [--quick]

The rival of the dynamic programs is, sentence by sentence, the fastest of all backends on all formulations of the same
projective problem.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..output.tables import Table
from ..records.provenance import now
from .compression_rivals import EXACT_FAST, LAGRANGIAN, TASK, Run, cell, integer_programs, race, ready, write_records

SIZE = "30"
SEEDS = range(4101, 4116)
LIMIT = 10.0


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


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    seeds = SEEDS[:1] if quick else SEEDS
    against_programs(seeds, cells).write(folder, stem="race")
    rivals = [EXACT_FAST, LAGRANGIAN, *integer_programs()]
    write_records(folder, rivals, cells, started, seeds=list(seeds), size=SIZE, limits={"seconds": LIMIT})


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-race"), "--quick" in sys.argv)
