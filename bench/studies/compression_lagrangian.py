"""On how many sentences the Lagrangian program of sentence compression is exact, and why not on the others.

    python -m bench.studies.compression_lagrangian results/compression-lagrangian [--quick]

The optima of all lengths, by `dp-exact`, say what any search for the multiplier can reach: L is the length of a maximizer for
some multiplier if and only if its optimum lies on the upper concave envelope of all of them. A search that misses L although it
does would be at fault; one that misses it elsewhere met a duality gap.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np

from problems.compression.generate import generate_planted
from problems.compression.instance import CompressionInstance

from ..output.tables import Table
from ..records.provenance import now
from .compression_rivals import EXACT_ALL, LAGRANGIAN_PAPER, TASK, ready, rival, write_records

SEEDS = range(6001, 6201)
CUTTING_PLANES = rival("cutting planes", "dp-lagrangian", repair=False)
ROUNDING = 1e-9  # relative to 1 + the optimum


def in_halves(seed: int) -> CompressionInstance:
    """Scores in steps of a half, so that many compressions tie."""
    instance: CompressionInstance = TASK.generate(seed, "30")
    names = ("token_scores", "bigram_scores", "arc_scores")
    return replace(instance, **{name: np.round(2 * getattr(instance, name)) / 2 for name in names})


def sentences() -> dict[str, Callable[[int], CompressionInstance]]:
    """What is compared, by the name of its row; noise is 1 and the rate 0.7 where nothing else is said."""
    sizes = ("news", "10", "20", "30", "40", "hard-10", "hard-20", "hard-30")
    made: dict[str, Callable[[int], CompressionInstance]] = {size: partial(TASK.generate, size=size) for size in sizes}
    for noise in (0.25, 0.5, 0.75, 1.5):
        made[f"30, noise {noise:g}"] = partial(generate_planted, least=30, noise=noise)
    for rate in (0.3, 0.5, 0.9):
        made[f"30, rate {rate:g}"] = partial(generate_planted, least=30, rate=rate)
    made["30, scores in halves"] = in_halves
    return made


def dual_value(values: list[float], length: int) -> float:
    """The lowest bound that any multiplier can give: the upper concave envelope of the optima of all lengths from 1 on."""
    best = values[length - 1]
    for a in range(1, length):
        for b in range(length + 1, len(values) + 1):
            best = max(best, values[a - 1] + (values[b - 1] - values[a - 1]) * (length - a) / (b - a))
    return best


class Outcome(NamedTuple):
    gap: float  # % of the optimum; 0 where L can be hit
    hit: bool  # by cutting planes
    tied: bool  # only among maximizers that tie
    paper_hit: bool  # by the paper's subgradient steps
    iterations: int
    paper_iterations: int


def measure(instance: CompressionInstance) -> Outcome:
    info = EXACT_ALL.answer(instance).info
    values = [info[f"objective at length {length}"] for length in range(1, instance.number_of_words + 1)]
    optimum = values[instance.length - 1]
    gap = dual_value(values, instance.length) - optimum
    exists = gap > ROUNDING * (1 + abs(optimum))
    found, paper = CUTTING_PLANES.answer(instance), LAGRANGIAN_PAPER.answer(instance)
    hits = [solution.status == "optimal" for solution in (found, paper)]
    if exists and any(hits):
        raise AssertionError(f"{instance.name}: a search hit a length that no multiplier can give")
    percent = 100 * gap / max(abs(optimum), ROUNDING) if exists else 0.0
    return Outcome(percent, hits[0], bool(found.info["tied"]), hits[1], found.iterations, paper.iterations)


def row(name: str, found: list[Outcome]) -> list[str]:
    gaps = [each.gap for each in found if each.gap]
    shares = [
        fmean(each.hit for each in found),
        fmean(each.tied for each in found),
        fmean(each.gap > 0 for each in found),
        fmean(not each.hit and not each.gap for each in found),
        fmean(each.paper_hit for each in found),
    ]
    iterations = [fmean(each.iterations for each in found), fmean(each.paper_iterations for each in found)]
    return [
        name,
        *(f"{100 * share:.1f}" for share in shares),
        f"{median(gaps):.2f}" if gaps else "",
        *(f"{mean:.1f}" for mean in iterations),
    ]


def table(rows: list[list[str]], sentences: int) -> Table:
    headings = ["sentences", "exact %", "by ties %", "gap %", "missed %", "paper exact %"]
    headings += ["median gap % of optimum", "iterations", "paper iterations"]
    notes = [
        f"{sentences} sentences per row; shares are of all of them. exact: cutting planes hit the length, without any repair.",
        "by ties: the part of exact where L was found only among maximizers that tie.",
        "gap: the length is off the concave envelope of the optima of all lengths, so that no multiplier hits it.",
        "missed: it lies on the envelope, and the search missed it. paper: subgradient steps, at most 200.",
    ]
    return Table("Compression: where the Lagrangian program is exact", headings, rows, notes)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    rivals = ready([EXACT_ALL, CUTTING_PLANES, LAGRANGIAN_PAPER])
    seeds = SEEDS[:5] if quick else SEEDS
    rows, cells = [], list[dict[str, Any]]()
    for name, make in sentences().items():
        found = [measure(make(seed)) for seed in seeds]
        cells += [{"sentences": name, "seed": seed, **each._asdict()} for seed, each in zip(seeds, found, strict=True)]
        rows.append(row(name, found))
        print(rows[-1], flush=True)
    table(rows, len(seeds)).write(folder)
    write_records(folder, rivals, cells, started, seeds=list(seeds))


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-lagrangian"), "--quick" in sys.argv)
