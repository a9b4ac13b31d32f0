"""Numbers printed in the papers, so that every reproduced table can show them beside ours."""

from __future__ import annotations

from typing import NamedTuple


class RuntimeRow(NamedTuple):
    """A row of Table 3 of Almeida & Martins (2013): TAC-2008, Intel Core i7 at 2.8 GHz, GLPK as LP and ILP solver."""

    seconds: float
    rouge_2: float


SUMMARIZATION_RUNTIMES = {
    "ILP Exact": RuntimeRow(10.394, 12.40),
    "LP-Relax.": RuntimeRow(2.265, 12.38),
    "AD3-5000": RuntimeRow(0.952, 12.38),
    "AD3-1000": RuntimeRow(0.406, 12.30),
    "AD3-200": RuntimeRow(0.159, 12.15),
    "Extractive (ILP)": RuntimeRow(0.265, 11.16),
}
"""The runtimes of AD3 and LP-Relax. include rounding, 0.029 seconds on average."""


class SystemRow(NamedTuple):
    """A row of Table 2 of Almeida & Martins (2013): ROUGE recall in per cent on TAC-2008."""

    rouge_2: float
    rouge_su4: float


SUMMARIZATION_SYSTEMS = {
    "ICSI-1": SystemRow(11.03, 13.96),
    "BGK'11": SystemRow(11.71, 14.47),
    "WL'12": SystemRow(11.37, 14.47),
    "Extractive": SystemRow(11.16, 14.07),
    "Post-comb.": SystemRow(11.07, 13.85),
    "Single-task": SystemRow(11.88, 14.86),
    "Multi-task": SystemRow(12.30, 15.18),
}


class CompressionRow(NamedTuple):
    """A row of Table 2 of Qian & Liu (2014): 441 sentences of Clarke & Lapata (2008), relations by RASP, Gurobi as ILP solver."""

    rate: float
    unigram_f1: float
    relation_f1: float
    seconds: float


COMPRESSION = {
    "Ours (Approx)": CompressionRow(0.68, 0.802, 0.598, 0.056),
    "Ours (Exact)": CompressionRow(0.68, 0.805, 0.599, 0.610),
    "Subtree": CompressionRow(0.68, 0.761, 0.575, 0.022),
    "TM13": CompressionRow(0.68, 0.804, 0.599, 0.592),
    "McDonald06": CompressionRow(0.71, 0.776, 0.561, 0.010),
    "CRFs": CompressionRow(0.73, 0.790, 0.501, 0.002),
}


class TransductionRow(NamedTuple):
    """Rate and F1 of grammatical relations in per cent, on the Written and on the Spoken corpus."""

    written_rate: float
    written_relations: float
    spoken_rate: float
    spoken_relations: float


TRANSDUCTION = {  # Table 2 of Yao, Wan & Xiao (2014)
    "Discriminative": TransductionRow(70.3, 52.4, 69.5, 50.6),
    "G&A2010": TransductionRow(71.6, 60.2, 71.7, 59.2),
    "Pure Tree-Transduction": TransductionRow(72.6, 52.3, 73.6, 53.8),
    "T3+LM (Beam Search)": TransductionRow(70.4, 58.8, 75.5, 59.5),
    "T3+LM (Dual Decomp.)": TransductionRow(70.7, 60.5, 75.3, 61.5),
    "T3+Discr. (Dual Decomp.)": TransductionRow(71.0, 62.3, 74.9, 63.3),
    "Gold-Standard": TransductionRow(71.4, 100.0, 72.4, 100.0),
}
