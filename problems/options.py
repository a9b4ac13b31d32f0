"""Options as fields of a dataclass: what comes from files and command lines is checked against the fields' types."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from .errors import InputError, nearest, quoted


def check_names(kind: Any, options: Iterable[str], owner: str) -> None:
    """Refuse options that the dataclass does not have, with the nearest valid name."""
    valid = [option.name for option in dataclasses.fields(kind) if option.init]
    for name in options:
        if name not in valid:
            hint = nearest(name, valid) if valid else "it has no options."
            raise InputError(f"unknown option {quoted(name)} of {owner}: {hint}")


def check_types(target: Any, owner: str) -> None:
    """Refuse field values of the wrong type; whole numbers become floats where those are asked for."""
    hints = typing.get_type_hints(type(target))
    for option in dataclasses.fields(target):
        value = getattr(target, option.name)
        hint = hints[option.name]
        if hint is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
            setattr(target, option.name, float(value))
        elif not _fits(value, hint):
            raise InputError(f"option {option.name!r} of {owner} must be {_said(hint)}, not {quoted(value)}.")


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)


def _fits(value: Any, hint: Any) -> bool:
    for kind in _alternatives(hint):
        origin = typing.get_origin(kind)
        if origin is Literal:
            if value in typing.get_args(kind):
                return True
        elif kind is Any:
            return True
        elif kind is float:
            if isinstance(value, float) and not math.isnan(value):
                return True
            if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
                return True
        elif kind is int:
            if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(int(value)) < 2**63:
                return True
        elif isinstance(origin or kind, type) and isinstance(value, origin or kind):  # of list[int], list is looked at
            return True
    return False


def _said(hint: Any) -> str:
    said = []
    for kind in _alternatives(hint):
        if typing.get_origin(kind) is Literal:
            said.append("one of " + ", ".join(repr(value) for value in typing.get_args(kind)))
        elif kind is type(None):
            said.append("none")
        else:
            name = getattr(kind, "__name__", str(kind))
            plain = {"float": "a number", "int": "a whole number", "bool": "true or false", "str": "a text"}
            said.append(plain.get(name, f"of type {name}"))
    return " or ".join(said)
