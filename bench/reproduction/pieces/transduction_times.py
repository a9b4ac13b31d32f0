"""What Yao, Wan & Xiao (2014) say of time: against beam search, and against one dynamic program over a joint table."""

from __future__ import annotations

from ...analysis.statistics.ratios import SpeedUp
from ..claims import Claim, speed
from ..evidence import quickness
from ..verdicts import effect, untestable
from .transduction_systems import DISCRIMINATIVE_SYSTEM, JOINT_TABLE, NEAR, TransductionRun


def time_claims(run: TransductionRun) -> list[Claim]:
    return [time_like_beam(run.beam_speed_up), one_table(run)]


def time_like_beam(found: SpeedUp | None) -> Claim:
    """Of training; decoding is what we have timed."""
    ours = "not both were run" if found is None else f"{speed(found)} as fast, decoding {found.pairs} sentences"
    return Claim(
        "time-like-beam",
        "Section 6",
        "Training with dual decomposition takes about as long as with beam search.",
        "similar (no numbers are printed)",
        ours,
        "none",
        untestable("times of training are not recorded"),
        f"CPU time on sentences where both are within {NEAR:.0%} of the best known objective.",
    )


def one_table(run: TransductionRun) -> Claim:
    """Dual decomposition has to be faster for that, where both prove the optimum."""
    found, ours = run.table_speed_up, "not both were run"
    if found is not None:
        dual, table = (1e3 * run.of_system(name)["seconds"].median() for name in (DISCRIMINATIVE_SYSTEM, JOINT_TABLE))
        medians = f"medians {dual:.2f} ms and {table:.2f} ms by one table"
        ours = f"dual decomposition {speed(found)} as fast on {found.pairs} sentences ({medians})"
    return Claim(
        "one-table-impractical",
        "Sections 1 and 4",
        "One dynamic program over the joint table of rules and n-grams is computationally impractical.",
        "O(SRL^(2(n-1)V)) against O(k(SRV + L^(2(n-1)))), no numbers are printed",
        ours,
        speed(found),
        effect(quickness(found), 1.0, 1.0, "dual decomposition is faster than one table: above 1x"),
        f"{DISCRIMINATIVE_SYSTEM} and {JOINT_TABLE!r}: bigrams, on sentences of which both prove the optimum. L is not the lexicon here but the words "
        "of the sentence, since words are only deleted. Of trigrams, which the paper's language model has, we have no such program.",
    )
