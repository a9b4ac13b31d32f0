"""From cells to the rows of Table 3: means over instances, ours beside the paper's. Fits a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import fmean
from typing import TYPE_CHECKING

from ..output.tables import Table
from ..published import SUMMARIZATION_RUNTIMES

if TYPE_CHECKING:
    from .summarization_runs import Cell

ILP, LP, EXTRACTIVE = "ILP Exact", "LP-Relax.", "Extractive (ILP)"
AD3 = {5000: "AD3-5000", 1000: "AD3-1000", 200: "AD3-200"}
PREFIXES = {ILP: "exact ", LP: "", EXTRACTIVE: "extractive ", **{name: name.lower() for name in AD3.values()}}
PAPER = {ILP: "paper: exact", LP: "paper: LP", EXTRACTIVE: "paper: extractive"}
PAPER |= {name: f"paper: {name}" for name in AD3.values()}
HEADINGS = ["decoder", "build", "solve", "round", "total", "xGLPK", "xbest", "obj. %", "opt.", "R-2"]
FAILED = ("error", "crash", "memout", "skipped")

Seconds = dict[str, float]  # by instance


def build_table(cells: list[Cell], time_limit: float, source: str = "generated clusters (size tac)") -> Table:
    """A row per decoder, with its speed relative to exact GLPK and to the fastest exact solver of the same problem."""
    rows: list[list[str]] = []
    for system in dict.fromkeys(cell.system for cell in cells):
        if rows and system not in (AD3[1000], AD3[200]):
            rows.append([])
        rivals = _rivals(cells, system)
        glpk = _seconds(cell for cell in rivals if cell.solver == "ilp-glpk")
        fastest = {name: winner[0] for name, winner in _winners(rivals).items()}
        optimum = _optima(cells, system)
        for key in dict.fromkeys(cell.row for cell in cells if cell.system == system):
            rows.append(_row([cell for cell in cells if cell.row == key], optimum, glpk, fastest))
        rows.append(_paper_row(system))
    title = "Table 3 of Almeida & Martins (2013): runtimes of decoders"
    return Table(title, HEADINGS, rows, [*_notes(cells, time_limit, source), *_troubles(cells)])


def _rivals(cells: list[Cell], system: str) -> list[Cell]:
    """The ILP runs on the same problem: compressive ones for the LP, extractive ones for the extractive ILP.

    Branch and bound on AD3 is no off-the-shelf solver: it is measured against them and not one of them.
    """
    exact = EXTRACTIVE if system == EXTRACTIVE else ILP
    return [cell for cell in cells if cell.system == exact and cell.solver.startswith("ilp-")]


def _seconds(cells: Iterable[Cell]) -> Seconds:
    return {cell.instance: cell.seconds for cell in cells if cell.seconds is not None}


def _winners(rivals: list[Cell]) -> dict[str, tuple[float, str]]:
    """Seconds and name of the fastest solver that proved its solution optimal, per instance."""
    best: dict[str, tuple[float, str]] = {}
    for cell in rivals:
        if cell.seconds is not None and cell.status == "optimal":
            best[cell.instance] = min(best.get(cell.instance, (cell.seconds, cell.solver)), (cell.seconds, cell.solver))
    return best


def _optima(cells: list[Cell], system: str) -> dict[str, float]:
    """The proved optimum of each instance of a system's problem."""
    optimum: dict[str, float] = {}
    for cell in cells:
        same = (cell.system == EXTRACTIVE) == (system == EXTRACTIVE)
        if same and cell.status == "optimal" and cell.objective is not None:
            optimum[cell.instance] = max(cell.objective, optimum.get(cell.instance, cell.objective))
    return optimum


def _row(group: list[Cell], optimum: dict[str, float], glpk: Seconds, fastest: Seconds) -> list[str]:
    shares = [
        100.0 * cell.objective / optimum[cell.instance] if optimum[cell.instance] else 100.0
        for cell in group
        if cell.objective is not None and cell.instance in optimum
    ]
    ran = any(cell.seconds is not None for cell in group)
    return [
        _label(group[0]) + ("*" if _trouble(group) else ""),
        _milliseconds(group, lambda cell: cell.build_seconds, 1),
        _milliseconds(group, lambda cell: cell.solve_seconds, 0),
        _milliseconds(group, lambda cell: cell.round_seconds, 1),
        _milliseconds(group, lambda cell: cell.seconds, 0) if ran else "none",
        _ratio(glpk, group),
        _ratio(fastest, group),
        f"{fmean(shares):.2f}" if shares else "",
        f"{sum(cell.status == 'optimal' for cell in group)}/{len(group)}",
        _mean([cell.rouge_2 for cell in group], 2),
    ]


