"""Shortcuts in what numba writes for LLVM: the same items, the same references, the same variables as without them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys
from numba.core.runtime.context import NRTContext

from problems.kernels import cache, faster_items, faster_lowering

assert cache  # it installs the shortcuts

VECTOR, MATRIX = types.float64[::1], types.int64[:, ::1]


class Pair(NamedTuple):
    values: Any
    counts: Any


def read(array, index):
    return array[index]


def write(array, index, value):
    array[index] = value


def swap(array, i, j):
    array[i, j], array[j, i] = array[j, i], array[i, j]
    return array[-1, j - 1] + array[i, np.uint64(j)]


READ, WRITE, SWAP = numba.njit(read), numba.njit(write), numba.njit(swap)
CUBE = np.arange(24.0).reshape(2, 3, 4)
ARRAYS = [
    np.arange(5.0),
    np.arange(5, dtype=np.int32),
    np.array([True, False, True]),
    np.arange(5, dtype=np.complex128),
    np.arange(10.0)[::2],
    np.arange(12).reshape(3, 4),
    np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    CUBE,
    CUBE.transpose(2, 0, 1),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}-{array.ndim}-{array.strides}")
def test_items_are_numpys(array: np.ndarray[Any, Any]) -> None:
    whole: list[Any] = [(1,) * array.ndim, (-2,) + (0,) * (array.ndim - 1), (np.uint8(1),) * array.ndim]
    for index in [1, -1, *(given if array.ndim > 1 else given[0] for given in whole)]:
        np.testing.assert_array_equal(READ(array, index), array[index])
        written, expected = array.copy(), array.copy()
        WRITE(written, index, 7)
        expected[index] = 7
        np.testing.assert_array_equal(written, expected)


def test_items_of_arrays_that_cannot_be_written() -> None:
    fixed = np.arange(4.0)
    fixed.flags.writeable = False
    assert READ(fixed, -1) == 3.0


def test_items_with_several_kinds_of_index() -> None:
    ours, numpys = np.arange(9).reshape(3, 3), np.arange(9).reshape(3, 3)
    assert SWAP(ours, 0, 2) == swap(numpys, 0, 2)
    np.testing.assert_array_equal(ours, numpys)


@pytest.mark.parametrize(
    ("arguments", "short"),
    [
        ((VECTOR, types.int64), True),
        ((VECTOR, types.uint64), True),
        ((MATRIX, types.UniTuple(types.int64, 2)), True),
        ((MATRIX, types.int64), False),  # a row
        ((types.float64[:], types.int64), False),
        ((types.complex128[::1], types.int64), False),
    ],
)
def test_which_items_are_read_in_short(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[Any, ...], short: bool
) -> None:
    seen, address = [], faster_items._address
    monkeypatch.setattr(faster_items, "_address", lambda *given: seen.append(given) or address(*given))
    numba.njit(arguments)(lambda array, index: array[index])
    assert bool(seen) == short


def test_slices_and_masks_are_numbas() -> None:
    context: Any = cpu_target.target_context
    context.refresh()
    signature = VECTOR(VECTOR, types.slice2_type)
    assert context.get_function(operator.getitem, signature)._imp is not faster_items._read


COUNTED = [
    VECTOR,
    MATRIX,
    types.int64,
    types.UniTuple(types.int64, 3),
    types.UniTuple(VECTOR, 2),
    types.Tuple((types.int64, VECTOR, types.UniTuple(MATRIX, 2))),
    types.NamedTuple((VECTOR, types.float64), Pair),
    types.Optional(VECTOR),
    types.Optional(types.int64),
    types.unicode_type,
    types.List(VECTOR),
    types.DictType(types.int64, VECTOR),
]


@pytest.mark.parametrize("kind", COUNTED, ids=str)
def test_what_is_counted_is_what_numba_counts(monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    context: Any = cpu_target.target_context
    context.refresh()
    found = []
    for collect in (faster_lowering._get_meminfos, faster_lowering._get_meminfos_of_numba):
        monkeypatch.setattr(NRTContext, "get_meminfos", collect)
        held = context.get_value_type(kind)
        function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), [held]), "function")
        builder = ir.IRBuilder(function.append_basic_block())
        infos = NRTContext(context, True).get_meminfos(builder, kind, function.args[0])
        found.append([(each, str(info.type)) for each, info in infos])
        monkeypatch.undo()
    assert found[0] == found[1]


@pytest.fixture
def counting() -> Iterator[None]:
    """numba counts what it allocates and frees."""
    counter: Any = _nrt_python
    was = counter.memsys_stats_enabled()
    counter.memsys_enable_stats()
    yield
    if not was:
        counter.memsys_disable_stats()


@pytest.mark.usefixtures("counting")
def test_nothing_is_leaked_and_nothing_freed_twice() -> None:
    @numba.njit
    def part(pair, size):
        pair.counts[0] += size
        values = np.ones(size)
        return Pair(values, pair.counts) if size % 2 else pair

    @numba.njit
    def whole(rounds):
        pair = Pair(np.zeros(3), np.zeros(1))
        for size in range(1, rounds):
            made = part(pair, size)
            if made.values[0] > 0:
                pair = made
        return pair

    whole(3)
    before = rtsys.get_allocation_stats()
    made = whole(50)
    assert made.counts[0] == sum(range(50))
    assert made.values.tolist() == [1.0] * 49
    del made
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free


@pytest.mark.parametrize("function", [read, write, swap])
def test_variables_are_those_that_numba_lists(function: Callable[..., Any]) -> None:
    statements = [each for block in run_frontend(function).blocks.values() for each in block.body]
    assert statements
    for statement in statements:
        for given in (statement.__dict__, [statement], (), 3, {"a": [statement]}):
            numbas = faster_lowering._list_vars_of_numba(statement, given)
            assert [var.name for var in statement._rec_list_vars(given)] == [var.name for var in numbas]
