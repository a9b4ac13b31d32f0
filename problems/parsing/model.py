"""A trained parser in one file: tagger, pruner, parts and labels.

The header holds the order, the tags and labels, the pruner's limits and the templates as text, so that a model stays readable when
the templates of new ones change. Tags that a sentence lacks are predicted first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quoted
from ..linear_program import Integers
from ..models.model_file import read_model, write_model
from ..models.reading import reading, vector
from ..storage import Fields
from ..text.tagger import Tagger
from ..text.treebank import Sentence
from .dictionary import ArcDictionary
from .instance import ORDERS, Order, ParsingInstance
from .kinds import are_universal
from .labels import Labeler
from .pruning import MOST_HEADS
from .scoring import PartScorer, Pruner, Words
from .templates import FIRST_ORDER, KINDS, TEMPLATES, Templates, is_morphological, parser_program

KIND = "parser"
THRESHOLD = 1e-2  # of the learned pruner; see docs/learning-parser.md
Weights = NDArray[np.float32]


@dataclass(frozen=True)
class ParserModel:
    order: Order
    single_root: bool
    tags: list[tuple[str, str]]
    labels: list[str]
    tagger_weights: Weights = field(repr=False)
    pruner_weights: Weights = field(repr=False)
    part_weights: Weights = field(repr=False)
    label_weights: Weights = field(repr=False)
    most_heads: int = MOST_HEADS
    threshold: float = THRESHOLD
    dictionary: ArcDictionary | None = field(default=None, repr=False)
    templates: Templates = field(default_factory=lambda: TEMPLATES, repr=False)
    figures: dict[str, Any] = field(default_factory=dict, repr=False)  # what it was trained on, for people
    tagger: Tagger = field(init=False, repr=False)
    pruner: Pruner = field(init=False, repr=False)
    scorer: PartScorer = field(init=False, repr=False)
    labeler: Labeler = field(init=False, repr=False)

    def __post_init__(self) -> None:
        first, program = parser_program(self.templates, True), parser_program(self.templates, self.order == "1")
        pruner = Pruner(PartScorer(first, self.pruner_weights), self.most_heads, self.threshold, self.dictionary)
        made = {
            "tagger": Tagger(self.tags, self.tagger_weights),
            "pruner": pruner,
            "scorer": PartScorer(program, self.part_weights),
            "labeler": Labeler(self.labels, program, self.label_weights),
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @cached_property
    def has_universal_tags(self) -> bool:
        return are_universal(coarse for coarse, _ in self.tags)

    @property
    def uses_morphology(self) -> bool:
        """Do its features ask for lemmas or morphological features?"""
        return any(is_morphological(template) for templates in self.templates.values() for template in templates)

    def prepared(self, sentence: Sentence) -> Words:
        """The sentence for the kernels; tags that are missing are predicted first."""
        if not sentence.words:
            raise InputError(f"sentence {sentence.name!r} has no words.")
        return Words.of(self.tagger.completed(sentence), self.has_universal_tags)

    def known_order(self, order: Order | None = None) -> Order:
        """The order if the model has scores for it; without one, the model's."""
        order = self.order if order is None else order
        if order not in ORDERS or ORDERS.index(order) > ORDERS.index(self.order):
            raise InputError(f"a model of order {self.order!r} has no scores for order {order!r}.")
        return order

    def instance(self, sentence: Sentence, order: Order | None = None) -> ParsingInstance:
        """The parsing problem of a sentence over its pruned arcs, in the model's order or a smaller one."""
        order = self.known_order(order)
        words = self.prepared(sentence)
        heads, modifiers = self.arcs(words, order)
        instance = self.scorer.instance(words, heads, modifiers, order, self.single_root)
        if sentence.heads and len(sentence.labels) == len(sentence.heads):
            instance = replace(instance, labels=sentence.labels)
        return instance

    def arcs(self, words: Words, order: Order) -> tuple[Integers, Integers]:
        """The candidate arcs. First order needs no pruner: what the dictionary allows is decoded as fast as it is pruned."""
        find = self.pruner.possible if order == "1" else self.pruner.arcs
        return find(words, self.single_root)

    def labelled(self, sentence: Sentence, tree: tuple[int, ...]) -> Sentence:
        """The sentence with this tree and the labels of its arcs."""
        words = self.prepared(sentence)
        heads: Integers = np.asarray(tree, dtype=np.int64)
        return replace(words.sentence, heads=tuple(tree), labels=self.labeler.label(words, heads))

    def write(self, path: str | Path) -> None:
        header = {
            "order": self.order,
            "single_root": self.single_root,
            "coarse_tags": [coarse for coarse, _ in self.tags],
            "fine_tags": [fine for _, fine in self.tags],
            "labels": self.labels,
            "most_heads": self.most_heads,
            "threshold": self.threshold,
            "templates": {kind: list(templates) for kind, templates in self.templates.items()},
            "figures": self.figures,
        }
        arrays: dict[str, Any] = {
            "tagger": self.tagger_weights,
            "pruner": self.pruner_weights,
            "parts": self.part_weights,
            "labels": self.label_weights,
        }
        if self.dictionary is not None:
            header["dictionary"] = list(self.dictionary.tags)
            arrays["dictionary"] = self.dictionary.longest.ravel().astype(np.float32)  # exact: distances are small
        write_model(path, KIND, header, arrays)

    @classmethod
    def read(cls, path: str | Path) -> ParserModel:
        """A model from its file; InputError names the file and what is wrong with it."""
        header, arrays = read_model(path, KIND)
        with reading(path, "a parser model"):
            return cls._from(header, arrays)

    @classmethod
    def _from(cls, header: dict[str, Any], arrays: dict[str, Any]) -> ParserModel:
        given = Fields(header)
        order = given.text("order")
        if order not in ORDERS:
            raise InputError(f"field 'order' must be one of {', '.join(ORDERS)}, not {quoted(order)}.")
        tags = list(zip(given.texts("coarse_tags"), given.texts("fine_tags"), strict=True))
        labels = given.texts("labels")
        if not tags or not labels:
            raise InputError("fields 'coarse_tags', 'fine_tags' and 'labels' must not be empty.")
        templates = {kind: tuple(header["templates"][kind]) for kind in KINDS}
        if FIRST_ORDER in header["templates"]:
            templates[FIRST_ORDER] = tuple(header["templates"][FIRST_ORDER])
        weights = {}
        for name in ("tagger", "pruner", "parts", "labels"):
            array = vector(arrays, name)
            if len(array) & (len(array) - 1) or len(array) < 2:
                raise InputError(f"array {name!r} must hold 2^bits weights.")
            weights[name] = array.astype(np.float32, copy=False)
        dictionary = None
        if "dictionary" in header:
            known = given.texts("dictionary")
            longest = vector(arrays, "dictionary").astype(np.int32)
            if len(longest) != 2 * (len(known) + 1) ** 2:
                raise InputError(
                    "array 'dictionary' must hold two distances for each two of the tags in field 'dictionary'."
                )
            dictionary = ArcDictionary(tuple(known), longest.reshape(len(known) + 1, len(known) + 1, 2))
        return cls(
            dictionary=dictionary,
            order=order,
            single_root=given.boolean("single_root", True),
            tags=tags,
            labels=list(labels),
            tagger_weights=weights["tagger"],
            pruner_weights=weights["pruner"],
            part_weights=weights["parts"],
            label_weights=weights["labels"],
            most_heads=given.integer("most_heads", 1),
            threshold=given.number("threshold"),
            templates=templates,
            figures=dict(header.get("figures", {})),
        )
