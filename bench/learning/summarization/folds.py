"""Topics as systems score them that were trained on other topics: the problems behind Table 2 of Almeida & Martins (2013).

Real topics are dealt to folds; the systems that score a fold's topics are trained, and their regularization is chosen, on the
topics of the other folds alone. Generated topics are as many as one likes: some for training, some for the choice of constants, and
others to be scored. Auxiliary data and the pruner come from corpora (or seeds) that no fold has. What is written are decoding
problems: who decodes them is another matter.
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
from problems.summarization.blueprint import Blueprint, blueprint
from problems.summarization.corpora import Parser
from problems.text.clusters import CLUSTER_SIZES
from problems.text.sentence import Cluster

from ..options import GENERATED
from .auxiliary import Source, auxiliary_extracts, auxiliary_pairs, fit_pruner
from .constants import GRID
from .data import (
    DEVELOPMENT_SEEDS,
    blueprints,
    candidate_words,
    generated_topics,
    read_parser,
    topic_examples,
    topics_of,
)
from .examples import SECONDS, CompressionExample, TopicExample, TopicExamples
from .systems import (
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
    """A column of our Table 2: a corpus (its first `topics`), how much auxiliary data to look at (None: all), and how it is
    cross-validated.

    `folds` 0: each topic is a fold of its own (leave one out). With `tested` generated topics of other seeds there are no folds:
    all `topics` are for training, and constants are chosen on `development` further ones.
    """

    corpus: str
    budget: int
    folds: int = 0
    topics: int | None = None
    tested: int = 0
    development: int = 0
    pairs: int | None = None
    auxiliary: int | None = None
    size: str = SIZE
    settings: Settings = field(default_factory=Settings)
    grid: tuple[float, ...] = GRID
    inner_folds: int = 3
    inner_epochs: int = 3
    oracle_seconds: float = ORACLE_SECONDS


def generated(size: str, topics: int, tested: int) -> CorpusSetting:
    """Topics for training, half as many for the choice of constants; auxiliary data in the paper's proportions: about twice as many
    topics, and a hundred sentence pairs for each.
    """
    return CorpusSetting(
        GENERATED,
        CLUSTER_SIZES[size].budget,
        topics=topics,
        tested=tested,
        development=max(1, topics // 2),
        pairs=100 * topics,
        auxiliary=2 * topics,
        size=size,
        oracle_seconds=SECONDS,
    )


SETTINGS = {
    "generated": generated(SIZE, 24, 120),
    "multiling2011-250": CorpusSetting("multiling2011", 250),
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


class Learning(NamedTuple):
    """What systems learn from besides the topics of a fold, and where constants are chosen, if not in cross-validation."""

    extracts: Sequence[TopicExample] = ()
    pairs: Sequence[CompressionExample] = ()
    development: Sequence[Blueprint] = ()
    pruner: Floats | None = None


def scored_problems(
    clusters: Sequence[Cluster], topics: Sequence[TopicExamples], learning: Learning, setting: CorpusSetting
) -> Iterator[Scored]:
    """Every topic that is tested, as every system scores it. Unlearned systems have candidates by document counts."""
    held_out = (
        [list(range(len(topics) - setting.tested, len(topics)))]
        if setting.tested
        else deal(len(topics), setting.folds, setting.settings.seed)
    )
    words = candidate_words(setting.corpus, setting.size)
    for number in sorted(number for held in held_out for number in held):
        made = blueprint(clusters[number], setting.budget, setting.settings.bits, words)
        for system in UNLEARNED:
            yield _scored(system, made, baseline_scores(system, clusters[number], made))
    fitted: dict[Settings, Floats] = {}
    for held in held_out:
        training = [topic for number, topic in enumerate(topics) if number not in held]
        for system in LEARNED:
            settings, weights = _fit(system, training, learning, setting, fitted)
            for number in held:
                made = topics[number].blueprint
                yield _scored(system, made, made.features.scores(weights), settings.regularization)


def _scored(system: str, topic: Blueprint, scores: Floats, regularization: float = np.nan) -> Scored:
    """The problem is named after topic and system, so that no two are the same."""
    problem: Any = problem_of(system, topic, scores)
    return Scored(system, topic.name, replace(problem, name=f"{topic.name}, {system}"), regularization)


def _fit(
    system: str,
    training: Sequence[TopicExamples],
    learning: Learning,
    setting: CorpusSetting,
    fitted: dict[Settings, Floats],
) -> tuple[Settings, Floats]:
    quick = replace(setting.settings, epochs=min(setting.inner_epochs, setting.settings.epochs))
    extracts, pairs, development, _ = learning
    chosen = choose_regularization(
        system, training, pairs, quick, setting.grid, setting.inner_folds, fitted, extracts, development
    )
    settings = replace(setting.settings, regularization=chosen.constant)
    return settings, fit_system(system, training, pairs, settings, fitted=fitted, auxiliary=extracts)


def write_problems(folder: Path, setting: CorpusSetting, data: str = "", parser: str = "") -> None:
    """A file SYSTEM/TOPIC.json for every problem, and last of all the facts: auxiliary data, constants, what the golds score."""
    trees = None if setting.corpus == GENERATED else read_parser(parser)
    seed, bits = setting.settings.seed, setting.settings.bits
    clusters = topics_of(setting.corpus, data, trees, setting.topics, seed, setting.size)
    if setting.tested:
        clusters += topics_of(setting.corpus, data, trees, setting.tested, seed, setting.size, test=True)
    learning = auxiliary_data(setting, data, trees)
    words = candidate_words(setting.corpus, setting.size)
    made = blueprints(clusters, setting.budget, bits, words, learning.pruner)
    topics = [topic_examples(each, setting.oracle_seconds) for each in made]
    constants, tested = [], set()
    for scored in scored_problems(clusters, topics, learning, setting):
        path = folder / scored.system / f"{scored.topic}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        get_task(scored.problem.task).save(scored.problem, path)
        tested.add(scored.topic)
        if scored.system in LEARNED:
            constants.append([scored.system, scored.topic, scored.regularization])
    golds = [
        {"system": system, "topic": topic.blueprint.name, **quality(lines, topic.blueprint.references)}
        for topic in topics
        if topic.blueprint.name in tested
        for system, lines in zip(ORACLES, topic.gold_lines(), strict=True)
    ]
    auxiliary = {"pairs": len(learning.pairs), "auxiliary topics": len(learning.extracts)}
    facts = {**auxiliary, "constants": constants, "golds": golds}
    (folder / FACTS).write_text(json.dumps(facts) + "\n", encoding="utf-8")


def auxiliary_data(setting: CorpusSetting, data: str, trees: Parser | None) -> Learning:
    """The data of tasks 2 and 3, the pruner, and the topics that constants are chosen on. None of it is ever tested."""
    seed, bits = setting.settings.seed, setting.settings.bits
    source = Source(setting.corpus, data, trees, seed, setting.size, bits)
    extracts = auxiliary_extracts(source, setting.auxiliary, setting.oracle_seconds)
    pruner = fit_pruner(extracts, bits)
    words = candidate_words(setting.corpus, setting.size)
    development = (
        generated_topics(seed, setting.development, setting.size, DEVELOPMENT_SEEDS) if setting.development else []
    )
    held = blueprints(development, setting.budget, bits, words, pruner)
    return Learning(extracts, auxiliary_pairs(source, setting.pairs), held, pruner)
