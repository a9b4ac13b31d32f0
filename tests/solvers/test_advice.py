"""Advice on solvers: made tables with known growth, cells at their limit, refusals, and files that are none."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.profile import Profile
from solvers.advice import TARGETS, Advisor, Candidate, Case, Cell, Table, built_in, read_table
from solvers.advice.curves import Recorded, beyond
from solvers.advice.plans import plan, surely_faster

CUBIC, LINEAR, ROUGH = Candidate("dp-cubic"), Candidate("ilp-linear"), Candidate("rough")


def sized(words: float, task: str = "t", variant: str = "") -> Profile:
    return Profile(task, variant, {"words": words})


def cubic(words: float) -> float:
    return 1e-7 * words**3


def linear(words: float) -> float:
    return 1e-3 * words


def made(sizes: list[float], limit: float = math.inf, noise: float = 0.0, count: int = 4) -> Table:
    """A cubic and a linear proof, equally fast at 100 words, and answers that lose 2 % in no time."""
    rng = np.random.default_rng(5)
    cases = []
    for words in sizes:
        for number in range(count):
            cells = {ROUGH: Cell(1e-5, "feasible", 0.02)}
            for candidate, law in ((CUBIC, cubic), (LINEAR, linear)):
                seconds = law(words) * math.exp(noise * rng.normal())
                stopped = seconds >= limit
                cells[candidate] = Cell(limit, "stopped") if stopped else Cell(seconds, "optimal", 0.0)
            cases.append(Case(sized(words), f"{words}-{number}", str(words), cells))
    return Table(tuple(cases))


def chosen(advisor: Advisor, words: float, target: str = "exact") -> Candidate:
    return plan(advisor.forecasts(sized(words)), target)[0].forecast.candidate  # type: ignore[arg-type]


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_faster_of_two_growth_curves_is_chosen(noise: float) -> None:
    advisor = Advisor(made([10, 20, 50, 150, 300, 600], noise=noise))
    for words in (12, 15, 40, 70):
        assert chosen(advisor, words) == CUBIC
    for words in (150, 250, 1000, 3000):  # the last two lie beyond all recorded sizes
        assert chosen(advisor, words) == LINEAR


def test_forecasts_follow_the_growth_and_intervals_hold_new_times() -> None:
    noise, rng = 0.2, np.random.default_rng(11)
    advisor = Advisor(made([10, 20, 40, 80, 160], noise=noise, count=6))
    inside = 0
    for words in (15, 30, 60, 120):
        found = {each.candidate: each for each in advisor.forecasts(sized(words))}
        assert found[CUBIC].seconds == pytest.approx(cubic(words), rel=0.25)
        times = cubic(words) * np.exp(noise * rng.normal(size=100))
        inside += int(((times >= found[CUBIC].low) & (times <= found[CUBIC].high)).sum())
        assert found[CUBIC].mean >= found[CUBIC].seconds
    assert 0.85 * 400 <= inside <= 0.99 * 400


def test_extrapolated_forecasts_are_wider_and_marked() -> None:
    advisor = Advisor(made([10, 20, 40, 80], noise=0.1))
    near, far = ({each.candidate: each for each in advisor.forecasts(sized(words))} for words in (30, 3000))
    assert far[CUBIC].high / far[CUBIC].low > 1.5 * near[CUBIC].high / near[CUBIC].low
    assert near[CUBIC].near > far[CUBIC].near or near[CUBIC].cells == far[CUBIC].cells
    group = advisor._group(sized(30))
    assert group is not None
    assert group.outside(group.place(sized(30))) == ""
    assert "3,000 words" in group.outside(group.place(sized(3000)))


def test_targets_ask_for_different_answers() -> None:
    advisor = Advisor(made([10, 100, 1000]))
    assert chosen(advisor, 10, "fastest") == ROUGH
    assert chosen(advisor, 10, "within-1%") == CUBIC  # the rough one loses 2 %
    assert chosen(advisor, 1000, "within-1%") == LINEAR


def test_a_time_at_a_limit_counts_as_beyond_it() -> None:
    """Stopped at 1 s from 216 words on, the cubic one would look as fast as the linear one at 1,000 words."""
    advisor = Advisor(made([50, 100, 200, 400, 800], limit=1.0))
    found = {each.candidate: each for each in advisor.forecasts(sized(800))}
    assert 20.0 < found[CUBIC].seconds < 100.0  # 51 s, had it not been stopped
    assert found[CUBIC].stopped == 8
    assert found[LINEAR].seconds == pytest.approx(0.8, rel=0.2)
    assert chosen(advisor, 800) == LINEAR


def test_a_candidate_that_never_ended_is_expected_beyond_its_limit() -> None:
    cells = {CUBIC: Cell(2.0, "stopped"), LINEAR: Cell(3.0, "optimal", 0.0)}
    cases = [Case(sized(10 + number), str(number), "", cells) for number in range(5)]
    found = {each.candidate: each for each in Advisor(Table(tuple(cases))).forecasts(sized(12))}
    assert found[CUBIC].seconds > 2.0
    assert found[CUBIC].answered == 0.0
    assert not found[CUBIC].meets("fastest")
    assert not found[CUBIC].meets("exact")  # a limit is no proof
    last = plan(tuple(found.values()), "exact")[-1]
    assert (last.forecast.candidate, last.enough) == (CUBIC, 0.0)  # for when the others fail


def test_no_forecast_is_below_the_shortest_recorded_call() -> None:
    cases = [
        Case(sized(words), str(words), "", {CUBIC: Cell(cubic(words), "optimal", 0.0)}) for words in (50, 100, 200)
    ]
    (found,) = Advisor(Table(tuple(cases))).forecasts(sized(2))
    assert found.seconds == pytest.approx(cubic(50))  # the law says a thousandth of that
    assert found.mean >= found.seconds
    assert found.low < found.seconds < found.high
    assert not found.sure
    assert found.longest == found.mean  # an upper bound so far outside is none


def test_patience_covers_the_upper_bound_and_a_few_times_the_next_one() -> None:
    steps = plan(Advisor(made([10, 20, 40, 80], noise=0.3)).forecasts(sized(30)), "exact")
    first, second = steps
    assert first.patience == max(first.forecast.high, 3.0 * second.forecast.mean, 0.2)
    far = plan(Advisor(made([10, 20, 40, 80], noise=0.3)).forecasts(sized(400)), "exact")
    assert far[0].patience == max(far[0].forecast.mean, 3.0 * far[1].forecast.mean, 0.2)


def test_what_refused_at_this_size_is_not_chosen() -> None:
    cases = []
    for words in (10, 20, 40, 80, 160, 320):
        cells = {LINEAR: Cell(linear(words), "optimal", 0.0)}
        cells[CUBIC] = Cell(1e-6, "optimal", 0.0) if words <= 20 else Cell(0.0, "refused")
        cases += [Case(sized(words), f"{words}-{number}", "", cells) for number in range(3)]
    advisor = Advisor(Table(tuple(cases)))
    assert chosen(advisor, 12) == CUBIC
    assert chosen(advisor, 300) == LINEAR


def test_a_cheap_try_comes_first_only_where_that_saves_time() -> None:
    """The first candidate proves three of four answers; where it does not, the other takes 40 times as long as usual."""
    quick, thorough = Candidate("quick"), Candidate("thorough")

    def table(price: float, slow: float) -> Table:
        cases = []
        for number in range(12):
            proved = number % 4 > 0
            cells = {
                quick: Cell(price, "optimal" if proved else "feasible", 0.0),
                thorough: Cell(0.015 if proved else slow, "optimal", 0.0),
            }
            cases.append(Case(sized(20), str(number), "", cells))
        return Table(tuple(cases))

    hard = plan(Advisor(table(0.02, 0.6)).forecasts(sized(20)), "exact")
    assert [str(step.forecast.candidate) for step in hard] == ["thorough"]  # a try would save 11 ms and cost 20
    easy = plan(Advisor(table(0.01, 0.015)).forecasts(sized(20)), "exact")
    assert [str(step.forecast.candidate) for step in easy] == ["quick", "thorough"]
    assert easy[0].enough == pytest.approx(0.75)
    assert easy[0].seconds == pytest.approx(0.01 + 0.25 * 0.015, rel=0.1)


def test_another_variant_is_used_only_where_there_is_none() -> None:
    first = [Case(sized(10, variant="order 1"), "a", "", {CUBIC: Cell(1.0, "optimal", 0.0)})]
    third = [Case(sized(10, variant="order 3"), "b", "", {LINEAR: Cell(2.0, "optimal", 0.0)})]
    advisor = Advisor(Table((*first, *third)))
    assert [each.candidate for each in advisor.forecasts(sized(10, variant="order 3"))] == [LINEAR]
    assert {each.candidate for each in advisor.forecasts(sized(10, variant="order 2"))} == {CUBIC, LINEAR}
    group = advisor._group(sized(10, variant="order 2"))
    assert group is not None
    assert "none of them of this kind (order 2)" in group.basis
    assert not group.known


def test_forecasts_of_an_unknown_kind_admit_that_they_are_guesses() -> None:
    """Two kinds whose times differ a hundredfold: the truth about a third may lie anywhere between and beyond."""
    cases = []
    for kind, factor in (("quick", 0.1), ("slow", 10.0)):
        for words in (10, 20, 40, 80):
            cell = Cell(factor * linear(words), "stopped" if (kind, words) == ("slow", 80) else "optimal", 0.0)
            cases += [Case(sized(words, variant=kind), f"{kind}-{words}-{at}", "", {LINEAR: cell}) for at in range(3)]
    advisor = Advisor(Table(tuple(cases)))
    known, unknown = (advisor.forecasts(sized(20, variant=kind))[0] for kind in ("quick", "unheard of"))
    assert known.sure
    assert not unknown.sure
    assert unknown.high / unknown.low > 50.0 * known.high / known.low
    assert unknown.low < 0.1 * linear(20)
    assert unknown.high > 10.0 * linear(20)
    assert unknown.proved < 1.0 == known.proved  # a cell at its limit is not proved, even if it is far away
    assert unknown.longest == unknown.mean


def test_another_task_is_not_in_the_table() -> None:
    first = [Case(sized(10), "a", "", {CUBIC: Cell(1.0, "optimal", 0.0)})]
    advisor = Advisor(Table(tuple(first)))
    assert advisor.forecasts(sized(10, task="unheard of")) == ()


def test_a_task_without_runs_is_looked_at_as_a_graph() -> None:
    graph = FactorGraph()
    graph.add_variables([1.0, 2.0, -1.0])
    graph.add_logic("xor", [0, 1, 2])
    profile = Profile("graph", "pair", {"variables": 9.0, "factors": 3.0, "links": 6.0})
    advisor = Advisor(Table((Case(profile, "g", "", {LINEAR: Cell(0.1, "optimal", 0.0)}),)))
    assert advisor.advise(graph).plans["exact"][0].forecast.candidate == LINEAR
    instance = get_task("extraction").generate(1, "tiny")
    advice = advisor.advise(instance)
    assert advice.profile.task == "graph"
    assert not advice.known
    assert "none of them of task 'extraction'" in advice.basis
    with pytest.raises(InputError, match="no recorded runs of task 'extraction'"):
        Advisor(Table(())).advise(instance)


def test_probabilities_of_being_faster() -> None:
    forecasts = {each.candidate: each for each in Advisor(made([10, 20, 50], noise=0.2)).forecasts(sized(20))}
    cubic_one, linear_one = forecasts[CUBIC], forecasts[LINEAR]
    assert surely_faster(cubic_one, linear_one) > 0.95
    assert surely_faster(cubic_one, cubic_one) == pytest.approx(0.5)
    assert surely_faster(cubic_one, linear_one) + surely_faster(linear_one, cubic_one) == pytest.approx(1.0)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0.05, 3))
def test_the_expectation_beyond_a_limit_is_that_of_many_draws(limit: float, mean: float, spread: float) -> None:
    """Against Simpson's rule on the density of the tail."""
    value = beyond(limit, mean, spread)
    assert value >= limit
    score = (limit - mean) / spread
    if abs(score) < 5:
        points = np.linspace(score, max(score, 0.0) + 9.0, 20001)
        density = np.exp(-0.5 * points**2)
        expected = mean + spread * float(np.trapezoid(points * density, points) / np.trapezoid(density, points))
        assert value == pytest.approx(expected, abs=1e-4 * spread)


