"""Instances and structures of dependency parsing (section 2.1 and Figure 1 of the turbo parser paper).

The only place that says what a tree is worth: `objective` goes over the parts of a head vector one by one. Conventions:
a grandparent is never also a modifier of the same head; siblings, grand-siblings and tri-siblings have scores at END,
grandparents do not; tri-siblings are three consecutive modifiers, or START, the first and the second, or the last two and
END (the sum starts with k = 2, the second modifier or END); the root symbol has no grandparent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal

import numpy as np

from ..checks import LARGEST_MAGNITUDE, indices, magnitude, numbers
from ..display import InNotebooks, many, short_line
from ..errors import InputError, quoted
from ..linear_program import Floats, Integers
from .automata import Automata
from .decode import best_tree
from .trees import nonprojective_words, unreachable

Tree = tuple[int, ...]
"""The head of each word; 0 is the root symbol."""

Order = Literal["1", "2", "2+", "3"]
ORDERS: tuple[Order, ...] = ("1", "2", "2+", "3")
DECOMPOSITIONS = ("large", "many")
FLOWS = ("multi", "single")
PARTS_OF_ORDER = {  # which score arrays a model order has
    "1": (),
    "2": ("sibling_scores", "grandparent_scores"),
    "2+": ("sibling_scores", "grandparent_scores", "any_sibling_scores", "bigram_scores"),
    "3": (
        "sibling_scores",
        "grandparent_scores",
        "any_sibling_scores",
        "bigram_scores",
        "grand_sibling_scores",
        "tri_sibling_scores",
    ),
}
SCORES = ("arc_scores", *PARTS_OF_ORDER["3"])
NO_SCORES: Floats = np.zeros(0)
NO_PAIRS: Integers = np.zeros((0, 2), dtype=np.int64)


def _no_scores() -> Floats:
    return NO_SCORES


@dataclass(frozen=True, eq=False)
class ParsingInstance(InNotebooks):
    """A sentence with its candidate arcs and the scores of its parts, laid out as `Automata` says."""

    task: ClassVar[str] = "parsing"

    name: str
    words: tuple[str, ...]
    heads: Integers  # candidate arcs, by modifier, then by head
    modifiers: Integers
    arc_scores: Floats
    order: Order = "1"
    sibling_scores: Floats = field(default_factory=_no_scores, repr=False)
    grandparent_scores: Floats = field(default_factory=_no_scores, repr=False)
    grand_sibling_scores: Floats = field(default_factory=_no_scores, repr=False)
    tri_sibling_scores: Floats = field(default_factory=_no_scores, repr=False)
    bigram_scores: Floats = field(default_factory=_no_scores, repr=False)
    any_sibling_arcs: Integers = field(default_factory=lambda: NO_PAIRS, repr=False)
    any_sibling_scores: Floats = field(default_factory=_no_scores, repr=False)
    tags: tuple[str, ...] = ()
    gold: Tree = ()  # empty where there is none; what annotators wrote, which a few times is no tree
    labels: tuple[str, ...] = ()  # of the gold arcs, by modifier; empty where there are none
    single_root: bool = False
    projective: bool = False
    decomposition: Literal["large", "many"] = "large"
    flow: Literal["multi", "single"] = "multi"
    automata: Automata = field(init=False, repr=False)
    magnitude: float = field(init=False, repr=False)  # the sum of all absolute scores

    def __repr__(self) -> str:
        counts = many(len(self.words), "word"), many(len(self.heads), "candidate arc")
        return short_line(self, self.name, *counts, f"order {self.order}")

    def __post_init__(self) -> None:
        self._take_over()
        count = len(self.words)
        if not count:
            raise InputError("field 'words' must hold at least one word.")
        for name, valid in (("order", ORDERS), ("decomposition", DECOMPOSITIONS), ("flow", FLOWS)):
            if getattr(self, name) not in valid:
                raise InputError(
                    f"field {name!r} must be one of {', '.join(valid)}, not {quoted(getattr(self, name))}."
                )
        for name in ("tags", "labels"):
            if len(getattr(self, name)) not in (0, count):
                raise InputError(f"field {name!r} must have one entry for each of the {count} words, or none.")
        if self.labels and not self.gold:
            raise InputError("field 'labels' must be empty where there is no gold tree.")
        if self.gold and (len(self.gold) != count or not all(0 <= head <= count for head in self.gold)):
            raise InputError(f"field 'gold' must hold one head from 0 to {count} for each of the {count} words.")
        self._check_arcs(count)
        object.__setattr__(self, "automata", Automata(count, self.heads, self.modifiers))
        self._check_scores()
        object.__setattr__(self, "magnitude", magnitude(*(getattr(self, name) for name in SCORES)))

    @classmethod
    def of_model(cls, **fields: Any) -> ParsingInstance:
        """An instance made by our own code, of arrays of the right types: only that its scores are finite is checked.

        Checking everything takes as long as decoding a short sentence of first order.
        """
        self = object.__new__(cls)
        empty = dict.fromkeys(SCORES, NO_SCORES)
        vars(self).update(empty, any_sibling_arcs=NO_PAIRS)
        vars(self).update(fields)
        sizes = 0.0
        for name in SCORES:
            sizes += float(np.abs(getattr(self, name)).sum())
        if not sizes <= LARGEST_MAGNITUDE:
            return cls(**fields)  # says what is wrong
        vars(self).update(automata=Automata(len(self.words), self.heads, self.modifiers), magnitude=sizes)
        return self

    def _take_over(self) -> None:
        """Whatever sequences were given become tuples and arrays of this instance's own, or are refused."""
        taken: dict[str, Any] = {}
        for name in ("words", "tags", "labels"):
            given = getattr(self, name)
            if not isinstance(given, (list, tuple)) or not all(isinstance(text, str) for text in given):
                raise InputError(f"field {name!r} must be a list or tuple of texts.")
            taken[name] = tuple(given)
        taken["gold"] = tuple(indices(self.gold, "field 'gold'").tolist())
        taken["heads"], taken["modifiers"] = (indices(getattr(self, f), f"field {f!r}") for f in ("heads", "modifiers"))
        try:
            pairs: Any = np.asarray(self.any_sibling_arcs)
        except ValueError:  # lists of different lengths
            pairs = None
        if pairs is None or (pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2)):
            raise InputError("field 'any_sibling_arcs' must hold pairs of arcs.")
        taken["any_sibling_arcs"] = indices(pairs.ravel(), "field 'any_sibling_arcs'").reshape(-1, 2)
        for name in SCORES:
            taken[name] = numbers(getattr(self, name), f"field {name!r}")
        for name, value in taken.items():
            object.__setattr__(self, name, value)

    def _check_arcs(self, count: int) -> None:
        heads, modifiers = self.heads, self.modifiers
        if len(heads) != len(modifiers):
            raise InputError(
                f"fields 'heads' and 'modifiers' must be equally long, not {len(heads)} and {len(modifiers)}."
            )
        inside = (heads >= 0) & (heads <= count) & (modifiers >= 1) & (modifiers <= count) & (heads != modifiers)
        if not inside.all():
            arc = int(np.flatnonzero(~inside)[0])
            raise InputError(
                f"the candidate arc {heads[arc]} -> {modifiers[arc]} is none of a sentence of {count} words."
            )
        keys = modifiers * (count + 1) + heads
        if (keys[1:] <= keys[:-1]).any():
            raise InputError("the candidate arcs must be different ones, ordered by modifier and then by head.")
        without = np.flatnonzero(np.bincount(modifiers, minlength=count + 1)[1:] == 0)
        if len(without):
            word = int(without[0])
            raise InputError(f"word {word + 1} ({quoted(self.words[word])}) has no allowed head.")
        lost = unreachable_over(count, heads, modifiers, self.single_root)
        if lost:
            how = "from a single word below the root symbol" if self.single_root else "from the root symbol"
            word = lost[0]
            raise InputError(f"no tree: word {word} ({quoted(self.words[word - 1])}) cannot be reached {how}.")
        equal: Floats = np.zeros(len(heads))
        if self.projective and best_tree(count, heads, modifiers, equal, self.single_root, True) is None:
            raise InputError("no projective tree can be made of the candidate arcs.")

    def _check_scores(self) -> None:
        automata = self.automata
        lengths = {
            "arc_scores": len(self.heads),
            "sibling_scores": int(automata.sibling_starts[-1]),
            "grandparent_scores": int(automata.grandparent_starts[-1]),
            "grand_sibling_scores": int(automata.grand_sibling_starts[-1]),
            "tri_sibling_scores": int(automata.tri_sibling_starts[-1]),
            "bigram_scores": int(automata.bigram_starts[-1]),
            "any_sibling_scores": len(self.any_sibling_arcs),
        }
        for name, length in lengths.items():
            wanted = length if name == "arc_scores" or name in PARTS_OF_ORDER[self.order] else 0
            scores = getattr(self, name)
            if scores.shape != (wanted,):
                raise InputError(
                    f"field {name!r} must hold {wanted} scores for order {self.order!r} and these arcs, not {scores.size}."
                )
            if not np.isfinite(scores).all():
                raise InputError(f"field {name!r} must hold finite numbers.")
        pairs = self.any_sibling_arcs
        if len(pairs):
            if self.order in ("1", "2"):
                raise InputError(f"field 'any_sibling_arcs' must be empty for order {self.order!r}.")
            valid = (pairs >= 0).all() and (pairs < len(self.heads)).all() and (pairs[:, 0] != pairs[:, 1]).all()
            if not valid or (self.heads[pairs[:, 0]] != self.heads[pairs[:, 1]]).any():
                raise InputError("field 'any_sibling_arcs' must hold pairs of different arcs of the same head.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ParsingInstance):
            return NotImplemented
        names = [item.name for item in fields(self) if item.init]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]

    @property
    def number_of_words(self) -> int:
        return len(self.words)


