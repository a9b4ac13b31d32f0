"""A graph loads the kernels of its own kinds of factor, once on each machine, and on nobody's clock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from problems import get_task
from problems.kernels import families, loading
from problems.kernels.codes import COVERAGE, KNAPSACK, OR_OUT
from problems.kernels.maximize import maximize_block
from solvers import base

ROOT = Path(__file__).parent.parent.parent
OTHERS = {
    *("best_arborescence", "best_projective_tree", "best_grand_siblings", "best_tri_siblings", "best_head_bigrams"),
    *("best_derivation", "best_state", "best_packing", "maximize_by_oracle", "project_by_active_set"),
    *("project_subtree", "maximize_subtree", "project_knapsack", "maximize_budget", "project_xor"),
}
TASKS = ("extraction", "summarization", "parsing", "compression", "transduction")

# Solves a tiny extract, and says which kernels were asked for, which were not on disk, and all that they call; and, so that
# nothing is thought to be absent that is only not found, what the kernels of a derivation call.
SCRIPT = """
import json
from numba.core.dispatcher import Dispatcher
from problems.kernels import cache

asked, missing = {}, []
load = cache._KernelCache.load_overload

def noting(self, signature, context):
    found = load(self, signature, context)
    asked[id(self._py_func)] = self._py_func
    if found is None:
        missing.append(self._py_func.__qualname__)
    return found

cache._KernelCache.load_overload = noting

from problems import get_task
from solvers import get_solver

get_solver("ad3").solve(get_task("extraction").generate(seed=1, size="tiny"))

def called(function):
    names = function.__code__.co_names
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    values = [function.__globals__[name] for name in names if name in function.__globals__] + cells
    return [value.py_func for value in values if isinstance(value, Dispatcher)]

def reached(functions):
    found, ahead = {}, list(functions)
    while ahead:
        function = ahead.pop()
        if id(function) not in found:
            found[id(function)] = function
            ahead += called(function)
    return sorted(function.__qualname__ for function in found.values())

from problems.kernels import families
from problems.kernels.codes import DERIVATION

others = [families._known[families._place(face, DERIVATION)].py_func for face in (families.PROJECT, families.ORACLE)]
names = sorted(function.__qualname__ for function in asked.values())
found = {"asked": names, "missing": missing, "reached": reached(asked.values()), "others": reached(others)}
print(json.dumps(found))
"""


def kernels_of_an_extract() -> dict[str, list[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment)
    return dict(json.loads(done.stdout))


def named(face: int, code: int) -> str:
    return f"{families.FACES[face]}_{code - families.LOWEST}"


def test_an_extract_needs_no_kernels_of_other_families() -> None:
    kernels_of_an_extract()
    found = kernels_of_an_extract()
    assert found["missing"] == []  # the first process has left everything on disk, families included
    loaded = {name for name in found["asked"] if name.split("_")[0] in families.FACES and name[-1].isdigit()}
    assert loaded == {
        named(families.MAXIMIZE, code) for code in (COVERAGE, OR_OUT, KNAPSACK)
    }  # the knapsack is the hub
    assert not OTHERS & set(found["reached"])
    assert {"best_derivation", "project_by_active_set"} <= set(found["others"])
    assert {"iterate", "update_hub", "project_coverage", "maximize_knapsack"} <= set(found["reached"])
    assert len(found["reached"]) < 90


def test_a_kind_that_is_not_loaded_is_refused() -> None:
    starts, negated, nothing = np.array([0, 1]), np.zeros(1, dtype=bool), np.zeros(0)
    whole = np.zeros(2, dtype=np.int64)
    with pytest.raises(ValueError, match="not loaded"):
        maximize_block(25, starts, negated, whole, np.zeros(0, np.int64), whole, nothing, np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("name", TASKS)
def test_a_task_names_the_kinds_of_its_graphs(name: str) -> None:
    task = get_task(name)
    assert task.factor_kinds is not None
    for size in task.sizes:
        if size.startswith("tiny"):
            assert set(task.graph(task.generate(seed=1, size=size)).kinds) <= set(task.factor_kinds)


def test_loading_is_on_nobodys_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    clock = SimpleNamespace(process_time=lambda: now[0], perf_counter=lambda: 2 * now[0])
    monkeypatch.setattr(loading, "time", clock)
    monkeypatch.setattr(base, "time", clock)
    cpu, wall = base.cpu_clock(), base.wall_clock()
    loading.begin("entry")
    now[0] += 5.0
    loading.begin("called")
    now[0] += 3.0
    loading.end("called")
    now[0] += 2.0
    loading.end("entry")
    now[0] += 1.0
    assert base.cpu_clock() - cpu == pytest.approx(1.0, abs=0.2)  # finished children count as well
    assert base.wall_clock() - wall == pytest.approx(2.0)


def test_a_kernel_that_cannot_be_compiled_stops_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(loading, "time", SimpleNamespace(process_time=lambda: now[0], perf_counter=lambda: now[0]))
    before = loading.cpu_seconds
    loading.begin("entry")
    loading.begin("failing")
    now[0] += 4.0
    loading.end("entry")
    assert not loading.is_under_way()
    assert loading.cpu_seconds - before == pytest.approx(4.0)
    loading.end("failing")
    assert loading.cpu_seconds - before == pytest.approx(4.0)
