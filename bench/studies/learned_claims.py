"""Claims of the papers about trained systems, tested by paired bootstrap over test sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from problems.linear_program import Floats
from problems.parsing.model import ParserModel

from ..learning.significance import paired_bootstrap
from ..tables import Table

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
