"""`dualbench check-task`: our own tasks pass, and each of many broken ones is caught."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from broken_tasks import BROKEN, write_broken

from bench.conformance.suite import Result, attempted
from bench.conformance.task_checks import CHECKS
from bench.conformance.task_subject import TaskSubject
from bench.conformance.templates import write_template
from bench.experiments.plugins import load_plugin


def failures(name: str, until_failure: bool = False) -> list[Result]:
    """What fails of all checks, in this process."""
    subject, found = TaskSubject(name), []
    for title, check in CHECKS.items():
        result = attempted(title, lambda check=check: check(subject))  # type: ignore[misc]
        assert result.outcome != "not applicable"
        if result.outcome == "failed":
            found.append(result)
            if until_failure:
                break
    return found


@pytest.mark.parametrize("name", ["extraction", "summarization", "parsing", "compression", "transduction"])
def test_our_own_tasks_pass(name: str) -> None:
    assert failures(name) == []


def test_the_template_that_others_are_broken_copies_of_passes(tmp_path: Path) -> None:
    load_plugin(write_template("task", "basket", tmp_path))
    assert failures("basket") == []


SAMPLE = set(BROKEN[::3])


@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in BROKEN]
)
def test_broken_tasks_are_caught(name: str, tmp_path: Path) -> None:
    load_plugin(write_broken(name, tmp_path))
    (failed,) = failures("basket", until_failure=True)
    assert re.fullmatch(r"[^\n]+\.", failed.why)


def test_there_are_at_least_a_dozen_broken_tasks() -> None:
    assert len(BROKEN) >= 12
