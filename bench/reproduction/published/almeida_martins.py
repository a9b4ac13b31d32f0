"""Almeida & Martins (2013): Tables 2 and 3 (page 203 of the proceedings), and numbers of their text. Table 1 has none."""

from __future__ import annotations

from typing import NamedTuple

PAGES = {"Table 2": 203, "Table 3": 203, "Figure 2": 203}


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

ROUNDING_SECONDS = 0.029
"""Caption of Table 3: what rounding takes of the runtimes of AD3 and LP-Relax., on average."""

BGK_SECONDS, WL_SECONDS = 1.5, 55.0
"""Footnote 11 and Section 1: exact ILPs of Berg-Kirkpatrick et al. (2011), about, and of Woodsend & Lapata (2012)."""

PARSER_SPEED = 1200.0
"""Section 5.1: words per second of TurboParser, which keeps parsing below a second for each problem."""
