"""Does the parsing generator hold its aims: order 3 finds 85 to 92 % of the gold heads, order 1 at least 2 points less?

    python -m bench.studies.parsing_calibration results/parsing-calibration [--quick]

Seeds 1 and up (the constants were chosen on seeds 10000 and up). Order 1 is decoded exactly by `dp-mst`, the others by `ad3` with
at most 300 iterations, rounded. Certified: the share of order 3 that AD3 proved optimal.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from problems import get_task
from problems.errors import InputError
from problems.metrics.attachment import count_attachment, total
from problems.parsing.instance import ORDERS, ParsingInstance, with_order
from solvers import get_solver

from ..output.tables import Table
from .parsing_sentences import warm_up

SIZES = {"ptb": 100, "nl": 100, "short": 80, "20": 40, "30": 30, "40": 20, "50": 20, "75": 8, "100": 6}
SIZES_BY_ORDER = ("ptb",)  # the other sizes have orders 1 and 3 only
SIZES_OF_PROJECTIVE = ("ptb", "nl")  # nearly projective trees and others
AD3 = {"max_iterations": 300}


def found_share(sample: list[ParsingInstance], order: str) -> tuple[float, float]:
    """The shares of gold heads found and of certified optima."""
    name, options = ("dp-mst", {}) if order == "1" else ("ad3", AD3)
    solutions = [get_solver(name, **options).solve(with_order(instance, order)) for instance in sample]  # type: ignore[arg-type]
    pairs = zip(sample, solutions, strict=True)
    counts = total(count_attachment(instance.gold, found.structure, instance.words) for instance, found in pairs)
    return counts.correct / counts.words, float(np.mean([found.status == "optimal" for found in solutions]))


def projective_share(sample: list[ParsingInstance]) -> float:
    """The share of gold heads found by Eisner's algorithm with siblings; all are missed where there is no projective tree."""
    right = 0
    for instance in sample:
        try:
            tree = get_solver("dp-eisner", order=2).solve(instance).structure
        except InputError:  # no projective tree over the candidate arcs
            continue
        right += count_attachment(instance.gold, tree, instance.words).correct
    return right / sum(instance.number_of_words for instance in sample)


def kept_share(sample: list[ParsingInstance]) -> float:
    """The share of gold arcs that pruning has kept."""
    kept = words = 0
    for instance in sample:
        arcs = instance.automata.arc_numbers
        kept += sum((head, index + 1) in arcs for index, head in enumerate(instance.gold))
        words += instance.number_of_words
    return kept / words


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    warm_up((("ad3", {}), ("dp-mst", {}), ("dp-eisner", {})))
    task = get_task("parsing")
    rows = []
    for size, count in SIZES.items():
        sample = [task.generate(seed, size) for seed in range(1, 1 + (2 if quick else count))]
        shares = {
            order: found_share(sample, order) for order in ORDERS if size in SIZES_BY_ORDER or order in ("1", "3")
        }
        words = sum(instance.number_of_words for instance in sample)
        row = [size, str(len(sample))]
        row += [f"{100 * shares[order][0]:.1f}" if order in shares else "" for order in ORDERS]
        row.append(f"{100 * projective_share(sample):.1f}" if size in SIZES_OF_PROJECTIVE else "")
        row += [f"{100 * shares['3'][1]:.0f}", f"{sum(len(instance.heads) for instance in sample) / words:.1f}"]
        rows.append([*row, f"{100 * kept_share(sample):.1f}"])
        print(" | ".join(rows[-1]), flush=True)
    headings = [
        "size",
        "sentences",
        *(f"order {order} %" for order in ORDERS),
        "dp-eisner %",
        "certified %",
        "heads/word",
        "gold kept %",
    ]
    notes = [
        "Share of gold heads found; order 1 by dp-mst, the others by ad3 with at most 300 iterations, rounded. Seeds 1 and up.",
        "dp-eisner: projective trees by arcs and siblings, scored on what a sentence's candidate arcs allow.",
        "Certified: optima of order 3 that AD3 proved. Gold kept: arcs of the gold trees that pruning left.",
    ]
    Table("Calibration of generated sentences", headings, rows, notes).write(folder)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/parsing-calibration"), "--quick" in sys.argv)
