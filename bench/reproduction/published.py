"""Numbers printed in the papers, so that every reproduced table can show them beside ours.

In this order: Almeida & Martins (2013), compressive summarization of TAC-2008; Martins, Almeida & Smith (2013), third-order parsing
with AD3 (TurboParser); Qian & Liu (2014), joint sentence compression by dynamic programs; Yao, Wan & Xiao (2014), joint decoding of
tree transduction models.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class SystemRow(NamedTuple):
    """A row of Table 2: recalls in per cent; Pyramid and linguistic quality (1 to 5) are human judgements."""

    rouge_2: float
    rouge_su4: float
    pyramid: float | None
    quality: float | None


SUMMARIZATION_SYSTEMS = {
    "ICSI-1": SystemRow(11.03, 13.96, 34.5, None),
    "BGK'11": SystemRow(11.71, 14.47, 41.3, None),
    "WL'12": SystemRow(11.37, 14.47, None, None),
    "Extractive": SystemRow(11.16, 14.07, 36.0, 4.6),
    "Post-comb.": SystemRow(11.07, 13.85, 38.4, 4.1),
    "Single-task": SystemRow(11.88, 14.86, 41.0, 3.8),
    "Multi-task": SystemRow(12.30, 15.18, 42.6, 4.2),
}
"""The Pyramid scores of the first two are other annotators' and cannot be compared with the others."""


class RuntimeRow(NamedTuple):
    """A row of Table 3: TAC-2008, Intel Core i7 at 2.8 GHz, GLPK as LP and ILP solver."""

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

INTEGRAL_SUMMARIES = (2, 48)
"""Section 5.3: relaxations of TAC-2008 with an integral solution, and all of them."""


class ParsingRow(NamedTuple):
    """UAS in per cent without punctuation, and tokens per second (pruning, features, decoding; Core i7 at 3.4 GHz)."""

    uas: float
    speed: float


ENGLISH = {  # Table 2, Penn Treebank section 22 with the head rules of Yamada & Matsumoto, by the order's name here
    "1": ParsingRow(91.38, 4063),
    "2": ParsingRow(93.15, 1338),
    "2+": ParsingRow(93.28, 1018),
    "3": ParsingRow(93.29, 709),
    "3, gold tags": ParsingRow(94.01, 722),
}

OTHER_PARSERS = {  # Table 2, section 23; speeds of the others are those that their papers report
    "this paper, 3rd order": ParsingRow(93.07, 735),
    "Koo et al. (2010)": ParsingRow(92.46, 112),
    "Huang & Sagae (2010)": ParsingRow(92.1, 587),
    "Zhang & Nivre (2011)": ParsingRow(92.9, 680),
    "Martins et al. (2011), many components": ParsingRow(92.53, 66),
    "Zhang & McDonald (2012)": ParsingRow(93.06, 220),
    "this paper, 3rd order, Stanford dependencies": ParsingRow(92.82, 604),
    "Rush & Petrov (2012), Stanford dependencies": ParsingRow(92.7, 4460),
}


class TreebankRow(NamedTuple):
    """A row of Table 3: the three orders by name, and the best published UAS."""

    orders: dict[str, ParsingRow]
    best: float


def _row(*numbers: float) -> TreebankRow:
    return TreebankRow({order: ParsingRow(*numbers[2 * place :][:2]) for place, order in enumerate("123")}, numbers[-1])


TREEBANKS = {  # CoNLL-2006, and English of CoNLL-2008
    "Arabic": _row(77.23, 2481, 78.50, 388, 79.64, 197, 81.12),
    "Bulgarian": _row(91.76, 5678, 92.82, 2049, 93.10, 1273, 93.50),
    "Chinese": _row(88.49, 18094, 90.14, 4284, 89.98, 2592, 91.89),
    "Czech": _row(87.66, 1840, 90.00, 751, 90.32, 501, 89.46),
    "Danish": _row(89.42, 4110, 91.20, 1053, 91.48, 650, 91.86),
    "Dutch": _row(83.61, 3884, 86.37, 1294, 86.19, 599, 85.81),
    "German": _row(90.52, 5331, 91.85, 1788, 92.41, 965, 91.89),
    "English": _row(91.21, 3127, 93.03, 1317, 93.22, 785, 92.68),
    "Japanese": _row(92.78, 23895, 93.14, 5660, 93.52, 2996, 93.72),
    "Portuguese": _row(91.14, 4273, 92.71, 1316, 92.69, 740, 93.03),
    "Slovene": _row(82.81, 4315, 85.21, 722, 86.01, 366, 86.95),
    "Spanish": _row(83.61, 4347, 84.97, 623, 85.59, 318, 87.48),
    "Swedish": _row(89.36, 5622, 90.98, 1387, 91.14, 684, 91.44),
    "Turkish": _row(75.98, 6418, 76.50, 1721, 76.90, 793, 77.55),
}

