"""What Qian & Liu (2014) say of the speed of their two programs, and of what the approximate one loses, judged from the cells of Table 2."""

from __future__ import annotations

from ...analysis.statistics.ratios import SpeedUp
from ..claims import Claim, ratio_text, speed, times
from ..evidence import Evidence, quickness, share
from ..published import COMPRESSION
from ..verdicts import Ruling, at_most, at_similar_rates, faster, kept, together
from .compression_rivals import rival_claims
from .compression_systems import (
    ANSWERED,
    APPROXIMATE,
    BASELINE,
    EQUAL_RATES,
    EXACT,
    F1,
    FAST_APPROXIMATE,
    FAST_EXACT,
    GUROBI,
    HIT,
    MISSED,
    RATE,
    WHERE,
    SystemsRun,
    published_pair,
)

NO_ADVANTAGE = 2.0  # times as fast: less than that is no significant advantage
EQUALS = "Of sentences where both prove the optimum: elsewhere the approximate program keeps another number of words."


def compression_claims(
    quality: SystemsRun, timed: SystemsRun | None = None, real: bool = True, drawn: str = ""
) -> list[Claim]:
    """`timed` is the run on the sentences that ILP solvers had too, where that is another one; `drawn` says how these were chosen."""
    timed = quality if timed is None else timed
    return [
        against_ilp(
            timed,
            "lagrangian-ten-times-faster-than-ilp",
            "The approximate program is about 10 times faster than the ILP of Thadani & McKeown.",
            "Ours (Approx)",
            (APPROXIMATE, FAST_APPROXIMATE),
            drawn,
        ),
        against_ilp(
            timed,
            "exact-not-faster-than-ilp",
            "The exact O(n^6) program shows no significant advantage in speed over the ILP.",
            "Ours (Exact)",
            (EXACT, FAST_EXACT),
            drawn,
        ),
        approximation_against_exact(quality if APPROXIMATE in quality else timed),
        approximation_keeps_f1(quality),
        *rival_claims(quality, timed, real),
    ]


def against_ilp(
    run: SystemsRun, name: str, text: str, published: str, programs: tuple[str, str], drawn: str = ""
) -> Claim:
    """A program's speed-up over the ILP of Thadani & McKeown: Gurobi's on any trees, the fastest of ours on projective ones."""
    paper, ilp = COMPRESSION[published].seconds, COMPRESSION["TM13"].seconds
    gurobi = run.over_gurobi(programs[0])
    ours = [run.speed_up(program, BASELINE) for program in programs]
    fitting, sentences = run.cells["label"].eq(GUROBI).sum(), len(run.sentences(programs[0]))
    fits = f"{f'{drawn} ' if drawn else ''}Gurobi's licence ends at 2,000 rows: {fitting} of {sentences} sentences fit"
    fits = f"{fits}{', the shorter ones' if fitting < sentences else ''}."
    fits = fits if fitting else "The paper's ILP solver, Gurobi, was not run on these sentences."
    rule = f"less than {NO_ADVANTAGE:g} times as fast: no significant advantage"
    slow = ilp <= paper
    return Claim(
        name,
        WHERE,
        text,
        f"{times(ilp / paper)} ({ilp:.3f} s / {paper:.3f} s, Gurobi)",
        f"{_told(gurobi)} against Gurobi, {_told(ours[0])} against the fastest ILP on projective trees; {_told(ours[1])} by our faster algorithm",
        _told(gurobi),
        at_most(quickness(gurobi), NO_ADVANTAGE, rule) if slow else faster(ilp / paper, gurobi),
        f"{fits}{f' {EQUALS}' if APPROXIMATE in programs else ''}",
        today=at_most(quickness(ours[0]), NO_ADVANTAGE, rule) if slow else faster(ilp / paper, ours[0]),
    )


def _told(found: SpeedUp | None) -> str:
    return speed(found) + ("" if found is None else f" of {found.pairs}")


def kept_f1(run: SystemsRun) -> tuple[tuple[float, float], list[Evidence], Ruling]:
    """Unigram and relation F1 of the approximate program over those of the exact one: the paper's, ours, and the ruling."""
    exact, ours = COMPRESSION["Ours (Exact)"], COMPRESSION["Ours (Approx)"]
    published = (ours.unigram_f1 / exact.unigram_f1, ours.relation_f1 / exact.relation_f1)
    found = [share(*run.pairs(*published_pair(run), name)) for name in F1]
    return published, found, together(*(kept(paper, own) for paper, own in zip(published, found, strict=True)))


def approximation_against_exact(run: SystemsRun) -> Claim:
    """On all sentences, as the paper counts time, whatever length is kept: F1 has to be kept for that."""
    exact, approximate = COMPRESSION["Ours (Exact)"].seconds, COMPRESSION["Ours (Approx)"].seconds
    pair = published_pair(run)
    whole, hits, misses = (run.time_ratio(*pair, statuses) for statuses in (ANSWERED, HIT, MISSED))
    fast = run.speed_up(FAST_APPROXIMATE, FAST_EXACT)
    _, shares, quality = kept_f1(run)
    f1 = " and ".join(f"{each.value:.3f} of its {name}" for each, name in zip(shares, F1, strict=True))
    return Claim(
        "lagrangian-faster-than-exact",
        WHERE,
        "The approximate program is much faster than the exact one.",
        f"{times(exact / approximate)} ({exact:.3f} s / {approximate:.3f} s)",
        f"{_told(whole)} as published ({_told(hits)} hits, {_told(misses)} misses), {_told(fast)} by our faster algorithms",
        _told(whole),
        together(faster(exact / approximate, whole), quality),
        f"Of all sentences, hits and misses of the length, where the approximate program has {f1}.",
    )


def approximation_keeps_f1(run: SystemsRun) -> Claim:
    approximate, reference = published_pair(run)
    exact, ours = COMPRESSION["Ours (Exact)"], COMPRESSION["Ours (Approx)"]
    published, found, ruling = kept_f1(run)
    rates = share(*run.pairs(approximate, reference, RATE))
    statuses = run.sentences(approximate)["status"]
    return Claim(
        "lagrangian-keeps-f1",
        WHERE,
        "The approximate program achieves nearly the accuracy of the exact one.",
        f"unigram F1 {ours.unigram_f1:.3f} of {exact.unigram_f1:.3f}, relation F1 {ours.relation_f1:.3f} of {exact.relation_f1:.3f}",
        ", ".join(f"{name} {run.mean(approximate, name):.3f} of {run.mean(reference, name):.3f}" for name in F1),
        " and ".join(ratio_text(each) for each in found) + f" (paper {published[0]:.3f} and {published[1]:.3f})",
        at_similar_rates(ruling, rates, EQUAL_RATES),
        f"It misses the length on {(statuses == 'infeasible').sum()} of {len(statuses)} sentences, where it is scored as it is. "
        f"Rates {run.mean(approximate, RATE):.3f} and {run.mean(reference, RATE):.3f}: {ratio_text(rates)}.",
    )
