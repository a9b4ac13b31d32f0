"""What Table 2 of Yao, Wan & Xiao (2014) is checked with on real data: does training help, do rules, do n-grams, and does search?

Each comparison is of two systems on the same test sentences. Variants that the paper does not have decode other scores of the same model: pure
transduction by log-probabilities alone, a grammar without rules, and trigrams that count far more than was chosen, where beam search and dual
decomposition have something to disagree about.
"""

from __future__ import annotations

import pandas as pd

from problems.transduction.learned.model import VARIANTS as VARIANT_SCORES

from ...experiments.experiment import SolverSpec
from ...learning.transduction.systems import EXACT_LIMIT, VARIANTS
from ...output.tables import Table
from ..evidence import paired_bootstrap

PURE, UNTRAINED = "Pure Tree-Transduction", "T3, untrained"
BARE, BARE_UNTRAINED = "T3 without rules", "T3 without rules, untrained"
BEAM, DUAL, EXACT = "T3+LM (Beam Search)", "T3+LM (Dual Decomp.)", "T3+LM, exact"
STRONG_BEAM, STRONG_DUAL, STRONG_EXACT = "strong LM (Beam Search)", "strong LM (Dual Decomp.)", "strong LM, exact"
DISCRIMINATIVE = "T3+Discr. (Dual Decomp.)"
QUESTIONS: dict[str, list[tuple[str, str]]] = {
    "training": [(PURE, UNTRAINED), (BARE, BARE_UNTRAINED)],
    "rules": [(PURE, BARE), (UNTRAINED, BARE_UNTRAINED)],
    "n-grams": [(DUAL, PURE), (BEAM, PURE), (EXACT, PURE), (DISCRIMINATIVE, PURE)],
    "search": [(DUAL, BEAM), (DUAL, EXACT), (BEAM, EXACT)],
    "search, strong n-grams": [(STRONG_DUAL, STRONG_BEAM), (STRONG_DUAL, STRONG_EXACT), (STRONG_BEAM, STRONG_EXACT)],
}
NAMES = tuple(variant.name for variant in VARIANTS)


def variant_solvers(settings: set[str]) -> list[SolverSpec]:
    """The variants that a model has settings for, each on the size of its setting."""
    return [
        SolverSpec(each.solver, each.name, _options(each.options), (each.setting,))
        for each in VARIANTS
        if each.setting in settings
    ]


def _options(given: dict[str, object]) -> dict[str, object]:
    """The runner has time limits of its own."""
    return {} if given == {"time_limit": EXACT_LIMIT} else given


def variant_settings(settings: set[str]) -> dict[str, tuple[str, bool]]:
    """Sizes of the experiment: the model's setting, at free length."""
    return {name: (name, False) for name in VARIANT_SCORES if name in settings}


def checks_table(sentences: pd.DataFrame) -> Table:
    """`sentences` has a row per system and sentence, as in `TransductionRun`; pairs of which one is missing are left out."""
    relations = (100 * sentences["relation F1"]).unstack("label")
    rates, kept = (100 * sentences["compression rate"]).unstack("label"), sentences["kept"].unstack("label")
    rows: list[list[str]] = []
    for question, pairs in QUESTIONS.items():
        there = [pair for pair in pairs if set(pair) <= set(relations.columns)]
        rows += [[]] if rows and there else []
        for one, other in there:
            both = relations[[one, other]].dropna()
            if both.empty:
                continue
            same = int((kept.loc[both.index, one] == kept.loc[both.index, other]).sum())
            found = paired_bootstrap(both[one].tolist(), both[other].tolist())
            means = [f"{both[name].mean():.1f}" for name in (one, other)]
            shares = [f"{rates.loc[both.index, name].mean():.1f}" for name in (one, other)]
            gain = f"{found.difference:+.1f} [{found.low:+.1f}, {found.high:+.1f}]"
            rows.append([question, one, other, *means, gain, *shares, f"{same}/{len(both)}"])
    headings = [
        "of",
        "system",
        "against",
        "relation F1",
        "its relation F1",
        "difference",
        "rate",
        "its rate",
        "same words",
    ]
    notes = [
        "Means in per cent over the test sentences that both have answered, with 95 % intervals of the paired difference.",
        "Untrained: rule log-probabilities alone. Without rules: every child is kept or deleted by itself; trained in the same way.",
        "Strong: trigrams count ten times as much as was chosen on held-out pairs, and at least as much as rules, with a reward that meets their gold rate again.",
    ]
    return Table("What training, rules, n-grams and search are worth", headings, rows, notes, left=3)
