"""Tables 2 and 3 of Almeida & Martins (2013) in their layout, ours beside."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ...learning.summarization.folds import ORACLES
from ...learning.summarization.systems import LEARNED, MEASURES, UNLEARNED
from ..beside import NOTHING, Beside, Cell, Column, Row, cell
from ..published import SUMMARIZATION_RUNTIMES, SUMMARIZATION_SYSTEMS
from ..published.almeida_martins import PAGES
from .runtime_table import AD3, DEFAULT_GLPK, EXTRACTIVE, ILP, LP, ROUGE, DecodedClusters

DECODERS = {ILP: DEFAULT_GLPK, LP: "lp-glpk, paper"} | {name: f"ad3-{most}, paper" for most, name in AD3.items()}
"""Rows of Table 3, and the decoder of ours that is the paper's."""


def runtimes_view(compressive: DecodedClusters, extractive: DecodedClusters, source: str) -> Beside:
    """Mean seconds and ROUGE-2 of the paper's decoders; all others follow apart. `source`: what the clusters are."""
    ours = {label: _measured(compressive, label) for label in dict.fromkeys(compressive.cells["label"])}
    extracts = {label: _measured(extractive, label) for label in dict.fromkeys(extractive.cells["label"])}
    rows = []
    for name, row in SUMMARIZATION_RUNTIMES.items():
        published = [cell(row.seconds, 3), cell(row.rouge_2)]
        label = DECODERS.get(name, DEFAULT_GLPK)
        own = (extracts if name == EXTRACTIVE else ours).get(label)
        rows.append(
            Row(name, published, own or (), f"{'extractive ' if name == EXTRACTIVE else ''}{label}" if own else "")
        )
    others = [Row(label, (), cells) for label, cells in ours.items() if label not in DECODERS.values()]
    others += [Row(f"extractive {label}", (), cells) for label, cells in extracts.items() if label != DEFAULT_GLPK]
    clusters = compressive.cells["instance"].nunique()
    return Beside(
        "Runtimes of several decoders",
        f"Table 3, page {PAGES['Table 3']}",
        [Column("runtime (sec.)", "time"), Column("ROUGE-2", "quality")],
        rows,
        ILP,
        others,
        [
            f"Means over {clusters} {source}; the paper has 48 topics of TAC-2008. Seconds are CPU time of this machine, and cells that "
            "were stopped count as their limit.",
            f"Sentences to choose from: {compressive.candidates or 'unknown'}; extractive: {extractive.candidates or 'unknown'}.",
            "The paper's rows run GLPK as it ships and AD3 as published, with the paper's rounding. fast ad3: our AD3.",
        ],
    )


def _measured(found: DecodedClusters, label: str) -> list[Cell]:
    own = found.cells[found.cells["label"] == label]
    return [cell(float(own["runtime"].mean()), 3), cell(100 * float(own[ROUGE].mean()))]


def systems_views(frame: pd.DataFrame, published: Mapping[str, str]) -> dict[str, Beside]:
    """Table 2 of each setting; `published` names the paper's row of a system of ours."""
    settings = list(dict.fromkeys(frame["setting"]))
    return {
        "beside" if len(settings) == 1 else f"beside-{setting}": _systems(frame[frame["setting"] == setting], published)
        for setting in settings
    }


def _systems(own: pd.DataFrame, published: Mapping[str, str]) -> Beside:
    means = {
        str(name): [cell(100 * float(part[measure].mean())) for measure in MEASURES]
        for name, part in own.groupby("system")
    }
    systems = {paper: name for name, paper in published.items()}
    rows = []
    for name, row in SUMMARIZATION_SYSTEMS.items():
        mark = "*" if name in ("ICSI-1", "BGK'11") else ""
        theirs = [cell(row.rouge_2), cell(row.rouge_su4), cell(row.pyramid, 1, mark), cell(row.quality, 1)]
        system = systems.get(name, "")
        found = means.get(system)
        rows.append(Row(name, theirs, [*found, NOTHING, NOTHING] if found else (), system if found else ""))
    others = [name for name in (*UNLEARNED, *LEARNED, *ORACLES) if name in means and name not in published]
    return Beside(
        f"Results for compressive summarization, {own['setting'].iloc[0]}",
        f"Table 2, page {PAGES['Table 2']}",
        [Column("R-2", "quality"), Column("R-SU4", "quality"), Column("Pyr", "shown"), Column("LQ", "shown")],
        rows,
        "Extractive",
        [Row(name, (), means[name]) for name in others],
        [
            f"Recall in per cent, means over {own['topic'].nunique()} topics; the paper has 48 of TAC-2008, 100 words, four references.",
            "Pyr (Pyramid) and LQ (linguistic quality, 1 to 5) are human judgements, which cannot be computed; *: by other annotators.",
            "BGK'11 and WL'12 are other people's systems, and not here.",
        ],
    )
