"""How far the times of a piece can be trusted, and what a brief run left out of it."""

from __future__ import annotations

import re

from ..records.marks import load_per_core, marks
from .piece import Piece
from .store import Kept

_LOAD = "recorded at load"
_RECORDED = re.compile("^recorded (?:at |with |on )?")


def piece_marks(piece: Piece, kept: Kept) -> list[str]:
    """Why the times of a piece are not for publication, each reason once and of all loads the highest.

    They are those of its runs, or its own if it has none. A piece that measures none has no reason.
    """
    parts = (kept.done.get("runs") or [kept.done]) if piece.timed else []
    busiest = max(parts, key=lambda part: load_per_core(part) or 0.0, default=None)
    found = [
        mark
        for part in sorted(parts, key=lambda part: part is not busiest)
        for mark in marks({**part, "quick": False})
        if part is busiest or not mark.startswith(_LOAD)
    ]
    return [_RECORDED.sub("", mark) for mark in dict.fromkeys(found)]


def left_out(kept: Kept) -> list[str]:
    """What a brief run did not measure of a piece, run by run."""
    runs = [run for run in kept.done.get("runs") or [] if run.get("left_out")]
    return [f"Left out of {run['experiment']} in this brief run: {run['left_out']}." for run in runs]
