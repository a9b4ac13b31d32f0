"""Small instances of tasks: generated ones with a brute-force optimum, and corner cases of the built-in tasks by hand."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache, partial
from typing import Any

import numpy as np

from problems import get_task
from problems.compression.instance import CompressionInstance
from problems.errors import InputError
from problems.extraction.instance import Concept, ExtractionInstance
from problems.factors.derivation import forest_of
from problems.parsing.instance import ParsingInstance
from problems.summarization.instance import Concept as SpanConcept
from problems.summarization.instance import Sentence, SummarizationInstance
from problems.transduction.instance import TransductionInstance

from .canonical import Problem

MOST_STRUCTURES = 20_000  # that brute force goes through
SEEDS = range(20)
GENERATED = 2  # instances per task


def task_problems(name: str) -> list[Problem]:
    """The small problems of a task."""
    return [*_BY_HAND.get(name, ()), *_generated(name)]


@cache
def _generated(name: str) -> tuple[Problem, ...]:
    """The first generated instances that are small enough for brute force, in the task's smallest size."""
    task = get_task(name)
    size = "tiny" if "tiny" in task.sizes else task.default_size
    found: list[Problem] = []
    for seed in SEEDS:
        instance = _instance(name, seed, size)
        if instance is None or task.count_structures(instance) > MOST_STRUCTURES:
            continue
        optimum = max((task.objective(instance, each) for each in task.structures(instance)), default=None)
        found.append(Problem(f"{name}, {size} {seed}", name, partial(task.generate, seed, size), optimum))
        if len(found) == GENERATED:
            break
    return tuple(found)


def _instance(name: str, seed: int, size: str) -> Any:
    try:
        return get_task(name).generate(seed, size)
    except InputError:  # a task of the user's own that has no generator
        return None


def hard_instance(name: str) -> Any:
    """An instance of a task that takes a while: its size `zipf`, or else its default."""
    task = get_task(name)
    return _instance(name, 1, "zipf" if "zipf" in task.sizes else task.default_size)


def _by_hand(kind: type[Any], label: str, optimum: float | None, *parts: Any, **options: Any) -> Problem:
    """An instance that is called like its label, made of copies of these parts."""
    make = lambda: kind(label, *deepcopy(parts), **deepcopy(options))  # noqa: E731
    return Problem(f"{kind.task}, {label}", kind.task, make, optimum)


def _extraction() -> Iterator[Problem]:
    def of(
        label: str, optimum: float, lengths: tuple[int, ...], concepts: list[tuple[float, tuple[int, ...]]]
    ) -> Problem:
        made = tuple(Concept(f"c{number}", *concept) for number, concept in enumerate(concepts))
        return _by_hand(ExtractionInstance, label, optimum, lengths, made, budget=5)

    yield of("no sentences", 0.0, (), [])
    yield of("nothing fits", 0.0, (6, 7), [(1.0, (0,)), (2.0, (1,))])
    yield of("overlapping concepts", 5.0, (3, 3, 2), [(2.0, (0, 1)), (2.0, (1,)), (1.0, (2,)), (1.5, (0,))])
    yield of("a concept that repels", 1.0, (2, 2), [(-3.0, (0,)), (2.0, (0, 1)), (-1.0, (1,)), (0.5, (0,))])
    yield of("zero scores", 0.0, (1, 2), [(0.0, (0,)), (0.0, (1,))])
    yield of("empty sentences", 3.0, (0, 5, 0), [(1.0, (0,)), (1.5, (1,)), (0.5, (2,))])


def _summarization() -> Iterator[Problem]:
    def of(
        label: str, optimum: float, sentences: list[Sentence], concepts: list[SpanConcept], budget: int = 2
    ) -> Problem:
        return _by_hand(SummarizationInstance, label, optimum, tuple(sentences), tuple(concepts), budget, 6)

    chain = Sentence((0, 1, 2), (0.0, 0.25, -0.5), (False, False, False))
    pair = Sentence((0, 1), (0.0, -0.25), (False, False))
    yield of("no sentences", 0.0, [], [])
    yield of("no concepts", 0.25, [chain], [])  # keeping the root alone earns the deletion of its child
    yield of("a concept too long", 0.25, [chain], [SpanConcept("c", 1.0, ((0, 1, 3),))])
    yield of("a compression", 0.5, [chain], [SpanConcept("c", 1.0, ((0, 1, 2),))])  # 1.0 - 0.5
    yield of("two sentences", 1.0, [chain, pair], [SpanConcept("c", 1.0, ((0, 1, 2), (1, 1, 2)))])


