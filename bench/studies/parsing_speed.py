"""AD3 against exact ILP solvers on third-order sentences of 20 to 40 words, K = 10, the same scores.

    python -m bench.studies.parsing_speed results/parsing-speed [--quick] [--resume]

CPU time of the whole `solve()` call. Per sentence the fastest ILP solver and flow form that proved its optimum counts; ratios
are medians and ranges of per-sentence ratios. Rows: the generator's own evidence (the headline), and evidence whose
posteriors are calibrated, with twice as many heads per word (sensitivity; see `parsing_sentences`). `ad3-exact` is the
comparison of like with like: it proves every optimum. Tables are written after each sentence; `--resume` keeps what the folder's
`cells.json` has and goes on from there.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np

from problems.parsing.generate import EVIDENCE, Evidence
from problems.parsing.instance import ParsingInstance
from solvers import Solution, get_solver

from ..output.tables import Table
from .parsing_sentences import POSTERIORS_CALIBRATED, sentences, warm_up

SENTENCES = 20
LIMIT = 120.0
ILP = ("ilp-glpk", "ilp-highs", "ilp-scip", "ilp-cbc", "ilp-cpsat")
FLOWS: tuple[Literal["multi", "single"], ...] = ("single", "multi")
ROUNDS = 3  # of AD3 and of the sentence's fastest ILP, interleaved; medians count
EVIDENCES: tuple[tuple[str, Evidence], ...] = (
    ("generator's own", EVIDENCE),
    ("calibrated posteriors", POSTERIORS_CALIBRATED),
)
AGREE = 1e-6
CUTOFF, CUTOFF_SECONDS = 2.0, 0.5  # a solver is stopped at twice the time of the fastest so far, and half a second more


def measure(instance: ParsingInstance, ilp: tuple[str, ...]) -> dict[str, Any]:
    """Seconds and statuses of every solver on one sentence; contradictions between proved optima end the study."""
    problems = {flow: dataclasses.replace(instance, flow=flow) for flow in FLOWS}
    found: dict[str, Solution] = {}
    limit = LIMIT
    for name in ilp:
        for flow in FLOWS:
            solution = get_solver(name, time_limit=limit).solve(problems[flow])
            found[f"{name} {flow}"] = solution
            if solution.status == "optimal":  # only the fastest counts: the others need not go on for ever
                limit = min(limit, CUTOFF_SECONDS + CUTOFF * solution.wall_seconds)
    solved = {name: solution for name, solution in found.items() if solution.status == "optimal"}
    again = [("ad3", "ad3", instance), ("ad3-exact", "ad3-exact", instance)]
    if solved:
        fastest = min(solved, key=lambda name: solved[name].cpu_seconds)
        name, form = fastest.split()
        again.append((fastest, name, problems["single" if form == "single" else "multi"]))
    runs: dict[str, list[Solution]] = {label: [] for label, _, _ in again}
    for _ in range(ROUNDS):
        for label, name, problem in again:
            runs[label].append(get_solver(name).solve(problem))
    for label, solutions in runs.items():
        found[label] = sorted(solutions, key=lambda solution: solution.cpu_seconds)[ROUNDS // 2]
    proved = [solution.objective for solution in found.values() if solution.status == "optimal"]
    assert not proved or max(proved) - min(proved) <= AGREE * max(map(abs, proved)), "two different optima"
    weak, strong = (get_solver("lp-highs").solve(problems[flow]).bound for flow in FLOWS)
    return {
        "words": instance.number_of_words,
        "arcs": len(instance.heads),
        "optimum": max(proved, default=float("nan")),
        "lp_multi": strong,
        "lp_single": weak,
        "solvers": {
            name: {"seconds": s.cpu_seconds, "status": s.status, "objective": s.objective} for name, s in found.items()
        },
    }


def summary(label: str, cells: list[dict[str, Any]], ilp: tuple[str, ...]) -> list[str]:
    exact = [f"{name} {flow}" for name in ilp for flow in FLOWS]
    fastest, winners = [], []
    for cell in cells:
        solved = {name: cell["solvers"][name]["seconds"] for name in exact if _proved(cell, name)}
        winners.append(min(solved, key=lambda name: solved[name]) if solved else "none")
        fastest.append(min(solved.values(), default=LIMIT))
    ad3, bound = ([cell["solvers"][name]["seconds"] for cell in cells] for name in ("ad3", "ad3-exact"))
    ratios = np.array(fastest) / np.array(ad3)
    certified = np.mean([_proved(cell, "ad3") for cell in cells])
    quality = [cell["solvers"]["ad3"]["objective"] / cell["optimum"] for cell in cells]
    gaps = [100 * (cell["lp_single"] - cell["lp_multi"]) / abs(cell["lp_multi"]) for cell in cells]
    common = max(set(winners), key=winners.count)
    return [
        label,
        str(len(cells)),
        f"{np.mean([cell['arcs'] / cell['words'] for cell in cells]):.1f}",
        f"{1000 * np.median(ad3):.1f}",
        f"{1000 * np.median(fastest):.0f}",
        f"{np.median(ratios):.1f} [{ratios.min():.1f}, {ratios.max():.0f}]",
        f"{100 * certified:.0f}",
        f"{100 * np.nanmean(quality):.3f}",
        f"{np.median(np.array(fastest) / np.array(bound)):.1f}",
        f"{common} {winners.count(common)}/{len(winners)}",
        f"{np.mean(gaps):.2f}",
    ]


def _proved(cell: dict[str, Any], name: str) -> bool:
    return bool(cell["solvers"][name]["status"] == "optimal")


def main(folder: Path, quick: bool, resume: bool = False) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ilp = ILP[:2] if quick else ILP
    warm_up((("ad3", {}), ("ad3-exact", {}), ("lp-highs", {}), *((name, {}) for name in ilp)))
    records: dict[str, list[dict[str, Any]]] = {label: [] for label, _ in EVIDENCES}
    if resume:
        records |= json.loads((folder / "cells.json").read_text(encoding="utf-8"))
    for label, evidence in EVIDENCES:
        for instance in sentences(2 if quick else SENTENCES, 20, 40, evidence)[len(records[label]) :]:
            records[label].append(measure(instance, ilp))
            print(label, json.dumps(records[label][-1]), flush=True)
            write(folder, records, ilp)
    write(folder, records, ilp)


def write(folder: Path, records: dict[str, list[dict[str, Any]]], ilp: tuple[str, ...]) -> None:
    rows = [summary(label, cells, ilp) for label, cells in records.items() if cells]
    headings = ["evidence", "sentences", "heads/word", "AD3 ms", "fastest ILP ms", "ratio", "AD3 certified %"]
    headings += ["AD3 % of optimum", "ratio ad3-exact", "mostly fastest", "single flow weaker %"]
    notes = [
        "Sentences of 20 to 40 words, order 3, K = 10, threshold 1e-4; medians; ratio [lowest, highest] of fastest ILP over AD3.",
        f"ILP: {', '.join(ilp)}, both flow forms, {LIMIT:g} s limit (counted where none proved its optimum), stopped at {CUTOFF:g} times the fastest so far and {CUTOFF_SECONDS:g} s more. AD3, ad3-exact and the fastest ILP: medians of {ROUNDS} more runs each, interleaved.",
        "Single flow weaker: by how much the LP bound of the single-commodity form lies above the multi-commodity one's, mean.",
        "The generator's own evidence was fixed before any ILP was timed on it; the other one was tried afterwards.",
    ]
    Table("AD3 against exact ILP solvers", headings, rows, notes).write(folder)
    (folder / "cells.json").write_text(json.dumps(records, indent=1), encoding="utf-8")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = Path(arguments[0] if arguments else "results/parsing-speed")
    main(folder, "--quick" in sys.argv, "--resume" in sys.argv)
