"""What `scaling` measures: the series of each task, their sizes, and how an instance of a size is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .large_graphs import grid, labels

VARIABLES = (1_000, 10_000, 31_623, 100_000, 316_228, 1_000_000)
SENTENCES = (100, 300, 1_000, 3_000, 10_000)
WORDS = (10, 20, 40, 60, 90, 130, 200)
GRAPH_ITERATIONS = 200


class Series(NamedTuple):
    """One line of a figure: a solver with its options on instances of growing size."""

    task: str
    name: str
    instances: str  # a key of INSTANCES
    solver: str
    options: dict[str, Any]
    sizes: tuple[int, ...]
    build_only: bool = False  # measure graph, program and hand-over of an LP or ILP solver, and do not solve


def parsing(words: int, seed: int, order: str = "3", most_heads: int | None = 10) -> Any:
    from problems.parsing.generate import noisy_instance
    from problems.parsing.gold import PROFILES, draw_tree, draw_words
    from problems.parsing.instance import with_order

    rng = np.random.default_rng([seed, 2013, words])
    tree = draw_tree(rng, words, PROFILES["en"])
    instance = noisy_instance(rng, f"{words}-{seed}", *draw_words(rng, tree), tree, most_heads=most_heads)
    return instance if order == "3" else with_order(instance, order)  # type: ignore[arg-type]


def projective(words: int, seed: int) -> Any:
    """Order 2: the first draw of which pruning leaves a projective tree."""
    from problems.parsing.decode import best_tree

    draw = seed
    found = parsing(words, draw, "2")
    while best_tree(words, found.heads, found.modifiers, found.arc_scores, found.single_root, True) is None:
        draw += 1000
        found = parsing(words, draw, "2")
    return found


def compression(words: int, seed: int) -> Any:
    from problems.compression.generate import generate_planted

    return generate_planted(seed, words)


def transduction(words: int, seed: int) -> Any:
    from problems.transduction.generate import Example, instance_of
    from problems.transduction.gold import gold_compression
    from problems.transduction.models import fluency, models
    from problems.transduction.sentences import sentence_of

    rng = np.random.default_rng([seed, 2014, words])
    tree = sentence_of(rng, words)
    return instance_of(Example(tree, gold_compression(tree, rng, fluency)), models(), f"{words}-{seed}")


def summarization(sentences: int, seed: int) -> Any:
    from problems.summarization.generate import generate_zipf

    return generate_zipf(seed, sentences)


def extraction(sentences: int, seed: int) -> Any:
    from problems.extraction.generate import generate_zipf

    return generate_zipf(seed, sentences)


INSTANCES: dict[str, Callable[[int, int], Any]] = {
    "grid": grid,
    "labels": labels,
    "labels, shuffled": lambda size, seed: labels(size, seed, shuffled=True),
    "summarization": summarization,
    "extraction": extraction,
    "parsing": parsing,
    "parsing, all arcs": lambda size, seed: parsing(size, seed, most_heads=None),
    "parsing, projective": projective,
    "parsing, order 2": lambda size, seed: parsing(size, seed, "2"),
    "parsing, order 1": lambda size, seed: parsing(size, seed, "1"),
    "compression": compression,
    "transduction": transduction,
}
UNITS = {
    "graphs": "variables",
    "summarization": "sentences",
    "extraction": "sentences",
    "parsing": "words",
    "compression": "words",
    "transduction": "words",
}


def _graphs() -> list[Series]:
    found = []
    bounded = {"max_iterations": GRAPH_ITERATIONS}
    for kind in ("grid", "labels", "labels, shuffled"):
        found.append(Series("graphs", f"{kind}: ad3, {GRAPH_ITERATIONS} iterations", kind, "ad3", bounded, VARIABLES))
    for kind in ("grid", "labels"):
        found.append(Series("graphs", f"{kind}: program for HiGHS", kind, "lp-highs", {}, VARIABLES, True))
        found.append(Series("graphs", f"{kind}: lp-highs", kind, "lp-highs", {}, VARIABLES))
    found.append(Series("graphs", "labels: lp-glop", "labels", "lp-glop", {}, VARIABLES))
    return found


def all_series() -> list[Series]:
    def simple(task: str, sizes: tuple[int, ...], *names: str) -> list[Series]:
        return [Series(task, name, task, name, {}, sizes) for name in names]

    return [
        *_graphs(),
        *simple("summarization", SENTENCES, "ad3", "ilp-highs"),
        Series("summarization", "program for HiGHS", "summarization", "ilp-highs", {}, SENTENCES, True),
        *simple("extraction", SENTENCES, "ad3", "greedy", "ilp-highs"),
        Series("parsing", "ad3, order 3", "parsing", "ad3", {}, WORDS),
        Series("parsing", "ad3, order 3, all arcs", "parsing, all arcs", "ad3", {}, WORDS[:5]),
        Series("parsing", "ad3, order 2", "parsing, order 2", "ad3", {}, WORDS),
        Series("parsing", "ad3, order 1", "parsing, order 1", "ad3", {}, WORDS),
        Series("parsing", "dp-eisner, order 2", "parsing, projective", "dp-eisner", {}, WORDS),
        Series("parsing", "dp-mst, order 1", "parsing, order 1", "dp-mst", {}, WORDS),
        Series("compression", "dp-exact", "compression", "dp-exact", {"lengths": "given", "memory_gb": 12.0}, WORDS),
        *simple("compression", WORDS, "dp-lagrangian", "ad3", "ilp-highs"),
        *simple("transduction", WORDS, "dp-exact", "ad3", "beam", "ilp-highs"),
    ]
