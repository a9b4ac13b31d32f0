"""The task `parsing`: non-projective dependency parsing with parts of up to third order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..factor_graph import FactorGraph
from ..linear_program import Floats
from ..profile import Profile
from ..task import Task
from . import instance as rules
from .corpora import TREEBANKS
from .generate import SIZES
from .graph import assignment_of, build_graph, tree_of
from .instance import Order, ParsingInstance, Tree
from .trees import unreachable


class ParsingTask(Task[ParsingInstance, Tree]):
    """Dependency parsing with models of first to third order (Martins, Almeida & Smith 2013).

    Sizes: `tiny` and `short` sentences, or a number of words; `ptb` and `nl` mix lengths (`nl` has 6 % non-projective arcs).
    A suffix changes the model: `-1`, `-2` and `-2+` its order (3 without suffix), `-many` uses the older decomposition of
    third order, `-single` the compact flow of LP and ILP solvers. These variants have the same sentences and scores. `-soft`
    makes the scores less decisive, and `-all` keeps all arcs. `with_order` changes the order of any instance.
    """

    name = "parsing"
    sizes = SIZES
    default_size = "ptb"
    roundings = ("tree",)
    factor_kinds = (
        *("arborescence", "projective_tree", "grand_siblings", "tri_siblings", "head_bigrams"),
        *("pair", "xor"),
    )
    corpora = TREEBANKS
    metrics = (
        "UAS",
        "UAS-ptb",
        "UAS-unicode",
        "exact match",
        "non-projective recall",
        "words",
        "correct heads",
        "words without punctuation",
        "correct without punctuation",
    )

    def _generate(self, seed: int, size: str) -> ParsingInstance:
        from .generate import generate

        return generate(seed, size)

    def _read_corpus(
        self, name: str, folder: Path, split: str | None, model: str | Path | None
    ) -> Iterator[ParsingInstance]:
        from .corpora import read_corpus

        return read_corpus(name, folder, split or "test", model)

    def own_corpus(self, name: str, folder: Path) -> bool:
        from .corpora import own_home

        return own_home(name, folder) is not None

    def _from_document(self, document: dict[str, Any]) -> ParsingInstance:
        from .storage import from_document

        return from_document(document)

    def _to_document(self, instance: ParsingInstance) -> dict[str, Any]:
        from .storage import to_document

        return to_document(instance)

    def with_order(self, instance: ParsingInstance, order: Order) -> ParsingInstance:
        """The same sentence under a smaller model."""
        return rules.with_order(instance, order)

    def length(self, instance: ParsingInstance) -> int:
        """Words of the sentence."""
        return instance.number_of_words

    def profile(self, instance: ParsingInstance) -> Profile:
        variant = f"order {instance.order}"
        variant += "" if instance.decomposition == "large" else ", many"
        variant += "" if instance.flow == "multi" else ", single flow"
        variant += ", projective" if instance.projective else ""
        parts = sum([len(getattr(instance, name)) for name in rules.SCORES])
        return Profile(self.name, variant, {"words": len(instance.words), "arcs": len(instance.heads), "parts": parts})

    def objective(self, instance: ParsingInstance, structure: Tree) -> float:
        return rules.objective(instance, structure)

    def broken(self, instance: ParsingInstance, structure: Tree) -> str | None:
        return rules.broken(instance, structure)

    def evaluate(self, instance: ParsingInstance, structure: Tree) -> dict[str, float]:
        from ..metrics.attachment import count_attachment

        if not instance.gold:
            return {}
        counts = count_attachment(instance.gold, structure, instance.words, instance.tags)
        plain = {
            "words without punctuation": counts.unicode_words,
            "correct without punctuation": counts.unicode_correct,
        }
        return {**counts.scores(), "words": counts.words, "correct heads": counts.correct, **plain}

    def render(self, instance: ParsingInstance, structure: Tree) -> list[str]:
        """The tree, indented; modifiers before their head stand above it."""
        modifiers: list[list[int]] = [[] for _ in range(len(structure) + 1)]
        for index, head in enumerate(structure):
            modifiers[head].append(index + 1)
        lines: list[str] = []
        stack = [(word, 0, False) for word in reversed(modifiers[0])]
        while stack:
            word, depth, opened = stack.pop()
            if opened:
                lines.append(f"{'    ' * depth}{instance.words[word - 1]}")
                continue
            after = [(other, depth + 1, False) for other in reversed(modifiers[word]) if other > word]
            before = [(other, depth + 1, False) for other in reversed(modifiers[word]) if other < word]
            stack += [*after, (word, depth, True), *before]
        return lines

    def structures(self, instance: ParsingInstance) -> Iterator[Tree]:
        """Every feasible tree, word by word; what already has a cycle is not followed."""
        starts = instance.automata.incoming_starts.tolist()
        choices = [instance.heads[first:last].tolist() for first, last in pairwise(starts)]
        heads: list[int] = []

        def extend() -> Iterator[Tree]:
            if len(heads) == len(choices):
                tree = tuple(heads)
                if not unreachable(tree) and rules.broken(instance, tree) is None:
                    yield tree
                return
            for head in choices[len(heads)]:
                if not _closes_cycle(heads, head):
                    heads.append(head)
                    yield from extend()
                    heads.pop()

        return extend()

    def count_structures(self, instance: ParsingInstance) -> float:
        with np.errstate(over="ignore"):
            return float(math.prod(float(count) for count in instance.automata.heads_per_word))

    def graph(self, instance: ParsingInstance) -> FactorGraph:
        return build_graph(instance)

    def assignment(self, instance: ParsingInstance, structure: Tree) -> Floats:
        return assignment_of(instance, structure)

    def structure(self, instance: ParsingInstance, assignment: Floats) -> Tree:
        return tree_of(instance, assignment)

    def prepare(self) -> None:
        _load_kernels()

    def round(self, instance: ParsingInstance, posteriors: Floats, rounding: str) -> Tree:
        from .rounding import round_tree

        return round_tree(instance, posteriors)


def _closes_cycle(heads: list[int], head: int) -> bool:
    """Would this head of the next word lead back to it?"""
    word = len(heads) + 1
    while 0 < head <= len(heads):
        head = heads[head - 1]
    return head == word


@cache
def _load_kernels() -> None:
    """Round the smallest fractional solutions there are, projective and not."""
    from .decode import best_tree

    heads, modifiers = np.array([0, 2, 0, 1]), np.array([1, 1, 2, 2])
    for projective in (False, True):
        for single_root in (False, True):
            best_tree(2, heads, modifiers, np.full(4, 0.5), single_root, projective)
