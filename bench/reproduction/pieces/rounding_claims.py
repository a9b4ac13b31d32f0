"""What Table 3 of Almeida & Martins (2013) says of rounding and of the LP relaxation."""

from __future__ import annotations

from ..claims import Claim, ratio_text, speed
from ..evidence import quickness, share
from ..published import SUMMARIZATION_RUNTIMES
from ..published.almeida_martins import ROUNDING_SECONDS
from ..verdicts import at_least, at_most, kept
from .runtime_claims import COMPETITIVE, FASTER, OURS, TUNED, WHERE, exact_rouge, paired, rouge
from .runtime_table import ILP, LP, DecodedClusters

RELAXED, EXACT = "lp-glpk, paper", "ad3-exact"
DOUBLE = 2.0  # times the published share of the runtime: still fast


def rounding_claims(found: DecodedClusters) -> list[Claim]:
    return [rounding_is_fast(found), relaxation_keeps_accuracy(found), exact_search_does_not_suit(found)]


def rounding_is_fast(found: DecodedClusters) -> Claim:
    """The mean time of rounding over the mean runtime of AD3-1000."""
    own = found.cells[(found.cells["label"] == OURS) & found.cells["ended"].astype(bool)]
    part, seconds = share(own["round"].tolist(), own["runtime"].tolist()), SUMMARIZATION_RUNTIMES[TUNED].seconds
    published = ROUNDING_SECONDS / seconds
    milliseconds = 1e3 * float(own["round"].mean()) if len(own) else float("nan")
    return Claim(
        "rounding-is-fast",
        "Section 3.4, Table 3",
        "Rounding is fast: a small part of the runtime of AD3 with 1000 iterations.",
        f"{published:.1%} of it ({ROUNDING_SECONDS} s of {seconds} s)",
        f"{part.value:.1%} of it ({milliseconds:.2f} ms)",
        ratio_text(part, published),
        at_most(part.of_times(), DOUBLE * published, f"at most {DOUBLE * published:.1%}, twice the published share"),
    )


def exact_search_does_not_suit(found: DecodedClusters) -> Claim:
    """An exact search around AD3 against AD3 with the paper's rounding: suited where it is competitive."""
    ours, fast = (found.speed_up(label, EXACT) for label in (OURS, FASTER))
    own = found.cells[found.cells["label"] == EXACT]
    rule = f"at least {1 / COMPETITIVE:g} times as long as AD3 with 1000 iterations and rounding"
    return Claim(
        "exact-search-does-not-suit",
        "Section 3.4",
        "An exact search around AD3 does not suit summarization, whose relaxations have many fractional components.",
        "no numbers are printed",
        f"{speed(ours)} as long as AD3 as published, {speed(fast)} as our AD3; {int((own['status'] == 'optimal').sum())} of {len(own)} "
        "clusters proved",
        speed(ours),
        at_least(quickness(ours), 1 / COMPETITIVE, rule),
        f"The search is branch and bound on bounds of our AD3 ({EXACT}), years younger than the paper's.",
        today=at_least(quickness(fast), 1 / COMPETITIVE, rule),
    )


def relaxation_keeps_accuracy(found: DecodedClusters) -> Claim:
    exact = exact_rouge(found)
    ours = share(*paired(rouge(found, RELAXED), exact))
    relaxed, whole = (SUMMARIZATION_RUNTIMES[name].rouge_2 for name in (LP, ILP))
    return Claim(
        "relaxation-keeps-accuracy",
        WHERE,
        "The LP relaxation with rounding keeps accuracy levels similar to exact decoding.",
        f"ROUGE-2 {relaxed:.2f} of {whole:.2f}",
        f"ROUGE-2 {rouge(found, RELAXED).mean():.2f} of {exact.mean():.2f} (GLPK's solution, the paper's rounding)",
        ratio_text(ours, relaxed / whole),
        kept(relaxed / whole, ours),
        "A relaxation may have many optima, and rounding depends on which of them a solver ends at.",
    )
