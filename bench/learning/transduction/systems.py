"""The systems of Table 2 of Yao, Wan & Xiao (2014) on a trained model: names, what they decode, and with which solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from problems.compression.corpora import ParsedPair
from problems.errors import InputError
from problems.transduction.instance import TransductionInstance
from problems.transduction.learned.model import TransductionModel
from solvers import Solution, Solver, make_solver
from solvers.subgradient import ALGORITHM_1

from ..compression.measures import Kept


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


LOWEST_REWARD, HIGHEST_REWARD, BISECTIONS = -16.0, 16.0, 14


class Output(NamedTuple):
    kept: Kept
    certified: bool


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
    system: System, model: TransductionModel, path: Path, pairs: Sequence[ParsedPair], lengths: Sequence[int | None]
) -> list[Output]:
    """What a system makes of each sentence; `path` is the model's file, where the reranker finds itself."""
    options = {**system.options, "model": str(path)} if system.solver == "rerank" else system.options
    solvers = {
        fixed: make_solver(system.solver, "transduction", options | (system.fixed_options if fixed else {}))
        for fixed in (False, True)
    }
    found = []
    for pair, length in zip(pairs, lengths, strict=True):
        solver = solvers[length is not None]
        solution = solved(solver, model.instance(pair.sentence, pair.name, system.setting, length))
        if solution.structure is None:
            raise InputError(f"{system.name} found no compression of {pair.name!r}: {solution.status}.")
        kept = tuple(solution.structure[0])
        found.append(Output(kept, solution.status == "optimal"))
    return found
