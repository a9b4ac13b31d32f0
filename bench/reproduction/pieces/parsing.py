"""Martins, Almeida & Smith (2013): Table 1 (growth), Table 2 (orders), Figure 2 (AD3 against subgradient). Table 3: `learned_parsers`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from problems.parsing.instance import ORDERS

from ...analysis.audit import with_audit
from ...analysis.statistics.cells import best_known, reduce_cells
from ...experiments.experiment import Experiment
from ...experiments.sources import Sources
from ...output.tables import Table
from ...studies import parsing_costs
from ...studies.parsing_costs import Growth
from ..beside import facts
from ..brief import shortened
from ..claims import speed, times, with_settings
from ..context import Context
from ..corpora import (
    CORPORA,
    many_components,
    real_source,
    scored_sentences,
    sentence_limit,
    sentences_said,
    treebanks,
)
from ..piece import Outcome, Piece
from ..published import COSTS, ENGLISH, TURBO_PARSER_MS
from ..runs import run_experiment
from .convergence import ad3_converges_faster
from .learned_parsers import NEEDED, make_table3
from .parsing_cells import (
    AD3,
    LengthBin,
    by_length,
    decoded,
    growth_figure,
    in_all_models,
    length_figure,
    model_speed_up,
    with_models,
)
from .parsing_claims import ad3_is_faster, growth_claims, order_claims, theory
from .parsing_views import costs_view, english_view

PAPER = "Martins, Almeida & Smith (2013)"
ENGLISH_NAME = "English"
LENGTH_SENTENCES = 150  # of our treebank for Figure 2: the subgradient method takes a second or two for each
ORDER_SENTENCES = 500  # and for Table 2: a share of 95 % has an interval of 2 % on either side
MANY_SENTENCES, QUICK_MANY = 24, 2  # in the older decomposition as well, as of the generated ones
QUICK = 2  # sentences of each size
BRIEF_ROUNDS = 2  # of Table 1


def make_table1(context: Context) -> Outcome:
    """CPU time of each component's oracle and of an AD3 iteration, and the exponent of its growth."""
    rounds = BRIEF_ROUNDS if context.brief else parsing_costs.ROUNDS
    found = parsing_costs.measure(context.quick, rounds)
    views = facts({"beside": costs_view(found, {(each.pruning, each.name): theory(each) for each in found})})
    claims = with_settings(growth_claims(found), parsing_costs.settings(found, rounds))
    return Outcome({"table": growth_table(found)}, [growth_figure(found)], claims, facts=views)


def growth_table(found: Sequence[Growth]) -> Table:
    rows: list[list[str]] = []
    prunings = list(parsing_costs.PRUNINGS)
    for each in found:
        rows += [[]] if rows and each.pruning != rows[-1][0] else []
        cost = COSTS[each.name][prunings.index(each.pruning)] if each.name in COSTS else ""
        power = f"{each.law.exponent:.2f} [{each.law.low:.2f}, {each.law.high:.2f}]"
        ends = [f"{1e6 * each.seconds[place]:.3g}" for place in (0, -1)]
        span = f"{each.lengths[0]} to {each.lengths[-1]}"
        rows.append([each.pruning, each.name, cost, f"{theory(each):.3g}", power, span, *ends])
    headings = ["pruning", "component", "paper: O(...)", "paper: power", "ours: power"]
    headings += ["words", "us, shortest", "us, longest"]
    notes = [
        "Powers of the sentence length L; ours: a power law of CPU time, fitted to the longer half of the lengths [95 % interval].",
        f"K = {parsing_costs.K}, J = {parsing_costs.J}; microseconds of CPU for all components of a kind in one sentence. Our tree oracle is the dense one.",
        "The paper's are worst cases, in which one head may have all words as candidate modifiers; pruned sentences do not come near. paper: power: of "
        "the term that grows the most, L log L fitted over the same lengths as ours.",
    ]
    return Table("Table 1 of Martins et al. (2013): growth of the subproblems", headings, rows, notes, left=3)


def make_table2(context: Context) -> Outcome:
    """Decoding alone, by model order: generated sentences, or English ones with the scores of learned models."""
    records = run_experiment("parsing-orders", context, lambda experiment: by_order(experiment, context))
    cells, real = with_models(reduce_cells(with_audit(records))), context.data is not None
    coloured = real and treebanks(context)[0].language == ENGLISH_NAME
    views = facts({"beside": english_view(in_all_models(cells), sentences_said(context), coloured)})
    table = order_table(in_all_models(cells), sentences_said(context))
    return Outcome({"table": table}, claims=order_claims(cells, real), facts=views)


def by_order(experiment: Experiment, context: Context) -> Experiment:
    """The experiment as this run wants it; on real data the fast solvers only."""
    if context.data is None:
        if context.quick:
            experiment, _ = shortened(experiment)  # without ILP solvers
            return replace(experiment, source=experiment.source.shortened(QUICK))
        return experiment
    treebank, count = treebanks(context)[0], QUICK if context.quick else sentence_limit(context, ORDER_SENTENCES)
    sources = [scored_sentences(context, treebank, order, count) for order in ORDERS]
    third = (sources[-1].name,)
    sources.append(many_components(context, treebank, QUICK_MANY if context.quick else MANY_SENTENCES))
    solvers = tuple(
        replace(spec, sizes=() if spec.name == AD3 else third)
        for spec in experiment.solvers
        if spec.name == AD3 or spec.name.startswith("dp-")
    )
    return replace(experiment, source=Sources(tuple(sources)), solvers=solvers)


