"""What a single library needs: settings, files, programs of its own, versions."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from linear_programs import INF, KNAPSACK, backend, best_point, check_solved, market_split, program

from problems.errors import InputError
from solvers import solver_class
from solvers.linear import BACKENDS

ROOT = Path(__file__).parents[2]


def test_cpsat_accounts_for_rounded_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """With scores of 12 bits the optimum may be missed, but never by more than the bound admits."""
    monkeypatch.setattr("solvers.linear.integral.OBJECTIVE_BITS", 12)
    gaps = []
    for seed in range(10):
        scores = np.random.default_rng(seed).random(10)
        lp = program(scores, [([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], -INF, 18.0)])
        outcome = backend("ilp-cpsat").optimize(lp)
        assert outcome.bound >= best_point(lp)
        gaps.append(outcome.bound - lp.value(outcome.values))
    assert 0 < max(gaps) < 10 * 2.0**-8


def test_cpsat_solves_knapsacks_of_large_coefficients() -> None:
    """Its presolve loses some of their optima (OR-tools issue 5293); this is one of them."""
    costs = [1625957903622, 2032028309372, 4562099190666, 2655064807342]
    costs += [1222453478392, 1141281291963, 4194020190303, 1066638218263]
    scores = [6324390882968, 140737488355, 6667438510834, 4512395720393]
    scores += [8171570417631, 580542139466, 7397514231677, 589338232488]
    lp = program(scores, [(costs, -INF, 9444732975185.0)])
    check_solved("ilp-cpsat", lp, backend("ilp-cpsat").optimize(lp), best_point(lp))


def test_cpsat_rounds_rows_without_a_common_denominator() -> None:
    lp = program([1] * 3, [([math.pi * 1e-12, math.sqrt(2) * 1e6, 1], -INF, 2.0)])
    check_solved("ilp-cpsat", lp, backend("ilp-cpsat").optimize(lp), 2.0)


def test_cpsat_refuses_what_it_cannot_scale() -> None:
    with pytest.raises(InputError, match="column 1"):
        backend("ilp-cpsat").optimize(program([1, 1], [([1, 1], 0, 1)], upper=[1, 0.5], integer=False))


def test_glpk_branches_as_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule that GLPK is given, by the option; both prove the same optimum."""
    import swiglpk

    rules = []
    solve = swiglpk.glp_intopt
    monkeypatch.setattr(
        swiglpk, "glp_intopt", lambda problem, control: rules.append(control.br_tech) or solve(problem, control)
    )
    lp = program([5.0, 4.0, 3.0], [([2.0, 3.0, 1.0], -INF, 3.0), ([4.0, 1.0, 2.0], -INF, 5.0)])
    found = [backend("ilp-glpk", **options).optimize(lp) for options in ({}, {"branching": "default"})]
    assert rules == [swiglpk.GLP_BR_MFV, swiglpk.GLP_BR_DTH]
    assert [outcome.bound for outcome in found] == [pytest.approx(5.0)] * 2
    with pytest.raises(InputError, match="'branching' of solver 'ilp-glpk' must be one of most-fractional, default"):
        backend("ilp-glpk", branching="first")


def test_glpk_arrays_do_not_depend_on_the_memory_layout() -> None:
    """Where the address of a SWIG array is not that of its elements, they are assigned one by one."""
    import swiglpk

    from solvers.linear.glpk import _one_based

    elsewhere = np.full(4, 7.0)

    class Indirect:
        def __init__(self, length: int) -> None:
            self.elements = [0.0] * length
            self.this = elsewhere.ctypes.data

        def __setitem__(self, position: int, number: float) -> None:
            self.elements[position] = number

    numbers = np.array([1.5, 2.5, 3.5])
    assert _one_based(Indirect, numbers).elements[1:] == [1.5, 2.5, 3.5]
    assert elsewhere.tolist() == [7.0] * 4
    direct = _one_based(swiglpk.doubleArray, numbers)
    assert [direct[i] for i in (1, 2, 3)] == [1.5, 2.5, 3.5]


