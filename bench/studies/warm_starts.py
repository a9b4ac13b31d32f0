"""What warm starts of AD3 save: the same problems one after the other, each from scratch or from where the last one ended.

    python -m bench.studies.warm_starts results/warm-starts [--quick]

Two sequences per instance: a sweep over budgets, and scores that change by a few per cent from one decoding to the next, as
between epochs of training. Counted are iterations and projections of factors, which depend on no machine: `run` makes a new solver for
each cell and can time no sequence. Gaps are to the optimum of the relaxation (`lp-highs`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from problems import get_task
from problems.parsing.instance import SCORES, ParsingInstance
from problems.summarization.instance import with_scores
from solvers import get_solver

from ..output.tables import Table
from .study import Study

SEEDS = range(7001, 7005)
STUDY = Study(
    "warm-starts",
    "What do warm starts save AD3 in a sequence of problems?",
    ("ad3", "lp-highs"),
    {"seeds": list(SEEDS)},
)
BUDGETS = range(80, 125, 5)
STEPS = 8
CHANGES = (0.01, 0.05, 0.2)
Sequence = Callable[[Any, np.random.Generator], list[Any]]


def budgets(instance: Any, rng: np.random.Generator) -> list[Any]:
    return [replace(instance, budget=budget) for budget in BUDGETS]


def changed(share: float, instance: Any, rng: np.random.Generator) -> list[Any]:
    """A sequence in which every score is multiplied by 1 + a normal number times `share`, from step to step."""
    found = [instance]
    for _ in range(STEPS):
        found.append(_next(found[-1], share, rng))
    return found


def _next(instance: Any, share: float, rng: np.random.Generator) -> Any:
    def noisy(scores: Any) -> Any:
        values = np.asarray(scores, dtype=np.float64)
        return values * (1.0 + share * rng.normal(size=values.shape))

    if isinstance(instance, ParsingInstance):
        return replace(instance, **{name: noisy(getattr(instance, name)) for name in SCORES})
    if instance.task == "summarization":
        deletions = [score for sentence in instance.sentences for score in sentence.deletion_scores]
        return with_scores(instance, noisy(instance.layout.concept_scores), noisy(deletions))
    scores = noisy([concept.score for concept in instance.concepts]).tolist()
    concepts = zip(instance.concepts, scores, strict=True)
    return replace(instance, concepts=tuple(concept._replace(score=score) for concept, score in concepts))


def sequences() -> list[tuple[str, str, str, Sequence]]:
    texts = [("summarization", "tac"), ("extraction", "tac")]
    found: list[tuple[str, str, str, Sequence]] = [(*text, "budgets 80 to 120", budgets) for text in texts]
    for problem in (*texts, ("parsing", "30")):
        found += [(*problem, f"scores +-{100 * share:g} %", partial(changed, share)) for share in CHANGES]
    return found


def measure(task: str, size: str, make: Sequence, seeds: range) -> list[str]:
    """Means over all problems but the first of each sequence, which has nothing to start from."""
    efforts = []  # of each problem, cold and warm: iterations, thousands of projections, gap in %
    for seed in seeds:
        first, *steps = make(get_task(task).generate(seed, size), np.random.default_rng([seed, 10]))
        solvers = [get_solver("ad3", rounding="none", warm_start=warm) for warm in (False, True)]
        for solver in solvers:
            solver.solve(first)
        for instance in steps:
            best = get_solver("lp-highs", rounding="none").solve(instance).bound
            found = [solver.solve(instance) for solver in solvers]
            efforts.append(
                [(each.iterations, 1e-3 * each.info["factor_solves"], 100 * (each.bound / best - 1)) for each in found]
            )
    iterations, projections, gaps = np.mean(efforts, axis=0).T
    costs = [[f"{cold:.3g}", f"{warm:.3g}", f"{cold / warm:.2f}"] for cold, warm in (iterations, projections)]
    return [*costs[0], *costs[1], *(f"{gap:.4f}" for gap in gaps)]


def measure_all(folder: Path, quick: bool) -> Table:
    rows = []
    seeds = SEEDS[:1] if quick else SEEDS
    for task, size, name, make in sequences():
        rows.append([f"{task} {size}: {name}", *measure(task, "tiny" if quick else size, make, seeds)])
        print(" | ".join(rows[-1]), flush=True)
    headings = ["sequence", "iterations", "warm", "ratio", "projections", "warm", "ratio", "gap %", "warm"]
    notes = [
        f"Means over {len(seeds)} sequences without their first problems; at most 1000 iterations each (ad3's default), no rounding.",
        "projections: thousands of factors that were solved. ratio: cold over warm. gap: of the dual value to the optimum of the relaxation (HiGHS).",
    ]
    return Table("Warm starts of AD3", headings, rows, notes)


if __name__ == "__main__":
    STUDY.main(measure_all)
