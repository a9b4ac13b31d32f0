"""How compression solvers scale with the words of a sentence, and the dynamic programs against the fastest exact ILP.

    python -m bench.studies.compression_runtime results/compression-runtime [--quick]

A solver leaves the race at the size where its median exceeds the limit. Exponents are least-squares slopes of log seconds
against log words over the sizes from `FITTED_FROM` on. At 30 words the rival of the dynamic programs is, sentence by
sentence, the fastest of all backends on all formulations of the same projective problem.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from problems.compression.instance import CompressionInstance
from problems.errors import InputError

from ..provenance import now
from ..tables import Table
from .compression_rivals import (
    DUAL,
    EXACT_ALL,
    EXACT_FAST,
    EXACT_PAPER,
    LAGRANGIAN,
    LAGRANGIAN_PAPER,
    PARTIAL,
    TASK,
    Rival,
    integer_programs,
    ready,
    rival,
    stopped,
    write_records,
)

SIZES = ("10", "15", "20", "25", "30", "40", "50", "60", "80", "100")
SEEDS = range(4001, 4003)
LIMIT = 6.0
CUTOFF, CUTOFF_SECONDS = 2.0, 0.5  # in the race, at twice the time of the fastest so far, and half a second more
FITTED_FROM = 20
RACE_SIZE = "30"
RACE_SEEDS = range(4101, 4116)

Times = dict[str, dict[int, float]]


def all_rivals() -> list[Rival]:
    programs = [EXACT_FAST, EXACT_ALL, EXACT_PAPER, LAGRANGIAN, LAGRANGIAN_PAPER]
    return [*programs, *PARTIAL, *DUAL, rival("tree-ilp", "tree-ilp"), *integer_programs()]


def grow(rivals: list[Rival], sizes: tuple[str, ...], seeds: range, cells: list[dict[str, Any]]) -> Times:
    """Median seconds by name and number of words; a solver above the limit is not run on longer sentences.

    Every single time is added to the cells, null where there is none.
    """
    times: Times = {one.name: {} for one in rivals}
    racing = list(rivals)
    for size in sizes:
        instances = [TASK.generate(seed, size) for seed in seeds]
        for one in list(racing):
            seconds: list[float] = []
            for instance in instances:
                seconds.append(_seconds(one, instance))
                cells.append(_cell("scaling", one, instance, seconds[-1]))
                if sum(value > LIMIT for value in seconds) > len(instances) // 2:
                    break
            middle = median(seconds)
            if middle > LIMIT:
                racing.remove(one)
            else:
                times[one.name][int(size)] = middle
            print(size, one.name, f"{middle:.4g}", flush=True)
    return times


def _seconds(one: Rival, instance: CompressionInstance) -> float:
    """Infinite where the solver did not end within its limit, or refused the size."""
    try:
        solution, seconds = one.solve(instance, LIMIT)
    except InputError:  # a table that does not fit
        return float("inf")
    return float("inf") if stopped(solution) else seconds


def _cell(part: str, one: Rival, instance: CompressionInstance, seconds: float) -> dict[str, Any]:
    known = None if seconds == float("inf") else seconds
    return {"part": part, "solver": one.name, "instance": instance.name, "seconds": known}


def exponent(times: dict[int, float]) -> float:
    """The slope of log seconds against log words; NaN for fewer than three sizes."""
    points = [(words, seconds) for words, seconds in times.items() if words >= FITTED_FROM]
    if len(points) < 3:
        return float("nan")
    words, seconds = np.log(np.array(points)).T
    return float(np.polyfit(words, seconds, 1)[0])


def race(size: str, seeds: range, cells: list[dict[str, Any]]) -> list[list[str]]:
    """One row per sentence: the dynamic programs, and the fastest of all exact integer programs."""
    rivals = ready(integer_programs())
    rows, ratios = [], []
    for seed in seeds:
        instance = TASK.generate(seed, size)
        exact, exact_seconds = EXACT_FAST.solve(instance)
        _, lagrangian_seconds = LAGRANGIAN.solve(instance)
        programs: list[tuple[float, str]] = []
        limit = LIMIT
        for one in rivals:  # only the fastest counts: the others need not go on for ever
            found, wall = _agreeing(one, instance, exact.objective, limit)
            programs.append((found, one.name))
            limit = min(limit, CUTOFF_SECONDS + CUTOFF * wall)
        cells += [_cell("race", one, instance, found) for one, (found, _) in zip(rivals, programs, strict=True)]
        cells += [
            _cell("race", EXACT_FAST, instance, exact_seconds),
            _cell("race", LAGRANGIAN, instance, lagrangian_seconds),
        ]
        seconds, name = min(programs)
        if seconds == float("inf"):  # a lower bound of what it would have taken
            seconds, name = LIMIT, f"none within {LIMIT:g} s"
        ratios.append((seconds / exact_seconds, seconds / lagrangian_seconds))
        milliseconds = [f"{1e3 * value:.3g}" for value in (exact_seconds, lagrangian_seconds, seconds)]
        rows.append([str(seed), *milliseconds, name, *(f"{value:.0f}" for value in ratios[-1])])
        print(rows[-1], flush=True)
    for name, reduce in (("median", np.median), ("least", np.min)):
        rows.append([name, "", "", "", "", *(f"{reduce(column):.0f}" for column in zip(*ratios, strict=True))])
    return rows


def _agreeing(one: Rival, instance: CompressionInstance, optimum: float, limit: float) -> tuple[float, float]:
    """CPU and wall seconds, infinite without a proof of optimality; a proof of another optimum would be a bug."""
    solution, seconds = one.solve(instance, limit)
    if solution.status != "optimal":
        return float("inf"), float("inf")
    if abs(solution.objective - optimum) > 1e-5 * (1 + abs(optimum)):
        raise AssertionError(f"{one.name}: {solution.objective} is not the optimum {optimum} of {instance.name}")
    return seconds, solution.wall_seconds


def scaling_table(times: Times, sizes: tuple[str, ...], seeds: range) -> Table:
    rows = []
    for name, own in times.items():
        slope = exponent(own)
        cells = [f"{1e3 * own[int(size)]:.3g}" if int(size) in own else "" for size in sizes]
        rows.append([name, *cells, "" if np.isnan(slope) else f"{slope:.1f}"])
    notes = [
        f"Median CPU milliseconds over {len(seeds)} planted sentences, rate 0.7; building and rounding included.",
        f"exponent: slope of log seconds against log words from {FITTED_FROM} words on. Empty: above {LIMIT:g} s, or refused.",
        "dp-tree, dp-bigram and crf score a part of the objective only; ad3 and subgradient may stop at a gap.",
    ]
    return Table("Compression: runtime against words", ["solver", *sizes, "exponent"], rows, notes)


def plot(times: Times, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(9, 6.5))
    shown = [name for name, own in times.items() if len(own) > 1]
    for index, name in enumerate(shown):
        own = times[name]
        style = ("-", "--", ":", "-.")[index % 4]
        axis.loglog(
            list(own),
            list(own.values()),
            style,
            marker=".",
            label=name,
            color=plt.get_cmap("turbo")(index / len(shown)),
        )
    axis.set_xlabel("words")
    axis.set_ylabel("CPU seconds, median")
    axis.grid(alpha=0.3, which="both")
    axis.legend(fontsize=7, ncols=2, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    sizes, seeds, race_seeds = (SIZES[:3], SEEDS[:1], RACE_SEEDS[:1]) if quick else (SIZES, SEEDS, RACE_SEEDS)
    rivals = ready(all_rivals())
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
        f"Sentences of {RACE_SIZE} words. ILP: the fastest of all backends and formulations that proved the optimum."
    ]
    table = Table(
        f"Dynamic programs against ILP, {RACE_SIZE} words", headings, race(RACE_SIZE, race_seeds, cells), notes
    )
    table.write(folder, stem="race")
    times = grow(rivals, sizes, seeds, cells)
    scaling_table(times, sizes, seeds).write(folder, stem="scaling")
    plot(times, folder / "scaling.png")
    used = {"seeds": list(seeds), "race_seeds": list(race_seeds), "sizes": list(sizes), "limits": {"seconds": LIMIT}}
    write_records(folder, rivals, cells, started, **used)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-runtime"), "--quick" in sys.argv)