def with_order(instance: ParsingInstance, order: Order) -> ParsingInstance:
    """The same sentence under a smaller model: the scores that the order does not have are left out."""
    if order not in ORDERS:
        raise InputError(f"a model order must be one of {', '.join(ORDERS)}, not {order!r}.")
    if ORDERS.index(order) > ORDERS.index(instance.order):
        raise InputError(f"an instance of order {instance.order!r} has no scores for order {order!r}.")
    dropped: dict[str, Any] = {name: NO_SCORES for name in PARTS_OF_ORDER["3"] if name not in PARTS_OF_ORDER[order]}
    if "any_sibling_scores" in dropped:
        dropped["any_sibling_arcs"] = np.zeros((0, 2), dtype=np.int64)
    return replace(instance, order=order, **dropped)


def unreachable_over(count: int, heads: Integers, modifiers: Integers, single_root: bool) -> list[int]:
    """Words that no tree over these arcs can contain; with a single root those that the best choice of it leaves out."""
    from ..kernels.reachability import tree_exists

    if tree_exists(count, heads, modifiers, single_root):
        return []
    children: list[list[int]] = [[] for _ in range(count + 1)]
    for head, modifier in zip(heads.tolist(), modifiers.tolist(), strict=True):
        children[head].append(modifier)

    def missed(start: int) -> list[int]:
        seen = [False] * (count + 1)
        seen[0] = seen[start] = True
        stack = [start]
        while stack:
            for word in children[stack.pop()]:
                if not seen[word]:
                    seen[word] = True
                    stack.append(word)
        return [word for word in range(1, count + 1) if not seen[word]]

    if not single_root:
        return missed(0)
    fewest = list(range(1, count + 1))
    for root in children[0]:
        lost = missed(root)
        if len(lost) < len(fewest):
            fewest = lost
        if not fewest:
            break
    return fewest


