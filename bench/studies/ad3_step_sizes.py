"""Where AD3's defaults come from: step size and over-relaxation on the generated tasks.

    python -m bench.studies.ad3_step_sizes results/ad3-step-sizes

For each eta (relative to the mean absolute score) and each over-relaxation: the dual gap to the LP optimum after 200 and
1000 iterations, the iterations and CPU time until it is below 0.1 %, medians over instances. Seeds are not those on which
speed is reported (`ad3_speed`).
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.ad3 import ADAPT_AT
from solvers.ad3_engine import Engine, load_kernels
from solvers.base import cpu_clock

from ..output.tables import Table

ETAS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
RELAXATIONS = (1.0, 1.3, 1.6, 1.8)
PROBLEMS = (("summarization", "zipf"), ("summarization", "tac"), ("extraction", "zipf"), ("extraction", "tac"))
SEEDS = range(1001, 1006)
ITERATIONS, STRETCH, TARGET = 1000, 10, 1e-3


class Run(NamedTuple):
    gaps: list[float]  # after every stretch
    hit: float  # iterations to the target, inf if never
    seconds: float  # to the target, or in all


def run(graph: FactorGraph, optimum: float, eta: float, relaxation: float, adapt: bool) -> Run:
    engine = Engine(graph, eta, relaxation)
    gaps, seconds, hit, hit_seconds = [], 0.0, np.inf, 0.0
    for done in range(STRETCH, ITERATIONS + 1, STRETCH):
        start = cpu_clock()
        engine.iterate(STRETCH, 0.0)
        if adapt and done in ADAPT_AT:
            engine.balance()
        seconds += cpu_clock() - start
        gaps.append(engine.dual_value() / optimum - 1.0)
        if hit == np.inf and gaps[-1] <= TARGET:
            hit, hit_seconds = done, seconds
    return Run(gaps, hit, hit_seconds or seconds)


def main(folder: Path) -> None:
    load_kernels()
    folder.mkdir(parents=True, exist_ok=True)
    graphs = {}
    for task, size in PROBLEMS:
        instances = [get_task(task).generate(seed, size) for seed in SEEDS]
        graphs[task, size] = [(get_task(task).graph(i), get_solver("lp-highs").solve(i)) for i in instances]
    rows: list[list[str]] = []
    curves = {}
    for (task, size), problems in graphs.items():
        for relaxation, eta, adapt in product(RELAXATIONS, ETAS, (False, True)):
            runs = [run(graph, lp.bound, eta, relaxation, adapt) for graph, lp in problems]
            ratio = median(r.seconds / lp.solve_seconds for r, (_, lp) in zip(runs, problems, strict=True))
            hit = median(r.hit for r in runs)
            if adapt:
                curves[task, size, relaxation, eta] = np.median([r.gaps for r in runs], axis=0)
            rows.append(
                [
                    f"{task} {size}",
                    f"{relaxation}",
                    f"{eta}",
                    "yes" if adapt else "no",
                    f"{100 * median(r.gaps[200 // STRETCH - 1] for r in runs):.3f}",
                    f"{100 * median(r.gaps[-1] for r in runs):.4f}",
                    "never" if hit == np.inf else f"{hit:.0f}",
                    "" if hit == np.inf else f"{ratio:.2f}",
                ]
            )
        rows.append([])
    headings = ["problem", "relaxation", "eta", "adapted", "gap 200 %", "gap 1000 %", "iterations", "of LP time"]
    notes = [
        f"Medians over {len(SEEDS)} instances. Gap: dual value against the LP optimum of HiGHS.",
        "iterations, of LP time: until the gap is below 0.1 %; CPU time of the iterations relative to lp-highs's solving.",
        "eta is relative to the mean absolute score; adapted: residual balancing after 10, 20, 40, ..., 320 iterations.",
    ]
    Table("AD3: step size and over-relaxation", headings, rows, notes).write(folder)
    plot(curves, folder / "gaps.png")


def plot(curves: dict[tuple[str, str, float, float], np.ndarray], path: Path) -> None:
    """Median gap against iterations: one panel per problem and over-relaxation, one line per eta."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = (1.0, 1.6)
    figure, axes = plt.subplots(len(shown), len(PROBLEMS), figsize=(15, 6.5), sharex=True, sharey="col")
    iterations = np.arange(STRETCH, ITERATIONS + 1, STRETCH)
    styles = ["-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1))]
    for row, relaxation in enumerate(shown):
        for column, (task, size) in enumerate(PROBLEMS):
            axis = axes[row][column]
            for index, eta in enumerate(ETAS):
                gaps = 100 * np.maximum(curves[task, size, relaxation, eta], 1e-9)
                color = plt.get_cmap("viridis")(index / len(ETAS))
                axis.semilogy(iterations, gaps, linestyle=styles[index], color=color, label=f"eta {eta:g}")
            axis.axhline(0.1, color="grey", linewidth=0.8)
            axis.set_title(f"{task} {size}, relaxation {relaxation:g}", fontsize=10)
            axis.set_ylim(1e-4, 200)
            axis.grid(alpha=0.3)
    for axis in axes[-1]:
        axis.set_xlabel("iterations")
    for line in axes:
        line[0].set_ylabel("dual gap (%), median")
    axes[0][-1].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "results/ad3-step-sizes"))
