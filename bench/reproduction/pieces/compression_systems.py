"""Systems of sentence compression in a run of the runner, read as Table 2 of Qian & Liu (2014) has them.

A system is a label of the run, or all labels that begin with its name and a colon ("SYSTEM: SOLVER"): the fastest of these counts
on each sentence. Its measures are those of what it kept, whether or not that has the wanted length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ...analysis.statistics.cells import best_known, current, reduce_cells
from ...analysis.statistics.ratios import SpeedUp, speed_up
from ...analysis.statistics.values import ratio_interval
from ...experiments.presentation import named_by
from ...records.frame import Records
from ..claims import Claim, difference_text, ratio_text, speed, times
from ..evidence import Evidence, paired_bootstrap, proportion, quickness, share
from ..published import COMPRESSION, NO_SUBTREE
from ..verdicts import HALF, REPRODUCED, Ruling, at_least, at_most, better, faster, kept, together, untestable

EXPERIMENT = "compression-systems"
MEASURES = ("compression rate", "unigram F1", "relation F1")
CELL = ["label", "instance_digest"]
HIT, MISSED = ("optimal",), ("infeasible",)  # statuses of a program that may keep another number of words
ANSWERED = (*HIT, "feasible", *MISSED)
BASELINE = "TM13, projective trees"
APPROXIMATE, EXACT = "Lagrangian, as published", "Exact, as published"
FAST_APPROXIMATE, FAST_EXACT = "Lagrangian, repaired", "Exact, fast"
PUBLISHED_SUBTREE = "Subtree with bigrams, ILP"
SUBTREE, BIGRAMS, CRF = "Subtree, DP", "McDonald06", "CRF, L likeliest words"


SYSTEMS = {  # rows of the table: our name, and that in the paper
    APPROXIMATE: "Ours (Approx)",
    "Lagrangian, no repair": "Ours (Approx)",
    FAST_APPROXIMATE: "Ours (Approx)",
    EXACT: "Ours (Exact)",
    FAST_EXACT: "Ours (Exact)",
    PUBLISHED_SUBTREE: "Subtree",
    "Subtree, ILP": "Subtree",
    SUBTREE: "Subtree",
    "TM13, any trees": "TM13",
    BASELINE: "TM13",
    BIGRAMS: "McDonald06",
    "CRF": "CRFs",
    CRF: "CRFs",
    "CRF, same average rate": "CRFs",
    "AD3": "",
    "AD3, branch and bound": "",
}


@dataclass(frozen=True)
class SystemsRun:
    """The cells of a run, reduced over repetitions; `measures` are by label and instance."""

    cells: pd.DataFrame
    best: Mapping[str, float]
    measures: pd.DataFrame

    @classmethod
    def of(cls, records: Records, measures: pd.DataFrame | None = None) -> SystemsRun:
        """`measures` are those of the records where none are given."""
        iterations = current(records).drop_duplicates(CELL).set_index(CELL)["iterations"]
        cells = reduce_cells(records).join(iterations.astype(float), on=CELL)
        return cls(
            cells[cells["status"] != "skipped"],
            best_known(records),
            recorded_measures(records) if measures is None else measures,
        )

    def sized(self, *sizes: str) -> SystemsRun:
        """The part on instances of these sizes."""
        return SystemsRun(self.cells[self.cells["size"].isin(sizes)], self.best, self.measures)

    def pattern(self, system: str) -> str:
        return system if system in set(self.cells["label"]) else f"{system}: *"

    def __contains__(self, system: str) -> bool:
        return bool(self._labels(system))

    def _labels(self, system: str) -> list[str]:
        """Of the solvers that the system is the fastest of."""
        return named_by(self.pattern(system), dict(zip(self.cells["label"], self.cells["solver"], strict=True)))

    def sentences(self, system: str) -> pd.DataFrame:
        """A row per sentence, of the system's fastest solver there: its cell with the measures, indexed by the instance's name."""
        own = self.cells[self.cells["label"].isin(self._labels(system))]
        fastest = own.sort_values(["ended", "runtime"], ascending=[False, True]).drop_duplicates("instance_digest")
        plain = fastest[[*CELL, "instance", "status", "ended", "runtime"]]
        return plain.join(self.measures, on=CELL).set_index("instance").sort_index()

    def pairs(self, first: str, second: str, measure: str) -> tuple[list[float], list[float]]:
        """A measure of two systems on the sentences that both have."""
        both = pd.DataFrame({name: self.sentences(name)[measure] for name in (first, second)}).dropna()
        return both[first].tolist(), both[second].tolist()

    def mean(self, system: str, measure: str) -> float:
        return float(self.sentences(system)[measure].mean())

    def speed_up(self, own: str, other: str) -> SpeedUp | None:
        """How many times faster the optimum is proved, on the sentences where both prove it or one is stopped by its limit."""
        return speed_up(self.cells, self.best, self.pattern(own), self.pattern(other), "optimal", everywhere=False)

    def whole(self) -> SystemsRun:
        """Without the systems that did not get all sentences: what is left may share a table."""
        counts = self.cells.groupby("label")["instance_digest"].nunique()
        return replace(self, cells=self.cells[self.cells["label"].map(counts) == counts.max()])

    def time_ratio(self, own: str, other: str, statuses: Sequence[str] = ANSWERED) -> SpeedUp | None:
        """The other's time over the own, over all sentences that the own ended with one of these statuses and the other ended.

        It says nothing without the measures of both: whoever tells it tells those too.
        """
        mine, theirs = self.sentences(own), self.sentences(other)
        mine, theirs = mine[mine["ended"] & mine["status"].isin(statuses)], theirs[theirs["ended"]]
        both = mine.index.intersection(theirs.index)
        if both.empty:
            return None
        times = ratio_interval(theirs.loc[both, "runtime"], mine.loc[both, "runtime"])
        return SpeedUp(times, "any", len(both), 0)

    def over_gurobi(self, own: str) -> SpeedUp | None:
        """The same against the paper's solver on the paper's program: trees of the same sentence that need not be projective."""
        digests = self.cells[self.cells["label"] == own].set_index("instance")["instance_digest"]
        theirs = self.cells[self.cells["label"] == GUROBI]
        sentences = theirs["instance"].str.replace("-nonprojective", "", regex=False)
        theirs = theirs.assign(instance_digest=sentences.map(digests)).dropna(subset="instance_digest")
        cells = pd.concat([self.cells[self.cells["label"] == own], theirs], ignore_index=True)
        return speed_up(cells, self.best, own, GUROBI, "optimal", everywhere=False)


def recorded_measures(records: Records) -> pd.DataFrame:
    """What the runner measured, by label and instance."""
    cells = current(records).drop_duplicates(CELL).set_index(CELL)
    return cells.reindex(columns=[f"metrics.{name}" for name in MEASURES]).set_axis(list(MEASURES), axis=1)


WHERE = "Table 2"
RATE, *F1 = MEASURES
EQUAL_RATES = 0.05  # of the rate
GUROBI = "TM13, any trees: ilp-gurobi"
NO_ADVANTAGE = 2.0  # times as fast: less than that is no significant advantage
EQUALS = "Of sentences where both prove the optimum: elsewhere the approximate program keeps another number of words."


def compression_claims(quality: SystemsRun, timed: SystemsRun | None = None) -> list[Claim]:
    """`timed` is the run on the sentences that ILP solvers had too, where that is another one."""
    timed = quality if timed is None else timed
    subtree = PUBLISHED_SUBTREE if PUBLISHED_SUBTREE in quality else SUBTREE
    claims = [
        against_ilp(
            timed,
            "lagrangian-ten-times-faster-than-ilp",
            "The approximate program is about 10 times faster than the ILP of Thadani & McKeown.",
            "Ours (Approx)",
            (APPROXIMATE, FAST_APPROXIMATE),
        ),
        against_ilp(
            timed,
            "exact-not-faster-than-ilp",
            "The exact O(n^6) program shows no significant advantage in speed over the ILP.",
            "Ours (Exact)",
            (EXACT, FAST_EXACT),
        ),
        approximation_against_exact(quality if APPROXIMATE in quality else timed),
        approximation_keeps_f1(quality),
        joint_beats(quality, "joint-beats-subtree", subtree, "Subtree", "the subtree deletion model"),
        joint_beats(quality, "joint-beats-bigrams", BIGRAMS, "McDonald06", "McDonald's bigram model"),
    ]
    return [*claims, crf_is_local(quality)] if CRF in quality else claims


def against_ilp(run: SystemsRun, name: str, text: str, published: str, programs: tuple[str, str]) -> Claim:
    """A program's speed-up over the ILP of Thadani & McKeown: Gurobi's on any trees, the fastest of ours on projective ones."""
    paper, ilp = COMPRESSION[published].seconds, COMPRESSION["TM13"].seconds
    gurobi = run.over_gurobi(programs[0])
    ours = [run.speed_up(program, BASELINE) for program in programs]
    fitting, sentences = run.cells["label"].eq(GUROBI).sum(), len(run.sentences(programs[0]))
    fits = f"Gurobi's licence ends at 2,000 rows: {fitting} of {sentences} sentences fit, the shorter ones."
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


def published_pair(run: SystemsRun) -> tuple[str, str]:
    """The approximate and the exact program: as published where they were run, else ours."""
    approximate = APPROXIMATE if APPROXIMATE in run else "Lagrangian, no repair"
    return approximate, EXACT if EXACT in run else FAST_EXACT


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
        together(ruling, _same_rate(rates)),
        f"It misses the length on {(statuses == 'infeasible').sum()} of {len(statuses)} sentences, where it is scored as it is. "
        f"Rates {run.mean(approximate, RATE):.3f} and {run.mean(reference, RATE):.3f}: {ratio_text(rates)}.",
    )


def _same_rate(rates: Evidence) -> Ruling:
    """F1 can be compared at equal rates only; elsewhere nothing can be said of it."""
    rule = f"rates within {EQUAL_RATES:.0%} of each other"
    found = together(at_least(rates, 1.0 - EQUAL_RATES, rule), at_most(rates, 1.0 + EQUAL_RATES, rule))
    return found if found.verdict == REPRODUCED else untestable(rule)


def joint_beats(run: SystemsRun, name: str, rival: str, published: str, spoken: str) -> Claim:
    paper, other = COMPRESSION["Ours (Exact)"], COMPRESSION[published]
    pairs = {measure: run.pairs(FAST_EXACT, rival, measure) for measure in F1}
    found = {measure: share(*pair) for measure, pair in pairs.items()}
    gains = dict(zip(F1, (paper.unigram_f1 / other.unigram_f1, paper.relation_f1 / other.relation_f1), strict=True))
    return Claim(
        name,
        WHERE,
        f"The joint models outperform {spoken} in unigram and relation F1.",
        f"unigram F1 {paper.unigram_f1} against {other.unigram_f1}, relation F1 {paper.relation_f1} against {other.relation_f1}",
        ", ".join(
            f"{measure} {run.mean(FAST_EXACT, measure):.3f} against {run.mean(rival, measure):.3f}" for measure in F1
        ),
        f"relation F1 {ratio_text(found['relation F1'], gains['relation F1'])}",
        together(*(better(gains[measure], each) for measure, each in found.items())),
        "; ".join(f"{measure}: {difference_text(paired_bootstrap(*pair), 3)}" for measure, pair in pairs.items()),
    )


def crf_is_local(run: SystemsRun) -> Claim:
    """At the same lengths, as the paper has it: its unigram F1 is above McDonald's, its relation F1 below everybody's."""
    crf, bigrams = COMPRESSION["CRFs"], COMPRESSION["McDonald06"]
    unigram = run.pairs(CRF, BIGRAMS, "unigram F1")
    lower = {rival: run.pairs(rival, CRF, "relation F1") for rival in (SUBTREE, BIGRAMS, FAST_EXACT)}
    gain = share(*unigram)
    rulings = [better(crf.unigram_f1 / bigrams.unigram_f1, gain)]
    rulings += [
        better(COMPRESSION[SYSTEMS[rival]].relation_f1 / crf.relation_f1, share(*pair)) for rival, pair in lower.items()
    ]
    others = ", ".join(f"{rival} {run.mean(rival, 'relation F1'):.3f}" for rival in lower)
    return Claim(
        "crf-high-unigram-low-relation",
        WHERE,
        "CRFs achieve high unigram F1 but the lowest relation F1.",
        f"unigram F1 {crf.unigram_f1:.3f} (McDonald06 {bigrams.unigram_f1:.3f}), relation F1 {crf.relation_f1:.3f}, the lowest of all",
        f"unigram F1 {run.mean(CRF, 'unigram F1'):.3f} (McDonald06 {run.mean(BIGRAMS, 'unigram F1'):.3f}), "
        f"relation F1 {run.mean(CRF, 'relation F1'):.3f} ({others})",
        f"unigram F1 {ratio_text(gain, crf.unigram_f1 / bigrams.unigram_f1)}",
        together(*rulings),
        f"unigram F1 above McDonald06's: {difference_text(paired_bootstrap(*unigram), 3)}; "
        + "; ".join(
            f"relation F1 below {rival}'s: {difference_text(paired_bootstrap(*pair), 3)}"
            for rival, pair in lower.items()
        ),
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
