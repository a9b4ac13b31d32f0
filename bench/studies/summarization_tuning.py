"""The constants of summarization training that cross-validation does not choose, from generated topics alone.

    python -m bench.studies.summarization_tuning results/summarization-tuning [--quick]

Chosen are the relative step, the value of concept features and the grid of regularization constants. The rule was fixed before the
first run: every learned system is trained on the same topics and scored by the mean ROUGE-2 of other topics; a pair of step and
value is worth the mean over the systems, each with its best constant; the best pair is taken, the default of before among equals.
With that pair the list of constants is made longer until no system's best one is at an end of it; the grid reaches from one step
below the lowest best constant to one above the highest. The seeds are those of no other study, so that no topic of a table is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from problems.linear_program import Floats
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.part_features import CONCEPT_VALUE
from problems.text.clusters import CLUSTER_SIZES
from problems.text.sentence import Cluster

from ..learning.options import GENERATED
from ..learning.summarization.auxiliary import Source, auxiliary_pairs
from ..learning.summarization.constants import best_constant
from ..learning.summarization.data import generated_topics
from ..learning.summarization.examples import CompressionExample, TopicExamples, oracle_extract, oracle_summary
from ..learning.summarization.systems import (
    LEARNED,
    VALIDATION,
    Settings,
    bigram_recall,
    decode,
    fit_system,
)
from ..output.tables import Table
from .study import Study

STUDY = Study("summarization-tuning", "Which step, concept values and constants should summarizers be trained with?")
SEED, SIZE = 90, "small"  # topics learning-small-90000 and after; Table 2 has learning-small-1000 and after
STEPS = (0.03, 0.1, 0.3, 1.0)
VALUES = (0.1, 0.3, 1.0)
CONSTANTS = (0.01, 0.1, 1.0, 10.0, 100.0)
LOWEST, HIGHEST = 1e-4, 1e5  # no list of constants is made longer than this


class Choice(NamedTuple):
    """The relative step and the value of concept features."""

    step: float
    value: float


DEFAULT = Choice(0.1, 0.3)  # before this study
Scores = dict[str, dict[float, float]]  # by system and constant


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    training: int = 8
    held: int = 16
    pairs: int = 60
    epochs: int = 4
    bits: int = 16


QUICK = Scale(training=2, held=2, pairs=5, epochs=1, bits=12)


class Material:
    """Generated topics with their golds, which do not depend on what is chosen here, and sentence pairs."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        clusters = generated_topics(SEED, scale.training + scale.held, SIZE)
        self.training, self.held = clusters[: scale.training], clusters[scale.training :]
        made = [self.blueprint(cluster, CONCEPT_VALUE) for cluster in self.training]
        self.golds = [(oracle_summary(each), oracle_extract(each)) for each in made]
        self.pairs: list[CompressionExample] = auxiliary_pairs(
            Source(GENERATED, "", None, SEED, SIZE, scale.bits), scale.pairs
        )

    def blueprint(self, cluster: Cluster, value: float) -> Blueprint:
        size = CLUSTER_SIZES[SIZE]
        return blueprint(cluster, size.budget, self.scale.bits, size.candidate_words, concept_value=value)

    def topics(self, value: float) -> tuple[list[TopicExamples], list[Blueprint]]:
        """Training topics and held-out ones, with this value of concept features."""
        examples = [
            TopicExamples.of(self.blueprint(cluster, value), *golds)
            for cluster, golds in zip(self.training, self.golds, strict=True)
        ]
        return examples, [self.blueprint(cluster, value) for cluster in self.held]


class Trials:
    """Mean ROUGE-2 of held-out topics by choice, system and constant; nothing is trained twice."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self._of_pairs: dict[Settings, Floats] = {}
        self._topics: dict[float, tuple[list[TopicExamples], list[Blueprint]]] = {}
        self.scores: dict[Choice, Scores] = {}

    def run(self, choice: Choice, constants: Sequence[float]) -> Scores:
        if choice.value not in self._topics:
            self._topics = {choice.value: self.material.topics(choice.value)}
        examples, held = self._topics[choice.value]
        scores = self.scores.setdefault(choice, {system: {} for system in LEARNED})
        scale = self.material.scale
        for system, constant in product(LEARNED, constants):
            if constant not in scores[system]:
                settings = Settings(constant, scale.epochs, choice.step, bits=scale.bits)
                weights = fit_system(system, examples, self.material.pairs, settings, fitted=self._of_pairs)
                lines = [decode(system, each, weights, VALIDATION).lines for each in held]
                recalls = [bigram_recall(own, each.references) for own, each in zip(lines, held, strict=True)]
                scores[system][constant] = float(np.mean(recalls))
        return scores


def best_constants(scores: Scores) -> dict[str, float]:
    """Each system's best constant, as in cross-validation."""
    return {system: best_constant(found) for system, found in scores.items()}


