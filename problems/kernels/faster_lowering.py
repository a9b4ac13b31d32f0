"""Shortcuts in what numba writes for LLVM: the same results from fewer instructions, and less walking over its own.

Whenever a variable comes or goes, numba takes its value apart to find what is counted. For an array it reads the shape, the
strides and three more fields, for a tuple of thirty arrays those of all thirty; LLVM then drops every one. Here only the
members that can hold something counted are looked into.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import ir
from numba.core.codegen import CPUCodeLibrary
from numba.core.runtime.context import NRTContext

_get_meminfos_of_numba: Any = NRTContext.get_meminfos
_list_vars_of_numba: Any = ir.Inst._rec_list_vars
_LEAVES: set[type] = set()  # of what instructions consist of: neither variables nor anything that has them


def _is_counted(models: Any, builder: Any, kind: Any) -> bool:
    """Can a value of this type hold something whose references numba counts?"""
    model = models[kind]
    known: bool | None = model.__dict__.get("_dualbench_is_counted")
    if known is None:
        known = model.has_nrt_meminfo() or any(
            _is_counted(models, builder, kind) for kind, _ in model.traverse(builder)
        )
        model._dualbench_is_counted = known
    return known


def _get_meminfos(self: Any, builder: Any, ty: Any, val: Any) -> list[tuple[Any, Any]]:
    models = self._context.data_model_manager
    if not _is_counted(models, builder, ty):
        return []
    model = models[ty]
    found = [(ty, model.get_nrt_meminfo(builder, val))] if model.has_nrt_meminfo() else []
    for kind, member in model.traverse(builder):
        if _is_counted(models, builder, kind):
            found += self.get_meminfos(builder, kind, member(val))
    return found


def _collect(values: Iterable[Any], found: list[ir.Var]) -> None:
    for value in values:
        kind = type(value)
        if kind in _LEAVES:
            continue
        if isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, ir.Inst):
            found.extend(value.list_vars())  # type: ignore[no-untyped-call]
        elif isinstance(value, list | tuple):
            _collect(value, found)
        elif isinstance(value, dict):
            _collect(value.values(), found)
        else:
            _LEAVES.add(kind)


def _rec_list_vars(self: Any, val: Any) -> list[ir.Var]:
    found: list[ir.Var] = []
    _collect((val,), found)
    return found


def _optimize_functions(self: Any, module: Any) -> None:
    """What a module defines. numba sets LLVM up anew for each function that it only declares, too."""
    module.data_layout = self._codegen._data_layout
    passes, builder = self._codegen._function_pass_manager()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def install() -> None:
    """Use the shortcuts in this process."""
    counting: Any = NRTContext
    counting.get_meminfos = _get_meminfos
    instruction: Any = ir.Inst
    instruction._rec_list_vars = _rec_list_vars
    library: Any = CPUCodeLibrary
    library._optimize_functions = _optimize_functions
