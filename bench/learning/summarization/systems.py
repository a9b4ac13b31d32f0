"""The systems of Table 2 of Almeida & Martins (2013): what each learns from, and how it decodes.

- `extractive` learns task 2 (oracle extracts, of auxiliary topics as well) and extracts;
- `post-combined` learns task 2 and task 3 (sentence pairs) apart and puts their scores into the compressive problem: the limit
  of Eq. 10 that ignores the data of task 1;
- `single-task` learns task 1 (oracle summaries);
- `multi-task` learns all three with shared weights (Eq. 9-10), each weighed N / N_k, with equal regularization constants.

The unlearned ones are `coverage` (document counts of at least three, an exact ILP over whole sentences, as ICSI's) and
`unlearned`, the compressive problem with hand-set scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from problems.errors import InputError
from problems.extraction.instance import ExtractionInstance
from problems.linear_program import Floats
from problems.metrics.rouge import rouge
from problems.metrics.rouge_text import read_text
from problems.summarization.blueprint import Blueprint, document_counts
from problems.summarization.features import concept_scores, deletion_scores
from problems.summarization.instance import SummarizationInstance
from problems.summarization.model import SYSTEMS
from problems.summarization.words import words_only
from problems.text.sentence import Cluster, ParsedSentence
from solvers import Solution

from ..learners import Decoder, Learner, StructuredSvm, most_violated
from ..loop import Watcher, numbered, train
from ..multitask import MultiTaskSvm, even_weights
from .constants import DEFAULT, GRID, Chosen, choose
from .examples import COMPRESSION, EXTRACTION, SUMMARIZATION, CompressionExample, TopicExample, TopicExamples, whole

LEARNED = SYSTEMS
UNLEARNED = ("coverage", "unlearned")
EXTRACTS = ("coverage", "extractive")  # the others compress
BITS = 18
STEP = 0.1  # chosen on generated development topics: docs/learning-summarization.md
TRAINING = Decoder("ad3", {"max_iterations": 200, "rounding": "none"})
TESTING = Decoder("ad3", {"max_iterations": 1000})
VALIDATION = Decoder("ad3", {"max_iterations": 200})  # many times as fast, when constants are compared
EXACT = Decoder("ilp-highs", {})
DECODERS = {SUMMARIZATION: TRAINING, EXTRACTION: TRAINING, COMPRESSION: TRAINING}
MEASURES = ("ROUGE-2", "ROUGE-SU4")
FIRST_EXAMPLES = 10  # that say how long the first step is

AnyExample = TopicExample | CompressionExample


@dataclass(frozen=True)
class Settings:
    """How models are trained. `regularization` is every lambda of Eq. 10.

    `initial_step` is relative: 1 is the step that would undo the mean loss of the first examples at zero weights. So it means
    the same for one sentence and for a topic of a thousand concepts.
    """

    regularization: float = DEFAULT
    epochs: int = 10
    initial_step: float = STEP
    seed: int = 1
    bits: int = BITS
    decoders: Mapping[str, Decoder] = field(default_factory=lambda: DECODERS, compare=False)


class Loop(TypedDict, total=False):
    """What of `loop.train` a training may ask for."""

    watcher: Watcher
    checkpoint: Path | None
    resume: bool
    patience: int | None


def fit(
    examples: Sequence[AnyExample],
    settings: Settings,
    development: Callable[[Floats], float] | None = None,
    **loop: Unpack[Loop],
) -> dict[str, Floats]:
    """Weights by task: a structured SVM for one task, Eq. 10 for several.

    `development` scores the weights of the first example's task; higher is better.
    """
    if not examples:
        raise InputError("there is nothing to learn from: no oracle of the training topics covers a reference bigram.")
    tasks = list(dict.fromkeys(example.task for example in examples))
    size = 1 << settings.bits
    learner: Learner
    if len(tasks) == 1:
        decoder = settings.decoders[tasks[0]]
        learner = StructuredSvm(size, decoder, settings.regularization, first_step(examples, settings))
    else:
        importance = even_weights(examples)
        heaviest = [example for example in examples if importance[example.task] == max(importance.values())]
        learner = MultiTaskSvm(
            size,
            {task: settings.decoders[task] for task in tasks},
            importance,
            dict.fromkeys(tasks, settings.regularization),
            settings.regularization,
            first_step(heaviest, settings) / max(importance.values()),
        )
    first = "weights" if len(tasks) == 1 else tasks[0]
    score = None if development is None else (lambda weights: development(weights[first]))
    decoders = {task: repr(settings.decoders[task]) for task in tasks}
    found = train(
        examples, learner, epochs=settings.epochs, seed=settings.seed, development=score, settings=decoders, **loop
    )
    return {tasks[0]: found.weights["weights"]} if len(tasks) == 1 else found.weights


def first_step(examples: Sequence[AnyExample], settings: Settings) -> float:
    """The size of the first step: `initial_step` times the loss over the squared norm of the gradient, at zero weights."""
    losses, norms = 0.0, 0.0
    for example in examples[:FIRST_EXAMPLES]:
        found = most_violated(example, settings.decoders[example.task], np.zeros(len(example.gold)))
        losses += max(found.loss, 0.0)
        norms += found.squared_norm
    return settings.initial_step * losses / norms if losses and norms else 1e-3 * settings.initial_step


def fit_system(
    system: str,
    topics: Sequence[TopicExamples],
    pairs: Sequence[CompressionExample],
    settings: Settings,
    development: Callable[[Floats], float] | None = None,
    fitted: dict[Settings, Floats] | None = None,
    auxiliary: Sequence[TopicExample] = (),
    **loop: Unpack[Loop],
) -> Floats:
    """The weights that a system decodes with. Concepts and arcs have no feature in common, so models can be added up.

    `auxiliary` are extracts of other topics. `development` stops a post-combined system's extractive part: summaries say nothing of sentence pairs. `fitted` remembers
    models of the pairs alone by their settings: in cross-validation they are the same whatever topic is left out.
    """
    summaries = [topic.summary for topic in topics if topic.oracle_summary]  # an empty gold has nothing to teach
    extracts = [*(topic.extract for topic in topics if topic.oracle_extract), *auxiliary]
    if system == "extractive":
        return fit(extracts, settings, development, **loop)[EXTRACTION]
    if system == "post-combined":
        concepts = fit(extracts, settings, development, **loop)[EXTRACTION]
        known = {} if fitted is None else fitted
        if settings not in known:
            if checkpoint := loop.get("checkpoint"):
                loop["checkpoint"] = numbered(checkpoint, 2)
            known[settings] = fit(pairs, settings, **loop)[COMPRESSION]
        return concepts + known[settings]
    if system == "single-task":
        return fit(summaries, settings, development, **loop)[SUMMARIZATION]
    if system == "multi-task":
        return fit([*summaries, *extracts, *pairs] if summaries else [], settings, development, **loop)[SUMMARIZATION]
    raise InputError(f"unknown system {system!r} of summarization; known: {', '.join(LEARNED)}.")


@dataclass(frozen=True)
class Output:
    """A summary as lines of text, and what the solver says of it."""

    lines: list[str]
    solution: Solution


def problem_of(system: str, blueprint: Blueprint, scores: Floats) -> ExtractionInstance | SummarizationInstance:
    """The decoding problem of a topic with a system's scores of its parts."""
    return blueprint.extractive_problem(scores) if system in EXTRACTS else blueprint.compressive_problem(scores)