def worth(scores: Scores) -> float:
    """The mean over systems, each with its best constant."""
    return float(np.mean([max(found.values()) for found in scores.values()]))


def best_choice(scores: dict[Choice, Scores]) -> Choice:
    """The choice that is worth most; the default among equals, else the first."""
    best = max(worth(found) for found in scores.values())
    equal = [choice for choice, found in scores.items() if worth(found) == best]
    return DEFAULT if DEFAULT in equal else equal[0]


def widened(run: Callable[[Sequence[float]], Scores], constants: Sequence[float]) -> Scores:
    """Scores with constants added, tenfold or a tenth, until no system's best is the lowest or the highest."""
    tried = list(constants)
    while True:
        scores = run(tried)
        best = best_constants(scores).values()
        added = []
        if min(best) <= min(tried) and min(tried) > 1.01 * LOWEST:
            added.append(min(tried) / 10)
        if max(best) >= max(tried) and max(tried) < 0.99 * HIGHEST:
            added.append(10 * max(tried))
        if not added:
            return scores
        tried += [float(f"{constant:g}") for constant in added]


def grid(scores: Scores) -> list[float]:
    """From the neighbour below the lowest best constant to the neighbour above the highest."""
    known = sorted({constant for found in scores.values() for constant in found})
    best = best_constants(scores).values()
    first, last = known.index(min(best)), known.index(max(best))
    return known[max(first - 1, 0) : last + 2]


def choices_table(scores: dict[Choice, Scores], chosen: Choice, notes: list[str]) -> Table:
    rows = []
    for choice, found in scores.items():
        tried = {system: {key: found[system][key] for key in CONSTANTS if key in found[system]} for system in found}
        best = best_constants(tried)
        cells = [f"{100 * tried[system][best[system]]:.2f} ({best[system]:g})" for system in LEARNED]
        marks = [name for name, one in (("chosen", chosen), ("default before", DEFAULT)) if one == choice]
        rows.append([f"{choice.step:g}", f"{choice.value:g}", *cells, f"{100 * worth(tried):.2f}", ", ".join(marks)])
    headings = ["step", "concept value", *LEARNED, "mean", ""]
    return Table("Summarization training: step and value of concept features", headings, rows, notes)


def constants_table(scores: Scores, notes: list[str]) -> Table:
    known = sorted({constant for found in scores.values() for constant in found})
    best = best_constants(scores)
    inside = grid(scores)
    rows = []
    for constant in known:
        cells = [f"{100 * scores[system][constant]:.2f}" + " *" * (best[system] == constant) for system in LEARNED]
        rows.append([f"{constant:g}", *cells, "grid" if constant in inside else ""])
    return Table("Summarization training: regularization constants", ["constant", *LEARNED, ""], rows, notes)


def measure(folder: Path, quick: bool) -> dict[str, Table]:
    scale = QUICK if quick else Scale()
    trials = Trials(Material(scale))
    steps, values = ((1.0,), (0.3, 1.0)) if quick else (STEPS, VALUES)
    for value, step in product(values, steps):
        scores = trials.run(Choice(step, value), CONSTANTS)
        print(f"step {step:g}, value {value:g}: {100 * worth(scores):.2f}", flush=True)
    chosen = best_choice(trials.scores)
    scores = widened(lambda constants: trials.run(chosen, constants), CONSTANTS)
    notes = [
        f"Mean ROUGE-2 recall in per cent of {scale.held} held-out generated topics after {scale.epochs} epochs on {scale.training} "
        f"others and {scale.pairs} sentence pairs. Topics have seeds from {1000 * SEED} on, those of Table 2 from 1000 on.",
    ]
    best = "In parentheses the best constant of " + ", ".join(f"{constant:g}" for constant in CONSTANTS) + "."
    choices = choices_table(trials.scores, chosen, [*notes, best])
    text = f"Step {chosen.step:g}, concept value {chosen.value:g}. * best of a system; grid: one beyond the best on both sides."
    return {"table": choices, "constants": constants_table(scores, [*notes, text])}


if __name__ == "__main__":
    STUDY.main(measure)
