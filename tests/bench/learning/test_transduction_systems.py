"""The beam with a fixed length: the reward is searched, the answer keeps the length and never beats the exact program."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.learning.transduction.systems import SYSTEMS, solved
from problems import get_task
from solvers import get_solver


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_beam_keeps_a_fixed_length(seed: int) -> None:
    instance = get_task("transduction").generate(seed, "10")
    free = get_solver("dp-exact").solve(instance)
    assert free.structure is not None
    length = max(2, len(free.structure[0]) - 1)
    fixed = replace(instance, length=length)
    found = solved(get_solver("beam"), fixed)
    exact = get_solver("dp-exact").solve(fixed)
    assert found.structure is not None
    assert len(found.structure[0]) == length
    assert found.objective <= exact.objective + 1e-9


def test_systems_have_the_papers_names_once() -> None:
    from bench.reproduction.published import TRANSDUCTION

    names = [system.name for system in SYSTEMS]
    assert len(names) == len(set(names))
    assert set(TRANSDUCTION) - {"Gold-Standard"} <= set(names)
