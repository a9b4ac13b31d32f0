"""Table 1 of the turbo parser paper, measured: what each subproblem costs as sentences grow.

    python -m bench.studies.parsing_costs results/parsing-costs [--quick]

For each kind of component the CPU time of one call of all its oracles (`maximize`, Eq. 2), and the CPU time of an AD3
iteration in which every factor is solved (Eq. 3, active sets warm), for three regimes: all arcs, K = 10 heads per word, and in
addition at most J = 10 modifiers per head (no posterior threshold, so that K is reached). Exponents are the slope of log
time over log length on the longer half of the lengths; the paper's are worst cases in which one head may have all words as
candidate modifiers, which pruned sentences do not come near. Our tree oracle is the dense O(L^2) one in every regime.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from problems import get_task
from problems.parsing.generate import noisy_instance
from problems.parsing.gold import PROFILES, draw_tree, draw_words
from problems.parsing.instance import ParsingInstance
from solvers.ad3_engine import Engine
from solvers.base import cpu_clock

from ..output.tables import Table
from .parsing_sentences import FIRST_SEED, warm_up

K, J = 10, 10
REGIMES: dict[str, dict[str, Any]] = {
    "no pruning": {"most_heads": None},
    "K heads": {"most_heads": K, "threshold": 0.0},
    "K heads, J modifiers": {"most_heads": K, "threshold": 0.0, "most_modifiers": J},
}
LENGTHS = {"no pruning": (10, 15, 20, 30, 40, 50), "K heads": (20, 40, 60, 80, 120, 160)}
QUICK_LENGTHS = {"no pruning": (8, 12, 16), "K heads": (15, 25, 40)}
KINDS = {  # our kind, the paper's name, and the exponent of L in each regime
    "arborescence": ("TREE", (2, 1, 1)),
    "grand_siblings": ("GSIB", (4, 2, 1)),
    "tri_siblings": ("TSIB", (4, 3, 1)),
    "head_bigrams": ("SEQ", (3, 1, 1)),
    "pair": ("ASIB", (3, 2, 1)),
}
ITERATION = ("AD3 iteration", (4, 3, 1))
REPEATS = 7
DRAWS = 8  # of random scores: how many cycles the tree oracle meets depends on them
CALLS_MS = 2.0  # a measurement is as many calls as take this long


def sentence(length: int, seed: int, limits: dict[str, Any]) -> ParsingInstance:
    rng = np.random.default_rng([seed, length])
    tree = draw_tree(rng, length, PROFILES["en"])
    return noisy_instance(rng, f"length-{length}", *draw_words(rng, tree), tree, **limits)


def seconds_of(work: Any) -> float:
    """The median CPU time of one call."""
    start = cpu_clock()
    work()
    calls = max(1, int(CALLS_MS / 1000 / max(cpu_clock() - start, 1e-7)))
    measured = []
    for _ in range(REPEATS):
        start = cpu_clock()
        for _ in range(calls):
            work()
        measured.append((cpu_clock() - start) / calls)
    return median(measured)


def costs(instance: ParsingInstance) -> dict[str, float]:
    """Seconds per kind of component, and of an AD3 iteration."""
    from problems.kernels.ad3 import activate_all

    graph = get_task("parsing").graph(instance)
    rng = np.random.default_rng(1)
    found = {}
    for block in graph.blocks:
        if block.kind in KINDS:
            draws = rng.standard_normal((DRAWS, len(block.variables)))
            work = lambda block=block, draws=draws: [block.maximize(scores) for scores in draws]  # noqa: E731
            found[block.kind] = seconds_of(work) / DRAWS
    engine = Engine(graph, 2.0)
    engine.iterate(5, 0.0)

    def iteration() -> None:
        activate_all(engine.layout, engine.state)
        engine.iterate(1, 0.0)

    found[ITERATION[0]] = seconds_of(iteration)
    return found


def exponent(lengths: tuple[int, ...], seconds: list[float]) -> float:
    """The slope of log time over log length on the longer half."""
    longer = slice(len(lengths) // 2 - 1 if len(lengths) > 3 else 0, None)
    return float(np.polyfit(np.log(lengths[longer]), np.log(seconds[longer]), 1)[0])


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    warm_up((("ad3", {}),))
    rows: list[list[str]] = []
    chosen = QUICK_LENGTHS if quick else LENGTHS
    for index, (regime, limits) in enumerate(REGIMES.items()):
        lengths = chosen.get(regime, chosen["K heads"])
        measured = [costs(sentence(length, FIRST_SEED, limits)) for length in lengths]
        if rows:
            rows.append([])
        names = [(kind, name, powers) for kind, (name, powers) in KINDS.items()]
        for kind, name, powers in [*names, (ITERATION[0], *ITERATION)]:
            seconds = [found.get(kind, np.nan) for found in measured]
            slope = exponent(lengths, seconds) if np.isfinite(seconds).all() else np.nan
            ends = [f"{1e6 * seconds[k]:.3g}" for k in (0, len(lengths) // 2, -1)]
            spans = f"{lengths[0]} / {lengths[len(lengths) // 2]} / {lengths[-1]}"
            rows.append([f"{regime}: {name}", spans, " / ".join(ends), f"{slope:.2f}", str(powers[index])])
        print("\n".join(" | ".join(row) for row in rows[-len(names) - 1 :]), flush=True)
    notes = [
        f"Microseconds of CPU for all components of a kind in one sentence, one call each; one sentence per length, oracles with {DRAWS} draws of random scores.",
        f"K = {K}, J = {J}. Slopes are fitted on the longer half of the lengths; the paper's are worst cases (without logarithms).",
        "A short oracle's slope is below its worst case where calls have fixed costs, or where no head has many candidate modifiers.",
    ]
    Table("Cost of subproblems", ["component", "words", "us", "slope", "paper"], rows, notes).write(folder)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/parsing-costs"), "--quick" in sys.argv)
