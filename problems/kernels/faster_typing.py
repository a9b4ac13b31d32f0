"""Shortcuts in numba's compiler that leave its results as they are: what it infers once it need not infer again.

To type `array[i]` numba tries some twenty overloads, twice each, formats why each of them does not fit, and forgets it all:
the same for every subscript of every kernel. Here each function type remembers what it found for argument types. Flags of the
compiler, which are part of numba's own keys, are compared by what has been set. Together with rarer garbage collection (the
compiler makes many objects and no garbage) that takes a third off compilation. numba is pinned to the version that this is for.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import errors, targetconfig
from numba.core.types import Type, unliteral
from numba.core.types.functions import BaseFunction

OBJECTS = 100_000  # that are made between two collections while numba compiles; Python's own threshold is 700

_infer: Any = BaseFunction.get_call_type
_values_equal: Any = targetconfig.TargetConfig.__eq__
_flags_seen: list[dict[str, Any]] = []


def _number_of_flags() -> int:
    """Of the flags that the kernel being compiled has: the same for equal ones."""
    flags: Any = targetconfig.ConfigStack.top_or_none()  # type: ignore[no-untyped-call]
    values = {} if flags is None else flags._values
    for number, seen in enumerate(_flags_seen):
        if seen == values:
            return number
    _flags_seen.append(dict(values))
    return len(_flags_seen) - 1


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    named = dict(kws)
    if not all(isinstance(kind, Type) and kind.is_precise() for kind in (*args, *named.values())):
        return _infer(self, context, args, kws)
    known = self.__dict__.setdefault("_dualbench_signatures", {})
    key = context, tuple(args), tuple(named.items()), _number_of_flags()
    try:
        signature, implementation = known[key]
    except KeyError:
        signature = _infer(self, context, args, kws)
        known[key] = signature, self._impl_keys[signature.args]
        return signature
    self._impl_keys[signature.args] = implementation
    return signature


def _equal(self: Any, other: Any) -> Any:
    if isinstance(other, targetconfig.TargetConfig) and self._values == other._values and type(self) is type(other):
        return True
    return _values_equal(self, other)


class _Plain:
    """Messages about what does not fit, without colours: numba makes thousands of them that nobody sees."""

    def __getattr__(self, name: str) -> Callable[[str], str]:
        return str


def install() -> None:
    """Use the shortcuts in this process."""
    patched: Any = BaseFunction
    patched.get_call_type = _get_call_type
    flags: Any = targetconfig.TargetConfig
    flags.__eq__ = _equal
    colours: Any = errors
    colours._termcolor_inst = _Plain()


def without_literals(dispatcher: Any) -> None:
    """Have kernels that pass constants to this one share its code for all numbers."""
    template = dispatcher.get_call_template

    def for_all_numbers(args: Any, kws: Any) -> Any:
        named = dict(kws)
        return template(tuple(map(unliteral, args)), dict(zip(named, map(unliteral, named.values()), strict=True)))

    dispatcher.get_call_template = for_all_numbers


@contextlib.contextmanager
def rarely_collecting() -> Iterator[None]:
    """Collect garbage rarely in this context."""
    before = gc.get_threshold()
    gc.set_threshold(max(OBJECTS, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
