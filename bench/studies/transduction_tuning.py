"""Weights and the reward per kept word of task `transduction`, on development sentences.

    python -m bench.studies.transduction_tuning results/transduction-tuning [--quick]

For every weight of the n-grams the reward is found by bisection at which an exact decoder (with trigrams: a wide beam) keeps as
large a share of the words as the gold compressions do. Of these weights the one with the best relation F1 is taken; it goes
into `SETTINGS` of problems/transduction/models.py by hand. No test sentence is looked at.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from problems import get_task
from problems.transduction.generate import example, instance_of
from problems.transduction.instance import TransductionInstance
from problems.transduction.models import DEVELOPMENT, models
from problems.transduction.sizes import Scores
from solvers import Solver, get_solver

from ..output.tables import Table

TASK = get_task("transduction")
SENTENCES = 120
LOWEST, HIGHEST, BISECTIONS = -12.0, 12.0, 12
WEIGHTS = (0.1, 0.2, 0.3, 0.5, 1.0)


class Setting(NamedTuple):
    """A row of `SETTINGS`: the scores, the weight of rules, the weights of n-grams to try, and the decoder."""

    name: str
    scores: Scores
    rule_weight: float
    ngram_weights: tuple[float, ...]
    solver: Solver


class Found(NamedTuple):
    ngram_weight: float
    reward: float
    rate: float
    relation: float
    unigram: float


def settings() -> list[Setting]:
    def exact(name: str) -> Solver:
        return get_solver(name, task="transduction")

    return [
        Setting("bigram", "bigram", 1.0, WEIGHTS, exact("dp-exact")),
        Setting("trigram", "trigram", 1.0, WEIGHTS, get_solver("beam", width=100)),
        Setting("discriminative", "discriminative", 1.0, WEIGHTS, exact("dp-exact")),
        Setting("rules alone", "bigram", 1.0, (0.0,), exact("dp-transduction")),
        Setting("discriminative alone", "discriminative", 0.0, (1.0,), exact("dp-bigram")),
    ]


def development(scores: Scores, sentences: int) -> list[TransductionInstance]:
    return [
        instance_of(example(seed, "news", DEVELOPMENT), models(), f"development-{seed}", scores)
        for seed in range(sentences)
    ]


def tune(setting: Setting, instances: list[TransductionInstance], ngram_weight: float) -> Found:
    """The reward that meets the gold rate, and what is measured with it."""
    gold = fmean(len(each.gold_kept or ()) / each.number_of_words for each in instances)
    low, high = LOWEST, HIGHEST
    best: tuple[float, Found] | None = None
    for _ in range(BISECTIONS):
        reward = (low + high) / 2
        measures = [
            _measures(
                setting.solver, replace(each, rule_weight=setting.rule_weight, ngram_weight=ngram_weight, reward=reward)
            )
            for each in instances
        ]
        rate, relation, unigram = (fmean(each[name] for each in measures) for name in NAMES)
        if best is None or abs(rate - gold) < best[0]:
            best = abs(rate - gold), Found(ngram_weight, reward, rate, relation, unigram)
        low, high = (low, reward) if rate > gold else (reward, high)
    assert best is not None
    return best[1]


NAMES = ("compression rate", "relation F1", "unigram F1")


def _measures(solver: Solver, instance: TransductionInstance) -> dict[str, float]:
    structure = solver.solve(instance).structure
    assert structure is not None
    return TASK.evaluate(instance, structure)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sentences = 10 if quick else SENTENCES
    rows = []
    for setting in settings():
        instances = development(setting.scores, sentences)
        weights = setting.ngram_weights[-1:] if quick else setting.ngram_weights
        found = [tune(setting, instances, weight) for weight in weights]
        chosen = max(found, key=lambda each: each.relation)
        for each in found:
            rows.append([setting.name, *(f"{value:.3f}" for value in each), "chosen" if each is chosen else ""])
            print(*rows[-1], flush=True)
    headings = ["setting", "n-gram weight", "reward", "rate", "relation F1", "unigram F1", ""]
    notes = [f"Means over {sentences} generated development sentences; the reward meets their gold rate."]
    Table("Sentence compression by transduction: weights and rewards", headings, rows, notes).write(folder)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/transduction-tuning"), "--quick" in sys.argv)
