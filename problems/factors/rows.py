"""Rows of a linear program from scattered entries, some of which are literals of a factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block


@dataclass(frozen=True)
class Rows:
    """Adds rows to a builder; literals are given as links of the block and may be negated there."""

    block: Block
    builder: ProgramBuilder

    def add(
        self,
        row: Integers,
        columns: list[Integers],
        values: list[float] | Floats,
        lower: ArrayLike,
        upper: ArrayLike,
        literal: list[bool],
    ) -> None:
        """Entries in parts: the row of every entry, and for each part its columns (or links) and their value.

        Rows may have any numbers; they are added in increasing order of them.
        """
        sizes = [len(part) for part in columns]
        coefficients = np.repeat(values, sizes) if isinstance(values, list) else values
        negated = np.zeros(len(row), dtype=bool)
        parts, first = [], 0
        for part, is_literal in zip(columns, literal, strict=True):
            if is_literal:
                negated[first : first + len(part)] = self.block.negated[part]
            parts.append(self.block.variables[part] if is_literal else part)
            first += len(part)
        order = np.argsort(row, kind="stable")
        lengths = np.unique(row, return_counts=True)[1].astype(np.int64)
        if len(lengths):
            entries = np.concatenate(parts)[order]
            self.builder.add_rows(lengths, entries, coefficients[order], lower, upper, negated[order])
