"""Martins, Almeida & Smith (2013): Table 1 (growth), Tables 2 and 3 (orders), Figure 2 (AD3 against subgradient)."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import numpy as np

from problems.errors import InputError
from problems.metrics.attachment import Attachment, count_attachment, total
from problems.parsing.instance import ORDERS, ParsingInstance
from solvers import Solution, get_solver

from ...output.tables import Table
from ...published import COSTS, ENGLISH
from ...studies import parsing_costs as growth
from ...studies.parsing_lengths import SOLVERS, measure
from ...studies.parsing_orders import variants
from ...studies.parsing_sentences import BINS, FIRST_SEED, bin_name, bin_of, sentences, warm_up
from ..piece import Context, Corpus, Outcome, Piece
from ..real import CORPORA, real_source
from .learned_parsers import LANGUAGES, learned_claims, learned_parsers, learned_table
from .parsing_claims import Decoded, Growth, Race, growth_claims, length_claims, order_claims
from .parsing_figures import growth_figure, length_figure

PAPER = "Martins, Almeida & Smith (2013)"
ORDER_SENTENCES, MANY_SENTENCES = 150, 30
LENGTH_SENTENCES, ROUNDS = 200, 2
RIVALS: tuple[tuple[str, dict[str, Any]], ...] = (("dp-eisner", {"order": 2}), ("dp-mst", {}))


def make_table1(context: Context) -> Outcome:
    """CPU time of each component's oracle and of an AD3 iteration, and the exponent of its growth."""
    warm_up((("ad3", {}),))
    chosen = growth.QUICK_LENGTHS if context.quick else growth.LENGTHS
    found: list[Growth] = []
    for place, (regime, limits) in enumerate(growth.REGIMES.items()):
        lengths = chosen.get(regime, chosen["K heads"])
        measured = [growth.costs(growth.sentence(length, FIRST_SEED, limits)) for length in lengths]
        for kind, (name, powers) in {**growth.KINDS, growth.ITERATION[0]: growth.ITERATION}.items():
            seconds = [costs.get(kind, float("nan")) for costs in measured]
            if np.isfinite(seconds).all():
                slope = growth.exponent(lengths, seconds)
                found.append(Growth(regime, name, tuple(lengths), tuple(seconds), slope, powers[place]))
    rows: list[list[str]] = []
    regimes = list(growth.REGIMES)
    for each in found:
        if rows and each.regime != rows[-1][0]:
            rows.append([])
        theory = COSTS[each.name][regimes.index(each.regime)] if each.name in COSTS else ""
        ends = [f"{1e6 * each.seconds[place]:.3g}" for place in (0, -1)]
        span = f"{each.lengths[0]} to {each.lengths[-1]}"
        rows.append([each.regime, each.name, theory, str(each.theory), f"{each.slope:.2f}", span, *ends])
    headings = [
        "pruning",
        "component",
        "paper: O(...)",
        "paper: power",
        "ours: power",
        "words",
        "us, shortest",
        "us, longest",
    ]
    notes = [
        "Powers of the sentence length L; ours is the slope of log CPU time over log length on the longer half of the lengths.",
        f"K = {growth.K}, J = {growth.J}; microseconds of CPU for all components of a kind in one sentence. Our tree oracle is the dense one.",
        "The paper's are worst cases, in which one head may have all words as candidate modifiers; pruned sentences do not come near.",
    ]
    table = Table("Table 1 of Martins et al. (2013): growth of the subproblems", headings, rows, notes, left=3)
    return Outcome({"table": table}, [growth_figure(found)], growth_claims(found))


def decode(name: str, options: dict[str, Any], variant: str, sample: list[ParsingInstance]) -> Decoded:
    """Speed, attachment and integrality of one decoder on one model order."""
    solutions = [_solved(name, options, variants(instance)[variant]) for instance in sample]
    words = sum(instance.number_of_words for instance in sample)
    trees = [
        Attachment()
        if solution.structure is None
        else count_attachment(instance.gold, solution.structure, instance.words)
        for instance, solution in zip(sample, solutions, strict=True)
    ]
    integral = [solution.integral for solution in solutions if solution.integral is not None]
    return Decoded(
        name,
        variant,
        len(sample),
        words / sum(solution.cpu_seconds for solution in solutions),
        100 * total(trees).correct / words,
        fmean(integral) if integral else float("nan"),
        fmean(solution.status == "optimal" for solution in solutions),
        tuple(float(tree.correct) for tree in trees),
    )


def _solved(name: str, options: dict[str, Any], instance: ParsingInstance) -> Solution:
    try:
        return get_solver(name, **options).solve(instance)
    except InputError:  # there is no projective tree over the candidate arcs
        return Solution("infeasible")


