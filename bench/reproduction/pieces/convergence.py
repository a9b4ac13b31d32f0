"""How many iterations AD3 and the subgradient method need to a bound (Martins et al. 2013, Section 2.2 and footnote 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...analysis.statistics.bounds import WITHIN, iterations_to_bound
from ...analysis.statistics.cells import reduce_cells
from ...analysis.statistics.values import median_interval
from ...records.frame import Records
from ..claims import Claim
from ..evidence import Evidence, few
from ..verdicts import effect
from .parsing_cells import SUBGRADIENT_STEPS, as_published

LOOSER = 0.01  # also told, not judged
RULE = "1x: no effect; any surely larger quotient: reproduced (no numbers are printed)"


class Race(NamedTuple):
    """Iterations of both on each sentence; `best` has of the four step sizes that which needs the fewest."""

    ad3: pd.DataFrame
    best: pd.DataFrame

    @property
    def quotient(self) -> Evidence:
        """How many times more iterations the subgradient method needs: the median over sentences."""
        ratios = (self.best["iterations"] / self.ad3["iterations"]).to_numpy(float)
        found = median_interval(ratios, logarithms=True)
        return Evidence(found.value, found.low, found.high, len(ratios), factor=True).widened(few(len(ratios)))

    @property
    def text(self) -> str:
        found = self.quotient
        counts = [f"{own['iterations'].median():.3g}" for own in self]
        return f"{counts[0]} against {counts[1]} iterations, {found.value:.3g}x [{found.low:.3g}, {found.high:.3g}] as many"


def race_to_bound(records: Records, within: float) -> Race | None:
    """To a bound within a share of the best known one of the sentence."""
    cells = reduce_cells(records)
    label = as_published(cells)
    best = cells[(cells["label"] == label) | (cells["solver"] == SUBGRADIENT_STEPS)]
    bounds = best.groupby("instance_digest")["bound"].min().dropna()
    targets = {str(digest): float(bound) + within * abs(float(bound)) for digest, bound in bounds.items()}
    found = iterations_to_bound(records, targets)
    ad3 = found[found["label"] == label].set_index("instance_digest")
    steps = found[found["solver"] == SUBGRADIENT_STEPS]
    steps = steps.sort_values(["reached", "iterations"], ascending=[False, True], kind="stable")
    fewest = steps.drop_duplicates("instance_digest").set_index("instance_digest")
    shared = ad3.index.intersection(fewest.index)
    return Race(ad3.loc[shared], fewest.loc[shared]) if len(shared) else None


def ad3_converges_faster(records: Records) -> Claim:
    """By iterations to a bound within 0.1 % of the best known one, from the traces."""
    claim = Claim(
        "ad3-converges-faster",
        "Section 2.2, footnote 2",
        "AD3 converges faster than the subgradient method: it needs fewer iterations to a bound of the same accuracy.",
        "O(1/eps) against O(1/eps^2) iterations",
    )
    found, looser = (race_to_bound(records, within) for within in (WITHIN, LOOSER))
    if found is None or looser is None:
        return claim
    censored = [int((~own["reached"]).sum()) for own in found]
    caps = " and ".join(f"{cap:,}" for cap in caps_of(records))
    ruling = effect(found.quotient, 1.0, 1.0, RULE)
    return replace(
        claim,
        ours=f"within {WITHIN:.1%}: {found.text} (medians over {len(found.ad3)} sentences)",
        ratio=f"{found.quotient.value:.3g}x [{found.quotient.low:.3g}, {found.quotient.high:.3g}]",
        ruling=ruling,
        why=f"AD3 as published against the best of four step sizes for each sentence; caps {caps} iterations. Not there at the cap, which then "
        f"counts: AD3 on {censored[0]}, the subgradient method on {censored[1]}. Within {LOOSER:.0%}: {looser.text}. "
        "Traces have about 60 points, so that a count may be an eighth too large, of both alike.",
    )


def caps_of(records: Records) -> list[int]:
    """Of AD3 and of the subgradient method."""
    cells = records[records["solver"].isin(["ad3", SUBGRADIENT_STEPS])]
    caps = cells["options"].map(lambda options: options.get("max_iterations") or np.nan).groupby(cells["solver"]).max()
    return [int(cap) for cap in caps.dropna()]
