"""Tables 1 and 2 of Qian & Liu (2014), and Tables 1 and 2 of Yao, Wan & Xiao (2014), in their layouts, ours beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ...output.tables import Table
from ..beside import NOTHING, Beside, Cell, Column, Row, cell
from ..published import COMPRESSION, FEATURES, PARTITION, SIGNIFICANT, TRANSDUCTION
from ..published.qian_liu import PAGES as QL_PAGES
from ..published.yao import PAGES as YAO_PAGES
from .compression_systems import (
    BIGRAMS,
    CRF,
    GUROBI,
    JOINT_ILP,
    MEASURES,
    SYSTEMS,
    SystemsRun,
    published_pair,
    sentence_names,
)
from .transduction_systems import TransductionRun

EXACT_ROW, ILP_ROW = "Ours (Exact)", "TM13"
OURS = {  # templates of Table 1 in `problems/kernels/compression_features.py`, in the paper's order
    "unigram x_i": ["5", "5", "1", "2", "4", "3", "1"],
    "selected bigram x_i x_j": ["1 (above 20: the same)", "5", "5", "5, and 15 with the distance", "each tag once"],
    "arc x_h -> x_m": [
        "1, with the direction",
        "5: also of arcs that the source tree lacks, by the way between the two words",
        "1",
        "5",
        "5",
        "2",
        "2",
        "5, and 19 with distance and direction",
        "each tag once",
    ],
}


def features_table() -> Table:
    """Table 1 of Qian & Liu: every template, and how many features of a part our model has for it."""
    rows: list[list[str]] = []
    for part, templates in FEATURES.items():
        rows += [[]] if rows else []
        rows += [[part, template, ours] for template, ours in zip(templates, OURS[part], strict=True)]
    notes = [
        "w: word, t: tag. Ours: how many features of a part stand for the template; all are there. Models trained on real pairs also know what the "
        "source tree says of words and of bigrams (docs/learning-compression.md)."
    ]
    title = f"Table 1 of Qian & Liu (2014), page {QL_PAGES['Table 1']}: feature templates"
    return Table(title, ["part", "template", "ours"], rows, notes, left=3)


def compression_view(quality: SystemsRun, timed: SystemsRun, notes: Sequence[str]) -> Beside:
    """Table 2 of Qian & Liu; the ILP of Thadani & McKeown ran on some sentences of `timed` only, and is held against Exact on these."""
    approximate, exact = published_pair(quality)
    ilp = GUROBI if GUROBI in timed else JOINT_ILP
    systems = {"Ours (Approx)": approximate, EXACT_ROW: exact, "McDonald06": BIGRAMS, "CRFs": CRF}
    systems |= {"Subtree": quality.subtree, ILP_ROW: ilp}
    had = sentence_names(timed.sentences(ilp).index)
    rows = []
    for name, row in COMPRESSION.items():
        run, system = timed if name == ILP_ROW else quality, systems[name]
        published = [cell(row.rate), cell(row.unigram_f1, 3), cell(row.relation_f1, 3), cell(row.seconds, 3)]
        if system not in run:
            rows.append(Row(name, published))
            continue
        same = timed.sentences(published_pair(timed)[1]) if name == ILP_ROW else None
        base = () if same is None else _measured(same[sentence_names(same.index).isin(had)])
        rows.append(Row(name, published, _measured(run.sentences(system)), system, base))
    used = {row.own for row in rows}
    others = [
        Row(system, (), _measured(quality.sentences(system)))
        for system in SYSTEMS
        if system in quality and system not in used
    ]
    others += [
        Row(f"{system} (part)", (), _measured(timed.sentences(system)))
        for system in SYSTEMS
        if system in timed and system not in quality and system not in used
    ]
    return Beside(
        "Comparison results under various quality metrics",
        f"Table 2, page {QL_PAGES['Table 2']}",
        [Column("C Rate", "rate"), Column("F_uni", "quality"), Column("RASP", "quality"), Column("Sec.", "time")],
        rows,
        EXACT_ROW,
        others,
        [
            f"Means over {len(quality.sentences(exact))} sentences; TM13 over the {len(had)} that "
            f"{'Gurobi' if ilp == GUROBI else 'ILP solvers'} had, marked against {exact!r} on these. "
            "RASP: relation F1, ours of arcs.",
            *notes,
        ],
    )


def _measured(own: pd.DataFrame) -> list[Cell]:
    """Means over the sentences of a system."""
    rate, unigram, relation = (float(own[name].mean()) for name in MEASURES)
    return [cell(rate), cell(unigram, 3), cell(relation, 3), cell(float(own["runtime"].mean()), -1)]


def transduction_view(run: TransductionRun, signs: Mapping[str, str], gold_rate: float, notes: Sequence[str]) -> Beside:
    """Table 2 of Yao et al. Our one corpus stands beside Written; Spoken is shown as published."""
    columns = [
        Column("CR(%)", "rate"),
        Column("GR-F1(%)", "quality"),
        Column("Spoken CR(%)", "shown"),
        Column("GR-F1(%)", "shown"),
    ]
    rows = []
    for name, row in TRANSDUCTION.items():
        mark = SIGNIFICANT.get(name, "")
        theirs = [cell(row.written_rate, 1), cell(row.written_relations, 1, mark)]
        theirs += [cell(row.spoken_rate, 1), cell(row.spoken_relations, 1, mark)]
        if name in run.systems:
            ours = _system(run, name, signs.get(name, ""))
        else:  # the gold standard
            ours = [cell(100 * gold_rate, 1), Cell(None, "100.0"), NOTHING, NOTHING] if name not in SIGNIFICANT else []
        rows.append(Row(name, theirs, ours))
    others = [
        Row(name, (), _system(run, name, signs.get(name, ""))) for name in run.systems if name not in TRANSDUCTION
    ]
    return Beside(
        "Results of automatic evaluation, Written and Spoken",
        f"Table 2, page {YAO_PAGES['Table 2']}",
        columns,
        rows,
        "T3+LM (Dual Decomp.)",
        others,
        [
            f"Ours: {len(run.originals)} sentences beside the paper's Written corpus (294).",
            "† (*): differs from T3+LM (T3+Discr.) by dual decomposition, paired t-tests, p < 0.01 after Holm's correction.",
            *notes,
        ],
    )


def _system(run: TransductionRun, name: str, mark: str) -> list[Cell]:
    own = run.of_system(name)
    rate, relation = (100 * float(own[measure].mean()) for measure in ("compression rate", "relation F1"))
    return [cell(rate, 1), cell(relation, 1, mark), NOTHING, NOTHING]


def partition_view(ours: Mapping[str, Sequence[int | None]]) -> Beside:
    """Table 1 of Yao et al.: sentences of each part; `ours` by the name of our corpus."""
    rows = [Row(name, [cell(float(count), 0) for count in counts]) for name, counts in PARTITION.items()]
    own = [
        Row(name, (), [NOTHING if count is None else cell(float(count), 0) for count in counts])
        for name, counts in ours.items()
    ]
    return Beside(
        "Dataset partition (number of sentences)",
        f"Table 1, page {YAO_PAGES['Table 1']}",
        [Column(name, "shown") for name in ("Training", "Development", "Testing")],
        rows,
        only_ours=own,
    )
