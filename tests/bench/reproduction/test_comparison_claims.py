"""AD3 against the subgradient method by the time to a bound, dual decomposition against beam search: on records written by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_records import made_records

from bench.records.frame import Records
from bench.reproduction.claims import Claim
from bench.reproduction.pieces.bound_claims import AD3, PUBLISHED, ad3_against_subgradient, sooner
from bench.reproduction.pieces.comparison import ALGORITHM, dual_against_beam
from bench.reproduction.verdicts import NOT_REPRODUCED, OPPOSITE, REPRODUCED, UNTESTABLE

NEVER = float("nan")
OPTIMUM = 100.0
LIMIT, WHOLE = 15.0, 0.4


def records(count: int, seconds: dict[str, float], size: str = "tac") -> Records:
    """Each label ends after so many seconds with a bound near the optimum; without it (NaN) after `WHOLE`."""
    rows = []
    for number in range(count):
        common = {"instance": f"{size}{number}", "size": size, "status": "feasible", "limits": {"seconds": LIMIT}}
        rows.append({**common, "solver": "lp-highs", "bound": OPTIMUM, "build_seconds": 0.01, "solve_seconds": 0.01})
        for label, moment in seconds.items():
            there = moment == moment
            times = {"build_seconds": 0.001, "solve_seconds": (moment if there else WHOLE) - 0.001}
            aimed = {"options": {"bound_target": 1.001 * OPTIMUM}, "bound": OPTIMUM if there else 2.0 * OPTIMUM}
            rows.append({**common, **times, **aimed, "solver": label.split()[0].strip(","), "label": label})
    return made_records(rows)


def judged(seconds: dict[str, float], count: int = 12) -> Claim:
    return ad3_against_subgradient(records(count, seconds))


def test_the_best_step_size_counts_and_ours_stands_beside() -> None:
    found = judged({AD3: 0.01, PUBLISHED: 0.05, "subgradient 5": NEVER, "subgradient 10": 0.2})
    assert found.verdict == REPRODUCED
    assert found.ratio.startswith("4.00x")
    assert found.today is not None
    assert found.today.verdict == REPRODUCED
    assert "20.0x" in found.ours
    assert "On 0 of them no" in found.why


def test_a_method_that_never_gets_there_has_its_whole_run_as_its_time() -> None:
    found = judged({AD3: 0.01, PUBLISHED: 0.1, "subgradient 5": NEVER, "subgradient 10": NEVER})
    assert found.ratio.startswith("4.00x")  # WHOLE / 0.1
    assert "On 12 of them no" in found.why


def test_a_faster_subgradient_method_is_said_so() -> None:
    assert judged({AD3: 0.01, PUBLISHED: 0.2, "subgradient 5": 0.05}).verdict == OPPOSITE
    assert judged({AD3: 0.01, PUBLISHED: 0.2, "subgradient 5": 0.2}).verdict == NOT_REPRODUCED
    never = judged({AD3: 0.01, PUBLISHED: NEVER, "subgradient 5": 0.05})
    assert never.verdict == OPPOSITE  # the limit is AD3's time


def test_what_cannot_be_said() -> None:
    assert judged({AD3: NEVER, PUBLISHED: NEVER, "subgradient 5": NEVER}).verdict == UNTESTABLE
    assert judged({AD3: 0.01, PUBLISHED: 0.1}).verdict == UNTESTABLE
    assert judged({AD3: 0.01, PUBLISHED: 0.1, "subgradient 5": 0.3}, count=3).verdict == UNTESTABLE


def test_the_first_size_decides_and_the_others_are_told() -> None:
    fast, slow = {AD3: 0.01, PUBLISHED: 0.05, "subgradient 5": 0.2}, {AD3: 0.01, PUBLISHED: 0.2, "subgradient 5": 0.1}
    rows = [*records(12, fast).to_dict("records"), *records(12, slow, "zipf").to_dict("records")]
    found = ad3_against_subgradient(made_records(rows))
    assert found.verdict == REPRODUCED
    assert "size zipf: 0.500x" in found.ours
    assert "12 instances of size tac" in found.why


def test_charged_instances_are_counted() -> None:
    own, other = pd.Series([1.0, np.inf, np.inf, 2.0]), pd.Series([np.inf, 3.0, np.inf, 8.0])
    found = sooner(own, other, pd.Series([5.0] * 4), 30.0)
    assert found is not None
    assert (found.pairs, found.charged) == (3, 2)
    assert found.times.value == pytest.approx(4.0)  # the median of 5 / 1, 3 / 30 and 8 / 2


def searched(values: dict[str, list[float]]) -> Claim:
    rows = [
        {"instance": f"s{number}", "solver": label, "label": label, "objective": value, "status": "feasible"}
        for label, own in values.items()
        for number, value in enumerate(own)
    ]
    return dual_against_beam(made_records(rows))


def test_search_errors_of_the_published_algorithm_against_beams() -> None:
    best = [10.0] * 12
    values = {"dp-exact": best, "subgradient": [9.0] * 12, ALGORITHM: best, "beam": [9.0] * 10 + [10.0] * 2}
    found = searched(values)
    assert found.verdict == REPRODUCED
    assert found.ratio == "0 against 10"
    assert searched({**values, "beam": best}).verdict == UNTESTABLE  # nobody errs
    silent = searched({**values, "beam": best, ALGORITHM: [float("nan")] * 11 + [10.0]})  # no answer is an error
    assert (silent.ratio, silent.verdict) == ("11 against 0", OPPOSITE)
    assert searched({"dp-exact": best, "beam": best}).verdict == UNTESTABLE
