"""What the files of a run may hold.

Of a line of records a wrong type makes a bad line; a number that cannot be is left out, and its cell is marked. Of `experiment.json` and
`provenance.json` what has another form is left out, and so is what depends on it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from typing import Any

from problems.errors import quoted

from .fields import FAILURES, FIELDS, STATUSES

LARGEST = 1e100  # of objectives, bounds and measures: their squares, sums and differences are finite
LONGEST = 1e9  # seconds
MOST_MEMORY = 1e12
COUNTED = 2**53  # whole numbers up to here are exact as floats
LONGEST_NAME = 200  # characters: what an experiment allows as a label
NAMES = ("experiment", "task", "size", "instance", "solver", "label", "solver_version", "node", "started", "limit_hit")
"""Fields with short texts, which tables and figures show."""
CLOCKS = ("cpu_seconds", "wall_seconds")
POINT = ("seconds", "objective", "bound", "iteration", "primal_residual", "dual_residual")
"""Fields of a point of a trace."""
UNTIMED = "untimed"
"""The name of what is added to a record whose times cannot be: which, and why."""

_RANGES = {
    **dict.fromkeys(("objective", "bound", "gap"), (-LARGEST, LARGEST)),
    **dict.fromkeys(("instance_size", "length"), (0.0, 1e15)),
    **dict.fromkeys(("peak_memory_mb", "base_memory_mb"), (0.0, MOST_MEMORY)),
    "magnitude": (0.0, LARGEST),
}
_POINT_RANGES = dict.fromkeys(POINT, (-LARGEST, LARGEST)) | {"seconds": (0.0, LONGEST), "iteration": (0.0, COUNTED)}
_NUMBER = (int, float)


def _usual(name: str, default: Any) -> frozenset[type]:
    """The types that a field has as a rule: what has another one is looked at more closely."""
    if default is not None:
        return frozenset({type(default)})
    return frozenset({type(None), bool} if name == "integral" else {type(None), int, float})


_USUAL = {name: _usual(name, default) for name, default in FIELDS.items() if name != "structure"}
_MEASURED = {
    name: (0, COUNTED) if isinstance(default, int) else _RANGES.get(name, (-LARGEST, LARGEST))
    for name, default in FIELDS.items()
    if not isinstance(default, (str, dict, bool)) and name not in ("structure", "integral")
}
"""Fields with numbers, and the least and the greatest of each that is not a time."""


def checked_record(document: Any) -> dict[str, Any]:
    """A record with all its fields; a ValueError says which field has the wrong type."""
    if not isinstance(document, dict) or not isinstance(document.get("key"), str):
        raise ValueError("expected an object with the field 'key'")
    record = {**FIELDS, **document}
    if record["status"] not in STATUSES:
        raise ValueError(f"field 'status' is {quoted(record['status'])}: expected one of {', '.join(STATUSES)}")
    for name, usual in _USUAL.items():
        if type(record[name]) not in usual and (problem := _wrong_type(name, record[name], FIELDS[name])):
            raise ValueError(f"field {name!r} must be {problem}, not {quoted(record[name])}")
    _check_limits(record)
    _check_metrics(record["metrics"])
    for name in NAMES:
        record[name] = short(record[name])
    if any(len(name) > LONGEST_NAME for name in record["metrics"]):
        record["metrics"] = {short(name): value for name, value in record["metrics"].items()}
    return _possible(record)


def short(name: str) -> str:
    """A name that has room in a table: of a longer one the beginning and a hash, so that different ones stay different."""
    if len(name) <= LONGEST_NAME:
        return name
    end = "\N{HORIZONTAL ELLIPSIS}" + hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:16]
    return name[: LONGEST_NAME - len(end)] + end


def checked_trace(document: Any) -> dict[str, Any]:
    """A trace: the key of its cell and points of numbers."""
    if not isinstance(document, dict) or not isinstance(document.get("key"), str):
        raise ValueError("expected an object with the field 'key'")
    points = document.get("points")
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise ValueError("field 'points' must be a list of objects")
    for point in points:
        check_point(point)
    return document


def check_point(point: dict[str, Any]) -> None:
    """A ValueError says which field of a point of a trace cannot be."""
    for name, (low, high) in _POINT_RANGES.items():
        value = point.get(name)
        if value is not None and not (_is_number(value) and low <= value <= high):
            expected = f"a number from {low:g} to {high:g}"
            raise ValueError(f"field {name!r} of a point must be {expected}, not {quoted(value)}")


def is_limit(value: Any) -> bool:
    """Is it a limit that somebody could have set? None is no limit."""
    return value is None or (_is_number(value) and 0 < value <= MOST_MEMORY)


def _wrong_type(name: str, value: Any, default: Any) -> str:
    """What was expected, if it is not there."""
    expected = {str: "a text", dict: "an object", bool: "true or false"}.get(type(default))
    if expected:
        return "" if isinstance(value, type(default)) else expected
    if name == "integral":
        return "" if value is None or isinstance(value, bool) else "true, false or null"
    if isinstance(default, int):
        whole = _is_number(value) and (not math.isfinite(value) or value == math.floor(value))
        return "" if whole else "a whole number"
    return "" if value is None or _is_number(value) else "a number"


def _check_limits(record: dict[str, Any]) -> None:
    limits = record["limits"]
    for name in ("seconds", "memory_gb", "grace_seconds"):
        value = limits.get(name)
        if not is_limit(value) and not (name == "grace_seconds" and value == 0):
            raise ValueError(f"field 'limits' must have a positive number as {name!r}, not {quoted(value)}")
    if record["limit_hit"] and not ({"seconds", "memory_gb"} <= set(limits) and limits["seconds"] is not None):
        raise ValueError("field 'limits' must have 'seconds' and 'memory_gb'")


def _check_metrics(metrics: dict[str, Any]) -> None:
    for name, value in metrics.items():
        if value is not None and not isinstance(value, _NUMBER):
            raise ValueError(f"field 'metrics' must hold numbers, not {quoted(value)} as {quoted(name)}")


def _possible(record: dict[str, Any]) -> dict[str, Any]:
    """The record without numbers that cannot be: its times are missing then, or its audit tells what was wrong."""
    times, others = [], []
    record.pop(UNTIMED, None)
    for name, (low, high) in _MEASURED.items():
        value = record[name]
        if value is None:
            continue
        if name.endswith("_seconds"):
            shortest = record["status"] not in FAILURES and name in CLOCKS
            if not (0 <= value <= LONGEST) or (shortest and value == 0):
                times.append(f"{name} is {value:.6g}")
                record[name] = FIELDS[name]
        elif not low <= value <= high:
            others.append(f"{name} is {value:.6g}")
            record[name] = FIELDS[name]
        elif isinstance(FIELDS[name], int):
            record[name] = int(value)
    measures = {name: value for name, value in record["metrics"].items() if value is not None}
    impossible = {name: value for name, value in measures.items() if not -LARGEST <= value <= LARGEST}
    if impossible:
        record["metrics"] = {**record["metrics"], **dict.fromkeys(impossible)}
        others += [f"{name} is {value:.6g}" for name, value in impossible.items()]
    if times:
        record[UNTIMED] = ", ".join(times)
    if others and record["audit"] in ("", "ok"):
        record["audit"] = f"{', '.join(others)}, which cannot be."
    return record


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBER) and not isinstance(value, bool)


Form = Callable[[Any], bool]


def _is(*kinds: type) -> Form:
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _list(form: Form) -> Form:
    return lambda value: isinstance(value, list) and all(map(form, value))


def _map(form: Form) -> Form:
    return lambda value: isinstance(value, dict) and all(map(form, value.values()))


def _object(**forms: Form) -> Form:
    """An object whose fields of these names, where they are there, have these forms."""
    return lambda value: (
        isinstance(value, dict) and all(form(value[name]) for name, form in forms.items() if name in value)
    )


def _or_none(form: Form) -> Form:
    return lambda value: value is None or form(value)


TEXT, WHOLE, MAP = _is(str), _is(int), _is(dict)
CODE = _object(commit=_or_none(TEXT), version=_or_none(TEXT), sources=_or_none(TEXT))
LOADS = _or_none(_list(_is(int, float)))
SESSION = _object(
    command=_list(TEXT),
    started=_or_none(TEXT),
    ended=_or_none(TEXT),
    load_start=LOADS,
    load_end=LOADS,
    others=_or_none(_is(int, float)),
    code=CODE,
    cells=_or_none(WHOLE),
    nodes=_map(MAP),
)
EXPERIMENT_FORMS: dict[str, tuple[Form, str]] = {
    **dict.fromkeys(("name", "title", "task"), (TEXT, "a text")),
    **dict.fromkeys(("cells", "metrics", "plugins"), (_list(TEXT), "a list of texts")),
    "solvers": (_list(_object(name=TEXT, label=TEXT, options=MAP)), "a list of objects with name, label and options"),
    "plots": (_list(MAP), "a list of objects"),
    **dict.fromkeys(("instances", "table", "part"), (MAP, "an object")),
    "limits": (_object(seconds=is_limit, memory_gb=is_limit), "an object of positive numbers"),
}
PROVENANCE_FORMS: dict[str, tuple[Form, str]] = {
    "code": (CODE, "an object with texts as commit, version and sources"),
    **dict.fromkeys(("machine", "solvers", "libraries"), (MAP, "an object")),
    "seeds": (_list(WHOLE), "a list of whole numbers"),
    "sessions": (_list(SESSION), "a list of sessions (command, times, loads, nodes)"),
}


def wrong_fields(document: dict[str, Any], forms: dict[str, tuple[Form, str]]) -> Iterator[tuple[str, str]]:
    """The fields of another form than these, and what is wrong with each."""
    for name, (form, expected) in forms.items():
        value = document.get(name)
        if value is not None and not form(value):
            yield name, f"field {name!r} must be {expected}, not {quoted(value)}"