def make_orders(context: Context) -> Outcome:
    """Learned parsers (features and all), and decoding alone on generated sentences whose scores are calibrated."""
    learned = learned_parsers(context)
    warm_up((("ad3", {}), *RIVALS))
    sample = sentences(8 if context.quick else ORDER_SENTENCES)
    few = sample[: 2 if context.quick else MANY_SENTENCES]
    found = [decode("ad3", {}, order, sample) for order in ORDERS]
    found += [decode("ad3", {}, "3", few), decode("ad3", {}, "3 many", few)]
    found += [decode(name, options, "3", sample) for name, options in RIVALS]
    real = None
    if context.data is not None:
        real = decode("ad3", {}, "3", real_or_generated(context, len(sample)))
    rows: list[list[str]] = []
    for place, each in enumerate(found):
        paper = ENGLISH.get(each.order) if place < len(ORDERS) else None
        published = (
            [f"{paper.uas:.2f}", f"{paper.speed:.0f}", f"{paper.speed / ENGLISH['1'].speed:.2f}"] if paper else [""] * 3
        )
        if place in (len(ORDERS), len(ORDERS) + 2):
            rows.append([])
        name = f"{each.solver}, order {each.order}" if each.solver == "ad3" else each.solver
        ours = [f"{each.uas:.1f}", f"{each.speed:.0f}", f"{each.speed / found[0].speed:.2f}"]
        integral = "" if each.integral != each.integral else f"{100 * each.integral:.0f}"
        rows.append([name, str(each.sentences), *ours, integral, f"{100 * each.certified:.0f}", *published])
    if real is not None:
        ours = [f"{real.uas:.1f}", f"{real.speed:.0f}", "", f"{100 * real.integral:.0f}", f"{100 * real.certified:.0f}"]
        rows += [[], ["ad3, order 3, en_ewt", str(real.sentences), *ours, "", "", ""]]
    headings = ["decoder", "sentences", "UAS %", "tokens/s", "of order 1", "integral %", "certified %"]
    headings += ["paper: UAS", "tokens/s", "of order 1"]
    notes = [
        "Generated sentences with lengths as in the Penn Treebank; scores of a calibrated generator. Tokens per CPU second of solve() alone.",
        "The paper's speeds (section 22) include pruning and features. `many`: the older decomposition into many small components.",
        "dp-eisner (projective, second order) and dp-mst (arc-factored) see a part of the third-order scores only.",
    ]
    if real is not None:
        notes.append("en_ewt: the first test sentences, with the scores of the third-order parser of the other table.")
    table = Table("Table 2 of Martins et al. (2013): decoding by model order", headings, rows, notes)
    tables = {"table": learned_table(learned), "decoding": table}
    return Outcome(tables, claims=[*learned_claims(learned), *order_claims(found, real)])


def real_or_generated(context: Context, count: int) -> list[ParsingInstance]:
    """Sentences of order 3: of the English test set with learned scores, or generated."""
    if context.data is None:
        return sentences(count)
    return [item.make() for item in real_source("parsing", context, count).items()]


def make_figure2(context: Context) -> Outcome:
    """Mean time by length of AD3 and of the subgradient method, which has the best of four step sizes for each sentence."""
    warm_up(SOLVERS)
    sample = real_or_generated(context, 12 if context.quick else LENGTH_SENTENCES)
    races = []
    for instance in sample:
        (ad3, ad3_solution), (other, other_solution) = measure(instance, 1 if context.quick else ROUNDS)
        worse = other_solution.bound > ad3_solution.bound + 1e-6 * abs(ad3_solution.bound)
        races.append(Race(instance.number_of_words, ad3, other, bool(worse)))
    rows = []
    for place in range(len(BINS)):
        own = [race for race in races if bin_of(race.words) == place]
        if own:
            ad3, other = fmean(race.ad3_ms for race in own), fmean(race.subgradient_ms for race in own)
            share = 100 * fmean(race.bound_worse for race in own)
            rows.append(
                [bin_name(place), str(len(own)), f"{ad3:.2f}", f"{other:.2f}", f"{other / ad3:.1f}", f"{share:.0f}"]
            )
    source = "Generated sentences" if context.data is None else "Test sentences of en_ewt, learned scores"
    headings = ["words", "sentences", "AD3 ms", "subgradient ms", "subgradient / AD3", "subgradient's bound worse %"]
    notes = [
        f"{source}: mean CPU time of the whole solve() call, order 3, at most 10 heads per word and 1000 iterations.",
        "The subgradient method has for each sentence the most favourable of four step sizes; only that run's time counts.",
    ]
    table = Table("Figure 2 of Martins et al. (2013): AD3 and subgradient by length", headings, rows, notes)
    return Outcome({"table": table}, [length_figure(races)], length_claims(races))


TREEBANK = CORPORA["parsing"]
TREEBANKS = tuple(
    Corpus(f"treebanks/{name}", f"the {language} treebank {name} in CoNLL-U") for name, language in LANGUAGES.items()
)
PIECES = [
    Piece("martins-table1", PAPER, "Table 1", "Growth of the subproblems", make_table1, real=False),
    Piece(
        "martins-tables2-3",
        PAPER,
        "Tables 2 and 3",
        "Accuracy and speed by model order",
        make_orders,
        corpora=TREEBANKS,
    ),
    Piece("martins-figure2", PAPER, "Figure 2", "AD3 against the subgradient method", make_figure2, corpora=TREEBANK),
]
