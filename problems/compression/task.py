"""The task `compression`: sentence compression with bigrams and a dependency tree over the kept words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Floats
from ..metrics.compression import COMPRESSION_METRICS, evaluate_compression
from ..profile import Profile
from ..task import Task
from ..text.render import as_sentence
from . import instance as rules
from .graph import assignment_of, build_graph, compression_of
from .instance import Compression, CompressionInstance
from .pairs import CORPORA
from .rounding import load_kernels, round_kept, round_search
from .sizes import ALL_SIZES, DEFAULT_SIZE
from .storage import from_document, to_document
from .trees import all_trees, count_head_vectors, count_projective_trees, projective_trees


class CompressionTask(Task[CompressionInstance, Compression]):
    """Sentence compression: choose L words of a sentence by token, bigram and dependency scores (Qian & Liu 2014).

    Sizes: `news` has the lengths of news sentences, and a number is a length. Sizes with `hard` have independent random
    scores. `-flow` and `-chart` name the formulation of the factor graph; `-nonprojective` lifts projectivity.
    """

    name = "compression"
    sizes = ALL_SIZES
    default_size = DEFAULT_SIZE
    roundings = ("search", "kept")
    factor_kinds = ("derivation", "budget")
    corpora = CORPORA
    metrics = COMPRESSION_METRICS

    def _generate(self, seed: int, size: str) -> CompressionInstance:
        from .generate import generate

        return generate(seed, size)

    def _read_corpus(
        self, name: str, folder: Path, split: str | None, model: str | Path | None
    ) -> Iterator[CompressionInstance]:
        """Test pairs with a trained model's scores; lengths by the model's rule."""
        from .corpora import read_corpus
        from .model import CompressionModel

        if model is None:
            raise InputError(f"corpus {name!r} has no scores: 'model' must name a trained compression model.")
        trained = CompressionModel.read(model)
        for pair in read_corpus(name, folder, split or "test", trained.parser_hash, Path(model)):
            yield trained.instance(pair.sentence, pair.name, gold=pair)

    def own_corpus(self, name: str, folder: Path) -> bool:
        from .pairs import own_home

        return own_home(name, folder) is not None

    def _from_document(self, document: dict[str, Any]) -> CompressionInstance:
        return from_document(document)

    def _to_document(self, instance: CompressionInstance) -> dict[str, Any]:
        return to_document(instance)

    def length(self, instance: CompressionInstance) -> int:
        return instance.number_of_words

    def profile(self, instance: CompressionInstance) -> Profile:
        variant = "" if instance.projective else "not projective"
        return Profile(self.name, variant, {"words": instance.number_of_words, "kept words": instance.length})

    def objective(self, instance: CompressionInstance, structure: Compression) -> float:
        return rules.objective(instance, structure)

    def broken(self, instance: CompressionInstance, structure: Compression) -> str | None:
        return rules.broken(instance, structure)

    def evaluate(self, instance: CompressionInstance, structure: Compression) -> dict[str, float]:
        kept, heads = structure
        return evaluate_compression(instance.number_of_words, kept, heads, instance.gold_kept, instance.gold_heads)

    def render(self, instance: CompressionInstance, structure: Compression) -> list[str]:
        kept, heads = structure
        names = self._names(instance)
        arcs = " ".join(
            f"{names[head - 1] if head else '*'}>{names[word - 1]}" for word, head in zip(kept, heads, strict=True)
        )
        return [as_sentence([names[word - 1] for word in kept]), arcs]

    def marked(self, instance: CompressionInstance, structure: Compression) -> list[list[tuple[str, bool]]]:
        kept = set(structure[0])
        return [[(name, word in kept) for word, name in enumerate(self._names(instance), 1)]]

    def _names(self, instance: CompressionInstance) -> tuple[str, ...]:
        return instance.words or tuple(f"w{word}" for word in range(1, instance.number_of_words + 1))

    def structures(self, instance: CompressionInstance) -> Iterator[Compression]:
        if instance.length == 0:
            yield (), ()
            return
        trees = projective_trees(instance.length) if instance.projective else tuple(all_trees(instance.length))
        for kept in combinations(range(1, instance.number_of_words + 1), instance.length):
            for tree in trees:
                yield kept, tuple(kept[head - 1] if head else 0 for head in tree)

    def count_structures(self, instance: CompressionInstance) -> float:
        count = count_projective_trees if instance.projective else count_head_vectors
        try:
            return float(comb(instance.number_of_words, instance.length) * count(instance.length))
        except OverflowError:
            return float(np.inf)

    def graph(self, instance: CompressionInstance) -> FactorGraph:
        return build_graph(instance)

    def assignment(self, instance: CompressionInstance, structure: Compression) -> Floats:
        return assignment_of(instance, structure)

    def structure(self, instance: CompressionInstance, assignment: Floats) -> Compression:
        return compression_of(instance, assignment)

    def prepare(self) -> None:
        load_kernels()

    def round(self, instance: CompressionInstance, posteriors: Floats, rounding: str) -> Compression:
        return round_kept(instance, posteriors) if rounding == "kept" else round_search(instance, posteriors)
