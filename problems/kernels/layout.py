"""The flat arrays of a whole graph that dual decomposition runs on."""

from __future__ import annotations

from typing import Any, NamedTuple


class Layout(NamedTuple):
    """A graph's structure. Links are ordered by factor; `variable_links` lists each variable's links."""

    codes: Any
    link_starts: Any
    link_variables: Any
    link_factors: Any
    negated: Any
    signs: Any  # -1 for a negated link, else 1: a literal is (1 - sign) / 2 + sign * x, without a branch
    int_starts: Any
    ints: Any
    float_starts: Any
    floats: Any
    variable_starts: Any
    variable_links: Any
    fixed: Any  # per variable: 0 or 1 where it is fixed, -1 where it is free
