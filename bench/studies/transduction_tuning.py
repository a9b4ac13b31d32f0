"""Weights and the reward per kept word of task `transduction`, on development sentences.

    python -m bench.studies.transduction_tuning results/transduction-tuning [--quick]

For every weight of the n-grams the reward is found at which an exact decoder (with trigrams: a wide beam) keeps as large a share of the
words as the gold compressions do. Of these weights the one with the best relation F1 is taken; it goes into `SETTINGS` of
problems/transduction/models.py by hand, and the largest one as `strong`. No test sentence is looked at, and nothing is timed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from problems import get_task
from problems.transduction.generate import example, instance_of
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import SYSTEMS
from problems.transduction.models import Settings, models
from problems.transduction.sizes import Scores
from problems.transduction.trained import DEVELOPMENT
from solvers import Solver, make_solver

from ..learning.transduction.systems import SOLVERS, reward_at_rate
from ..output.tables import Table
from .study import Study

STUDY = Study(
    "transduction-tuning",
    "Which weights and rewards should the systems of Table 2 decode with?",
    tuple(dict.fromkeys(SOLVERS.values())),
)
SENTENCES, QUICK_SENTENCES = 120, 10
BISECTIONS = 12
WEIGHTS = (0.1, 0.2, 0.3, 0.5, 1.0)
ALONE = {"rules alone": Settings(1.0, 0.0, 0.0), "discriminative alone": Settings(0.0, 1.0, 0.0)}
OPTIONS: dict[str, dict[str, Any]] = {"trigram": {"width": 100}}
MEASURES = ("compression rate", "relation F1", "unigram F1")


def development(scores: Scores, sentences: int) -> list[TransductionInstance]:
    return [
        instance_of(example(seed, "news", DEVELOPMENT), models(), f"development-{seed}", scores)
        for seed in range(sentences)
    ]


def tuned(
    solver: Solver, instances: Sequence[TransductionInstance], settings: Settings
) -> tuple[Settings, list[float]]:
    """The settings with the reward that meets the gold rate, and the measures that they have."""
    gold = fmean(len(each.gold_kept or ()) / each.number_of_words for each in instances)
    weighted = [replace(each, **settings._asdict()) for each in instances]
    reward = reward_at_rate(solver, weighted, gold, BISECTIONS)
    task, found = get_task("transduction"), []
    for instance in weighted:
        rewarded = replace(instance, reward=reward)
        found.append(task.evaluate(rewarded, solver.solve(rewarded).structure))
    return settings._replace(reward=reward), [fmean(each[name] for each in found) for name in MEASURES]


def measure(folder: Path, quick: bool) -> Table:
    sentences = QUICK_SENTENCES if quick else SENTENCES
    rows: list[list[str]] = []
    for system, scores in SYSTEMS.items():
        solver = make_solver(SOLVERS[system], "transduction", OPTIONS.get(system, {}))
        instances = development(scores, sentences)
        weights = WEIGHTS[-1:] if quick else WEIGHTS
        tries = [ALONE[system]] if system in ALONE else [Settings(1.0, weight, 0.0) for weight in weights]
        found = [tuned(solver, instances, settings) for settings in tries]
        best = max(relation for _, (_, relation, _) in found)
        for settings, measures in found:
            numbers = [settings.ngram_weight, settings.reward, *measures]
            rows.append([system, *(f"{value:.3f}" for value in numbers), "chosen" if measures[1] == best else ""])
            print(*rows[-1], flush=True)
    headings = ["setting", "n-gram weight", "reward", "rate", "relation F1", "unigram F1", ""]
    notes = [f"Means over {sentences} generated development sentences; the reward meets their gold rate."]
    return Table("Sentence compression by transduction: weights and rewards", headings, rows, notes)


if __name__ == "__main__":
    STUDY.main(measure)
