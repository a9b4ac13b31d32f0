"""Gurobi and Xpress: the size of a licence, a machine without them, and other libraries in the same process."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from licences import LICENSED, covers

from bench import run
from bench.cli.machine import solver_health, solvers_table
from problems import get_task
from problems.compression.generate import generate_hard
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.fg_writer import write_fg
from problems.linear_program import LinearProgram, ProgramBuilder
from problems.summarization.generate import generate_zipf
from solvers import get_solver, solver_class
from solvers.linear import gurobi
from solvers.linear.backend import LinearBackend
from solvers.linear.licensed import plain_bound

ROOT = Path(__file__).parents[2]
LIBRARIES = {"ilp-gurobi": "gurobipy", "lp-gurobi": "gurobipy", "ilp-xpress": "xpress", "lp-xpress": "xpress"}
ROWS, COLUMNS = "{:,} rows; this Gurobi licence ends at 2,000.", "{:,} columns; this Gurobi licence ends at 2,000."
BOTH = "{:,} rows and {:,} columns; this Xpress licence ends at 5,000 of both together."


def backend(name: str, **options: Any) -> LinearBackend:
    solver = get_solver(name, **options)
    assert isinstance(solver, LinearBackend)
    return solver


def sized(rows: int, columns: int, low: float = -math.inf) -> LinearProgram:
    """Maximise the sum of 0/1 columns, of which every row has two neighbours and allows one."""
    builder = ProgramBuilder()
    x = builder.add_columns(np.ones(columns), integer=True)
    ends = np.stack([x[np.arange(rows) % columns], x[(np.arange(rows) + 1) % columns]], axis=1)
    builder.add_rows(np.full(rows, 2), ends.ravel(), np.ones(2 * rows), low, 1.0)
    return builder.build()


def limited(name: str) -> None:
    """Skip a test of the licence that comes with the library on a machine that has a better one."""
    graph = FactorGraph()
    graph.add_budget(graph.add_variables(np.ones(6000)), 1)
    if covers(name, graph):
        pytest.skip("this machine has a licence without a limit")


@pytest.mark.parametrize("name", LICENSED)
def test_a_program_beyond_the_licence_is_refused_in_one_sentence(name: str) -> None:
    limited(name)
    cases: list[tuple[LinearProgram, str]] = [(sized(4000, 1001), BOTH.format(4000, 1001))]
    if "gurobi" in name:
        cases = [
            (sized(3770, 10), ROWS.format(3770)),
            (sized(2001, 2000), ROWS.format(2001)),
            (sized(2000, 2001), COLUMNS.format(2001)),
            (sized(1100, 1000, low=0.0), COLUMNS.format(2100)),  # a row with two sides takes a column
            (sized(2500, 3000), "2,500 rows and 3,000 columns; this Gurobi licence ends at 2,000."),
        ]
    for program, sentence in cases:
        with pytest.raises(InputError) as refused:
            backend(name, reduced=True).optimize(program)
        assert str(refused.value) == sentence


@pytest.mark.parametrize("name", LICENSED)
def test_a_refused_program_is_worth_reducing_once(name: str) -> None:
    """The advice is true: the graph that is refused is solved reduced. One that is still too large gets no advice."""
    limited(name)
    graph = FactorGraph()
    concepts, words = graph.add_variables(np.ones(80)), graph.add_variables(-np.ones(80))
    for concept in concepts:
        graph.add_logic("or_out", [*words, concept])
    with pytest.raises(InputError, match="licence ends at") as refused:
        get_solver(name).solve(graph)
    assert str(refused.value).endswith(". `--option reduced=true` makes the program smaller by exact means.")
    assert get_solver(name, reduced=True).solve(graph).objective == 79.0
    large = FactorGraph()
    large.add_budget(large.add_variables(np.ones(6000)), 1)
    with pytest.raises(InputError, match=r"licence ends at [^.]*\.$"):
        get_solver(name, reduced=True).solve(large)


@pytest.mark.parametrize("name", LICENSED)
def test_a_program_as_large_as_the_licence_is_solved(name: str) -> None:
    program = sized(2000, 2000) if "gurobi" in name else sized(4000, 1000)
    outcome = backend(name).optimize(program)
    assert outcome.values is not None
    assert program.value(outcome.values) == pytest.approx(program.number_of_columns / 2)  # an even cycle
    assert outcome.bound == pytest.approx(program.number_of_columns / 2)


@pytest.mark.parametrize("name", ["ilp-gurobi", "lp-gurobi"])
def test_the_size_is_not_judged_before_the_library_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a user's own licence would be of no use."""
    monkeypatch.setattr(gurobi, "FREE_LICENCE", 1)
    assert backend(name).optimize(sized(10, 10)).status == "solved"


