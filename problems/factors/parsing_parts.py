"""How the factors of dependency parsing are added to a graph: trees, head automata, head bigrams.

Words are 1, 2, ..., the root symbol is 0. Arcs are variables of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..checks import indices, numbers
from ..errors import InputError, nearest
from ..linear_program import Floats, Integers
from .block import Booleans, starts_of
from .grand_sibling_arrays import GrandSiblingArrays
from .trees import FLOWS, TreeParameters

NOTHING = np.zeros(0)
NO_INTS = np.zeros(0, dtype=np.int64)
NO_FLAGS = np.zeros(0, dtype=bool)


@cache
def _ordered(count: int) -> Booleans:
    """Which entries [a, b, c] of a tri-sibling table are in use, as a flat array."""
    a, b, c = np.ogrid[:count, :count, : count + 1]
    return np.ravel((a <= b) & (b < c))


class _Graph(Protocol):
    """What is needed of a FactorGraph."""

    constant: float

    def add_pair_block(self, variables: ArrayLike, scores: ArrayLike) -> None: ...

    def add_grand_sibling_block(
        self,
        incoming_counts: ArrayLike,
        outgoing_counts: ArrayLike,
        incoming: ArrayLike,
        outgoing: ArrayLike,
        grandparents: ArrayLike,
        modifiers: ArrayLike,
        sibling: ArrayLike,
        grandparent: ArrayLike,
        grand_sibling: ArrayLike | None = None,
    ) -> None: ...

    def add_tri_sibling_block(self, outgoing_counts: ArrayLike, outgoing: ArrayLike, scores: ArrayLike) -> None: ...

    def add_head_bigram_arrays(self, sizes: ArrayLike, arcs: ArrayLike, scores: ArrayLike) -> None: ...

    def _add(
        self,
        kind: str,
        degrees: Integers,
        variables: Integers,
        negated: Booleans,
        ints: Integers = ...,
        int_lengths: ArrayLike = ...,
        floats: Floats = ...,
        float_lengths: ArrayLike = ...,
    ) -> None: ...

    def add_logic(self, kind: str, variables: ArrayLike, negated: ArrayLike | None = None) -> None: ...

    def _add_one(
        self, kind: str, links: Integers, negated: Booleans, ints: Integers = ..., floats: Floats = ...
    ) -> None: ...

    def _count(self, scores: Floats) -> None: ...

    def _add_scores(self, variables: Integers, scores: Floats) -> None: ...


class ParsingParts:
    """The part of FactorGraph that adds factors of dependency parsing."""

    def add_arborescence(
        self: _Graph,
        arcs: ArrayLike,
        heads: ArrayLike,
        modifiers: ArrayLike,
        number_of_words: int,
        single_root: bool = False,
        flow: str = "multi",
    ) -> None:
        """The arcs that are true form a tree from the root symbol; `flow` is the form of its linear description."""
        if flow not in FLOWS:
            raise InputError(f"unknown flow {flow!r} of an arborescence: {nearest(flow, FLOWS)}")
        links, tree = _tree(arcs, heads, modifiers, number_of_words, single_root, flow)
        _require_tree(tree)
        self._add_one("arborescence", links, np.zeros(len(links), dtype=bool), ints=tree.packed())

    def add_projective_tree(
        self: _Graph,
        arcs: ArrayLike,
        heads: ArrayLike,
        modifiers: ArrayLike,
        number_of_words: int,
        single_root: bool = False,
    ) -> None:
        """The arcs that are true form a tree from the root symbol in which no two arcs cross."""
        links, tree = _tree(arcs, heads, modifiers, number_of_words, single_root, "multi")
        _require_tree(tree)
        _require_projective_tree(tree)
        self._add_one("projective_tree", links, np.zeros(len(links), dtype=bool), ints=tree.packed())

    def add_grand_siblings(
        self: _Graph,
        incoming: ArrayLike,
        outgoing: ArrayLike,
        grandparents: ArrayLike,
        modifiers: ArrayLike,
        sibling: ArrayLike,
        grandparent: ArrayLike | None = None,
        grand_sibling: ArrayLike | None = None,
    ) -> None:
        """The head automaton of a word h and one side: exactly one arc g -> h, if any are given, and any arcs h -> m.

        `outgoing` is ordered outward from h. sibling[a, b] scores modifier b (J is END) after state a (0 is START, then
        modifier a - 1); grandparent[i, j] and grand_sibling[i, a, b] the same with incoming arc i.
        """
        enter = indices(incoming, "the incoming arcs of an automaton")
        leave = indices(outgoing, "the outgoing arcs of an automaton")
        count, end = len(enter), len(leave)
        plain = _shaped(sibling, (end + 1, end + 1), "sibling").ravel()
        grand = (
            np.zeros(count * end) if grandparent is None else _shaped(grandparent, (count, end), "grandparent").ravel()
        )
        third = None
        if grand_sibling is not None:
            third = _shaped(grand_sibling, (count, end + 1, end + 1), "grand-sibling").ravel()
        self.add_grand_sibling_block([count], [end], enter, leave, grandparents, modifiers, plain, grand, third)

    def add_grand_sibling_block(
        self: _Graph,
        incoming_counts: ArrayLike,
        outgoing_counts: ArrayLike,
        incoming: ArrayLike,
        outgoing: ArrayLike,
        grandparents: ArrayLike,
        modifiers: ArrayLike,
        sibling: ArrayLike,
        grandparent: ArrayLike,
        grand_sibling: ArrayLike | None = None,
    ) -> None:
        """Many automata in flat arrays: the arcs of each, and its whole tables, one automaton after the other."""
        automata = GrandSiblingArrays.checked(
            incoming_counts, outgoing_counts, incoming, outgoing, grandparents, modifiers
        )
        table = automata.packed(sibling, grandparent, grand_sibling)
        self._count(table)
        bare = automata.outgoing_counts == 0  # nothing but the choice of an incoming arc is left: its scores are linear
        lone = bare & (automata.incoming_counts == 0)
        starts = starts_of(automata.table_sizes)
        self.constant += float(table[starts[:-1][lone]].sum())
        for factor in np.flatnonzero(bare & ~lone).tolist():
            enter = automata.links(factor)
            self._add_scores(enter, table[starts[factor] : starts[factor + 1]])
            self.add_logic("xor", enter)
        kept = ~bare
        self._add(
            "grand_siblings",
            automata.degrees[kept],
            automata.all_links(kept),
            np.zeros(int(automata.degrees[kept].sum()), dtype=bool),
            automata.parameters(kept),
            2 + automata.incoming_counts[kept],
            table[np.repeat(kept, automata.table_sizes)],
            automata.table_sizes[kept],
        )

    def add_tri_siblings(self: _Graph, outgoing: ArrayLike, scores: ArrayLike) -> None:
        """The arcs from one word to one side, ordered outward: scores[a, b, c] for consecutive a < b < c (J is END).

        scores[b, b, c] are for b and c as the first two (or b alone and END): the paper's parts with START.
        """
        links = indices(outgoing, "the outgoing arcs of an automaton")
        count = len(links)
        self.add_tri_sibling_block([count], links, _shaped(scores, (count, count, count + 1), "tri-sibling").ravel())

    def add_tri_sibling_block(self: _Graph, outgoing_counts: ArrayLike, outgoing: ArrayLike, scores: ArrayLike) -> None:
        """Many automata in flat arrays. One modifier has a score of its own, and two are a pair."""
        counts = indices(outgoing_counts, "the numbers of outgoing arcs of automata")
        links = indices(outgoing, "the outgoing arcs of an automaton")
        cubes = numbers(scores, "tri-sibling scores")
        sizes = counts * counts * (counts + 1)
        if counts.sum() != len(links) or sizes.sum() != len(cubes):
            raise InputError("automata need their arcs and whole tables of tri-sibling scores.")
        used = np.concatenate([NO_FLAGS, *(_ordered(count) for count in counts.tolist())])
        floats = np.where(used, cubes, 0.0)
        if not np.isfinite(floats).all():
            raise InputError("the scores of an automaton must be finite.")
        one, two, more = counts == 1, counts == 2, counts > 2
        starts = starts_of(sizes)[:-1]
        self._add_scores(links[np.repeat(one, counts)], floats[starts[one] + 1])  # [0, 0, 1]
        first, second = floats[starts[two] + 2], floats[starts[two] + 11]  # [0, 0, 2] and [1, 1, 2]: one alone
        both = floats[starts[two] + 1] + floats[starts[two] + 5]  # [0, 0, 1] and [0, 1, 2]
        self._add_scores(links[np.repeat(two, counts)], np.stack([first, second], axis=1).ravel())
        self.add_pair_block(links[np.repeat(two, counts)], both - first - second)
        tables = floats[np.repeat(more, sizes)]
        self._count(tables)
        chosen = links[np.repeat(more, counts)]
        negated = np.zeros(len(chosen), dtype=bool)
        self._add("tri_siblings", counts[more], chosen, negated, NO_INTS, 0, tables, sizes[more])

    def add_head_bigrams(self: _Graph, groups: Sequence[ArrayLike], scores: Sequence[ArrayLike]) -> None:
        """Each word has exactly one of its arcs; scores[k][i, j] for arc i of word k and arc j of word k + 1."""
        members = [indices(group, "the arcs of a word") for group in groups]
        if not members or min(map(len, members)) == 0:
            raise InputError("head bigrams need at least one word, and each word at least one arc.")
        if len(scores) != len(members) - 1:
            raise InputError(f"head bigrams of {len(members)} words need {len(members) - 1} tables, not {len(scores)}.")
        sizes = [len(group) for group in members]
        shapes = zip(scores, sizes[:-1], sizes[1:], strict=True)
        tables = [_shaped(table, (left, right), "head bigram").ravel() for table, left, right in shapes]
        self.add_head_bigram_arrays(sizes, np.concatenate(members), np.concatenate([NOTHING, *tables]))

    def add_head_bigram_arrays(self: _Graph, sizes: ArrayLike, arcs: ArrayLike, scores: ArrayLike) -> None:
        """The same in flat arrays: the number of arcs of each word, all arcs, and all tables one after the other."""
        counts, links = indices(sizes, "the numbers of arcs of words"), indices(arcs, "the arcs of words")
        floats = numbers(scores, "head bigram scores") if np.size(scores) else NOTHING
        if not len(counts) or counts.min() < 1:
            raise InputError("head bigrams need at least one word, and each word at least one arc.")
        if counts.sum() != len(links) or int(counts[:-1] @ counts[1:]) != len(floats):
            raise InputError("head bigrams need the arcs of all words and one whole table for each two neighbours.")
        if not np.isfinite(floats).all():
            raise InputError("the scores of head bigrams must be finite.")
        self._count(floats)
        ints = np.append(len(counts), counts)
        self._add_one("head_bigrams", links, np.zeros(len(links), dtype=bool), ints=ints, floats=floats)


def _shaped(scores: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """Scores as an array of this shape."""
    try:
        array = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} scores must be an array of numbers.") from None
    if array.shape != shape:
        raise InputError(f"{what} scores must have the shape {shape}, not {array.shape}.")
    return array


def _tree(
    arcs: ArrayLike, heads: ArrayLike, modifiers: ArrayLike, number_of_words: int, single_root: bool, flow: str
) -> tuple[Integers, TreeParameters]:
    """The arcs in the order of modifiers and heads, and what they are."""
    given = ((arcs, "arcs"), (heads, "heads"), (modifiers, "modifiers"))
    links, above, below = (indices(part, f"the {what} of a tree") for part, what in given)
    words = int(number_of_words)
    if words != number_of_words or words < 1:
        raise InputError(f"a tree needs a whole number of at least 1 word, not {number_of_words}.")
    if not len(links) == len(above) == len(below):
        raise InputError("a tree needs one head and one modifier per arc.")
    if len(links) and (above.min() < 0 or above.max() > words or below.min() < 1 or below.max() > words):
        raise InputError(f"heads must be 0 (the root symbol) to {words}, modifiers 1 to {words}.")
    if (above == below).any():
        raise InputError(f"word {int(below[above == below][0])} cannot be its own head.")
    keys = below * (words + 1) + above
    order = np.argsort(keys, kind="stable")
    repeated = np.flatnonzero(np.diff(keys[order]) == 0)
    if len(repeated):
        arc = order[repeated[0]]
        raise InputError(f"the arc from {int(above[arc])} to {int(below[arc])} is given twice.")
    starts = starts_of(np.bincount(below, minlength=words + 1)[1:])
    return links[order], TreeParameters(words, bool(single_root), flow, starts, above[order])


def _require_tree(tree: TreeParameters) -> None:
    """There is a tree among the candidate arcs; otherwise name a word that is to blame."""
    without = np.flatnonzero(np.diff(tree.starts) == 0)
    if len(without):
        raise InputError(f"word {int(without[0]) + 1} has no candidate head.")
    roots = tree.modifiers[tree.heads == 0]
    reached = _reachable(tree, roots)
    if not reached.all():
        raise InputError(f"word {int(np.flatnonzero(~reached)[0])} cannot be reached from the root symbol.")
    if tree.single_root and not any(_reachable(tree, roots[k : k + 1]).all() for k in range(len(roots))):
        raise InputError("no tree with a single root can be made of the candidate arcs.")


def _reachable(tree: TreeParameters, roots: Integers) -> Booleans:
    """Which words can be reached from these; the root symbol counts as reached."""
    reached = np.zeros(tree.words + 1, dtype=bool)
    reached[roots] = True
    modifiers, inner = tree.modifiers, tree.heads > 0
    sources, targets = tree.heads[inner], modifiers[inner]
    while True:
        new = targets[reached[sources] & ~reached[targets]]
        if not len(new):
            break
        reached[new] = True
    reached[0] = True
    return reached


def _require_projective_tree(tree: TreeParameters) -> None:
    from ..kernels.projective import projective_tree_exists

    if not projective_tree_exists(tree.packed()):
        raise InputError("no projective tree can be made of the candidate arcs.")
