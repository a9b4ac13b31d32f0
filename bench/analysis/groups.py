"""Parts of a run that may share a number: one task, and one size of it. Sizes have no common mean, and tasks even less."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

import pandas as pd

from ..experiments.presentation import bin_names, length_bins

Frame = TypeVar("Frame", bound="pd.DataFrame")
Name = tuple[str, ...]
UNKNOWN = "unknown"


def in_order(sizes: Iterable[str]) -> list[str]:
    """Each size once: rising where all are numbers, else in the order of the records."""
    found = [str(size) for size in dict.fromkeys(sizes)]
    return sorted(found, key=float) if all(map(_is_number, found)) else found


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def fields_of(records: pd.DataFrame, by: str = "") -> Name:
    """What the groups of these records differ in. By default that is the size, where there are several; tasks are always apart.

    `by`: "size", "length" (bins of sentence lengths), "task" or "none", which put sizes together because somebody wants that.
    """
    apart: Name = ("task",) if records["task"].nunique() > 1 or by == "task" else ()
    if by in ("task", "none"):
        return apart
    if not by and len(records[["task", "size"]].drop_duplicates()) <= records["task"].nunique():
        return apart
    return (*apart, by or "size")


def grouped(records: Frame, by: str = "") -> dict[Name, Frame]:
    """The records of each group, by the values of `fields_of`; all of them under an empty name where there is one group."""
    fields = fields_of(records, by)
    if not fields:
        return {(): records}
    values = {
        name: _lengths(records) if name == "length" else [str(value) for value in records[name]] for name in fields
    }
    names = list(zip(*values.values(), strict=True))
    places = [{value: place for place, value in enumerate(_order(name, given))} for name, given in values.items()]
    ordered = sorted(set(names), key=lambda name: [place[value] for place, value in zip(places, name, strict=True)])
    return {name: records[[own == name for own in names]] for name in ordered}


def _order(name: str, values: list[str]) -> list[str]:
    """The values of a field, each at least once, in the order in which a reader wants them."""
    if name == "length":
        return [*bin_names(), UNKNOWN]
    return in_order(values) if name == "size" else list(dict.fromkeys(values))


def _lengths(records: pd.DataFrame) -> list[str]:
    """The bin of each record's sentence length."""
    names = bin_names()
    bins = length_bins(records["length"].fillna(1).to_numpy(float))
    return [names[place] if there else UNKNOWN for place, there in zip(bins, records["length"].notna(), strict=True)]
