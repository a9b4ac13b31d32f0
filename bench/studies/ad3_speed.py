"""How fast AD3 is: against HiGHS's LP, against exact solvers, per factor, and as problems grow.

    python -m bench.studies.ad3_speed results/ad3-speed [--quick]

CPU time of the whole `solve()` call, interleaved, one thread; medians of per-instance ratios. Seeds are not those of
`ad3_step_sizes`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from problems import get_task
from solvers import Solution, get_solver
from solvers.ad3_engine import Engine
from solvers.base import cpu_clock

from ..output.tables import Table

PROBLEMS = (("summarization", "zipf"), ("extraction", "zipf"), ("summarization", "tac"), ("extraction", "tac"))
EXACT = ("ilp-cpsat", "ilp-glpk", "ilp-highs", "ilp-scip", "ilp-cbc")
SEEDS = range(2001, 2021)
LIMIT = 60.0
TARGET = 1e-3


def time_to_target(task: Any, instance: Any, optimum: float) -> float:
    """CPU seconds of building and iterating until the dual value is within 0.1 % of the LP optimum."""
    solver: Any = get_solver("ad3")
    start = cpu_clock()
    engine = Engine(task.graph(instance), solver.eta, solver.over_relaxation)
    seconds = cpu_clock() - start
    from solvers.ad3 import ADAPT_AT

    for done in range(10, 5001, 10):
        start = cpu_clock()
        engine.iterate(10, 0.0)
        if done in ADAPT_AT:
            engine.balance()
        seconds += cpu_clock() - start
        if engine.dual_value() <= optimum * (1.0 + TARGET):
            return seconds
    return np.inf


def measure(name: str, size: str, seeds: range, exact: tuple[str, ...]) -> list[str]:
    task = get_task(name)
    ratios: dict[str, list[float]] = {}

    def note(key: str, value: float) -> None:
        ratios.setdefault(key, []).append(value)

    for seed in seeds:
        instance = task.generate(seed, size)
        solutions: dict[str, Solution] = {}
        for solver in ("lp-highs", "ad3", "ad3-exact", *exact):
            options: dict[str, Any] = {} if solver in ("lp-highs", "ad3") else {"time_limit": LIMIT}
            if solver == "ad3":
                options["residual_tolerance"] = 0.0  # all 1000 iterations
            solutions[solver] = get_solver(solver, **options).solve(instance)
        again = get_solver("lp-highs").solve(instance)
        lp, ad3 = solutions["lp-highs"], solutions["ad3"]
        lp_seconds = 0.5 * (lp.cpu_seconds + again.cpu_seconds)
        proved = [s for s in (solutions[solver] for solver in exact) if s.status == "optimal"]
        optimum = max((s.objective for s in proved), default=np.nan)
        note("LP ms", 1000 * lp_seconds)
        note("AD3 ms", 1000 * ad3.cpu_seconds)
        note("AD3/LP", ad3.cpu_seconds / lp_seconds)
        note("0.1%/LP", time_to_target(task, instance, lp.bound) / lp_seconds)
        note("gap %", 100 * (ad3.bound / lp.bound - 1.0))
        note("GLPK/AD3", solutions["ilp-glpk"].cpu_seconds / ad3.cpu_seconds)
        note("best/AD3", min(solutions[solver].cpu_seconds for solver in exact) / ad3.cpu_seconds)
        if solutions["ad3-exact"].status == "optimal":
            assert solutions["ad3-exact"].objective >= optimum * (1 - 1e-6)
        fastest = min(solutions[solver].cpu_seconds for solver in exact)
        note("best/ad3-exact", fastest / solutions["ad3-exact"].cpu_seconds)
        note("ad3-exact proved", float(solutions["ad3-exact"].status == "optimal"))
        note("search %", 100 * ad3.objective / optimum)
        assert ad3.posteriors is not None
        paper = task.objective(instance, task.round(instance, ad3.posteriors, "paper"))
        note("paper %", 100 * paper / optimum)
        note("round/solve", ad3.round_seconds / ad3.solve_seconds)
        note("ns/factor", 1e9 * ad3.solve_seconds / ad3.info["factor_solves"])
        print(name, size, seed, {key: round(values[-1], 3) for key, values in ratios.items()}, flush=True)
    shown = [f"{name} {size}"]
    for key, values in ratios.items():
        shown.append(f"{sum(values):.0f}/{len(values)}" if key.endswith("proved") else f"{median(values):.3g}")
    return shown


def growth(name: str, sizes: tuple[str, ...]) -> list[list[str]]:
    """Links and CPU time per iteration when every factor is solved, from size to size."""
    from problems.kernels.ad3 import activate_all

    rows = []
    for size in sizes:
        engine = Engine(get_task(name).graph(get_task(name).generate(2001, size)), 2.0)
        engine.iterate(5, 0.0)
        seconds = []
        for _ in range(20):
            activate_all(engine.layout, engine.state)
            start = cpu_clock()
            engine.iterate(1, 0.0)
            seconds.append(cpu_clock() - start)
        links = engine.consensus.number_of_links
        micro = 1e6 * median(seconds)
        rows.append([f"{name} {size}", str(links), f"{micro:.0f}", f"{1000 * micro / links:.1f}"])
    return rows


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for solver in ("lp-highs", "ad3", *EXACT):
        for name in ("summarization", "extraction"):
            get_solver(solver).solve(get_task(name).generate(0, "tiny"))
    seeds = SEEDS[:2] if quick else SEEDS
    rows = [measure(name, size, seeds, ("ilp-cpsat", "ilp-glpk", "ilp-highs")) for name, size in PROBLEMS]
    headings = [
        "problem",
        "LP ms",
        "AD3 ms",
        "AD3/LP",
        "0.1%/LP",
        "gap %",
        "GLPK/AD3",
        "best/AD3",
        "best/ad3-exact",
        "ad3-exact proved",
        "search %",
        "paper %",
    ]
    notes = [
        f"Medians over {len(seeds)} instances; CPU time of the whole solve() call; AD3 runs 1000 iterations; LP is HiGHS's.",
        "0.1%/LP: time until the dual gap is below 0.1 %. GLPK/AD3, best/AD3: exact time (GLPK; fastest of CP-SAT, GLPK,",
        "HiGHS per instance) over AD3's; best/ad3-exact: over branch and bound's on AD3. search %, paper %: rounded objective over the optimum. Limit 60 s.",
    ]
    Table("AD3 against LP and ILP solvers", [*headings, "round/solve", "ns/factor"], rows, notes).write(folder)
    grown = growth("summarization", ("tac", "zipf", "large")) + growth("extraction", ("tac", "zipf", "large"))
    table = Table("AD3: time per iteration", ["problem", "links", "us", "ns/link"], grown, ["All factors solved."])
    (folder / "growth.md").write_text(table.markdown(), encoding="utf-8")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/ad3-speed"), "--quick" in sys.argv)
