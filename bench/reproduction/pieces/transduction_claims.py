"""What Yao, Wan & Xiao (2014) say about joint decoding, judged from results by system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from ...published import RATINGS, TRANSDUCTION
from ...studies.transduction_table import DISCRIMINATIVE_SYSTEM, LM_SYSTEM, Result
from ..claims import UNTESTABLE, Claim, higher, judge, said, times, together

BEAM, PURE, DISCRIMINATIVE = "T3+LM (Beam Search)", "Pure Tree-Transduction", "Discriminative"
WHERE = "Table 2"
SIMILAR = 2.0  # times the time, either way

Results = Mapping[str, Sequence[Result]]


def relations(results: Results, name: str) -> list[float]:
    return [100 * result.measures["relation F1"] for result in results[name]]


def transduction_claims(results: Results) -> list[Claim]:
    return [
        beats(
            results,
            "dual-beats-beam",
            LM_SYSTEM,
            [BEAM],
            "Joint decoding by dual decomposition outperforms beam search.",
        ),
        beats(
            results,
            "discriminative-beats-lm",
            DISCRIMINATIVE_SYSTEM,
            [LM_SYSTEM],
            "Transduction with the discriminative model outperforms transduction with the language model.",
        ),
        beats(
            results,
            "joint-beats-parts",
            DISCRIMINATIVE_SYSTEM,
            [PURE, DISCRIMINATIVE],
            "The joint model outperforms both of its parts, pure transduction and the discriminative model.",
        ),
        time_like_beam(results),
        human_ratings(),
    ]


def beats(results: Results, name: str, system: str, rivals: list[str], text: str) -> Claim:
    """Better than every rival, by paired bootstraps of relation F1 over sentences."""
    found = {rival: higher(relations(results, system), relations(results, rival)) for rival in rivals}
    ours = fmean(relations(results, system))
    closest = max(rivals, key=lambda rival: fmean(relations(results, rival)))
    paper, other = TRANSDUCTION[system], TRANSDUCTION[closest]
    others = ", ".join(f"{TRANSDUCTION[rival].written_relations}" for rival in rivals)
    return Claim(
        name,
        WHERE,
        text,
        f"relation F1 {paper.written_relations} against {others} (Written)",
        f"relation F1 {ours:.1f} against " + ", ".join(f"{fmean(relations(results, rival)):.1f}" for rival in rivals),
        f"{found[closest][0].difference:+.2f} (paper {paper.written_relations - other.written_relations:+.1f})",
        together(*(verdict for _, verdict in found.values())),
        "; ".join(f"against {rival}: {said(difference)}" for rival, (difference, _) in found.items()),
    )


def time_like_beam(results: Results) -> Claim:
    dual, beam = (1e3 * fmean(result.seconds for result in results[name]) for name in (LM_SYSTEM, BEAM))
    return Claim(
        "time-like-beam",
        "Section 6",
        "Training with dual decomposition takes about as long as with beam search; decoding dominates it.",
        "similar (no numbers are printed)",
        f"{dual:.2f} ms against {beam:.2f} ms of CPU per sentence, decoding",
        times(dual / beam),
        judge(dual / beam <= SIMILAR),
        f"Similar: at most {SIMILAR:g} times the time.",
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
