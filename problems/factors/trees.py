"""Trees over candidate arcs: arborescences (any tree) and projective trees. Literals are arcs, ordered by modifier.

The root symbol is word 0. Each word has exactly one head; with `single_root`, exactly one word has the root symbol as its
head. Both linear descriptions are exact: a flow of one commodity per word (Wong 1984; Martins et al. 2009), and a flow
over the hypergraph of Eisner's chart (Martin, Rardin & Campbell 1990). The compact single-commodity flow of Martins et
al. 2009 describes the same trees with a larger polytope, so it is for LP and ILP solvers only.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ..kernels.codes import ARBORESCENCE, PROJECTIVE_TREE
from ..linear_program import Floats, Integers, ProgramBuilder
from .block import Block
from .rows import Rows

FLOWS = ("multi", "single")
HEADER = 3  # ints before the starts of each word's arcs; as in `kernels.arborescence`


@dataclass(frozen=True)
class TreeParameters:
    """The candidate arcs of one factor; starts[m - 1]:starts[m] are those of word m."""

    words: int
    single_root: bool
    flow: str
    starts: Integers
    heads: Integers

    @property
    def modifiers(self) -> Integers:
        return np.repeat(np.arange(1, self.words + 1), np.diff(self.starts))

    def packed(self) -> Integers:
        header = np.array([self.words, self.single_root, FLOWS.index(self.flow)], dtype=np.int64)
        return np.concatenate([header, self.starts, self.heads])


class Arborescence(Block):
    """ints = words, single root, form of the flow, starts of each word's arcs (words + 1), heads (one per literal)."""

    kind = "arborescence"
    code = ARBORESCENCE

    def parameters(self, factor: int) -> TreeParameters:
        ints = self.ints[self.int_starts[factor] : self.int_starts[factor + 1]]
        words = int(ints[0])
        cut = HEADER + words + 1
        return TreeParameters(words, bool(ints[1]), FLOWS[ints[2]], ints[HEADER:cut], ints[cut:])

    def constrain(self, builder: ProgramBuilder) -> None:
        for factor in range(len(self)):
            tree = self.parameters(factor)
            links = np.arange(self.starts[factor], self.starts[factor + 1])
            self.add_rows(builder, links, np.diff(tree.starts), np.ones(len(links)), 1.0, 1.0)
            if tree.single_root:
                roots = links[tree.heads == 0]
                self.add_rows(builder, roots, np.array([len(roots)]), np.ones(len(roots)), 1.0, 1.0)
            self._forbid_cycles(builder, tree, links)

    def _forbid_cycles(self, builder: ProgramBuilder, tree: TreeParameters, links: Integers) -> None:
        rows = Rows(self, builder)
        if tree.flow == "multi":
            _multi_commodity(rows, builder, tree, links)
        else:
            _single_commodity(rows, builder, tree, links)

    def literal_score(self, literals: Floats) -> Floats:
        scores = np.full(len(self), -np.inf)
        for factor in range(len(self)):
            tree = self.parameters(factor)
            values = literals[self.starts[factor] : self.starts[factor + 1]] > 0
            if not np.array_equal(tree.modifiers[values], np.arange(1, tree.words + 1)):
                continue
            heads = [0, *tree.heads[values].tolist()]
            if (not tree.single_root or heads[1:].count(0) == 1) and self.allows(heads):
                scores[factor] = 0.0
        return scores

    def allows(self, heads: list[int]) -> bool:
        """Is this a tree? heads[m] is the head of word m, heads[0] is not used."""
        return all(_reaches_root(heads, word) for word in range(1, len(heads)))

    def candidates(self, factor: int) -> Floats:
        """One arc per word, in every combination."""
        tree = self.parameters(factor)
        groups = [range(first, end) for first, end in itertools.pairwise(tree.starts)]
        chosen = np.array(list(itertools.product(*groups)), dtype=np.int64)
        literals = np.zeros((len(chosen), len(tree.heads)))
        np.put_along_axis(literals, chosen, 1.0, axis=1)
        return literals


class ProjectiveTree(Arborescence):
    """The same parameters (the form of the flow is not used); no two arcs cross, those of the root symbol included."""

    kind = "projective_tree"
    code = PROJECTIVE_TREE

    def allows(self, heads: list[int]) -> bool:
        spans = [(min(head, word), max(head, word)) for word, head in enumerate(heads) if word > 0]
        crossing = any(a < c < b < d for (a, b), (c, d) in itertools.permutations(spans, 2))
        return super().allows(heads) and not crossing

    def _forbid_cycles(self, builder: ProgramBuilder, tree: TreeParameters, links: Integers) -> None:
        _chart_flow(Rows(self, builder), builder, tree, links)


