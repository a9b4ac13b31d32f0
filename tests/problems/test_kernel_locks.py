"""Processes that need the same kernels at the same time: each kernel is compiled once, and nobody waits for the dead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from numba.core import event

from problems.kernels import locks

ROOT = Path(__file__).parent.parent.parent

# Loads a kernel that calls others as soon as it is told to, and says which ones it has compiled itself.
COMPILE = """
import sys
from problems.kernels import cache

compiled = []
save = cache._KernelCache.save_overload

def noting(self, *given):
    compiled.append(self.py_func.__qualname__)
    return save(self, *given)

cache._KernelCache.save_overload = noting

from problems.extraction.task import _load_kernels

print("ready", flush=True)
sys.stdin.readline()
_load_kernels()
print(*compiled)
"""

# Takes a lock, says so, and keeps it.
HOLD = """
import contextlib, sys, time
from pathlib import Path
from problems.kernels import locks

locks.acquire(Path(sys.argv[1]), "a kernel", contextlib.nullcontext)
print("held", flush=True)
time.sleep(600)
"""


def started(code: str, cache: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "DUALBENCH_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.fixture
def holder(tmp_path: Path) -> Any:
    """Another process, which has the lock of `a kernel`."""
    process = started(HOLD, tmp_path, str(tmp_path))
    assert said(process) == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_two_processes_compile_each_kernel_once(tmp_path: Path) -> None:
    both = [started(COMPILE, tmp_path) for _ in range(2)]
    assert [said(process) for process in both] == ["ready\n"] * 2
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    compiled = [name for process in both for name in process.communicate()[0].split()]
    assert "search" in compiled
    assert len(compiled) == len(list(tmp_path.rglob("*.nbc")))  # a file for each kernel and the types of its arguments


def test_a_killed_process_leaves_no_lock(tmp_path: Path, holder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    waits: list[str] = []

    def waiting() -> Any:
        waits.append("waited")
        os.kill(holder.pid, signal.SIGKILL)
        return nullcontext()

    start = time.monotonic()
    locks.acquire(tmp_path, "a kernel", waiting)
    locks.release(tmp_path, "a kernel")
    assert waits == ["waited"]
    assert time.monotonic() - start < 30.0


def test_nobody_waits_for_ever(tmp_path: Path, holder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.2)
    holder.send_signal(signal.SIGSTOP)
    start = time.monotonic()
    locks.acquire(tmp_path, "a kernel", nullcontext)
    assert 0.2 <= time.monotonic() - start < 30.0
    locks.release(tmp_path, "a kernel")


def test_other_kernels_have_locks_of_their_own(tmp_path: Path, holder: Any) -> None:
    def waiting() -> Any:
        raise AssertionError("nobody has this lock")

    locks.acquire(tmp_path, "another kernel", waiting)
    locks.acquire(tmp_path, "another kernel", waiting)  # for other types, while the first is compiled
    locks.release(tmp_path, "another kernel")
    locks.release(tmp_path, "another kernel")
    assert not locks._held


def test_without_a_file_for_locks_nobody_waits(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    locks.acquire(missing, "a kernel", nullcontext)
    locks.release(missing, "a kernel")
    assert not missing.exists()
    assert not locks._held


def test_waiting_counts_as_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that is checked must not be blamed for another process that compiles."""
    from problems.kernels.cache import _KernelCache
    from problems.kernels.tree_knapsack import subtree_ends

    cache = subtree_ends._cache  # type: ignore[attr-defined]
    if not isinstance(cache, _KernelCache):
        pytest.skip("the kernel cache cannot be written here")
    with event.install_recorder("numba:compile") as heard, cache._waiting():  # type: ignore[no-untyped-call]
        pass
    functions = [entry.data["dispatcher"].py_func for _, entry in heard.buffer]
    assert functions == [subtree_ends.py_func] * 2  # type: ignore[attr-defined]


def test_a_kernel_that_cannot_be_compiled_frees_its_lock(tmp_path: Path) -> None:
    code = (
        "from problems.kernels.cache import kernel\n"
        "from problems.kernels import loading, locks\n"
        "import problems.kernels.cache as cache\n"
        "def wrong(x):\n    return x.nothing\n"
        "compiled = kernel(wrong)\n"
        "try:\n    compiled(1)\nexcept Exception as error:\n    print(type(error).__name__)\n"
        "print(len(locks._held), loading.is_under_way())\n"
    )
    process = started(code, tmp_path)
    assert process.communicate()[0] == "TypingError\n0 False\n"
