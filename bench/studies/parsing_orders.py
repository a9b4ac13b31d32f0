"""Decoding speed and quality by model order, and how often relaxations are integral.

    python -m bench.studies.parsing_orders results/parsing-orders [--quick]

Tokens per second of the whole `solve()` call (CPU). The last row of the AD3 group is the older decomposition into many small
components (`many`), of order 3. The paper's speeds are for orientation: they include pruning and features.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import numpy as np

from problems.errors import InputError
from problems.metrics.attachment import count_attachment, total
from problems.parsing.instance import ORDERS, ParsingInstance, with_order
from solvers import Solution, get_solver

from ..output.tables import Table
from .parsing_sentences import sentences, warm_up

SENTENCES = 100
SLOW_SENTENCES = 6  # for LP and ILP solvers
LIMIT = 10.0
FAST: tuple[tuple[str, dict[str, Any]], ...] = (("ad3", {}),)
SLOW: tuple[tuple[str, dict[str, Any]], ...] = (
    ("lp-highs", {"time_limit": LIMIT}),
    ("lp-glop", {"time_limit": LIMIT}),
    ("lp-clp", {"time_limit": LIMIT}),
    ("ilp-highs", {"time_limit": LIMIT}),
    ("ilp-cpsat", {"time_limit": LIMIT}),
    ("ilp-scip", {"time_limit": LIMIT}),
)
RIVALS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dp-mst", {}),
    ("dp-eisner", {"order": 1}),
    ("dp-eisner", {"order": 2}),
)
PAPER_SPEED = {"1": 4063, "2": 1338, "2+": 1018, "3": 709}  # tokens per second, Table 2, PTB section 22


def variants(instance: ParsingInstance) -> dict[str, ParsingInstance]:
    """The model orders, and order 3 in the older decomposition."""
    smaller: dict[str, ParsingInstance] = {order: with_order(instance, order) for order in ORDERS}
    return {**smaller, "3 many": dataclasses.replace(smaller["3"], decomposition="many")}


def row(name: str, options: dict[str, Any], variant: str, sample: list[ParsingInstance]) -> list[str]:
    solutions: list[Solution] = []
    for instance in sample:
        try:
            solutions.append(get_solver(name, **options).solve(variants(instance)[variant]))
        except InputError:  # no projective tree over the candidate arcs
            solutions.append(Solution("infeasible"))
    words = sum(instance.number_of_words for instance in sample)
    seconds = sum(solution.cpu_seconds for solution in solutions)
    trees = [
        count_attachment(instance.gold, solution.structure, instance.words)
        for instance, solution in zip(sample, solutions, strict=True)
        if solution.structure is not None
    ]
    found = total(trees)
    integral = [solution.integral for solution in solutions if solution.integral is not None]
    shown = name + "".join(f" {key}={value}" for key, value in options.items() if key != "time_limit")
    return [
        f"{shown}, order {variant}",
        str(len(sample)),
        f"{words / seconds:.0f}",
        f"{100 * found.correct / words:.1f}",
        f"{100 * float(np.mean(integral)):.0f}" if integral else "",
        f"{100 * float(np.mean([solution.status == 'optimal' for solution in solutions])):.0f}",
        f"{len(sample) - len(trees)}",
        str(PAPER_SPEED.get(variant, "")) if name == "ad3" else "",
    ]


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    warm_up((*FAST, *SLOW, *RIVALS))
    sample = sentences(6 if quick else SENTENCES)
    few = sample[:2] if quick else sample[:SLOW_SENTENCES]
    rows: list[list[str]] = []
    for solvers, chosen in ((FAST, sample), (SLOW, few), (RIVALS, sample)):
        for name, options in solvers:
            if rows:
                rows.append([])
            for variant in (*ORDERS, "3 many") if name in ("ad3", "lp-highs", "ilp-highs") else ORDERS:
                if name.startswith("dp-") and variant != "3":
                    continue  # they see the same arcs and siblings whatever else there is
                rows.append(row(name, options, variant, chosen))
                print(" | ".join(rows[-1]), flush=True)
    headings = ["solver", "sentences", "tokens/s", "UAS %", "integral %", "certified %", "no tree", "paper tok/s"]
    notes = [
        "CPU time of the whole solve() call. UAS counts every word; a sentence without a tree counts as all wrong.",
        "Integral: the relaxation's solution is a tree before rounding (ILP: always, if it has one). Certified: proved optimal.",
        f"LP and ILP solvers have {LIMIT:g} s per sentence and the first {len(few)} sentences only; multi-commodity flow.",
        "Paper: Table 2, section 22, with pruning and features, Core i7 at 3.4 GHz. dp-*: projective or arc-factored rivals, scored on order 3.",
    ]
    Table("Decoding by model order", headings, rows, notes).write(folder)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/parsing-orders"), "--quick" in sys.argv)
