"""Qian & Liu (2014): Table 2 (rate, unigram F1, relation F1 and seconds of six systems)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ...output.tables import Table
from ...published import COMPRESSION
from ...studies.compression_rivals import TASK, Rival, ready
from ...studies.compression_table import SEEDS, SIZE, SYSTEMS, Result, System, best
from ..claims import times
from ..piece import Context, Outcome, Piece
from ..real import CORPORA
from .compression_claims import BASELINE, compression_claims

PAPER = "Qian & Liu (2014)"
SENTENCES, QUICK_SENTENCES = 30, 2
LONGEST, QUICK_LONGEST = 34, 16  # words of a sentence here: the ILP of longer ones takes minutes
MEASURES = ("compression rate", "unigram F1", "relation F1")
QUICK_SYSTEMS = ("AD3, branch and bound",)  # left out


def make_table2(context: Context) -> Outcome:
    """With real data: models trained on pairs; else the generator's scores, which all systems share."""
    if context.data is not None:
        from .learned_pairs import compression_outcome

        return compression_outcome(context)
    systems = [
        (system, ready(system.rivals)) for system in SYSTEMS if not context.quick or system.name not in QUICK_SYSTEMS
    ]
    usable = [(system, rivals) for system, rivals in systems if rivals]
    results: dict[str, list[Result]] = {system.name: [] for system, _ in usable}
    names: list[int] = []
    longest = QUICK_LONGEST if context.quick else LONGEST
    for seed in SEEDS:
        instance = TASK.generate(seed, SIZE)
        if instance.number_of_words > longest:
            continue
        names.append(seed)
        for system, rivals in usable:
            results[system.name].append(best(rivals, instance))
        if len(names) == (QUICK_SENTENCES if context.quick else SENTENCES):
            break
    table = table2(usable, results, names, longest)
    return Outcome({"table": table}, claims=compression_claims(results))


def table2(
    systems: Sequence[tuple[System, list[Rival]]], results: dict[str, list[Result]], seeds: list[int], longest: int
) -> Table:
    """Ours beside the paper's; speed-ups are over the ILP of Thadani & McKeown in the same column of machines."""
    baseline = fmean(result.seconds for result in results[BASELINE])
    rows = []
    for system, _ in systems:
        found = results[system.name]
        whole = [result for result in found if result.measures]
        seconds = fmean(result.seconds for result in found)
        cells = [system.name]
        cells += [f"{fmean(result.measures[name] for result in whole):.3f}" if whole else "" for name in MEASURES]
        cells += [f"{1e3 * seconds:.3g}", times(baseline / seconds)]
        cells += [f"{sum(result.status == 'optimal' for result in found)}/{len(found)}"]
        paper = COMPRESSION.get(system.published)
        if paper is None:
            cells += [""] * 6
        else:
            cells += [system.published, f"{paper.rate:.2f}", f"{paper.unigram_f1:.3f}", f"{paper.relation_f1:.3f}"]
            cells += [f"{1e3 * paper.seconds:g}", times(COMPRESSION["TM13"].seconds / paper.seconds)]
        rows.append(cells)
    headings = ["system", "rate", "unigram F1", "relation F1", "ms", "x TM13", "proved"]
    headings += ["paper's row", "rate", "unigram F1", "RASP F1", "ms", "x TM13"]
    notes = [
        f"Means over {len(seeds)} generated sentences of size {SIZE!r} with at most {longest} words (seeds {seeds[0]} to {seeds[-1]}); gold rate 0.7.",
        f"ms: CPU, warm, building and rounding included. x TM13: times faster than the ILP of Thadani & McKeown (ours: {BASELINE!r}, the fastest of the backends on each sentence; the paper's: Gurobi).",
        "Relations are unlabelled arcs between kept words; the paper has RASP's.",
    ]
    return Table("Table 2 of Qian & Liu (2014): six systems", headings, rows, notes)


PIECES = [
    Piece(
        "ql-table2",
        PAPER,
        "Table 2",
        "Six systems of sentence compression",
        make_table2,
        corpora=CORPORA["compression"],
    )
]
