"""The cost of the parser's subproblems is measured for every component, and its growth fitted (nothing is decided by timing)."""

from __future__ import annotations

import numpy as np
import pytest

from bench.studies import parsing_costs


def test_the_power_law_is_that_of_the_longer_half() -> None:
    lengths = (5, 10, 20, 40, 80, 160)
    seconds = [[1.0, 1.0], [1.0, 1.0], *([1e-6 * length**3] * 2 for length in lengths[2:])]
    found = parsing_costs.growth("K heads", "TSIB", lengths, seconds)
    assert found.law.exponent == pytest.approx(3.0)
    assert found.sentences == 8
    assert found.span == 8.0
    assert found.seconds[:2] == (1.0, 1.0)


def test_every_component_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_costs, "QUICK_LENGTHS", (6, 8, 10))
    monkeypatch.setattr(parsing_costs, "QUICK_PRUNED_LENGTHS", (12, 14, 16))
    monkeypatch.setattr(parsing_costs, "CALLS_MS", 0.05)
    found = parsing_costs.measure(quick=True)
    names = ["TREE", "GSIB", "TSIB", "SEQ", "ASIB", "AD3 iteration"]
    assert [(each.pruning, each.name) for each in found] == [
        (pruning, name) for pruning in parsing_costs.PRUNINGS for name in names
    ]
    assert all(np.isfinite(each.law.exponent) and min(each.seconds) > 0 for each in found)


def test_lengths_are_measured_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that slows down for a while must not slow down one length only; the median leaves such a round out."""
    order: list[int] = []

    class Fake:
        def __init__(self, length: int) -> None:
            self.length, self.rounds = length, 0

        def measure(self) -> None:
            order.append(self.length)
            self.rounds += 1

        def seconds(self, name: str) -> float:
            return 1e-6 * self.length**2

    monkeypatch.setattr(parsing_costs, "Work", Fake)
    monkeypatch.setattr(parsing_costs, "sentence", lambda length, seed, limits: length)
    monkeypatch.setattr(parsing_costs, "PRUNINGS", {"no pruning": {}})
    found = parsing_costs.measure()
    few, many = parsing_costs.FEW, parsing_costs.SENTENCES
    once = [length for length in parsing_costs.LENGTHS for _ in range(few if length < 20 else many)]
    assert order == once * parsing_costs.ROUNDS
    assert found[0].law.exponent == pytest.approx(2.0)


def test_a_slow_round_does_not_count() -> None:
    work = parsing_costs.Work.__new__(parsing_costs.Work)
    work.measured = {"TREE": [1.0, 1.1, 9.0, 1.2, 1.0]}
    assert work.seconds("TREE") == 1.1
