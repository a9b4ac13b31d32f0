"""Martins, Almeida & Smith (2013), Tables 2 and 3 with a learned parser: accuracy and speed by order and treebank.

Speeds are of pruning, features and decoding together, as in the paper. Training is kept short (a treebank's development part, or
its first 2,000 sentences), so accuracies are to be compared by order, not with the paper's full treebanks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ...output.tables import Table
from ...published import ENGLISH, TREEBANKS
from ..claims import HOLDS, Claim, higher, judge, most, said, times
from ..models import ORDERS, trained_parsers, treebanks
from ..piece import Context
from .parsing_claims import published_treebank_gains

LANGUAGES = {"en_ewt": "English", "nl_lassysmall_v1.4": "Dutch", "pt_bosque": "Portuguese"}  # with the paper's Table 3


class Learned(NamedTuple):
    """One order on one treebank; `correct` are right heads by sentence."""

    treebank: str
    order: str
    training: int
    sentences: int
    uas: float
    las: float
    speed: float
    correct: tuple[float, ...]


def learned_parsers(context: Context) -> list[Learned]:
    """Trains what is not there yet."""
    frame = trained_parsers(context, treebanks(context))
    return [
        Learned(
            row["corpus"],
            row["order"],
            int(row["training sentences"]),
            int(row["sentences"]),
            float(row["UAS"]),
            float(row["LAS"]),
            float(row["tokens/s"]),
            tuple(float(right) for right, _ in row["correct"]),
        )
        for row in frame.to_dict("records")
    ]


def learned_table(found: list[Learned]) -> Table:
    rows: list[list[str]] = []
    for each in found:
        if rows and each.treebank != rows[-1][0]:
            rows.append([])
        first = next(other.speed for other in found if other.treebank == each.treebank and other.order == "1")
        ours = [f"{each.uas:.2f}", f"{each.las:.2f}", f"{each.speed:.0f}", f"{each.speed / first:.2f}"]
        rows.append([each.treebank, each.order, str(each.training), str(each.sentences), *ours, *_published(each)])
    headings = ["treebank", "order", "trained on", "tested on", "UAS %", "LAS %", "tokens/s", "of order 1"]
    headings += ["paper's treebank", "UAS", "tokens/s", "of order 1"]
    notes = [
        "Gold tags, punctuation counted. Tokens per CPU second of pruning, features and decoding.",
        "The paper trains on whole treebanks (CoNLL-2006 and 2008; the generated one stands beside Table 2, section 22): only orders can be compared.",
    ]
    return Table("Tables 2 and 3 of Martins et al. (2013): learned parsers", headings, rows, notes, left=2)


def _published(each: Learned) -> list[str]:
    language = LANGUAGES.get(each.treebank)
    if language is None:
        name, row, first = "PTB section 22", ENGLISH[each.order], ENGLISH["1"]
    else:
        published = TREEBANKS[language]
        name, first = language, published.first
        row = {"1": published.first, "2": published.second, "3": published.third}[each.order]
    return [name, f"{row.uas:.2f}", f"{row.speed:.0f}", f"{row.speed / first.speed:.2f}"]


def learned_claims(found: list[Learned]) -> list[Claim]:
    return [gains_by_treebank(found, "2"), gains_by_treebank(found, "3"), learned_speed(found)]


def gains_by_treebank(found: list[Learned], order: str) -> Claim:
    """On how many treebanks an order beats the one below it, surely."""
    every, second, third = published_treebank_gains()
    pairs = [
        (low, high)
        for low, high in pairwise(found)
        if low.treebank == high.treebank
        and high.order == order
        and ORDERS.index(high.order) == ORDERS.index(low.order) + 1
    ]
    judged = [(high, *higher(high.correct, low.correct)) for low, high in pairs]
    sure = sum(verdict == HOLDS for _, _, verdict in judged)
    names = {"2": "second order beats the first", "3": "third order beats the second"}
    steps = ", ".join(f"{low.uas:.2f} to {high.uas:.2f} ({high.treebank})" for low, high in pairs)
    return Claim(
        f"learned-order-{order}-gains",
        "Table 3",
        f"With learned models the {names[order]} on most treebanks.",
        f"{second if order == '2' else third} of {every} treebanks",
        f"{sure} of {len(pairs)} treebanks surely: UAS {steps}",
        f"{sure} of {len(pairs)}",
        most([verdict for _, _, verdict in judged]),
        "; ".join(f"{high.treebank}: right heads per sentence, {said(difference)}" for high, difference, _ in judged),
    )


def learned_speed(found: list[Learned]) -> Claim:
    """The slowest treebank's drop in speed from the first to the third order, features included."""
    drops = {
        each.treebank: next(other.speed for other in found if other.treebank == each.treebank and other.order == "1")
        / each.speed
        for each in found
        if each.order == "3"
    }
    paper = ENGLISH["1"].speed / ENGLISH["3"].speed
    worst = max(drops, key=lambda name: drops[name])
    return Claim(
        "learned-third-order-speed",
        "Table 2",
        "With pruning and features the third order costs no more than a 6-fold drop in speed.",
        f"{times(paper)} ({ENGLISH['1'].speed:.0f} / {ENGLISH['3'].speed:.0f} tokens/s)",
        ", ".join(f"{times(drop)} ({name})" for name, drop in drops.items()),
        times(drops[worst]),
        judge(drops[worst] <= 6.0),
    )
