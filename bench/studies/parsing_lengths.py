"""Figure 2 of the turbo parser paper: AD3 against the subgradient method by sentence length, order 3.

    python -m bench.studies.parsing_lengths results/parsing-lengths [--quick]

CPU time of the whole `solve()` call as the solvers say it, both with at most 1000 iterations. As in the paper, the
subgradient method has for each sentence the most favourable of four step sizes: only that run's time counts. Most favourable
is the lowest bound, then the fewest iterations. The last columns set AD3 beside the original system's times.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from problems.parsing.instance import ParsingInstance
from solvers import Solution, get_solver

from ..output.tables import Table
from .parsing_sentences import BINS, PUBLISHED_MS, bin_name, bin_of, sentences, warm_up

SENTENCES = 150
SOLVERS: tuple[tuple[str, dict[str, Any]], ...] = (("ad3", {}), ("subgradient", {"step_rule": "best"}))
ROUNDS = 3  # the median of a sentence's times counts


def measure(instance: ParsingInstance, rounds: int) -> list[tuple[float, Solution]]:
    """Milliseconds of each solver, interleaved over the rounds, and its solution."""
    times: list[list[float]] = [[] for _ in SOLVERS]
    last: list[Solution] = []
    for _ in range(rounds):
        last = [get_solver(name, **options).solve(instance) for name, options in SOLVERS]
        for own, solution in zip(times, last, strict=True):
            own.append(1000 * solution.cpu_seconds)
    return [(float(np.median(own)), solution) for own, solution in zip(times, last, strict=True)]


def draw(folder: Path, lengths: list[int], ad3: list[float], subgradient: list[float]) -> None:
    """Mean time by length, in bins of five words."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    group = np.minimum(np.array(lengths) // 5, 12)
    for values, label, style in ((ad3, "AD3", "o-"), (subgradient, "subgradient, best of 4 steps", "s--")):
        places = sorted(set(group.tolist()))
        means = [np.mean(np.array(values)[group == place]) for place in places]
        axes.plot([5 * place + 2.5 for place in places], means, style, label=label)
    axes.set(xlabel="sentence length (words)", ylabel="mean CPU time (ms)")
    axes.legend(frameon=False)
    figure.savefig(folder / "figure2.png", dpi=150)


def main(folder: Path, quick: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    warm_up(SOLVERS)
    sample = sentences(12 if quick else SENTENCES)
    results = [measure(instance, 1 if quick else ROUNDS) for instance in sample]
    lengths = [instance.number_of_words for instance in sample]
    rows = []
    for index in range(len(BINS)):
        own = [k for k, length in enumerate(lengths) if bin_of(length) == index]
        if not own:
            continue
        ad3, other = ([results[k][solver] for k in own] for solver in (0, 1))
        ms, other_ms = (np.mean([found[0] for found in part]) for part in (ad3, other))
        proved, other_proved = (np.mean([found[1].status == "optimal" for found in part]) for part in (ad3, other))
        worse = np.mean([b[1].bound > a[1].bound * (1 + 1e-6) for a, b in zip(ad3, other, strict=True)])
        published = PUBLISHED_MS[index]
        shown = [f"{ms:.2f}", f"{other_ms:.2f}", f"{other_ms / ms:.1f}"]
        shown += [f"{100 * share:.0f}" for share in (proved, other_proved, worse)]
        rows.append([bin_name(index), str(len(own)), *shown, f"{published:g}", f"{ms / published:.2f}"])
    headings = ["words", "sentences", "AD3 ms", "subgradient ms", "ratio", "AD3 certified %", "subgradient certified %"]
    headings += ["subgradient bound worse %", "original ms", "of original"]
    notes = [
        f"Means over sentences; CPU time of the whole solve() call, median of {1 if quick else ROUNDS} runs; order 3, K = 10.",
        "Ratio: subgradient over AD3. Bound worse: the subgradient's is above AD3's after at most 1000 iterations.",
        "Original: AD3 alone in the paper's system on a 2.3 GHz Xeon, real sentences and models: an order of magnitude, not a race.",
    ]
    Table("AD3 and subgradient by sentence length", headings, rows, notes).write(folder)
    draw(folder, lengths, [found[0][0] for found in results], [found[1][0] for found in results])
    print("\n".join(" | ".join(row) for row in rows), flush=True)


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    main(Path(arguments[0] if arguments else "results/parsing-lengths"), "--quick" in sys.argv)