def test_unknown_pulp_backend_names_the_available_ones() -> None:
    with pytest.raises(InputError, match="PULP_CBC_CMD"):
        backend("ilp-pulp", backend="NO_SUCH_SOLVER").optimize(KNAPSACK)


def test_pulp_runs_another_backend() -> None:
    check_solved("ilp-pulp", KNAPSACK, backend("ilp-pulp", backend="HiGHS").optimize(KNAPSACK), 23.0)


@pytest.mark.parametrize("name", ["ilp-cbc", "ilp-pulp"])
def test_no_files_are_left(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    backend(name).optimize(KNAPSACK)
    backend(name, time_limit=0.1).optimize(market_split())
    assert list(tmp_path.iterdir()) == []


def test_cbc_that_ignores_its_limit_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = tmp_path / "cbc"
    stubborn.write_text("#!/bin/sh\nexec sleep 30\n")
    stubborn.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(stubborn))
    monkeypatch.setattr("solvers.linear.cbc.GRACE", 0.1)
    start = time.perf_counter()
    outcome = backend("ilp-cbc", time_limit=0.1).optimize(KNAPSACK)
    assert time.perf_counter() - start < 5
    assert (outcome.status, outcome.values, outcome.bound) == ("stopped", None, 40.0)


@pytest.mark.parametrize(("seconds", "status"), [(0.0, "infeasible"), (1.1, "stopped")])
def test_what_cbc_says_at_its_time_limit_is_no_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, status: str
) -> None:
    hasty = tmp_path / "cbc"
    hasty.write_text(
        f"#!/bin/sh\nsleep {seconds}\necho 'Continuous objective value is -9e+06 - 0.02 seconds'\n"
        "echo 'Integer infeasible - objective value 0' > solution.txt\n"
    )
    hasty.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(hasty))
    outcome = backend("ilp-cbc", time_limit=1.0).optimize(KNAPSACK)
    assert outcome.status == status
    if status == "stopped":
        assert 9e6 / 2**18 < outcome.bound < 9.001e6 / 2**18  # KNAPSACK's scores sum to 40, 2^24 in scaled units


def test_crashes_are_told_from_errors_on_every_system() -> None:
    from solvers.linear.cbc import crashed

    assert crashed(-11)
    assert crashed(0xC0000005)  # an access violation on Windows
    assert not crashed(0)
    assert not crashed(3)


def test_cbc_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "cbc"
    broken.write_text("#!/bin/sh\necho no licence\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr("solvers.linear.cbc.cbc_path", lambda: str(broken))
    with pytest.raises(RuntimeError, match=r"ilp-cbc.*exit code 3.*no licence"):
        backend("ilp-cbc").optimize(KNAPSACK)


def test_names_and_table_agree() -> None:
    for name in BACKENDS:
        solver = type(backend(name))
        assert solver.name == name
        assert solver.relaxation == name.startswith("lp-")
        assert solver.exact == name.startswith("ilp-")
        assert any(character.isdigit() for character in solver.version())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ilp-cbc", r"CBC [\d.]+ of PuLP [\d.]+"),
        ("ilp-pulp", r"PuLP [\d.]+ \(by default CBC [\d.]+\)"),
        ("ilp-scip", r"SCIP [\d.]+ of OR-tools [\d.]+"),
        ("lp-clp", r"Clp [\d.]+ of OR-tools [\d.]+"),
        ("maxsat-rc2", r"RC2 of python-sat [\d.]+\S*"),
        ("tree-ilp", r"by default HiGHS [\d.]+"),
        ("wcsp-toulbar2", r"toulbar2 v?[\d.]+\S* of pytoulbar2 [\d.]+"),
    ],
)
def test_versions_name_the_library_behind_another(name: str, said: str) -> None:
    solver = solver_class(name)
    if (reason := solver.unavailable()) is not None:
        pytest.skip(reason)
    assert re.fullmatch(said, solver.version())


def test_importing_backends_imports_no_library() -> None:
    modules = ", ".join(sorted({target.split(":")[0] for target in BACKENDS.values()}))
    code = f"import sys; import {modules}; print({{'ortools', 'highspy', 'swiglpk', 'pulp', 'scipy', 'gurobipy', 'xpress'}} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert answer.stdout.strip() == "set()"
