"""MPS files, read back by HiGHS and GLPK."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from linear_programs import CANONICAL, program

from solvers.linear.mps import write_mps

ROUND_TRIPS = [case for case in CANONICAL if CANONICAL[case][0].number_of_columns and CANONICAL[case][0].number_of_rows]


@pytest.mark.parametrize("case", ROUND_TRIPS)
def test_mps_round_trip(case: str, tmp_path: Path) -> None:
    import highspy
    import swiglpk as glpk

    lp, optimum, _ = CANONICAL[case]
    path = tmp_path / "program.mps"
    write_mps(lp, path)

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert -highs.getInfo().objective_function_value == pytest.approx(optimum)

    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    assert glpk.glp_read_mps(problem, glpk.GLP_MPS_FILE, None, str(path)) == 0
    control = glpk.glp_iocp()
    glpk.glp_init_iocp(control)
    control.presolve = glpk.GLP_ON
    assert glpk.glp_intopt(problem, control) == 0
    assert -glpk.glp_mip_obj_val(problem) == pytest.approx(optimum)
    glpk.glp_delete_prob(problem)


def test_mps_keeps_every_digit(tmp_path: Path) -> None:
    import highspy

    rng = np.random.default_rng(1)
    rows = [(rng.normal(size=5), -rng.random(), rng.random())]
    lp = program(rng.normal(size=5), rows, lower=-rng.random(5), upper=1 / 3, integer=False)
    write_mps(lp, tmp_path / "program.mps")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(tmp_path / "program.mps"))
    read = highs.getLp()
    np.testing.assert_array_equal(-np.array(read.col_cost_), lp.objective)
    np.testing.assert_array_equal(read.col_lower_, lp.lower)
    np.testing.assert_array_equal(read.col_upper_, lp.upper)
    np.testing.assert_array_equal(read.row_lower_, lp.row_lower)
    assert sorted(read.a_matrix_.value_) == sorted(lp.row_values)
