"""Martins, Almeida & Smith (2013), Table 3: learned parsers, accuracy and speed by order and treebank.

Speeds are of pruning, features and decoding together, as in the paper: the runner times the whole parser (`parser_solver`).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pandas as pd

from problems.parsing.model import ParserModel

from ...analysis.audit import with_audit
from ...analysis.statistics.cells import reduce_cells
from ...experiments.experiment import Experiment, SolverSpec
from ...experiments.plugins import load_plugin
from ...experiments.sources import Sources
from ...learning.parsing import parser_solver
from ...output.tables import Table
from ..claims import Claim, difference_text, speed, times
from ..corpora import ORDERS, REAL, Treebank, scored_sentences, sentences_file, trained_parser, treebanks
from ..piece import Context, Corpus, Outcome
from ..published import ENGLISH, SPEED_DROP, TREEBANKS, TURBO_PARSER, ParsingRow
from ..runs import run_experiment
from ..verdicts import HOLDS, higher, most, reaches, together
from .parsing_cells import by_sentence, decoded, model_speed_up, with_models

PLUGIN = Path(parser_solver.__file__)
NAMES = {"2": "second order beats the first", "3": "third order beats the second"}


def make_table3(context: Context) -> Outcome:
    """Train what is not there yet, and parse the test sentences with every model."""
    chosen = treebanks(context)
    records = run_experiment("parsing-orders", context, lambda experiment: learned(experiment, context, chosen))
    cells = with_models(reduce_cells(with_audit(records)))
    models = {treebank.name: ParserModel.read(trained_parser(context, treebank, ORDERS[0])) for treebank in chosen}
    trained = {name: int(model.figures["sentences"]) for name, model in models.items()}
    return Outcome({"table": learned_table(cells, chosen, trained)}, claims=learned_claims(cells))


def learned(experiment: Experiment, context: Context, chosen: tuple[Treebank, ...]) -> Experiment:
    """The experiment by order with learned models: each parses the sentences of its treebank."""
    load_plugin(PLUGIN)
    sources, solvers = [], []
    for treebank in chosen:
        sentences = str(sentences_file(context, treebank).resolve())
        for order in ORDERS:
            sources.append(scored_sentences(context, treebank, order))
            options = {"model": str(trained_parser(context, treebank, order).resolve()), "sentences": sentences}
            size = sources[-1].name
            solvers.append(SolverSpec("learned-parser", f"learned-parser {size}", options, (size,)))
    return replace(
        experiment,
        name="parsing-learned",
        title="Learned parsers by treebank and order: pruning, features and decoding",
        question="What do parsers of larger order gain on each treebank, and what do they cost?",
        source=Sources(tuple(sources)),
        solvers=tuple(solvers),
        plugins=(PLUGIN,),
    )


def learned_table(cells: pd.DataFrame, chosen: tuple[Treebank, ...], trained: dict[str, int]) -> Table:
    rows: list[list[str]] = []
    for treebank in chosen:
        own = cells[cells["sentences"] == treebank.name]
        language, published = published_rows(treebank)
        rows += [[]] if rows else []
        for order in ORDERS:
            found, paper = decoded(own[own["model"] == order]), published[order]
            slower = [speed(model_speed_up(own, order, "1")), times(paper.speed / published["1"].speed)]
            ours, theirs = slower if order != "1" else ["", ""]
            row = [treebank.name, order, str(trained[treebank.name]), str(found.sentences), f"{100 * found.uas:.2f}"]
            rows.append([*row, f"{found.speed:.0f}", ours, language, f"{paper.uas:.2f}", f"{paper.speed:.0f}", theirs])
    headings = ["treebank", "order", "trained on", "tested on", "UAS %", "tokens/s", "speed of order 1"]
    headings += ["paper's treebank", "UAS", "tokens/s", "speed of order 1"]
    original = ", ".join(f"{row.uas:g} at {row.speed:.0f} (order {order})" for order, row in TURBO_PARSER.items())
    notes = [
        "Gold tags, punctuation counted. Tokens per CPU second of pruning, features and decoding; ratios: median over sentences [95 % interval].",
        "The paper trains on whole treebanks (CoNLL-2006 and 2008; the generated one stands beside Table 2, section 22): only orders can be compared.",
        f"TurboParser itself, trained on en_ewt dev, once and on another machine: UAS and tokens/s {original}.",
    ]
    return Table("Table 3 of Martins et al. (2013): learned parsers", headings, rows, notes, left=2)


def published_rows(treebank: Treebank) -> tuple[str, dict[str, ParsingRow]]:
    """The paper's treebank that stands beside ours, and its rows by order."""
    if not treebank.language:
        return "PTB section 22", ENGLISH
    return treebank.language, TREEBANKS[treebank.language].orders


def learned_claims(cells: pd.DataFrame) -> list[Claim]:
    groups = {str(name): own for name, own in cells.groupby("sentences", sort=False)}
    return [*(gains_by_treebank(groups, low, high) for low, high in pairwise(ORDERS)), learned_speed(groups)]


def gains_by_treebank(groups: dict[str, pd.DataFrame], low: str, high: str) -> Claim:
    """On how many treebanks an order beats the one below it, surely."""
    found = {}
    for name, own in groups.items():
        right = [by_sentence(own, order)["right"].tolist() for order in (high, low)]
        uas = [100 * decoded(own[own["model"] == order]).uas for order in (low, high)]
        found[name] = (uas, *higher(*right))
    sure = sum(verdict == HOLDS for *_, verdict in found.values())
    published = [row.orders for row in TREEBANKS.values()]
    gained = sum(row[high].uas > row[low].uas for row in published)
    steps = ", ".join(f"{uas[0]:.2f} to {uas[1]:.2f} ({name})" for name, (uas, *_) in found.items())
    return Claim(
        f"learned-order-{high}-gains",
        "Table 3",
        f"With learned models the {NAMES[high]} on most treebanks.",
        f"{gained} of {len(published)} treebanks",
        f"{sure} of {len(found)} treebanks surely: UAS {steps}",
        f"{sure} of {len(found)}",
        most([verdict for *_, verdict in found.values()]),
        "; ".join(f"{name}: right heads per sentence, {difference_text(each)}" for name, (_, each, _) in found.items()),
    )


def learned_speed(groups: dict[str, pd.DataFrame]) -> Claim:
    """The drop in speed from the first to the third order on every treebank, features included."""
    drops = {name: model_speed_up(own, "3", "1") for name, own in groups.items()}
    first, third = ENGLISH["1"].speed, ENGLISH["3"].speed
    return Claim(
        "learned-third-order-speed",
        "Table 2",
        f"With pruning and features the third order costs no more than a {SPEED_DROP:.0f}-fold drop in speed.",
        f"{times(third / first)} the speed ({first:.0f} and {third:.0f} tokens/s)",
        ", ".join(f"{speed(drop)} the speed ({name})" for name, drop in drops.items()),
        ", ".join(speed(drop) for drop in drops.values()),
        together(*(reaches(drop, 1 / SPEED_DROP) for drop in drops.values())),
    )


NEEDED = tuple(
    Corpus(f"treebanks/{treebank.corpus}", f"the {treebank.language} treebank {treebank.corpus} in CoNLL-U")
    for treebank in REAL
)
