"""Arguments that commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from problems.errors import InputError

from .streams import console_on, output

console = console_on(output)
INTERRUPTED = 130  # the exit code after Ctrl-C

Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", help="A Python file with solvers or tasks of your own; may be repeated."),
]


def load_plugins(paths: list[Path] | None) -> None:
    """Register what the user's own files define."""
    if paths:
        from ..experiments.plugins import load_plugins as load

        load(paths)


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """Options from `key=value` texts; values are read as JSON where they can be."""
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise InputError(f"option {pair!r} must have the form key=value.")
        try:
            options[key] = json.loads(text)
        except (ValueError, RecursionError):
            options[key] = text
    return options
