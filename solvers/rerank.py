"""`rerank`: candidates from a deletion model, then a learned score (in the spirit of Galanis & Androutsopoulos 2010).

The first stage is `deletion_model`. The second is a ridge regression that predicts a candidate's F1 of grammatical
relations from its rules, n-grams, first-stage probability and length; with a model file also from the syntax that it
keeps. Both stages come from the model file. Without one, the solver trains them before its first solve, outside of its
time, on generated sentences with seeds of their own. The structure is the best derivation of the chosen words by
rules.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from problems import get_task, task_of
from problems.errors import InputError
from problems.linear_program import Floats
from problems.models.model_file import read_model
from problems.models.reading import reading, vector
from problems.storage import Fields
from problems.transduction.best import best_derivations
from problems.transduction.instance import TransductionInstance, path_score
from problems.transduction.trees import read_tree

from .base import Solution, Solver, cpu_clock
from .conclude import judge
from .deletion_model import DeletionModel, Kept, candidates, train_deletions
from .dynamic.ngram_paths import load_path_kernels
from .dynamic.transduction import no_derivation, required

DELETION_SEEDS = range(2_000_000_000, 2_000_000_300)
RERANKING_SEEDS = range(2_000_001_000, 2_000_001_100)
TRAINING_CANDIDATES = 20
PENALTY = 1e-2  # of squared weights, relative to the mean of standardized facts
TARGET = "relation F1"
FACTS, SYNTAX_FACTS = 5, 8
CLASSES = ("N", "V", "J")  # nouns, verbs, adjectives: what tags begin with


@dataclass(frozen=True)
class Reranker:
    deletions: DeletionModel
    mean: Floats
    scale: Floats
    weights: Floats
    intercept: float

    def facts(self, instance: TransductionInstance, log_odds: Floats) -> Facts:
        return (Facts if len(self.mean) == FACTS else SyntaxFacts)(instance, log_odds)

    def score(self, facts: Floats) -> Floats:
        return (facts - self.mean) / self.scale @ self.weights + self.intercept

    def parts(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """For a model file: a header and arrays."""
        known = self.deletions.weights
        arrays = {"deletions": np.array(list(known.values())), "mean": self.mean, "scale": self.scale}
        arrays["facts"] = np.append(self.weights, self.intercept)
        return {"features": list(known)}, {f"reranker.{name}": array for name, array in arrays.items()}

    @classmethod
    def of(cls, header: dict[str, Any], arrays: dict[str, Any]) -> Reranker:
        """From what `parts` returned; InputError, KeyError or ValueError where it is not that."""
        names = ("deletions", "mean", "scale", "facts")
        deletions, mean, scale, facts = (vector(arrays, f"reranker.{name}") for name in names)
        weights = dict(zip(Fields(header, "reranker").texts("features"), deletions.tolist(), strict=True))
        known = (FACTS, FACTS + SYNTAX_FACTS)
        if not len(mean) == len(scale) == len(facts) - 1 or len(mean) not in known or not (scale > 0).all():
            raise InputError("the reranker's facts do not fit together.")
        return cls(DeletionModel(weights), mean, scale, facts[:-1], float(facts[-1]))


class Facts:
    """Facts about the candidates of a sentence."""

    def __init__(self, instance: TransductionInstance, log_odds: Floats) -> None:
        self.instance = instance
        self.log_kept, self.log_deleted = -np.logaddexp(0.0, -log_odds), -np.logaddexp(0.0, log_odds)

    def of(self, kept: Kept, derivation: tuple[int, ...]) -> list[float]:
        """Means per kept word or word, so that long sentences are as others; the rate with its square, for it has a best value."""
        instance, count = self.instance, self.instance.number_of_words
        rate = len(kept) / count
        rules = float(instance.forest.scores[list(derivation)].sum())
        shares, places = self.log_deleted.copy(), np.array(kept) - 1
        shares[places] = self.log_kept[places]
        return [rules / count, path_score(instance, kept) / len(kept), float(shares.sum()) / count, rate, rate * rate]


class SyntaxFacts(Facts):
    """And what is left of the source's dependency tree: facts about grammaticality and importance."""

    def __init__(self, instance: TransductionInstance, log_odds: Floats) -> None:
        super().__init__(instance, log_odds)
        if instance.source_heads is None or not instance.source_tree:
            raise InputError(f"{instance.name}: a reranker with facts about syntax needs the source's tree and heads.")
        self.heads = np.array((0, *instance.source_heads))
        self.depth = np.array([self._depth(word) for word in range(len(self.heads))], dtype=np.float64)
        tags = [leaf.label.rpartition("/")[2] for leaf in read_tree(instance.source_tree, instance.name).leaves()]
        self.classes = np.array([[False, *(tag.startswith(each) for tag in tags)] for each in CLASSES])

    def _depth(self, word: int) -> int:
        steps = 0
        while word:
            word, steps = int(self.heads[word]), steps + 1
        return steps

    def of(self, kept: Kept, derivation: tuple[int, ...]) -> list[float]:
        """Heads that are kept, the root, runs of words, depth, place in the sentence, and the share of each word class that is kept."""
        words = np.array(kept)
        alive = np.zeros(len(self.heads), dtype=bool)
        alive[words] = True
        governed = self.heads[words] > 0
        shares = (self.classes & alive).sum(axis=1) / np.maximum(self.classes.sum(axis=1), 1)
        return [
            *super().of(kept, derivation),
            float((alive[self.heads[words]] & governed).sum()) / max(1, int(governed.sum())),
            float((~governed).any()),
            (1.0 + float((np.diff(words) > 1).sum())) / len(words),
            float(self.depth[words].mean() / self.depth[1:].mean()),
            float(words.mean()) / len(self.heads),
            *shares.tolist(),
        ]


