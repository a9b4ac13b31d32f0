"""JSON documents with checked fields: every complaint names the field and what was expected."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .errors import InputError, nearest, quoted, shortened
from .files import replacing
from .formats import read_text


def read_document(path: Path) -> dict[str, Any]:
    """A JSON object from a file."""
    return parse_document(read_text(path), path)


def parse_document(text: str | bytes, where: str | Path) -> dict[str, Any]:
    """A JSON object from a text; `where` is the file it was read from, or the line of one."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if isinstance(where, Path) else ""
        raise InputError(f"{where}{line}: not valid JSON ({error.msg}).") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}: expected a text in UTF-8.") from None
    except ValueError:  # Python converts integers of a few thousand digits only
        raise InputError(f"{where}: a number has too many digits.") from None
    except RecursionError:
        raise InputError(f"{where}: JSON nested too deeply.") from None
    if not isinstance(document, dict):
        raise InputError(f"{where}: expected a JSON object.")
    return document


def write_document(path: Path, document: dict[str, Any]) -> None:
    """Write a JSON object; the old file stays until the new one is complete."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}).") from None


class Fields:
    """Checked access to the fields of a JSON object. What is never asked for is unknown: see `no_others`."""

    def __init__(self, values: Any, where: str = "") -> None:
        if not isinstance(values, dict):
            raise InputError(f"field {where or 'document'!r} must be an object.")
        self._values = values
        self._where = where
        self._asked: set[str] = set()

    def _get(self, field: str, expected: str, accept: Callable[[Any], bool], default: Any = None) -> Any:
        path = f"{self._where}.{field}" if self._where else field
        self._asked.add(field)
        if field not in self._values:
            if default is not None:
                return default
            raise InputError(f"field {path!r} is missing; expected {expected}.")
        value = self._values[field]
        if not accept(value):
            raise InputError(f"field {path!r} must be {expected}, not {_short(value)}.")
        return value

    def no_others(self, *further: str) -> None:
        """Refuse fields that nobody asked for: most are misspelt."""
        for field in self._values:
            if field not in self._asked and field not in further:
                path = f"{self._where}.{field}" if self._where else field
                raise InputError(f"unknown field {quoted(path)}: {nearest(field, self._asked)}")

    def text(self, field: str) -> str:
        return str(self._get(field, "a text in valid Unicode", is_text))

    def integer(self, field: str, least: int, default: int | None = None) -> int:
        expected = f"a whole number of at least {least} and below 2^63"
        return int(self._get(field, expected, lambda value: is_integer(value) and value >= least, default))

    def number(self, field: str) -> float:
        return float(self._get(field, "a finite number", is_number))

    def integers(self, field: str) -> tuple[int, ...]:
        return tuple(self._get(field, "a list of whole numbers below 2^63", lambda value: is_list(value, is_integer)))

    def numbers(self, field: str) -> tuple[float, ...]:
        return tuple(
            float(x) for x in self._get(field, "a list of finite numbers", lambda value: is_list(value, is_number))
        )

    def boolean(self, field: str, default: bool) -> bool:
        return bool(self._get(field, "true or false", lambda value: isinstance(value, bool), default))

    def booleans(self, field: str) -> tuple[bool, ...]:
        accept = lambda value: is_list(value, lambda item: isinstance(item, bool))  # noqa: E731
        return tuple(self._get(field, "a list of true and false", accept))

    def texts(self, field: str, default: list[str] | None = None) -> tuple[str, ...]:
        return tuple(
            self._get(field, "a list of texts in valid Unicode", lambda value: is_list(value, is_text), default)
        )

    def lists(self, field: str, default: list[list[str]] | None = None) -> tuple[tuple[str, ...], ...]:
        accept = lambda value: is_list(value, lambda item: is_list(item, is_text))  # noqa: E731
        return tuple(
            tuple(item) for item in self._get(field, "a list of lists of texts in valid Unicode", accept, default)
        )

    def objects(self, field: str) -> list[Fields]:
        items = self._get(field, "a list of objects", lambda value: isinstance(value, list))
        path = f"{self._where}.{field}" if self._where else field
        return [Fields(item, f"{path}[{index}]") for index, item in enumerate(items)]


def is_integer(value: Any) -> bool:
    """A whole number that a machine's integer can hold."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the largest double
        return False


def is_list(value: Any, accept: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(accept(item) for item in value)


def is_text(value: Any) -> bool:
    """A text that can be printed: lone surrogates (an escape like \\ud800) belong to no character."""
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return isinstance(value, str)


def _short(value: Any) -> str:
    """A value as JSON has it."""
    try:
        return shortened(json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode())
    except (ValueError, RecursionError):  # too many digits, or nested to the limit of Python's stack
        return quoted(value)
