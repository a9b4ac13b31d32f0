"""The profiles of decoders: clocks count exclusively and leave no trace; the study runs (on short sentences)."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bench.learning.loop import SILENT
from bench.learning.parsing.training import Training
from bench.studies import decoder_profiles, profiled_decoders
from bench.studies.profiled_decoders import DECODERS
from problems.compression.generate import generate_planted
from solvers import get_solver


def burn(seconds: float) -> None:
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass


def outer() -> str:
    burn(0.02)
    return inner()


def inner() -> str:
    burn(0.04)
    return "done"


def test_time_counts_for_the_innermost_phase_and_functions_come_back() -> None:
    before = outer, inner
    with profiled_decoders.clocked({"outside": (f"{__name__}:outer",), "inside": (f"{__name__}:inner",)}) as clock:
        assert outer() == "done"
        burn(0.01)
        found = clock.stop()
    assert (outer, inner) == before
    assert set(found) == {"outside", "inside", profiled_decoders.REST}
    assert found["outside"] >= 0.02
    assert found["inside"] >= 0.04
    assert found[profiled_decoders.REST] >= 0.01


def test_a_phase_ends_with_an_exception_and_unknown_names_are_left_out() -> None:
    def broken() -> None:
        raise ValueError("no")

    clock = profiled_decoders.PhaseClock()
    with pytest.raises(ValueError, match="no"):
        clock.timed("inside", broken)()
    burn(0.01)
    assert clock.stop()[profiled_decoders.REST] >= 0.01
    with profiled_decoders.clocked(
        {"gone": ("solvers.conclude:no_such_function", "solvers.conclude:NoClass.method")}
    ) as empty:
        assert set(empty.stop()) == {profiled_decoders.REST}


def test_every_phase_names_a_function_of_this_version() -> None:
    for phases in [*(decoder.phases for decoder in decoder_profiles.DECODERS), decoder_profiles.PARSER_PHASES]:
        for phase, names in phases.items():
            found = [profiled_decoders._resolve(name) for name in names]
            assert any(owner is not None and attribute in vars(owner) for owner, attribute in found), phase


def test_the_study_writes_shares_that_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("dp-lagrangian", "dp-eisner, order 1", "beam")
    chosen = [replace(one, sizes=(6,)) for one in decoder_profiles.DECODERS if one.name in names]
    monkeypatch.setattr(decoder_profiles, "DECODERS", chosen)
    decoder_profiles.STUDY.main(decoder_profiles.study, [str(tmp_path), "--quick"], parser=Path, only="")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [(row["decoder"], row["words"]) for row in rows] == [
        ("dp-eisner, order 1", 6),
        ("dp-lagrangian", 6),
        ("beam", 6),
    ]
    for row in rows:
        assert row["ms"] > 0
        assert sum(row["shares"].values()) == pytest.approx(1.0)
    assert "relaxed program" in rows[1]["shares"]
    assert rows[1]["objectives"] == [pytest.approx(_optimum())]
    assert "Marked: a quick run." in (tmp_path / "table.md").read_text()
    facts = json.loads((tmp_path / "provenance.json").read_text())
    assert (facts["seed"], facts["quick"], facts["question"]) == (
        decoder_profiles.SEED,
        True,
        decoder_profiles.STUDY.question,
    )


def test_a_trained_parser_has_a_share_for_every_phase(tmp_path: Path) -> None:
    path = tmp_path / "p.model"
    Training(order="2", epochs=1, limit=10, bits=14, classifier_bits=14, classifier_epochs=1).run(path, False, SILENT)
    (row,) = decoder_profiles.measure_parser(path, quick=True)
    assert row["decoder"] == "trained parser, order 2"
    assert {*decoder_profiles.PARSER_PHASES} <= {*row["shares"]}
    assert sum(row["shares"].values()) == pytest.approx(1.0)


def _optimum() -> float:
    from solvers import get_solver

    return get_solver("brute-force").solve(generate_planted(decoder_profiles.SEED, 6)).objective


def test_profiled_decoders_exist_and_have_names_of_their_own() -> None:
    names = [decoder.name for decoder in DECODERS]
    assert len(names) == len(set(names))
    for decoder in DECODERS:
        assert get_solver(decoder.solver, decoder.family, **decoder.options).name == decoder.solver
        assert decoder.sizes == tuple(sorted(decoder.sizes))
