"""Shortcuts in numba's compiler: the same types and implementations as without them, and Python as it was."""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from problems.kernels import faster_typing
from problems.kernels.cache import inner, kernel

VECTOR, MATRIX, FLAGS = types.float64[::1], types.float64[:, ::1], types.boolean[::1]
SHORT, PLACE = types.int32, types.intp
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (operator.getitem, (VECTOR, PLACE)),
    (operator.getitem, (VECTOR, SHORT)),
    (operator.getitem, (VECTOR, types.literal(3))),
    (operator.getitem, (FLAGS, PLACE)),
    (operator.getitem, (MATRIX, types.UniTuple(PLACE, 2))),
    (operator.setitem, (VECTOR, PLACE, types.float64)),
    (operator.add, (PLACE, types.float64)),
    (operator.add, (PLACE, types.literal(1))),
    (operator.add, (SHORT, SHORT)),
    (operator.lt, (types.float64, PLACE)),
    (max, (types.float64, types.float64)),
    (len, (MATRIX,)),
]


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_what_is_remembered_is_what_numba_infers(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    context: Any = cpu_target.typing_context
    context.refresh()
    kind = context.resolve_value_type(function)
    first = kind.get_call_type(context, arguments, {})
    implementation = kind.get_impl_key(first)
    for others in (given for called, given in CALLS if called is function):
        kind.get_call_type(context, others, {})
    remembered = kind.get_call_type(context, arguments, {})
    assert remembered is first
    assert kind.get_impl_key(remembered) is implementation
    inferred = faster_typing._infer(kind, context, arguments, {})
    assert (inferred.return_type, inferred.args) == (first.return_type, first.args)


def test_what_does_not_fit_is_refused_each_time() -> None:
    context: Any = cpu_target.typing_context
    context.refresh()
    kind = context.resolve_value_type(operator.getitem)
    for _ in range(2):
        with pytest.raises(TypingError):
            kind.get_call_type(context, (types.float64, types.float64), {})


def test_constants_make_no_copies_of_a_kernel() -> None:
    @inner
    def shifted(value, by):
        return value + by

    @kernel
    def both(value):
        return shifted(value, 1) * shifted(value, -1) * shifted(value, value)

    assert both(5) == 6 * 4 * 10
    assert len(shifted.nopython_signatures) == 1  # type: ignore[attr-defined]


def test_other_peoples_kernels_keep_their_constants() -> None:
    """`literally` and tuples of several types need them."""

    @numba.njit
    def part(pair):
        return pair[0] + pair[1].sum()

    assert part((2, np.ones(3))) == 5.0


def test_garbage_is_collected_as_before_once_a_kernel_is_there() -> None:
    before = gc.get_threshold()
    seen = []

    @kernel
    def doubled(value):
        return 2 * value

    @kernel
    def impossible(value):
        return value.of_no_kind

    with faster_typing.rarely_collecting():
        seen.append(gc.get_threshold())
        with faster_typing.rarely_collecting():
            seen.append(gc.get_threshold())
    assert seen[0] == seen[1] == (faster_typing.OBJECTS, *before[1:])
    assert doubled(3) == 6
    assert gc.get_threshold() == before
    with pytest.raises(TypingError):
        impossible(3)
    assert gc.get_threshold() == before
