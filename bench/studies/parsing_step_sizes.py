"""Where AD3's step size for parsing comes from.

    python -m bench.studies.parsing_step_sizes results/parsing-step-sizes

Third-order sentences of each length, K = 10, decoded to convergence (residuals within 1e-6, at most 1000 iterations) for each
eta (relative to the mean absolute score) and each over-relaxation: mean CPU milliseconds and median iterations. Seeds are
not those on which speed is reported.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from statistics import fmean, median

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers.ad3 import ADAPT_AT
from solvers.ad3_engine import Engine, load_kernels
from solvers.base import cpu_clock
from solvers.marks import marks

from ..output.tables import Table

ETAS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
RELAXATIONS = (1.0, 1.3, 1.6, 1.8)
SIZES = ("short", "20", "30", "40", "50")
SEEDS = range(10_001, 10_021)
MOST_ITERATIONS, TOLERANCE = 1000, 1e-6


def run(graph: FactorGraph, eta: float, relaxation: float) -> tuple[float, int]:
    """CPU seconds and iterations of one decoding, the bound at its end included."""
    engine = Engine(graph, eta, relaxation)
    start = cpu_clock()
    for mark in marks(MOST_ITERATIONS, MOST_ITERATIONS, ADAPT_AT):
        if engine.iterate(mark - engine.iterations, TOLERANCE):
            break
        if mark in ADAPT_AT:
            engine.balance()
    engine.dual_value()
    return cpu_clock() - start, engine.iterations


def main(folder: Path) -> None:
    load_kernels()
    folder.mkdir(parents=True, exist_ok=True)
    task = get_task("parsing")
    graphs = {size: [task.graph(task.generate(seed, size)) for seed in SEEDS] for size in SIZES}
    for graph in graphs[SIZES[0]]:
        run(graph, 1.0, 1.0)
    rows = []
    for relaxation, eta in product(RELAXATIONS, ETAS):
        row = [f"{relaxation}", f"{eta}"]
        for size in SIZES:
            runs = [run(graph, eta, relaxation) for graph in graphs[size]]
            row += [f"{1e3 * fmean(seconds for seconds, _ in runs):.2f}", f"{median(count for _, count in runs):.0f}"]
        rows.append(row)
    names = ["10" if size == "short" else size for size in SIZES]
    headings = ["relaxation", "eta", *(f"{name} words{unit}" for name in names for unit in (", ms", ", iterations"))]
    notes = [
        f"{len(SEEDS)} sentences of each length, order 3, at most 10 heads per word: mean CPU ms, median iterations.",
        "eta is relative to the mean absolute score, and balanced by the residuals after 10, 20, 40, ..., 320 iterations.",
    ]
    Table("AD3 on third-order parsing: step size and over-relaxation", headings, rows, notes).write(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
