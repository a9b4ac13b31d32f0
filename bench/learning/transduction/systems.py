"""The systems of Table 2 of Yao, Wan & Xiao (2014) on a trained model: names, what they decode, and with which solver.

How much n-grams count beside rules, and the reward per kept word, are chosen on held-out pairs; a grid whose edge is chosen is widened.
Lengths are then fixed by the model's rule, so that the balance of rules and n-grams is judged at the rate at which systems are compared. The reward, which only counts where
the length is free, is set so that the mean rate is the gold's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from problems.compression.corpora import ParsedPair
from problems.errors import InputError
from problems.transduction.instance import TransductionInstance, objective
from problems.transduction.learned.model import BARE, BARE_UNTRAINED, STRONG, UNTRAINED, TransductionModel
from problems.transduction.models import Settings
from solvers import Solution, Solver, make_solver
from solvers.subgradient import ALGORITHM_1

from ..compression.data import Kept, gold_rate, mean_f1


@dataclass(frozen=True)
class System:
    """A row: its name in the paper (ours where it has none), the model's setting, and the solver."""

    name: str
    setting: str
    solver: str
    options: dict[str, Any] = field(default_factory=dict)
    fixed_options: dict[str, Any] = field(default_factory=dict)  # further ones where the length is fixed


ROUNDED = {"primal": "mean"}
"""With a fixed length the first factor, a derivation that knows no length, is hardly ever an answer: the mean is rounded."""

EXACT_LIMIT = 5.0  # seconds of a sentence: trigrams of a hundred words take minutes

SYSTEMS = (
    System("Discriminative", "discriminative alone", "dp-bigram"),
    System("G&A2010", "trigram", "rerank"),
    System("Pure Tree-Transduction", "rules alone", "dp-transduction"),
    System("T3+LM (Beam Search)", "trigram", "beam"),
    System("T3+LM (Dual Decomp.)", "trigram", "subgradient", ALGORITHM_1, ROUNDED),
    System("T3+Discr. (Dual Decomp.)", "discriminative", "subgradient", ALGORITHM_1, ROUNDED),
    System("T3+LM, exact", "trigram", "ad3-exact", {"time_limit": EXACT_LIMIT}),
    System("T3+Discr., exact", "discriminative", "dp-exact"),
)
PURE = "Pure Tree-Transduction"
VARIANTS = (
    System("T3, untrained", UNTRAINED, "dp-transduction"),
    System("T3 without rules", BARE, "dp-transduction"),
    System("T3 without rules, untrained", BARE_UNTRAINED, "dp-transduction"),
    System("strong LM (Beam Search)", STRONG, "beam"),
    System("strong LM (Dual Decomp.)", STRONG, "subgradient", ALGORITHM_1, ROUNDED),
    System("strong LM, exact", STRONG, "ad3-exact", {"time_limit": EXACT_LIMIT}),
)
"""What the table is checked with: does training help, do rules, and what do search errors cost where n-grams count far more than was chosen?"""


BISECTIONS = 10
LOWEST_REWARD, HIGHEST_REWARD = -16.0, 16.0  # per kept word, where a beam is to keep so many
LOWEST, HIGHEST = -12.0, 12.0  # where the mean rate is to be the gold's


class Output(NamedTuple):
    kept: Kept
    certified: bool
    objective: float


def solved(solver: Solver, instance: TransductionInstance) -> Solution:
    """What a solver makes of an instance.

    A beam knows nothing of the length until the end, and most of its hypotheses have another one. With a fixed length a reward
    per kept word changes no order, so the one is searched at which the free beam keeps about as many words as are wanted.
    """
    if solver.name != "beam" or instance.length is None:
        return solver.solve(instance)
    low, high = LOWEST_REWARD, HIGHEST_REWARD
    reward = instance.reward
    for _ in range(BISECTIONS):
        free = solver.solve(replace(instance, reward=reward, length=None))
        kept = 0 if free.structure is None else len(free.structure[0])
        if kept == instance.length:
            break
        low, high = (reward, high) if kept < instance.length else (low, reward)
        reward = 0.5 * (low + high)
    return solver.solve(replace(instance, reward=reward))


def outputs(
    system: System,
    model: TransductionModel,
    path: Path,
    pairs: Sequence[ParsedPair],
    lengths: Sequence[int | None],
    factor: float = 1.0,
) -> list[Output]:
    """What a system makes of each sentence; `path` is the model's file, where the reranker finds itself.

    N-grams count `factor` times as much as was chosen.
    """
    options = {**system.options, "model": str(path)} if system.solver == "rerank" else system.options
    solvers = {
        fixed: make_solver(system.solver, "transduction", options | (system.fixed_options if fixed else {}))
        for fixed in (False, True)
    }
    found = []
    for pair, length in zip(pairs, lengths, strict=True):
        instance = model.instance(pair.sentence, pair.name, system.setting, length)
        weighted = replace(instance, ngram_weight=factor * instance.ngram_weight)
        found.append(_output(solvers[length is not None], weighted, system.name))
    return found


