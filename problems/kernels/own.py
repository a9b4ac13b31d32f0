"""Kernels that a user brings for a factor of their own, called by address from our compiled drivers.

Machine code of ours that is cached on disk cannot know a user's function. So a factor carries the addresses of its
kernels among its ints, and `call_own` calls one by address. Both kernels have one C signature:

    double kernel(const double *input, int64 degree, double scale,
                  const int64 *ints, int64 int_count, const double *floats, int64 float_count, double *answer)

`maximize` reads scores, writes a configuration and returns its own score (`scale` is 1). `project` reads a point and
writes the minimizer of 1/2 ||z - point||^2 - scale * own(z). A kernel that raises answers NaN, and so does the bound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from . import loading

MAXIMIZE, PROJECT, HEADER = 0, 1, 2  # positions in a factor's ints: two addresses, then what the user gave

_DOUBLES, _INTEGERS = types.CPointer(types.float64), types.CPointer(types.int64)  # type: ignore[no-untyped-call]
_SIGNATURE = types.float64(
    *(_DOUBLES, types.int64, types.float64),
    *(_INTEGERS, types.int64, _DOUBLES, types.int64, _DOUBLES),
)


@intrinsic
def _call(context, address, source, source_at, degree, scale, ints, p, p_end, floats, t, t_end, answer, answer_at):
    """Call the function at an address; arrays are given whole, with positions."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(array: int, at: int) -> Any:
            data = context.make_array(signature.args[array])(context, builder, value=arguments[array]).data
            return builder.gep(data, [arguments[at]])

        double, integer = ir.DoubleType(), ir.IntType(64)
        doubles, integers = double.as_pointer(), integer.as_pointer()
        form = ir.FunctionType(double, [doubles, integer, double, integers, integer, doubles, integer, doubles])
        function = builder.inttoptr(arguments[0], form.as_pointer())
        int_count, float_count = (builder.sub(arguments[end], arguments[first]) for first, end in ((6, 7), (9, 10)))
        return builder.call(
            function,
            [
                *(pointer(1, 2), arguments[3], arguments[4]),
                *(pointer(5, 6), int_count, pointer(8, 9), float_count, pointer(11, 12)),
            ],
        )

    given = (address, source, source_at, degree, scale, ints, p, p_end, floats, t, t_end, answer, answer_at)
    integers = {0, 2, 3, 6, 7, 9, 10, 12}
    signature = types.float64(*(types.int64 if number in integers else kind for number, kind in enumerate(given)))
    return signature, generate


@numba.njit(inline="always", error_model="numpy")
def call_own(which, degree, source, source_at, scale, ints, p, p_end, floats, t, t_end, answer, answer_at):
    """A factor's kernel `which` (MAXIMIZE or PROJECT) on the literals of one factor."""
    address = ints[p + which]
    if address == 0:
        return np.nan
    return _call(  # type: ignore[call-arg]
        address, source, source_at, degree, scale, ints, p + HEADER, p_end, floats, t, t_end, answer, answer_at
    )


@cache
def address_of(kernel: Callable[..., Any], which: int) -> int:
    """The address of a user's njit kernel behind the C signature; compiled once in each process, on nobody's clock."""
    loading.begin((kernel, which))
    try:
        entry = numba.cfunc(_SIGNATURE, error_model="numpy")(
            _maximizing(kernel) if which == MAXIMIZE else _projecting(kernel)
        )
    finally:
        loading.end((kernel, which))
    _entries.append(entry)
    return int(entry.address or 0)


_entries: list[Any] = []  # machine code lives as long as its object


def _maximizing(kernel: Any) -> Callable[..., float]:
    def entry(scores, degree, scale, ints, int_count, floats, float_count, answer):
        given, parameters = carray(scores, degree), carray(ints, int_count)
        try:
            return kernel(given, parameters, carray(floats, float_count), carray(answer, degree))
        except Exception:
            return np.nan

    return entry


def _projecting(kernel: Any) -> Callable[..., float]:
    def entry(point, degree, scale, ints, int_count, floats, float_count, answer):
        given, parameters, z = carray(point, degree), carray(ints, int_count), carray(answer, degree)
        try:
            kernel(given, scale, parameters, carray(floats, float_count), z)
        except Exception:
            z[:] = np.nan
        return 0.0

    return entry
