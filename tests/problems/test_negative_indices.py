"""Our kernels never count from the end of an array, and are compiled without looking: a mode of their compilation checks it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from problems.kernels import cache, faster_items

assert cache  # it installs the shortcuts

PROBE = """
import types
import numba, numpy
from problems.kernels import cache

def read(array, index):
    return array[index]

named = types.FunctionType(read.__code__, {"__name__": "problems.kernels.probe"}, "read")
print(numba.njit(read)(numpy.arange(5.0), -1), numba.njit(named)(numpy.arange(5.0), 3), flush=True)
numba.njit(named)(numpy.arange(5.0), numpy.int64(-1))
"""
SOLVING = """
from problems import get_task, task_names
from solvers import make_solver
for name, size, solvers in {cases}:
    for solver in solvers:
        for seed in range(3):
            make_solver(solver, name, {{}}).solve(get_task(name).generate(seed, size))
print("solved")
"""
CASES = [
    ("extraction", "tac", ["ad3", "ad3-exact", "subgradient", "greedy"]),
    ("summarization", "tac", ["ad3", "ad3-exact", "subgradient"]),
    ("parsing", None, ["ad3", "ad3-exact", "subgradient"]),
    ("compression", None, ["ad3", "ad3-exact", "dp-lagrangian"]),
    ("transduction", None, ["ad3", "dp-bigram", "beam"]),
]


def run(program: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **more}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_negative_index_in_a_kernel_of_ours_is_found(tmp_path: Path) -> None:
    found = run(PROBE, DUALBENCH_CHECK_INDICES="1", DUALBENCH_CACHE=str(tmp_path))
    assert found.stdout.startswith("4.0 3.0\n")  # other people's functions may count from the end
    assert "a negative index in _ZN8problems7kernels5probe" in found.stdout
    assert -found.returncode in (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT)


def test_kernels_that_check_have_a_cache_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = cache.source_hash.__wrapped__()
    monkeypatch.setattr(faster_items, "CHECKING", not faster_items.CHECKING)
    assert cache.source_hash.__wrapped__() != usual


def test_users_functions_count_from_the_end() -> None:
    @numba.njit
    def last(values):  # type: ignore[no-untyped-def]
        return values[-1]

    assert last(np.arange(3.0)) == 2.0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_no_kernel_counts_from_the_end(case: tuple[str, str | None, list[str]], tmp_path: Path) -> None:
    found = run(SOLVING.format(cases=[case]), DUALBENCH_CHECK_INDICES="1", DUALBENCH_CACHE=str(tmp_path))
    assert found.stdout.endswith("solved\n"), found.stdout + found.stderr
