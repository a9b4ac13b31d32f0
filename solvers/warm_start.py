"""AD3's multipliers, kept for the next instance with the same links: another budget, or scores that changed a little.

Any multipliers give a valid bound, so a start can make a run shorter or longer but never wrong: `dual_value` is taken for the
new scores, and structures are judged as always. What is kept is keyed by which literals each factor links, not by scores,
budgets or costs. The presolve goes by the signs of scores: where these change, links may as well, and the start is cold. A
variable whose score has changed spreads the change over its links, as a cold start spreads the score.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import NamedTuple

from problems.kernels.layout import Layout
from problems.linear_program import Floats

MOST_BYTES = 2**28  # of all that is kept; what was not used for longest goes first


class Kept(NamedTuple):
    """The end of a run: multipliers per link (unscaled), averages per variable, and the scores that they belong to."""

    multipliers: Floats
    averages: Floats
    scores: Floats
    eta: float  # relative to `scale`
    scale: float  # the typical size of a score

    @property
    def bytes(self) -> int:
        return self.multipliers.nbytes + self.averages.nbytes + self.scores.nbytes


def links_key(layout: Layout) -> bytes:
    """A hash of the graph's links; graphs with equal keys have multipliers in the same places."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(len(layout.fixed).to_bytes(8, "little"))
    for array in (layout.codes, layout.link_starts, layout.link_variables, layout.negated):
        digest.update(len(array).to_bytes(8, "little"))
        digest.update(array.data if array.flags.c_contiguous else array.tobytes())
    return digest.digest()


class WarmStarts:
    """The last end of a run for each set of links, up to `most_bytes`."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Kept | None:
        return self._kept.get(key)

    def put(self, key: bytes, kept: Kept) -> None:
        old = self._kept.pop(key, None)
        self.bytes += kept.bytes - (old.bytes if old else 0)
        self._kept[key] = kept
        while self.bytes > self.most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= dropped.bytes
