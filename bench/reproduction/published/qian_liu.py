"""Qian & Liu (2014): Tables 1 and 2 (page 5 of the paper), and numbers of their text."""

from __future__ import annotations

from typing import NamedTuple

PAGES = {"Table 1": 5, "Table 2": 5}  # of the paper: the text that we have says no page of the proceedings


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


FEATURES = {  # Table 1: templates of each kind of part; w: word, t: tag
    "unigram x_i": (
        "w_i-2, w_i-1, w_i, w_i+1, w_i+2",
        "t_i-2, t_i-1, t_i, t_i+1, t_i+2",
        "w_i t_i",
        "w_i-1 w_i, w_i w_i+1",
        "t_i-2 t_i-1, t_i-1 t_i, t_i t_i+1, t_i+1 t_i+2",
        "t_i-2 t_i-1 t_i, t_i-1 t_i t_i+1, t_i t_i+1 t_i+2",
        "whether w_i is a stopword",
    ),
    "selected bigram x_i x_j": (
        "distance between the two words: j - i",
        "w_i w_j, w_i-1 w_j, w_i+1 w_j, w_i w_j-1, w_i w_j+1",
        "t_i t_j, t_i-1 t_j, t_i+1 t_j, t_i t_j-1, t_i t_j+1",
        "concatenation of the templates above",
        "{t_i t_k t_j | i < k < j}",
    ),
    "arc x_h -> x_m": (
        "distance between the head and modifier h - m",
        "dependency type",
        "direction of the dependency arc (left/right)",
        "w_h w_m, w_h-1 w_m, w_h+1 w_m, w_h w_m-1, w_h w_m+1",
        "t_h t_m, t_h-1 t_m, t_h+1 t_m, t_h t_m-1, t_h t_m+1",
        "t_h-1 t_h t_m-1 t_m, t_h t_h+1 t_m-1 t_m",
        "t_h-1 t_h t_m t_m+1, t_h t_h+1 t_m t_m+1",
        "concatenation of the templates above",
        "{t_h t_k t_m | x_k lies between x_h and x_m}",
    ),
}

SENTENCES = (1188, 441)
"""Section 4.1: of training and test."""

NO_SUBTREE = (2561, 5379)
"""Sentences of the Edinburgh corpus whose gold compression is no subtree of the source tree, and all (section 1)."""