@given(st.integers(1, 6), st.integers(1, 4), st.randoms(use_true_random=False))
def test_few_points_always_make_a_finite_forecast(count: int, measures: int, random: object) -> None:
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    places = rng.normal(3, 2, size=(count, measures))
    seconds = np.exp(rng.normal(-3, 2, size=(count, 2)))
    seconds[:, 1] = np.where(rng.random(count) < 0.5, np.nan, seconds[:, 1])
    laws = Recorded(places, seconds, rng.random((count, 2)) < 0.3).laws(rng.normal(3, 3, size=measures))
    assert np.isfinite(laws.log_seconds[0])
    assert laws.reach[0] > 0


# -- files ---------------------------------------------------------------------------------------------------------------------


def test_tables_are_written_and_read(tmp_path: Path) -> None:
    table = made([10, 50], limit=0.02)
    options = Candidate.of("ilp-glpk", {"reduced": True, "branching": "default"})
    table = table.extended(Table((Case(sized(7), "x", "tiny", {options: Cell(0.5, "refused")}),), ({"commit": "abc"},)))
    table.write(tmp_path / "table.json")
    again = read_table(tmp_path / "table.json")
    assert [case.profile for case in again.cases] == [case.profile for case in table.cases]
    assert again.provenance == ({"commit": "abc"},)
    assert again.cases[-1].cells == {options: Cell(0.5, "refused")}
    assert next(iter(again.cases[-1].cells)).settings == {"reduced": True, "branching": "default"}
    for old, new in zip(table.cases, again.cases, strict=True):
        for candidate, cell in old.cells.items():
            assert new.cells[candidate].outcome == cell.outcome
            assert new.cells[candidate].seconds == pytest.approx(cell.seconds, rel=0.01)


