"""Martins, Almeida & Smith (2013), Table 3: learned parsers, accuracy and speed by order and treebank.

Speeds are of pruning, features and decoding together, as in the paper: the runner times the whole parser (`parser_solver`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ..beside import facts
from ..claims import Claim, difference_text, speed, times
from ..context import Context
from ..corpora import ORDERS, QUICK_REAL, REAL, Treebank, scored_sentences, sentences_file, trained_parser, treebanks
from ..evidence import paired_bootstrap, proportion
from ..piece import Outcome
from ..published import ENGLISH, SPEED_DROP, TREEBANKS, TURBO_PARSER, ParsingRow
from ..real_data import treebank_corpus
from ..runs import run_experiment
from ..verdicts import most, no_slower, together, untestable
from .parsing_cells import by_sentence, decoded, model_speed_up, with_models
from .parsing_views import treebanks_view

PLUGIN = Path(parser_solver.__file__)
MOST = "a gain on more than half of the treebanks, of whatever size: the exact interval of their share lies above 50 %"
ONE_TREEBANK = "generated sentences are no treebank, and favour larger models by their making"
OURS = "Universal Dependencies with gold tags, and far fewer training sentences."
NAMES = {"2": "second order beats the first", "3": "third order beats the second"}


def make_table3(context: Context) -> Outcome:
    """Train what is not there yet, and parse the test sentences with every model."""
    chosen = treebanks(context)
    records = run_experiment("parsing-orders", context, lambda experiment: learned(experiment, context, chosen))
    cells = with_models(reduce_cells(with_audit(records)))
    models = {treebank.name: ParserModel.read(trained_parser(context, treebank, ORDERS[0])) for treebank in chosen}
    trained = {name: int(model.figures["sentences"]) for name, model in models.items()}
    languages = {treebank.name: treebank.language for treebank in chosen}
    what = (
        OURS
        if set(chosen) <= {*REAL, *QUICK_REAL}
        else "gold tags."
        if chosen[0].made
        else "treebanks of your own, gold tags."
    )
    views = facts({"beside": treebanks_view(cells, languages, trained, what)})
    return Outcome({"table": learned_table(cells, chosen, trained)}, claims=learned_claims(cells, chosen), facts=views)


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
            found, paper = decoded(own[own["model"] == order]), published.get(order)
            ours = speed(model_speed_up(own, order, "1")) if order != "1" else ""
            theirs = ["", "", ""]
            if paper is not None:
                slower = times(paper.speed / published["1"].speed) if order != "1" else ""
                theirs = [f"{paper.uas:.2f}", f"{paper.speed:.0f}", slower]
            part = f"{trained[treebank.name]}{'' if treebank.made else f' ({treebank.split})'}"
            row = [treebank.name, order, part, str(found.sentences), f"{100 * found.uas:.2f}"]
            rows.append([*row, f"{found.speed:.0f}", ours, language, *theirs])
    headings = ["treebank", "order", "trained on", "tested on", "UAS %", "tokens/s", "speed of order 1"]
    headings += ["paper's treebank", "UAS", "tokens/s", "speed of order 1"]
    original = ", ".join(f"{row.uas:g} at {row.speed:.0f} (order {order})" for order, row in TURBO_PARSER.items())
    notes = [
        f"{inputs_of(chosen)}, UAS without punctuation as in the paper. Tokens per CPU second of pruning, features and decoding; ratios: median over sentences [95 % interval].",
        "The paper trains on whole treebanks (CoNLL-2006 and 2008; the generated one stands beside Table 2, section 22): only orders can be compared.",
        f"TurboParser itself, trained on en_ewt dev, once and on another machine: UAS with punctuation and tokens/s {original}.",
    ]
    return Table("Table 3 of Martins et al. (2013): learned parsers", headings, rows, notes, left=2)


def inputs_of(chosen: Sequence[Treebank]) -> str:
    """What the parsers read beside words, and how often they were trained, for a note."""
    rich = [treebank.name for treebank in chosen if treebank.morphology]
    runs = sorted({treebank.runs for treebank in chosen})
    read = f"Gold tags (of {', '.join(rich)} also lemmas and FEATS)" if rich else "Gold tags"
    return read if runs == [1] else f"{read}, the mean weights of {' or '.join(map(str, runs))} trainings"


def published_rows(treebank: Treebank) -> tuple[str, dict[str, ParsingRow]]:
    """The paper's treebank that stands beside ours, and its rows by order; it has none of Afrikaans."""
    if treebank.made:
        return "PTB section 22", ENGLISH
    if treebank.language not in TREEBANKS:
        return "", {}
    return treebank.language, TREEBANKS[treebank.language].orders


