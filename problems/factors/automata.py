"""Head automata and head bigrams (section 3 of Martins, Almeida & Smith 2013). Their linear descriptions are flows of one
unit through the state graphs of their dynamic programs, hence hulls.

Conventions: a grandparent is never also a modifier of the same head; siblings and grand-siblings have scores at END,
grandparents have not; tri-siblings start with the second modifier, so that a single modifier scores nothing.
"""

from __future__ import annotations

import itertools

import numpy as np

from ..kernels.codes import GRAND_SIBLINGS, HEAD_BIGRAMS, TRI_SIBLINGS
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block
from .rows import Rows


class _Automaton(Block):
    """A factor with integer parameters and one table of scores, treated one by one."""

    def parameters(self, factor: int) -> Integers:
        return self.ints[self.int_starts[factor] : self.int_starts[factor + 1]]

    def table(self, factor: int) -> Floats:
        return self.floats[self.float_starts[factor] : self.float_starts[factor + 1]]

    def constrain(self, builder: ProgramBuilder) -> None:
        for factor in range(len(self)):
            self._constrain_one(builder, factor, np.arange(self.starts[factor], self.starts[factor + 1]))

    def literal_score(self, literals: Floats) -> Floats:
        bounds = zip(self.starts[:-1], self.starts[1:], strict=True)
        return np.array([self._score_one(f, literals[first:end] > 0) for f, (first, end) in enumerate(bounds)])

    def _constrain_one(self, builder: ProgramBuilder, factor: int, links: Integers) -> None:
        raise NotImplementedError

    def _score_one(self, factor: int, true: np.ndarray) -> float:
        raise NotImplementedError


class GrandSiblings(_Automaton):
    """ints = numbers of incoming and outgoing arcs, then the outgoing arc that each incoming one excludes, or -1.

    floats = one packed triangle for each incoming arc (one in all where there is none): entry [a, b], b >= a, is the
    score of modifier b (the last is END) in state a (0 is START, a is after modifier a - 1). Incoming literals first.
    """

    kind = "grand_siblings"
    code = GRAND_SIBLINGS

    def triangles(self, factor: int) -> Floats:
        """The scores as [incoming, a, b], -inf where b < a or where b is excluded."""
        incoming, end = self.parameters(factor)[:2]
        full = np.full((max(incoming, 1), end + 1, end + 1), -np.inf)
        full[:, *np.triu_indices(end + 1)] = self.table(factor).reshape(len(full), -1)
        for i, excluded in enumerate(self.parameters(factor)[2:]):
            if excluded >= 0:
                full[i, :, excluded] = -np.inf
        return full

    def _constrain_one(self, builder: ProgramBuilder, factor: int, links: Integers) -> None:
        incoming, end = (int(value) for value in self.parameters(factor)[:2])
        scores = self.triangles(factor)
        i, a, b = np.nonzero(scores > -np.inf)
        steps = builder.add_columns(scores[i, a, b])
        rows, state = Rows(self, builder), i * (end + 1)
        if incoming:  # each start is its incoming arc, and there is one
            start = a == 0
            row = np.concatenate([i[start], np.arange(incoming)])
            rows.add(row, [steps[start], links[:incoming]], [1.0, -1.0], 0.0, 0.0, literal=[False, True])
        starts = steps[a == 0]
        builder.add_rows(np.array([len(starts)]), starts, np.ones(len(starts)), 1.0, 1.0)
        enters, leaves = b < end, a > 0
        row = np.concatenate([(state + b)[enters], (state + a - 1)[leaves]])
        rows.add(row, [steps[enters], steps[leaves]], [1.0, -1.0], 0.0, 0.0, literal=[False, False])
        row = np.concatenate([b[enters], np.arange(end)])
        rows.add(row, [steps[enters], links[incoming:]], [1.0, -1.0], 0.0, 0.0, literal=[False, True])

    def _score_one(self, factor: int, true: np.ndarray) -> float:
        incoming, end = (int(value) for value in self.parameters(factor)[:2])
        if incoming and true[:incoming].sum() != 1:
            return -np.inf
        scores = self.triangles(factor)[true[:incoming].argmax() if incoming else 0]
        modifiers = np.flatnonzero(true[incoming:])
        return float(scores[np.append(0, modifiers + 1), np.append(modifiers, end)].sum())

    def candidates(self, factor: int) -> Floats:
        incoming, end = (int(value) for value in self.parameters(factor)[:2])
        subsets = ((np.arange(2**end)[:, None] >> np.arange(end)) & 1).astype(np.float64)
        heads = np.eye(incoming) if incoming else np.zeros((1, 0))
        return np.hstack([np.repeat(heads, len(subsets), axis=0), np.tile(subsets, (len(heads), 1))])


