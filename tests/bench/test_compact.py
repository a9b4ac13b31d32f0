"""Drawings without points that change nothing: the lines stay where they were."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.output.plots.compact import compact

RECORDED = Path(__file__).parents[2] / "results" / "reproduction" / "pieces"
steps = st.lists(st.tuples(st.integers(1, 9), st.sampled_from([-3, 0, 0, 0, 2])), min_size=1, max_size=30)


def points(svg: str) -> list[tuple[float, float]]:
    found = re.search(r' d="([^"]*)"', svg)
    assert found is not None
    return [(float(x), float(y)) for x, y in re.findall(r"[ML] ?([-\d.]+) ([-\d.]+)", found[1])]


def drawn(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Every quarter of a unit along level and upright lines."""
    found = [corners[0]]
    for (x, y), (across, down) in pairwise(corners):
        many = round(4 * (abs(across - x) + abs(down - y)))
        found += [(x + (across - x) * part / many, y + (down - y) * part / many) for part in range(1, many + 1)]
    return found


@given(steps)
def test_a_step_function_is_drawn_through_the_same_points(moves: list[tuple[int, int]]) -> None:
    corners = [(0.0, 50.0)]
    for across, down in moves:
        x, y = corners[-1]
        corners += [(x + across, y), (x + across, y + down)] if down else [(x + across, y)]
    path = "M" + "\nL".join(f" {x:.6f} {y:.6f} " for x, y in corners)
    made = compact(f'<path d="{path}" style="x"/>')
    assert len(points(made)) <= len(corners)
    for made_point, point in zip(drawn(points(made)), drawn(corners), strict=True):
        assert made_point == pytest.approx(point)
    level = [b for a, b, c in zip(corners, corners[1:], corners[2:], strict=False) if a[1] == b[1] == c[1]]
    assert len(points(made)) <= len(corners) - len(level)


def test_turns_parts_and_curves_stay() -> None:
    back = 'd="M0 0L5 0L2 0L2 7z"'  # back along the same line
    assert compact("<path  " + back.replace("L", " \nL ").replace("M", "M ") + "/>").count("L") == 3
    two = compact('<path d="M 0 0 \nL 1 0 \nM 2 0 \nL 3 0 \n"/>')
    assert two == '<path d="M0 0L1 0M2 0L3 0"/>'
    curve = '<path d="M 2034 4250 \nQ 1547 4250 1301 3770 \nz\n"/>'
    assert compact(curve) == curve


def test_recorded_convergence_is_less_than_half_as_large() -> None:
    for path in RECORDED.glob("*/convergence.svg"):
        text = path.read_text(encoding="utf-8")
        assert len(compact(text)) < 0.5 * len(text)
