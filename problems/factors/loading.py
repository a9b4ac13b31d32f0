"""Kernels of whole kinds of factor, loaded before anyone looks at a clock."""

from __future__ import annotations

from collections.abc import Iterable

from ..kernels.codes import COVERAGE, PAIR_COVERAGE, TREE_BUDGET
from . import KINDS
from .compiled import OWN_KINDS

PRESOLVED = {
    "or_out": (COVERAGE,),
    "budget": (KINDS["knapsack"].code,),
    "subtree": (PAIR_COVERAGE, TREE_BUDGET),
}
"""What AD3's presolve may make of a kind."""


def known_kinds(kinds: Iterable[str] | None = None) -> list[str]:
    """These kinds of factor, or all that there are."""
    return [*KINDS, *OWN_KINDS] if kinds is None else list(kinds)


def load_kinds(kinds: Iterable[str] | None = None) -> None:
    """Load (or compile) the faces of these kinds of factor, of all kinds if none are named."""
    from ..kernels.families import MAXIMIZE, PROJECT, load

    known = {**KINDS, **OWN_KINDS}
    for kind in known_kinds(kinds):
        codes = (known[kind].code, *PRESOLVED.get(kind, ()))
        load(MAXIMIZE, codes)
        load(PROJECT, codes)
