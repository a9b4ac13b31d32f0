"""Martins, Almeida & Smith (2013): Tables 1 to 3 (pages 620 and 621 of the proceedings), and numbers of their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from statistics import linear_regression
from typing import NamedTuple

PAGES = {"Table 1": 620, "Table 2": 620, "Table 3": 621, "Figure 2": 619}


class ParsingRow(NamedTuple):
    """UAS in per cent without punctuation, and tokens per second (pruning, features, decoding; Core i7 at 3.4 GHz).

    `places`: the digits behind the point with which the UAS is printed.
    """

    uas: float
    speed: float
    places: int = 2


ROWS = {  # of Table 2, as printed: section 22 by the order's name here, section 23 by the parser's
    "1": "PTB-YM §22, 1st ord",
    "2": "PTB-YM §22, 2nd ord",
    "2+": "PTB-YM §22, 2nd ord, +ASIB, +HB",
    "3": "PTB-YM §22, 3rd ord",
    "3, gold tags": "PTB-YM §22, 3rd ord, gold tags",
}

ENGLISH = {  # Table 2, Penn Treebank section 22 with the head rules of Yamada & Matsumoto, by the order's name here
    "1": ParsingRow(91.38, 4063),
    "2": ParsingRow(93.15, 1338),
    "2+": ParsingRow(93.28, 1018),
    "3": ParsingRow(93.29, 709),
    "3, gold tags": ParsingRow(94.01, 722),
}

THIS_WORK = "This work (PTB-YM §23, 3rd ord)"
OTHER_PARSERS = {  # Table 2, as printed; speeds of the others are those that their papers report
    THIS_WORK: ParsingRow(93.07, 735),
    "Koo et al. (2010)": ParsingRow(92.46, 112),
    "Huang and Sagae (2010)": ParsingRow(92.1, 587, 1),
    "Zhang and Nivre (2011)": ParsingRow(92.9, 680, 1),
    "Martins et al. (2011)": ParsingRow(92.53, 66),
    "Zhang and McDonald (2012)": ParsingRow(93.06, 220),
    "This work (PTB-S §23, 3rd ord)": ParsingRow(92.82, 604),
    "Rush and Petrov (2012)": ParsingRow(92.7, 4460, 1),
}
"""The parser of 2011 has many small components; the last two rows are on Stanford dependencies."""


class Best(NamedTuple):
    """The best published UAS before the paper, whose it is, and its speed where one was reported."""

    uas: float
    source: str
    speed: float | None = None


class TreebankRow(NamedTuple):
    """A row of Table 3: the three orders by name, the best published parser, and two that are shown apart."""

    orders: dict[str, ParsingRow]
    published: Best
    rush_petrov: ParsingRow | None = None
    zhang_mcdonald: float | None = None

    @property
    def best(self) -> float:
        return self.published.uas


SOURCES = {  # of `Best.source`
    "Ma10": "Martins et al. (2010)",
    "Ma11": "Martins et al. (2011)",
    "Ko10": "Koo et al. (2010)",
    "ZM12": "Zhang & McDonald (2012)",
    "RP12": "Rush & Petrov (2012)",
}


def _row(
    *numbers: float,
    by: str,
    speed: float | None = None,
    rp12: tuple[float, float] | None = None,
    zm12: float | None = None,
) -> TreebankRow:
    orders = {order: ParsingRow(numbers[2 * place], numbers[2 * place + 1]) for place, order in enumerate("123")}
    return TreebankRow(orders, Best(numbers[-1], by, speed), rp12 and ParsingRow(*rp12), zm12)


TREEBANKS = {  # CoNLL-2006, and English of CoNLL-2008
    "Arabic": _row(77.23, 2481, 78.50, 388, 79.64, 197, 81.12, by="Ma11"),
    "Bulgarian": _row(91.76, 5678, 92.82, 2049, 93.10, 1273, 93.50, by="Ma11", rp12=(91.9, 3980), zm12=93.08),
    "Chinese": _row(88.49, 18094, 90.14, 4284, 89.98, 2592, 91.89, by="Ma10", rp12=(90.9, 7800)),
    "Czech": _row(87.66, 1840, 90.00, 751, 90.32, 501, 89.46, by="Ma11"),
    "Danish": _row(89.42, 4110, 91.20, 1053, 91.48, 650, 91.86, by="Ma11"),
    "Dutch": _row(83.61, 3884, 86.37, 1294, 86.19, 599, 85.81, by="Ko10", speed=121),
    "German": _row(90.52, 5331, 91.85, 1788, 92.41, 965, 91.89, by="Ma11", rp12=(90.8, 2880), zm12=91.35),
    "English": _row(91.21, 3127, 93.03, 1317, 93.22, 785, 92.68, by="Ma11"),
    "Japanese": _row(92.78, 23895, 93.14, 5660, 93.52, 2996, 93.72, by="Ma11", rp12=(92.3, 8600), zm12=93.24),
    "Portuguese": _row(91.14, 4273, 92.71, 1316, 92.69, 740, 93.03, by="Ko10", speed=79, rp12=(91.5, 2900), zm12=91.69),
    "Slovene": _row(82.81, 4315, 85.21, 722, 86.01, 366, 86.95, by="Ma11"),
    "Spanish": _row(83.61, 4347, 84.97, 623, 85.59, 318, 87.48, by="ZM12", zm12=87.48),
    "Swedish": _row(89.36, 5622, 90.98, 1387, 91.14, 684, 91.44, by="ZM12", rp12=(90.1, 5320), zm12=91.44),
    "Turkish": _row(75.98, 6418, 76.50, 1721, 76.90, 793, 77.55, by="Ko10", speed=258),
}

VINE = (3.0, 4.0)
"""Section 4: how many times slower the third order is than the vine parser of Rush & Petrov (2012) on CoNLL treebanks, about."""

CONVERTED = (
    "Koo et al. (2010)",
    "Huang and Sagae (2010)",
    "Zhang and Nivre (2011)",
    "Martins et al. (2011)",
)
"""Table 2: speeds that were converted from times per sentence."""

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


def power_of_length(cost: str, lengths: Sequence[int]) -> float:
    """What a cost of Table 1 amounts to as a power of L, fitted over these lengths as measured powers are.

    Constants are unknown, so that the term that grows the most counts: of K L + L log L the second.
    """
    return max(_power(term, lengths) for term in cost.split(" + "))


def _power(term: str, lengths: Sequence[int]) -> float:
    """Of a product such as `K^2 L^2` or `L log L`."""
    plain, _, logarithm = term.partition(" log ")
    power = sum(float(each or 1) for each in re.findall(r"\bL(?:\^(\d))?", plain))
    if not logarithm:
        return power
    logs = [log(length) for length in lengths]
    return power + linear_regression(logs, [log(each) for each in logs]).slope


TURBO_PARSER = {"1": ParsingRow(80.2, 9060), "2": ParsingRow(82.7, 1330), "3": ParsingRow(83.1, 910)}
"""Not in the paper: the original system by order, trained on `en_ewt` dev and tested on its test part, gold tags, with punctuation.
Measured once, on another machine (2.3 GHz Xeon)."""

TURBO_PARSER_MS = (0.7, 5.7, 18.0, 39.0, 108.0)
"""Not in the paper either: mean milliseconds of AD3 alone in the original system for sentences of 1-10, 11-20, 21-30, 31-40 and 41+ words,
measured once on the same machine."""
