"""Averaged perceptrons for the parser's classifiers: tags of words and labels of arcs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from problems.linear_program import Integers
from problems.parsing.atoms import tagger_rows
from problems.parsing.scoring import Words
from problems.parsing.templates import tagger_program
from problems.text.tagger import ANY_TAG, Tag, Tagger, tag_set
from problems.text.treebank import Sentence

from ..loop import train
from .learners import InPlace

Item = TypeVar("Item")
Found = TypeVar("Found")


@dataclass(frozen=True)
class TaggingExample:
    name: str
    rows: Integers
    gold: Integers


class TaggerLearner(InPlace):
    """Greedy tagging with its own tags as context; every wrong word is an update."""

    def __init__(self, tags: list[Tag], bits: int) -> None:
        super().__init__(bits, {"tags": len(tags)})
        self.numbers = {tag: number for number, tag in enumerate(tags)}
        self.program = tagger_program()

    def example(self, sentence: Sentence) -> TaggingExample:
        pairs = zip(sentence.coarse, sentence.fine, strict=True)
        gold = [self.numbers.get(pair, self.numbers.get((pair[0], pair[0]), 0)) for pair in pairs]
        return TaggingExample(sentence.name, tagger_rows(sentence.words), np.array(gold, dtype=np.int64))

    def step(self, example: TaggingExample) -> float:
        """One sentence; returns the share of wrong tags."""
        from problems.kernels.multiclass import tag_words

        shift = 64 - self.bits
        found = tag_words(
            example.rows, self.program, self.weights, self.totals, shift, len(self.numbers), ANY_TAG, example.gold,
            self.time,
        )  # fmt: skip
        self.time += len(found)
        return float((found != example.gold).mean())


@dataclass(frozen=True)
class LabelExample:
    """A sentence with a tree: the gold one, or one that a parser found."""

    words: Words
    tree: Integers

    @property
    def name(self) -> str:
        return self.words.name


class LabelLearner(InPlace):
    """Labels of the arcs that are right; every wrong one is an update. Arcs around them may be wrong, as they are at test time."""

    def __init__(self, labels: list[str], program: Integers, bits: int) -> None:
        super().__init__(bits, {"labels": len(labels), "program": len(program)})
        self.numbers = {label: number for number, label in enumerate(labels)}
        self.program = program

    def step(self, example: LabelExample) -> float:
        """One sentence; returns the share of wrong labels."""
        from problems.kernels.multiclass import label_arcs

        words, tree = example.words, example.tree
        gold = np.array([self.numbers[label] for label in words.sentence.labels], dtype=np.int64)
        right = tree == np.asarray(words.sentence.heads)
        gold = np.where(right, gold, -1)
        found = label_arcs(
            words.rows, words.kinds, tree, self.program, self.weights, self.totals, 64 - self.bits,
            len(self.numbers), gold, self.time,
        )  # fmt: skip
        self.time += len(found)
        return float(((found != gold) & right).mean())


def train_tagger(sentences: Sequence[Sentence], bits: int, epochs: int, seed: int) -> Tagger:
    """A tagger of these sentences' tags."""
    tags = tag_set(sentences)
    learner = TaggerLearner(tags, bits)
    examples = [learner.example(sentence) for sentence in sentences]
    found = train(examples, learner, epochs=epochs, seed=seed)
    return Tagger(tags, found.weights["weights"])  # type: ignore[arg-type]


def jackknifed(sentences: Sequence[Sentence], folds: int, bits: int, epochs: int, seed: int) -> list[Sentence]:
    """The sentences with tags predicted by taggers that have not seen them."""
    return by_others(sentences, folds, lambda others: train_tagger(others, bits, epochs, seed).tagged)


def by_others(
    items: Sequence[Item], folds: int, learned: Callable[[list[Item]], Callable[[Item], Found]]
) -> list[Found]:
    """What the items of each fold get from a function that was learned from the other folds."""
    found: dict[int, Found] = {}
    for fold in range(folds):
        apply = learned([item for number, item in enumerate(items) if number % folds != fold])
        found |= {number: apply(items[number]) for number in range(fold, len(items), folds)}
    return [found[number] for number in range(len(items))]
