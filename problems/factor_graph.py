"""`FactorGraph`: a decoding problem described once, as 0/1 variables with scores and blocks of factors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .checks import LARGEST_MAGNITUDE, flags, indices, magnitude, number, numbers
from .display import InNotebooks, many, short_line
from .errors import InputError
from .factors import KINDS, Block
from .factors.block import Booleans, starts_of
from .factors.budget import checked_budget, hull_parameters, knapsack_parameters
from .factors.compiled import OWN_KINDS, kind_of, packed
from .factors.derivation import Forest, check_forest
from .factors.flat import FlatFactors
from .factors.foreign import Factor, Foreign
from .factors.logic import WITH_OUTPUT, normalize
from .factors.parsing_parts import ParsingParts
from .factors.subtree import Subtree
from .linear_program import Floats, Integers, LinearProgram, ProgramBuilder

NO_INTS = np.zeros(0, dtype=np.int64)
NO_FLOATS = np.zeros(0)


class _Chunk(NamedTuple):
    """Some factors of one kind, as they were added."""

    degrees: Integers
    variables: Integers
    negated: Booleans
    int_lengths: Integers
    ints: Integers
    float_lengths: Integers
    floats: Floats


class FactorGraph(ParsingParts, InNotebooks):
    """A factor graph over 0/1 variables 0, 1, ... Every `add_*` method copies and checks its input."""

    def __init__(self) -> None:
        self._scores: list[Floats] = []
        self._chunks: dict[str, list[_Chunk]] = {}
        self._own: dict[str, list[Factor]] = {}  # factors of someone else's, by kind
        self._blocks: list[Block] | None = None
        self._flat: FlatFactors | None = None  # all factors, where `of_flat` made the graph and none came after
        self._magnitude = 0.0
        self.number_of_variables = 0
        self.constant = 0.0

    def __repr__(self) -> str:
        counts = many(self.number_of_variables, "variable"), many(self.number_of_factors, "factor")
        return short_line(self, "", *counts)

    def _details(self) -> list[tuple[str, str]]:
        return [(block.kind, many(len(block), "factor")) for block in self.blocks if len(block)]

    @classmethod
    def of_flat(cls, scores: Floats, factors: FlatFactors, constant: float, absolute: float) -> FactorGraph:
        """A graph from arrays that a task has laid out itself, from a checked instance. They are neither checked nor copied.

        `absolute` is the sum of all absolute scores without the constant.
        """
        graph = cls()
        graph._scores = [scores]
        graph.number_of_variables = len(scores)
        graph.constant = constant
        graph._magnitude = magnitude(np.array([absolute]))
        graph._flat = factors
        return graph

    # -- building ------------------------------------------------------------------------------------------------

    def add_variables(self, scores: ArrayLike) -> Integers:
        """Append one 0/1 variable per score and return their indices."""
        values = numbers(scores, "the scores of variables")
        if not np.isfinite(values).all():
            where = self.number_of_variables + int(np.flatnonzero(~np.isfinite(values))[0])
            raise InputError(f"the score of variable {where} must be finite.")
        self._count(values)
        first = self.number_of_variables
        self.number_of_variables += len(values)
        self._scores.append(values)
        return np.arange(first, self.number_of_variables)

    def add_scores(self, variables: ArrayLike, scores: ArrayLike) -> None:
        """Add to the scores of variables that exist already."""
        links, values = indices(variables, "the variables"), numbers(scores, "the scores of variables")
        if len(links) != len(values) or not np.isfinite(values).all():
            raise InputError(f"{len(links)} variables need as many finite scores.")
        self._count(values)
        self._add_scores(links, values)

    def add_logic(self, kind: str, variables: ArrayLike, negated: ArrayLike | None = None) -> None:
        """One logic factor: xor, at_most_one, or, or_out, and_out, imply, xor_out. The output comes last."""
        links = indices(variables, "the variables of a factor")
        self.add_logic_block(kind, np.array([len(links)]), links, negated)

    def add_logic_block(
        self, kind: str, degrees: ArrayLike, variables: ArrayLike, negated: ArrayLike | None = None
    ) -> None:
        """Many logic factors of one kind: their degrees, and their variables one after the other."""
        counts, links = indices(degrees, "the degrees of factors"), indices(variables, "the variables of a factor")
        signs = self._flags(negated, len(links))
        smallest = 2 if kind in WITH_OUTPUT else 1
        if len(counts) and counts.min() < smallest:
            raise InputError(f"a factor of kind {kind!r} needs at least {smallest} variables.")
        self._check_degrees(kind, counts, links)
        last = np.zeros(len(links), dtype=bool)
        last[np.cumsum(counts) - 1] = True
        basic, signs = normalize(kind, signs, last)
        self._add(basic, counts, links, signs)

    def add_budget(self, variables: ArrayLike, budget: int, negated: ArrayLike | None = None) -> None:
        """At most `budget` of the variables are true."""
        checked_budget(budget, 0)
        links = indices(variables, "the variables of a budget")
        most = checked_budget(budget, len(links))
        self._add_one("budget", links, self._flags(negated, len(links)), ints=np.array([most]))

    def add_knapsack(
        self,
        variables: ArrayLike,
        costs: ArrayLike,
        budget: float,
        negated: ArrayLike | None = None,
        hull: bool = False,
    ) -> None:
        """The costs of the true variables sum to at most `budget`. `hull` uses the 0/1 hull (integer costs)."""
        links, prices = indices(variables, "the variables of a knapsack"), numbers(costs, "the costs of a knapsack")
        if len(prices) != len(links):
            raise InputError(f"a knapsack over {len(links)} variables needs as many costs, not {len(prices)}.")
        if not (np.isfinite(prices).all() and (prices >= 0).all() and (prices <= LARGEST_MAGNITUDE).all()):
            raise InputError("the costs of a knapsack must be finite and at least 0.")
        room = number(budget, "the budget of a knapsack")
        if room < 0:
            raise InputError(f"the budget of a knapsack must be finite and at least 0, not {budget}.")
        negations = self._flags(negated, len(links))
        if hull:
            self._add_one("knapsack_hull", links, negations, ints=hull_parameters(prices, room))
        else:
            self._add_one("knapsack", links, negations, floats=knapsack_parameters(prices, room))

    def add_pair(self, first: int, second: int, score: float) -> None:
        """A score for both variables being true."""
        self.add_pair_block([first, second], [score])

    def add_pair_block(self, variables: ArrayLike, scores: ArrayLike) -> None:
        """Many pairs: two variables and one score each."""
        links, values = indices(variables, "the variables of a pair"), numbers(scores, "the scores of pairs")
        if not np.isfinite(values).all():
            raise InputError("the score of a pair must be finite.")
        self._count(values)
        count = len(values)
        degrees = np.full(count, 2)
        self._add("pair", degrees, links, self._flags(None, 2 * count), floats=values, float_lengths=np.ones(count))

    def add_dense(self, groups: Sequence[ArrayLike], table: ArrayLike) -> None:
        """A table of scores over one-of-k groups of variables, last group fastest. -inf forbids a state."""
        members = [indices(group, "the variables of a group") for group in groups]
        sizes = np.array([len(group) for group in members], dtype=np.int64)
        if not len(sizes) or sizes.min() == 0:
            raise InputError("a dense factor needs at least one group, and each group at least one variable.")
        scores = numbers(np.ravel(np.asarray(table)), "the table of a dense factor")
        if scores.size != sizes.prod():
            raise InputError(
                f"a dense factor over groups of {sizes.tolist()} needs {sizes.prod()} table entries, not {scores.size}."
            )
        if np.isnan(scores).any() or (scores == np.inf).any():
            raise InputError("the table of a dense factor may hold finite scores and -inf only.")
        self._count(scores)
        links = np.concatenate(members)
        self._add_one("dense", links, self._flags(None, len(links)), ints=sizes, floats=scores)

    def add_subtree_deletion(
        self, variables: ArrayLike, parents: ArrayLike, scores: ArrayLike, undeletable: ArrayLike | None = None
    ) -> None:
        """A tree whose subtrees can be deleted. Nodes are in preorder: parents[0] = -1, and parents[i] < i.

        scores[i] counts if node i is deleted and its parent kept. The root's score has no effect.
        """
        links = indices(variables, "the variables of a tree")
        fixed = np.zeros(len(links), dtype=bool) if undeletable is None else undeletable
        self.add_subtree_block([len(links)], links, parents, scores, fixed)

    def add_subtree_block(
        self, sizes: ArrayLike, variables: ArrayLike, parents: ArrayLike, scores: ArrayLike, undeletable: ArrayLike
    ) -> None:
        """Many trees in flat arrays; parents are positions within their own tree."""
        sizes, variables = indices(sizes, "the sizes of trees"), indices(variables, "the variables of a tree")
        parents, scores = indices(parents, "the parents of a tree"), numbers(scores, "the deletion scores of a tree")
        undeletable = flags(undeletable, "the undeletable flags of a tree")
        total = int(sizes.sum())
        if not len(variables) == len(parents) == len(scores) == len(undeletable) == total:
            raise InputError("a tree needs one variable, parent, deletion score and undeletable flag per node.")
        if len(sizes) and sizes.min() < 1:
            raise InputError("a tree needs at least one node.")
        starts = starts_of(sizes)
        position = np.arange(total) - np.repeat(starts[:-1], sizes)
        root = position == 0
        if (parents[root] != -1).any() or (parents[~root] < 0).any() or (parents >= position)[~root].any():
            raise InputError(
                "the nodes of a tree must be in preorder: the root first with parent -1, then parents before children."
            )
        if not np.isfinite(scores).all():
            raise InputError("the deletion scores of a tree must be finite.")
        self._count(scores[~root])
        own = np.where(root, 0.0, scores)
        block = Subtree.of_trees(sizes, variables, parents, own, undeletable & ~root)
        self._add("subtree", sizes, variables, block.negated, block.ints, 2 * sizes, own, sizes)

    def add_derivation(self, variables: ArrayLike, forest: Forest, negated: ArrayLike | None = None) -> None:
        """A derivation of a packed forest (`problems.factors.derivation`). Literals index `variables`."""
        links = indices(variables, "the variables of a derivation")
        check_forest(forest, len(links))
        self._count(forest.scores)
        self._add_one("derivation", links, self._flags(negated, len(links)), forest.pack(), forest.scores.copy())

    def add_factor(self, factor: Factor, variables: ArrayLike, negated: ArrayLike | None = None) -> None:
        """Your own factor: a `problems.factors.foreign.Factor` or `problems.factors.compiled.CompiledFactor`."""
        if not isinstance(factor, Factor):
            raise InputError(f"expected a problems.factors.foreign.Factor, not {type(factor).__name__}.")
        links = indices(np.atleast_1d(np.asarray(variables)), "the variables of a factor")
        kind = kind_of(factor).kind
        self._add_one(kind, links, self._flags(negated, len(links)), *packed(factor))
        self._own.setdefault(kind, []).append(factor)

    def _flags(self, negated: ArrayLike | None, count: int) -> Booleans:
        if negated is None:
            return np.zeros(count, dtype=bool)
        found = flags(negated, "negation flags")
        if len(found) != count:
            raise InputError(f"a factor over {count} variables needs as many negation flags, not {len(found)}.")
        return found

    def _count(self, scores: Floats) -> None:
        """Keep account of the size of all scores; one beyond use is refused here."""
        self._magnitude = magnitude(scores, np.array([self._magnitude]))

    def _add_scores(self, variables: Integers, scores: Floats) -> None:
        """Add to the unary scores of variables that exist already."""
        self._check_links("xor", np.array([len(variables)]), variables)
        total = self.scores.copy()
        total[variables] += scores
        self._scores = [total]

    def _check_degrees(self, kind: str, degrees: Integers, variables: Integers) -> None:
        if int(degrees.sum()) != len(variables):
            raise InputError(
                f"the degrees of the {kind!r} factors sum to {degrees.sum()}, but there are {len(variables)} links."
            )

    def _add_one(
        self, kind: str, links: Integers, negated: Booleans, ints: Integers = NO_INTS, floats: Floats = NO_FLOATS
    ) -> None:
        if not len(links):
            raise InputError(f"a factor of kind {kind!r} needs at least 1 variable.")
        self._add(
            kind, np.array([len(links)]), links, negated, ints, np.array([len(ints)]), floats, np.array([len(floats)])
        )

    def _add(
        self,
        kind: str,
        degrees: Integers,
        variables: Integers,
        negated: Booleans,
        ints: Integers = NO_INTS,
        int_lengths: ArrayLike = 0,
        floats: Floats = NO_FLOATS,
        float_lengths: ArrayLike = 0,
    ) -> None:
        count = len(degrees)
        if not count:
            return
        self._check_degrees(kind, degrees, variables)
        self._check_links(kind, degrees, variables)
        self._open()
        int_counts, float_counts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        int_counts[:], float_counts[:] = int_lengths, float_lengths
        chunk = _Chunk(degrees, variables, negated, int_counts, ints, float_counts, floats)
        self._chunks.setdefault(kind, []).append(chunk)
        self._blocks = None

    def _open(self) -> None:
        """Factors that came as flat arrays become chunks, to which others can be added."""
        if self._flat is None:
            return
        for block in self.blocks:
            degrees, ints, floats = (np.diff(starts) for starts in (block.starts, block.int_starts, block.float_starts))
            chunk = _Chunk(degrees, block.variables, block.negated, ints, block.ints, floats, block.floats)
            self._chunks[block.kind] = [chunk]
        self._flat = None

    def _check_links(self, kind: str, degrees: Integers, variables: Integers) -> None:
        if len(variables) and (variables.min() < 0 or variables.max() >= self.number_of_variables):
            wrong = variables[(variables < 0) | (variables >= self.number_of_variables)][0]
            raise InputError(
                f"a factor of kind {kind!r} names variable {wrong}, but there are {self.number_of_variables}."
            )
        keys = np.repeat(np.arange(len(degrees)), degrees) * self.number_of_variables + variables
        if len(keys) > 1:
            keys.sort()
            repeated = keys[:-1][keys[1:] == keys[:-1]]
            if len(repeated):
                variable = repeated[0] % self.number_of_variables
                raise InputError(f"a factor of kind {kind!r} names variable {variable} twice.")

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def scores(self) -> Floats:
        """The unary scores of all variables."""
        if len(self._scores) > 1:
            self._scores = [np.concatenate(self._scores)]
        return self._scores[0] if self._scores else np.zeros(0)

    @property
    def blocks(self) -> list[Block]:
        """All factors, one block per kind."""
        if self._blocks is None and self._flat is not None:
            self._blocks = self._flat.blocks(KINDS)
        if self._blocks is None:
            self._blocks = []
            for kind, chunks in self._chunks.items():
                if len(chunks) > 1:
                    chunks[:] = [_Chunk(*(np.concatenate(part) for part in zip(*chunks, strict=True)))]
                chunk = chunks[0]
                arrays = (
                    starts_of(chunk.degrees),
                    chunk.variables,
                    chunk.negated,
                    starts_of(chunk.int_lengths),
                    chunk.ints,
                    starts_of(chunk.float_lengths),
                    chunk.floats,
                )
                own = OWN_KINDS.get(kind)
                self._blocks.append(own(*arrays, tuple(self._own[kind])) if own else KINDS[kind](*arrays))
        return self._blocks

    @property
    def flat(self) -> FlatFactors | None:
        """All factors in one set of flat arrays, if the graph was made from them."""
        return self._flat

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of factors in this graph."""
        return tuple(self._chunks) if self._flat is None else self._flat.kinds

    @property
    def foreign_factors(self) -> tuple[Factor, ...]:
        """The factors written in Python, in order."""
        return tuple(self._own.get(Foreign.kind, ()))

    @property
    def has_own_factors(self) -> bool:
        """Whether the graph has users' factors, compiled or not, whose own scores are unknown."""
        return bool(self._own)

    @property
    def magnitude(self) -> float:
        """The sum of all absolute scores. Tolerances are relative to it."""
        return self._magnitude + abs(self.constant)

    @property
    def number_of_factors(self) -> int:
        return sum(len(block) for block in self.blocks)

    @property
    def number_of_links(self) -> int:
        return sum(len(block.variables) for block in self.blocks)

    def objective(self, assignment: ArrayLike) -> float:
        """The score of a 0/1 assignment, with the factors' own scores; -inf if it breaks a factor."""
        values = np.asarray(assignment, dtype=np.float64)
        if values.shape != (self.number_of_variables,) or not np.isin(values, (0.0, 1.0)).all():
            raise InputError(f"an assignment must be {self.number_of_variables} zeros and ones.")
        return (
            self.constant + float(self.scores @ values) + sum(float(block.score(values).sum()) for block in self.blocks)
        )

    def linear_program(self) -> LinearProgram:
        """The 0/1 program: one integer column per variable, then the columns and rows of the factors."""
        builder = ProgramBuilder(constant=self.constant)
        builder.add_columns(self.scores, integer=True)
        for block in self.blocks:
            block.constrain(builder)
        return builder.build()

    @staticmethod
    def read(path: str | Path, evidence: str | Path | None = None) -> FactorGraph:
        """Read a graph from AD3's `.fg`, a UAI network (with evidence), or toulbar2's `.wcsp` or `.cfn`."""
        from .formats import read_graph

        return read_graph(Path(path), None if evidence is None else Path(evidence))
