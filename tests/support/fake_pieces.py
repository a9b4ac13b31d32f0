"""Tiny pieces for tests of the reproduction's machinery: they count how often they are made, and can be told to fail."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from bench.output.tables import Table
from bench.reproduction.claims import Claim
from bench.reproduction.context import Context
from bench.reproduction.piece import Outcome, Passage, Piece, Shown
from bench.reproduction.real_data import Corpus
from bench.reproduction.verdicts import NOT_REPRODUCED, REPRODUCED, UNTESTABLE, Ruling, Verdict
from problems.errors import InputError


def claim(verdict: Verdict = REPRODUCED, name: str = "a-claim") -> Claim:
    return Claim(name, "Table 1", "A is <b>faster</b> than B.", "10x", "9x", "9x", Ruling(verdict, "a rule"), "because")


def make(name: str, context: Context) -> Outcome:
    """Leaves a mark each time; fails or stops where a file of that name tells it to."""
    counter = context.out / f"{name}.count"
    counter.parent.mkdir(parents=True, exist_ok=True)
    counter.write_text(str(made(context, name) + 1))
    if (context.out / f"{name}.fail").exists():
        raise InputError("it was told to fail.")
    if (context.out / f"{name}.stop").exists():
        raise KeyboardInterrupt
    table = Table(f"Table of {name}", ["what", "value"], [["x <i>", "1"], [], ["y", "2"]], ["a note"])
    claims = [claim(), claim(NOT_REPRODUCED, "another"), claim(UNTESTABLE, "third")]
    passages = [Passage("A text", [[("kept", True), ("gone", False), ("<b>", True)]])]
    figures = [_figure(name)] if name.startswith("drawn") else []  # drawing takes longer than all else
    return Outcome({"table": table}, figures, claims, passages, {"pid": os.getpid()})


def _figure(name: str) -> Shown:
    from bench.output.plots.canvas import new_figure, style

    with style():
        figure, (axes,) = new_figure()
        axes.plot([1, 2], [1, 2])
    return Shown("line", f"A line of {name}.", 'Two points "up".', figure)


def made(context: Context, name: str) -> int:
    """How often a piece was made."""
    counter = context.out / f"{name}.count"
    return int(counter.read_text()) if counter.exists() else 0


def piece(name: str, timed: bool = True, corpora: tuple[Corpus, ...] = ()) -> Piece:
    return Piece(name, "A Paper (2000)", "Table 1", f"About {name}", partial(make, name), timed, corpora)


def context(folder: Path, quick: bool = False, data: Path | None = None) -> Context:
    return Context(folder, quick, data)
