"""What the studies of trained compression systems share: their options, and claims tested by paired bootstrap over test sentences."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from problems.linear_program import Floats
from problems.parsing.model import ParserModel

from ..learning.options import GENERATED
from ..learning.significance import paired_bootstrap
from ..output.tables import Table

if TYPE_CHECKING:
    import pandas as pd

Values = Mapping[str, Mapping[str, Floats]]
"""System -> measure -> a value per test sentence."""


class Claim(NamedTuple):
    """What a paper says: `first` has a higher value of the measure than `second`."""

    text: str
    measure: str
    first: str
    second: str


def arguments(description: str | None, epochs: int) -> argparse.ArgumentParser:
    """A folder for the results, and what is trained and tested on."""
    given = argparse.ArgumentParser(description=description)
    given.add_argument("folder", type=Path)
    given.add_argument("--corpus", default=GENERATED)
    given.add_argument("--data", default="")
    given.add_argument("--parser", default="")
    given.add_argument("--models", type=Path, default=Path("models"))
    given.add_argument("--limit", type=int)
    given.add_argument("--test-limit", type=int)
    given.add_argument("--epochs", type=int, default=epochs)
    return given


def verdicts(claims: Sequence[Claim], values: Values, seed: int = 1) -> pd.DataFrame:
    """Each claim with the difference of means, its 95 % interval, and the verdict; claims about absent systems are left out."""
    import pandas as pd

    rows = []
    for claim in claims:
        if claim.first not in values or claim.second not in values:
            continue
        one, other = values[claim.first][claim.measure], values[claim.second][claim.measure]
        found = paired_bootstrap(one, other, seed=seed)
        row = {"claim": claim.text, "measure": claim.measure, "difference": found.difference}
        row |= {"low": found.low, "high": found.high, "p": found.p, "sentences": found.items, "verdict": found.verdict}
        rows.append(row)
    return pd.DataFrame(rows)


def described(parser: str) -> str:
    """A parser's order and training, for a note."""
    model = ParserModel.read(parser)
    facts = model.figures
    trained = f"{facts.get('sentences', 0):.0f} sentences of {facts.get('corpus')} ({facts.get('split')})"
    return f"our parser, order {model.order}, trained on {trained}, {facts.get('epochs')} epochs, tags predicted"


def claims_table(title: str, frame: pd.DataFrame, notes: list[str]) -> Table:
    """The same for people."""
    rows = [
        [
            str(row.claim),
            str(row.measure),
            f"{row.difference:+.4f}",
            f"[{row.low:+.4f}, {row.high:+.4f}]",
            f"{row.p:.3f}",
            str(row.sentences),
            str(row.verdict),
        ]
        for row in frame.itertuples()
    ]
    headings = ["claim (the first is higher)", "measure", "difference", "95 % interval", "p", "sentences", "verdict"]
    return Table(title, headings, rows, notes, left=2)