def _reaches_root(heads: list[int], word: int) -> bool:
    for _ in heads:
        if word == 0:
            return True
        word = heads[word]
    return False


def _multi_commodity(rows: Rows, builder: ProgramBuilder, tree: TreeParameters, links: Integers) -> None:
    """The root symbol sends each word k a unit of its own; an arc carries at most its value of each.

    What enters k of its own unit is the whole arc, so no columns are needed for that; and k's unit does not leave k.
    """
    words, heads, modifiers = tree.words, tree.heads, tree.modifiers
    unit, arc = (part.ravel() for part in np.indices((words, len(links))))
    unit = unit + 1
    carried = (heads[arc] != unit) & (modifiers[arc] != unit)
    flows = builder.add_columns(np.zeros(int(carried.sum())))
    unit_of, arc_of = unit[carried], arc[carried]
    rows.add(
        np.tile(np.arange(len(flows)), 2), [flows, links[arc_of]], [1.0, -1.0], -np.inf, 0.0, literal=[False, True]
    )
    arriving = np.flatnonzero((modifiers[arc] == unit) & (heads[arc] > 0))
    leaving = heads[arc_of] > 0
    row = [
        unit_of * (words + 1) + modifiers[arc_of],  # what enters a word other than k ...
        unit_of[leaving] * (words + 1) + heads[arc_of[leaving]],  # ... leaves it
        unit[arriving] * (words + 1) + heads[arc[arriving]],
    ]
    columns = [flows, flows[leaving], links[arc[arriving]]]
    rows.add(np.concatenate(row), columns, [1.0, -1.0, -1.0], 0.0, 0.0, literal=[False, False, True])


def _single_commodity(rows: Rows, builder: ProgramBuilder, tree: TreeParameters, links: Integers) -> None:
    """The root symbol sends as many units as there are words; each word keeps one of those that enter it."""
    flows = builder.add_columns(np.zeros(len(links)), upper=float(tree.words))
    each = np.arange(len(links))
    rows.add(np.tile(each, 2), [flows, links], [1.0, -float(tree.words)], -np.inf, 0.0, literal=[False, True])
    leaving = tree.heads > 0
    row = np.concatenate([tree.modifiers, tree.heads[leaving]])
    rows.add(row, [flows, flows[leaving]], [1.0, -1.0], 1.0, 1.0, literal=[False, False])


def _chart_flow(rows: Rows, builder: ProgramBuilder, tree: TreeParameters, links: Integers) -> None:
    """One column per way to derive a span from two smaller ones; a span is derived as often as it is used."""
    arc_of = dict(zip(zip(tree.heads.tolist(), tree.modifiers.tolist(), strict=True), links.tolist(), strict=True))
    goal = ("right", 0, tree.words)
    derivations: list[tuple[tuple[str, int, int], ...]] = []  # the derived span, then the two that it is made of
    for s, t in itertools.combinations(range(tree.words + 1), 2):
        for kind, arc in (("arc right", (s, t)), ("arc left", (t, s))):
            if arc in arc_of:
                last = s + 1 if tree.single_root and s == 0 else t
                derivations += [((kind, s, t), ("right", s, k), ("left", k + 1, t)) for k in range(s, last)]
        derivations += [(("right", s, t), ("arc right", s, k), ("right", k, t)) for k in range(s + 1, t + 1)]
        derivations += [(("left", s, t), ("left", s, k), ("arc left", k, t)) for k in range(s, t)]
    columns = builder.add_columns(np.zeros(len(derivations)))
    numbers: dict[tuple[str, int, int], int] = {}
    entries: list[tuple[int, int, float]] = []
    arc_entries: dict[int, list[int]] = {link: [] for link in links.tolist()}
    for column, (span, *parts) in zip(columns.tolist(), derivations, strict=True):
        entries.append((numbers.setdefault(span, len(numbers)), column, 1.0))
        entries += [(numbers.setdefault(part, len(numbers)), column, -1.0) for part in parts if part[1] != part[2]]
        if span[0].startswith("arc"):
            _, s, t = span
            arc_entries[arc_of[(s, t) if span[0] == "arc right" else (t, s)]].append(column)
    row, column_of, value = (np.array(part) for part in zip(*entries, strict=True))
    balance = np.zeros(len(numbers))
    balance[numbers[goal]] = 1.0
    rows.add(row, [column_of], value, balance, balance, literal=[False])
    lengths = np.array([len(arc_entries[link]) for link in links.tolist()])
    made = np.array([column for link in links.tolist() for column in arc_entries[link]], dtype=np.int64)
    row = np.concatenate([np.repeat(np.arange(len(links)), lengths), np.arange(len(links))])
    rows.add(row, [made, links], [1.0, -1.0], 0.0, 0.0, literal=[False, True])