def _parsing() -> Iterator[Problem]:
    def of(label: str, optimum: float, words: int, scores: list[float], **options: Any) -> Problem:
        arcs = [(head, modifier) for modifier in range(1, words + 1) for head in range(words + 1) if head != modifier]
        heads, modifiers = np.array(arcs).T
        made = ("w",) * words, heads, modifiers, np.array(scores)
        return _by_hand(ParsingInstance, label, optimum, *made, **options)

    yield of("one word", 1.5, 1, [1.5])
    yield of("two words", 4.0, 2, [1.0, 3.0, 1.0, 2.0])
    yield of("two words, single root", 4.0, 2, [3.0, 1.0, 3.0, 1.0], single_root=True)
    yield of("zero scores", 0.0, 2, [0.0] * 4)
    yield of("crossing arcs", 7.0, 3, [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0, 1.0])
    yield of("no crossing arcs", 5.0, 3, [0.0, 1.0, -9.0, 1.0, 0.0, -9.0, -9.0, 5.0, 1.0], projective=True)


def _compression() -> Iterator[Problem]:
    def of(
        label: str,
        optimum: float,
        length: int,
        tokens: list[float],
        arcs: dict[tuple[int, int], float],
        ends: float = 0.0,
    ) -> Problem:
        words = len(tokens)
        arc_scores, bigrams = np.zeros((words + 1, words)), np.zeros((words + 2, words + 2))
        for (head, modifier), score in arcs.items():
            arc_scores[head, modifier - 1] = score
        bigrams[0, words + 1] = ends
        made, source = (np.array(tokens), bigrams, arc_scores, length), (0, *range(1, words))
        return _by_hand(CompressionInstance, label, optimum, *made, source_heads=source)

    yield of("one word", 1.5, 1, [1.0], {(0, 1): 0.5})
    yield of("no word", -0.25, 0, [1.0, 2.0], {(0, 1): 0.5}, -0.25)
    yield of("crossing arcs", 5.0, 3, [0.0] * 3, {(0, 2): 1.0, (2, 1): 1.0, (1, 3): 5.0})  # all three would be worth 7
    yield of("one root", 3.5, 2, [1.0, 1.0, 0.0], {(0, 1): 1.0, (0, 2): 1.5})  # two roots would be worth 4.5
    yield of("zero scores", 0.0, 2, [0.0] * 4, {})


def _transduction() -> Iterator[Problem]:
    def of(
        label: str, optimum: float | None, deletion: float, bigrams: dict[tuple[int, int], float], **parts: Any
    ) -> Problem:
        """Two words, each of which may be deleted at a price, but not both."""
        links = np.array([[-1, -1], [0, -1], [1, -1], [-1, -1]])
        derived, first, second = np.array([1, 2, 3, 3, 3]), np.array([0, 0, 1, 1, 2]), np.array([0, 0, 2, 0, 0])
        forest = forest_of(4, links, [(derived, first, second, np.array([0.0, 0.0, 0.0, deletion, deletion]))])
        scores = np.zeros((4, 4))
        for pair, score in bigrams.items():
            scores[pair] = score
        return _by_hand(TransductionInstance, label, optimum, ("one", "two"), forest, bigram_scores=scores, **parts)

    yield of("both words", 0.5, -1.0, {(0, 1): 0.25, (1, 2): 0.25})
    yield of("the second word", 1.0, -1.0, {(0, 2): 2.0, (0, 1): -1.0})
    yield of("weights", 3.5, -1.0, {(0, 2): 2.0}, rule_weight=1.5, ngram_weight=2.0, reward=1.0)  # -1.5 + 4 + 1
    yield of("a length", -2.5, -2.0, {(1, 3): -0.5, (0, 2): -1.0, (1, 2): 9.0}, length=1)
    yield of("never empty", -5.0, -2.0, {(1, 3): -9.0, (0, 2): -9.0, (1, 2): -1.0}, reward=-2.0)
    yield of("zero scores", 0.0, 0.0, {})


_BY_HAND: dict[str, tuple[Problem, ...]] = {
    "compression": tuple(_compression()),
    "extraction": tuple(_extraction()),
    "parsing": tuple(_parsing()),
    "summarization": tuple(_summarization()),
    "transduction": tuple(_transduction()),
}
