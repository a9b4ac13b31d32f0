"""Tables 1, 2 and 3 of Martins, Almeida & Smith (2013) in their layouts, ours beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ...analysis.growth import PowerLaw
from ...studies.parsing_costs import PRUNINGS, Growth
from ..beside import NOTHING, POWERS, Beside, Cell, Column, Row, cell
from ..published import COSTS, ENGLISH, OTHER_PARSERS, TREEBANKS, ParsingRow
from ..published.martins import CONVERTED, PAGES, ROWS, SOURCES
from .parsing_cells import AD3, MANY, decoded

SUBPROBLEMS = ("No pruning", "|A_in| ≤ K", "same, + |A_out| ≤ J")
ORDERS = {"1": "First Ord.", "2": "Sec. Ord.", "3": "Third Ord."}


def costs_view(found: Sequence[Growth], theory: Mapping[tuple[str, str], float]) -> Beside:
    """Theoretical runtimes, and the powers of L that we measure; `theory`: what the runtimes amount to as powers."""
    measured = {(each.pruning, each.name): each.law for each in found}
    rows = []
    for name, costs in COSTS.items():
        published = [
            Cell(theory.get((pruning, name)), f"O({cost})") for pruning, cost in zip(PRUNINGS, costs, strict=True)
        ]
        laws = [measured.get((pruning, name)) for pruning in PRUNINGS]
        ours = [NOTHING if law is None else Cell(_told(law), f"L^{law}") for law in laws]
        rows.append(Row(name, published, ours))
    others = [name for name in dict.fromkeys(each.name for each in found) if name not in COSTS]
    own = [Row(name, (), [Cell(None, f"L^{measured[pruning, name]}") for pruning in PRUNINGS]) for name in others]
    return Beside(
        "Theoretical runtimes of each subproblem",
        f"Table 1, page {PAGES['Table 1']}",
        [Column(name, "power") for name in SUBPROBLEMS],
        rows,
        only_ours=own,
        notes=[
            "Ours: the power of the sentence length L in the CPU time of all oracles of a kind, fitted to the longer half of the lengths [95 % interval].",
            "The paper's are worst cases; pruned sentences stay below. L log L counts as the power that fits it best over the same lengths, about 1.2.",
        ],
    )


def _told(law: PowerLaw) -> float | None:
    """The power, unless its interval is so wide that it agrees with anything."""
    return law.exponent if law.high - law.low <= 2 * POWERS[1] else None


TAGGED = "3, gold tags"  # the row of the paper that has the tags that our sentences have


def english_view(cells: pd.DataFrame, source: str, coloured: bool) -> Beside:
    """UAS and speed by order (section 22), and the other parsers as published (section 23). Speeds of decoding alone have no marks.

    `coloured`: may accuracies be held against the paper's? Not those of generated sentences, which favour larger models, nor of other languages.
    """
    own = cells[(cells["label"] == AD3) & ~cells["few"]]
    orders = list(dict.fromkeys(own["model"]))
    rows = []
    for order, row in ENGLISH.items():
        model = "3" if order == TAGGED else order
        ours = _decoded(own[own["model"] == model]) if model in orders else ()
        rows.append(Row(ROWS[order], _published(row), ours, f"ad3, order {model}" if ours else ""))
    for name, row in OTHER_PARSERS.items():
        rows.append(Row(name, _published(row, "*" if name in CONVERTED else "")))
    others = [
        Row(f"{label}, order {model} ({name})", (), _decoded(part))
        for (few, name, label, model), part in cells.groupby(["few", "sentences", "label", "model"], sort=False)
        if few or label != AD3 or model == MANY
    ]
    return Beside(
        "Results for the projective English dataset",
        f"Table 2, page {PAGES['Table 2']}",
        [Column("UAS", "quality" if coloured else "shown"), Column("Tok/sec", "shown")],
        rows,
        ROWS["1"],
        others,
        [
            f"Ours: {source}, gold tags in all rows (the paper's are automatic but for one row); UAS without punctuation, as in the paper. Our speeds "
            "are of decoding alone and have no marks; the paper's include pruning and features, which Table 3 has.",
            "*: converted from times per sentence. Rows below the third order are section 23 and other people's parsers, as published. few: other sentences, for "
            "slow solvers and for many components.",
        ],
    )


def _published(row: ParsingRow, mark: str = "") -> list[Cell]:
    return [cell(row.uas, row.places), cell(row.speed, 0, mark)]


def _decoded(own: pd.DataFrame) -> list[Cell]:
    found = decoded(own)
    return [cell(100 * found.uas), cell(found.speed, 0)]


def treebanks_view(cells: pd.DataFrame, languages: Mapping[str, str], trained: Mapping[str, int], what: str) -> Beside:
    """`languages`: the row of the paper that each of our treebanks stands beside, "" where there is none; `what` ours are."""
    columns = [
        column for name in ORDERS.values() for column in (Column(f"{name} UAS", "quality"), Column("Tok/sec", "time"))
    ]
    columns += [Column("Best UAS", "shown"), Column("Tok/sec", "shown"), Column("by", "shown")]
    columns += [Column("RP12 UAS", "shown"), Column("Tok/sec", "shown"), Column("ZM12 UAS", "shown")]
    ours = {name: _by_order(cells[cells["sentences"] == name]) for name in languages}
    rows, used = [], set()
    for language, row in TREEBANKS.items():
        theirs = [each for order in ORDERS for each in _published(row.orders[order])]
        best, vine = row.published, row.rush_petrov
        theirs += [cell(best.uas), cell(best.speed, 0), Cell(None, best.source)]
        theirs += [cell(vine and vine.uas, 1), cell(vine and vine.speed, 0), cell(row.zhang_mcdonald)]
        name = next((name for name, found in languages.items() if found == language), "")
        used.add(name)
        rows.append(Row(language, theirs, ours.get(name, ()), f"{name}, trained on {trained[name]}" if name else ""))
    others = [Row(f"{name}, trained on {trained[name]}", (), ours[name]) for name in languages if name not in used]
    return Beside(
        "Results for the CoNLL-2006 datasets and English of CoNLL-2008",
        f"Table 3, page {PAGES['Table 3']}",
        columns,
        rows,
        across=2,
        only_ours=others,
        notes=[
            f"UAS without punctuation, tokens per second of pruning, features and decoding. Ours: {what}",
            "Every cell is held against the first order of the same row and side.",
            "Best UAS: published before; " + ", ".join(f"{short}: {name}" for short, name in SOURCES.items()) + ".",
        ],
    )


def _by_order(own: pd.DataFrame) -> list[Cell]:
    parts = [own[own["model"] == order] for order in ORDERS]
    return [each for part in parts for each in (_decoded(part) if len(part) else [NOTHING, NOTHING])]
