"""Instances that are dataclasses, as JSON and back: what a task does unless it says otherwise.

Fields may be str, int, float, bool, optional, tuples (of one type, or of a fixed length), lists, dictionaries with text
keys, numpy arrays, and dataclasses. Every complaint names the field and what was expected.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from .errors import InputError, nearest, quoted
from .storage import is_integer, is_number, is_text

PLAIN = {
    str: ("a text in valid Unicode", is_text),
    int: ("a whole number below 2^63", is_integer),
    float: ("a finite number", is_number),
    bool: ("true or false", lambda value: isinstance(value, bool)),
}


def to_document(value: Any) -> Any:
    """A dataclass (or what one may hold) as plain data for JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_document(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [to_document(item) for item in value]
    if isinstance(value, dict):
        return {key: to_document(item) for key, item in value.items()}
    return value


def from_document(kind: type[Any], document: Any, where: str = "", others: tuple[str, ...] = ()) -> Any:
    """An object of a dataclass from its document; fields with defaults may be missing, `others` are not its fields."""
    if not isinstance(document, dict):
        raise InputError(f"field {where or 'document'!r} must be an object.")
    hints, values = get_type_hints(kind), {}
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    for name in document:
        if name not in fields and name not in others:
            raise InputError(f"unknown field {quoted(_path(where, name))}: {nearest(name, fields)}")
    for name, field in fields.items():
        if name in document:
            values[name] = _read(hints[name], document[name], _path(where, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise InputError(f"field {_path(where, name)!r} is missing; expected {_expected(hints[name])}.")
    return kind(**values)


def _path(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


def _read(hint: Any, value: Any, where: str) -> Any:
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin is Any:
        return value
    if origin in (Union, types.UnionType):
        chosen = [option for option in inner if option is not type(None)]
        return None if value is None and len(chosen) < len(inner) else _read(chosen[0], value, where)
    if origin in PLAIN:
        if not PLAIN[origin][1](value):
            raise _wrong(hint, value, where)
        return origin(value)
    if dataclasses.is_dataclass(origin):
        return from_document(origin, value, where)  # type: ignore[arg-type]
    if origin is np.ndarray:
        try:
            return np.array(value, dtype=get_args(inner[1])[0] if len(inner) > 1 else None)
        except (TypeError, ValueError, OverflowError):
            raise _wrong(hint, value, where) from None
    if origin is dict and isinstance(value, dict):
        return {key: _read(inner[1], item, _path(where, key)) for key, item in value.items()}
    if origin not in (tuple, list) or not isinstance(value, list):
        raise _wrong(hint, value, where)
    repeated = origin is list or (len(inner) == 2 and inner[1] is Ellipsis)
    if not repeated and len(value) != len(inner):
        raise _wrong(hint, value, where)
    wanted = [inner[0]] * len(value) if repeated else inner
    return origin(
        _read(each, item, f"{where}[{place}]") for place, (each, item) in enumerate(zip(wanted, value, strict=True))
    )


def _expected(hint: Any) -> str:
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in PLAIN:
        return PLAIN[origin][0]
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        return f"a list of {len(inner)}"
    return "an object" if origin is dict or dataclasses.is_dataclass(origin) else "a list"


def _wrong(hint: Any, value: Any, where: str) -> InputError:
    return InputError(f"field {where!r} must be {_expected(hint)}, not {quoted(value)}.")
