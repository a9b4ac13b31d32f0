"""How compression solvers scale with the words of a sentence.

    python -m bench.studies.compression_runtime results/compression-runtime [--quick]

A solver leaves at the size where its median exceeds the limit. Exponents are least-squares slopes of log seconds against
log words over the sizes from `FITTED_FROM` on; solvers that end fewer than three of these get all sizes that they end.
`compression_race` has the dynamic programs against the fastest ILP at one size, `compression_plot` the figure.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from problems.compression.instance import CompressionInstance
from problems.errors import InputError

from ..output.plots.scaling import PowerLaw, fit_power_law
from ..output.tables import Table
from ..records.provenance import load_average, now
from .compression_plot import plot
from .compression_rivals import (
    DUAL,
    EXACT_ALL,
    EXACT_FAST,
    EXACT_PAPER,
    LAGRANGIAN,
    LAGRANGIAN_PAPER,
    LAGRANGIAN_STEPS,
    PARTIAL,
    TASK,
    Rival,
    cell,
    integer_programs,
    linear_programs,
    ready,
    rival,
    stopped,
    write_records,
)

SIZES = ("10", "15", "20", "25", "30", "40", "50", "60", "80", "100")
SEEDS = range(4001, 4004)
LIMIT = 6.0  # wall-clock
FITTED_FROM = 20
FASTEST = "fastest ILP"

Times = dict[str, dict[int, float]]


def groups() -> dict[str, list[Rival]]:
    """All solvers, by the panel of the figure that shows them."""
    programs = [EXACT_FAST, EXACT_ALL, EXACT_PAPER, LAGRANGIAN, LAGRANGIAN_STEPS, LAGRANGIAN_PAPER]
    return {
        "dynamic programs": [*programs, *PARTIAL],
        "dual decomposition and LP": [*DUAL, *linear_programs()],
        "ILP": [*integer_programs(), rival("tree-ilp", "tree-ilp")],
    }


def grow(rivals: list[Rival], sizes: tuple[str, ...], seeds: range, cells: list[dict[str, Any]]) -> Times:
    """Median seconds by name and number of words, infinite where most sentences were not ended.

    A solver above the limit is not run on longer sentences. Every single time is added to the cells, null where there is none.
    """
    times: Times = {one.name: {} for one in rivals}
    racing = list(rivals)
    for size in sizes:
        instances = [TASK.generate(seed, size) for seed in seeds]
        for one in list(racing):
            seconds: list[float] = []
            for instance in instances:
                seconds.append(_seconds(one, instance))
                cells.append(cell("scaling", one, instance, seconds[-1]))
                if sum(value > LIMIT for value in seconds) > len(instances) // 2:
                    break
            times[one.name][int(size)] = median(seconds)
            if times[one.name][int(size)] > LIMIT:
                racing.remove(one)
            print(size, one.name, f"{times[one.name][int(size)]:.4g}", flush=True)
    return times


def _seconds(one: Rival, instance: CompressionInstance) -> float:
    """Infinite where the solver did not end within its limit, or refused the size."""
    try:
        solution, seconds = one.solve(instance, LIMIT)
    except InputError:  # a table that does not fit
        return float("inf")
    return float("inf") if stopped(solution) else seconds


def fastest(names: set[str], cells: list[dict[str, Any]], sizes: tuple[str, ...]) -> dict[int, float]:
    """The median over sentences of the time of the fastest of these solvers, up to where most have none."""
    found: dict[int, float] = {}
    for size in sizes:
        best: dict[str, float] = {}
        for each in cells:
            if each["part"] == "scaling" and each["solver"] in names and each["instance"].startswith(f"{size}-"):
                own = float("inf") if each["seconds"] is None else each["seconds"]
                best[each["instance"]] = min(best.get(each["instance"], float("inf")), own)
        if not best or median(best.values()) == float("inf"):
            break
        found[int(size)] = median(best.values())
    return found


def law(times: dict[int, float]) -> tuple[PowerLaw | None, bool]:
    """The power law of the sizes from `FITTED_FROM` on; of all sizes, said by True, where there are too few of these."""
    ended = {words: seconds for words, seconds in times.items() if seconds < float("inf")}
    long = {words: seconds for words, seconds in ended.items() if words >= FITTED_FROM}
    used = long if len(long) >= 3 else ended
    fitted = fit_power_law(np.array(list(used), dtype=float), np.array(list(used.values())))
    return fitted, used is not long


def scaling_table(times: Times, sizes: tuple[str, ...], seeds: range, load: list[float] | None) -> Table:
    rows = []
    for name, own in times.items():
        fitted, short = law(own)
        said = "" if fitted is None else f"{fitted.exponent:.1f} [{fitted.low:.1f}, {fitted.high:.1f}]" + "*" * short
        rows.append([name, *(_said(own.get(int(size))) for size in sizes), said])
    notes = [
        f"Median CPU milliseconds over {len(seeds)} planted sentences, rate 0.7; building and rounding included.",
        f"A solver whose median is above {LIMIT:g} s at one size (x: most sentences not ended within {LIMIT:g} s of wall-clock time) is not run on longer sentences: empty.",
        f"exponent: slope of log milliseconds against log words from {FITTED_FROM} words on, with its 95 % interval; *: of all sizes that "
        "were ended, because there are fewer than three of these. Where sizes are missing the exponent tends to be too small.",
        f"{FASTEST}: on each sentence the fastest of the integer programs that were still run.",
        "dp-tree, dp-bigram, crf and tree-ilp score a part of the objective only; lp-*, ad3 and subgradient may stop at a gap; "
        "dp-lagrangian, paper, may miss the length.",
    ]
    if load:
        said = ", ".join(f"{value:g}" for value in load)
        notes.append(
            f"Load averages at the end, over 1, 5 and 15 minutes: {said}; above the number of cores, the limit allows less CPU time."
        )
    return Table("Compression: runtime against words", ["solver", *sizes, "exponent"], rows, notes)


def _said(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return "x" if seconds == float("inf") else f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:.0f}"


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    sizes, seeds = (SIZES[:3], SEEDS[:1]) if quick else (SIZES, SEEDS)
    panels = {title: ready(rivals) for title, rivals in groups().items()}
    rivals = [one for own in panels.values() for one in own]
    times = grow(rivals, sizes, seeds, cells)
    programs = {one.name for one in integer_programs()}
    times[FASTEST] = fastest(programs, cells, sizes)
    scaling_table(times, sizes, seeds, load_average()).write(folder, stem="scaling")
    shown = {title: [one.name for one in own] for title, own in panels.items()}
    plot(times, shown, {name: law(own)[0] for name, own in times.items()}, folder / "scaling")
    write_records(folder, rivals, cells, started, seeds=list(seeds), sizes=list(sizes), limits={"seconds": LIMIT})


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-runtime"), "--quick" in sys.argv)
