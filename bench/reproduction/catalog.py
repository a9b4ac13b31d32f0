"""All pieces by name, in the order of the papers. Importing this loads the studies; the command does so when it runs."""

from __future__ import annotations

from problems.errors import InputError, nearest

from .piece import Piece
from .pieces import comparison, compression, learned_summaries, parsing, summarization, transduction

MODULES = (learned_summaries, summarization, parsing, compression, transduction, comparison)
PIECES: dict[str, Piece] = {piece.name: piece for module in MODULES for piece in module.PIECES}
PAPERS: tuple[str, ...] = tuple(dict.fromkeys(piece.paper for piece in PIECES.values()))


def chosen(names: list[str] | None) -> list[Piece]:
    """The named pieces, all of them if none is named."""
    for name in names or []:
        if name not in PIECES:
            raise InputError(f"unknown piece {name!r}: {nearest(name, PIECES)}")
    return [PIECES[name] for name in dict.fromkeys(names or PIECES)]
