"""Models trained on generated sentences with fixed seeds: the grammar, language models, and the discriminative model.

The annotator of the gold compressions has a language model too, of other text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..language import NgramModel, bigram_table, estimate, trigram_table
from ..language.model import END, START
from ..language.stored import from_arrays, to_arrays
from ..linear_program import Floats
from ..models.model_file import Array
from ..models.reading import vector
from .discriminative import Discriminative
from .grammar import Grammar
from .learned.grammar_file import from_plain, to_plain
from .sentences import Speaker
from .sizes import Scores
from .store import Parts, kept_in_cache
from .trained import trained
from .trees import Tree

TEXT_SENTENCES = 8000  # of the language models


class Settings(NamedTuple):
    """Weights of the two parts, and the reward per kept word that meets the gold rate on development sentences."""

    rule_weight: float
    ngram_weight: float
    reward: float


SETTINGS: dict[str, Settings] = {  # by `bench.studies.transduction_tuning`
    "bigram": Settings(1.0, 0.1, -0.064),
    "trigram": Settings(1.0, 0.1, -0.059),
    "discriminative": Settings(1.0, 1.0, -1.008),
    "rules alone": Settings(1.0, 0.0, -0.457),
    "discriminative alone": Settings(0.0, 1.0, -0.533),
    "bigram, strong": Settings(1.0, 1.0, 3.785),  # ten times the best weight: the two parts disagree far more
    "trigram, strong": Settings(1.0, 1.0, 3.879),
}


@dataclass(frozen=True)
class Models:
    """All that turns a source tree into an instance."""

    grammar: Grammar
    bigrams: NgramModel
    trigrams: NgramModel
    discriminative: Discriminative

    def ngram_scores(self, tree: Tree, scores: Scores) -> Floats:
        if scores == "discriminative":
            return self.discriminative.table(self.discriminative.features(tree))
        if scores == "trigram":
            return trigram_table(self.trigrams, tree.words())
        return bigram_table(self.bigrams, tree.words())

    def parts(self) -> Parts:
        """For a model file; both language models are of the same text."""
        header = {
            "grammar": to_plain(self.grammar),
            "vocabularies": {"bigram": list(self.bigrams.vocabulary), "trigram": list(self.trigrams.vocabulary)},
            "features": self.discriminative.plain_features(),
        }
        arrays = to_arrays("bigram", self.bigrams) | to_arrays("trigram", self.trigrams)
        return header, arrays | {"features": self.discriminative.weights}

    @classmethod
    def of(cls, header: dict[str, Any], arrays: dict[str, Array]) -> Models:
        """From what `parts` gave."""
        discriminative = Discriminative.of(header["features"], vector(arrays, "features"))
        bigrams, trigrams = (from_arrays(name, header["vocabularies"][name], arrays) for name in ("bigram", "trigram"))
        return cls(from_plain(header["grammar"]), bigrams, trigrams, discriminative)


@cache
def models() -> Models:
    """The trained models."""
    return kept_in_cache("transduction-models", _train, Models.parts, Models.of)


@cache
def annotator() -> NgramModel:
    """What the annotator of the gold compressions reads with: trained on other text than the models."""

    def parts(model: NgramModel) -> Parts:
        return {"vocabulary": list(model.vocabulary)}, to_arrays("text", model)

    def restored(header: dict[str, Any], arrays: dict[str, Array]) -> NgramModel:
        return from_arrays("text", header["vocabulary"], arrays)

    return kept_in_cache("transduction-annotator", lambda: estimate(_text(4), 2), parts, restored)


def fluency(words: Sequence[str]) -> float:
    """The annotator's mean log-probability of a word, the end of the sentence included."""
    model = annotator()
    numbers = np.array([START, *model.encode(words), END])
    return float(model.score(np.full(len(words) + 1, -1), numbers[:-1], numbers[1:]).mean())


def _train() -> Models:
    """Both language models anew, which takes half a second; what takes long is in a file of the package (`trained`)."""
    text = _text(3)
    grammar, discriminative = trained()
    return Models(grammar, estimate(text, 2), estimate(text, 3), discriminative)


def _text(seed: int) -> list[tuple[str, ...]]:
    """Sentences as they come, short and long."""
    rng = np.random.default_rng([2014, seed])
    return [(*Speaker(rng, 0.4 + 1.2 * rng.random()).sentence().words(), ".") for _ in range(TEXT_SENTENCES)]
