"""`wcsp-toulbar2` in one process: what a search leaves behind for the next, and its time limit."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from problems import get_task
from problems.factor_graph import FactorGraph
from solvers import get_solver
from solvers.networks import wall_timer

pytest.importorskip("pytoulbar2")
ROOT = Path(__file__).parents[2]
timers = pytest.mark.skipif(not wall_timer.available(), reason="this system has no timers of POSIX")


def wide_budget() -> FactorGraph:
    graph = FactorGraph()
    graph.add_budget(graph.add_variables(np.random.default_rng(1).random(400)), 200)
    return graph


def refused_while_built() -> FactorGraph:
    graph = FactorGraph()
    x = graph.add_variables([1.0, 2.0])
    graph.add_logic("or", x)
    graph.add_knapsack(x, [3.0, 3.0], 2.0)
    return graph


def refused_in_preprocessing() -> FactorGraph:
    graph = FactorGraph()
    x = graph.add_variables([1.0])
    graph.add_logic("or", x)
    graph.add_logic("or", x, [True])
    return graph


def refused_by_search() -> FactorGraph:
    """Pigeons: four in three holes."""
    graph = FactorGraph()
    x = graph.add_variables([1.0] * 12).reshape(4, 3)
    for row in x:
        graph.add_logic("or", row)
    for column in x.T:
        graph.add_logic("at_most_one", column)
    return graph


def without_scores() -> FactorGraph:
    graph = FactorGraph()
    graph.add_logic("xor", graph.add_variables([0.0] * 3))
    return graph


def test_a_search_is_the_same_after_any_other() -> None:
    """toulbar2 goes on with weaker options after some of these: it would then stop at the limit, after far more nodes."""
    solver, graph = get_solver("wcsp-toulbar2", time_limit=10.0), wide_budget()
    first = solver.solve(graph)
    assert first.status == "optimal"
    for other in (refused_while_built, refused_in_preprocessing, refused_by_search, without_scores):
        for _ in range(2):
            expected = "optimal" if other is without_scores else "infeasible"
            assert solver.solve(other()).status == expected
            again = solver.solve(graph)
            assert (again.status, again.iterations) == ("optimal", first.iterations), other.__name__
            assert again.objective == first.objective


@pytest.mark.parametrize("wall", [pytest.param(True, marks=timers), False], ids=["wall", "cpu"])
def test_a_time_limit_is_kept_and_leaves_nothing_behind(wall: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wall_timer, "available", lambda: wall)
    task = get_task("extraction")
    instance = task.generate(1, "tac")
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGVTALRM)]
    start = time.perf_counter(), time.process_time()
    found = get_solver("wcsp-toulbar2", time_limit=0.5).solve(instance)
    passed = (time.perf_counter() - start[0]) if wall else (time.process_time() - start[1])
    assert found.message == "stopped at the time limit"
    assert 0.5 <= passed < 10.0  # of which building takes a second
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGVTALRM)] == handlers
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert get_solver("wcsp-toulbar2").solve(task.generate(1, "tiny")).status == "optimal"


@timers
def test_a_search_in_any_thread_has_defaults_and_a_limit() -> None:
    """The library's options, and whether it was interrupted, belong to a thread."""
    code = (
        "import threading\n"
        "from problems import get_task\nfrom solvers import get_solver\n"
        "instances = [get_task('extraction').generate(1, size) for size in ('tiny', 'tac', 'tiny')]\n"
        "def search():\n"
        "    for instance in instances:\n"
        "        found = get_solver('wcsp-toulbar2', time_limit=0.5).solve(instance)\n"
        "        print(found.status == 'optimal', found.message)\n"
        "threads = [threading.Thread(target=search) for _ in range(2)]\n"
        "for thread in threads:\n    thread.start()\n    thread.join()\n"
        "search()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["True ", "False stopped at the time limit", "True "] * 3


@timers
def test_the_timer_counts_time_without_work() -> None:
    """A timer of CPU seconds would not ring while the process sleeps; one whose block has ended never rings."""
    rung: list[float] = []
    before = signal.signal(signal.SIGUSR1, lambda *_: rung.append(time.perf_counter()))
    try:
        with wall_timer.signal_after(0.01, signal.SIGUSR1):
            pass
        start = time.perf_counter()
        with wall_timer.signal_after(0.2, signal.SIGUSR1):
            time.sleep(1.0)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(rung) == 1
    assert rung[0] - start >= 0.2


@timers
def test_the_timer_rings_in_its_own_thread() -> None:
    """Seen while the signal is blocked: it waits for the thread that set the timer, not for the process."""
    seen: dict[str, bool] = {}

    def wait() -> None:
        with wall_timer.signal_after(0.05, signal.SIGUSR1):
            time.sleep(0.3)
            seen["thread"] = signal.SIGUSR1 in signal.sigpending()
            rung.set()
            looked.wait(10)
        signal.sigtimedwait({signal.SIGUSR1}, 0)

    rung, looked = threading.Event(), threading.Event()
    handler = signal.signal(signal.SIGUSR1, lambda *_: None)  # one that came to the process would end it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    try:
        thread = threading.Thread(target=wait)
        thread.start()
        rung.wait(10)
        seen["process"] = signal.SIGUSR1 in signal.sigpending()
        looked.set()
        thread.join()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGUSR1, handler)
    assert seen == {"thread": True, "process": False}
