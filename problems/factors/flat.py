"""All factors of a graph in one set of flat arrays, kind after kind: what compiled code fills, and dual decomposition runs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..linear_program import Floats, Integers
from .block import Block, Booleans, runs, starts_of


class FlatFactors(NamedTuple):
    """Factor f links the variables link_starts[f]:link_starts[f+1]; `kinds` and `counts` say which factors are of one kind."""

    kinds: tuple[str, ...]
    counts: tuple[int, ...]
    codes: Integers
    link_starts: Integers
    variables: Integers
    negated: Booleans
    int_starts: Integers
    ints: Integers
    float_starts: Integers
    floats: Floats

    def permuted(self, factors: Integers, number: Integers) -> FlatFactors:
        """The factors in another order (kinds may be mixed, so there are no blocks of these), with other numbers of the variables."""
        parts = {}
        for name, starts in (
            ("link_starts", self.link_starts),
            ("int_starts", self.int_starts),
            ("float_starts", self.float_starts),
        ):
            lengths = np.diff(starts)[factors]
            parts[name] = (starts_of(lengths), runs(starts[factors], lengths))
        (link_starts, links), (int_starts, ints), (float_starts, floats) = parts.values()
        return self._replace(
            counts=(),
            codes=self.codes[factors],
            link_starts=link_starts,
            variables=number[self.variables[links]],
            negated=self.negated[links],
            int_starts=int_starts,
            ints=self.ints[ints],
            float_starts=float_starts,
            floats=self.floats[floats],
        )

    def blocks(self, classes: dict[str, type[Block]]) -> list[Block]:
        """One block per kind; the large arrays are shared."""
        found = []
        first = 0
        for kind, count in zip(self.kinds, self.counts, strict=True):
            parts = []
            for starts, arrays in (
                (self.link_starts, (self.variables, self.negated)),
                (self.int_starts, (self.ints,)),
                (self.float_starts, (self.floats,)),
            ):
                here = starts[first : first + count + 1]
                parts += [here - here[0], *(array[here[0] : here[-1]] for array in arrays)]
            found.append(classes[kind](*parts))
            first += count
        return found


def flatten(blocks: Sequence[Block]) -> FlatFactors:
    """The factors of all blocks, one block after the other."""
    counts = tuple(len(block) for block in blocks)
    return FlatFactors(
        kinds=tuple(block.kind for block in blocks),
        counts=counts,
        codes=np.repeat(np.array([block.code for block in blocks], dtype=np.int64), counts),
        link_starts=_joined_starts([block.starts for block in blocks]),
        variables=_joined([block.variables for block in blocks], np.int64),
        negated=_joined([block.negated for block in blocks], np.bool_),
        int_starts=_joined_starts([block.int_starts for block in blocks]),
        ints=_joined([block.kernel_ints for block in blocks], np.int64),
        float_starts=_joined_starts([block.float_starts for block in blocks]),
        floats=_joined([block.floats for block in blocks], np.float64),
    )


def _joined_starts(parts: list[Integers]) -> Integers:
    """Offsets of all runs, from the offsets of consecutive groups of them."""
    joined = [np.zeros(1, dtype=np.int64)]
    offset = 0
    for starts in parts:
        joined.append(starts[1:] + offset if offset else starts[1:])
        offset += int(starts[-1])
    return np.concatenate(joined)


def _joined(parts: list, kind: type) -> np.ndarray:
    return np.concatenate(parts).astype(kind, copy=False) if parts else np.zeros(0, dtype=kind)
