"""One compiled function for each face of each kind of factor, called by address: a graph loads those of its own kinds only.

A dispatch over all kinds within one function has to compile them all, parsers for a summary, in every driver. Here the
drivers read the address of a kind's function from a table, and `load` fills in what a graph needs. Machine code that is
cached on disk refers to the table by name, so it knows no address of another process. All functions have one C signature:

    double family(int64 code, int64 degree, double *source, double scale, int64 *ints, int64 int_count,
                  double *floats, int64 float_count, int64 *int_memory, double *float_memory, int64 place, double *answer)

- PROJECT reads a point and writes its projection to `answer`; it returns 1 if that is final, else 0
- MAXIMIZE reads scores, writes the best point to `answer` and returns its value; it has no memory
- ORACLE finds the scores at the start of `float_memory`, writes the best configuration behind them and returns its own
  score; its scratch are `int_memory`, and `float_memory` from `place` on
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import event
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from .cache import keep_on_disk

PROJECT, MAXIMIZE, ORACLE = 0, 1, 2
FACES = ("project", "maximize", "oracle")
LOWEST, WIDTH = -3, 32  # the lowest code of a kind, and how many there may be

_TABLE = "dualbench_families"
addresses = np.zeros(len(FACES) * WIDTH, dtype=np.int64)
llvm.add_symbol(_TABLE, addresses.ctypes.data)

_INTEGERS, _DOUBLES = types.CPointer(types.int64), types.CPointer(types.float64)  # type: ignore[no-untyped-call]
_ARGUMENTS = (
    *(types.int64, types.int64, _DOUBLES, types.float64),
    *(_INTEGERS, types.int64, _DOUBLES, types.int64),
    *(_INTEGERS, _DOUBLES, types.int64, _DOUBLES),
)
_known: dict[int, Any] = {}


class _Family(CFunc):
    """A compiled function behind the C signature, whose compilation numba announces as it does for all others."""

    @property
    def py_func(self) -> Any:
        ours: Any = self
        return ours._pyfunc

    def _compile_uncached(self) -> Any:
        plain: Any = super()
        with event.trigger_event("numba:compile", data={"dispatcher": self}):
            return plain._compile_uncached()


def family(face: int, codes: tuple[int, ...], entry: Callable[..., float]) -> None:
    """Make `entry`, a function of the C signature, a face of these kinds of factor. It is compiled when it is loaded."""
    entry.__name__ = entry.__qualname__ = "_".join([FACES[face], *(str(code - LOWEST) for code in codes)])
    made: Any = _Family(entry, (_ARGUMENTS, types.float64), {}, {"error_model": "numpy"})
    keep_on_disk(made, entry)
    _known.update({_place(face, code): made for code in codes})


def load(face: int, codes: Iterable[int]) -> None:
    """Load (or compile) a face of all kinds with these codes; a kind without it is passed over."""
    missing = [code for code in codes if not addresses[_place(face, code)]]
    if not missing:
        return
    from . import maximize, oracles, project  # noqa: F401 (they make the families known)

    for code in missing:
        place = _place(face, code)
        if place in _known:
            if face != ORACLE:
                load(ORACLE, [code])
            if _known[place].address is None:
                _known[place].compile()
            addresses[place] = _known[place].address


def _place(face: int, code: int) -> int:
    return face * WIDTH + code - LOWEST


@intrinsic
def _address(context, place):
    """What the table has at a place."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = ir.IntType(64)
        table = context.get_c_value(builder, ir.ArrayType(integer, len(addresses)), _TABLE)
        return builder.load(builder.gep(table, [integer(0), arguments[0]]))

    return types.int64(types.int64), generate


@intrinsic
def _call(
    context,
    address,
    code,
    degree,
    source,
    source_at,
    scale,
    ints,
    p,
    p_end,
    floats,
    t,
    t_end,
    int_memory,
    i,
    float_memory,
    f,
    place,
    answer,
    answer_at,
):
    """Call the function at an address; arrays are given whole, with positions."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def pointer(array: int) -> Any:
            data = context.make_array(signature.args[array])(context, builder, value=arguments[array]).data
            return builder.gep(data, [arguments[array + 1]])

        double, integer = ir.DoubleType(), ir.IntType(64)
        doubles, integers = double.as_pointer(), integer.as_pointer()
        given = [
            integer,
            integer,
            doubles,
            double,
            integers,
            integer,
            doubles,
            integer,
            integers,
            doubles,
            integer,
            doubles,
        ]
        function = builder.inttoptr(arguments[0], ir.FunctionType(double, given).as_pointer())
        int_count, float_count = (builder.sub(arguments[end], arguments[first]) for first, end in ((7, 8), (10, 11)))
        return builder.call(
            function,
            [
                *(arguments[1], arguments[2], pointer(3), arguments[5]),
                *(pointer(6), int_count, pointer(9), float_count),
                *(pointer(12), pointer(14), arguments[16], pointer(17)),
            ],
        )

    arrays = {3: source, 6: ints, 9: floats, 12: int_memory, 14: float_memory, 17: answer}
    kinds = [arrays.get(number, types.float64 if number == 5 else types.int64) for number in range(19)]
    return types.float64(*kinds), generate


@numba.njit(inline="always", error_model="numpy")
def call_family(
    face,
    code,
    degree,
    source,
    source_at,
    scale,
    ints,
    p,
    p_end,
    floats,
    t,
    t_end,
    int_memory,
    i,
    float_memory,
    f,
    place,
    answer,
    answer_at,
):
    """A face of one factor; arrays are given whole, with positions."""
    address = _address(face * WIDTH + code - LOWEST)  # type: ignore[call-arg,var-annotated]
    if address == 0:
        raise ValueError("the kernels of a kind of factor are not loaded")
    return _call(
        address,
        code,
        degree,
        source,
        source_at,
        scale,
        ints,
        p,
        p_end,
        floats,
        t,
        t_end,
        int_memory,
        i,
        float_memory,
        f,
        place,
        answer,
        answer_at,
    )
