"""The one exception a user sees: a sentence that names the file or field and what was expected."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_MESSAGE = 800  # characters: a long path and a list of valid names fit
LONGEST_QUOTE = 60
MOST_NAMES, FEW = 20, 5  # valid names that are all told; of more, so many
LONGEST_NAME = 100  # of those that are compared with valid ones


class InputError(ValueError):
    """Input that cannot be used. The message is one line for the user; the command line exits with code 2."""

    def __init__(self, message: object = "") -> None:
        super().__init__(shortened(" ".join(str(message).splitlines()), LONGEST_MESSAGE))


def shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    """A text with an ellipsis in place of its middle where it is too long."""
    if len(text) <= longest:
        return text
    end = (longest - 3) // 3
    return f"{text[: longest - 3 - end]}...{text[-end:]}"


_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = _brief.maxlong = LONGEST_QUOTE


def quoted(value: object) -> str:
    """A value of the user's for a message: its `repr`, on one line, cut where it would fill the screen."""
    try:
        said = _brief.repr(value)
    except (ValueError, RecursionError):  # Python does not write out integers of many thousand digits
        said = f"{type(value).__name__} that is too large to show"
    return shortened(" ".join(said.split("\n")))


def nearest(name: object, valid: Iterable[str], listed: str = "") -> str:
    """The end of a sentence about an unknown name: the closest valid one, or all; of many the nearest few and the command that lists them."""
    names = sorted(valid)
    said = name if isinstance(name, str) else quoted(name)
    close = get_close_matches(said[:LONGEST_NAME], names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {quoted(close[0])}?"
    if len(names) > MOST_NAMES:
        close = get_close_matches(said[:LONGEST_NAME], names, n=FEW, cutoff=0.3)
        few = list(dict.fromkeys([*close, *names]))[:FEW]
        return f"{len(names)} names are valid, such as {shortened(', '.join(few), LONGEST_MESSAGE - 400)}{f'; see `{listed}`' if listed else ''}."
    return f"valid names are {shortened(', '.join(names), LONGEST_MESSAGE - 200)}."


def to_get(corpus: str) -> str:
    """How to get a corpus that is not there: the end of a sentence."""
    return (
        f"get it with `dualbench data get {corpus}`, or name the folder of the corpora with --data or DUALBENCH_DATA."
    )
