"""How time and memory grow with the size of the problem, up to the largest sizes that fit here.

    python -m bench.studies.scaling results/scaling [--quick] [--minutes 15] [--limit 60] [--only parsing]

Each point is a process of its own, forked from one that has all kernels loaded (`scaling_point`). A series ends at the first size that took longer than the limit, or where
its last two points foretell that the next one would. Points are written to `cells.jsonl` as they come: the same command goes on
where it was stopped (with a larger limit also at points that were foretold to take too long), and the tables always show what there is. Exponents are least-squares slopes of log seconds against log
size over the larger half of a series' sizes, with Student's 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from problems.errors import InputError
from solvers.linear import BACKENDS

from ..output.plots.scaling import PowerLaw, fit_power_law
from ..output.tables import Table
from ..records.provenance import provenance, write_provenance
from .scaling_cases import INSTANCES, UNITS, Series, all_series
from .scaling_plot import plot
from .scaling_point import measure, smallest, solve

SEED = 5001
GRACE = 60.0  # wall-clock seconds beyond twice the limit for loading, making the instance, and a core that is shared
FLOOR = 1e-6  # CPU seconds
CELLS = "cells.jsonl"
FORETOLD = "foretold"

Cell = dict[str, Any]


def run_point(series: Series, size: int, limit: float) -> Cell:
    """The measured facts of a point, or why there are none, from a process forked off for it."""
    facts: Cell = {"task": series.task, "series": series.name, "size": size}
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            said = measure(series, size, SEED)
        except BaseException as error:
            said = {"failure": f"{type(error).__name__}: {error}"[:200]}
        with open(writing, "w", encoding="utf-8") as file:
            file.write(json.dumps(said))
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as file:
        ready, _, _ = select.select([file], [], [], 2 * limit + GRACE)
        if not ready:
            os.kill(child, signal.SIGKILL)
        text = file.read()
    _, status = os.waitpid(child, 0)
    if not ready:
        return {**facts, "failure": "time"}
    return {**facts, **(json.loads(text) if text else {"failure": f"ended with status {status}"})}


def load(chosen: list[Series]) -> None:
    """Everything compiled is loaded before processes are forked off. Other libraries, which may have threads, load in these."""
    for series in chosen:
        if series.solver not in BACKENDS:
            solve(series, INSTANCES[series.instances](smallest(series), 0))
        else:
            INSTANCES[series.instances](smallest(series), 0)


def foretold(points: list[tuple[int, float]], size: int) -> float:
    """Seconds at a size by the slope of the last two points; the last point's where there is only one."""
    if not points:
        return 0.0
    (last, seconds) = points[-1]
    if len(points) == 1:
        return seconds
    (earlier, before) = points[-2]
    slope = math.log(max(seconds, FLOOR) / max(before, FLOOR)) / math.log(last / earlier)
    return float(seconds * (size / last) ** max(slope, 0.0))


def grow(folder: Path, chosen: list[Series], limit: float, deadline: float) -> bool:
    """Measure what is missing, smallest sizes of all series first; returns whether all was done before the deadline."""
    cells = read_cells(folder)
    measured = [
        cell for cell in cells if not str(cell.get("failure", "")).startswith(FORETOLD)
    ]  # the limit may be another now
    known = {(cell["task"], cell["series"], cell["size"]): cell for cell in measured}
    steps = max(len(series.sizes) for series in chosen)
    with open(folder / CELLS, "a", encoding="utf-8") as file:
        for step in range(steps):
            for series in chosen:
                if step >= len(series.sizes) or (series.task, series.name, series.sizes[step]) in known:
                    continue
                before = [known.get((series.task, series.name, size)) for size in series.sizes[:step]]
                if any(cell is None or "failure" in cell for cell in before):
                    continue
                points = [(cell["size"], cell["seconds"]) for cell in before if cell is not None]
                size = series.sizes[step]
                guess = foretold(points, size)
                cell: Cell
                if guess > limit:
                    cell = {
                        "task": series.task,
                        "series": series.name,
                        "size": size,
                        "failure": f"{FORETOLD} {guess:.3g} s",
                    }
                elif time.monotonic() > deadline:
                    return False
                else:
                    cell = run_point(series, size, limit)
                    if cell.get("seconds", 0.0) > limit:
                        cell["failure"] = "above the limit"
                known[series.task, series.name, size] = cell
                file.write(json.dumps(cell, allow_nan=False) + "\n")
                file.flush()
                print(json.dumps(cell), flush=True)
    return True


