"""How tight the relaxations of sentence compression are: LP by formulation, AD3's dual, and the Lagrangian program.

    python -m bench.studies.compression_relaxations results/compression-relaxations [--quick]

Gaps are between a bound and the optimum of `dp-exact`, relative to the optimum. Also how often the Lagrangian program is
exact (it hits the length), and how often the best projective tree is not the best tree.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from problems.compression.instance import CompressionInstance
from solvers import Solution

from ..output.tables import Table
from ..records.provenance import now
from .compression_rivals import EXACT_FAST, LAGRANGIAN_PAPER, TASK, Rival, ready, rival, stopped, write_records

SIZES = ("10", "20", "30", "hard-10", "hard-20", "hard-30", "40")
SEEDS = range(5001, 5009)
LIMIT = 120.0
TREES_LIMIT = 15.0  # of the ILP without projectivity
TIGHT = 1e-6

RELAXATIONS = [
    rival("LP flow", "lp-highs", "flow"),
    rival("LP factors", "lp-highs"),
    rival("LP chart", "lp-highs", "chart"),
    rival("AD3 factors", "ad3", max_iterations=2000),
    rival("AD3 chart", "ad3", "chart", max_iterations=2000),
    rival("subgradient factors", "subgradient"),
    rival("Lagrangian", "dp-lagrangian", repair=False),
    LAGRANGIAN_PAPER,
]
ANY_TREES = rival("any trees", "ilp-glpk", "flow", False)


class Outcome(NamedTuple):
    gap: float  # of the bound, %; NaN where the relaxation was stopped by the limit
    exact: bool  # the optimum was found and proved
    integral: bool
    quality: float  # of the structure, % of the optimum; NaN where its length is wrong
    seconds: float


def outcome(solution: Solution, seconds: float, optimum: float) -> Outcome:
    scale = max(abs(optimum), 1e-9)
    gap = max(0.0, 100 * (solution.bound - optimum) / scale)  # rounding errors are no gap
    if stopped(solution):
        gap = float("nan")
    found = solution.status in ("optimal", "feasible")
    quality = 100 * (1 - (optimum - solution.objective) / scale) if found else float("nan")
    exact = solution.status == "optimal"
    return Outcome(gap, exact, exact or bool(solution.integral), quality, seconds)


def measure(
    size: str, seeds: range, rivals: list[Rival], any_trees: list[Rival], cells: list[dict[str, Any]]
) -> list[list[str]]:
    """The rows of one size; every single outcome is added to the cells."""
    results: dict[str, list[Outcome]] = {one.name: [] for one in rivals}
    different = compared = 0
    for seed in seeds:
        instance: CompressionInstance = TASK.generate(seed, size)
        optimum = EXACT_FAST.solve(instance)[0].objective
        for one in rivals:
            solution, seconds = one.solve(instance, LIMIT)
            results[one.name].append(outcome(solution, seconds, optimum))
            told = {key: None if value != value else value for key, value in results[one.name][-1]._asdict().items()}
            cells.append({"size": size, "seed": seed, "relaxation": one.name, "optimum": optimum, **told})
        for one in any_trees:
            solution, _ = one.solve(instance, TREES_LIMIT)
            if solution.status == "optimal":
                compared += 1
                different += solution.objective > optimum + TIGHT * (1 + abs(optimum))
        print(size, seed, {name: round(found[-1].gap, 4) for name, found in results.items()}, flush=True)
    rows = []
    for name, found in results.items():
        gaps = [each.gap for each in found if each.gap == each.gap]
        known = [each.quality for each in found if each.quality == each.quality]
        rows.append(
            [
                size,
                name,
                f"{sum(each.exact for each in found)}/{len(found)}",
                f"{sum(each.integral for each in found)}/{len(found)}",
                f"{fmean(gaps):.3f}" if gaps else "",
                f"{max(gaps):.3f}" if gaps else "",
                f"{fmean(known):.2f}" if known else "",
                f"{1e3 * median(each.seconds for each in found):.3g}",
            ]
        )
    rows.append([size, f"best tree not projective: {different}/{compared}", *[""] * 6])
    rows.append([])
    return rows


def table(rows: list[list[str]], sentences: int) -> Table:
    headings = ["size", "relaxation", "exact", "integral", "gap %", "largest gap %", "rounded %", "ms"]
    notes = [
        f"{sentences} sentences per size. exact: the optimum found and proved, without any repair. gap: mean of bound over optimum.",
        "rounded: mean objective of the rounded structure, of the optimum, where it has the right length; ms: median CPU.",
        "AD3 runs at most 2000 iterations, subgradient 1000: their gaps are those of the relaxation and of what is left to converge.",
        "hard sizes have independent random scores. best tree not projective: by ILP on the flow formulation, where it ended.",
        f"A relaxation that is stopped after {LIMIT:g} s (wall-clock) has no gap.",
    ]
    return Table("Compression: relaxations", headings, rows, notes, left=2)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    cells: list[dict[str, Any]] = []
    sizes, seeds = (("10", "hard-10"), SEEDS[:2]) if quick else (SIZES, SEEDS)
    rivals, any_trees = ready(RELAXATIONS), ready([ANY_TREES])
    EXACT_FAST.warm_up()
    everyone = [*rivals, *any_trees, EXACT_FAST]
    limits = {"seconds": LIMIT, "any_trees_seconds": TREES_LIMIT}
    rows: list[list[str]] = []
    for place, size in enumerate(sizes):  # written after each size: what was measured is kept if the study is stopped
        rows += measure(size, seeds, rivals, any_trees, cells)
        table(rows, len(seeds)).write(folder)
        done = list(sizes[: place + 1])
        write_records(folder, everyone, cells, started, seeds=list(seeds), sizes=done, limits=limits)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-relaxations"), "--quick" in sys.argv)
