"""Where AD3's time goes, phase by phase, with and without what was done for large graphs; and what one iteration costs.

    python -m bench.studies.ad3_profile results/ad3-profile [--quick]

`before` switches off the finer balancing of the step size, the order by nearness and the limit on the sentences of the `search`
rounding; both run in turn in one process. CPU milliseconds per phase, means over instances. `iterations` has the cost of an
iteration in which every factor is solved, from size to size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import problems.extraction.rounding as extraction_rounding
import problems.summarization.rounding as summarization_rounding
from problems import get_task, task_of
from problems.factors.logic import OrOut
from solvers import ad3_engine, consensus, get_solver
from solvers.base import cpu_clock
from solvers.compiled_presolve import reduce_graph
from solvers.presolve import merged_factors

from ..experiments.sources import task_named
from ..output.tables import Table
from .study import Study

SEED = 9001
STUDY = Study(
    "ad3-profile", "Where does AD3's time go, and what does an iteration cost?", ("ad3",), {"first_seed": SEED}
)
SIZES = ("tac", "zipf", "large")
PHASES = ("graph", "presolve", "layout", "iterate", "round")
NEVER = 10**15
SWITCHES: tuple[tuple[Any, str], ...] = (
    (ad3_engine, "FINE"),
    (consensus, "LARGE"),
    (summarization_rounding, "MOST_CANDIDATES"),
    (extraction_rounding, "MOST_CANDIDATES"),
)
TASKS = ("summarization", "extraction")


class Case(NamedTuple):
    """Instances of one size, and the most iterations on them."""

    name: str
    task: str
    size: str
    seeds: range = range(SEED, SEED + 1)
    iterations: int = 1000


CASES = (
    *(Case(f"{task} {size}", task, size, range(SEED, SEED + 6)) for task in TASKS for size in ("tac", "zipf")),
    *(Case(f"{task} large", task, "large") for task in TASKS),
    Case("summarization, 1,000 sentences", "summarization", "zipf-1000"),
    Case("summarization, 3,000 sentences", "summarization", "zipf-3000", iterations=100),
    Case("labels, 1,000,000 variables", "graph", "labels-1000000", range(1, 2), 100),
    Case("labels, shuffled, 1,000,000 variables", "graph", "labels-1000000-shuffled", range(1, 2), 100),
)
QUICK_CASES = (
    Case("summarization tiny", "summarization", "tiny"),
    Case("labels 1,000", "graph", "labels-1000-shuffled", range(1, 2), 20),
)


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
    reduce_graph(graph) if OrOut.kind in graph.kinds else merged_factors(graph)
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
    found: dict[str, list[dict[str, float]]] = {"before": [], "after": []}
    for seed in case.seeds:
        instance = task_named(case.task).generate(seed, case.size)
        with before():
            found["before"].append(phases(instance, case.iterations))
        found["after"].append(phases(instance, case.iterations))
    means = {kind: {key: float(np.mean([run[key] for run in runs])) for key in runs[0]} for kind, runs in found.items()}
    rows = []
    for kind, mean in means.items():
        shares = [f"{100 * mean[key] / mean['all']:.1f}" for key in PHASES]
        ratio = "" if kind == "before" else f"{means['before']['all'] / mean['all']:.2f}"
        ends = [f"{mean['bound']:.7g}", "" if np.isnan(mean["objective"]) else f"{mean['objective']:.7g}"]
        rows.append([f"{case.name}: {kind}", *shares, f"{1e3 * mean['all']:.4g}", ratio, *ends])
    return rows


def iteration_costs(task: str, size: str) -> list[str]:
    """Links, and CPU time of an iteration in which every factor is solved: in all, per link and per factor."""
    from problems.kernels.ad3 import activate_all

    engine = ad3_engine.Engine(get_task(task).graph(get_task(task).generate(SEED, size)), 2.0)
    engine.iterate(5, 0.0)
    seconds, before = [], engine.factor_solves
    for _ in range(20):
        activate_all(engine.layout, engine.state)
        start = cpu_clock()
        engine.iterate(1, 0.0)
        seconds.append(cpu_clock() - start)
    links, factors = engine.consensus.number_of_links, (engine.factor_solves - before) / len(seconds)
    nanoseconds = 1e9 * median(seconds)
    costs = [f"{nanoseconds / 1e3:.0f}", f"{nanoseconds / links:.1f}", f"{nanoseconds / factors:.1f}"]
    return [f"{task} {size}", str(links), f"{factors:.0f}", *costs]


def iterations_table(sizes: Iterable[str]) -> Table:
    rows = [iteration_costs(task, size) for task in TASKS for size in sizes]
    notes = ["Median CPU time of 20 iterations in which every factor is solved; microseconds in all, nanoseconds each."]
    return Table(
        "AD3: what an iteration costs", ["problem", "links", "factors", "us", "ns/link", "ns/factor"], rows, notes
    )


def measure(folder: Path, quick: bool) -> dict[str, Table]:
    for task in TASKS:
        get_solver("ad3").solve(get_task(task).generate(0, "tiny"))
    rows: list[list[str]] = []
    for case in QUICK_CASES if quick else CASES:
        rows += ([[]] if rows else []) + rows_of(case)
        print("\n".join(" | ".join(row) for row in rows[-2:]), flush=True)
    headings = ["problem", *(f"{phase} %" for phase in PHASES), "ms", "ratio", "bound", "objective"]
    notes = [
        "Shares of CPU time and CPU milliseconds in all, means over instances; 1000 iterations at most, 100 for 3,000 sentences and labels.",
        "ratio: before over after. bound: the dual value, smaller is better; objective: of the rounded structure, larger is better.",
    ]
    found = Table("AD3: where the time goes", headings, rows, notes)
    return {"table": found, "iterations": iterations_table(["tiny"] if quick else SIZES)}


if __name__ == "__main__":
    STUDY.main(measure)
