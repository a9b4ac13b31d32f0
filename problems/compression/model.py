"""Trained compression models: weights of hashed features, and how many words to keep.

A model file has kind "compression"; its header says which `system` it is (see `features`), the `bits` of the hash, the line
`length` (intercept and slope of the gold length over the sentence length in the training data), the `price` of a kept word at which
held-out pairs have the gold rate (models of before have none), the `templates` of its features (left out: the paper's), and the `parser` whose trees it
was trained on (name and hash of its file; empty for generated data). Its array is `weights`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import LARGEST_MAGNITUDE
from ..errors import InputError, quoted
from ..linear_program import Floats
from ..models.model_file import Array, read_model, write_model
from ..models.reading import hashed_weights, reading
from ..storage import Fields
from ..text.sentence import ParsedSentence
from .corpora import ParsedPair
from .features import SYSTEMS, TEMPLATES, HashedParts, System, Templates, split
from .instance import CompressionInstance

KIND = "compression"
SUBTREES = ("subtree", "subtree-bigram")


@dataclass(frozen=True)
class LengthRule:
    """The words to keep of a sentence, the same for every system: a line fitted to the training pairs.

    A constant rate would be a line through the origin; in `google_eval` it is far off, because compressions are
    headlines of some ten words whatever the sentence (9.5 words and 0.06 per word of the sentence).
    """

    intercept: float
    slope: float

    @classmethod
    def fitted(cls, pairs: list[ParsedPair]) -> LengthRule:
        """Least squares; where all sentences have the same length, the mean rate."""
        words = np.array([len(pair.sentence) for pair in pairs], dtype=np.float64)
        kept = np.array([len(pair.kept) for pair in pairs], dtype=np.float64)
        spread = words - words.mean()
        if not spread.any():
            return cls(0.0, float(kept.mean() / words.mean()))
        slope = float(spread @ kept / (spread @ spread))
        return cls(float(kept.mean() - slope * words.mean()), slope)

    @classmethod
    def of(cls, given: Fields) -> LengthRule:
        """From the field `length` of a header."""
        line = given.numbers("length")
        if len(line) != 2 or max(map(abs, line)) > LARGEST_MAGNITUDE:
            raise InputError("field 'length' must hold an intercept and a slope.")
        return cls(*line)

    def length(self, words: int) -> int:
        return max(1, min(words, round(self.intercept + self.slope * words)))


@dataclass(frozen=True, eq=False)
class CompressionModel:
    system: System
    bits: int
    weights: Floats
    rule: LengthRule
    parser: str = ""  # the file whose trees it learned from
    parser_hash: str = ""
    price: float | None = None  # of a kept word, where held-out pairs have the gold rate with it
    templates: Templates = "paper"

    def scores(self, sentence: ParsedSentence) -> Floats:
        """Of all parts, in the order of `features`."""
        return HashedParts(sentence, self.system, self.bits, self.templates).scores(self.weights)

    def instance(
        self,
        sentence: ParsedSentence,
        name: str,
        length: int | None = None,
        gold: ParsedPair | None = None,
        **changes: Any,
    ) -> CompressionInstance:
        """A sentence to compress to `length` words (by the model's rule, if left out)."""
        words = self.rule.length(len(sentence)) if length is None else length
        return instance_of(sentence, self.system, self.scores(sentence), words, name, gold, **changes)

    def scored(self, sentence: ParsedSentence, scores: Floats, name: str, length: int) -> CompressionInstance:
        """The same with scores that are there already."""
        return instance_of(sentence, self.system, scores, length, name)

    def write(self, path: str | Path) -> None:
        header = {
            "system": self.system,
            "bits": self.bits,
            "length": [self.rule.intercept, self.rule.slope],
            "parser": self.parser,
            "parser_hash": self.parser_hash,
            "templates": self.templates,
            **({} if self.price is None else {"price": self.price}),
        }
        write_model(path, KIND, header, {"weights": self.weights})

    @classmethod
    def read(cls, path: str | Path) -> CompressionModel:
        return cls.of(*read_model(path, KIND), path)

    @classmethod
    def of(cls, header: dict[str, Any], arrays: dict[str, Array], path: str | Path) -> CompressionModel:
        """From what a model file holds."""
        with reading(path, "a compression model"):
            given = Fields(header)
            system = given.text("system")
            if system not in SYSTEMS:
                raise InputError(f"a model of the system {quoted(system)}, expected {', '.join(SYSTEMS)}.")
            bits = given.integer("bits", 0)
            weights, rule = hashed_weights(arrays, "weights", bits), LengthRule.of(given)
            price = given.number("price") if "price" in header else None
            if price is not None and abs(price) > LARGEST_MAGNITUDE:
                raise InputError("field 'price' is beyond use.")
            parser, parser_hash = given.text("parser"), given.text("parser_hash")
            return cls(system, bits, weights, rule, parser, parser_hash, price, templates_of(header))


def templates_of(header: dict[str, Any]) -> Templates:
    """From the field `templates`; models of before have the paper's."""
    found = Fields(header).text("templates") if "templates" in header else "paper"
    for templates in TEMPLATES:
        if templates == found:
            return templates
    raise InputError(f"field 'templates' is {quoted(found)}, expected {' or '.join(TEMPLATES)}.")


def instance_of(
    sentence: ParsedSentence,
    system: System,
    scores: Floats,
    length: int,
    name: str,
    gold: ParsedPair | None = None,
    **changes: Any,
) -> CompressionInstance:
    """Part scores as an instance. The subtree models take the source tree as it is, projective or not."""
    tokens, bigrams, arcs = split(scores, len(sentence))
    return CompressionInstance(
        **{
            "name": name,
            "token_scores": tokens,
            "bigram_scores": bigrams,
            "arc_scores": arcs,
            "length": length,
            "words": sentence.words,
            "tags": sentence.tags,
            "source_heads": sentence.heads,
            "gold_kept": None if gold is None else gold.kept,
            "gold_heads": None if gold is None else gold.heads,
            "projective": system not in SUBTREES,
            "formulation": "flow" if system in SUBTREES else "factors",
            **changes,
        }
    )
