"""Search errors, certificates, iterations and time of every solver of joint transduction, by length and by the n-grams' weight.

    python -m bench.studies.transduction_solvers results/transduction-solvers [--quick]

`tuned` is the weight of the n-grams with the best relation F1 on development sentences, `strong` ten times as much with a reward
that keeps the rate: there the two halves disagree far more. The optimum is `ad3-exact`'s, confirmed by `dp-exact` or an ILP.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from problems import get_task
from problems.transduction.instance import TransductionInstance
from problems.transduction.models import SETTINGS, Settings
from solvers import Solution, Solver, get_solver
from solvers.subgradient import ALGORITHM_1

from ..output.tables import Table
from ..records.provenance import provenance

TASK = get_task("transduction")
LENGTHS = ("10", "20", "30", "40")
SEEDS = range(6001, 6041)  # others than those that the roundings were improved on (5001 to 5040)
STRONG: dict[str, Settings] = {  # rewards by `transduction_tuning`
    "bigram": Settings(1.0, 1.0, 3.785),
    "trigram": Settings(1.0, 1.0, 3.879),
}
TOLERANCE = 1e-6  # of values, relative to the optimum where that is above 1


class Rival(NamedTuple):
    label: str
    solver: Solver
    bigrams_only: bool = False


def rivals() -> list[Rival]:
    def own(name: str) -> Solver:
        return get_solver(name, task="transduction")

    return [
        Rival("dp-exact", own("dp-exact"), True),
        Rival("beam, width 5", get_solver("beam", width=5)),
        Rival("beam, width 20", get_solver("beam", width=20)),
        Rival("beam, width 100", get_solver("beam", width=100)),
        Rival("Algorithm 1", get_solver("subgradient", **ALGORITHM_1)),
        Rival("subgradient", get_solver("subgradient")),
        Rival("ad3", get_solver("ad3")),
        Rival("ad3-exact", get_solver("ad3-exact")),
        Rival("ilp-highs", get_solver("ilp-highs")),
    ]


class Cell(NamedTuple):
    """One answer: how far below the optimum it is, and what it took."""

    gap: float
    certified: bool
    iterations: int
    seconds: float


def cells(rival: Rival, instances: list[TransductionInstance], optima: list[float]) -> Iterator[Cell]:
    rival.solver.solve(instances[0])  # warm
    for instance, optimum in zip(instances, optima, strict=True):
        solution = rival.solver.solve(instance)
        assert solution.structure is not None
        value = TASK.objective(instance, solution.structure)
        scale = max(1.0, abs(optimum))
        if value > optimum + TOLERANCE * scale:
            raise AssertionError(f"{rival.label} beats the optimum of {instance.name}: {value} > {optimum}")
        certified = solution.status == "optimal"
        if certified and value < optimum - TOLERANCE * scale:
            raise AssertionError(f"{rival.label} certifies {value} on {instance.name}, but {optimum} is better")
        yield Cell(optimum - value, certified, solution.iterations or 0, solution.cpu_seconds)


def optimum_of(instance: TransductionInstance) -> float:
    """By branch and bound with AD3, and by one exact solver of another kind."""
    name = "ilp-highs" if instance.bigram_scores is None else "dp-exact"
    found: list[Solution] = [get_solver(each, task="transduction").solve(instance) for each in ("ad3-exact", name)]
    values = [TASK.objective(instance, each.structure) for each in found]
    if abs(values[0] - values[1]) > TOLERANCE * max(1.0, abs(values[0])):
        raise AssertionError(f"ad3-exact and {name} disagree on {instance.name}: {values}")
    return max(values)


def row(start: list[str], label: str, found: list[Cell]) -> list[str]:
    wrong = [each.gap for each in found if each.gap > TOLERANCE]
    iterations = [each.iterations for each in found if each.iterations]
    return [
        *start,
        label,
        f"{100 * len(wrong) / len(found):.1f}",
        f"{max(wrong, default=0.0):.2f}",
        f"{100 * fmean(each.certified for each in found):.1f}",
        f"{median(iterations):g}" if iterations else "",
        f"{1e3 * fmean(each.seconds for each in found):.2f}",
    ]


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seeds, lengths = (SEEDS[:3], LENGTHS[:1]) if quick else (SEEDS, LENGTHS)
    rows = []
    for scores in ("bigram", "trigram"):
        for weight, settings in (("tuned", SETTINGS[scores]), ("strong", STRONG[scores])):
            for length in lengths:
                size = length if scores == "bigram" else f"{length}-trigram"
                instances = [replace(TASK.generate(seed, size), **settings._asdict()) for seed in seeds]
                optima = [optimum_of(instance) for instance in instances]
                for rival in rivals():
                    if scores == "bigram" or not rival.bigrams_only:
                        rows.append(row([scores, weight, length], rival.label, list(cells(rival, instances, optima))))
                        print(*rows[-1], flush=True)
    headings = [
        "n-grams",
        "weight",
        "words",
        "solver",
        "search errors %",
        "worst gap",
        "certified %",
        "iterations",
        "ms",
    ]
    notes = [
        f"{len(seeds)} generated sentences of each length; free length. Search errors: answers below the optimum by more than {TOLERANCE:g}; the gap is in the objective's unit (a log-probability's).",
        "iterations: median; ms: mean CPU per sentence, warm, with building the graph. Algorithm 1: the paper's step rule and 50 iterations.",
        "certified: status `optimal`; for beam, a search in which nothing was cut off.",
    ]
    Table("Sentence compression by transduction: solvers", headings, rows, notes).write(folder)
    facts = provenance(sorted({each.solver.name for each in rivals()}), seeds=list(seeds), size="by length", limits={})
    (folder / "provenance.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/transduction-solvers"), "--quick" in sys.argv)
