"""Yao et al.'s tables and claims from records made by hand, and from a small run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench.analysis.statistics.ratios import SpeedUp
from bench.analysis.statistics.values import Interval, mean_interval
from bench.experiments.experiment import read_experiment
from bench.learning.transduction.systems import SYSTEMS
from bench.records.frame import make_frame
from bench.reproduction.claims import Claim
from bench.reproduction.context import Context
from bench.reproduction.pieces import transduction_systems
from bench.reproduction.pieces.sentence_views import transduction_view
from bench.reproduction.pieces.transduction import (
    controlled,
    make_table2,
    make_table4,
    marks,
    quickly,
    ratings,
    system_row,
)
from bench.reproduction.pieces.transduction_checks import (
    NAMES,
    QUESTIONS,
    STRONG_DUAL,
    checks_table,
    variant_settings,
    variant_solvers,
)
from bench.reproduction.pieces.transduction_claims import transduction_claims
from bench.reproduction.pieces.transduction_systems import (
    BEAM,
    BIGRAM_MODEL,
    DISCRIMINATIVE,
    DISCRIMINATIVE_SYSTEM,
    EXPERIMENT,
    JOINT_TABLE,
    LANGUAGE_MODEL,
    LM_SYSTEM,
    PURE,
    RERANKER,
    TransductionRun,
    transduction_run,
)
from bench.reproduction.published import TRANSDUCTION
from bench.reproduction.verdicts import NOT_REPRODUCED, OPPOSITE, REPRODUCED, UNTESTABLE
from solvers.subgradient import ALGORITHM_1

RELATIONS = {DISCRIMINATIVE: 0.52, RERANKER: 0.58, PURE: 0.52, BEAM: 0.58, LM_SYSTEM: 0.60, DISCRIMINATIVE_SYSTEM: 0.62}


def as_fast(low: float, high: float, pairs: int = 6) -> SpeedUp:
    return SpeedUp(Interval((low + high) / 2, low, high), 0.01, pairs, 0)


def made_run(
    relations: dict[str, float],
    speed: SpeedUp | None,
    sentences: int = 6,
    rates: dict[str, float] | None = None,
    kept: dict[str, int] | None = None,
    table: SpeedUp | None = None,
) -> TransductionRun:
    """Relation F1 goes up and down between systems by a little; without that no interval has a width. `kept`: how many words of all."""
    rows = []
    for place, (label, relation) in enumerate(relations.items()):
        for number in range(sentences):
            other = 1 if label == BEAM and number == 0 else 0
            rows.append(
                {
                    "label": label,
                    "sentence": number,
                    "relation F1": relation + number / 50 + 0.002 * (-1) ** (number + place),
                    "compression rate": (rates or {}).get(label, 0.7) + 0.001 * (-1) ** (number + place),
                    "kept": tuple(range((kept or {}).get(label, 5) + other)),
                    "seconds": 0.001,
                }
            )
    frame = pd.DataFrame(rows).set_index(["label", "sentence"])
    return TransductionRun(frame, {}, speed, table)


def claims_of(run: TransductionRun) -> dict[str, Claim]:
    return {claim.name: claim for claim in transduction_claims(run)}


NAMES_OF_QUALITY = [
    "dual-beats-beam",
    "dual-beats-others",
    "discriminative-beats-lm",
    "joint-beats-parts",
    "joint-beats-reranker",
]
DIFFERENT = {PURE: 6}  # pure transduction keeps another number of words, so that the language model does something


def test_claims_hold_and_fail() -> None:
    found = claims_of(
        made_run({**RELATIONS, JOINT_TABLE: 0.62}, as_fast(0.6, 0.9), kept=DIFFERENT, table=as_fast(5.0, 7.0))
    )
    assert list(found)[:5] == NAMES_OF_QUALITY
    assert [found[name].verdict for name in NAMES_OF_QUALITY] == [REPRODUCED] * 5
    last = ["rates-like-beam", "time-like-beam", "one-table-impractical", "human-ratings"]
    verdicts = [REPRODUCED, UNTESTABLE, REPRODUCED, UNTESTABLE]
    assert [(name, found[name].verdict) for name in list(found)[5:]] == list(zip(last, verdicts, strict=True))
    beam = found["dual-beats-beam"]
    assert beam.ratio.endswith("(paper 1.029)")
    assert beam.published == "relation F1 60.5 against 58.8 (Written), 61.5 against 59.5 (Spoken)"
    assert beam.why.startswith(f"against {BEAM}: difference +2.00 [")
    assert beam.why.endswith("In the paper this difference is not significant (no †), on either corpus.")
    assert found["time-like-beam"].ours == "0.750x [0.600, 0.900] as fast, decoding 6 sentences"
    other = {**RELATIONS, JOINT_TABLE: 0.62, BEAM: 0.60, DISCRIMINATIVE: 0.63, RERANKER: 0.64}
    run = made_run(other, as_fast(0.2, 0.4), rates={BEAM: 0.6}, kept=DIFFERENT, table=as_fast(0.1, 0.2))
    failed = claims_of(run)
    assert [failed[name].verdict for name in NAMES_OF_QUALITY] == [
        *(NOT_REPRODUCED, OPPOSITE, REPRODUCED, OPPOSITE, OPPOSITE)
    ]
    assert failed["rates-like-beam"].verdict == NOT_REPRODUCED
    assert failed["one-table-impractical"].verdict == OPPOSITE  # the table is faster
    few = claims_of(made_run(RELATIONS, None, sentences=4))
    assert {claim.verdict for claim in few.values()} == {UNTESTABLE}


def test_decoders_that_answer_alike_are_not_judged() -> None:
    run = made_run({**RELATIONS, BEAM: RELATIONS[LM_SYSTEM]}, None)
    assert claims_of(run)["dual-beats-beam"].verdict == NOT_REPRODUCED  # one sentence differs
    alike = run.sentences.copy()
    alike["kept"] = [(0, 1)] * len(alike)
    alike["compression rate"] = 0.7
    found = claims_of(replace(run, sentences=alike))
    assert found["dual-beats-beam"].verdict == UNTESTABLE
    same = "both decoders keep the same words of all 6 sentences at these weights"
    assert found["dual-beats-beam"].ruling.rule == same
    assert found["rates-like-beam"].verdict == UNTESTABLE
    assert found["rates-like-beam"].ruling.rule.endswith("both give the same answer on every item")


@pytest.mark.parametrize(("rate", "verdict"), [(0.7, REPRODUCED), (0.71, REPRODUCED), (0.75, UNTESTABLE)])
def test_systems_of_other_rates_are_judged_at_equal_lengths(rate: float, verdict: str) -> None:
    """Here no sentence has equal lengths: within 2 % of the rate all count, beyond it none."""
    claim = claims_of(made_run(RELATIONS, None, rates={RERANKER: rate}, kept={RERANKER: 4}))["joint-beats-reranker"]
    assert claim.verdict == verdict
    assert claim.ours.endswith(f"against 63.0 ({100 * rate:.1f} %)")
    assert "at equal lengths no sentence" in claim.why
    assert ("more than 2% apart, so that equal lengths decide" in claim.why) == (verdict == UNTESTABLE)


def test_at_equal_lengths_only_these_sentences_count() -> None:
    """The joint model loses where both keep as many words, and wins where it keeps more."""
    run = made_run(RELATIONS, None, sentences=12, rates={RERANKER: 0.6}, kept={RERANKER: 5})
    changed = run.sentences.copy()
    for number in range(12):
        there = (DISCRIMINATIVE_SYSTEM, number)
        more = number < 6
        changed.at[there, "kept"] = tuple(range(9 if more else 5))
        changed.loc[there, "relation F1"] += 0.3 if more else -0.2
    claim = claims_of(replace(run, sentences=changed))["joint-beats-reranker"]
    assert claim.verdict == OPPOSITE
    assert "at equal lengths difference -16.00" in claim.why
    assert "over 6 items" in claim.why


@pytest.mark.parametrize(("same", "verdict"), [(19, UNTESTABLE), (18, REPRODUCED)])
def test_a_language_model_that_changes_nothing_cannot_be_beaten(same: int, verdict: str) -> None:
    """On 95 % of the sentences it keeps the words of pure transduction."""
    run = made_run(RELATIONS, None, sentences=20)
    changed = run.sentences.copy()
    for number in range(same, 20):
        changed.at[(PURE, number), "kept"] = (7, 8, 9)
    strong = changed.loc[[LM_SYSTEM]].rename(index={LM_SYSTEM: STRONG_DUAL})
    strong["relation F1"] -= 0.1
    claim = claims_of(replace(run, sentences=changed, variants=strong))["discriminative-beats-lm"]
    assert claim.verdict == verdict
    told = f"keeps the same words as {PURE} in 19 of 20 sentences (95.0%)"
    assert (told in claim.ruling.rule) == (verdict == UNTESTABLE)
    assert (
        "Against strong LM (Dual Decomp.), where n-grams count ten times as much: difference +12." in claim.why
    ) == (verdict == UNTESTABLE)


def test_the_joint_table_is_raced_on_sentences_of_which_both_prove_the_optimum() -> None:
    rows = []
    for number in range(6):
        proved = "optimal" if number < 5 else "feasible"
        rows.append(record(DISCRIMINATIVE_SYSTEM, BIGRAM_MODEL, number, -1.0, 0, 0.008) | {"status": proved})
        rows.append(record(JOINT_TABLE, BIGRAM_MODEL, number, -1.0, 0, 0.002) | {"status": "optimal"})
    solvers = [{"label": label} for label in (DISCRIMINATIVE_SYSTEM, JOINT_TABLE)]
    found = transduction_run(make_frame(rows, experiment={"solvers": solvers})).table_speed_up
    assert found is not None
    assert (found.pairs, found.times.value) == (5, pytest.approx(0.25))


def test_relations_at_equal_lengths() -> None:
    """Beam search keeps another number of words of the first sentence."""
    rows = {(row[0], row[1]): row[2:] for row in controlled(made_run(RELATIONS, None)).rows if row}
    assert rows[LM_SYSTEM, BEAM][0] == "5/6"
    assert rows[LM_SYSTEM, PURE][0] == "6/6"
    assert rows[LM_SYSTEM, PURE][3].startswith("difference +8.0")
    assert (LM_SYSTEM, LM_SYSTEM) not in rows


def test_tables_1_to_3_are_the_papers() -> None:
    found = made_run(RELATIONS, None)
    view = transduction_view(found, {PURE: "†"}, 0.71, [])
    rows = {row.name: row for row in view.rows}
    assert list(rows) == list(TRANSDUCTION)
    assert [each.text for each in rows[PURE].published] == ["72.6", "52.3†*", "73.6", "53.8†*"]
    assert [each.text for each in rows[PURE].ours] == ["70.0", "57.0†", "", ""]
    assert [each.text for each in rows["Gold-Standard"].ours] == ["71.0", "100.0", "", ""]
    human = {row[0]: row[1:] for row in ratings().rows}
    assert human["T3+LM (Beam Search)"] == ["4.22†*", "3.69*", "73.0", "4.20*", "3.78*", "75.0"]
    assert human["Gold-Standard"] == ["4.89", "4.76", "72.9", "4.83", "4.80", "73.1"]


def test_marks_are_holms_over_the_declared_family() -> None:
    rng = np.random.default_rng(0)
    base = rng.random(200)
    noise = rng.normal(0, 0.01, size=(3, 200))
    relations = {
        "worse than both": base - 0.5 + noise[0],
        LM_SYSTEM: base,
        DISCRIMINATIVE_SYSTEM: base + 0.001 * noise[1],
        "equal": base.copy(),
        "better than both": base + 0.5 + noise[2],
    }
    found = marks(pd.DataFrame(relations))
    assert found == {
        "worse than both": "†*",
        LM_SYSTEM: "",
        DISCRIMINATIVE_SYSTEM: "",
        "equal": "",
        "better than both": "†*",
    }


def test_a_p_value_that_only_survives_alone_gets_no_mark() -> None:
    """p = 0.008 alone, but there are five tests in the family of four systems."""
    rng = np.random.default_rng(3)
    base, noise = rng.random(100), rng.normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    shifted = base + noise + 0.271  # t = 2.71
    relations = {LM_SYSTEM: base, DISCRIMINATIVE_SYSTEM: base.copy(), "a": shifted, "b": base.copy()}
    assert set(marks(pd.DataFrame(relations)).values()) == {""}


def record(label: str, size: str, number: int, objective: float, repetition: int = 0, seconds: float = 0.002) -> dict:
    return {
        "key": f"{label}-{number}-{repetition}",
        "task": "transduction",
        "size": size,
        "instance": f"{size}-{number}",
        "instance_digest": f"{size}-{number}",
        "solver": label,
        "label": label,
        "repetition": repetition,
        "status": "feasible",
        "objective": objective,
        "cpu_seconds": seconds,
        "metrics": {"relation F1": 0.5 + number / 10, "compression rate": 0.7},
        "structure": [[1, number + 2], []],
        "audit": "ok",
        "limits": {"seconds": 10.0},
    }


def test_sentences_are_paired_by_number_and_times_are_of_equals() -> None:
    rows = [
        record(LM_SYSTEM, LANGUAGE_MODEL, number, -1.0, repetition, seconds)
        for number in (10, 2, 3)
        for repetition, seconds in enumerate((0.9, 0.002, 0.001))
    ]
    rows += [
        record(BEAM, LANGUAGE_MODEL, number, value, 0, 0.006) for number, value in ((2, -1.0), (3, -2.0), (10, -1.0))
    ]
    rows.append(record(DISCRIMINATIVE, "discriminative alone", 3, -1.0))
    solvers = [{"label": label} for label in (DISCRIMINATIVE, BEAM, LM_SYSTEM)]
    found = transduction_run(make_frame(rows, experiment={"solvers": solvers}))
    assert found.systems == [DISCRIMINATIVE, BEAM, LM_SYSTEM]
    assert list(found.table("relation F1").index) == [2, 3, 10]
    assert found.table("kept").loc[10, LM_SYSTEM] == (1, 12)
    assert found.sentences.loc[(LM_SYSTEM, 2), "seconds"] == 0.002  # the median of its repetitions
    assert found.beam_speed_up is not None
    assert found.beam_speed_up.pairs == 2  # the beam is far from the best on sentence 3
    assert found.beam_speed_up.times.value == pytest.approx(3.0)


def test_the_experiment_has_the_papers_systems_and_algorithm() -> None:
    experiment = read_experiment(EXPERIMENT)
    labels = {spec.label: spec for spec in experiment.solvers}
    assert set(TRANSDUCTION) - {"Gold-Standard"} <= set(labels)
    assert labels[LM_SYSTEM].options == labels[DISCRIMINATIVE_SYSTEM].options == ALGORITHM_1
    assert labels[LM_SYSTEM].sizes == labels[BEAM].sizes == (LANGUAGE_MODEL,)
    assert experiment.source.sizes == list(transduction_systems.SETTINGS)
    learned = {system.name: system for system in SYSTEMS}
    for label, spec in labels.items():
        (size,) = spec.sizes
        if label in learned and size != f"{LANGUAGE_MODEL}, fixed length":
            assert (spec.name, transduction_systems.SETTINGS[size][0]) == (
                learned[label].solver,
                learned[label].setting,
            )
    quick = quickly(experiment)
    assert (quick.source.count, quick.repetitions) == (8 * 5, 1)


@pytest.mark.slow  # the reranker is trained
def test_both_pieces_come_from_one_run(tmp_path: Path) -> None:
    context = Context(tmp_path, quick=True)
    outcome = make_table2(context)
    rows = {row[0]: row[1:] for row in outcome.tables["table"].rows}
    assert set(TRANSDUCTION) <= set(rows)
    for name, (rate, relation, *_) in rows.items():
        assert 0 < float(rate) <= 100
        assert 0 <= float(relation.rstrip("†*")) <= 100
        assert name == "Gold-Standard" or rows[name][5].endswith("]")  # a time has an interval
    assert rows["T3+LM, exact"][4] == rows["T3+Discr., exact"][4] == "8"
    records = tmp_path / "runs" / EXPERIMENT / "records.jsonl"
    before = records.read_bytes()
    shown = make_table4(context)
    assert records.read_bytes() == before
    assert [row[0] for row in shown.tables["table"].rows] == ["Original", *rows]
    assert len(shown.passages) == 2 * len(rows)
    kept = {passage.title: sum(flag for _, flag in passage.lines[0]) for passage in shown.passages}
    for row in shown.tables["table"].rows[1:]:
        assert [kept[f"Sentence {number}, {row[0]}"] for number in (1, 2)] == [int(text) for text in row[1:]]


def test_rows_of_learned_systems_have_an_interval_of_relation_f1() -> None:
    measures = {"compression rate": 0.5, "unigram F1": 0.7, "exact match": 0.0, "status": "optimal", "seconds": 0.01}
    sentences = pd.DataFrame([{"relation F1": value, **measures} for value in (0.4, 0.5, 0.9)])
    plain, learned = (system_row(sentences, LM_SYSTEM, "†", interval) for interval in (False, True))
    _, low, high = mean_interval([40.0, 50.0, 90.0])
    assert learned[2:4] == ["60.0†", f"[{low:.1f}, {high:.1f}]"]
    assert [*learned[:3], *learned[4:]] == plain
    assert system_row(sentences[:1], LM_SYSTEM, "", True)[3] == ""


def test_checks_are_paired_differences_of_the_systems_that_are_there() -> None:
    relations = {"Pure Tree-Transduction": [0.5, 0.7, 0.9], "T3, untrained": [0.4, 0.6, None], BEAM: [0.5, 0.7, 0.9]}
    rows = [
        {"label": label, "sentence": number, "relation F1": value, "compression rate": 0.5, "kept": (1, number)}
        for label, values in relations.items()
        for number, value in enumerate(values)
    ]
    table = checks_table(pd.DataFrame(rows).set_index(["label", "sentence"]))
    found = {tuple(row[:3]): row[3:] for row in table.rows if row}
    assert list(found) == [
        ("training", "Pure Tree-Transduction", "T3, untrained"),
        ("n-grams", BEAM, "Pure Tree-Transduction"),
    ]
    means, text, same = found["training", "Pure Tree-Transduction", "T3, untrained"][:2], table.rows[0][5], "2/2"
    assert means == ["60.0", "50.0"]
    assert text == "+10.0 [+10.0, +10.0]"
    assert table.rows[0][-1] == same


def test_every_variant_of_the_checks_is_run_on_its_own_scores() -> None:
    everything = {"trigram, strong", "rules alone, untrained", "no rules", "no rules, untrained"}
    specs = {spec.label: spec for spec in variant_solvers(everything)}
    assert set(specs) == set(NAMES)
    compared = {name for pairs in QUESTIONS.values() for pair in pairs for name in pair}
    assert set(NAMES) <= compared
    assert {size for spec in specs.values() for size in spec.sizes} == everything == set(variant_settings(everything))
    assert specs["strong LM (Dual Decomp.)"].options == ALGORITHM_1
    assert specs["strong LM, exact"].options == {}
    assert variant_solvers({"rules alone"}) == []
