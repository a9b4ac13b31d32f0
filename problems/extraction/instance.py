"""Instances and structures of extractive summarization by concept coverage (section 2, Eq. 1-3)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..checks import magnitude
from ..display import LONGEST_TEXT, InNotebooks, many, short_line
from ..errors import InputError, shortened
from ..linear_program import Floats, Integers
from ..storage import Fields

Extract = tuple[int, ...]
"""The selected sentences, in order."""


LONGEST_SENTENCE = 10**12


class Concept(NamedTuple):
    """A concept type: its relevance and the sentences in which it occurs."""

    name: str
    score: float
    sentences: tuple[int, ...]


class Layout(NamedTuple):
    """The instance in flat arrays; an occurrence is a concept in a sentence, in the order of concepts."""

    lengths: Floats
    concept_scores: Floats
    counts: Integers  # occurrences per concept
    concepts: Integers  # of each occurrence
    sentences: Integers


@dataclass(frozen=True)
class ExtractionInstance(InNotebooks):
    task: ClassVar[str] = "extraction"

    name: str
    lengths: tuple[int, ...]
    concepts: tuple[Concept, ...]
    budget: int
    texts: tuple[str, ...] = ()
    references: tuple[tuple[str, ...], ...] = ()
    layout: Layout = field(init=False, repr=False, compare=False)
    magnitude: float = field(init=False, repr=False, compare=False)  # the sum of all absolute scores

    def __repr__(self) -> str:
        counts = many(len(self.lengths), "sentence"), many(len(self.concepts), "concept")
        return short_line(self, self.name, *counts, f"budget {self.budget}")

    def _details(self) -> list[tuple[str, str]]:
        return [("first sentence", shortened(self.texts[0], LONGEST_TEXT))] if self.texts else []

    def __post_init__(self) -> None:
        if self.budget < 0:
            raise InputError("field 'budget' must be at least 0.")
        if not all(0 <= length <= LONGEST_SENTENCE for length in self.lengths):
            raise InputError(f"field 'lengths' must hold whole numbers of at least 0 and at most {LONGEST_SENTENCE}.")
        if len(self.texts) not in (0, len(self.lengths)):
            raise InputError(
                f"field 'texts' must have one entry for each of the {len(self.lengths)} sentences, or none."
            )
        for index, concept in enumerate(self.concepts):
            if not math.isfinite(concept.score):
                raise InputError(f"field 'concepts[{index}].score' must be a finite number.")
            named = concept.sentences
            if not named or len(set(named)) < len(named) or not all(0 <= s < len(self.lengths) for s in named):
                raise InputError(
                    f"field 'concepts[{index}].sentences' must name different sentences of the instance, and at least one."
                )
        layout = _layout(self.lengths, self.concepts)
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "magnitude", magnitude(layout.concept_scores))


def _layout(lengths: tuple[int, ...], concepts: tuple[Concept, ...]) -> Layout:
    counts = np.array([len(concept.sentences) for concept in concepts], dtype=np.int64)
    return Layout(
        lengths=np.array(lengths, dtype=np.float64),
        concept_scores=np.array([concept.score for concept in concepts], dtype=np.float64),
        counts=counts,
        concepts=np.repeat(np.arange(len(concepts)), counts),
        sentences=np.array([sentence for concept in concepts for sentence in concept.sentences], dtype=np.int64),
    )


def objective(instance: ExtractionInstance, extract: Extract) -> float:
    """Eq. 2: the scores of the concepts that some selected sentence contains."""
    selected = set(extract)
    return sum(concept.score for concept in instance.concepts if not selected.isdisjoint(concept.sentences))


def broken(instance: ExtractionInstance, extract: Extract) -> str | None:
    """Why an extract is not feasible."""
    if len(set(extract)) < len(extract) or not all(0 <= index < len(instance.lengths) for index in extract):
        return "the sentences must be different ones of the instance."
    length = sum(instance.lengths[index] for index in extract)
    if length > instance.budget:
        return f"{length} words are more than the budget of {instance.budget}."
    return None


def from_document(document: dict[str, Any]) -> ExtractionInstance:
    fields = Fields(document)
    name, lengths = fields.text("name"), fields.integers("lengths")
    concepts = []
    for item in fields.objects("concepts"):
        concepts.append(Concept(item.text("name"), item.number("score"), item.integers("sentences")))
        item.no_others()
    parts: dict[str, Any] = {
        "name": name,
        "lengths": lengths,
        "concepts": tuple(concepts),
        "budget": fields.integer("budget", 0),
        "texts": fields.texts("texts", []),
        "references": fields.lists("references", []),
    }
    fields.no_others("task")
    return ExtractionInstance(**parts)


def to_document(instance: ExtractionInstance) -> dict[str, Any]:
    return {
        "name": instance.name,
        "budget": instance.budget,
        "lengths": list(instance.lengths),
        "texts": list(instance.texts),
        "concepts": [
            {"name": concept.name, "score": concept.score, "sentences": list(concept.sentences)}
            for concept in instance.concepts
        ],
        "references": [list(lines) for lines in instance.references],
    }
