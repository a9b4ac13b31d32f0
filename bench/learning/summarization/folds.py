"""Topics as systems score them that were trained on other topics: the problems behind Table 2 of Almeida & Martins (2013).

Topics are dealt to folds; the systems that score a fold's topics are trained, and their regularization is chosen, on the
topics of the other folds alone. What is written are decoding problems: who decodes them is another matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from problems import get_task
from problems.errors import InputError
from problems.linear_program import Floats
from problems.text.clusters import CLUSTER_SIZES
from problems.text.sentence import Cluster

from ..options import GENERATED
from .data import blueprints, candidate_words, read_parser, topic_examples, topics_of, training_pairs
from .examples import SECONDS, CompressionExample, TopicExamples
from .systems import (
    GRID,
    LEARNED,
    UNLEARNED,
    Settings,
    baseline_scores,
    choose_regularization,
    fit_system,
    problem_of,
    quality,
)

ORACLES = ("oracle extract", "oracle summary")
SIZE = "small"  # of generated topics
ORACLE_SECONDS = 20.0  # for each gold of a real topic
FACTS = "facts.json"  # written last


@dataclass(frozen=True)
class CorpusSetting:
    """A column of our Table 2: a corpus (its first `topics`), sentence pairs to look at, and how it is cross-validated.

    `folds` 0: each topic is a fold of its own (leave one out).
    """

    corpus: str
    budget: int
    folds: int = 0
    topics: int | None = None
    pairs: int = 1500
    size: str = SIZE
    settings: Settings = field(default_factory=Settings)
    grid: tuple[float, ...] = GRID
    inner_folds: int = 2
    inner_epochs: int = 3
    oracle_seconds: float = ORACLE_SECONDS


def generated(size: str, topics: int) -> CorpusSetting:
    return CorpusSetting(GENERATED, CLUSTER_SIZES[size].budget, 2, topics, 150, size, oracle_seconds=SECONDS)


SETTINGS = {
    "generated": generated(SIZE, 48),
    "multiling2011-100": CorpusSetting("multiling2011", 100),
    "opinosis-25": CorpusSetting("opinosis", 25, folds=5),
}


class Scored(NamedTuple):
    """A topic's decoding problem with a system's scores, and the constant of the training; NaN where nothing is learned."""

    system: str
    topic: str
    problem: Any
    regularization: float = np.nan


def deal(count: int, folds: int, seed: int) -> list[list[int]]:
    """The topics of each fold, in a seeded order; every topic is in one fold."""
    if count < 2:
        raise InputError(f"{count} topics are too few to leave one out; expected at least 2.")
    order = np.random.default_rng([seed, 11]).permutation(count).tolist()
    if not folds:
        return [[number] for number in range(count)]
    return [sorted(order[start::folds]) for start in range(min(folds, count))]


def scored_problems(
    clusters: Sequence[Cluster],
    topics: Sequence[TopicExamples],
    pairs: Sequence[CompressionExample],
    setting: CorpusSetting,
) -> Iterator[Scored]:
    """Every topic as every system scores it."""
    for cluster, topic in zip(clusters, topics, strict=True):
        for system in UNLEARNED:
            yield _scored(system, topic, baseline_scores(system, cluster, topic.blueprint))
    fitted: dict[Settings, Floats] = {}
    for held in deal(len(topics), setting.folds, setting.settings.seed):
        training = [topic for number, topic in enumerate(topics) if number not in held]
        for system in LEARNED:
            settings, weights = _fit(system, training, pairs, setting, fitted)
            for number in held:
                scores = topics[number].blueprint.features.scores(weights)
                yield _scored(system, topics[number], scores, settings.regularization)


def _scored(system: str, topic: TopicExamples, scores: Floats, regularization: float = np.nan) -> Scored:
    """The problem is named after topic and system, so that no two are the same."""
    problem: Any = problem_of(system, topic.blueprint, scores)
    name = topic.blueprint.name
    return Scored(system, name, replace(problem, name=f"{name}, {system}"), regularization)


def _fit(
    system: str,
    training: Sequence[TopicExamples],
    pairs: Sequence[CompressionExample],
    setting: CorpusSetting,
    fitted: dict[Settings, Floats],
) -> tuple[Settings, Floats]:
    quick = replace(setting.settings, epochs=min(setting.inner_epochs, setting.settings.epochs))
    constant, _ = choose_regularization(system, training, pairs, quick, setting.grid, setting.inner_folds, fitted)
    settings = replace(setting.settings, regularization=constant)
    return settings, fit_system(system, training, pairs, settings, fitted=fitted)


def write_problems(folder: Path, setting: CorpusSetting, data: str = "", parser: str = "") -> None:
    """A file SYSTEM/TOPIC.json for every problem, and last of all the facts: pairs, constants, and what the golds score."""
    trees = None if setting.corpus == GENERATED else read_parser(parser)
    seed, bits = setting.settings.seed, setting.settings.bits
    clusters = topics_of(setting.corpus, data, trees, setting.topics, seed, setting.size)
    pairs = training_pairs(setting.corpus, data, trees, setting.pairs, seed, bits)
    made = blueprints(clusters, setting.budget, bits, candidate_words(setting.corpus, setting.size))
    topics = [topic_examples(each, setting.oracle_seconds) for each in made]
    constants = []
    for scored in scored_problems(clusters, topics, pairs, setting):
        path = folder / scored.system / f"{scored.topic}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        get_task(scored.problem.task).save(scored.problem, path)
        if scored.system in LEARNED:
            constants.append([scored.system, scored.topic, scored.regularization])
    golds = [
        {"system": system, "topic": topic.blueprint.name, **quality(lines, topic.blueprint.references)}
        for topic in topics
        for system, lines in zip(ORACLES, topic.gold_lines(), strict=True)
    ]
    facts = {"pairs": len(pairs), "constants": constants, "golds": golds}
    (folder / FACTS).write_text(json.dumps(facts) + "\n", encoding="utf-8")
