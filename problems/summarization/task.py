"""The task `summarization`: compressive multi-document summarization."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ..factor_graph import FactorGraph
from ..linear_program import Floats
from ..metrics.summaries import SUMMARY_METRICS
from ..profile import Profile
from ..task import Task
from ..text.render import as_sentence
from ..text.zipf import LARGER
from . import instance as rules
from .compressions import compressions, count_compressions
from .graph import assignment_of, build_graph, summary_of
from .instance import Concept, Sentence, SummarizationInstance, Summary


class SummarizationTask(Task[SummarizationInstance, Summary]):
    """Compressive summarization: choose sentences and delete subtrees of them, within a budget of words (Almeida & Martins 2013).

    Sizes: `tiny`, `tac` and `large` are clusters of text. `zipf` is synthetic; `zipf-1000` has 1,000 sentences. The rounding
    `paper` is that of section 3.4.
    """

    name = "summarization"
    sizes = ("tac", "tiny", "large", "zipf", *LARGER)
    default_size = "tac"
    roundings = ("search", "paper")
    factor_kinds = ("subtree", "or_out", "budget")
    metrics = (*SUMMARY_METRICS, "words", "sentences", "compression rate")

    def _generate(self, seed: int, size: str) -> SummarizationInstance:
        from .generate import generate

        return generate(seed, size)

    def _from_document(self, document: dict[str, Any]) -> SummarizationInstance:
        return rules.from_document(document)

    def _to_document(self, instance: SummarizationInstance) -> dict[str, Any]:
        return rules.to_document(instance)

    def profile(self, instance: SummarizationInstance) -> Profile:
        layout = instance.layout
        sizes = {"sentences": len(layout.sizes), "words": len(layout.words) - len(layout.sizes)}
        sizes |= {"concepts": len(layout.concept_scores), "occurrences": len(layout.token_concepts)}
        return Profile(self.name, "", {**sizes, "budget": instance.budget})

    def objective(self, instance: SummarizationInstance, structure: Summary) -> float:
        return rules.objective(instance, structure)

    def broken(self, instance: SummarizationInstance, structure: Summary) -> str | None:
        return rules.broken(instance, structure)

    def evaluate(self, instance: SummarizationInstance, structure: Summary) -> dict[str, float]:
        from ..metrics.summaries import evaluate_summary

        words = sum(len(kept) for _, kept in structure)
        original = sum(len(instance.sentences[index]) for index, _ in structure)
        rate = {"compression rate": words / original} if original else {}
        return {
            **evaluate_summary(self.render(instance, structure), instance.references),
            "words": words,
            "sentences": len(structure),
            **rate,
        }

    def render(self, instance: SummarizationInstance, structure: Summary) -> list[str]:
        lines = []
        for index, kept in structure:
            sentence = instance.sentences[index]
            names = sentence.words or tuple(f"w{index}.{word}" for word in range(1, len(sentence) + 1))
            lines.append(as_sentence([names[word - 1] for word in kept]))
        return lines

    def marked(self, instance: SummarizationInstance, structure: Summary) -> list[list[tuple[str, bool]]]:
        lines = []
        for index, kept in structure:
            sentence = instance.sentences[index]
            names = sentence.words or tuple(f"w{index}.{word}" for word in range(1, len(sentence) + 1))
            lines.append([(name, word in kept) for word, name in enumerate(names, 1)])
        return lines

    def structures(self, instance: SummarizationInstance) -> Iterator[Summary]:
        options = [[None, *compressions(sentence)] for sentence in instance.sentences]
        for choice in itertools.product(*options):
            summary = tuple((index, kept) for index, kept in enumerate(choice) if kept is not None)
            if rules.broken(instance, summary) is None:
                yield summary

    def count_structures(self, instance: SummarizationInstance) -> float:
        return math.prod(1.0 + count_compressions(sentence) for sentence in instance.sentences)

    def graph(self, instance: SummarizationInstance) -> FactorGraph:
        return build_graph(instance)

    def assignment(self, instance: SummarizationInstance, structure: Summary) -> Floats:
        return assignment_of(instance, structure)

    def structure(self, instance: SummarizationInstance, assignment: Floats) -> Summary:
        return summary_of(instance, assignment)

    def prepare(self) -> None:
        _load_kernels()

    def round(self, instance: SummarizationInstance, posteriors: Floats, rounding: str) -> Summary:
        from .rounding import round_paper, round_search

        return round_paper(instance, posteriors) if rounding == "paper" else round_search(instance, posteriors)


@cache
def _load_kernels() -> None:
    """Round a fractional solution of the smallest instance there is."""
    from .rounding import round_search

    smallest = SummarizationInstance(
        "smallest", (Sentence((0, 1), (0.0, 0.0), (False, False)),), (Concept("c", 1.0, ((0, 1, 2),)),), 1
    )
    round_search(smallest, np.full(build_graph(smallest).number_of_variables, 0.5))