def learned_claims(cells: pd.DataFrame, chosen: Sequence[Treebank]) -> list[Claim]:
    groups = {treebank: cells[cells["sentences"] == treebank.name] for treebank in chosen}
    return [*(gains_by_treebank(groups, low, high) for low, high in pairwise(ORDERS)), learned_speed(groups)]


def gains_by_treebank(groups: Mapping[Treebank, pd.DataFrame], low: str, high: str) -> Claim:
    """On what share of the treebanks an order has more right heads than the one below it; beside it, on how many surely."""
    steps, found = [], []
    for treebank, own in groups.items():
        first, second = (by_sentence(own, order)["right"].tolist() for order in (high, low))
        uas = [100 * decoded(own[own["model"] == order]).uas for order in (low, high)]
        found.append(paired_bootstrap(first, second))
        steps.append(f"{uas[0]:.2f} to {uas[1]:.2f} ({treebank.name})")
    gains = [each.difference for each in found]
    sure = sum(each.low > 0 for each in found)
    part = proportion(sum(gain > 0 for gain in gains), len(gains))
    published = [row.orders for row in TREEBANKS.values()]
    gained = sum(row[high].uas > row[low].uas for row in published)
    generated = [treebank for treebank in groups if treebank.made]
    count = f"{sum(gain > 0 for gain in gains)} of {len(groups)}"
    return Claim(
        f"learned-order-{high}-gains",
        "Table 3",
        f"With learned models the {NAMES[high]} on most treebanks.",
        f"{gained} of {len(published)} treebanks",
        f"{count} treebanks, {sure} surely: UAS {', '.join(steps)}",
        f"{count}: {part.value:.0%} [{part.low:.0%}, {part.high:.0%}]",
        untestable(ONE_TREEBANK) if generated else most(gains, MOST),
        "; ".join(
            f"{treebank.name}: right heads per sentence, {difference_text(each)}"
            for treebank, each in zip(groups, found, strict=True)
        ),
    )


def learned_speed(groups: Mapping[Treebank, pd.DataFrame]) -> Claim:
    """The drop in speed from the first to the third order, features included. The paper says it of English."""
    english = {treebank: own for treebank, own in groups.items() if treebank.made or treebank.language == "English"}
    drops = {treebank.name: model_speed_up(own, "3", "1") for treebank, own in english.items()}
    first, third = ENGLISH["1"].speed, ENGLISH["3"].speed
    return Claim(
        "learned-third-order-speed",
        "Table 2",
        f"With pruning and features the third order costs no more than a {SPEED_DROP:.0f}-fold drop in speed.",
        f"{times(third / first)} the speed ({first:.0f} and {third:.0f} tokens/s)",
        ", ".join(f"{speed(drop)} the speed ({name})" for name, drop in drops.items()),
        ", ".join(speed(drop) for drop in drops.values()),
        together(*(no_slower(drop, 1 / SPEED_DROP) for drop in drops.values()))
        if drops
        else untestable("no English treebank"),
    )


NEEDED = tuple(
    treebank_corpus(treebank.corpus, f"the {treebank.language} treebank {treebank.corpus}") for treebank in REAL
)
