"""What Qian & Liu (2014) say about quality and speed, judged from results by system. Their ILP solver (Gurobi) is not here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from ...published import COMPRESSION
from ...studies.compression_table import Result
from ..claims import HOLDS, UNTESTABLE, Claim, faster, higher, judge, kept, said, times, together

WHERE = "Table 2"
BASELINE = "TM13, projective trees"
APPROXIMATE, EXACT = "Lagrangian, as published", "Exact, as published"
FAST_APPROXIMATE, FAST_EXACT = "Lagrangian, repaired", "Exact, fast"
GUROBI = "The paper's ILP solver, Gurobi, is not here; the factor is against the ILP solvers of the table."

Results = Mapping[str, Sequence[Result]]


def seconds(results: Results, name: str) -> float:
    return fmean(result.seconds for result in results[name])


def measure(results: Results, name: str, measured: str) -> float:
    known = [result.measures[measured] for result in results[name] if result.measures]
    return fmean(known) if known else float("nan")


def compression_claims(results: Results) -> list[Claim]:
    claims = [
        against_ilp(
            results,
            "lagrangian-ten-times-faster-than-ilp",
            "The approximate program is about 10 times faster than the ILP of Thadani & McKeown.",
            "Ours (Approx)",
            APPROXIMATE,
            FAST_APPROXIMATE,
        ),
        against_ilp(
            results,
            "exact-not-faster-than-ilp",
            "The exact O(n^6) program shows no significant advantage in speed over the ILP.",
            "Ours (Exact)",
            EXACT,
            FAST_EXACT,
        ),
        approximation_against_exact(results),
        approximation_keeps_f1(results),
        joint_beats(results, "joint-beats-subtree", "Subtree, DP", "Subtree", "the subtree deletion model"),
        joint_beats(results, "joint-beats-bigrams", "McDonald06", "McDonald06", "McDonald's bigram model"),
    ]
    return [*claims, crf_is_local(results)] if "CRF" in results else claims


def against_ilp(results: Results, name: str, text: str, published: str, program: str, faster_program: str) -> Claim:
    """A program's speed-up over the ILP of Thadani & McKeown; without the paper's solver only our factor is told."""
    paper, ilp = COMPRESSION[published].seconds, COMPRESSION["TM13"].seconds
    ours, told = _speed_ups(results, BASELINE, BASELINE, program, faster_program)
    shown = f"{times(ilp / paper)} ({ilp:.3f} s / {paper:.3f} s, Gurobi)"
    return Claim(name, WHERE, text, shown, told, times(ours), UNTESTABLE, GUROBI)


def approximation_against_exact(results: Results) -> Claim:
    published = COMPRESSION["Ours (Exact)"].seconds / COMPRESSION["Ours (Approx)"].seconds
    ours, told = _speed_ups(results, EXACT, FAST_EXACT, APPROXIMATE, FAST_APPROXIMATE)
    return Claim(
        "lagrangian-faster-than-exact",
        WHERE,
        "The approximate program is much faster than the exact one.",
        f"{times(published)} (0.610 s / 0.056 s)",
        told,
        times(ours),
        faster(published, ours, None),
    )


def _speed_ups(results: Results, slow: str, fast_slow: str, quick: str, fast_quick: str) -> tuple[float, str]:
    """The factor that decides and both in words: of the algorithms as published if they were run, and of our faster ones."""
    ours = seconds(results, fast_slow) / seconds(results, fast_quick)
    if slow not in results or quick not in results:
        return ours, f"{times(ours)} by our faster algorithms (those of the paper were not run)"
    published = seconds(results, slow) / seconds(results, quick)
    return published, f"{times(published)} as published, {times(ours)} by our faster algorithms"


def approximation_keeps_f1(results: Results) -> Claim:
    exact, ours = COMPRESSION["Ours (Exact)"], COMPRESSION["Ours (Approx)"]
    published = (ours.unigram_f1 / exact.unigram_f1, ours.relation_f1 / exact.relation_f1)
    approximate = APPROXIMATE if APPROXIMATE in results else FAST_APPROXIMATE
    reference = EXACT if EXACT in results else FAST_EXACT
    names = ("unigram F1", "relation F1")
    found = [measure(results, approximate, name) / measure(results, reference, name) for name in names]
    good = all(kept(paper, own) == HOLDS for paper, own in zip(published, found, strict=True))
    statuses = [result.status for result in results[approximate]]
    missed = (
        f"It misses the length on {statuses.count('infeasible')} of {len(statuses)} sentences; "
        if any(statuses)
        else ""
    )
    return Claim(
        "lagrangian-keeps-f1",
        WHERE,
        "The approximate program achieves nearly the accuracy of the exact one.",
        "unigram F1 0.802 of 0.805, relation F1 0.598 of 0.599",
        ", ".join(
            f"{name} {measure(results, approximate, name):.3f} of {measure(results, reference, name):.3f}"
            for name in names
        ),
        f"{found[0]:.3f} and {found[1]:.3f} (paper {published[0]:.3f} and {published[1]:.3f})",
        judge(good),
        f"{missed}where it keeps another number of words, it is scored as it is.",
    )


def joint_beats(results: Results, name: str, rival: str, published: str, spoken: str) -> Claim:
    paper, other = COMPRESSION["Ours (Exact)"], COMPRESSION[published]
    pairs = [
        (own.measures["relation F1"], its.measures["relation F1"])
        for own, its in zip(results[FAST_EXACT], results[rival], strict=True)
        if own.measures and its.measures
    ]
    found, verdict = higher([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    unigram = [measure(results, system, "unigram F1") for system in (FAST_EXACT, rival)]
    return Claim(
        name,
        WHERE,
        f"The joint models outperform {spoken} in unigram and relation F1.",
        f"unigram F1 {paper.unigram_f1} against {other.unigram_f1}, relation F1 {paper.relation_f1} against {other.relation_f1}",
        f"unigram F1 {unigram[0]:.3f} against {unigram[1]:.3f}, "
        f"relation F1 {measure(results, FAST_EXACT, 'relation F1'):.3f} against {measure(results, rival, 'relation F1'):.3f}",
        f"{found.difference:+.3f} relation F1 (paper {paper.relation_f1 - other.relation_f1:+.3f})",
        together(verdict, unigram[0] > unigram[1]),
        said(found, 3),
    )


def crf_is_local(results: Results) -> Claim:
    systems = {"CRF": "CRFs", "Subtree, DP": "Subtree", "McDonald06": "McDonald06", FAST_EXACT: "Ours (Exact)"}
    ours = {name: measure(results, name, "relation F1") for name in systems}
    unigram = {name: measure(results, name, "unigram F1") for name in systems}
    lowest = min(ours, key=lambda name: ours[name])
    high = unigram["CRF"] > unigram["McDonald06"]
    return Claim(
        "crf-high-unigram-low-relation",
        WHERE,
        "CRFs achieve high unigram F1 but the lowest relation F1.",
        "unigram F1 0.790 (above McDonald06's 0.776), relation F1 0.501, the lowest of all",
        f"unigram F1 {unigram['CRF']:.3f} (McDonald06 {unigram['McDonald06']:.3f}), relation F1 {ours['CRF']:.3f}; "
        f"the lowest is {lowest}'s {ours[lowest]:.3f}",
        f"{ours['CRF'] / ours[FAST_EXACT]:.3f} of the joint model's relation F1 (paper {0.501 / 0.599:.3f})",
        judge(high and lowest == "CRF"),
    )
