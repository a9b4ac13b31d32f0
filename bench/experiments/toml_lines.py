"""Where a key stands in a TOML file: `tomllib` keeps no line numbers, and a complaint without one is half a complaint."""

from __future__ import annotations

import re

Key = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\-\"']+)\s*\]\]?")
_LONG_TEXT = re.compile(r"\"\"\".*?\"\"\"|\'\'\'.*?\'\'\'", re.DOTALL)
_ASSIGNMENT = re.compile(r"^\s*([A-Za-z0-9_.\-]+|\"[^\"]*\"|'[^']*')\s*=")


def line_numbers(text: str) -> dict[Key, int]:
    """Lines (from 1) of all tables and keys; elements of arrays of tables are counted from 0."""
    lines: dict[Key, int] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    text = _LONG_TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)  # what looks like a table there is none
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            table = tuple(part.strip("\"'") for part in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
            continue
        assignment = _ASSIGNMENT.match(line)
        if assignment:
            lines.setdefault((*table, *assignment[1].strip("\"'").split(".")), number)
    return lines


def line_of(lines: dict[Key, int], key: Key) -> int | None:
    """The line of a key, or of the nearest thing around it (an inline table stands on one line)."""
    while key:
        if key in lines:
            return lines[key]
        key = key[:-1]
    return None
