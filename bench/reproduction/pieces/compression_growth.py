"""What Qian & Liu (2014) say of complexity, and of the joint model of Thadani & McKeown (2013), judged from the cells of Table 2."""

from __future__ import annotations

from math import log

import numpy as np
import pandas as pd

from ...analysis.growth import fit_power_law
from ..claims import Claim, ratio_text
from ..evidence import RERUN, Evidence, share
from ..published import COMPRESSION
from ..verdicts import at_most, kept, together
from .compression_systems import APPROXIMATE, EXACT, FAST_EXACT, WHERE, SystemsRun

TOLERANCE = 0.3  # of a measured exponent above the theoretical one
SPAN = 2.0  # the longest sentence over the shortest: no exponent can be told from less
POWERS = {EXACT: 6, APPROXIMATE: 4}
TEXTS = {
    EXACT: "The exact program requires O(n^6) time.",
    APPROXIMATE: "The approximate program requires O(n^4) time in each of its T iterations.",
}
JOINT_ILP = "TM13, any trees"


def growth_claims(quality: SystemsRun) -> list[Claim]:
    return [complexity(quality, system) for system in (EXACT, APPROXIMATE)]


def complexity(run: SystemsRun, system: str) -> Claim:
    """The power of the sentence length in the time of a sentence, of the approximate program in the time of an iteration."""
    power, name = POWERS[system], f"{'exact' if system == EXACT else 'approximate'}-complexity"
    claim = Claim(name, "Section 3", TEXTS[system], f"n^{power}, worst case")
    own = run.cells[(run.cells["label"] == system) & run.cells["ended"].astype(bool)]
    each = own["runtime"] / own["iterations"].clip(lower=1) if system == APPROXIMATE else own["runtime"]
    law = fit_power_law(own["length"].to_numpy(float), each.to_numpy(float))
    span = float(own["length"].max() / own["length"].min()) if len(own) else 1.0
    if law is None or span < SPAN:
        return claim
    found = Evidence(law.exponent, law.low, law.high, len(own)).widened(spread=RERUN / log(span))
    rule = f"a power of at most {power + TOLERANCE:g}"
    lengths = f"{own['length'].min():.0f} to {own['length'].max():.0f} words"
    told = f"n^{law} over {len(own)} sentences of {lengths}"
    return Claim(
        name, "Section 3", TEXTS[system], claim.published, told, str(law), at_most(found, power + TOLERANCE, rule)
    )


def same_model_claim(timed: SystemsRun) -> Claim:
    """The ILP solves the same problem but for projectivity: F1 of our exact program over its, sentence by sentence."""
    paper, other = COMPRESSION["Ours (Exact)"], COMPRESSION["TM13"]
    published = {
        "unigram F1": paper.unigram_f1 / other.unigram_f1,
        "relation F1": paper.relation_f1 / other.relation_f1,
    }
    claim = Claim(
        "exact-as-accurate-as-ilp",
        WHERE,
        "The exact program, which finds projective trees only, is as accurate as the ILP of Thadani & McKeown.",
        f"unigram F1 {paper.unigram_f1} and {other.unigram_f1}, relation F1 {paper.relation_f1} and {other.relation_f1}",
    )
    if JOINT_ILP not in timed or FAST_EXACT not in timed:
        return claim
    mine, theirs = timed.sentences(FAST_EXACT), timed.sentences(JOINT_ILP)
    mine, theirs = (_by_sentence(each) for each in (mine, theirs[theirs["ended"].astype(bool)]))
    shared = mine.index.intersection(theirs.index)
    found = {name: share(mine.loc[shared, name].tolist(), theirs.loc[shared, name].tolist()) for name in published}
    if not len(shared) or any(np.isnan(each.value) for each in found.values()):
        return claim
    return Claim(
        claim.name,
        claim.where,
        claim.text,
        claim.published,
        ", ".join(
            f"{name} {mine.loc[shared, name].mean():.3f} and {theirs.loc[shared, name].mean():.3f}" for name in found
        ),
        " and ".join(ratio_text(each, published[name]) for name, each in found.items()),
        together(*(kept(published[name], each) for name, each in found.items())),
        f"On the {len(shared)} sentences that an ILP solver ended.",
    )


def _by_sentence(sentences: pd.DataFrame) -> pd.DataFrame:
    """By the sentence's name without what says that its trees need not be projective."""
    names = sentences.index.str.replace("-nonprojective", "", regex=False).str.replace(
        "any trees: ", "part: ", regex=False
    )
    return sentences.set_axis(names)
