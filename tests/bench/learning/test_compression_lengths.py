"""Lengths that a model chooses at a given average rate: against the relaxed program, and the rate that comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.learning.compression.data import Data, gold_rate
from bench.learning.compression.lengths import price_for, priced, worths
from bench.learning.compression.training import DECODERS, UNPRICED, Evaluation, Training, read_any
from bench.learning.loop import SILENT
from problems.compression.corpora import generated_pairs
from problems.compression.features import SYSTEMS
from problems.compression.model import CompressionModel, LengthRule
from problems.errors import InputError
from solvers.dynamic.compression import arc_table, bigram_table
from solvers.dynamic.relaxation import Relaxation

BITS = 12


def model(system: str, seed: int = 1) -> CompressionModel:
    weights = np.random.default_rng(seed).normal(0.0, 1.0, 1 << BITS)
    return CompressionModel(system, BITS, weights, LengthRule(1.0, 0.5))  # type: ignore[arg-type]


@pytest.mark.parametrize("system", ["joint", "bigram"])
def test_a_priced_length_is_what_the_relaxed_program_keeps(system: str) -> None:
    chosen = model(system)
    for pair in generated_pairs(range(8)):
        worth = worths(chosen, pair.sentence, DECODERS[chosen.system])
        instance = chosen.instance(pair.sentence, pair.name)
        program = Relaxation(arc_table(instance), bigram_table(instance), "fast")
        for price in (-3.0, 0.0, 1.5):
            length = priced(worth, price)
            assert worth[length - 1] + price * length == pytest.approx(program.maximize(price))


def test_the_price_meets_the_rate() -> None:
    chosen = model("subtree")
    found = [worths(chosen, pair.sentence, DECODERS["subtree"]) for pair in generated_pairs(range(40))]
    for rate in (0.3, 0.5, 0.8):
        price = price_for(found, rate)
        shares = [
            np.mean([priced(worth, each) / len(worth) for worth in found]) for each in (price - 0.2, price, price + 0.2)
        ]
        assert shares == sorted(shares)
        assert shares[1] == pytest.approx(rate, abs=0.05)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system not in UNPRICED])
def test_a_trained_model_has_a_price(system: str, tmp_path: Path) -> None:
    pairs = generated_pairs(range(50))
    training = Training(system=system, epochs=2, bits=14)  # type: ignore[arg-type]
    training.fit(Data(pairs), tmp_path / "m", False, SILENT)
    trained = read_any(tmp_path / "m")
    assert isinstance(trained, CompressionModel)
    assert trained.price is not None
    frame = Evaluation(limit=40, length="rate").run(tmp_path / "m", SILENT)
    assert float(frame["rate"][0]) == pytest.approx(gold_rate(pairs), abs=0.12)
    CompressionModel(trained.system, 14, trained.weights, trained.rule).write(tmp_path / "old")
    with pytest.raises(InputError, match="the model has no price of a kept word"):
        Evaluation(limit=2, length="rate").run(tmp_path / "old", SILENT)
