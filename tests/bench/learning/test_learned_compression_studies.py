"""The studies of learned compression and transduction on a few generated sentences."""

from __future__ import annotations

import numpy as np
import pytest

from bench.studies import learned_compression, learned_transduction
from bench.studies.learned_claims import Claim, claims_table, verdicts


def test_verdicts_follow_the_intervals():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=200)
    values = {"a": {"m": noise + 1.0}, "b": {"m": noise}, "c": {"m": noise + rng.normal(size=200)}}
    claims = [Claim("one", "m", "a", "b"), Claim("two", "m", "b", "a"), Claim("three", "m", "b", "c")]
    frame = verdicts([*claims, Claim("four", "m", "a", "absent")], values)
    assert frame["verdict"].tolist() == ["holds", "does not hold", "undecided"]
    assert frame["difference"].tolist()[:2] == pytest.approx([1.0, -1.0])
    assert "| one | m | +1.0000 |" in claims_table("t", frame, []).markdown()


@pytest.mark.slow
def test_compression_table(tmp_path):
    pytest.importorskip("pycrfsuite")
    options = {"limit": 40, "test_limit": 6, "ilp_sentences": 2, "bits": 14, "epochs": 2}
    study = learned_compression.run(models=tmp_path / "models", **options)
    again = learned_compression.run(models=tmp_path / "models", **options)
    measures = ["compression rate", "unigram F1", "relation F1"]
    assert study.rows[measures].equals(again.rows[measures])
    rates = study.rows.set_index("system")["compression rate"]
    exact, tm13 = learned_compression.EXACT, learned_compression.ILP
    assert rates["Subtree"] == rates["McDonald06"] == rates["CRFs, same lengths"] == rates[exact]
    assert rates[tm13] == rates[f"{exact}, on these"]
    assert len(study.claims) == len(learned_compression.CLAIMS)
    assert len(study.part_claims) == len(learned_compression.PART_CLAIMS)
    assert "| TM13 | 2 |" in learned_compression.table(study, "generated", "").markdown()


@pytest.mark.slow
def test_transduction_table(tmp_path):
    options = {"limit": 40, "test_limit": 5, "bits": 12, "epochs": 1}
    study = learned_transduction.run(models=tmp_path, **options)
    free = learned_transduction.run(models=tmp_path, length="free", **options)
    assert study.rows["compression rate"].nunique() == 1
    assert len(study.claims) == len(free.claims) == len(learned_transduction.CLAIMS)
    assert "T3+Discr. (Dual Decomp.)" in learned_transduction.table(free, "generated", "").markdown()
