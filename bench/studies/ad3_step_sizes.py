"""Where AD3's defaults come from: step size and over-relaxation on the generated tasks.

    python -m bench.studies.ad3_step_sizes results/ad3-step-sizes

Seeds are not those on which speed is reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.ad3 import ADAPT_AT
from solvers.ad3_engine import Engine, load_kernels
from solvers.base import cpu_clock

from ..output.tables import Table
from .study import Study

RELAXATIONS = (1.0, 1.3, 1.6, 1.8)
PLOTTED = (1.0, 1.6)  # of these over-relaxations
ITERATIONS, STRETCH, TARGET, TOLERANCE = 1000, 10, 1e-3, 1e-6

STUDY = Study("ad3-step-sizes", "Which step size and over-relaxation should AD3 have, by task?", ("ad3", "lp-highs"))


class Problem(NamedTuple):
    """Instances of one size, and the step sizes that are tried on them."""

    task: str
    size: str
    seeds: range = range(1001, 1006)
    etas: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

    @property
    def name(self) -> str:
        return f"{self.task} {self.size}"


PARSING_ETAS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
PROBLEMS = (
    Problem("summarization", "zipf"),
    Problem("summarization", "tac"),
    Problem("extraction", "zipf"),
    Problem("extraction", "tac"),
    *(Problem("parsing", size, range(10_001, 10_011), PARSING_ETAS) for size in ("20", "40")),
)


class Trial(NamedTuple):
    """One run of AD3's iterations."""

    gaps: list[float]  # after every stretch
    hit: float  # iterations to the target, inf if never
    hit_seconds: float  # to the target, or in all
    iterations: int  # until the residuals are small
    seconds: float


def run(graph: FactorGraph, optimum: float, eta: float, relaxation: float, adapt: bool) -> Trial:
    engine = Engine(graph, eta, relaxation)
    gaps, seconds, hit, hit_seconds = [], 0.0, np.inf, 0.0
    for done in range(STRETCH, ITERATIONS + 1, STRETCH):
        start = cpu_clock()
        converged = engine.iterate(STRETCH, TOLERANCE)
        if adapt and done in ADAPT_AT and not converged:
            engine.balance()
        seconds += cpu_clock() - start
        gaps.append(engine.dual_value() / optimum - 1.0)
        if hit == np.inf and gaps[-1] <= TARGET:
            hit, hit_seconds = engine.iterations, seconds
        if converged:
            break
    gaps += gaps[-1:] * (ITERATIONS // STRETCH - len(gaps))
    return Trial(gaps, hit, hit_seconds or seconds, engine.iterations, seconds)


def measure(folder: Path, problems: Sequence[Problem] = PROBLEMS) -> Table:
    """The table; its figure is written to the folder."""
    load_kernels()
    rows: list[list[str]] = []
    curves = {}
    for problem in problems:
        task = get_task(problem.task)
        instances = [task.generate(seed, problem.size) for seed in problem.seeds]
        graphs = [(task.graph(instance), get_solver("lp-highs").solve(instance)) for instance in instances]
        run(graphs[0][0], graphs[0][1].bound, 1.0, 1.0, adapt=True)  # everything is warm
        rows += [[]] if rows else []
        for relaxation, eta, adapt in product(RELAXATIONS, problem.etas, (False, True)):
            trials = [run(graph, lp.bound, eta, relaxation, adapt) for graph, lp in graphs]
            if adapt:
                curves[problem, relaxation, eta] = np.median([trial.gaps for trial in trials], axis=0)
            of_lp = median(trial.hit_seconds / lp.solve_seconds for trial, (_, lp) in zip(trials, graphs, strict=True))
            start = [problem.name, f"{relaxation}", f"{eta}", "yes" if adapt else "no"]
            rows.append([*start, *summary(trials, of_lp)])
    headings = ["problem", "relaxation", "eta", "adapted", "gap 200 %", "gap 1000 %"]
    headings += ["iterations to 0.1 %", "of LP time", "iterations", "ms"]
    notes = [
        "Medians over 5 instances, 10 of parsing; ms: means. Gap: dual value against the LP optimum of HiGHS.",
        "of LP time: CPU time until the gap is below 0.1 %, relative to lp-highs's solving. iterations, ms: until the residuals are within 1e-6.",
        "eta is relative to the mean absolute score; adapted: residual balancing after 10, 20, 40, ..., 320 iterations.",
    ]
    plot(curves, problems, folder / "gaps.png")
    return Table("AD3: step size and over-relaxation", headings, rows, notes)


def summary(trials: list[Trial], of_lp: float) -> list[str]:
    hit = median(trial.hit for trial in trials)
    return [
        f"{100 * median(trial.gaps[200 // STRETCH - 1] for trial in trials):.3f}",
        f"{100 * median(trial.gaps[-1] for trial in trials):.4f}",
        "never" if hit == np.inf else f"{hit:.0f}",
        "" if hit == np.inf else f"{of_lp:.2f}",
        f"{median(trial.iterations for trial in trials):.0f}",
        f"{1e3 * fmean(trial.seconds for trial in trials):.2f}",
    ]


def plot(curves: dict[tuple[Problem, float, float], np.ndarray], problems: Sequence[Problem], path: Path) -> None:
    """Median gap against iterations: one panel per problem and over-relaxation, one line per eta."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    size = (3.75 * len(problems), 6.5)
    figure, axes = plt.subplots(len(PLOTTED), len(problems), figsize=size, sharex=True, sharey="col")
    iterations = np.arange(STRETCH, ITERATIONS + 1, STRETCH)
    styles = ["-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1))]
    for line, relaxation in zip(axes, PLOTTED, strict=True):
        for axis, problem in zip(line, problems, strict=True):
            axis.set_yscale("log")
            axis.set_ylim(1e-4, 200)
            for index, eta in enumerate(problem.etas):
                gaps = 100 * np.maximum(curves[problem, relaxation, eta], 1e-9)
                color = plt.get_cmap("viridis")(index / len(problem.etas))
                axis.plot(iterations, gaps, linestyle=styles[index], color=color, label=f"eta {eta:g}")
            axis.axhline(100 * TARGET, color="grey", linewidth=0.8)
            axis.set_title(f"{problem.name}, relaxation {relaxation:g}", fontsize=10)
            axis.grid(alpha=0.3)
        line[0].set_ylabel("dual gap (%), median")
    for axis in axes[-1]:
        axis.set_xlabel("iterations")
    for axis in axes[0]:
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main(folder: Path, quick: bool) -> Table:
    return measure(folder, [Problem("extraction", "tiny", range(1, 2), (1.0, 2.0))] if quick else PROBLEMS)


if __name__ == "__main__":
    STUDY.main(main)
