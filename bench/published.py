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
