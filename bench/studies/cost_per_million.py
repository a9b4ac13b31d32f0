"""What it costs to decode a million sentences (or topics) on one core, by task and solver.

    python -m bench.studies.cost_per_million results/cost-per-million [--quick]

A sample with the lengths of a corpus is decoded as `dualbench decode` does it, in this process: a line of JSON is read and checked, the
instance solved, and the answer checked and scored again (no metrics). CPU seconds per instance are means, because totals are what is
paid for, and are multiplied by a million; nothing else is assumed but that the rest of the corpus is like the sample.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from problems import get_task
from problems.errors import InputError
from problems.storage import parse_document
from solvers import get_solver, solver_class
from solvers.base import cpu_clock

from ..decoding.worker import judged
from ..output.tables import Table
from ..records.provenance import provenance, write_provenance

SEED = 8001
COUNT, FEW = 40, 8  # instances; of solvers that take long
SLOW = 0.3  # mean CPU seconds of the first few above which it stays with these
MILLION, HOUR = 10**6, 3600.0
SAMPLES: dict[str, tuple[str, tuple[tuple[str, dict[str, Any]], ...]]] = {
    "parsing": ("ptb", (("ad3", {}), ("dp-eisner", {}), ("dp-mst", {}), ("subgradient", {}), ("lp-highs", {}))),
    "compression": (
        "news",
        (("dp-exact", {"lengths": "given"}), ("dp-lagrangian", {}), ("ad3", {}), ("ilp-highs", {"time_limit": 10.0})),
    ),
    "transduction": ("news", (("dp-exact", {}), ("ad3", {}), ("beam", {}), ("ilp-highs", {"time_limit": 10.0}))),
    "summarization": ("tac", (("ad3", {}), ("ilp-cpsat", {}), ("ilp-highs", {}))),
    "extraction": ("tac", (("greedy", {}), ("ad3", {}), ("ilp-cpsat", {}), ("ilp-highs", {}))),
}


class Cost(NamedTuple):
    """CPU seconds of each instance: solving, and reading and checking."""

    solving: list[float]
    handling: list[float]
    optimal: int
    refused: int = 0


def cost(task: Any, lines: list[bytes], solver: str, options: dict[str, Any]) -> Cost:
    found = Cost([], [], 0)
    decoder = get_solver(solver, task.name, **options)
    for line in lines:
        start = cpu_clock()
        instance = task.parse(parse_document(line, "sample"), "sample")
        read = cpu_clock()
        try:
            solution = decoder.solve(instance)
        except InputError:  # as when pruning has left no projective tree
            found = found._replace(refused=found.refused + 1)
            continue
        solved = cpu_clock()
        facts = judged(task, instance, solution, with_metrics=False)
        found.solving.append(solved - read)
        found.handling.append(read - start + cpu_clock() - solved)
        found = found._replace(optimal=found.optimal + (facts["status"] == "optimal"))
        if len(found.solving) == FEW and np.mean(found.solving) > SLOW:
            break
    return found


def size_of(task: Any, instance: Any) -> int:
    """Words of a sentence, or sentences of a topic."""
    words = task.length(instance)
    if words is not None:
        return int(words)
    return len(instance.sentences if task.name == "summarization" else instance.lengths)


def interval(values: list[float]) -> float:
    """Half of Student's 95 % interval of the mean."""
    from scipy import stats

    if len(values) < 2:
        return float("nan")
    return float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))


def row(name: str, words: float, found: Cost) -> list[str]:
    solving, handling = float(np.mean(found.solving)), float(np.mean(found.handling))
    hours, reach = solving * MILLION / HOUR, interval(found.solving) * MILLION / HOUR
    return [
        name,
        f"{words:.1f}",
        f"{len(found.solving)}" + (f" ({found.refused} refused)" if found.refused else ""),
        f"{1e3 * solving:.3g}",
        f"{1e3 * handling:.3g}",
        f"{hours:.3g} +- {reach:.2g}",
        f"{(solving + handling) * MILLION / HOUR:.3g}",
        f"{100 * found.optimal / len(found.solving):.0f}",
    ]


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    origin = provenance(
        [name for _, solvers in SAMPLES.values() for name, _ in solvers], first_seed=SEED, most_instances=COUNT
    )
    rows: list[list[str]] = []
    for name, (size, solvers) in SAMPLES.items():
        task = get_task(name)
        instances = [
            task.generate(seed, "tiny" if quick else size) for seed in range(SEED, SEED + (3 if quick else COUNT))
        ]
        lines = [json.dumps(task.document(instance)).encode() for instance in instances]
        words = float(np.mean([size_of(task, instance) for instance in instances]))
        if rows:
            rows.append([])
        for solver, options in solvers:
            if solver_class(solver, name).unavailable() is None:
                get_solver(solver, name, **options).solve(task.generate(0, "tiny"))
                rows.append(row(f"{name} {size}: {solver}", words, cost(task, lines, solver, options)))
                print(" | ".join(rows[-1]), flush=True)
    notes = [
        f"Means over at most {COUNT} generated instances ({FEW} where a solver takes more than {SLOW:g} s each) with lengths as in a corpus; "
        "size: words of a sentence, or sentences of a topic.",
        "core-hours: for a million sentences (topics in summarization and extraction), solving alone with its 95 % interval, and with reading "
        "JSON and checking answers (in all).",
        "Starting processes and writing rows is not in it: see `decode_throughput`. optimal %: answers with a proof of optimality.",
    ]
    headings = ["task and solver", "size", "instances", "ms", "ms beside", "core-hours", "in all", "optimal %"]
    Table("Cost per million on one core", headings, rows, notes).write(folder)
    write_provenance(folder, origin)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/cost-per-million"), "--quick" in sys.argv)
