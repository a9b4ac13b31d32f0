"""Figures from records: `make_plot(records, kind, **options)` and `save(figure, path)`.

Importing this package loads no matplotlib, so that an experiment's plots can be checked against `PLOTS` cheaply.
"""

from __future__ import annotations

from ...experiments.presentation import check_plot
from .canvas import FORMATS, save
from .registry import PLOTS, draw, make_plot

__all__ = ["FORMATS", "PLOTS", "check_plot", "draw", "make_plot", "save"]
