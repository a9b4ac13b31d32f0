"""What is written must be read again: a record that our own reader would refuse becomes one that says so."""

from __future__ import annotations

from typing import Any

from problems.errors import LONGEST_MESSAGE, shortened

from .damage import parse
from .fields import CIRCUMSTANCES, FIELDS, IDENTITY
from .log import as_line
from .record_checks import checked_record


def readable(record: dict[str, Any]) -> dict[str, Any]:
    """The record, or an error in its place without what the solver answered."""
    try:
        checked_record(parse(as_line(record)))
    except (TypeError, ValueError, RecursionError) as error:
        kept = {name: record[name] for name in (*IDENTITY, *CIRCUMSTANCES)}
        message = shortened(f"the answer cannot be written down ({error})", LONGEST_MESSAGE)
        return {**FIELDS, **kept, "status": "error", "message": message}
    return record