def test_another_limit_of_gurobi_has_a_sentence_too() -> None:
    assert gurobi.too_large(9, 12) == "9 rows and 12 columns are more than this Gurobi licence covers."


@pytest.mark.parametrize("name", LICENSED)
def test_ranges_have_one_dual_each_and_either_end_may_hold(name: str) -> None:
    for sign in (1.0, -1.0):
        builder = ProgramBuilder()
        x = builder.add_columns(sign * np.array([3.0, 2.0, 1.0]), -4.0, 5.0, integer=True)
        builder.add_rows(np.array([2, 2]), x[[0, 1, 1, 2]], np.ones(4), [-3.0, -1.0], [4.0, 2.0])
        program = builder.build()
        best = max(
            program.value(np.array(point))
            for point in itertools.product(range(-4, 6), repeat=3)
            if program.violation(np.array(point, dtype=float)) <= 0
        )
        outcome = backend(name).optimize(program)
        assert outcome.values is not None
        assert (program.value(outcome.values), outcome.bound) == pytest.approx((best, best))


@pytest.mark.parametrize(
    ("task_name", "size", "seeds"),
    [("summarization", "tiny", 3), ("extraction", "tiny", 8), ("parsing", "tiny", 6), ("compression", "tiny", 6)],
)
def test_generated_problems_have_the_optimum_of_brute_force(task_name: str, size: str, seeds: int) -> None:
    task = get_task(task_name)
    for seed in range(seeds):
        instance = task.generate(seed, size)
        best = get_solver("brute-force", max_structures=10**6).solve(instance)
        bound = get_solver("lp-highs").solve(instance).bound
        assert best.status == "optimal"
        for name in LICENSED:
            found = get_solver(name).solve(instance)
            assert task.broken(instance, found.structure) is None
            if name.startswith("ilp"):
                assert found.status == "optimal", (name, seed)
                assert found.objective == pytest.approx(best.objective, rel=1e-6), (name, seed)
            else:
                assert found.bound == pytest.approx(bound, rel=1e-6), (name, seed)
                assert found.objective <= best.objective * (1 + 1e-9)


def test_problems_near_the_licence_have_the_optimum_of_highs() -> None:
    problems = [
        *(generate_zipf(seed, 8) for seed in range(2)),
        *(get_task("parsing").generate(seed, "short") for seed in range(2)),
        *(get_task("compression").generate(seed, "10") for seed in range(2)),
        generate_hard(2, 7),
    ]
    for instance in problems:
        exact, relaxed = (get_solver(name).solve(instance) for name in ("ilp-highs", "lp-highs"))
        for name in LICENSED:
            found = get_solver(name).solve(instance)
            if name.startswith("ilp"):
                assert found.status == "optimal", (name, instance.name)
                assert found.objective == pytest.approx(exact.objective, rel=1e-6), (name, instance.name)
            else:
                assert found.bound == pytest.approx(relaxed.bound, rel=1e-6), (name, instance.name)


