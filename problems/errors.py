"""The one exception a user sees: a sentence that names the file or field and what was expected."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Input that cannot be used. The message is one sentence for the user; the command line exits with code 2."""


def nearest(name: object, valid: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the closest valid one, or the whole list."""
    names = sorted(valid)
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"valid names are {', '.join(names)}."
