"""Looking solvers up, and what is said of unknown names and bad options."""

from __future__ import annotations

import dataclasses

import pytest

from problems import get_task
from problems.errors import InputError
from solvers import SOLVERS, get_solver, solver_class
from solvers.base import Solution, meets


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_every_solver_of_the_table_exists(name: str) -> None:
    chosen = solver_class(name)
    assert chosen.name == name
    assert chosen.unavailable() is None, "all required packages bring their solvers"
    assert chosen.version()
    assert get_solver(name).options == {field.name: field.default for field in dataclasses.fields(chosen)}


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ilp-cpsatt", {}, "unknown solver 'ilp-cpsatt': did you mean 'ilp-cpsat'?"),
        ("nothing like it", {}, "valid names are"),
        ("ilp-highs", {"timelimit": 3}, "unknown option 'timelimit' of solver 'ilp-highs': did you mean 'time_limit'?"),
        (
            "ilp-highs",
            {"time_limit": -1},
            "option 'time_limit' of solver 'ilp-highs' must be above 0 and finite, not -1",
        ),
        ("ilp-highs", {"time_limit": "soon"}, "must be a number or none, not 'soon'"),
        ("ilp-highs", {"seed": 1.5}, "option 'seed' of solver 'ilp-highs' must be a whole number, not 1.5"),
        ("ilp-highs", {"trace": 1}, "option 'trace' of solver 'ilp-highs' must be true or false, not 1"),
        ("ilp-highs", {"time_limit": float("inf")}, "must be above 0 and finite, not inf"),
        ("ilp-highs", {"rounding": "paper"}, "unknown option 'rounding' of solver 'ilp-highs'"),
        ("greedy", {"scaling": -1.0}, "option 'scaling' of solver 'greedy' must be at least 0"),
        ("brute-force", {"max_structures": 0}, "must be at least 1, not 0"),
    ],
)
def test_bad_names_and_options_are_one_sentence(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        get_solver(name, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_rounding_is_refused_before_solving() -> None:
    instance = get_task("summarization").generate(0, "tiny")
    with pytest.raises(InputError, match="unknown rounding 'papper' of task 'summarization': did you mean 'paper'"):
        get_solver("lp-highs", rounding="papper").solve(instance)


def test_solver_of_another_task_is_refused() -> None:
    with pytest.raises(InputError, match="'greedy' does not solve task 'summarization', only extraction"):
        get_solver("greedy", task="summarization")
    with pytest.raises(InputError, match="task 'extraction' only"):
        get_solver("greedy").solve(get_task("summarization").generate(0, "tiny"))
    with pytest.raises(InputError, match="not int"):
        get_solver("ilp-highs").solve(3)


def test_brute_force_refuses_large_instances() -> None:
    with pytest.raises(InputError, match="more than brute force's limit of 2000000"):
        get_solver("brute-force").solve(get_task("summarization").generate(0, "zipf"))


def test_gap_and_optimality() -> None:
    assert Solution("feasible", objective=200.0, bound=210.0).gap == pytest.approx(0.05)
    assert meets(200.0, 200.0 + 1e-4)
    assert not meets(200.0, 200.0 + 3e-4)
    assert meets(-200.0, -200.0)
