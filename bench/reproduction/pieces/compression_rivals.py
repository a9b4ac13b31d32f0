"""What Qian & Liu (2014) say of the quality of six systems, and of gold compressions, judged from the cells of Table 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..claims import Claim, difference_text, ratio_text
from ..evidence import paired_bootstrap, proportion, share
from ..published import COMPRESSION, NO_SUBTREE
from ..verdicts import HALF, at_least, at_similar_rates, better, higher, kept, together, untestable
from .compression_systems import (
    BIGRAMS,
    CRF,
    EQUAL_RATES,
    F1,
    FAST_EXACT,
    JOINT_ILP,
    RATE,
    WHERE,
    SystemsRun,
    across,
    published_pair,
)

CIRCULAR = "the generator gives every gold word, bigram and arc a margin, so that models of more of them must win"
OTHER_TRAINING = "on generated data the CRF is trained on other sentences, while its rivals read the generator's scores"


def rival_claims(quality: SystemsRun, timed: SystemsRun, real: bool) -> list[Claim]:
    """Nothing of this can be told from generated sentences (not `real`)."""
    joint = [
        joint_beats(quality, timed, "joint-beats-subtree", quality.subtree, "Subtree", "the subtree deletion model"),
        joint_beats(quality, timed, "joint-beats-bigrams", BIGRAMS, "McDonald06", "McDonald's bigram model"),
    ]
    local = [crf_words(quality), crf_relations(quality)] if CRF in quality else []
    if real:
        return [*joint, *local]
    circular = [replace(claim, ruling=untestable(CIRCULAR)) for claim in joint]
    return [*circular, *(replace(claim, ruling=untestable(OTHER_TRAINING)) for claim in local)]


def joint_beats(run: SystemsRun, timed: SystemsRun, name: str, rival: str, published: str, spoken: str) -> Claim:
    """Both programs on all sentences. The third joint model, the ILP, has few; its differences there are told."""
    other, approximate = COMPRESSION[published], published_pair(run)[0]
    rulings, theirs, ours, ratios, why = [], [], [], [], []
    for paper, system in (("Ours (Approx)", approximate), ("Ours (Exact)", FAST_EXACT)):
        row = COMPRESSION[paper]
        gains = (row.unigram_f1 / other.unigram_f1, row.relation_f1 / other.relation_f1)
        pairs = [run.pairs(system, rival, measure) for measure in F1]
        found = [share(*pair) for pair in pairs]
        both = together(*(better(gain, each) for gain, each in zip(gains, found, strict=True)))
        rulings.append(at_similar_rates(both, share(*run.pairs(system, rival, RATE)), EQUAL_RATES))
        theirs.append(f"{row.unigram_f1:.3f} and {row.relation_f1:.3f} ({paper})")
        ours.append(f"{_means(run, system)} ({system})")
        ratios.append(f"relation F1 {ratio_text(found[1], gains[1])} ({paper})")
        why.append(f"{system}: {_differences(pairs)}")
    if JOINT_ILP in timed:
        few, every = timed.sentences(JOINT_ILP), run.sentences(rival)
        why.append(f"{JOINT_ILP}: {_differences([across(few, every, measure) for measure in F1])}")
    rates = ", ".join(f"{run.mean(each, RATE):.3f} ({each})" for each in (approximate, FAST_EXACT, rival))
    return Claim(
        name,
        WHERE,
        f"The joint models outperform {spoken} in unigram and relation F1.",
        f"unigram and relation F1 {', '.join(theirs)} against {other.unigram_f1:.3f} and {other.relation_f1:.3f}",
        f"{', '.join(ours)} against {_means(run, rival)} ({rival})",
        "; ".join(ratios),
        together(*rulings),
        f"{'. '.join(why)}. Rates: {rates}.",
    )


def _means(run: SystemsRun, system: str) -> str:
    return " and ".join(f"{run.mean(system, measure):.3f}" for measure in F1)


def _differences(pairs: Sequence[tuple[list[float], list[float]]]) -> str:
    """Of both F1 scores."""
    told = (
        f"{measure}: {difference_text(paired_bootstrap(*pair), 3) if pair[0] else 'nothing to compare'}"
        for measure, pair in zip(F1, pairs, strict=True)
    )
    return ", ".join(told)


def crf_words(run: SystemsRun) -> Claim:
    """Section 4.3 says no more than "high": Table 2 has McDonald's just below it, at a lower rate."""
    crf, bigrams = COMPRESSION["CRFs"], COMPRESSION["McDonald06"]
    pair = run.pairs(CRF, BIGRAMS, "unigram F1")
    published, found = crf.unigram_f1 / bigrams.unigram_f1, share(*pair)
    values = (f"{run.mean(each, 'unigram F1'):.3f} at a rate of {run.mean(each, RATE):.3f}" for each in (CRF, BIGRAMS))
    return Claim(
        "crf-high-unigram",
        "Section 4.3, Table 2",
        "CRFs achieve high unigram F1: as high as McDonald's bigram model.",
        f"{crf.unigram_f1:.3f} at a rate of {crf.rate:.2f}, McDonald06 {bigrams.unigram_f1:.3f} at a rate of {bigrams.rate:.2f}",
        ", McDonald06 ".join(values),
        ratio_text(found, published),
        at_similar_rates(kept(published, found), share(*run.pairs(CRF, BIGRAMS, RATE)), EQUAL_RATES),
        f"{CRF!r}: {difference_text(paired_bootstrap(*pair), 3)}." if pair[0] else "",
    )


