"""Local solutions as mixtures: which configurations of each factor a fractional solution consists of."""

from __future__ import annotations

from typing import NamedTuple

from ..linear_program import Floats, Integers


class Mixtures(NamedTuple):
    """Factor f has the configurations starts[f]:starts[f+1], whose weights sum to one; factors with a closed form have none.

    A configuration c is the values of its factor's literals in `points`, from point_starts[c] on.
    """

    starts: Integers
    weights: Floats
    point_starts: Integers
    points: Floats
