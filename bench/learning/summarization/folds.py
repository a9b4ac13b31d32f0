"""Every system on every topic, trained on other topics: the measurements behind Tables 2 and 3 of the summarization paper.

Topics are dealt to folds; the systems that summarize a fold's topics are trained, and their regularization is chosen, on the
topics of the other folds alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from problems.errors import InputError
from problems.linear_program import Floats
from problems.summarization.blueprint import Blueprint
from problems.text.sentence import Cluster

from ..examples import Decoder
from .examples import CompressionExample
from .gold import SECONDS
from .systems import (
    EXACT,
    GRID,
    LEARNED,
    Output,
    Settings,
    TopicExamples,
    baseline,
    choose_regularization,
    decode,
    decode_scores,
    fit_system,
    quality,
)

UNLEARNED = ("coverage", "unlearned")
ORACLES = ("oracle extract", "oracle summary")
EXACT_SECONDS = 30.0
DECODINGS: dict[str, Decoder] = {  # Table 3, of the multi-task model
    "ILP Exact": Decoder("ilp-highs", {"time_limit": EXACT_SECONDS}),
    "LP-Relax.": Decoder("lp-highs", {}),
    "AD3-5000": Decoder("ad3", {"max_iterations": 5000}),
    "AD3-1000": Decoder("ad3", {"max_iterations": 1000}),
    "AD3-200": Decoder("ad3", {"max_iterations": 200}),
    "AD3-1000, paper's rounding": Decoder("ad3", {"max_iterations": 1000, "rounding": "paper"}),
}
EXTRACTIVE = "Extractive (ILP)"

Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """How a corpus is measured. `folds` 0: each topic is a fold of its own (leave one out)."""

    budget: int
    folds: int = 0
    settings: Settings = field(default_factory=Settings)
    grid: tuple[float, ...] = GRID
    inner_folds: int = 2
    inner_epochs: int = 3
    candidate_words: int | None = None
    oracle_seconds: float = SECONDS
    systems: tuple[str, ...] = LEARNED
    decodings: bool = True


def deal(count: int, folds: int, seed: int) -> list[list[int]]:
    """The topics of each fold, in a seeded order; every topic is in one fold."""
    if count < 2:
        raise InputError(f"{count} topics are too few to leave one out; expected at least 2.")
    order = np.random.default_rng([seed, 11]).permutation(count).tolist()
    if not folds:
        return [[number] for number in range(count)]
    return [sorted(order[start::folds]) for start in range(min(folds, count))]


def measure(
    clusters: Sequence[Cluster],
    pairs: Sequence[CompressionExample],
    plan: Plan,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Row]:
    """A row per topic and system (`table` 2), and per topic and decoder (`table` 3)."""
    from .data import blueprints, topic_examples

    made = blueprints(clusters, plan.budget, plan.settings.bits, plan.candidate_words)
    examples = []
    for each in made:
        examples.append(topic_examples(each, plan.oracle_seconds))
        say(f"{each.name}: oracles found, {each.concepts} concepts, {len(each.sources)} candidates")
    for cluster, example in zip(clusters, examples, strict=True):
        for system in UNLEARNED:
            yield _row(2, system, example.blueprint, baseline(system, cluster, example.blueprint))
        yield from _oracle_rows(example)
    fitted: dict[Settings, Floats] = {}
    for number, held in enumerate(deal(len(clusters), plan.folds, plan.settings.seed)):
        training = [example for index, example in enumerate(examples) if index not in held]
        weights: dict[str, Floats] = {}
        for system in plan.systems:
            settings, weights[system] = _fit(system, training, pairs, plan, fitted)
            for index in held:
                output = decode(system, examples[index].blueprint, weights[system])
                facts = {"fold": number, "regularization": settings.regularization}
                yield _row(2, system, examples[index].blueprint, output) | facts
        if plan.decodings:
            for index in held:
                yield from _decodings(examples[index].blueprint, weights)
        say(f"fold {number + 1} is done")


def _fit(
    system: str,
    training: Sequence[TopicExamples],
    pairs: Sequence[CompressionExample],
    plan: Plan,
    fitted: dict[Settings, Floats],
) -> tuple[Settings, Floats]:
    quick = replace(plan.settings, epochs=min(plan.inner_epochs, plan.settings.epochs))
    constant, _ = choose_regularization(system, training, pairs, quick, plan.grid, plan.inner_folds, fitted)
    settings = replace(plan.settings, regularization=constant)
    return settings, fit_system(system, training, pairs, settings, fitted=fitted)


def _oracle_rows(example: TopicExamples) -> Iterator[Row]:
    """What the gold itself scores: no system over the same candidates and bigrams can be expected to do better."""
    from .gold import gold_lines

    for system, lines in zip(ORACLES, gold_lines(example), strict=True):
        yield {
            "table": 2,
            "topic": example.blueprint.name,
            "system": system,
            **quality(lines, example.blueprint.references),
            "words": sum(len(line.split()) for line in lines),
            "sentences": len(lines),
        }


def _decodings(topic: Blueprint, weights: dict[str, Floats]) -> Iterator[Row]:
    scores = topic.features.scores(weights["multi-task"])
    for name, decoder in DECODINGS.items():
        yield _row(3, name, topic, decode_scores(topic, scores, False, decoder))
    output = decode("extractive", topic, weights["extractive"], EXACT)
    yield _row(3, EXTRACTIVE, topic, output)


def _row(table: int, system: str, topic: Blueprint, output: Output) -> Row:
    solution = output.solution
    return {
        "table": table,
        "topic": topic.name,
        "system": system,
        **quality(output.lines, topic.references),
        "words": sum(len(line.split()) for line in output.lines),
        "sentences": len(output.lines),
        "status": solution.status,
        "objective": solution.objective,
        "bound": solution.bound,
        "integral": solution.integral,
        "seconds": solution.cpu_seconds,
    }