LANGUAGE_WEIGHTS = (0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8)  # trained rules may want next to no language model
WEIGHTS: dict[str, tuple[float, ...]] = {
    "bigram": LANGUAGE_WEIGHTS,
    "trigram": LANGUAGE_WEIGHTS,
    "discriminative": (0.1, 0.3, 1.0, 3.0),
    "rules alone": (0.0,),
    "discriminative alone": (1.0,),
    UNTRAINED: (0.0,),
    BARE: (0.0,),
    BARE_UNTRAINED: (0.0,),
}
SOLVERS = {
    "bigram": "dp-exact",
    "trigram": "beam",
    "discriminative": "dp-exact",
    "rules alone": "dp-transduction",
    "discriminative alone": "dp-bigram",
    UNTRAINED: "dp-transduction",
    BARE: "dp-transduction",
    BARE_UNTRAINED: "dp-transduction",
    STRONG: "beam",
}
TUNED_WITH: dict[str, dict[str, Any]] = {"beam": {"width": 100}}
"""At fixed lengths the usual beam (20) errs on an eighth of the sentences even where n-grams hardly count: weights are judged without such errors."""
TIMES, STRONG_LEAST = 10.0, 1.0  # strong n-grams: so many times the chosen weight, and at least so much


WIDENINGS = 4


class Tuned(NamedTuple):
    """Settings, the F1 (mean of unigrams and relations) that they have on the pairs, and whether the weight is the last that was tried."""

    settings: Settings
    score: float
    on_edge: bool


def tune(model: TransductionModel, pairs: Sequence[ParsedPair]) -> dict[str, Tuned]:
    """The settings of each system."""
    chosen: dict[str, Tuned] = {}
    for system in SOLVERS:
        if system == BARE and model.bare is None:
            continue
        solver = make_solver(SOLVERS[system], "transduction", TUNED_WITH.get(SOLVERS[system], {}))
        rules = 0.0 if system == "discriminative alone" else 1.0
        model.settings = {system: Settings(rules, 1.0, 0.0)}
        instances = [
            model.instance(pair.sentence, pair.name, system, model.rule.length(len(pair.sentence))) for pair in pairs
        ]

        def worth(weight: float, solver: Solver = solver, instances: Any = instances) -> float:
            outputs = [_output(solver, replace(each, ngram_weight=weight)).kept for each in instances]
            return mean_f1(pairs, outputs)

        grid = WEIGHTS[system] if system != STRONG else (strong_weight(chosen["trigram"].settings.ngram_weight),)
        weight, score, on_edge = best_weight(worth, grid)
        free = [replace(each, ngram_weight=weight, length=None) for each in instances]
        reward = reward_at_rate(solver, free, gold_rate(pairs), BISECTIONS)
        chosen[system] = Tuned(Settings(rules, weight, reward), score, on_edge)
    return chosen


def strong_weight(chosen: float) -> float:
    """A weight at which decoders have something to disagree about, however small the chosen one is."""
    return max(TIMES * chosen, STRONG_LEAST)


def best_weight(worth: Callable[[float], float], grid: Sequence[float]) -> tuple[float, float, bool]:
    """The best weight of a grid, what it is worth, and whether it is still on an edge.

    While the best one is on an edge, the grid goes on there by the same ratio, at most `WIDENINGS` times.
    """
    found = {weight: worth(weight) for weight in sorted(grid)}
    best = max(found, key=found.__getitem__)
    if len(grid) == 1:
        return best, found[best], False
    for _ in range(WIDENINGS):
        tried = sorted(found)
        if best not in (tried[0], tried[-1]):
            break
        weight = best * best / (tried[1] if best == tried[0] else tried[-2])
        found[weight] = worth(weight)
        best = max(sorted(found), key=found.__getitem__)
    return best, found[best], best in (min(found), max(found))


def reward_at_rate(solver: Solver, instances: Sequence[TransductionInstance], wanted: float, bisections: int) -> float:
    """The reward per kept word, of those that bisection tries, at which the mean rate is nearest to the one that is wanted."""
    low, high = LOWEST, HIGHEST
    tried: dict[float, float] = {}
    for _ in range(bisections):
        reward = 0.5 * (low + high)
        kept = [_output(solver, replace(each, reward=reward)).kept for each in instances]
        rate = fmean(len(own) / each.number_of_words for own, each in zip(kept, instances, strict=True))
        tried[reward] = abs(rate - wanted)
        low, high = (low, reward) if rate > wanted else (reward, high)
    return min(tried, key=tried.__getitem__)


def _output(solver: Solver, instance: TransductionInstance, system: str = "") -> Output:
    solution = solved(solver, instance)
    if solution.structure is None:
        who = system or f"solver {solver.name!r}"
        raise InputError(f"{who} found no compression of {instance.name!r}: {solution.status}.")
    worth = objective(instance, solution.structure)  # by the reward that was given, whatever steered the beam
    return Output(tuple(solution.structure[0]), solution.status == "optimal", worth)
