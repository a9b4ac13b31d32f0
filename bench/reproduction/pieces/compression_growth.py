"""What Qian & Liu (2014) say of complexity, and of the joint model of Thadani & McKeown (2013), judged from the cells of Table 2."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import numpy as np
import pandas as pd

from ..claims import Claim, ratio_text
from ..evidence import power as power_of
from ..evidence import proportion, share
from ..published import COMPRESSION
from ..verdicts import at_most, equal_on_all, kept, together
from .compression_systems import APPROXIMATE, BASELINE, EXACT, F1, FAST_EXACT, JOINT_ILP, WHERE, SystemsRun, across

TOLERANCE = 0.3  # of a measured exponent above the theoretical one
POWERS = {EXACT: 6, APPROXIMATE: 4}
TEXTS = {
    EXACT: "The exact program requires O(n^6) time.",
    APPROXIMATE: "The approximate program requires O(n^4) time in each of its T iterations.",
}
SAME_OPTIMUM = 1e-6  # relative: what solvers prove


def growth_claims(quality: SystemsRun) -> list[Claim]:
    return [complexity(quality, system) for system in (EXACT, APPROXIMATE)]


def complexity(run: SystemsRun, system: str) -> Claim:
    """The power of the sentence length in the time of a sentence, of the approximate program in the time of an iteration."""
    power, name = POWERS[system], f"{'exact' if system == EXACT else 'approximate'}-complexity"
    claim = Claim(name, "Section 3", TEXTS[system], f"n^{power}, worst case")
    own = run.cells[(run.cells["label"] == system) & run.cells["ended"].astype(bool)]
    each = own["runtime"] / own["iterations"].clip(lower=1) if system == APPROXIMATE else own["runtime"]
    found = power_of(own["length"].tolist(), each.tolist())
    if found is None:
        return claim
    lengths = f"{own['length'].min():.0f} to {own['length'].max():.0f} words"
    told = f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"
    return replace(
        claim,
        ours=f"n^{told} over {len(own)} sentences of {lengths}",
        ratio=told,
        ruling=at_most(found, power + TOLERANCE, f"a power of at most {power + TOLERANCE:g}"),
    )


def same_model_claims(timed: SystemsRun) -> list[Claim]:
    return [same_accuracy(timed), same_optimum(timed)]


def same_accuracy(timed: SystemsRun) -> Claim:
    """The ILP solves the same problem but for projectivity: F1 of our exact program over its, sentence by sentence."""
    paper, other = COMPRESSION["Ours (Exact)"], COMPRESSION["TM13"]
    published = dict(zip(F1, (paper.unigram_f1 / other.unigram_f1, paper.relation_f1 / other.relation_f1), strict=True))
    claim = Claim(
        "exact-as-accurate-as-ilp",
        WHERE,
        "The exact program, which finds projective trees only, is as accurate as the ILP of Thadani & McKeown.",
        f"unigram F1 {paper.unigram_f1} and {other.unigram_f1}, relation F1 {paper.relation_f1} and {other.relation_f1}",
    )
    if JOINT_ILP not in timed or FAST_EXACT not in timed:
        return claim
    mine, theirs = timed.sentences(FAST_EXACT), timed.sentences(JOINT_ILP)
    pairs = {name: across(mine, theirs, name) for name in published}
    found = {name: share(*pair) for name, pair in pairs.items()}
    same = np.all([np.equal(one, other) for one, other in pairs.values()], axis=0)
    if not len(same):
        return claim
    rulings = (
        equal_on_all(each.items, each.items) if each.same_answers else kept(published[name], each)
        for name, each in found.items()
    )
    return replace(
        claim,
        ours=", ".join(f"{name} {fmean(one):.3f} and {fmean(other):.3f}" for name, (one, other) in pairs.items()),
        ratio=" and ".join(ratio_text(each, published[name]) for name, each in found.items()),
        ruling=together(*rulings),
        why=f"On the {len(same)} sentences that an ILP solver ended, {int(same.sum())} with the same F1.",
    )


def same_optimum(timed: SystemsRun) -> Claim:
    """Of projective trees both solve the same problem, so that the optima have to be equal."""
    claim = Claim(
        "exact-program-is-exact",
        "Abstract, Section 3.2",
        "The O(n^6) program is exact: on projective trees it finds the ILP's optimum.",
        "exact (a proof)",
    )
    cells = timed.cells[timed.cells["status"] == "optimal"]
    ilp = cells["label"].str.startswith(f"{BASELINE}: ")
    mine, theirs = (cells[own].groupby("instance_digest")["objective"].max() for own in (cells["label"] == EXACT, ilp))
    both = pd.DataFrame({"mine": mine, "theirs": theirs}).dropna()
    if both.empty:
        return claim
    equal = int(np.isclose(both["mine"], both["theirs"], rtol=SAME_OPTIMUM, atol=SAME_OPTIMUM).sum())
    part = proportion(equal, len(both))
    return replace(
        claim,
        ours=f"equal optima on {equal} of {len(both)} sentences",
        ratio=f"{part.value:.0%} [{part.low:.0%}, {part.high:.0%}]",
        ruling=equal_on_all(equal, len(both)),
        why="The program as published, on the sentences of which both prove the optimum.",
    )
