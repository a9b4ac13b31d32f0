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
TREE = "arborescence"
COMPONENTS = {  # our kind of factor, and the paper's name
    TREE: "TREE",
    "grand_siblings": "GSIB",
    "tri_siblings": "TSIB",
    "head_bigrams": "SEQ",
    "pair": "ASIB",
}
ITERATION = "AD3 iteration"
FIRST_SEED = 3001
SENTENCES, FEW = 12, 4  # of each length of the fit, and of the shorter ones, which only the figure shows
"""24 sentences gave standard errors of at most 0.05 (GSIB without pruning: 0.04, at 3.88 with a limit of 4.3), on a busy machine. The
distances to the limits are 0.2 (the tree, pruned) and more, so that half as many decide."""
ROUNDS = 5  # over all lengths: a machine that slows down for a while slows down all of them
DRAWS = 8  # of random scores
TREE_DRAWS = (
    64  # of the tree oracle: how many cycles it meets depends on them, and with 8 its power had an interval of 0.3
)
CALLS_MS = 2.0  # a measurement is as many calls as take this long


class Growth(NamedTuple):
    """Median seconds of one call by length, and the power law of the longer half with its number of sentences."""

    pruning: str
    name: str
    lengths: tuple[int, ...]
    seconds: tuple[float, ...]
    law: PowerLaw
    sentences: int

    @property
    def fitted(self) -> tuple[int, ...]:
        """The lengths of the law."""
        return tuple(self.lengths[place] for place in _fitted(self.lengths))

    @property
    def span(self) -> float:
        """The longest over the shortest of them."""
        return self.fitted[-1] / self.fitted[0]


def measure(quick: bool = False, rounds: int = ROUNDS) -> list[Growth]:
    """The growth of every component and of an iteration, pruning by pruning."""
    load_kernels()
    found = []
    for pruning, limits in PRUNINGS.items():
        full, short = (LENGTHS, QUICK_LENGTHS) if pruning == "no pruning" else (PRUNED_LENGTHS, QUICK_PRUNED_LENGTHS)
        lengths = short if quick else full
        counts = [1 if quick else SENTENCES if place in _fitted(lengths) else FEW for place in range(len(lengths))]
        works = [
            [Work(sentence(length, seed, limits)) for seed in range(FIRST_SEED, FIRST_SEED + count)]
            for length, count in zip(lengths, counts, strict=True)
        ]
        for _ in range(1 if quick else rounds):
            for own in works:
                for work in own:
                    work.measure()
        for name in (*COMPONENTS.values(), ITERATION):
            seconds = [[work.seconds(name) for work in own] for own in works]
            found.append(growth(pruning, name, lengths, seconds))
    return found


def settings(found: list[Growth], rounds: int = ROUNDS) -> str:
    """What could decide a verdict about growth."""
    spans = {each.pruning: f"{each.lengths[0]} to {each.lengths[-1]} words" for each in found}
    points = sorted({each.sentences for each in found})
    return (
        f"generated sentences, seeds from {FIRST_SEED}; {', '.join(f'{name}: {span}' for name, span in spans.items())}; K = {K}, J = {J}; "
        f"laws of {' or '.join(map(str, points))} sentences, medians of {rounds} rounds"
    )


def _fitted(lengths: tuple[int, ...]) -> range:
    """The places of the longer half, to which the power law is fitted."""
    return range(len(lengths) // 2 - 1 if len(lengths) > 3 else 0, len(lengths))


def growth(pruning: str, name: str, lengths: tuple[int, ...], seconds: list[list[float]]) -> Growth:
    """`seconds` of each sentence, by length."""
    longer = _fitted(lengths)
    points = [(lengths[place], value) for place in longer for value in seconds[place]]
    law = fit_power_law(*np.array(points, dtype=np.float64).T)
    assert law is not None  # at least three points
    return Growth(pruning, name, lengths, tuple(map(median, seconds)), law, len(points))


def sentence(length: int, seed: int, limits: dict[str, Any]) -> ParsingInstance:
    rng = np.random.default_rng([seed, length])
    tree = draw_tree(rng, length, PROFILES["en"])
    return noisy_instance(rng, f"length-{length}", *draw_words(rng, tree), tree, **limits)


class Work:
    """The oracles of one sentence by name, and an AD3 iteration, with what each measurement took."""

    def __init__(self, instance: ParsingInstance) -> None:
        from problems.kernels.ad3 import activate_all

        graph = get_task("parsing").graph(instance)
        rng = np.random.default_rng(1)
        self.calls: dict[
            str, tuple[Callable[[], Any], int]
        ] = {}  # what is timed, and how many calls of the oracle that is
        for block in graph.blocks:
            if block.kind in COMPONENTS:
                count = TREE_DRAWS if block.kind == TREE else DRAWS
                draws = rng.standard_normal((count, len(block.variables)))
                work = lambda block=block, draws=draws: [block.maximize(scores) for scores in draws]  # noqa: E731
                self.calls[COMPONENTS[block.kind]] = work, count
        engine = Engine(graph, 2.0)
        engine.iterate(5, 0.0)

        def iteration() -> None:
            activate_all(engine.layout, engine.state)
            engine.iterate(1, 0.0)

        self.calls[ITERATION] = iteration, 1
        self.measured: dict[str, list[float]] = {name: [] for name in self.calls}

    def measure(self) -> None:
        for name, (work, calls) in self.calls.items():
            self.measured[name].append(seconds_of(work) / calls)

    def seconds(self, name: str) -> float:
        """The median of the rounds."""
        return median(self.measured[name])


def seconds_of(work: Callable[[], Any]) -> float:
    """The mean CPU time of as many calls as take `CALLS_MS`."""
    timer = Timer(work, timer=cpu_clock)
    work()
    calls = max(1, int(CALLS_MS / 1000 / max(timer.timeit(1), 1e-7)))
    return timer.timeit(calls) / calls
