"""Where AD3's time goes, phase by phase, with and without what was done for large graphs.

    python -m bench.studies.ad3_profile results/ad3-profile [--quick]

`before` switches off the finer balancing of the step size, the order by nearness and the limit on the sentences of the `search`
rounding; both run in turn in one process. CPU milliseconds per phase, means over instances.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import problems.extraction.rounding as extraction_rounding
import problems.summarization.rounding as summarization_rounding
from problems import get_task, task_of
from solvers import ad3_engine, consensus, get_solver
from solvers.base import cpu_clock
from solvers.presolve import merged_factors

from ..output.tables import Table
from ..records.provenance import provenance, write_provenance
from .large_graphs import labels
from .scaling_cases import INSTANCES

SEED = 9001
NEVER = 10**15
SWITCHES: tuple[tuple[Any, str], ...] = (
    (ad3_engine, "FINE"),
    (consensus, "LARGE"),
    (summarization_rounding, "MOST_CANDIDATES"),
    (extraction_rounding, "MOST_CANDIDATES"),
)
Case = tuple[str, list[Callable[[], Any]], int]


def cases(quick: bool) -> list[Case]:
    """Names, instances and iterations."""

    def generated(task: str, size: str, count: int) -> Case:
        makers: list[Callable[[], Any]] = [
            partial(get_task(task).generate, seed, size) for seed in range(SEED, SEED + count)
        ]
        return (f"{task} {size}", makers, 1000)

    if quick:
        return [generated("summarization", "tiny", 1), ("labels 500", [lambda: labels(500, 1, shuffled=True)], 20)]
    small = [generated(task, size, 6) for task in ("summarization", "extraction") for size in ("tac", "zipf")]
    large = [generated(task, "large", 1) for task in ("summarization", "extraction")]
    return [
        *small,
        *large,
        ("summarization, 1,000 sentences", [lambda: INSTANCES["summarization"](1000, SEED)], 1000),
        ("summarization, 3,000 sentences", [lambda: INSTANCES["summarization"](3000, SEED)], 100),
        ("labels, 1,000,000 variables", [lambda: labels(1_000_000, 1)], 100),
        ("labels, shuffled, 1,000,000 variables", [lambda: labels(1_000_000, 1, shuffled=True)], 100),
    ]


@contextmanager
def before() -> Iterator[None]:
    """All as it was."""
    kept = [getattr(module, name) for module, name in SWITCHES]
    for module, name in SWITCHES:
        setattr(module, name, NEVER)
    try:
        yield
    finally:
        for (module, name), value in zip(SWITCHES, kept, strict=True):
            setattr(module, name, value)


def phases(instance: Any, iterations: int) -> dict[str, float]:
    """CPU seconds: graph, presolve (by itself), the whole of building, iterating and rounding; the bound, and the objective."""
    task = task_of(instance)
    start = cpu_clock()
    graph = task.graph(instance)
    made = cpu_clock()
    merged_factors(graph)
    merged = cpu_clock()
    solution = get_solver("ad3", max_iterations=iterations).solve(instance)
    return {
        "graph": made - start,
        "presolve": merged - made,
        "layout": max(solution.build_seconds - (merged - start), 0.0),
        "iterate": solution.solve_seconds,
        "round": solution.round_seconds,
        "all": solution.cpu_seconds,
        "bound": solution.bound,
        "objective": solution.objective,
    }


def rows_of(case: Case) -> list[list[str]]:
    name, makers, iterations = case
    found: dict[str, list[dict[str, float]]] = {"before": [], "after": []}
    for make in makers:
        instance = make()
        with before():
            found["before"].append(phases(instance, iterations))
        found["after"].append(phases(instance, iterations))
    means = {kind: {key: float(np.mean([run[key] for run in runs])) for key in runs[0]} for kind, runs in found.items()}
    rows = []
    for kind, mean in means.items():
        shares = [f"{100 * mean[key] / mean['all']:.1f}" for key in ("graph", "presolve", "layout", "iterate", "round")]
        ratio = "" if kind == "before" else f"{means['before']['all'] / mean['all']:.2f}"
        ends = [f"{mean['bound']:.7g}", "" if np.isnan(mean["objective"]) else f"{mean['objective']:.7g}"]
        rows.append([f"{name}: {kind}", *shares, f"{1e3 * mean['all']:.4g}", ratio, *ends])
    return rows


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    origin = provenance(["ad3"], first_seed=SEED)
    for task in ("summarization", "extraction"):
        get_solver("ad3").solve(get_task(task).generate(0, "tiny"))
    rows: list[list[str]] = []
    for case in cases(quick):
        rows += ([[]] if rows else []) + rows_of(case)
        print("\n".join(" | ".join(row) for row in rows[-2:]), flush=True)
    headings = [
        "problem",
        "graph %",
        "presolve %",
        "layout %",
        "iterate %",
        "round %",
        "ms",
        "ratio",
        "bound",
        "objective",
    ]
    notes = [
        "Shares of CPU time and CPU milliseconds in all, means over instances; 1000 iterations at most, 100 for 3,000 sentences and labels.",
        "ratio: before over after. bound: the dual value, smaller is better; objective: of the rounded structure, larger is better.",
    ]
    Table("AD3: where the time goes", headings, rows, notes).write(folder)
    write_provenance(folder, origin)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/ad3-profile"), "--quick" in sys.argv)