@cache
def _deletions() -> DeletionModel:
    task = get_task("transduction")
    return train_deletions([task.generate(seed, "news") for seed in DELETION_SEEDS])


@cache
def _trained() -> dict[str, Reranker]:
    """The second stage on sentences with each kind of n-grams; the first one knows nothing of them.

    Both are trained at the first use, so that none is left for a sentence whose time is taken.
    """
    made, deletions = get_task("transduction").generate, _deletions()
    return {
        kind: train_reranker(deletions, (made(seed, size) for seed in RERANKING_SEEDS))
        for kind, size in (("bigram", "news"), ("trigram", "news-trigram"))
    }


@cache
def _from_file(path: str) -> Reranker:
    header, arrays = read_model(path, "transduction")
    with reading(path, "a transduction model with a reranker"):
        return Reranker.of(header["extra"]["reranker"], arrays)


def train_reranker(
    deletions: DeletionModel, instances: Iterable[TransductionInstance], syntax: bool = False
) -> Reranker:
    """The second stage from the candidates of instances with gold compressions; `syntax`: with facts about it."""
    task = get_task("transduction")
    rows, goals = [], []
    for instance in instances:
        log_odds = deletions.log_odds(instance)
        facts_of = (SyntaxFacts if syntax else Facts)(instance, log_odds)
        listed = candidates(instance, log_odds, TRAINING_CANDIDATES)
        for kept, derivation in zip(listed, best_derivations(instance, listed), strict=True):
            assert derivation is not None
            rows.append(facts_of.of(kept, derivation))
            goals.append(task.evaluate(instance, (kept, derivation))[TARGET])
    facts, wanted = np.array(rows), np.array(goals)
    mean, scale = facts.mean(axis=0), np.maximum(facts.std(axis=0), 1e-9)
    standard = (facts - mean) / scale
    gram = standard.T @ standard / len(facts) + PENALTY * np.eye(len(mean))
    weights = np.linalg.solve(gram, standard.T @ (wanted - wanted.mean()) / len(facts))
    return Reranker(deletions, mean, scale, weights, float(wanted.mean()))


@dataclass(kw_only=True)
class Rerank(Solver):
    name = "rerank"
    tasks = frozenset({"transduction"})

    candidates: int = 50  # Candidates of the first stage.
    model: str = ""  # A transduction model's file; empty: trained on generated sentences

    def check_options(self) -> None:
        self.require("candidates", 1 <= self.candidates <= 10_000, "from 1 to 10000")

    def solve(self, instance: Any) -> Solution:
        instance = required(self, instance)
        load_path_kernels()
        kind = "trigram" if instance.bigram_scores is None else "bigram"
        model = _from_file(self.model) if self.model else _trained()[kind]
        wall, start = time.perf_counter(), cpu_clock()
        log_odds = model.deletions.log_odds(instance)
        found = candidates(instance, log_odds, self.candidates)
        structures = [
            (kept, derivation or ()) for kept, derivation in zip(found, best_derivations(instance, found), strict=True)
        ]
        facts = model.facts(instance, log_odds)
        scores = model.score(np.array([facts.of(*each) for each in structures]).reshape(-1, len(model.mean)))
        seconds = cpu_clock() - start
        if found:
            chosen = int(np.argmax(scores))
            solution = judge(task_of(instance), instance, structures[chosen], math.inf)
            solution.info = {"candidates": float(len(found)), "rank": chosen + 1.0, "predicted": float(scores[chosen])}
        else:
            solution = no_derivation(instance)
        solution.solve_seconds, solution.wall_seconds = seconds, time.perf_counter() - wall
        return solution
