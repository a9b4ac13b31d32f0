"""Exported files, read back by other programs: the same optimum, digit by digit the same numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_strategies import factor_graphs
from hypothesis import given

from bench.cli.exporting import export_instance
from problems import get_task
from problems.errors import InputError
from problems.factor_graph import FactorGraph
from problems.formats.fg import read_fg
from problems.formats.fg_writer import write_fg
from problems.linear_program import LinearProgram, ProgramBuilder
from solvers import get_solver
from solvers.linear.lp_format import write_lp

INF = np.inf


def by_highs(path: Path) -> float | None:
    """The optimum of a file, None if it is infeasible, by HiGHS."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    if highs.getModelStatus() in (
        highspy.HighsModelStatus.kInfeasible,
        highspy.HighsModelStatus.kUnboundedOrInfeasible,
    ):
        return None
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


def by_glpk(path: Path) -> float | None:
    import swiglpk as glpk

    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    try:
        assert glpk.glp_read_lp(problem, None, str(path)) == 0
        assert glpk.glp_get_obj_dir(problem) == glpk.GLP_MAX
        control = glpk.glp_iocp()
        glpk.glp_init_iocp(control)
        control.presolve = glpk.GLP_ON
        if glpk.glp_intopt(problem, control) == glpk.GLP_ENOPFS or glpk.glp_mip_status(problem) == glpk.GLP_NOFEAS:
            return None
        assert glpk.glp_mip_status(problem) == glpk.GLP_OPT
        return float(glpk.glp_mip_obj_val(problem))
    finally:
        glpk.glp_delete_prob(problem)


