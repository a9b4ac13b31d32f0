"""Exported files, read back by other programs: the same optimum, digit by digit the same numbers."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
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
    expected = get_solver("brute-force").solve(graph)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.lp"
        write_lp(graph.linear_program(), path)
        for found in (by_highs(path), by_glpk(path)):
            assert (found is None) == (expected.status == "infeasible")
            assert found is None or found == pytest.approx(expected.objective, abs=1e-6)


@given(factor_graphs(most_variables=6, most_factors=5))
def test_fg_round_trip(graph: FactorGraph) -> None:
    """Every graph is written and read back with the score of every assignment, or refused with what cannot be said."""
    kinds = [kind for kind in graph.kinds if kind in ("projective_tree", "tri_siblings", "derivation")]
    infinite = any(not np.isfinite(block.floats).all() for block in graph.blocks)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.fg"
        try:
            write_fg(graph, path)
        except InputError as error:
            said = str(error)
        else:
            said = ""
            (read,) = read_fg(path)
        assert path.exists() == (not said)
    if kinds:
        assert said.startswith(f"the .fg format cannot say factors of kind {kinds[0]!r}")
    elif infinite:
        assert said.startswith("the .fg format cannot say")
    elif said:
        assert "grand_siblings" in graph.kinds
        assert said == "the .fg format cannot say scores of grandparent and two siblings together."
    else:
        assert read.number_of_variables == graph.number_of_variables
        for values in itertools.product((0, 1), repeat=graph.number_of_variables):
            assert read.objective(values) == pytest.approx(graph.objective(values), abs=1e-9)


def lines_of(graph: FactorGraph, folder: Path) -> list[str]:
    write_fg(graph, folder / "graph.fg")
    return (folder / "graph.fg").read_text().splitlines()[2 + graph.number_of_variables :]


def test_fg_lines_have_few_negations_and_degrees_that_ad3_takes(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables(np.zeros(4))
    graph.add_logic("xor_out", x[:3])
    graph.add_logic("xor", x[:3], [True, False, False])
    graph.add_logic("and_out", x[:3])
    graph.add_logic("or_out", x[:3])
    graph.add_logic("or_out", x[:2])
    graph.add_logic("imply", x[:2])
    graph.add_logic("or", x[:1])
    graph.add_logic("at_most_one", x[:1], [True])
    assert lines_of(graph, tmp_path) == [
        "XOROUT 3 1 2 3",
        "XOR 3 -1 2 3",
        "ANDOUT 3 1 2 3",
        "OROUT 3 1 2 3",
        "XOR 2 1 -2",
        "OR 2 -1 2",
        "XOR 1 1",
        "BUDGET 1 -1 1",
    ]


def test_fg_lines_of_structures(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables(np.zeros(4))
    graph.add_arborescence(x, [0, 2, 0, 1], [1, 1, 2, 2], 2, single_root=True)
    graph.add_head_bigrams([x[:2], x[2:]], [[[0.5, -1.0], [0.25, 2.0]]])
    grandparent, sibling = np.array([[0.5], [-0.25]]), np.array([[1.0, 2.0], [0.0, 4.0]])
    graph.add_grand_siblings(x[:2], x[3:], [0, 2], [2], sibling, grandparent)
    assert (
        lines_of(graph, tmp_path)
        == [
            "ARBORESCENCE 4 1 2 3 4 3 0 1 2 1 0 2 1 2",
            "XOR 2 1 3",
            "SEQUENCE 4 1 2 3 4 2 2 2 0.0 0.0 0.5 -1.0 0.25 2.0 0.0 0.0",
            "GRANDPARENT_HEAD_AUTOMATON 3 1 2 4 2 0.0 0.0 1.5 2.0 4.0",  # word 2 as the grandparent excludes it as a modifier
            "ATMOSTONE 2 2 4",
        ]
    )
    graph.constant = -0.5
    assert lines_of(graph, tmp_path)[-1] == "HEAD_AUTOMATON 0 -0.5"


def test_a_knapsack_is_a_line_of_our_own(tmp_path: Path) -> None:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0, 3.0])
    graph.add_knapsack(x, [2, 3, 4], 6, [False, False, True])
    graph.add_knapsack(x, [2, 3, 4], 6, hull=True)
    assert lines_of(graph, tmp_path) == ["KNAPSACK 3 1 2 -3 2.0 3.0 4.0 6.0", "KNAPSACK_HULL 3 1 2 3 2 3 4 6"]
    assert "AD3's reader does not know them" in (tmp_path / "graph.fg").read_text().splitlines()[1]
    (read,) = read_fg(tmp_path / "graph.fg")
    assert read.kinds == graph.kinds


def test_what_fg_cannot_say(tmp_path: Path) -> None:
    forbidden = FactorGraph()
    forbidden.add_dense([forbidden.add_variables([1.0, 2.0])], [0.0, -INF])
    with pytest.raises(InputError, match=r"cannot say forbidden states \(-inf\) of a factor of kind 'dense'"):
        write_fg(forbidden, tmp_path / "graph.fg")
    third = FactorGraph()
    x = third.add_variables(np.zeros(4))
    scores = np.arange(18.0).reshape(2, 3, 3) ** 2
    third.add_grand_siblings(x[:2], x[2:], [5, 6], [1, 2], np.zeros((3, 3)), None, scores)
    with pytest.raises(InputError, match="scores of grandparent and two siblings together"):
        write_fg(third, tmp_path / "graph.fg")


@pytest.mark.parametrize("size", ["tiny-1", "tiny-2", "tiny-2+"])
def test_a_parse_keeps_its_optimum_as_fg(tmp_path: Path, size: str) -> None:
    task = get_task("parsing")
    for seed in range(1, 6):
        graph = task.graph(task.generate(seed, size))
        write_fg(graph, tmp_path / "parse.fg")
        expected = get_solver("ilp-highs").solve(graph).objective
        for solver in ("ilp-highs", "ilp-cpsat", "ad3-exact"):
            found = get_solver(solver).solve(FactorGraph.read(tmp_path / "parse.fg"))
            assert found.objective == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    task = get_task("summarization")
    task.save(task.generate(3, "tiny"), tmp_path / "tiny.json")
    return tmp_path / "tiny.json"


@pytest.mark.parametrize("form", ["fg", "wcsp", "cfn"])
def test_an_instance_keeps_its_optimum_as_a_graph(form: str, tiny: Path) -> None:
    expected = get_solver("ilp-cpsat").solve(get_task("summarization").load(tiny)).objective
    written = export_instance(tiny, form)
    assert isinstance(written, Path)
    assert get_solver("ilp-highs").solve(FactorGraph.read(written)).objective == pytest.approx(expected)


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
    task = get_task("compression")
    task.save(task.generate(1, "tiny"), tiny.with_name("other.json"))
    with pytest.raises(InputError, match=r"other.json: the .fg format cannot say factors of kind 'derivation'"):
        export_instance(tiny.with_name("other.json"), "fg")
    assert not tiny.with_name("other.fg").exists()
    with pytest.raises(InputError, match=r"x\.evid: evidence is for \.uai files"):
        export_instance(tiny, "lp", evidence=tiny.with_name("x.evid"))
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
    def run(command: str, source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "bench.cli", command, str(source), *arguments]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, env=os.environ)

    done = run("export", tiny, "--format", "lp")
    assert (done.returncode, done.stdout.strip()) == (0, str(tiny.with_suffix(".lp")))
    assert run("export", tiny, "--format", "lp", "--out", "-").stdout == tiny.with_suffix(".lp").read_text()
    assert run("export", tiny, "--format", "cfn").returncode == 0
    found = json.loads(run("solve", tiny.with_suffix(".cfn"), "--solver", "ilp-highs", "--json").stdout)
    expected = get_solver("ilp-cpsat").solve(get_task("summarization").load(tiny)).objective
    assert (found["status"], found["objective"]) == ("optimal", pytest.approx(expected))
    network, evidence = tiny.with_name("model.uai"), tiny.with_name("model.uai.evid")
    network.write_text("BAYES\n2\n2 2\n2\n1 0\n2 0 1\n2 0.5 0.5\n4 0.875 0.125 0.25 0.75\n", encoding="utf-8")
    evidence.write_text("1 1 1\n", encoding="utf-8")
    found = json.loads(run("solve", network, "--evidence", str(evidence), "--json").stdout)
    assert found["structure"] == [0, 1, 0, 1]
    tiny.with_suffix(".wcsp").write_text("n 1 x", encoding="utf-8")
    refused = run("solve", tiny.with_suffix(".wcsp"))
    assert refused.returncode == 2
    assert "line 1: expected the largest domain size, found 'x'" in " ".join(refused.stderr.split())


def test_third_order_parsing_is_refused_by_its_kind(tmp_path: Path) -> None:
    graph = get_task("parsing").graph(get_task("parsing").generate(1, "tiny"))
    assert graph.constant
    with pytest.raises(InputError, match=r"cannot say factors of kind 'tri_siblings', only xor"):
        write_fg(graph, tmp_path / "x.fg")
