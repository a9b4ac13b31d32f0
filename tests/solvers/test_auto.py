"""The solver `auto`: what it takes, what it passes over, what it does when an answer misses the target."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from solvers import Solution, Solver, get_solver
from solvers.advice import Candidate, Case, Cell, Table
from solvers.auto import why_unusable
from solvers.conclude import judge
from solvers.registry import registry

TASK = get_task("extraction")
SEEN: list[str] = []


@dataclass(kw_only=True)
class Proves(Solver):
    """Brute force, which says that it was called."""

    name = "proves"
    time_limit: float | None = None

    def solve(self, instance: Any) -> Solution:
        SEEN.append(f"{self.name} {self.time_limit}")
        return get_solver("brute-force").solve(instance)


class Guesses(Solver):
    """The empty extract, with a bound that proves nothing."""

    name = "guesses"

    def solve(self, instance: Any) -> Solution:
        SEEN.append(self.name)
        solution = judge(TASK, instance, (), math.inf)
        solution.solve_seconds = 0.25
        return solution


@dataclass(kw_only=True)
class Late(Solver):
    """Needs half a second for its proof; a limit below that is used up."""

    name = "late"
    time_limit: float | None = None

    def solve(self, instance: Any) -> Solution:
        SEEN.append(f"{self.name} {self.time_limit}")
        time.sleep(min(0.5, self.time_limit or math.inf))
        if self.time_limit is None or self.time_limit > 0.5:
            return get_solver("brute-force").solve(instance)
        solution = judge(TASK, instance, (), math.inf)
        solution.solve_seconds, solution.message = 0.125, "stopped at the time limit"
        return solution


class Refuses(Solver):
    name = "refuses"

    def solve(self, instance: Any) -> Solution:
        raise InputError("the program is beyond the licence.")


class Missing(Solver):
    name = "missing"

    @classmethod
    def unavailable(cls) -> str | None:
        return "pip install missing"

    def solve(self, instance: Any) -> Solution:
        raise AssertionError("it was never to be called")


@pytest.fixture(autouse=True)
def own_solvers() -> Iterator[None]:
    SEEN.clear()
    for kind in (Proves, Guesses, Late, Refuses, Missing):
        registry.add(kind, "a test")
    yield
    for kind in (Proves, Guesses, Late, Refuses, Missing):
        registry.forget(kind.name)


def table(path: Path, variant: str = "", **cells: Cell) -> str:
    """A table with one case of the size of the instance below."""
    profile = TASK.profile(TASK.generate(3, "tiny"))._replace(variant=variant)
    made = {Candidate(name): cell for name, cell in cells.items()}
    Table((Case(profile, "x", "tiny", made),)).write(path / "table.json")
    return str(path / "table.json")


def solve(path: Path, target: str = "exact", time_limit: float | None = None, **cells: Cell) -> Solution:
    file = table(path, **cells)
    return get_solver("auto", table=file, target=target, time_limit=time_limit).solve(TASK.generate(3, "tiny"))


def test_the_advised_solver_is_taken_and_named(tmp_path: Path) -> None:
    proves, guesses = Cell(0.5, "optimal", 0.0), Cell(0.1, "feasible", 0.3)
    exact = solve(tmp_path, proves=proves, guesses=guesses)
    assert exact.status == "optimal"
    assert exact.message.startswith("took proves, 0.5 s expected")
    optimum = get_solver("brute-force").solve(TASK.generate(3, "tiny")).objective
    assert exact.objective == optimum


def test_the_target_decides(tmp_path: Path) -> None:
    cells = {"proves": Cell(0.5, "optimal", 0.0), "guesses": Cell(0.1, "feasible", 0.3)}
    fastest = solve(tmp_path, "fastest", **cells)
    assert fastest.message.startswith("took guesses")
    assert fastest.structure == ()
    assert SEEN == ["guesses"]
    within = solve(tmp_path, "within-1%", **cells)
    assert within.message.startswith("took proves")


def test_what_cannot_be_used_is_passed_over_with_a_word(tmp_path: Path) -> None:
    cells = {
        name: Cell(seconds, "optimal", 0.0) for name, seconds in (("missing", 0.1), ("refuses", 0.2), ("proves", 0.9))
    }
    cells["unheard-of"] = Cell(0.3, "optimal", 0.0)
    solution = solve(tmp_path, **cells)
    assert solution.status == "optimal"
    assert "passed over missing (pip install missing)" in solution.message
    assert "passed over refuses (the program is beyond the licence)" in solution.message
    assert "passed over unheard-of (unknown solver 'unheard-of'" in solution.message
    assert "took proves" in solution.message


def test_an_answer_without_its_proof_is_followed_by_the_next_solver(tmp_path: Path) -> None:
    """The record says that guesses are proofs; this time one is not."""
    solution = solve(tmp_path, guesses=Cell(0.1, "optimal", 0.0), proves=Cell(0.5, "optimal", 0.0))
    assert solution.status == "optimal"
    assert SEEN == ["guesses", "proves None"]
    assert solution.solve_seconds >= 0.25  # of both
    assert "took guesses" in solution.message
    assert "took proves" in solution.message


def test_a_first_choice_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    """And charged: with 0.125 s of its own, which the search has spent."""
    solution = solve(tmp_path, late=Cell(0.001, "optimal", 0.0), proves=Cell(0.01, "optimal", 0.0))
    assert solution.status == "optimal"
    assert SEEN == ["late 0.2", "proves 0.2"]
    assert solution.message.startswith("gave up late after 0.2 s, 0.001 s expected; took proves, 0.01 s expected")
    assert solution.solve_seconds >= 0.125


def test_patience_grows_with_the_price_of_the_next_solver(tmp_path: Path) -> None:
    solution = solve(tmp_path, late=Cell(0.001, "optimal", 0.0), proves=Cell(0.3, "optimal", 0.0))
    assert SEEN == ["late 0.9"]
    assert solution.message.startswith("took late")


def test_whom_a_limit_has_stopped_gets_another_turn(tmp_path: Path) -> None:
    """Guesses end without a proof: the only one left has all the time there is."""
    solution = solve(tmp_path, late=Cell(0.001, "optimal", 0.0), guesses=Cell(0.01, "optimal", 0.0))
    assert solution.status == "optimal"
    assert SEEN == ["late 0.2", "guesses", "late None"]
    assert solution.solve_seconds >= 0.125 + 0.25


def test_turns_grow_longer_while_several_are_stopped(tmp_path: Path) -> None:
    cells = {"late": Cell(0.001, "optimal", 0.0), "later": Cell(0.002, "optimal", 0.0)}
    registry.add(type("Later", (Late,), {"name": "later"}), "a test")
    try:
        solution = solve(tmp_path, **cells)
    finally:
        registry.forget("later")
    assert SEEN == ["late 0.2", "later 0.2", "late 0.8"]
    assert solution.message.count("gave up") == 2


def test_no_solver_gets_all_of_a_time_limit_while_there_is_another(tmp_path: Path) -> None:
    cells = {"late": Cell(20.0, "optimal", 0.0), "proves": Cell(30.0, "optimal", 0.0)}
    solve(tmp_path, time_limit=4.0, **cells)
    file = table(tmp_path, variant="another kind", **cells)  # so nobody knows whom to trust
    get_solver("auto", table=file, time_limit=4.0).solve(TASK.generate(3, "tiny"))
    assert [float(said.split()[1]) for said in SEEN] == pytest.approx([3.2, 2.0])


def test_an_answer_that_a_limit_cut_short_is_not_taken_for_one_within_1_percent(tmp_path: Path) -> None:
    cells = {"late": Cell(0.001, "feasible", 0.0), "proves": Cell(0.01, "optimal", 0.0)}
    assert solve(tmp_path, "within-1%", **cells).status == "optimal"
    SEEN.clear()
    assert solve(tmp_path, "fastest", **cells).structure == ()  # any answer will do
    assert SEEN == ["late 0.2"]


def test_a_call_that_fails_is_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def burn(self: Solver, instance: Any) -> Solution:
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        raise InputError("the program is beyond the licence.")

    monkeypatch.setattr(Refuses, "solve", burn)
    solution = solve(tmp_path, refuses=Cell(0.001, "optimal", 0.0), proves=Cell(0.01, "optimal", 0.0))
    assert solution.build_seconds >= 0.05


def test_a_frustrated_grid_is_not_left_to_one_solver(data_folder: Path) -> None:
    """A real one of 100 spins, on which some exact solvers take a minute and others a tenth of a second."""
    graph = FactorGraph.read(data_folder / "factor_graphs" / "grid10x10.f2.wrap.uai")
    solution = get_solver("auto", time_limit=120.0).solve(graph)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(162.5785, abs=1e-3)


def test_if_nobody_proves_the_best_answer_is_returned(tmp_path: Path) -> None:
    solution = solve(tmp_path, guesses=Cell(0.1, "optimal", 0.0))
    assert solution.status == "feasible"
    assert solution.structure == ()


def test_if_nothing_can_be_used_the_reasons_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"finds no solver .* passed over missing"):
        solve(tmp_path, missing=Cell(0.1, "optimal", 0.0))


def test_the_time_limit_is_handed_on_and_the_next_solver_gets_what_is_left(tmp_path: Path) -> None:
    solve(tmp_path, time_limit=50.0, proves=Cell(0.1, "optimal", 0.0))
    assert SEEN == ["proves 50.0"]
    SEEN.clear()
    solve(tmp_path, time_limit=50.0, guesses=Cell(0.01, "optimal", 0.0), proves=Cell(0.1, "optimal", 0.0))
    left = float(SEEN[1].split()[1])
    assert 0 < left < 50.0


@pytest.mark.parametrize(
    ("options", "said"),
    [({"target": "best"}, "exact, within-1%, fastest"), ({"time_limit": 0.0}, "above 0")],
)
def test_options_are_checked(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        get_solver("auto", **options)


def test_a_table_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json"):
        get_solver("auto", table=str(tmp_path / "none.json")).solve(TASK.generate(3, "tiny"))


def test_reasons_why_a_candidate_cannot_be_used() -> None:
    assert why_unusable(Candidate("proves"), "extraction") is None
    assert why_unusable(Candidate("missing"), "extraction") == "pip install missing"
    assert "unknown solver" in str(why_unusable(Candidate("unheard-of"), None))
    assert "unknown option" in str(why_unusable(Candidate.of("greedy", {"speed": 3}), "extraction"))


@pytest.mark.parametrize("task", ["compression", "extraction", "parsing", "summarization", "transduction"])
@pytest.mark.parametrize("target", ["exact", "within-1%", "fastest"])
def test_the_built_in_advice_solves_every_task(task: str, target: str) -> None:
    instance = get_task(task).generate(9005, "tiny")
    best = get_solver("ilp-highs").solve(instance).objective
    solution = get_solver("auto", target=target).solve(instance)
    assert solution.message.startswith("took ")
    assert get_task(task).broken(instance, solution.structure) is None
    if target == "exact":
        assert solution.status == "optimal"
        assert solution.objective == pytest.approx(best, abs=1e-6)


def test_bare_graphs_are_solved() -> None:
    graph = FactorGraph()
    graph.add_variables([1.0, 2.0, -1.0])
    graph.add_logic("xor", [0, 1, 2])
    solution = get_solver("auto").solve(graph)
    assert solution.status == "optimal"
    assert solution.structure == (0, 1, 0)


def test_warming_up_calls_every_solver_that_may_be_taken(tmp_path: Path) -> None:
    """Two sizes with a different best solver: both are loaded, and what cannot be used is no error."""
    profiles = [TASK.profile(TASK.generate(3, size)) for size in ("tiny", "tac")]
    fast, slow = Cell(0.01, "optimal", 0.0), Cell(5.0, "optimal", 0.0)
    cells = [
        {Candidate("proves"): fast, Candidate("guesses"): slow},
        {Candidate("proves"): slow, Candidate("guesses"): fast, Candidate("missing"): fast},
    ]
    cases = [
        Case(profile, str(number), "", own) for number, (profile, own) in enumerate(zip(profiles, cells, strict=True))
    ]
    Table(tuple(cases)).write(tmp_path / "table.json")
    get_solver("auto", table=str(tmp_path / "table.json")).warm_up(TASK.generate(3, "tiny"))
    assert {said.split()[0] for said in SEEN} == {"proves", "guesses"}
