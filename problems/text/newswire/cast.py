"""Who and what a story is about, and the different words by which each of them is called.

A recipe such as `captain %P // %p // the captain` says how a role is called at first mention and later: `%P` is a full
name, `%p` the surname, `%T %R %C %O %V %W %M %S %N` a town, region, country, company, ship, storm, mission, sea and
newspaper. `#12-40` is a number, `#100-900/50` one in steps of 50, `=aboard-dead` is computed. Modifiers worth deleting
follow after `++`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from problems.text.newswire.choices import expand
from problems.text.newswire.names import Names
from problems.text.newswire.tagging import WEEKDAYS

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@dataclass(frozen=True)
class Role:
    """One participant: the full name for the first mention, other names for later, modifiers to decorate either."""

    full: str
    later: tuple[str, ...]
    modifiers: tuple[str, ...] = ()
    woman: bool = False


Cast = dict[str, Role]


def draw_cast(recipes: Mapping[str, str], rng: np.random.Generator) -> Cast:
    """Fill every recipe, in the order they are written."""
    names = Names(rng)
    cast: Cast = {}
    numbers: dict[str, int] = {}
    first_day = int(rng.random() * 4)
    for i in range(4):
        cast[f"day{i}"] = Role(WEEKDAYS[(first_day + i) % 7], ())
    month = int(rng.random() * 12)
    cast["month"] = Role(_MONTHS[(month + 10) % 12], ())
    cast["next_month"] = Role(_MONTHS[(month + 1) % 12], ())
    for role, recipe in {"paper": "the %N newspaper // the %N", **recipes}.items():
        if recipe[0] in "#=":
            value = _number(recipe, numbers, rng)
            numbers[role] = value
            cast[role] = Role(spell(value), ())
        else:
            cast[role] = draw_role(recipe, names, rng)
    return cast


def draw_role(recipe: str, names: Names, rng: np.random.Generator) -> Role:
    text = expand(recipe, rng, 0.0)
    woman = False
    if "%P" in text:
        first, last, woman = names.person()
        text = text.replace("%P", f"{first} {last}").replace("%p", last)
    for kind in "TRCOVWMSN":
        if f"%{kind}" in text:
            text = text.replace(f"%{kind}", names.draw(kind))
    calls, *modifiers = (part.strip() for part in text.split("++"))
    full, *later = (form.strip() for form in calls.split("//"))
    return Role(full, tuple(later), tuple(modifiers), woman)


def _number(recipe: str, numbers: Mapping[str, int], rng: np.random.Generator) -> int:
    if recipe[0] == "=":
        left, sign, right = re.split(r"([-+])", recipe[1:])
        return numbers[left] - numbers[right] if sign == "-" else numbers[left] + numbers[right]
    span, _, step = recipe[1:].partition("/")
    low, high = (int(end) for end in span.split("-"))
    stride = int(step or 1)
    return low + stride * int(rng.random() * ((high - low) // stride + 1))


def spell(value: int) -> str:
    return _NUMBER_WORDS[value] if 0 <= value < 10 else str(value)
