"""The task `extraction`: extractive multi-document summarization by concept coverage."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Floats
from ..metrics.summaries import SUMMARY_METRICS
from ..profile import Profile
from ..task import Task, power_of_two
from ..text.zipf import LARGER
from . import instance as rules
from .graph import assignment_of, build_graph, extract_of
from .instance import Concept, Extract, ExtractionInstance


class ExtractionTask(Task[ExtractionInstance, Extract]):
    """Extractive summarization: choose sentences that cover the most valuable concepts within a budget of words.

    Sizes: `tiny`, `tac` and `large` are clusters of text; `tac-pruned` has only the candidates of the compressive `tac`. `zipf`
    is synthetic; `zipf-1000` has 1,000 sentences. The rounding `paper` is that of Almeida & Martins (2013, section 3.4).
    """

    name = "extraction"
    sizes = ("tac", "tiny", "large", "tac-pruned", "zipf", *LARGER)
    default_size = "tac"
    roundings = ("search", "paper")
    factor_kinds = ("or_out", "knapsack")
    corpora = ("multiling2011", "opinosis")
    metrics = (*SUMMARY_METRICS, "words", "sentences")

    def _generate(self, seed: int, size: str) -> ExtractionInstance:
        from .generate import generate

        return generate(seed, size)

    def _read_corpus(
        self, name: str, folder: Path, split: str | None, model: str | Path | None
    ) -> Iterator[ExtractionInstance]:
        from .corpora import read_corpus

        if split is not None and name in self.corpora:
            raise InputError(f"corpus {name!r} has no splits, but split {split!r} is asked for.")
        if model is not None:
            raise InputError(f"corpus {name!r} takes no model ({model}): concepts are scored by hand-set weights.")
        return read_corpus(name, folder, split or "test")

    def own_corpus(self, name: str, folder: Path) -> bool:
        from ..text.topics import own_folder

        return own_folder(name, folder) is not None

    def _from_document(self, document: dict[str, Any]) -> ExtractionInstance:
        return rules.from_document(document)

    def _to_document(self, instance: ExtractionInstance) -> dict[str, Any]:
        return rules.to_document(instance)

    def profile(self, instance: ExtractionInstance) -> Profile:
        occurrences = sum([len(concept.sentences) for concept in instance.concepts])
        sizes = {"sentences": len(instance.lengths), "concepts": len(instance.concepts), "occurrences": occurrences}
        return Profile(self.name, "", {**sizes, "budget": instance.budget})

    def objective(self, instance: ExtractionInstance, structure: Extract) -> float:
        return rules.objective(instance, structure)

    def broken(self, instance: ExtractionInstance, structure: Extract) -> str | None:
        return rules.broken(instance, structure)

    def evaluate(self, instance: ExtractionInstance, structure: Extract) -> dict[str, float]:
        from ..metrics.summaries import evaluate_summary

        words = sum(instance.lengths[index] for index in structure)
        return {
            **evaluate_summary(self.render(instance, structure), instance.references),
            "words": words,
            "sentences": len(structure),
        }

    def render(self, instance: ExtractionInstance, structure: Extract) -> list[str]:
        return [instance.texts[index] if instance.texts else f"Sentence {index}." for index in structure]

    def structures(self, instance: ExtractionInstance) -> Iterator[Extract]:
        for choice in itertools.product((False, True), repeat=len(instance.lengths)):
            extract = tuple(index for index, chosen in enumerate(choice) if chosen)
            if rules.broken(instance, extract) is None:
                yield extract

    def count_structures(self, instance: ExtractionInstance) -> float:
        return power_of_two(len(instance.lengths))

    def graph(self, instance: ExtractionInstance) -> FactorGraph:
        return build_graph(instance)

    def assignment(self, instance: ExtractionInstance, structure: Extract) -> Floats:
        return assignment_of(instance, structure)

    def structure(self, instance: ExtractionInstance, assignment: Floats) -> Extract:
        return extract_of(instance, assignment)

    def prepare(self) -> None:
        _load_kernels()

    def round(self, instance: ExtractionInstance, posteriors: Floats, rounding: str) -> Extract:
        from .rounding import round_paper, round_search

        return round_paper(instance, posteriors) if rounding == "paper" else round_search(instance, posteriors)


@cache
def _load_kernels() -> None:
    """Round a fractional solution of the smallest instance there is."""
    from .rounding import round_search

    smallest = ExtractionInstance("smallest", (1, 1), (Concept("c", 1.0, (0, 1)),), 1)
    round_search(smallest, np.full(build_graph(smallest).number_of_variables, 0.5))
