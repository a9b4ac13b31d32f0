"""Reading and writing `array[i]` and `array[i, j]` in fewer instructions than numba's, with the same addresses and values.

numba writes the whole array to the stack, seven fields and as many zeros before them, and reads back what it needs; LLVM has
to undo that at every subscript of every kernel. Here the fields are taken from the value. Only arrays of plain numbers in C
order are meant, with integers for all axes; numba does the rest as before.

Our own kernels never count from the end of an array, so nothing in them looks whether an index is negative: that takes a fifth
off an iteration of AD3. Code of others, numba's and users', may. With the variable DUALBENCH_CHECK_INDICES set, a negative index
in one of our kernels ends the process and names the kernel; the tests pass like that, too.
"""

from __future__ import annotations

import operator
import os
from typing import Any, cast

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin
from numba.np import arrayobj

CHECKING = bool(os.environ.get("DUALBENCH_CHECK_INDICES"))
OURS = "_ZN8problems7kernels"  # how the names of our kernels begin once compiled
PLAIN = (types.Integer, types.Float, types.Boolean)


def _kinds(index: Any) -> tuple[Any, ...]:
    return tuple(getattr(index, "types", (index,)))  # a tuple has them


def _is_plain(context: Any, array: Any, index: Any) -> bool:
    kinds = _kinds(index)
    return (
        type(array) is types.Array
        and array.layout == "C"
        and array.ndim == len(kinds)
        and array.aligned
        and isinstance(array.dtype, PLAIN)
        and all(isinstance(kind, types.Integer) for kind in kinds)
        and not context.enable_boundscheck
    )


def _address(context: Any, builder: Any, array: Any, value: Any, index: Any, at: Any) -> Any:
    """Where an item is; in code of others, negative indices count from the end."""
    fields, kinds, unpacked = context.data_model_manager[array], _kinds(index), cast(Any, cgutils.unpack_tuple)
    shape = unpacked(builder, fields.get(builder, value, "shape"), array.ndim)
    places = unpacked(builder, at, len(kinds)) if isinstance(index, types.BaseTuple) else (at,)
    fixing: Any = _unchecked if OURS in builder.function.name else arrayobj.fix_integer_index
    items = [
        fixing(context, builder, kind, place, length) for kind, place, length in zip(kinds, places, shape, strict=True)
    ]
    data = fields.get(builder, value, "data")
    if array.ndim == 1:
        return builder.gep(data, items)
    placing: Any = cgutils.get_item_pointer2
    return placing(context, builder, data, shape, None, array.layout, items)


def _unchecked(context: Any, builder: Any, kind: Any, place: Any, length: Any) -> Any:
    """An index of our own kernels, which is not negative."""
    place = context.cast(builder, place, kind, types.intp if kind.signed else types.uintp)
    if CHECKING and kind.signed:
        wrong = builder.icmp_signed("<", place, place.type(0))
        with cast(Any, cgutils.if_unlikely)(builder, wrong):
            cast(Any, cgutils.printf)(builder, f"a negative index in {builder.function.name}\n")
            trap = builder.module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ()))
            builder.call(trap, ())
    return place


def _read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (array, index), (value, at) = signature.args, arguments
    if _is_plain(context, array, index):
        loading: Any = arrayobj.load_item
        return loading(context, builder, array, _address(context, builder, array, value, index, at))
    whole: Any = arrayobj.getitem_array_tuple if isinstance(index, types.BaseTuple) else arrayobj.getitem_arraynd_intp
    return whole(context, builder, signature, arguments)


def _write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (array, index, kind), (value, at, item) = signature.args, arguments
    if _is_plain(context, array, index) and isinstance(kind, PLAIN):
        storing: Any = arrayobj.store_item
        place = _address(context, builder, array, value, index, at)
        storing(context, builder, array, context.cast(builder, item, kind, array.dtype), place)
        return None
    whole: Any = arrayobj.setitem_array
    return whole(context, builder, signature, arguments)


def install() -> None:
    """Use the shortcuts in this process: numba prefers what is meant for arrays to what is meant for all buffers."""
    for index in (types.Integer, types.UniTuple):
        lower_builtin(operator.getitem, types.Array, index)(_read)  # type: ignore[no-untyped-call]
        lower_builtin(operator.setitem, types.Array, index, types.Any)(_write)  # type: ignore[no-untyped-call]
