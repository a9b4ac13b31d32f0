"""The studies of warm starts and of AD3's phases: what they conclude from what they measured (nothing is decided by timing)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.studies import ad3_profile, warm_starts
from problems import get_task
from solvers import get_solver


def test_the_study_of_warm_starts_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_starts, "STEPS", 1)
    monkeypatch.setattr(warm_starts, "CHANGES", (0.05,))
    warm_starts.STUDY.main(warm_starts.measure_all, [str(tmp_path / "warm"), "--quick"])
    table = (tmp_path / "warm" / "table.md").read_text()
    assert table.count("\n| ") == 2 + 5
    again = warm_starts.measure("extraction", "tiny", partial(warm_starts.changed, 0.05), warm_starts.SEEDS[:1])
    assert (
        f"| extraction tac: scores +-5 % | {' | '.join(again)} |" in table
    )  # counts are the same whenever they are made


def test_the_profile_of_ad3_puts_everything_back_and_accounts_for_all_time() -> None:
    def switches() -> list[Any]:
        return [getattr(module, name) for module, name in ad3_profile.SWITCHES]

    kept = switches()
    with ad3_profile.before():
        assert switches() != kept
    assert switches() == kept
    instance = get_task("extraction").generate(1, "tiny")
    found = ad3_profile.phases(instance, 100)
    solution = get_solver("ad3", max_iterations=100).solve(instance)
    assert (found["bound"], found["objective"]) == (solution.bound, solution.objective)
    assert all(found[name] >= 0.0 for name in ("graph", "presolve", "layout", "iterate", "round"))
