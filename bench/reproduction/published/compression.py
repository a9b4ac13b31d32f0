"""Qian & Liu (2014): joint sentence compression by dynamic programs."""

from __future__ import annotations

from typing import NamedTuple


class CompressionRow(NamedTuple):
    """A row of Table 2: 441 sentences of Clarke & Lapata (2008), relations by RASP, Gurobi as ILP solver."""

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
