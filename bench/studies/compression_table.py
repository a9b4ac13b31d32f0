"""Table 2 of Qian & Liu (2014) on generated news sentences: rate, unigram F1, relation F1 and seconds of six systems.

    python -m bench.studies.compression_table results/compression-table [--quick]

The paper's systems by the paper's algorithms, and the same by better ones. Measures are means over sentences (the paper's
macro F1); relations are the unlabelled arcs between kept words, where the paper has RASP's. Every system decodes the same
scores, but for the CRF, which is trained on other sentences of the same generator.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from problems.compression.instance import CompressionInstance

from ..output.tables import Table
from ..published import COMPRESSION
from ..records.provenance import now
from .compression_rivals import (
    EXACT_FAST,
    EXACT_PAPER,
    LAGRANGIAN,
    LAGRANGIAN_PAPER,
    TASK,
    Rival,
    race,
    ready,
    rival,
    stopped,
    write_records,
)

SIZE = "news"
SEEDS = range(3001, 3051)
LIMIT = 30.0
MEASURES = ("compression rate", "unigram F1", "relation F1")
FASTEST_BACKENDS = ("ilp-glpk", "ilp-highs")  # who wins at these lengths; `compression_runtime` has all


class System(NamedTuple):
    """A row: the fastest of its rivals on each sentence, and its name in the paper."""

    name: str
    published: str
    rivals: list[Rival]


SYSTEMS = [
    System("Lagrangian, as published", "Ours (Approx)", [LAGRANGIAN_PAPER]),
    System("Lagrangian, no repair", "Ours (Approx)", [rival("dp-lagrangian", "dp-lagrangian", repair=False)]),
    System("Lagrangian, repaired", "Ours (Approx)", [LAGRANGIAN]),
    System("Exact, as published", "Ours (Exact)", [EXACT_PAPER]),
    System("Exact, fast", "Ours (Exact)", [EXACT_FAST]),
    System("Subtree, ILP", "Subtree", [rival("tree-ilp", "tree-ilp", backend=name) for name in FASTEST_BACKENDS]),
    System("Subtree, DP", "Subtree", [rival("dp-tree", "dp-tree")]),
    System("TM13, any trees", "TM13", [rival(name, name, "flow", False) for name in FASTEST_BACKENDS]),
    System(
        "TM13, projective trees",
        "TM13",
        [
            rival("flow ilp-glpk", "ilp-glpk", "flow"),
            rival("factors ilp-highs", "ilp-highs"),
            rival("chart ilp-highs", "ilp-highs", "chart"),
        ],
    ),
    System("McDonald06", "McDonald06", [rival("dp-bigram", "dp-bigram")]),
    System("CRF", "CRFs", [rival("crf", "crf", length="free")]),
    System("CRF, L likeliest words", "CRFs", [rival("crf fixed", "crf")]),
    System("AD3", "", [rival("ad3", "ad3")]),
    System("AD3, branch and bound", "", [rival("ad3-exact", "ad3-exact")]),
]


class Result(NamedTuple):
    measures: dict[str, float]
    seconds: float
    status: str
    rival: str  # the fastest one


def best(rivals: list[Rival], instance: CompressionInstance) -> Result:
    """What the fastest of the rivals found; those that were stopped come last."""
    found = [run for run in race(rivals, instance, LIMIT) if run.solution.structure is not None]
    if not found:
        return Result({}, LIMIT, "timeout", "")
    fastest = min(found, key=lambda run: (stopped(run.solution), run.seconds))
    status = "timeout" if stopped(fastest.solution) else fastest.solution.status
    measures = TASK.evaluate(instance, fastest.solution.structure)
    return Result(measures, fastest.seconds, status, fastest.rival.name)


def row(system: System, results: list[Result]) -> list[str]:
    whole = [result for result in results if result.measures]
    cells = [system.name]
    cells += [f"{fmean(result.measures[name] for result in whole):.3f}" if whole else "" for name in MEASURES]
    seconds = fmean(result.seconds for result in results)
    cells.append(f"{seconds:.2g}")
    cells += [
        str(sum(result.status == status for result in results)) for status in ("optimal", "infeasible", "timeout")
    ]
    paper = COMPRESSION.get(system.published)
    if paper is None:
        return [*cells, *[""] * 5]
    return [*cells, *(f"{value:g}" for value in paper), f"{paper.seconds / seconds:.0f}"]


def table(results: dict[str, list[Result]], seeds: range, missing: list[str]) -> Table:
    rows = [row(system, results[system.name]) for system in SYSTEMS if system.name in results]
    headings = ["system", "rate", "unigram F1", "relation F1", "seconds", "optimal", "wrong length", "timeout"]
    headings += ["paper: rate", "F1", "RASP", "seconds", "paper/ours"]
    notes = [
        f"Means over {len(seeds)} generated sentences of size {SIZE!r} (seeds {seeds[0]} to {seeds[-1]}); gold rate 0.7.",
        f"seconds: CPU, warm, one thread, building and rounding included. ILP rows: the fastest of {', '.join(FASTEST_BACKENDS)} on each sentence.",
        "TM13, projective: the fastest of GLPK on flow, HiGHS on factors and on chart. Rivals that can no longer be the fastest are stopped.",
        "wrong length: the structure keeps another number of words; its measures count. paper/ours: seconds, on other machines and sentences.",
        f"timeout: no rival ended within {LIMIT:g} s of wall-clock time; its best structure and the CPU seconds until then count.",
        *([f"Not here: {', '.join(missing)} (python-crfsuite is not installed)."] if missing else []),
    ]
    return Table("Sentence compression: Table 2 of Qian & Liu (2014)", headings, rows, notes)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    started = now()
    seeds = SEEDS[:4] if quick else SEEDS
    systems = [(system, ready(system.rivals)) for system in SYSTEMS]
    results: dict[str, list[Result]] = {system.name: [] for system, rivals in systems if rivals}
    for seed in seeds:
        instance = TASK.generate(seed, SIZE)
        for system, rivals in systems:
            if rivals:
                results[system.name].append(best(rivals, instance))
        print(
            seed, instance.number_of_words, {k: round(1e3 * v[-1].seconds, 2) for k, v in results.items()}, flush=True
        )
    missing = [system.name for system, rivals in systems if not rivals]
    table(results, seeds, missing).write(folder)
    cells = [
        {
            "system": name,
            "seed": seed,
            "seconds": each.seconds,
            "status": each.status,
            "rival": each.rival,
            **each.measures,
        }
        for name, found in results.items()
        for seed, each in zip(seeds, found, strict=True)
    ]
    everyone = [one for _, rivals in systems for one in rivals]
    write_records(folder, everyone, cells, started, seeds=list(seeds), size=SIZE, limits={"seconds": LIMIT})


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/compression-table"), "--quick" in sys.argv)