INTEGRAL_PARSES = 0.95
"""Section 4: the share of third-order relaxations with an integral solution, about."""

SPEED_DROP = 6.0
"""Section 4: how many times slower the third order is than the first, as the text rounds it."""

COSTS = {  # Table 1: all words as candidates; at most K heads; in addition at most J modifiers
    "TREE": ("L^2", "K L + L log L", "K L + L log L"),
    "GSIB": ("L^4", "K^2 L^2", "J K^2 L"),
    "TSIB": ("L^4", "K L^3", "J^2 K L"),
    "SEQ": ("L^3", "K^2 L", "K^2 L"),
    "ASIB": ("L^3", "K L^2", "J K L"),
}


def power_of_length(cost: str) -> int:
    """The exponent of L in a cost of Table 1, without logarithms."""
    return max(int(power or 1) for power in re.findall(r"\bL(?:\^(\d))?", cost))


TURBO_PARSER = {"1": ParsingRow(80.2, 9060), "2": ParsingRow(82.7, 1330), "3": ParsingRow(83.1, 910)}
"""Not in the paper: the original system by order, trained on `en_ewt` dev and tested on its test part, gold tags, with punctuation.
Measured once, on another machine (2.3 GHz Xeon)."""

TURBO_PARSER_MS = (0.7, 5.7, 18.0, 39.0, 108.0)
"""Not in the paper either: mean milliseconds of AD3 alone in the original system for sentences of 1-10, 11-20, 21-30, 31-40 and 41+ words,
measured once on the same machine."""


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


NO_SUBTREE = (2561, 5379)
"""Sentences of the Edinburgh corpus whose gold compression is no subtree of the source tree, and all (section 1)."""


class TransductionRow(NamedTuple):
    """Rate and F1 of grammatical relations in per cent, on the Written and on the Spoken corpus."""

    written_rate: float
    written_relations: float
    spoken_rate: float
    spoken_relations: float


TRANSDUCTION = {  # Table 2
    "Discriminative": TransductionRow(70.3, 52.4, 69.5, 50.6),
    "G&A2010": TransductionRow(71.6, 60.2, 71.7, 59.2),
    "Pure Tree-Transduction": TransductionRow(72.6, 52.3, 73.6, 53.8),
    "T3+LM (Beam Search)": TransductionRow(70.4, 58.8, 75.5, 59.5),
    "T3+LM (Dual Decomp.)": TransductionRow(70.7, 60.5, 75.3, 61.5),
    "T3+Discr. (Dual Decomp.)": TransductionRow(71.0, 62.3, 74.9, 63.3),
    "Gold-Standard": TransductionRow(71.4, 100.0, 72.4, 100.0),
}

SIGNIFICANT = {  # Table 2: differs from T3+LM by dual decomposition (†), from T3+Discr. (*), on both corpora alike
    "Discriminative": "†*",
    "G&A2010": "*",
    "Pure Tree-Transduction": "†*",
    "T3+LM (Beam Search)": "*",
    "T3+LM (Dual Decomp.)": "",
    "T3+Discr. (Dual Decomp.)": "",
}


class RatingRow(NamedTuple):
    """A row of Table 3: mean ratings from 1 to 5 of grammaticality and importance, and the rate, on 30 sentences each."""

    written_grammar: float
    written_importance: float
    written_rate: float
    spoken_grammar: float
    spoken_importance: float
    spoken_rate: float


RATINGS = {
    "Discriminative": RatingRow(3.92, 3.46, 70.6, 3.95, 3.62, 71.2),
    "G&A2010": RatingRow(4.11, 3.50, 72.4, 4.09, 3.96, 72.5),
    "Pure Tree-Transduction": RatingRow(3.85, 3.42, 70.1, 3.92, 3.55, 71.4),
    "T3+LM (Beam Search)": RatingRow(4.22, 3.69, 73.0, 4.20, 3.78, 75.0),
    "T3+LM (Dual Decomp.)": RatingRow(4.63, 3.98, 73.2, 4.35, 4.18, 74.5),
    "T3+Discr. (Dual Decomp.)": RatingRow(4.62, 4.25, 73.5, 4.47, 4.26, 74.7),
    "Gold-Standard": RatingRow(4.89, 4.76, 72.9, 4.83, 4.80, 73.1),
}