def by_cbc(path: Path) -> float | None:
    """The optimum as CBC prints it, with eight decimals."""
    from solvers.linear.cbc import cbc_path

    answer = path.with_suffix(".solution")
    command = [str(cbc_path()), str(path), "-ratioGap", "0", "-allowableGap", "0", "-solve", "-solution", str(answer)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    status, _, value = answer.read_text().splitlines()[0].partition(" - objective value ")
    return None if status == "Infeasible" else float(value)


def program(
    objective: list[float],
    rows: list[tuple[list[tuple[int, float]], float, float]],
    lower: Any = 0.0,
    upper: Any = 1.0,
    integer: bool = True,
    constant: float = 0.0,
) -> LinearProgram:
    builder = ProgramBuilder(constant=constant)
    if objective:
        builder.add_columns(objective, lower, upper, integer=integer)
    for entries, low, high in rows:
        columns = np.array([column for column, _ in entries], dtype=np.int64)
        values = np.array([value for _, value in entries], dtype=np.float64)
        builder.add_rows(np.array([len(entries)]), columns, values, low, high)
    return builder.build()


PROGRAMS: dict[str, tuple[LinearProgram, float | None]] = {
    "equality": (program([1.0, 2.0, 3.0], [([(0, 1.0), (1, 1.0), (2, 1.0)], 2.0, 2.0)]), 5.0),
    "range": (program([1.0, 1.0, 1.0], [([(0, 2.0), (1, 3.0), (2, 4.0)], 5.0, 7.0)]), 2.0),
    "range binds below": (program([-1.0, -1.0, -1.0], [([(0, 2.0), (1, 3.0), (2, 4.0)], 5.0, 8.0)]), -2.0),
    "constant": (program([1.0, -2.0], [([(0, 1.0), (1, 1.0)], -INF, 1.0)], constant=-10.5), -9.5),
    "negative bounds": (program([1.0, -1.0], [([(0, 1.0), (1, 1.0)], -7.0, 5.0)], [-3.0, -4.0], [-1.0, 9.0]), 3.0),
    "integers": (program([1.0], [([(0, 2.0)], -INF, 7.0)], 0.0, INF), 3.0),
    "continuous": (program([1.0], [([(0, 2.0)], -INF, 7.0)], 0.0, INF, integer=False), 3.5),
    "free": (program([-1.0], [([(0, 1.0)], -4.5, INF)], -INF, INF, integer=False), 4.5),
    "no lower bound": (program([-1.0], [([(0, 1.0)], -4.5, INF)], -INF, 2.0, integer=False), 4.5),
    "fixed": (program([1.0, 1.0], [([(0, 1.0), (1, 1.0)], -INF, 9.0)], [1.0, 0.0], 1.0), 2.0),
    "a row without entries": (program([1.0], [([], -1.0, 1.0), ([(0, 1.0)], -INF, 0.0)]), 0.0),
    "no rows": (program([1.0, -1.0, 0.0], []), 1.0),
    "no columns": (program([], [], constant=2.5), 2.5),
    "infeasible": (program([1.0], [([(0, 1.0)], 2.0, INF)]), None),
    "small and large numbers": (program([1e-7, 1e7], [([(0, 1e-3), (1, 1e5)], -INF, 1e5 + 1e-3)]), 1e7 + 1e-7),
    "long row": (program([1.0] * 500, [([(j, 1.0 + j / 7) for j in range(500)], -INF, 100.0)]), 31.0),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_lp_files_keep_the_optimum(case: str, tmp_path: Path) -> None:
    written, optimum = PROGRAMS[case]
    path = tmp_path / "program.lp"
    write_lp(written, path)
    assert max(map(len, path.read_text().splitlines())) < 255
    for read in (by_highs, by_glpk, by_cbc):
        found = read(path)
        assert (found is None) == (optimum is None)
        assert optimum is None or found == pytest.approx(optimum, rel=1e-9, abs=1e-9)


def test_the_long_row_takes_the_cheapest_items() -> None:
    """31 items cost 31 + (0 + 1 + ... + 30) / 7 = 97.4, the next 5.4 more."""
    assert 31 + sum(range(31)) / 7 <= 100.0 < 32 + sum(range(32)) / 7
    assert PROGRAMS["long row"][1] == 31.0


def test_lp_files_keep_every_digit(tmp_path: Path) -> None:
    import highspy

    rng = np.random.default_rng(1)
    builder = ProgramBuilder()
    columns = builder.add_columns(rng.normal(size=5), -rng.random(5), 1 / 3 + rng.random(5))
    builder.add_rows(np.array([5]), columns, rng.normal(size=5), -INF, rng.random())
    builder.add_rows(np.array([5]), columns, rng.normal(size=5) * 1e-5, -rng.random(), INF)
    written = builder.build()
    write_lp(written, tmp_path / "program.lp")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(tmp_path / "program.lp"))
    read = highs.getLp()
    assert [highs.getColName(j)[1] for j in range(5)] == [f"x{j}" for j in range(5)]
    np.testing.assert_array_equal(read.col_cost_, written.objective)
    np.testing.assert_array_equal(read.col_lower_, written.lower)
    np.testing.assert_array_equal(read.col_upper_, written.upper)
    np.testing.assert_array_equal(read.row_lower_, written.row_lower)
    np.testing.assert_array_equal(read.row_upper_, written.row_upper)
    assert sorted(read.a_matrix_.value_) == sorted(written.row_values)


@given(factor_graphs(most_variables=5, most_factors=3))
def test_exported_graphs_have_the_optimum_of_brute_force(graph: FactorGraph) -> None:
    import tempfile

    expected = get_solver("brute-force").solve(graph)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.lp"
        write_lp(graph.linear_program(), path)
        for found in (by_highs(path), by_glpk(path)):
            assert (found is None) == (expected.status == "infeasible")
            assert found is None or found == pytest.approx(expected.objective, abs=1e-6)


@given(factor_graphs(most_variables=6, most_factors=5))
def test_fg_round_trip(graph: FactorGraph) -> None:
    """Every graph is either written and read back as it was, or refused with the kind that cannot be said."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.fg"
        sayable = {"xor", "at_most_one", "or", "or_out", "budget", "pair", "dense"}
        unsayable = [block.kind for block in graph.blocks if block.kind not in sayable]
        infinite = any(not np.isfinite(block.floats).all() for block in graph.blocks)
        if unsayable or infinite:
            with pytest.raises(InputError, match=r"^the \.fg format cannot say (factors of kind|forbidden states)"):
                write_fg(graph, path)
            assert not path.exists()
            return
        write_fg(graph, path)
        (read,) = read_fg(path)
    np.testing.assert_array_equal(read.scores, graph.scores)
    kinds = {block.kind: block for block in read.blocks}
    assert set(kinds) == {block.kind for block in graph.blocks}
    for block in graph.blocks:
        other = kinds[block.kind]
        for what in ("starts", "variables", "negated", "ints", "floats"):
            np.testing.assert_array_equal(getattr(other, what), getattr(block, what))


def test_what_fg_cannot_say(tmp_path: Path) -> None:
    constant = FactorGraph()
    constant.add_variables([1.0])
    constant.constant = 0.5
    with pytest.raises(InputError, match=r"no place for the graph's constant of 0\.5"):
        write_fg(constant, tmp_path / "graph.fg")
    forbidden = FactorGraph()
    forbidden.add_dense([forbidden.add_variables([1.0, 2.0])], [0.0, -INF])
    with pytest.raises(InputError, match=r"cannot say forbidden states \(-inf\) of a factor of kind 'dense'"):
        write_fg(forbidden, tmp_path / "graph.fg")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    task = get_task("summarization")
    task.save(task.generate(3, "tiny"), tmp_path / "tiny.json")
    return tmp_path / "tiny.json"


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_an_instance_keeps_its_optimum(form: str, tiny: Path) -> None:
    expected = get_solver("ilp-cpsat").solve(get_task("summarization").load(tiny)).objective
    written = export_instance(tiny, form)
    assert written == tiny.with_suffix("." + form)
    assert isinstance(written, Path)
    found = by_highs(written)
    assert found is not None
    assert (found if form == "lp" else -found) == pytest.approx(expected)
    if form == "lp":
        assert by_glpk(written) == pytest.approx(expected)


def test_uai_becomes_fg(tmp_path: Path) -> None:
    source = tmp_path / "model.uai"
    source.write_text("MARKOV\n2\n2 2\n1\n2 0 1\n4\n1.0 2.0 3.0 4.5\n", encoding="utf-8")
    written = export_instance(source, "fg", tmp_path / "deeper" / "out.fg")
    assert isinstance(written, Path)
    expected = get_solver("brute-force").solve(FactorGraph.read(source))
    assert get_solver("brute-force").solve(FactorGraph.read(written)).structure == expected.structure


def test_refusals(tiny: Path) -> None:
    with pytest.raises(InputError, match="unknown format 'mpx': did you mean 'mps'"):
        export_instance(tiny, "mpx")
    with pytest.raises(InputError, match=r"tiny.json: the .fg format cannot say factors of kind 'subtree'"):
        export_instance(tiny, "fg")
    assert not tiny.with_suffix(".fg").exists()
    with pytest.raises(InputError, match="would overwrite the instance itself"):
        export_instance(tiny, "lp", tiny)
    graph = tiny.with_name("graph.fg")
    graph.write_text("1\n0\n0.5\n", encoding="utf-8")
    with pytest.raises(InputError, match="would overwrite the instance itself"):
        export_instance(graph, "fg")
    with pytest.raises(InputError, match=r"none.json: no such file"):
        export_instance(tiny.with_name("none.json"), "lp")
    (tiny.parent / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        export_instance(tiny, "lp", tiny.parent / "file" / "out.lp")


def test_the_command(tiny: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "bench.cli", "export", str(tiny), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=os.environ)

    done = run("--format", "lp")
    assert (done.returncode, done.stdout.strip()) == (0, str(tiny.with_suffix(".lp")))
    assert run("--format", "lp", "--out", "-").stdout == tiny.with_suffix(".lp").read_text()
    refused = run("--format", "fg")
    assert refused.returncode == 2
    assert "cannot say factors of kind" in refused.stderr


def test_third_order_parsing_is_refused_by_its_kinds_and_not_by_its_constant(tmp_path: Path) -> None:
    graph = get_task("parsing").graph(get_task("parsing").generate(1, "tiny"))
    assert graph.constant
    with pytest.raises(InputError, match=r"cannot say factors of kind 'arborescence' and 'grand_siblings'.*, only xor"):
        write_fg(graph, tmp_path / "x.fg")
