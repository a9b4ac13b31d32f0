"""Factors that someone else wrote and compiled with numba: they run inside our compiled drivers.

A `CompiledFactor` brings `maximize_kernel` and, where there is a closed form, `project_kernel`; without it AD3 projects
with the active set method, in compiled code too. `docs/own-factors.md` has a tested example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..checks import indices, numbers
from ..errors import InputError
from ..kernels.codes import OWN, OWN_PROJECTED
from ..linear_program import Floats, Integers
from .foreign import Factor, Foreign

HEADER = 2  # ints in front of the user's: the addresses of both kernels in this process (see `kernels.own`)


class CompiledFactor(Factor):
    """A factor whose `maximize` (and `project`) are numba kernels. `ints` and `floats` are one factor's parameters.

    maximize_kernel(scores, ints, floats, y): write the best configuration to y and return its own score
    project_kernel(point, scale, ints, floats, z): write the z that minimizes 1/2 ||z - point||^2 - scale * own(z)
    over the hull of the configurations
    """

    maximize_kernel: ClassVar[Callable[..., float]]
    project_kernel: ClassVar[Callable[..., None] | None] = None
    ints: ArrayLike = ()
    floats: ArrayLike = ()

    def maximize(self, scores: Floats) -> tuple[Floats, float]:
        ints, floats = self.parameters()
        configuration = np.empty(len(scores))
        own = kernel_of(type(self), "maximize_kernel")(
            np.ascontiguousarray(scores, dtype=np.float64), ints, floats, configuration
        )
        return configuration, own

    def parameters(self) -> tuple[Integers, Floats]:
        """The parameters as arrays of the types that kernels are compiled for."""
        name = type(self).__name__
        return indices(self.ints, f"the ints of factor {name!r}"), numbers(
            self.floats, f"the floats of factor {name!r}"
        )


class Own(Foreign):
    """Compiled factors without a projection of their own; the graph's ints have room for the addresses."""

    kind: ClassVar[str] = "own"
    code: ClassVar[int] = OWN

    @property
    def kernel_ints(self) -> Integers:
        """With the addresses in this process: a graph that was pickled has others elsewhere."""
        addresses = {found: _addresses(found) for found in {type(factor) for factor in self.factors}}
        filled = self.ints.copy()
        for place, column in enumerate(zip(*(addresses[type(factor)] for factor in self.factors), strict=True)):
            filled[self.int_starts[:-1] + place] = column
        return filled

    def maximize(self, scores: Floats) -> tuple[Floats, Floats]:
        return super(Foreign, self).maximize(scores)  # the compiled face of all other kinds


class OwnProjected(Own):
    """Compiled factors that bring `project_kernel`."""

    kind: ClassVar[str] = "own_projected"
    code: ClassVar[int] = OWN_PROJECTED


OWN_KINDS: dict[str, type[Foreign]] = {block.kind: block for block in (Foreign, Own, OwnProjected)}


def kind_of(factor: Factor) -> type[Foreign]:
    """The kind of block that a factor of one's own belongs to."""
    if not isinstance(factor, CompiledFactor):
        return Foreign
    kernel_of(type(factor), "maximize_kernel")
    return Own if type(factor).project_kernel is None else OwnProjected


def packed(factor: Factor) -> tuple[Integers, Floats]:
    """A factor's ints and floats in the graph's arrays."""
    if not isinstance(factor, CompiledFactor):
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    ints, floats = factor.parameters()
    return np.concatenate([np.zeros(HEADER, dtype=np.int64), ints]), floats


def kernel_of(factor: type[Any], which: str) -> Callable[..., Any]:
    """A kernel of a factor class; one sentence where it is none."""
    kernel = getattr(factor, which, None)
    if not hasattr(kernel, "py_func"):
        raise InputError(
            f"`{which}` of factor {factor.__name__!r} must be a function that numba's `njit` has compiled."
        )
    return kernel  # type: ignore[return-value]


def _addresses(factor: type[Any]) -> tuple[int, int]:
    from numba.core.errors import NumbaError

    from ..kernels.own import MAXIMIZE, PROJECT, address_of

    found = [0, 0]
    for which, place in (("maximize_kernel", MAXIMIZE), ("project_kernel", PROJECT)):
        if which == "maximize_kernel" or factor.project_kernel is not None:
            try:
                found[place] = address_of(kernel_of(factor, which), place)
            except NumbaError as error:
                said = next((line.strip() for line in str(error).splitlines()[1:] if line.strip()), str(error))
                raise InputError(f"`{which}` of factor {factor.__name__!r} cannot be compiled ({said}).") from None
    return found[0], found[1]
