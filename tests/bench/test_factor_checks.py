"""`dualbench check-factor`: all built-in kinds pass, and each of many broken factors is caught."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from broken_factors import BROKEN, BROKEN_KERNELS, CompiledQuota, Quota

from bench.conformance.apart import check_apart
from bench.conformance.faces import CHECKS
from bench.conformance.factor_subject import FactorSubject, subject_named
from bench.conformance.suite import Result, attempted
from problems.errors import InputError
from problems.factors import KINDS
from problems.factors.foreign import Factor


def results(subject: FactorSubject, until_failure: bool = False) -> list[Result]:
    """All checks in this process."""
    found = []
    for name, check in CHECKS.items():
        found.append(attempted(name, lambda check=check: check(subject)))  # type: ignore[misc]
        if until_failure and found[-1].outcome == "failed":
            break
    return found


def failures(found: list[Result]) -> list[Result]:
    return [result for result in found if result.outcome == "failed"]


@pytest.mark.parametrize("kind", KINDS)
def test_built_in_kinds_pass(kind: str) -> None:
    found = results(subject_named(kind))
    assert not failures(found)
    assert {result.check for result in found if result.outcome == "passed"} >= {
        "maximize",
        "projections",
        "rows",
        "hull",
    }


@pytest.mark.parametrize("factor", [Quota, CompiledQuota])
def test_the_factor_that_others_are_broken_copies_of_passes(factor: type[Factor]) -> None:
    found = results(FactorSubject(factor.__name__, factor))
    assert not failures(found)
    applied = {result.check for result in found if result.outcome == "passed"}
    assert applied == set(CHECKS) - ({"compiled and Python"} if factor is Quota else set())


def test_the_factor_of_the_tutorial_passes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "own-factors.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)^graph = ", page, re.DOTALL | re.MULTILINE)
    names: dict[str, type[Factor]] = {}
    exec(code, names)
    assert not failures(results(FactorSubject("ExactlyK", names["ExactlyK"])))


SAMPLE = set(list(BROKEN)[::3])


@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in BROKEN]
)
def test_broken_factors_are_caught(name: str) -> None:
    (failed,) = failures(results(FactorSubject(name, BROKEN[name]), until_failure=True))
    assert re.fullmatch(r"[^\n]+\.", failed.why)


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("projection clips", "kernel reads beyond its arrays")
        else pytest.param(name, marks=pytest.mark.slow)
        for name in BROKEN_KERNELS
    ],
)
def test_broken_kernels_are_caught(name: str) -> None:
    (failed,) = failures(results(FactorSubject(name, BROKEN_KERNELS[name]), until_failure=True))
    assert failed.check == "projections" or not name.startswith("projection")


def test_there_are_at_least_fifty_broken_factors() -> None:
    assert len(BROKEN) + len(BROKEN_KERNELS) >= 50


WILD = """
import os
import numpy as np
from problems.factors.foreign import Factor


class Wild(Factor):
    def maximize(self, scores):
        {deed}

    def score(self, y):
        return 0.0 if y.sum() == 1 else -np.inf

    @classmethod
    def examples(cls, rng):
        yield cls(), 2
"""


@pytest.mark.parametrize(
    ("deed", "why"), [("os.kill(os.getpid(), 11)", "signal 11"), ("while True: pass", "a check took more than 3 s")]
)
def test_a_factor_that_ends_or_hangs_its_process_fails_its_checks(deed: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "wild.py"
    path.write_text(WILD.format(deed=deed), encoding="utf-8")
    answers = check_apart("factor", f"{path}::Wild", seconds=3.0)
    found = {result.check: result for result in (next(answers) for _ in range(3))}
    answers.close()  # type: ignore[attr-defined]
    assert found["definition"].outcome == "passed"
    assert found["maximize"] == Result("maximize", "failed", f"the process ended: {why}.")


def test_what_the_command_says(tmp_path: Path) -> None:
    def said(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "bench.cli", *arguments], capture_output=True, text=True, timeout=300, check=False
        )
        return done.returncode, done.stdout + done.stderr

    code, text = said("check-factor", "budgt")
    assert code == 2
    assert text.startswith("dualbench: unknown kind of factor 'budgt'")
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n", encoding="utf-8")
    code, text = said("check-factor", str(empty))
    assert code == 2
    assert "no factor in it" in text


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="unknown kind of factor 'nothing'"):
        subject_named("nothing")