def decode_scores(system: str, blueprint: Blueprint, scores: Floats, decoder: Decoder | None = None) -> Output:
    """A summary by a system: extracts exactly, compressive ones by AD3 with 1,000 iterations and rounding."""
    problem = problem_of(system, blueprint, scores)
    if system in EXTRACTS:
        solution = (decoder or EXACT).solve(problem, EXTRACTION)
        return Output(blueprint.lines(whole(blueprint, solution.structure)), solution)
    solution = (decoder or TESTING).solve(problem, SUMMARIZATION)
    return Output(blueprint.lines(solution.structure), solution)


def decode(system: str, blueprint: Blueprint, weights: Floats, decoder: Decoder | None = None) -> Output:
    """A summary by a learned system."""
    return decode_scores(system, blueprint, blueprint.features.scores(weights), decoder)


def baseline(system: str, cluster: Cluster, blueprint: Blueprint, decoder: Decoder | None = None) -> Output:
    """A summary by an unlearned system."""
    return decode_scores(system, blueprint, baseline_scores(system, cluster, blueprint), decoder)


def baseline_scores(system: str, cluster: Cluster, blueprint: Blueprint) -> Floats:
    """What an unlearned system, `coverage` or `unlearned`, says of a topic's parts."""
    trees = [ParsedSentence(each.words, each.tags, each.heads, each.labels) for each in blueprint.compressive.sentences]
    arcs = [arc for tree in trees for arc in deletion_scores(tree)]
    if system == "coverage":
        return np.concatenate([document_counts(cluster, blueprint), np.zeros(len(arcs))])
    documents = tuple(tuple(map(words_only, document)) for document in cluster.documents)
    known = concept_scores(Cluster(cluster.name, documents, ()))
    concepts = [known.get(concept.name, 0.0) for concept in blueprint.compressive.concepts]
    return np.array([*concepts, *arcs])


