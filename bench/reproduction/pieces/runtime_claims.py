"""What Almeida & Martins (2013) say about runtimes and rounding (Section 5.3, Table 3), judged from the cells of our table."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from ...published import INTEGRAL_SUMMARIES, SUMMARIZATION_RUNTIMES
from ..claims import FAILS, HOLDS, PAPER_ONLY, SLACK, UNTESTABLE, Claim, faster, higher, judge, kept, said, times
from ..summarization_runs import Cell
from ..summarization_table import AD3, EXTRACTIVE, ILP, LP

PAPER, SEARCH = "paper", "search"
WHERE = "Table 3"
TUNED = AD3[1000]
FEW = 0.25  # of relaxations that may be integral where the paper says that few are
COMPETITIVE = 2.0  # times slower and still competitive; the paper's own factor is 1.53


def total_ratio(slow: Iterable[Cell], fast: Iterable[Cell]) -> float | None:
    """How many times faster, by total seconds over the instances that both have; None where there are none."""
    own = {cell.instance: cell.seconds for cell in fast if cell.seconds is not None}
    both = [(cell.seconds, own[cell.instance]) for cell in slow if cell.seconds is not None and cell.instance in own]
    below = sum(pair[1] for pair in both)
    return sum(pair[0] for pair in both) / below if below > 0 else None


def pick(cells: list[Cell], system: str, solver: str = "", rounding: str = "") -> list[Cell]:
    return [
        cell
        for cell in cells
        if cell.system == system and solver in ("", cell.solver) and rounding in ("", cell.rounding)
    ]


def fastest(cells: Iterable[Cell], proved: bool) -> list[Cell]:
    """The fastest cell of each instance, of those that proved their optimum if that is asked for."""
    best: dict[str, Cell] = {}
    for cell in cells:
        if cell.seconds is None or (proved and cell.status != "optimal") or cell.solver == "ad3-exact":
            continue
        known = best.get(cell.instance)
        if known is None or known.seconds is None or cell.seconds < known.seconds:
            best[cell.instance] = cell
    return list(best.values())


def rouge(cells: Iterable[Cell]) -> dict[str, float]:
    return {cell.instance: cell.rouge_2 for cell in cells if cell.rouge_2 is not None}


def mean_rouge(cells: Iterable[Cell]) -> float:
    values = rouge(cells).values()
    return fmean(values) if values else float("nan")


def runtime_claims(cells: list[Cell]) -> list[Claim]:
    return [
        faster_than_ilp(cells),
        faster_than_lp(cells),
        accuracy_is_kept(cells),
        more_iterations_gain_little(cells),
        few_iterations_cost_accuracy(cells),
        relaxations_are_rarely_integral(cells),
        as_fast_as_extraction(cells),
        compression_beats_extraction(cells),
    ]


def _speed(
    name: str, text: str, system: str, rivals: list[Cell], proved: bool, cells: list[Cell], solver: str
) -> Claim:
    published = SUMMARIZATION_RUNTIMES[system].seconds / SUMMARIZATION_RUNTIMES[TUNED].seconds
    ours = pick(cells, TUNED, rounding=PAPER)
    glpk = total_ratio([cell for cell in rivals if cell.solver == solver], ours)
    best = total_ratio(fastest(rivals, proved), ours)
    return Claim(
        name,
        WHERE,
        text,
        f"{times(published)} ({SUMMARIZATION_RUNTIMES[system].seconds} s / {SUMMARIZATION_RUNTIMES[TUNED].seconds} s)",
        f"{times(glpk)} against GLPK, {times(best)} against the fastest per cluster",
        times(glpk),
        faster(published, glpk, best),
    )


def faster_than_ilp(cells: list[Cell]) -> Claim:
    text = "AD3 with 1000 iterations is orders of magnitude faster than the exact ILP solver (GLPK)."
    return _speed("ad3-faster-than-ilp", text, ILP, pick(cells, ILP), True, cells, "ilp-glpk")


def faster_than_lp(cells: list[Cell]) -> Claim:
    text = "AD3 with 1000 iterations is 5 times faster than the LP relaxation (GLPK)."
    return _speed("ad3-faster-than-lp", text, LP, pick(cells, LP, rounding=PAPER), False, cells, "lp-glpk")


def accuracy_is_kept(cells: list[Cell]) -> Claim:
    exact = mean_rouge(fastest(pick(cells, ILP), True))
    ours, searched = (mean_rouge(pick(cells, TUNED, rounding=rounding)) for rounding in (PAPER, SEARCH))
    paper = _rouge(TUNED) / _rouge(ILP)
    return Claim(
        "ad3-keeps-accuracy",
        WHERE,
        "AD3 with 1000 iterations keeps accuracy levels similar to exact decoding.",
        f"ROUGE-2 {_rouge(TUNED):.2f} of {_rouge(ILP):.2f}",
        f"ROUGE-2 {ours:.2f} of {exact:.2f} with the paper's rounding",
        f"{ours / exact:.3f} (paper {paper:.3f})",
        kept(paper, ours / exact),
        f"With our rounding `search` it is {searched:.2f}, {searched / exact:.3f} of exact decoding.",
    )


def more_iterations_gain_little(cells: list[Cell]) -> Claim:
    more, ours = (pick(cells, AD3[count], rounding=PAPER) for count in (5000, 1000))
    published = SUMMARIZATION_RUNTIMES[AD3[5000]].seconds / SUMMARIZATION_RUNTIMES[TUNED].seconds
    slower = total_ratio(more, ours) or float("nan")
    gain = mean_rouge(more) / mean_rouge(ours) - 1
    return Claim(
        "5000-iterations-gain-little",
        WHERE,
        "With 5000 iterations the gain is small, while the runtime more than doubles.",
        f"ROUGE-2 {_rouge(TUNED):.2f} to {_rouge(AD3[5000]):.2f}, runtime {times(published)}",
        f"ROUGE-2 {mean_rouge(ours):.2f} to {mean_rouge(more):.2f}, runtime {times(slower)}",
        f"{times(slower)} for {gain:+.1%}",
        judge(slower > 2.0 and gain <= SLACK),
    )


def few_iterations_cost_accuracy(cells: list[Cell]) -> Claim:
    few, ours = (rouge(pick(cells, AD3[count], rounding=PAPER)) for count in (200, 1000))
    shared = [name for name in ours if name in few]
    found, verdict = higher([ours[name] for name in shared], [few[name] for name in shared])
    return Claim(
        "200-iterations-cost-accuracy",
        WHERE,
        "Accuracy starts to suffer if the number of iterations is reduced too much (200).",
        f"ROUGE-2 {_rouge(TUNED):.2f} to {_rouge(AD3[200]):.2f}",
        f"ROUGE-2 {fmean(ours.values()):.2f} to {fmean(few.values()):.2f} with the paper's rounding",
        f"{fmean(few.values()) / fmean(ours.values()):.3f} (paper {_rouge(AD3[200]) / _rouge(TUNED):.3f})",
        verdict,
        said(found),
    )


def relaxations_are_rarely_integral(cells: list[Cell]) -> Claim:
    known = {cell.instance: cell.integral for cell in pick(cells, LP) if cell.integral is not None}
    integral, every = sum(known.values()), len(known)
    paper = INTEGRAL_SUMMARIES[0] / INTEGRAL_SUMMARIES[1]
    share = integral / every if every else float("nan")
    return Claim(
        "relaxations-rarely-integral",
        "Section 5.3",
        "Rounding is crucial, since few relaxations have integral solutions.",
        f"{INTEGRAL_SUMMARIES[0]} of {INTEGRAL_SUMMARIES[1]}",
        f"{integral} of {every}",
        f"{share:.0%} (paper {paper:.0%})",
        judge(share <= FEW),
    )


def as_fast_as_extraction(cells: list[Cell]) -> Claim:
    ours = pick(cells, TUNED, rounding=PAPER)
    extraction = pick(cells, EXTRACTIVE)
    paper = SUMMARIZATION_RUNTIMES[TUNED].seconds / SUMMARIZATION_RUNTIMES[EXTRACTIVE].seconds
    slower = total_ratio(ours, [cell for cell in extraction if cell.solver == "ilp-glpk"])
    best = total_ratio(ours, fastest(extraction, True))
    fits = [value is not None and value <= COMPETITIVE for value in (slower, best)]
    verdict = FAILS if not fits[0] else HOLDS if fits[1] else PAPER_ONLY
    return Claim(
        "as-fast-as-extraction",
        WHERE,
        "The compressive system's runtime is competitive with the extractive ILP's.",
        f"{times(paper)} its time ({SUMMARIZATION_RUNTIMES[TUNED].seconds} s / {SUMMARIZATION_RUNTIMES[EXTRACTIVE].seconds} s)",
        f"{times(slower)} the time of GLPK, {times(best)} that of the fastest extractive ILP",
        times(slower),
        verdict,
        f"Competitive: at most {COMPETITIVE:g} times its time. Both with scores of the same model on the same clusters.",
    )


def compression_beats_extraction(cells: list[Cell]) -> Claim:
    ours, extraction = (rouge(fastest(pick(cells, system), True)) for system in (ILP, EXTRACTIVE))
    shared = [name for name in ours if name in extraction]
    text = "Compressive summaries cover more content than extractive ones (exact decoding of both)."
    published = f"ROUGE-2 {_rouge(ILP):.2f} against {_rouge(EXTRACTIVE):.2f}"
    if not shared:
        return Claim(
            "compression-beats-extraction", WHERE, text, published, "no cluster solved by both", "", UNTESTABLE
        )
    first, second = ([values[name] for name in shared] for values in (ours, extraction))
    found, verdict = higher(first, second)
    return Claim(
        "compression-beats-extraction",
        WHERE,
        text,
        published,
        f"ROUGE-2 {fmean(first):.2f} against {fmean(second):.2f}",
        f"{fmean(first) / max(fmean(second), 1e-9):.3f} (paper {_rouge(ILP) / _rouge(EXTRACTIVE):.3f})",
        verdict,
        said(found),
    )


def _rouge(system: str) -> float:
    return SUMMARIZATION_RUNTIMES[system].rouge_2
