"""What `experiment.json` and `provenance.json` may hold. What has another form is left out, and so is what depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from problems.errors import quoted

from .record_checks import is_limit

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
CODE = _object(commit=_or_none(TEXT))
LOADS = _or_none(_list(_is(int, float)))
SESSION = _object(
    command=_list(TEXT),
    started=_or_none(TEXT),
    ended=_or_none(TEXT),
    load_start=LOADS,
    load_end=LOADS,
    code=CODE,
    cells=_or_none(WHOLE),
    nodes=_map(MAP),
)
EXPERIMENT_FORMS: dict[str, tuple[Form, str]] = {
    **dict.fromkeys(("name", "title", "task"), (TEXT, "a text")),
    **dict.fromkeys(("cells", "metrics", "plugins"), (_list(TEXT), "a list of texts")),
    "solvers": (_list(_object(name=TEXT, label=TEXT, options=MAP)), "a list of objects with name, label and options"),
    "plots": (_list(MAP), "a list of objects"),
    **dict.fromkeys(("instances", "table"), (MAP, "an object")),
    "limits": (_object(seconds=is_limit, memory_gb=is_limit), "an object of positive numbers"),
}
PROVENANCE_FORMS: dict[str, tuple[Form, str]] = {
    "code": (CODE, "an object with a text as commit"),
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
