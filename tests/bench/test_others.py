"""The share of the machine that other programs take."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.records.others import OtherPrograms, OwnProcesses, Used, used

BURN = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"


@pytest.mark.parametrize(
    ("later", "own", "share"),
    [
        (Used(120.0, 30.0), 15.0, 0.05),  # 20 s of two cores, 10 s busy, 9 s of them ours
        (Used(120.0, 40.0), 6.0, 1.0),
        (Used(120.0, 29.0), 16.0, 0.0),  # readings a moment apart: never below 0
        (Used(100.5, 20.5), 6.0, None),
    ],
)
def test_what_is_busy_and_not_ours_is_others(later: Used, own: float, share: float | None) -> None:
    watched = OtherPrograms(iter([Used(100.0, 20.0), later]).__next__, iter([6.0, own]).__next__)
    assert watched.share() == share


@pytest.mark.parametrize("waited", [True, False])
def test_descendants_are_ours_while_they_live_and_after(waited: bool) -> None:
    """Those of a child that dies without waiting for its own, too: the second one here is killed with the first."""
    inner = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])"
    own = OwnProcesses()
    before = own.look()
    child = subprocess.Popen([sys.executable, "-c", inner], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    living = own.look()
    if waited:
        child.communicate(b"\n")
    else:
        child.kill()
        child.communicate()
    assert living - before >= 0.25  # the system counts hundredths
    assert own.look() >= living - 1e-9
    assert own.look() - living < 0.3  # nothing is counted twice


def test_the_machine_is_busy_for_no_longer_than_it_is_there() -> None:
    now = used()
    assert now.total >= now.busy > 0