def crf_relations(run: SystemsRun) -> Claim:
    crf, names = COMPRESSION["CRFs"], ("Subtree", "McDonald06", "Ours (Exact)")
    rivals = dict(zip(names, (run.subtree, BIGRAMS, FAST_EXACT), strict=True))
    pairs = {rival: run.pairs(rival, CRF, "relation F1") for rival in rivals.values()}
    found = {rival: paired_bootstrap(*pair) for rival, pair in pairs.items() if pair[0]}
    rulings = [
        at_similar_rates(higher(each), share(*run.pairs(rival, CRF, RATE)), EQUAL_RATES)
        for rival, each in found.items()
    ]
    closest = min(found, key=lambda rival: found[rival].difference, default="")
    others = ", ".join(f"{rival} {run.mean(rival, 'relation F1'):.3f}" for rival in rivals.values())
    rates = ", ".join(f"{run.mean(each, RATE):.3f} ({each})" for each in (CRF, *rivals.values()))
    return Claim(
        "crf-low-relations",
        "Section 4.3, Table 2",
        "CRFs achieve low syntactic F1, below that of the other systems.",
        f"{crf.relation_f1:.3f} ({', '.join(f'{name} {COMPRESSION[name].relation_f1:.3f}' for name in names)})",
        f"{run.mean(CRF, 'relation F1'):.3f} ({others})",
        ratio_text(share(*pairs[closest][::-1])) if closest else "",
        together(*rulings) if len(found) == len(rivals) else untestable("not all were run"),
        "; ".join(f"{rival} less {CRF!r}: {difference_text(each, 3)}" for rival, each in found.items())
        + f". Rates: {rates}.",
    )


def not_subtrees(flags: Sequence[bool], parser: str) -> Claim:
    """The share of gold compressions that are no subtrees of the source tree; `flags` tell of each whether it is none."""
    none, every = NO_SUBTREE
    found, published = proportion(sum(flags), len(flags)), none / every
    return Claim(
        "many-compressions-are-no-subtrees",
        "Section 1",
        "Many gold compressions are no subtrees of the source tree, so that subtree deletion cannot produce them.",
        f"{published:.1%} ({none} of {every} sentences, MSTParser)",
        f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}] ({sum(flags)} of {len(flags)} compressions)",
        f"{found.value / published:.2f} of the published share",
        at_least(found, HALF * published, f"at least {HALF * published:.1%}, half of the published share"),
        f"Trees: {parser}. Every word counts, also punctuation.",
    )
