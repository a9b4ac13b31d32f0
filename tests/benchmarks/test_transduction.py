"""CPU times of the solvers of tree transduction at 10, 20, 30 and 40 words, and of the language model.

The whole `solve()` call is timed: building the graph, decoding, rounding, and the harness's own check of the structure.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from problems import get_task
from problems.language import NgramModel, estimate, trigram_table
from problems.transduction.instance import TransductionInstance
from solvers import get_solver
from solvers.subgradient import ALGORITHM_1

SEEDS = range(10)
LENGTHS = ("10", "20", "30", "40")
FAST: list[tuple[str, dict[str, Any]]] = [
    ("dp-transduction", {}),
    ("dp-ngram", {}),
    ("beam", {}),
    ("beam", {"width": 200}),
    ("rerank", {}),
    ("ad3", {}),
    ("subgradient", {}),
    ("subgradient", ALGORITHM_1),
]
BIGRAM: list[tuple[str, dict[str, Any]]] = [("dp-exact", {}), ("dp-bigram", {})]
LINEAR: list[tuple[str, dict[str, Any]]] = [
    ("ad3-exact", {"time_limit": 20.0}),
    ("lp-highs", {}),
    ("lp-glop", {}),
    ("ilp-highs", {"time_limit": 20.0}),
    ("ilp-cpsat", {"time_limit": 20.0}),
]
CASES = [
    *((name, options, size) for size in LENGTHS for name, options in (*FAST, *BIGRAM, *LINEAR)),
    *((name, options, f"{size}-fixed") for size in LENGTHS for name, options in (*FAST, *BIGRAM)),
    *((name, options, f"{size}-trigram") for size in LENGTHS for name, options in FAST),
    *((name, options, size) for size in ("25", "25-trigram") for name, options in FAST),
]


def label(name: str, options: dict[str, Any], size: str) -> str:
    detail = "algorithm 1" if options is ALGORITHM_1 else " ".join(f"{key}={value}" for key, value in options.items())
    return "-".join(filter(None, (name, detail, size)))


@cache
def sentences(size: str) -> list[TransductionInstance]:
    return [get_task("transduction").generate(seed, size) for seed in SEEDS]


@pytest.mark.parametrize(("name", "options", "size"), CASES, ids=[label(*case) for case in CASES])
def test_solve(benchmark: Any, name: str, options: dict[str, Any], size: str) -> None:
    """Ten sentences, one after the other: divide by ten."""
    task = get_task("transduction")
    instances = sentences(size)
    solver = get_solver(name, "transduction", **options)
    solver.solve(task.generate(0, "tiny" + size.partition("-")[1] + size.partition("-")[2]))  # imports, compilation
    benchmark.group = f"transduction, {size} words, {len(instances)} sentences"
    rounds = 1 if (name, options) in LINEAR else 5
    solutions = benchmark.pedantic(lambda: [solver.solve(each) for each in instances], rounds=rounds, iterations=1)
    assert all(solution.status != "timeout" for solution in solutions)
    benchmark.extra_info["certified"] = sum(solution.status == "optimal" for solution in solutions)
    benchmark.extra_info["iterations"] = [solution.iterations for solution in solutions]
    benchmark.extra_info["cpu_seconds"] = [solution.cpu_seconds for solution in solutions]


def zipf_sentences(tokens: int) -> list[list[str]]:
    """Text with the vocabulary and the length of lines of newspapers, but no sense."""
    random = np.random.default_rng(0)
    words = np.minimum(random.zipf(1.3, tokens), 30_000).tolist()
    return [[f"w{word}" for word in words[start : start + 20]] for start in range(0, tokens, 20)]


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return estimate(zipf_sentences(1_000_000))


def test_estimate(benchmark: Any) -> None:
    """A million words."""
    sentences = zipf_sentences(1_000_000)
    found = benchmark.pedantic(lambda: estimate(sentences), rounds=1, iterations=1)
    benchmark.extra_info["ngrams"] = found.counts


@pytest.mark.parametrize("queries", ["of the text", "random"])
def test_queries(benchmark: Any, model: NgramModel, queries: str) -> None:
    """A million trigram queries in one call."""
    count = 1_000_000
    if queries == "random":
        words = np.random.default_rng(1).integers(0, len(model.vocabulary), count + 2)
    else:
        words = model.encode([word for sentence in zipf_sentences(count + 20) for word in sentence])[: count + 2]
    first, second, third = words[:-2], words[1:-1], words[2:]
    model.score(first[:1], second[:1], third[:1])
    scores = benchmark(model.score, first, second, third)
    assert scores.shape == (count,)


@pytest.mark.parametrize("length", [25, 40])
def test_table(benchmark: Any, model: NgramModel, length: int) -> None:
    """All trigrams that deletion can make of a sentence."""
    words = zipf_sentences(length * 20)[0] * 2 + ["w1"] * length
    trigram_table(model, words[:2])
    assert benchmark(trigram_table, model, words[:length]).shape == (length + 2,) * 3