def broken(instance: ParsingInstance, tree: Tree) -> str | None:
    """Why a head vector is not a feasible tree."""
    count = instance.number_of_words
    if len(tree) != count:
        return f"expected {count} heads, not {len(tree)}."
    arcs = instance.automata.arc_numbers
    for index, head in enumerate(tree):
        if (head, index + 1) not in arcs:
            return f"{head} is no candidate head of word {index + 1} ({instance.words[index]!r})."
    lost = unreachable(tree)
    if lost:
        return f"word {lost[0]} ({instance.words[lost[0] - 1]!r}) is in a cycle or below one."
    roots = sum(1 for head in tree if head == 0)
    if instance.single_root and roots != 1:
        return f"{roots} words depend on the root symbol instead of one."
    if instance.projective:
        crossing = nonprojective_words(tree)
        if crossing:
            return f"the arc into word {crossing[0]} is not projective."
    return None


def objective(instance: ParsingInstance, tree: Tree) -> float:
    """The score of a tree: the sum over the parts of Figure 1 that the model's order has."""
    numbers = instance.automata.arc_numbers
    try:
        arcs = [numbers[head, index + 1] for index, head in enumerate(tree)]
    except KeyError as error:
        head, modifier = error.args[0]
        raise InputError(f"the tree has an arc {head} -> {modifier}, which is no candidate and has no score.") from None
    total = sum(instance.arc_scores[arcs].tolist())
    if instance.order == "1":
        return total
    total += _automata_scores(instance, tree, arcs)
    if instance.order in ("2+", "3"):
        chosen = np.zeros(len(instance.heads), dtype=bool)
        chosen[arcs] = True
        pairs = instance.any_sibling_arcs
        total += float(instance.any_sibling_scores[chosen[pairs[:, 0]] & chosen[pairs[:, 1]]].sum())
        total += _bigram_scores(instance, arcs)
    return total


