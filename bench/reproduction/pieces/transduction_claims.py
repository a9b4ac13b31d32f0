"""What Yao, Wan & Xiao (2014) say of their systems' quality, judged from the sentences of Table 2.

Section 5.4: "All systems were controlled to produce similar compression ratios". Where two of ours are not so similar as theirs, they are
judged on the sentences of which both keep the same number of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ..claims import Claim, difference_text, judged_by_people, ratio_text
from ..evidence import Evidence, paired_bootstrap, share
from ..published import RATINGS, SIGNIFICANT, TRANSDUCTION
from ..verdicts import at_least, at_most, better, together, untestable
from .transduction_checks import STRONG_DUAL
from .transduction_systems import (
    BEAM,
    DISCRIMINATIVE,
    DISCRIMINATIVE_SYSTEM,
    LM_SYSTEM,
    PURE,
    RERANKER,
    TransductionRun,
)
from .transduction_times import time_claims

WHERE = "Section 6, Table 2"
CLOSE = 0.02  # of a rate: the paper's ratios of Written sentences lie as close
INERT = 0.95  # share of sentences on which a component may change nothing, if something is to be told of it
Pair = tuple[list[float], list[float]]


def transduction_claims(run: TransductionRun) -> list[Claim]:
    return [
        dual_beats_beam(run),
        beats(
            run,
            "dual-beats-others",
            LM_SYSTEM,
            [DISCRIMINATIVE, PURE, RERANKER],
            "Joint decoding by dual decomposition outperforms the other systems, with the language model too.",
        ),
        discriminative_beats_lm(run),
        beats(
            run,
            "joint-beats-parts",
            DISCRIMINATIVE_SYSTEM,
            [PURE, DISCRIMINATIVE],
            "The joint model outperforms both of its parts, pure transduction and the discriminative model.",
        ),
        beats(
            run,
            "joint-beats-reranker",
            DISCRIMINATIVE_SYSTEM,
            [RERANKER],
            "Joint decoding by dual decomposition outperforms the reranker of Galanis & Androutsopoulos (2010).",
        ),
        close_rates(run),
        *time_claims(run),
        human_ratings(),
    ]


@dataclass(frozen=True)
class Contest:
    """A system against a rival: relation F1 and rates in per cent, on all sentences and on those of equal lengths."""

    rival: str
    everywhere: Pair
    equal: Pair
    rates: tuple[float, float]

    @property
    def similar(self) -> bool:
        return abs(self.rates[0] / self.rates[1] - 1.0) <= CLOSE

    def found(self) -> Evidence:
        """The quotient that is judged."""
        return share(*(self.everywhere if self.similar else self.equal))

    def told(self) -> str:
        rates = "rates {:.1f} and {:.1f} %".format(*self.rates)
        judged = "" if self.similar else f", more than {CLOSE:.0%} apart, so that equal lengths decide"
        everywhere, equal = (
            difference_text(paired_bootstrap(*pair)) if pair[0] else "no sentence"
            for pair in (self.everywhere, self.equal)
        )
        return f"against {self.rival}: {everywhere}; at equal lengths {equal}; {rates}{judged}"


def contests(run: TransductionRun, system: str, rivals: Sequence[str]) -> list[Contest]:
    """On the sentences that all have answered."""
    relations = 100 * run.table("relation F1")[[system, *rivals]].dropna()
    rates = 100 * run.table("compression rate").loc[relations.index]
    lengths = run.table("kept").loc[relations.index].map(lambda words: -1 if words is None else len(words))
    found = []
    for rival in rivals:
        same = relations[(lengths[system] == lengths[rival]) & (lengths[system] >= 0)]
        everywhere, equal = ((each[system].tolist(), each[rival].tolist()) for each in (relations, same))
        found.append(Contest(rival, everywhere, equal, (float(rates[system].mean()), float(rates[rival].mean()))))
    return found


def beats(run: TransductionRun, name: str, system: str, rivals: list[str], text: str) -> Claim:
    """Better than every rival by relation F1, by paired bootstraps."""
    found = contests(run, system, rivals)
    written, spoken = (
        {each: getattr(TRANSDUCTION[each], field) for each in (system, *rivals)}
        for field in ("written_relations", "spoken_relations")
    )
    gains = {rival: written[system] / written[rival] for rival in rivals}
    means = run.table("relation F1")[[system, *rivals]].dropna().mean() * 100
    closest = max(found, key=lambda each: float(means[each.rival]))
    return Claim(
        name,
        WHERE,
        text,
        "relation F1 "
        + ", ".join(
            f"{values[system]} against {', '.join(str(values[rival]) for rival in rivals)} ({corpus})"
            for values, corpus in ((written, "Written"), (spoken, "Spoken"))
        ),
        f"relation F1 {means[system]:.1f} at a rate of {found[0].rates[0]:.1f} % against "
        + ", ".join(f"{means[each.rival]:.1f} ({each.rates[1]:.1f} %)" for each in found),
        ratio_text(closest.found(), gains[closest.rival]),
        together(*(better(gains[each.rival], each.found()) for each in found)),
        ". ".join(each.told() for each in found),
    )


def same_words(run: TransductionRun, one: str, other: str) -> tuple[int, int]:
    """On how many sentences of how many both keep the same."""
    kept = run.table("kept")[[one, other]].dropna()
    return int((kept[one] == kept[other]).sum()), len(kept)


def dual_beats_beam(run: TransductionRun) -> Claim:
    """Two decoders of the same scores differ by their search errors only; where neither makes one, there is nothing to judge."""
    text = "Joint decoding by dual decomposition outperforms beam search."
    claim = beats(run, "dual-beats-beam", LM_SYSTEM, [BEAM], text)
    if "†" not in SIGNIFICANT[BEAM]:
        claim = replace(
            claim, why=f"{claim.why}. In the paper this difference is not significant (no †), on either corpus."
        )
    equal, count = same_words(run, LM_SYSTEM, BEAM)
    if count and equal == count:
        same = untestable(f"both decoders keep the same words of all {count} sentences at these weights")
        return replace(claim, ruling=same)
    return claim


def discriminative_beats_lm(run: TransductionRun) -> Claim:
    """Says something of the language model only where that changes what pure transduction keeps."""
    text = "Transduction with the discriminative model outperforms transduction with the language model."
    claim = beats(run, "discriminative-beats-lm", DISCRIMINATIVE_SYSTEM, [LM_SYSTEM], text)
    equal, count = same_words(run, LM_SYSTEM, PURE)
    if not count or equal < INERT * count:
        return claim
    inert = (
        f"at the weight chosen on held-out pairs the language model does nothing: {LM_SYSTEM} keeps the same words as {PURE} "
        f"in {equal} of {count} sentences ({equal / count:.1%})"
    )
    return replace(claim, ruling=untestable(inert), why=f"{claim.why}{_strong(run)}")


def _strong(run: TransductionRun) -> str:
    """The difference from the system whose n-grams count far more than was chosen, where it was run."""
    if run.variants is None or STRONG_DUAL not in run.variants.index.get_level_values("label"):
        return ""
    strong = replace(run, sentences=run.variants).of_system(STRONG_DUAL).droplevel("label")
    ours = run.of_system(DISCRIMINATIVE_SYSTEM).droplevel("label")
    relations, rates = (
        100 * pd.DataFrame({"ours": ours[measure], "strong": strong[measure]}).dropna()
        for measure in ("relation F1", "compression rate")
    )
    if relations.empty:
        return ""
    found = paired_bootstrap(relations["ours"].tolist(), relations["strong"].tolist())
    told = f"{difference_text(found)}; rates {rates['ours'].mean():.1f} and {rates['strong'].mean():.1f} %"
    return f". Against {STRONG_DUAL}, where n-grams count ten times as much: {told}"


def close_rates(run: TransductionRun) -> Claim:
    """What makes the comparison with beam search a fair one."""
    dual, beam = (TRANSDUCTION[name].written_rate for name in (LM_SYSTEM, BEAM))
    rates = 100 * run.table("compression rate")[[LM_SYSTEM, BEAM]].dropna()
    found = share(rates[LM_SYSTEM].tolist(), rates[BEAM].tolist())
    rule = f"rates within {CLOSE:.0%} of each other"
    return Claim(
        "rates-like-beam",
        "Section 6",
        "Dual decomposition and beam search have very close compression ratios.",
        f"{dual} % and {beam} % (Written)",
        " and ".join(f"{rates[name].mean():.1f} %" for name in (LM_SYSTEM, BEAM)),
        ratio_text(found, dual / beam),
        together(at_least(found, 1.0 - CLOSE, rule), at_most(found, 1.0 + CLOSE, rule)),
    )


def human_ratings() -> Claim:
    best, beam = (RATINGS[system].written_grammar for system in (LM_SYSTEM, BEAM))
    text = "People rate joint decoding as more grammatical and more informative than the other systems."
    published = f"grammaticality {best} against {beam} by beam search (Written)"
    return judged_by_people("human-ratings", "Table 3", text, published)
