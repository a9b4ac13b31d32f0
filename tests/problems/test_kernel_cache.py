"""The kernel cache: keyed by all sources, announced once, never in other packages' way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

# Two small kernels in two files: the caller's file does not change when the called kernel does.
CALLED = "from problems.kernels.cache import inner\n\n\n@inner\ndef called(x):\n    return x + {amount}\n"
CALLER = "from problems.kernels.cache import kernel\nfrom problems.kernels.zz_called import called\n\n\n@kernel\ndef caller(x):\n    return called(x)\n"


def run(folder: Path, code: str, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DUALBENCH_CACHE": str(cache), "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder, env=environment
    )


def test_an_edit_in_a_called_kernel_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "problems", tmp_path / "problems", ignore=shutil.ignore_patterns("__pycache__"))
    kernels = tmp_path / "problems" / "kernels"
    code = "from problems.kernels.zz_caller import caller; print(caller(1))"
    (kernels / "zz_caller.py").write_text(CALLER)
    (kernels / "zz_called.py").write_text(CALLED.format(amount=1))
    first = run(tmp_path, code, tmp_path / "cache")
    assert first.stdout == "2\n"
    assert first.stderr.count("compiling kernels") == 1
    again = run(tmp_path, code, tmp_path / "cache")
    assert (again.stdout, again.stderr) == ("2\n", "")
    (kernels / "zz_called.py").write_text(CALLED.format(amount=10))
    assert run(tmp_path, code, tmp_path / "cache").stdout == "11\n"


def test_other_packages_keep_their_cache(tmp_path: Path) -> None:
    code = "import numba, problems.kernels.maximize; print(numba.config.CACHE_DIR == '')"
    assert run(ROOT, code, tmp_path).stdout == "True\n"


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    code = (
        "import numpy as np; from problems.kernels.tree_knapsack import subtree_ends;"
        "print(subtree_ends(np.array([2]), np.array([-1, 0])))"
    )
    assert run(ROOT, code, blocker / "below").stdout == "[2 2]\n"
