"""Damaged files of every kind: each is refused in one sentence or read, within 1 GB and 5 seconds."""

from __future__ import annotations

import pytest
from fuzzing import families, run

FEW, MANY = 75, 500  # inputs of each family


def check(seed: int, count: int) -> None:
    found = run(list(families()), seed, count, timeout=60 + 2.0 * count)
    assert not found, "\n\n".join(map(str, found))


def test_damaged_files_are_refused_in_one_sentence() -> None:
    check(seed=16, count=FEW)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_many_damaged_files(seed: int) -> None:
    check(seed, MANY)