def _label(cell: Cell) -> str:
    solver = "" if cell.system in AD3.values() else cell.solver
    return PREFIXES[cell.system] + solver + (f", {cell.rounding}" if cell.rounding else "")


def _mean(values: Iterable[float | None], digits: int) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):.{digits}f}" if known else ""


def _milliseconds(group: list[Cell], part: Callable[[Cell], float | None], digits: int) -> str:
    values = [part(cell) for cell in group]
    return _mean([1000.0 * value for value in values if value is not None], digits)


def _ratio(reference: Seconds, group: list[Cell]) -> str:
    """How many times faster than the reference, over the instances that both have."""
    both = [(reference[name], own) for name, own in _seconds(group).items() if name in reference]
    own = sum(pair[1] for pair in both)
    return _three_digits(sum(pair[0] for pair in both) / own) if own > 0 else ""


def _three_digits(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _paper_row(system: str) -> list[str]:
    paper = SUMMARIZATION_RUNTIMES[system]
    exact = SUMMARIZATION_RUNTIMES[EXTRACTIVE if system == EXTRACTIVE else ILP]
    total, ratio = f"{1000 * paper.seconds:.0f}", _three_digits(exact.seconds / paper.seconds)
    return [PAPER[system], "", "", "", total, ratio, "", "", "", f"{paper.rouge_2:.2f}"]


def _notes(cells: list[Cell], time_limit: float, source: str) -> list[str]:
    clusters = {cell.instance for cell in cells if cell.system == ILP}
    relaxed = {cell.instance: cell.integral for cell in cells if cell.system == LP and cell.solver == "lp-highs"}
    known = [integral for integral in relaxed.values() if integral is not None]
    winners = [name for _, name in _winners(_rivals(cells, ILP)).values()]
    wins = ", ".join(f"{name} {winners.count(name)}x" for name in sorted(set(winners))) or "none"
    return [
        f"{len(clusters)} {source}; CPU ms of one thread; limit {time_limit:.0f} s; gap 0.",
        f"{sum(known)} of {len(known)} LP solutions are integral (the paper: 2 of 48).",
        f"Fastest ILP solver per instance: {wins}.",
        "xGLPK, xbest: times faster than exact GLPK (the paper's solver) and than the fastest ILP solver per instance; "
        "extractive rows against the extractive ones.",
        "obj. %: mean share of the optimum. opt.: solutions proved optimal. R-2: ROUGE-2 recall; ours is on these "
        "texts, the paper's on TAC-2008.",
        "Paper rows: GLPK and AD3 on a 2.8 GHz Core i7; LP and AD3 rows include 29 ms of rounding. ad3-N: N iterations "
        "at most; it stops where its residuals are below 1e-6.",
    ]


def _trouble(group: list[Cell]) -> str:
    """What went wrong in a row: how often, and the first reason."""
    failed = [cell for cell in group if cell.status in FAILED]
    without = [cell for cell in group if cell.objective is None and cell.status not in FAILED]
    said = []
    if failed:
        kinds = " or ".join(sorted({cell.status for cell in failed}))
        said.append(f"{kinds} on {len(failed)} of {len(group)} ({failed[0].message})")
    if without:
        said.append(f"no solution on {len(without)} of {len(group)} ({without[0].message or without[0].status})")
    return ", ".join(said)


def _troubles(cells: list[Cell]) -> list[str]:
    """A note for each row with an asterisk."""
    notes = []
    for key in dict.fromkeys(cell.row for cell in cells):
        group = [cell for cell in cells if cell.row == key]
        if trouble := _trouble(group):
            notes.append(f"* {_label(group[0])}: {trouble}; means are over the others.")
    return notes
