"""Yao, Wan & Xiao (2014): Tables 1 to 3 (pages 4 and 5 of the paper), and numbers of their text."""

from __future__ import annotations

from typing import NamedTuple

PAGES = {
    "Table 1": 4,
    "Table 2": 4,
    "Table 3": 5,
    "Table 4": 5,
}  # of the paper: the text that we have says no page of the proceedings


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


PARTITION = {  # Table 1: sentences of training, development and test
    "Written": (1014, 324, 294),
    "Spoken": (931, 83, 254),
}

MOST_ITERATIONS = 50
"""Section 4.1: of dual decomposition."""


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

RATING_MARKS = {  # Table 3: marks of grammaticality and importance, Written and Spoken, as in Table 2
    "Discriminative": ("†*", "†*", "†*", "†*"),
    "G&A2010": ("†*", "†*", "†*", "*"),
    "Pure Tree-Transduction": ("†*", "†*", "†*", "†*"),
    "T3+LM (Beam Search)": ("†*", "*", "*", "*"),
}