def test_the_runner_skips_what_the_licence_does_not_cover(tmp_path: Path) -> None:
    limited("ilp-gurobi")
    small, large = FactorGraph(), FactorGraph()
    for graph, count in ((small, 20), (large, 2100)):
        x = graph.add_variables(np.ones(count))
        for first in range(count):
            graph.add_logic("at_most_one", [x[first], x[(first + 1) % count]])
    write_fg(small, tmp_path / "a-small.fg")
    write_fg(large, tmp_path / "b-large.fg")
    given = {
        "name": "licences",
        "task": "graph",
        "repetitions": 1,
        "instances": {"load": str(tmp_path / "*.fg")},
        "solvers": [{"name": "ilp-gurobi"}, {"name": "ilp-highs"}],
        "limits": {"seconds": 30.0},
    }
    records = run(given, out=tmp_path / "run").set_index(["solver", "instance"])
    assert len(records) == 4
    assert records["status"].tolist().count("optimal") == 3
    (refused,) = records.index[records["status"] == "skipped"]
    assert refused[0] == "ilp-gurobi"
    assert "large" in refused[1]
    advice = "`--option reduced=true` makes the program smaller by exact means."
    assert (
        records.loc[refused, "message"] == f"2,100 rows and 2,100 columns; this Gurobi licence ends at 2,000. {advice}"
    )
    assert records["solver_version"].groupby("solver").first()["ilp-gurobi"].startswith("Gurobi 1")


@pytest.mark.parametrize("name", LICENSED)
def test_a_machine_without_the_library(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, extra = LIBRARIES[name], name.split("-")[1]
    monkeypatch.setitem(sys.modules, library, None)  # importing it fails
    command = f"pip install 'dualbench[{extra}]'"
    assert command in str(solver_class(name).unavailable())
    with pytest.raises(InputError, match=f"solver '{name}' cannot be used here: the Python package {library}"):
        get_solver(name).solve(get_task("extraction").generate(1, "tiny"))
    given = {
        "name": "without",
        "task": "extraction",
        "repetitions": 1,
        "instances": {"generate": {"size": "tiny", "seeds": [3]}},
        "solvers": [{"name": name}],
        "limits": {"seconds": 20.0},
    }
    records = run(given, out=tmp_path / "run")
    assert records["status"].tolist() == ["skipped"]
    assert command in records["message"][0]
    names, *_, origins = (list(column.cells) for column in solvers_table().columns)
    assert "not available" in str(origins[names.index(name)])
    assert "not available" not in str(origins[names.index("ilp-highs")])
    (health,) = (one for one in solver_health() if one.name == name)
    assert command in str(health.problem)


@pytest.mark.parametrize(
    ("name", "variable"), [("ilp-gurobi", "GRB_LICENSE_FILE"), ("lp-xpress", "XPAUTH_PATH")], ids=["gurobi", "xpress"]
)
def test_a_licence_that_cannot_be_used(name: str, variable: str, tmp_path: Path) -> None:
    code = f"from solvers import solver_class; print(solver_class({name!r}).unavailable())"
    environment = os.environ | {variable: str(tmp_path / "none.lic")}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert "finds no licence that it may use (" in answer.stdout
    assert "none.lic" in answer.stdout


@pytest.mark.parametrize("turn", [1, -1])
def test_libraries_get_along_in_one_process(turn: int) -> None:
    """HiGHS 1.15 and OR-tools 9.15 did not."""
    names = [
        "ilp-gurobi",
        "ilp-cpsat",
        "lp-xpress",
        "ilp-scip",
        "ilp-highs",
        "lp-gurobi",
        "lp-clp",
        "ilp-xpress",
        "ilp-glpk",
    ]
    code = (
        "from problems import get_task; from solvers import get_solver\n"
        "instance = get_task('extraction').generate(2, 'tiny')\n"
        f"for name in {names[::turn]}: print(get_solver(name).solve(instance).bound.__round__(6))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    bounds = [float(line) for line in answer.stdout.split()]
    assert len(bounds) == 9
    exact = [bound for bound, name in zip(bounds, names[::turn], strict=True) if name.startswith("ilp")]
    assert exact == pytest.approx([exact[0]] * len(exact), rel=1e-6)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_large_number_of_a_library_is_an_infinite_bound(sign: int) -> None:
    assert plain_bound(sign * 1e100, 1e100) == sign * math.inf
    assert plain_bound(sign * 5.0, 1e100) == sign * 5.0
