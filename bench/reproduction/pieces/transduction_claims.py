"""What Yao, Wan & Xiao (2014) say about joint decoding, judged from a run of their systems."""

from __future__ import annotations

from ...analysis.statistics.ratios import SpeedUp
from ..claims import Claim, difference_text, times
from ..published import RATINGS, TRANSDUCTION
from ..verdicts import SHARE, UNTESTABLE, faster, higher, together
from .transduction_systems import BEAM, DISCRIMINATIVE, DISCRIMINATIVE_SYSTEM, LM_SYSTEM, NEAR, PURE, TransductionRun

WHERE = "Table 2"


def transduction_claims(run: TransductionRun) -> list[Claim]:
    return [
        beats(
            run, "dual-beats-beam", LM_SYSTEM, [BEAM], "Joint decoding by dual decomposition outperforms beam search."
        ),
        beats(
            run,
            "discriminative-beats-lm",
            DISCRIMINATIVE_SYSTEM,
            [LM_SYSTEM],
            "Transduction with the discriminative model outperforms transduction with the language model.",
        ),
        beats(
            run,
            "joint-beats-parts",
            DISCRIMINATIVE_SYSTEM,
            [PURE, DISCRIMINATIVE],
            "The joint model outperforms both of its parts, pure transduction and the discriminative model.",
        ),
        time_like_beam(run.beam_speed_up),
        human_ratings(),
    ]


def beats(run: TransductionRun, name: str, system: str, rivals: list[str], text: str) -> Claim:
    """Better than every rival, by paired bootstraps of relation F1 over the sentences that all have answered."""
    relations = 100 * run.table("relation F1")[[system, *rivals]].dropna()
    found = {rival: higher(relations[system].tolist(), relations[rival].tolist()) for rival in rivals}
    means = relations.mean()
    closest = max(rivals, key=lambda rival: float(means[rival]))
    paper = TRANSDUCTION[system].written_relations
    others = [TRANSDUCTION[rival].written_relations for rival in rivals]
    return Claim(
        name,
        WHERE,
        text,
        f"relation F1 {paper} against {', '.join(map(str, others))} (Written)",
        f"relation F1 {means[system]:.1f} against {', '.join(f'{means[rival]:.1f}' for rival in rivals)}",
        f"{found[closest][0].difference:+.2f} (paper {paper - TRANSDUCTION[closest].written_relations:+.1f})",
        together(*(verdict for _, verdict in found.values())),
        "; ".join(f"against {rival}: {difference_text(difference)}" for rival, (difference, _) in found.items()),
    )


def time_like_beam(found: SpeedUp | None) -> Claim:
    """A speed-up of 1 is published, so to say: it holds if the interval reaches half of that."""
    ours, ratio = "not both were run", "none"
    if found is not None:
        ratio = times(found.times.value)
        ours = f"{ratio} as fast [{found.times.low:.2f}, {found.times.high:.2f}], decoding {found.pairs} sentences"
    return Claim(
        "time-like-beam",
        "Section 6",
        "Training with dual decomposition takes about as long as with beam search; decoding dominates it.",
        "similar (no numbers are printed)",
        ours,
        ratio,
        faster(1.0, found, None),
        f"Similar: at most {1 / SHARE:g} times the time. CPU on sentences where both are within {NEAR:.0%} of the best known objective.",
    )


def human_ratings() -> Claim:
    best = RATINGS[LM_SYSTEM].written_grammar
    beam = RATINGS[BEAM].written_grammar
    return Claim(
        "human-ratings",
        "Table 3",
        "People rate joint decoding as more grammatical and more informative than the other systems.",
        f"grammaticality {best} against {beam} by beam search (Written)",
        "no people were asked",
        "",
        UNTESTABLE,
        "Human judgements cannot be computed; the published values are shown.",
    )
