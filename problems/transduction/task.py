"""The task `transduction`: sentence compression by a synchronous grammar and n-grams of the kept words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..compression.pairs import CORPORA
from ..errors import InputError
from ..factor_graph import FactorGraph
from ..linear_program import Floats
from ..metrics.transduction import TRANSDUCTION_METRICS, evaluate_transduction
from ..profile import Profile
from ..task import Task
from ..text.render import as_sentence
from . import instance as rules
from .best import load_kernels, round_kept, round_search
from .enumerate import count_derivations, derivations
from .graph import assignment_of, build_graph, transduction_of
from .instance import Transduction, TransductionInstance
from .sizes import DEFAULT_SIZE, SIZES
from .storage import from_document, to_document


class TransductionTask(Task[TransductionInstance, Transduction]):
    """Tree transduction for sentence compression: rules of a packed forest with n-gram scores (Yao, Wan & Xiao 2014).

    Sizes: `news` has the lengths of news sentences, and a number is a length. A suffix changes the model: `-trigram` or
    `-discriminative` scores instead of bigrams, `-fixed` length, `-strong` n-gram scores, or one model alone
    (`-rules-alone`, `-discriminative-alone`).
    """

    name = "transduction"
    sizes = tuple(SIZES)
    default_size = DEFAULT_SIZE
    roundings = ("search", "kept")
    factor_kinds = ("derivation",)
    corpora = CORPORA
    metrics = TRANSDUCTION_METRICS

    def _generate(self, seed: int, size: str) -> TransductionInstance:
        from .generate import generate

        return generate(seed, size)

    def _read_corpus(
        self, name: str, folder: Path, split: str | None, model: str | Path | None
    ) -> Iterator[TransductionInstance]:
        """Test pairs with a trained model's rules and discriminative bigrams; lengths by the model's rule."""
        from ..compression.corpora import read_corpus
        from .learned.model import TransductionModel

        if model is None:
            raise InputError(f"corpus {name!r} has no scores: 'model' must name a trained transduction model.")
        trained = TransductionModel.read(model)
        for pair in read_corpus(name, folder, split or "test", trained.parser_hash, Path(model)):
            length = trained.rule.length(len(pair.sentence))
            yield trained.instance(pair.sentence, pair.name, "discriminative", length, pair.kept)

    def own_corpus(self, name: str, folder: Path) -> bool:
        from ..compression.pairs import own_home

        return own_home(name, folder) is not None

    def _from_document(self, document: dict[str, Any]) -> TransductionInstance:
        return from_document(document)

    def _to_document(self, instance: TransductionInstance) -> dict[str, Any]:
        return to_document(instance)

    def length(self, instance: TransductionInstance) -> int:
        return instance.number_of_words

    def profile(self, instance: TransductionInstance) -> Profile:
        variant = "trigrams" if instance.bigram_scores is None else "bigrams"
        variant += "" if instance.length is None else ", fixed length"
        sizes = {"words": len(instance.words), "edges": len(instance.forest.tails)}
        weight = 100.0 * abs(instance.ngram_weight) / max(abs(instance.rule_weight), 0.01)
        return Profile(self.name, variant, {**sizes, "% n-gram weight": weight})

    def objective(self, instance: TransductionInstance, structure: Transduction) -> float:
        return rules.objective(instance, structure)

    def broken(self, instance: TransductionInstance, structure: Transduction) -> str | None:
        return rules.broken(instance, structure)

    def evaluate(self, instance: TransductionInstance, structure: Transduction) -> dict[str, float]:
        return evaluate_transduction(instance.number_of_words, structure[0], instance.source_heads, instance.gold_kept)

    def render(self, instance: TransductionInstance, structure: Transduction) -> list[str]:
        kept, derivation = structure
        sentence = as_sentence([instance.words[word - 1] for word in kept])
        if not instance.edge_rules:
            return [sentence]
        return [sentence, *(instance.edge_rules[edge] for edge in derivation if instance.edge_rules[edge])]

    def marked(self, instance: TransductionInstance, structure: Transduction) -> list[list[tuple[str, bool]]]:
        kept = set(structure[0])
        return [[(word, number in kept) for number, word in enumerate(instance.words, 1)]]

    def structures(self, instance: TransductionInstance) -> Iterator[Transduction]:
        for kept, derivation in derivations(instance.forest):
            if kept and (instance.length is None or len(kept) == instance.length):
                yield kept, derivation

    def count_structures(self, instance: TransductionInstance) -> float:
        return count_derivations(instance.forest)

    def graph(self, instance: TransductionInstance) -> FactorGraph:
        return build_graph(instance)

    def assignment(self, instance: TransductionInstance, structure: Transduction) -> Floats:
        return assignment_of(instance, structure)

    def structure(self, instance: TransductionInstance, assignment: Floats) -> Transduction:
        return transduction_of(instance, assignment)

    def prepare(self) -> None:
        load_kernels()

    def round(self, instance: TransductionInstance, posteriors: Floats, rounding: str) -> Transduction | None:
        return round_kept(instance, posteriors) if rounding == "kept" else round_search(instance, posteriors)
