"""Gold for the summarization tasks: oracle summaries and extracts by an exact ILP, compressions from sentence pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from problems.errors import InputError
from problems.extraction.instance import Extract
from problems.linear_program import Floats
from problems.summarization.blueprint import Blueprint
from problems.summarization.instance import Summary
from problems.summarization.oracle import (
    compressive_oracle,
    extract_without_idle,
    extractive_oracle,
    without_idle,
)
from problems.summarization.parts import parts_of_extract, parts_of_summary
from solvers import get_solver

from .examples import ExtractExample, SummaryExample

if TYPE_CHECKING:
    from .systems import TopicExamples

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
    return without_idle(problem, found)


def oracle_extract(blueprint: Blueprint, seconds: float = SECONDS) -> Extract:
    """The extract with the best recall of reference bigrams."""
    problem = extractive_oracle(blueprint)
    found: Extract = _solve(problem, seconds)
    return extract_without_idle(problem, found)


def intact_arcs(blueprint: Blueprint, summary: Summary) -> Floats:
    """1 for each deletable arc whose two words are in a summary."""
    kept = {index: set(words) for index, words in summary}
    flags = [
        float(word in kept.get(index, ()) and not sentence.undeletable[word - 1])
        for index, sentence in enumerate(blueprint.compressive.sentences)
        for word in range(1, len(sentence) + 1)
    ]
    return np.array(flags)


def gold_lines(example: TopicExamples) -> tuple[list[str], list[str]]:
    """The oracle extract and the oracle summary of a topic as text."""
    made = example.blueprint
    whole = tuple((index, tuple(range(1, made.extractive.lengths[index] + 1))) for index in example.oracle_extract)
    return made.lines(whole), made.lines(example.oracle_summary)


def summary_example(blueprint: Blueprint, summary: Summary) -> SummaryExample:
    gold = parts_of_summary(blueprint.compressive, summary)
    return SummaryExample.of(blueprint, gold, intact_arcs(blueprint, summary))


def extract_example(blueprint: Blueprint, extract: Extract) -> ExtractExample:
    arcs = blueprint.compressive.number_of_words
    return ExtractExample.of(blueprint, parts_of_extract(blueprint.extractive, extract, arcs))
