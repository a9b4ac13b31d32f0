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
    assert found.seconds[:2] == (1.0, 1.0)


def test_every_component_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing_costs, "QUICK_LENGTHS", (6, 8, 10))
    monkeypatch.setattr(parsing_costs, "QUICK_PRUNED_LENGTHS", (12, 14, 16))
    monkeypatch.setattr(parsing_costs, "REPEATS", 1)
    monkeypatch.setattr(parsing_costs, "CALLS_MS", 0.05)
    found = parsing_costs.measure(quick=True)
    names = ["TREE", "GSIB", "TSIB", "SEQ", "ASIB", "AD3 iteration"]
    assert [(each.pruning, each.name) for each in found] == [
        (pruning, name) for pruning in parsing_costs.PRUNINGS for name in names
    ]
    assert all(np.isfinite(each.law.exponent) and min(each.seconds) > 0 for each in found)
