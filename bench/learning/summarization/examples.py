"""The three tasks of Almeida & Martins (2013), section 4, as training examples: their parts, golds and costs.

Costs are normalised to [0, 1] and 0 at the gold. Of a set of parts they are linear, as decoding needs it:

- extraction: 1 - concept recall: the share of the gold's concepts that are not covered;
- compression: the precision side of arc deletions: the share of the deletable arcs kept by the gold that are deleted;
- summarization: the mean of both.

Gold for the summarization tasks: oracle summaries and extracts by an exact ILP, compressions from sentence pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from problems import get_task
from problems.errors import InputError
from problems.extraction.instance import Extract
from problems.linear_program import Floats
from problems.models.sparse import SparseRows
from problems.summarization.blueprint import Blueprint
from problems.summarization.instance import Sentence, Summary
from problems.summarization.oracle import (
    compressive_oracle,
    extract_without_idle,
    extractive_oracle,
    tightened,
    without_idle,
)
from problems.summarization.parts import (
    best_compression,
    deleted_arcs,
    extract_parts,
    parts_of_extract,
    parts_of_summary,
    summary_parts,
)
from solvers import get_solver

from ..learners import Decoder

SUMMARIZATION, EXTRACTION, COMPRESSION = "summarization", "extraction", "compression"


def recall_cost(gold: Floats) -> tuple[Floats, float]:
    """1 - recall of the parts that are 1 in the gold, as a cost per part and a constant."""
    count = gold.sum()
    if not count:
        return np.zeros(len(gold)), 0.0
    return -gold / count, 1.0


def precision_cost(kept: Floats) -> Floats:
    """The share of deletable arcs which the gold keeps (1 in `kept`) that are deleted, as a cost per arc."""
    return kept / max(kept.sum(), 1.0)


@dataclass(frozen=True, eq=False)
class TopicExample:
    """A topic's parts, concepts and arcs, in one of the tasks; in extraction arcs take part in nothing and have the value 0."""

    task: str
    blueprint: Blueprint
    gold: Floats
    cost: Floats
    cost_constant: float

    @property
    def name(self) -> str:
        return f"{self.task} {self.blueprint.name} {self.blueprint.compressive.budget}"

    @property
    def features(self) -> SparseRows:
        return self.blueprint.features

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        extractive = self.task == EXTRACTION
        problem: Any = (self.blueprint.extractive_problem if extractive else self.blueprint.compressive_problem)(scores)
        solution = decoder.solve(problem, self.task)
        values = solution.posteriors
        if values is None or (solution.structure is not None and not decoder.relaxed):
            values = get_task(self.task).assignment(problem, solution.structure)
        if extractive:
            return extract_parts(problem, values, len(scores) - self.blueprint.concepts)
        return summary_parts(problem, values)


@dataclass(frozen=True, eq=False)
class TopicExamples:
    """A topic of the training set with its gold for both summarization tasks."""

    blueprint: Blueprint
    oracle_summary: Summary
    oracle_extract: Extract
    summary: TopicExample
    extract: TopicExample

    @classmethod
    def of(cls, blueprint: Blueprint, summary: Summary, extract: Extract) -> TopicExamples:
        gold = parts_of_summary(blueprint.compressive, summary)
        recall, constant = recall_cost(gold[: blueprint.concepts])
        kept = dict(summary)
        sentences = enumerate(blueprint.compressive.sentences)
        arcs = [flag for index, sentence in sentences for flag in intact(sentence, kept.get(index, ()))]
        cost = np.concatenate([recall, precision_cost(np.array(arcs))])
        compressed = TopicExample(SUMMARIZATION, blueprint, gold, 0.5 * cost, 0.5 * constant)
        return cls(blueprint, summary, extract, compressed, extract_example(blueprint, extract))

    def gold_lines(self) -> tuple[list[str], list[str]]:
        """The oracle extract and the oracle summary as text."""
        made = self.blueprint
        return made.lines(whole(made, self.oracle_extract)), made.lines(self.oracle_summary)


def extract_example(blueprint: Blueprint, extract: Extract) -> TopicExample:
    """A topic in the extraction task, with an extract as its gold."""
    gold = parts_of_extract(blueprint.extractive, extract, blueprint.compressive.number_of_words)
    return TopicExample(EXTRACTION, blueprint, gold, *recall_cost(gold))


def whole(blueprint: Blueprint, extract: Extract) -> Summary:
    """An extract as a summary that deletes nothing."""
    return tuple((index, tuple(range(1, blueprint.extractive.lengths[index] + 1))) for index in extract)


@dataclass(frozen=True, eq=False)
class CompressionExample:
    """Sentence compression: arcs of one sentence. Decoded by dynamic programming, whatever the solver (Table 1)."""

    name: str
    sentence: Sentence
    features: SparseRows
    gold: Floats
    cost: Floats
    cost_constant: float = 0.0
    task: str = COMPRESSION

    @classmethod
    def of(cls, name: str, sentence: Sentence, features: SparseRows, kept: tuple[int, ...]) -> CompressionExample:
        cost = precision_cost(np.array(intact(sentence, kept)))
        return cls(name, sentence, features, deleted_arcs(sentence, kept), cost)

    def decode(self, decoder: Decoder, scores: Floats) -> Floats:
        return deleted_arcs(self.sentence, best_compression(self.sentence, scores))


SOLVER = "ilp-highs"
SECONDS = 120.0  # then the best summary found so far is the gold


def _solve(problem: Any, seconds: float) -> Any:
    solution = get_solver(SOLVER, time_limit=seconds).solve(problem)
    if solution.structure is None:
        raise InputError(f"{problem.name}: no oracle summary was found within {seconds:g} seconds.")
    return solution.structure


def oracle_summary(blueprint: Blueprint, seconds: float = SECONDS) -> Summary:
    """The compressive summary with the best recall of reference bigrams, under subtree deletion, constraints, budgets."""
    problem = compressive_oracle(blueprint)
    found: Summary = _solve(problem, seconds)
    return tightened(problem, without_idle(problem, found))


def oracle_extract(blueprint: Blueprint, seconds: float = SECONDS) -> Extract:
    """The extract with the best recall of reference bigrams."""
    problem = extractive_oracle(blueprint)
    found: Extract = _solve(problem, seconds)
    return extract_without_idle(problem, found)


def intact(sentence: Sentence, kept: Iterable[int]) -> list[float]:
    """1 for each deletable arc whose two words are kept."""
    words = set(kept)
    return [float(word in words and not fixed) for word, fixed in enumerate(sentence.undeletable, 1)]
