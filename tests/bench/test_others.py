"""The share of the machine that other programs take."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.records.others import OtherPrograms, Used, used


def watched(*readings: Used) -> OtherPrograms:
    return OtherPrograms(iter(readings).__next__)


@pytest.mark.parametrize(
    ("later", "share"),
    [
        (Used(120.0, 30.0, 15.0), 0.05),  # 20 s of two cores, 10 s busy, 9 s of them ours
        (Used(120.0, 40.0, 6.0), 1.0),
        (Used(120.0, 29.0, 16.0), 0.0),  # readings a moment apart: never below 0
        (Used(100.5, 20.5, 6.0), None),
    ],
)
def test_what_is_busy_and_not_ours_is_others(later: Used, share: float | None) -> None:
    assert watched(Used(100.0, 20.0, 6.0), later).share() == share


def test_children_are_ours_while_they_live_and_after() -> None:
    """A child's CPU seconds are in `own`, whether it still runs or has been waited for."""
    burn = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"
    before = used()
    child = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    living = used()
    child.communicate(b"\n")
    after = used()
    assert living.own - before.own >= 0.15
    assert after.own >= living.own
    assert after.busy - before.busy >= after.own - before.own - 0.1
    assert after.total >= after.busy