def read_cells(folder: Path) -> list[Cell]:
    path = folder / CELLS
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def law(points: list[Cell]) -> PowerLaw | None:
    """The power law of the larger half of the sizes, at least three of them."""
    upper = points[min(len(points) // 2, max(len(points) - 3, 0)) :]
    sizes = np.array([cell["size"] for cell in upper], dtype=float)
    return fit_power_law(sizes, np.maximum([cell["seconds"] for cell in upper], FLOOR))


def by_series(cells: list[Cell], task: str) -> dict[str, list[Cell]]:
    """The points of a task's series, each in the order of sizes, without failures."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell["task"] == task:
            found.setdefault(cell["series"], [])
            if "seconds" in cell:
                found[cell["series"]].append(cell)
    return {name: sorted(points, key=lambda cell: int(cell["size"])) for name, points in found.items()}


def table_of(task: str, cells: list[Cell], limit: float, complete: bool) -> Table:
    series = by_series(cells, task)
    sizes = sorted({cell["size"] for cell in cells if cell["task"] == task})
    rows = []
    for name, points in series.items():
        if not points:
            continue
        at = {cell["size"]: cell for cell in points}
        fitted = law(points)
        exponent = "" if fitted is None else f"{fitted.exponent:.2f} [{fitted.low:.2f}, {fitted.high:.2f}]"
        last = points[-1]
        build = last["build_seconds"] / max(last["seconds"], FLOOR)
        times = [_said(at[size]["seconds"]) if size in at else "" for size in sizes]
        rows.append([name, *times, exponent, f"{100 * min(build, 1.0):.0f}", f"{last['memory_mb']:.0f}"])
    notes = [
        "CPU seconds (building and rounding included); one instance per size, of sentences the median of five; each point in a process "
        "of its own, calls below 0.2 s five times.",
        f"Empty: the series ended, because a point took longer than {limit:g} s or was foretold to.",
        "exponent: slope of log seconds against log size over the larger half of the sizes, with its 95 % interval. "
        "build %: share of building in the last point. MB: memory of the last point beyond the instance and the libraries.",
    ]
    if not complete:
        notes.append("The study's time limit came before its end: some points are missing.")
    headings = [f"{task}: {UNITS[task]}", *(f"{size:,}" for size in sizes), "exponent", "build %", "MB"]
    return Table(f"Scaling: {task}", headings, rows, notes)


def _said(seconds: float) -> str:
    return f"{seconds:.2g}" if seconds < 0.1 else f"{seconds:.3g}"


def write(folder: Path, limit: float, complete: bool) -> None:
    cells = read_cells(folder)
    for task, unit in UNITS.items():
        series = {name: points for name, points in by_series(cells, task).items() if points}
        if series:
            table_of(task, cells, limit, complete).write(folder, stem=task)
            plot(task, unit, series, {name: law(points) for name, points in series.items()}, folder / task)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.scaling")
    parser.add_argument("folder", nargs="?", default="results/scaling")
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes of each series")
    parser.add_argument("--minutes", type=float, default=15.0, help="no point is begun after this time")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a point")
    parser.add_argument("--only", choices=list(UNITS), help="one task")
    chosen = parser.parse_args(arguments)
    if chosen.limit <= 0 or chosen.minutes <= 0:
        raise InputError("--limit and --minutes must be above 0.")
    folder = Path(chosen.folder)
    folder.mkdir(parents=True, exist_ok=True)
    series = [one for one in all_series() if chosen.only in (None, one.task)]
    if chosen.quick:
        series = [one._replace(sizes=one.sizes[:2]) for one in series]
    origin = provenance([one.solver for one in series], seed=SEED, limit_seconds=chosen.limit)
    load(series)
    complete = grow(folder, series, chosen.limit, time.monotonic() + 60 * chosen.minutes)
    write_provenance(folder, {**origin, "complete": complete})
    write(folder, chosen.limit, complete)


if __name__ == "__main__":
    main(sys.argv[1:])