def _automata_scores(instance: ParsingInstance, tree: Tree, arcs: list[int]) -> float:
    """Consecutive siblings, grandparents, grand-siblings and tri-siblings, head by head and side by side."""
    layout = instance.automata.as_lists
    positions, degrees, incoming = layout["position_of_arc"], layout["outgoing_counts"], layout["incoming_starts"]
    count = len(tree)
    modifiers: list[list[int]] = [[] for _ in range(2 * count + 1)]  # of each automaton, outward, as positions in it
    for word in range(1, count + 1):
        if tree[word - 1] < word:
            modifiers[2 * tree[word - 1]].append(positions[arcs[word - 1]])
    for word in range(count, 0, -1):
        if tree[word - 1] > word:
            modifiers[2 * tree[word - 1] - 1].append(positions[arcs[word - 1]])
    third = instance.order == "3"
    # views, because single entries of arrays are slow: they become numbers of numpy's
    siblings, grandparents = instance.sibling_scores.data, instance.grandparent_scores.data
    grand_siblings, tri_siblings = instance.grand_sibling_scores.data, instance.tri_sibling_scores.data
    total = 0.0
    for automaton, chain in enumerate(modifiers):
        head, degree = automaton + 1 >> 1, degrees[automaton]
        width = degree + 1
        sibling = layout["sibling_starts"][automaton]
        grandparent = arcs[head - 1] - incoming[head - 1] if head else 0  # which of the head's candidate heads it has
        grand = layout["grandparent_starts"][automaton] + grandparent * degree
        grand_sibling = layout["grand_sibling_starts"][automaton] + grandparent * width * width
        tri_sibling = layout["tri_sibling_starts"][automaton]
        before = 0  # START
        for position in (*chain, degree):
            total += siblings[sibling + before * width + position]
            if head and position < degree:
                total += grandparents[grand + position]
            if head and third:
                total += grand_siblings[grand_sibling + before * width + position]
            before = position + 1
        if third:
            started = [*chain[:1], *chain, degree]  # START is written as the first modifier once more
            for first, second, next_one in zip(started, started[1:], started[2:], strict=False):
                total += tri_siblings[tri_sibling + (first * degree + second) * width + next_one]
    return total


def _bigram_scores(instance: ParsingInstance, arcs: list[int]) -> float:
    layout = instance.automata.as_lists
    starts, incoming, sizes = layout["bigram_starts"], layout["incoming_starts"], layout["heads_per_word"]
    scores = instance.bigram_scores.data
    total = 0.0
    for index in range(len(arcs) - 1):
        row, column = arcs[index] - incoming[index], arcs[index + 1] - incoming[index + 1]
        total += scores[starts[index] + row * sizes[index + 1] + column]
    return total