def quality(lines: Sequence[str], references: Sequence[Sequence[str]], formula: str = "A") -> dict[str, float]:
    """ROUGE-2 and ROUGE-SU4 recall, toolkit's default options: the average over references, or (formula B) the best one."""
    scores = rouge(list(lines), [list(reference) for reference in references], formula=formula)
    return {measure: scores[measure]["R"] for measure in MEASURES}


def bigram_recall(lines: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """ROUGE-2 recall alone, unrounded and without the slow ROUGE-L: cross-validation asks for it very often."""
    found = _bigram_counts(lines)
    models = [_bigram_counts(reference) for reference in references]
    total = sum(counts.total() for counts in models)
    return sum((found & counts).total() for counts in models) / total if total else 0.0


def _bigram_counts(lines: Sequence[str]) -> Counter[tuple[str, str]]:
    tokens = [token for line in read_text(list(lines)) for token in line]
    return Counter(pairwise(tokens))


def choose_regularization(
    system: str,
    topics: Sequence[TopicExamples],
    pairs: Sequence[CompressionExample],
    settings: Settings,
    grid: Sequence[float] = GRID,
    folds: int = 3,
    fitted: dict[Settings, Floats] | None = None,
    auxiliary: Sequence[TopicExample] = (),
    development: Sequence[Blueprint] = (),
) -> Chosen:
    """The constant by ROUGE-2 of development topics; without these, in cross-validation over the training topics.

    With fewer than two topics there is nothing to validate on.
    """
    if len(topics) < 2 and not development:
        return Chosen(DEFAULT if len(grid) > 1 else grid[0], {}, False)
    order = np.random.default_rng([settings.seed, 7]).permutation(len(topics))
    parts = [order[start::folds] for start in range(min(folds, len(topics)))]

    def recalls(constant: float) -> list[float]:
        one = replace(settings, regularization=constant)
        if development:
            weights = fit_system(system, topics, pairs, one, fitted=fitted, auxiliary=auxiliary)
            return _recalls(system, development, weights)
        found: list[float] = []
        for held in parts:
            inner = [topics[index] for index in order if index not in held]
            weights = fit_system(system, inner, pairs, one, fitted=fitted, auxiliary=auxiliary)
            found += _recalls(system, [topics[index].blueprint for index in held], weights)
        return found

    return choose(recalls, grid)


def _recalls(system: str, topics: Sequence[Blueprint], weights: Floats) -> list[float]:
    return [bigram_recall(decode(system, topic, weights, VALIDATION).lines, topic.references) for topic in topics]