def test_of_a_cell_that_two_tables_have_the_later_counts() -> None:
    one = Table((Case(sized(10), "x", "", {CUBIC: Cell(1.0, "optimal", 0.0), ROUGH: Cell(2.0, "feasible", 0.1)}),))
    other = Table((Case(sized(10), "x", "", {CUBIC: Cell(5.0, "optimal", 0.0)}),))
    (case,) = one.extended(other).cases
    assert case.cells == {CUBIC: Cell(5.0, "optimal", 0.0), ROUGH: Cell(2.0, "feasible", 0.1)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "expected a JSON object"),
        ("{}", "field 'format' is None, expected 1"),
        ('{"format": 2}', "field 'format' is 2"),
        ('{"format": 1}', "no table of `dualbench advise --record`"),
        ('{"format": 1, "provenance": [], "candidates": [{}], "cases": []}', "no table"),
        ('{"format": 1, "provenance": [], "candidates": [], "cases": [{"task": "t"}]}', "no table"),
        (
            '{"format": 1, "provenance": [], "candidates": [{"solver": "a", "options": {}}], "cases": [{"task": "t", '
            '"variant": "", "measures": {}, "instance": "i", "size": "", "cells": [[0, 1.0, "lost", null]]}]}',
            "'lost'",
        ),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"bad\.json") as error:
        read_table(path)
    assert said in str(error.value)


def test_the_built_in_table_knows_every_task_and_where_it_comes_from() -> None:
    table = built_in().table
    tasks = {case.profile.task for case in table.cases}
    assert tasks >= {"compression", "extraction", "graph", "parsing", "summarization", "transduction"}
    for facts in table.provenance:
        assert len(facts["commit"]) == 40
        assert facts["processor"]
        assert facts["load_start"]
        assert "run" in " ".join(facts["command"]) or facts["command"]
    assert {facts["task"] for facts in table.provenance} == tasks
    json.dumps(table.provenance)


@pytest.mark.parametrize("task", ["compression", "extraction", "parsing", "summarization", "transduction"])
def test_every_task_has_a_choice_for_every_target(task: str) -> None:
    advice = built_in().advise(get_task(task).generate(9001, "tiny"))
    for target in TARGETS:
        assert advice.plans[target]
        assert all(step.seconds > 0 for step in advice.plans[target])
    assert advice.plans["fastest"][0].seconds <= advice.plans["exact"][0].seconds * 1.000001