def order_table(cells: pd.DataFrame, source: str) -> Table:
    rows: list[list[str]] = []
    for (name, label), own in cells.groupby(["sentences", "label"], sort=False):
        rows += [[]] if rows and (name, label) != (rows[-1][0], rows[-1][1]) else []
        for order in dict.fromkeys(own["model"]):
            found = decoded(own[own["model"] == order])
            paper = ENGLISH.get(order) if label == AD3 and not own["few"].any() else None
            slower = model_speed_up(own, order, "1")
            integral = "" if found.integral != found.integral else f"{100 * found.integral:.0f}"
            ours = [f"{100 * found.uas:.1f}", f"{found.speed:.0f}", "" if slower is None else speed(slower)]
            ours += [integral, f"{100 * found.certified:.0f}", str(found.without_tree or "")]
            theirs = ["", "", ""]
            if paper:
                theirs = [f"{paper.uas:.2f}", f"{paper.speed:.0f}", times(paper.speed / ENGLISH["1"].speed)]
            rows.append([str(name), str(label), order, str(found.sentences), *ours, *theirs])
    headings = ["sentences", "decoder", "order", "number", "UAS %", "tokens/s", "speed of order 1"]
    headings += ["integral %", "certified %", "no tree", "paper: UAS", "tokens/s", "speed of order 1"]
    notes = [
        f"{source}; `few`: other such sentences. UAS without punctuation. Tokens per CPU second of decoding alone; ratios: median over sentences [95 % interval].",
        "The paper's speeds (section 22) include pruning and features. `many`: the older decomposition into many small components.",
        "dp-eisner (projective) and dp-mst (arc-factored) see a part of the third-order scores only. No tree: counted as all wrong.",
    ]
    return Table("Table 2 of Martins et al. (2013): decoding by model order", headings, rows, notes, left=3)


def make_figure2(context: Context) -> Outcome:
    """Time by length of AD3 and of the subgradient method, which has the best of four step sizes for each sentence."""
    records = with_audit(run_experiment("parsing-lengths", context, lambda experiment: race(experiment, context)))
    cells = reduce_cells(records)
    bins = list(by_length(cells, best_known(records)))
    claims = [ad3_is_faster(bins), ad3_converges_faster(records)]
    return Outcome({"table": length_table(bins, sentences_said(context))}, [length_figure(cells)], claims)


def race(experiment: Experiment, context: Context) -> Experiment:
    """The two that Figure 2 compares, traced: iterations to a bound are judged as well."""
    solvers = tuple(spec for spec in experiment.solvers if spec.name in (AD3, "subgradient"))
    source = experiment.source.shortened(QUICK) if context.quick else experiment.source
    if context.data is not None:
        count = 5 * QUICK if context.quick else sentence_limit(context, LENGTH_SENTENCES)
        source = real_source("parsing", context, count)
    return replace(experiment, solvers=solvers, source=source, plots=experiment.plots[:1])


def length_table(bins: Sequence[LengthBin], source: str) -> Table:
    rows = []
    for each in bins:
        shares = (each.ad3_proved, each.subgradient_proved, each.behind)
        seconds = [f"{1e3 * value:.2f}" for value in (each.ad3, each.subgradient)] + [speed(each.faster)]
        percents = [f"{100 * value:.0f}" for value in shares]
        original = f"{TURBO_PARSER_MS[each.number]:g}" if each.number < len(TURBO_PARSER_MS) - 1 else ""
        rows.append([each.name, str(each.sentences), *seconds, *percents, f"{1e3 * each.ours:.2f}", original])
    headings = ["words", "sentences", "AD3 ms", "subgradient ms", "AD3 faster", "AD3 certified %"]
    headings += ["subgradient certified %", "its bound worse %", "our AD3 ms", "TurboParser ms"]
    notes = [
        f"{source}, order 3, at most 10 heads per word; AD3 has at most 1000 iterations, the subgradient method 4000: mean CPU time of a call.",
        "The subgradient method has for each sentence the most favourable of four step sizes (lowest bound, then least time).",
        "AD3: as published, without over-relaxation; our AD3 has it. AD3 faster: median over the sentences that both prove [95 % interval].",
        f"TurboParser: AD3 alone in the original, other sentences and machine; {TURBO_PARSER_MS[-1]:g} ms for all of more than 40 words.",
    ]
    return Table("Figure 2 of Martins et al. (2013): AD3 and subgradient by length", headings, rows, notes)


TREEBANK = CORPORA["parsing"]
PIECES = [
    Piece("martins-table1", PAPER, "Table 1", "Growth of the subproblems", make_table1, real=False),
    Piece("martins-table2", PAPER, "Table 2", "Decoding by model order", make_table2, corpora=TREEBANK),
    Piece("martins-table3", PAPER, "Table 3", "Learned parsers by treebank and order", make_table3, corpora=NEEDED),
    Piece("martins-figure2", PAPER, "Figure 2", "AD3 against the subgradient method", make_figure2, corpora=TREEBANK),
]
