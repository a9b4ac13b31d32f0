"""How a solver's time grows with the size of an instance: the exponent of a power law, with its interval.

A point is an instance. A size of the run in which most cells were stopped or failed is left out: what still ended there are the easy
ones. Where fewer were stopped, they count as their limit, so that the easy ones alone do not decide. Without sizes by name, bins of
sentence lengths take their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..experiments.presentation import bin_names, length_bins
from .groups import in_order
from .statistics.values import SHORTEST

LEAST_RANGE = 2.0  # of sizes: no exponent can be told from instances of nearly the same size


@dataclass(frozen=True)
class PowerLaw:
    """seconds = factor * size ** exponent, by least squares on logarithms; the interval is Student's for the exponent."""

    exponent: float
    low: float
    high: float
    factor: float

    def __str__(self) -> str:
        return f"{self.exponent:.2f} [{self.low:.2f}, {self.high:.2f}]"


def fit_power_law(
    sizes: NDArray[np.float64], seconds: NDArray[np.float64], confidence: float = 0.95
) -> PowerLaw | None:
    """None where there are fewer than three points or fewer than two sizes."""
    from scipy import stats

    if len(sizes) < 3 or len(np.unique(sizes)) < 2:
        return None
    fitted = stats.linregress(np.log(sizes), np.log(seconds))
    error = 0.0 if np.isnan(fitted.stderr) else float(fitted.stderr)  # scipy has none where all times are equal
    reach = float(stats.t.ppf(0.5 + confidence / 2, len(sizes) - 2)) * error
    slope = float(fitted.slope)
    return PowerLaw(slope, slope - reach, slope + reach, float(np.exp(fitted.intercept)))


class Growth(NamedTuple):
    """Of one solver. `sizes` and `seconds` are the points of the fit, `stopped` how many of them are limits."""

    label: str
    law: PowerLaw | None
    sizes: NDArray[np.float64]
    seconds: NDArray[np.float64]
    stopped: int
    left_out: list[str]  # sizes of the run in which most cells were stopped


def size_measure(cells: pd.DataFrame) -> str:
    """What the size of an instance is: its length where all have one, else the number of its variables or words."""
    return "length" if len(cells) and (cells["length"] > 0).all() else "instance_size"


def growth(cells: pd.DataFrame, confidence: float = 0.95) -> list[Growth]:
    """Of every label in the reduced cells (`reduce_cells`) of one task."""
    measure = size_measure(cells)
    cells = cells[cells[measure] > 0]
    names, order = cells["size"].astype(str), in_order(cells["size"])
    if len(order) < 2 and measure == "length":
        order = bin_names()
        names = pd.Series([order[place] for place in length_bins(cells["length"].to_numpy(float))], cells.index)
    timed = cells["answered"].astype(bool) & cells["ended"].astype(bool) & cells["seconds"].notna()
    stopped = (cells["status"] == "timeout") | cells["limited"].astype(bool)
    found = []
    for label in dict.fromkeys(cells["label"]):
        own = cells["label"] == label
        left_out = [name for name in order if timed[own & (names == name)].mean() < 0.5]  # never true of NaN
        points = cells[own & ~names.isin(left_out) & (timed | stopped)]
        points = points[points["runtime"].notna()].sort_values(measure, kind="stable")
        sizes = points[measure].to_numpy(float)
        seconds = np.maximum(points["runtime"].to_numpy(float), SHORTEST)
        wide = len(sizes) > 0 and sizes[-1] >= LEAST_RANGE * sizes[0]
        law = fit_power_law(sizes, seconds, confidence) if wide else None
        found.append(Growth(str(label), law, sizes, seconds, int(stopped[points.index].sum()), left_out))
    return found