class TriSiblings(_Automaton):
    """floats = (J, J, J + 1): the score of modifier c (J is END) after modifiers a < b, or for a = b after START and b.

    The rest of the table is not used.
    """

    kind = "tri_siblings"
    code = TRI_SIBLINGS

    def cube(self, factor: int) -> Floats:
        count = int(self.degrees[factor])
        return self.table(factor).reshape(count, count, count + 1)

    def _constrain_one(self, builder: ProgramBuilder, factor: int, links: Integers) -> None:
        count, cube, rows = len(links), self.cube(factor), Rows(self, builder)
        a, b, c = (part.ravel() for part in np.indices(cube.shape))
        ordered = (a < b) & (b < c)
        a, b, c = a[ordered], b[ordered], c[ordered]
        nothing = builder.add_columns(0.0)
        first = builder.add_columns(np.zeros(count))
        second_a, second_b = np.nonzero(np.triu(np.ones((count, count + 1)), 1))  # (first, second or END)
        second = builder.add_columns(cube[second_a, second_a, second_b])
        third = builder.add_columns(cube[a, b, c])
        builder.add_rows(np.array([count + 1]), np.append(nothing, first), np.ones(count + 1), 1.0, 1.0)
        row = np.concatenate([np.arange(count), second_a])
        rows.add(row, [first, second], [1.0, -1.0], 0.0, 0.0, literal=[False, False])
        inner_second, inner_third = second_b < count, c < count
        row = np.concatenate(
            [
                (second_a * count + second_b)[inner_second],
                (b * count + c)[inner_third],
                a * count + b,
            ]
        )
        columns = [second[inner_second], third[inner_third], third]
        rows.add(row, columns, [1.0, 1.0, -1.0], 0.0, 0.0, literal=[False] * 3)
        row = np.concatenate([np.arange(count), second_b[inner_second], c[inner_third], np.arange(count)])
        columns = [first, second[inner_second], third[inner_third], links]
        rows.add(row, columns, [1.0, 1.0, 1.0, -1.0], 0.0, 0.0, literal=[False, False, False, True])

    def _score_one(self, factor: int, true: np.ndarray) -> float:
        modifiers = [*np.flatnonzero(true).tolist(), len(true)]
        cube = self.cube(factor)
        started = [modifiers[0], *modifiers]  # START is written as the first modifier once more
        return float(sum(cube[trio] for trio in zip(started, started[1:], started[2:], strict=False)))


class HeadBigrams(_Automaton):
    """ints = number of words, then the sizes of their groups of arcs; floats = [left, right] for each two neighbours."""

    kind = "head_bigrams"
    code = HEAD_BIGRAMS

    def sizes(self, factor: int) -> list[int]:
        return [int(size) for size in self.parameters(factor)[1:]]

    def tables(self, factor: int) -> list[Floats]:
        """One table for each two neighbours."""
        shapes = list(itertools.pairwise(self.sizes(factor)))
        ends = np.cumsum([left * right for left, right in shapes])
        parts = np.split(self.table(factor), ends[:-1]) if shapes else []
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def _constrain_one(self, builder: ProgramBuilder, factor: int, links: Integers) -> None:
        sizes = self.sizes(factor)
        groups = np.split(links, np.cumsum(sizes)[:-1])
        self.add_rows(builder, links, np.array(sizes), np.ones(len(links)), 1.0, 1.0)
        rows = Rows(self, builder)
        for left, right, table in zip(groups, groups[1:], self.tables(factor), strict=False):
            i, j = (part.ravel() for part in np.indices(table.shape))
            steps = builder.add_columns(table.ravel())
            for group, member in ((left, i), (right, j)):
                row = np.concatenate([member, np.arange(len(group))])
                rows.add(row, [steps, group], [1.0, -1.0], 0.0, 0.0, literal=[False, True])

    def _score_one(self, factor: int, true: np.ndarray) -> float:
        groups = np.split(true, np.cumsum(self.sizes(factor))[:-1])
        if any(group.sum() != 1 for group in groups):
            return -np.inf
        chosen = [int(group.argmax()) for group in groups]
        pairs = zip(self.tables(factor), chosen, chosen[1:], strict=False)
        return float(sum(table[left, right] for table, left, right in pairs))

    def candidates(self, factor: int) -> Floats:
        sizes = self.sizes(factor)
        states = np.stack(np.unravel_index(np.arange(int(np.prod(sizes))), tuple(sizes)), axis=1)
        return np.concatenate([np.eye(size)[states[:, word]] for word, size in enumerate(sizes)], axis=1)
