"""What a training says where there is no terminal: one line per epoch."""

from __future__ import annotations

import io

from rich.console import Console

from bench.learning.loop import TerminalWatcher


def test_a_line_per_epoch_and_no_bar_in_a_file() -> None:
    file = io.StringIO()
    with TerminalWatcher(Console(file=file, width=80)) as watcher:
        watcher.say("reading [1 of 2]")  # brackets are no markup
        watcher.epoch(1, 2, 10)
        watcher.example()
        watcher.finished({"epoch": 1, "loss": 0.25, "cpu_seconds": 1.23})
        watcher.finished({"epoch": 2, "loss": 0.125, "development": 0.875, "cpu_seconds": 1.0})
    assert file.getvalue().splitlines() == [
        "reading [1 of 2]",
        "epoch   1   loss 0.2500   1.2 s CPU",
        "epoch   2   loss 0.1250   development 0.8750   1.0 s CPU",
    ]
