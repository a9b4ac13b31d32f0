"""How much n-grams count beside rules, and the reward per kept word: chosen on held-out pairs.

Lengths are fixed by the model's rule, so that the balance of rules and n-grams is judged at the rate at which systems are
compared. The reward, which only counts where the length is free, is then set so that the mean rate is the gold's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from problems.compression.corpora import ParsedPair
from problems.errors import InputError
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import SYSTEMS, TransductionModel
from problems.transduction.models import Settings
from solvers import Solver, make_solver

from ..compression.measures import measured
from .systems import solved

WEIGHTS: dict[str, tuple[float, ...]] = {
    "bigram": (0.03, 0.1, 0.2, 0.4, 0.8),
    "trigram": (0.03, 0.1, 0.2, 0.4, 0.8),
    "discriminative": (0.1, 0.3, 1.0, 3.0),
    "rules alone": (0.0,),
    "discriminative alone": (1.0,),
}
SOLVERS = {
    "bigram": "dp-exact",
    "trigram": "beam",
    "discriminative": "dp-exact",
    "rules alone": "dp-transduction",
    "discriminative alone": "dp-bigram",
}
LOWEST, HIGHEST, BISECTIONS = -12.0, 12.0, 10


def tune(model: TransductionModel, pairs: Sequence[ParsedPair]) -> dict[str, tuple[Settings, float]]:
    """For each system its settings, and the F1 (mean of unigrams and relations) that they have on the pairs."""
    chosen: dict[str, tuple[Settings, float]] = {}
    for system in SYSTEMS:
        solver = make_solver(SOLVERS[system], "transduction", {})
        rules = 0.0 if system == "discriminative alone" else 1.0
        model.settings = {system: Settings(rules, 1.0, 0.0)}
        instances = [
            model.instance(pair.sentence, pair.name, system, model.rule.length(len(pair.sentence))) for pair in pairs
        ]
        found = []
        for weight in WEIGHTS[system]:
            settings = Settings(rules, weight, 0.0)
            outputs = [_kept(solver, replace(each, ngram_weight=weight)) for each in instances]
            scores = measured(pairs, outputs, None)
            found.append((settings, 0.5 * float(scores["unigram F1"].mean() + scores["relation F1"].mean())))
        best, score = max(found, key=lambda each: each[1])
        free = [replace(each, ngram_weight=best.ngram_weight, length=None) for each in instances]
        gold = fmean(len(pair.kept) / len(pair.sentence) for pair in pairs)
        chosen[system] = best._replace(reward=reward_at_rate(solver, free, gold, BISECTIONS)), score
    return chosen


def reward_at_rate(solver: Solver, instances: Sequence[TransductionInstance], wanted: float, bisections: int) -> float:
    """The reward per kept word, of those that bisection tries, at which the mean rate is nearest to the one that is wanted."""
    low, high = LOWEST, HIGHEST
    tried: dict[float, float] = {}
    for _ in range(bisections):
        reward = 0.5 * (low + high)
        rate = fmean(len(_kept(solver, replace(each, reward=reward))) / each.number_of_words for each in instances)
        tried[reward] = abs(rate - wanted)
        low, high = (low, reward) if rate > wanted else (reward, high)
    return min(tried, key=tried.__getitem__)


def _kept(solver: Solver, instance: TransductionInstance) -> tuple[int, ...]:
    solution = solved(solver, instance)
    if solution.structure is None:
        raise InputError(f"solver {solver.name!r} found no compression of {instance.name!r}: {solution.status}.")
    return tuple(solution.structure[0])
