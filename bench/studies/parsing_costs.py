"""What each subproblem of third-order parsing costs as sentences grow: the measurements behind `dualbench reproduce martins-table1`.

For each kind of component the CPU time of one call of all its oracles (`maximize`, Eq. 2 of the turbo parser paper), and that of an AD3
iteration in which every factor is solved (Eq. 3, active sets warm), for the three columns of Table 1: all arcs, K = 10 heads per
word, and in addition at most J = 10 modifiers per head (no posterior threshold, so that K is reached). Exponents are those of a power
law that is fitted to the longer half of the lengths. Our tree oracle is the dense O(L^2) one in every column.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from timeit import Timer
from typing import Any, NamedTuple

import numpy as np

from problems import get_task
from problems.parsing.generate import noisy_instance
from problems.parsing.gold import PROFILES, draw_tree, draw_words
from problems.parsing.instance import ParsingInstance
from solvers.ad3_engine import Engine, load_kernels
from solvers.base import cpu_clock

from ..analysis.growth import PowerLaw, fit_power_law

K, J = 10, 10
PRUNINGS: dict[str, dict[str, Any]] = {  # the columns of Table 1
    "no pruning": {"most_heads": None},
    "K heads": {"most_heads": K, "threshold": 0.0},
    "K heads, J modifiers": {"most_heads": K, "threshold": 0.0, "most_modifiers": J},
}
LENGTHS, PRUNED_LENGTHS = (10, 15, 20, 30, 40, 50), (20, 40, 60, 80, 120, 160)
QUICK_LENGTHS, QUICK_PRUNED_LENGTHS = (8, 12, 16), (15, 25, 40)
COMPONENTS = {  # our kind of factor, and the paper's name
    "arborescence": "TREE",
    "grand_siblings": "GSIB",
    "tri_siblings": "TSIB",
    "head_bigrams": "SEQ",
    "pair": "ASIB",
}
ITERATION = "AD3 iteration"
FIRST_SEED, SENTENCES = 3001, 12  # of each length
REPEATS = 7
DRAWS = 8  # of random scores: how many cycles the tree oracle meets depends on them
CALLS_MS = 2.0  # a measurement is as many calls as take this long


class Growth(NamedTuple):
    """Median seconds of one call by length, and the power law of the longer half with the number of sentences in it."""

    pruning: str
    name: str
    lengths: tuple[int, ...]
    seconds: tuple[float, ...]
    law: PowerLaw
    sentences: int


def measure(quick: bool = False) -> list[Growth]:
    """The growth of every component and of an iteration, pruning by pruning."""
    load_kernels()
    count = 1 if quick else SENTENCES
    found = []
    for pruning, limits in PRUNINGS.items():
        full, short = (LENGTHS, QUICK_LENGTHS) if pruning == "no pruning" else (PRUNED_LENGTHS, QUICK_PRUNED_LENGTHS)
        lengths = short if quick else full
        measured = [
            [costs(sentence(length, seed, limits)) for seed in range(FIRST_SEED, FIRST_SEED + count)]
            for length in lengths
        ]
        for name in (*COMPONENTS.values(), ITERATION):
            seconds = [[each[name] for each in row] for row in measured]
            found.append(growth(pruning, name, lengths, seconds))
    return found


def growth(pruning: str, name: str, lengths: tuple[int, ...], seconds: list[list[float]]) -> Growth:
    """`seconds` of each sentence, by length."""
    longer = range(len(lengths) // 2 - 1 if len(lengths) > 3 else 0, len(lengths))
    points = [(lengths[place], value) for place in longer for value in seconds[place]]
    law = fit_power_law(*np.array(points, dtype=np.float64).T)
    assert law is not None  # at least three points
    return Growth(pruning, name, lengths, tuple(map(median, seconds)), law, len(points))


def sentence(length: int, seed: int, limits: dict[str, Any]) -> ParsingInstance:
    rng = np.random.default_rng([seed, length])
    tree = draw_tree(rng, length, PROFILES["en"])
    return noisy_instance(rng, f"length-{length}", *draw_words(rng, tree), tree, **limits)


def costs(instance: ParsingInstance) -> dict[str, float]:
    """Seconds per kind of component, and of an AD3 iteration."""
    from problems.kernels.ad3 import activate_all

    graph = get_task("parsing").graph(instance)
    rng = np.random.default_rng(1)
    found = {}
    for block in graph.blocks:
        if block.kind in COMPONENTS:
            draws = rng.standard_normal((DRAWS, len(block.variables)))
            work = lambda block=block, draws=draws: [block.maximize(scores) for scores in draws]  # noqa: E731
            found[COMPONENTS[block.kind]] = seconds_of(work) / DRAWS
    engine = Engine(graph, 2.0)
    engine.iterate(5, 0.0)

    def iteration() -> None:
        activate_all(engine.layout, engine.state)
        engine.iterate(1, 0.0)

    found[ITERATION] = seconds_of(iteration)
    return found


def seconds_of(work: Callable[[], Any]) -> float:
    """The median CPU time of one call."""
    timer = Timer(work, timer=cpu_clock)
    work()
    calls = max(1, int(CALLS_MS / 1000 / max(timer.timeit(1), 1e-7)))
    return median(timer.repeat(REPEATS, calls)) / calls
