"""Drawings small enough for a page: without points that lie on the line between their neighbours, and without invisible digits."""

from __future__ import annotations

import re

_STEP = re.compile(r"([ML])\s*(-?[\d.]+)\s+(-?[\d.]+)\s*|z\s*")
_LINES = re.compile(rf'(?<= d=")(?:{_STEP.pattern})+(?=")')  # of straight lines only: letters are curves
DIGITS = 2  # behind the point, of a 72nd of an inch

Point = tuple[str, str, str]  # command, across, down


def compact(svg: str) -> str:
    """The same drawing. A step function over a fine grid has mostly points on level lines."""
    return _LINES.sub(lambda found: _path(found[0]), svg)


def _path(path: str) -> str:
    points: list[Point] = []
    for found in _STEP.finditer(path):
        points.append((found[1], _short(found[2]), _short(found[3])) if found[1] else ("z", "", ""))
        if len(points) > 2 and _between(*points[-3:]):
            del points[-2]
    return "".join(command + (f"{across} {down}" if across else "") for command, across, down in points)


def _short(number: str) -> str:
    return f"{float(number):.{DIGITS}f}".rstrip("0").rstrip(".")


def _between(before: Point, point: Point, after: Point) -> bool:
    """Is a point on a level or upright line from the one before to the one after?"""
    if (point[0], after[0]) != ("L", "L"):
        return False
    along = next((axis for axis in (1, 2) if before[3 - axis] == point[3 - axis] == after[3 - axis]), 0)
    if not along:
        return False
    first, middle, last = (float(each[along]) for each in (before, point, after))
    return min(first, last) <= middle <= max(first, last)
