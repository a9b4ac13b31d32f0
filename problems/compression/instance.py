"""Instances and structures of sentence compression with a tree over the kept words (Qian & Liu 2014, Eq. 1).

The only place that says what a compression is worth: kept words, their adjacent pairs and the arcs of their tree.
Conventions:

- Words are numbered from 1; 0 is the root symbol as a head and the start symbol of bigrams, n + 1 the end symbol.
- Exactly one kept word hangs from the root symbol.
- Bigrams with the start and end symbols are an option: they score 0 where `bigram_scores` is given for words alone.
- The empty compression (length 0) is worth the bigram of the start and end symbols.
- Every length from 0 to n can be met; any other is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Floats, magnitude
from ..display import InNotebooks, many, short_line
from ..errors import InputError, quoted
from .trees import crossing_word, lost_word

Compression = tuple[tuple[int, ...], tuple[int, ...]]
"""The kept words in order, and the head of each of them (a kept word, or 0)."""

Formulation = Literal["flow", "factors", "chart"]
FORMULATIONS: tuple[Formulation, ...] = ("flow", "factors", "chart")


@dataclass(frozen=True, eq=False)
class CompressionInstance(InNotebooks):
    """A sentence with the scores of its tokens, bigrams and arcs, and the number of words to keep."""

    task: ClassVar[str] = "compression"

    name: str
    token_scores: Floats  # (n): of keeping each word
    bigram_scores: Floats  # (n + 2, n + 2), or (n, n) for words alone: [i, j] where i and j, i < j, become neighbours
    arc_scores: Floats  # (n + 1, n): [head, modifier - 1]
    length: int  # words to keep
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    projective: bool = True  # False: any tree over the kept words, as in Thadani & McKeown (2013)
    formulation: Formulation = "factors"  # of `task.graph`; trees that are not projective need "flow"
    source_heads: tuple[int, ...] | None = None  # a tree of the whole sentence
    gold_kept: tuple[int, ...] | None = None
    gold_heads: tuple[int, ...] | None = None  # of the gold words
    magnitude: float = field(init=False, repr=False)  # the sum of all absolute scores

    def __repr__(self) -> str:
        return short_line(
            self, self.name, f"{self.length} of {many(len(self.token_scores), 'word')} to keep", self.formulation
        )

    def __post_init__(self) -> None:
        tokens = _scores(self.token_scores, "token_scores")
        if tokens.ndim != 1 or not len(tokens):
            raise InputError("field 'token_scores' must hold one score for each word, and at least one.")
        count = len(tokens)
        for name in ("words", "tags"):
            if len(getattr(self, name)) not in (0, count):
                raise InputError(f"field {name!r} must have one entry for each of the {count} words, or none.")
        if isinstance(self.length, bool) or not isinstance(self.length, (int, np.integer)):
            raise InputError(f"field 'length' must be a whole number, not {quoted(self.length)}.")
        if not 0 <= self.length <= count:
            raise InputError(f"field 'length' must be from 0 to {count}, the words of the sentence, not {self.length}.")
        if self.formulation not in FORMULATIONS:
            raise InputError(
                f"field 'formulation' must be one of {', '.join(FORMULATIONS)}, not {quoted(self.formulation)}."
            )
        if self.source_heads is not None:
            _check_tree("source_heads", tuple(range(1, count + 1)), self.source_heads)
        self._check_gold(count)
        bigrams, arcs = _bigrams(self.bigram_scores, count), _arcs(self.arc_scores, count)
        object.__setattr__(self, "length", int(self.length))
        object.__setattr__(self, "token_scores", sealed(tokens))
        object.__setattr__(self, "bigram_scores", sealed(bigrams))
        object.__setattr__(self, "arc_scores", sealed(arcs))
        object.__setattr__(self, "magnitude", magnitude(tokens, bigrams.ravel(), arcs.ravel()))

    def _check_gold(self, count: int) -> None:
        kept = self.gold_kept
        if kept is None:
            if self.gold_heads is not None:
                raise InputError("field 'gold_heads' needs field 'gold_kept', the words that it speaks of.")
            return
        why = _not_in_order(kept, count)
        if why is not None:
            raise InputError(f"field 'gold_kept' is no compression: {why}")
        if self.gold_heads is not None:
            _check_tree("gold_heads", kept, self.gold_heads)

    @property
    def number_of_words(self) -> int:
        return len(self.token_scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CompressionInstance):
            return NotImplemented
        return all(np.array_equal(getattr(self, each.name), getattr(other, each.name)) for each in fields(self))

    def __hash__(self) -> int:
        return hash((self.name, self.length, self.magnitude))


def _scores(values: ArrayLike, name: str) -> Floats:
    """A copy in floating point; anything that is not finite is refused."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"field {name!r} must hold numbers.") from None
    if not np.isfinite(array).all():
        raise InputError(f"field {name!r} must hold finite numbers.")
    return array


def _bigrams(values: ArrayLike, count: int) -> Floats:
    """With rows and columns for the start and end symbols; zero where no bigram can be."""
    given = _scores(values, "bigram_scores")
    if given.shape == (count, count):
        bigrams = np.zeros((count + 2, count + 2))
        bigrams[1:-1, 1:-1] = given
    elif given.shape == (count + 2, count + 2):
        bigrams = given
    else:
        shape = " x ".join(map(str, given.shape))
        raise InputError(
            f"field 'bigram_scores' must be {count} x {count} scores, or {count + 2} x {count + 2} with the start and "
            f"end symbols, not {shape}."
        )
    return np.triu(bigrams, 1)


def _arcs(values: ArrayLike, count: int) -> Floats:
    """Zero where head and modifier are the same word."""
    arcs = _scores(values, "arc_scores")
    if arcs.shape != (count + 1, count):
        shape = " x ".join(map(str, arcs.shape))
        raise InputError(f"field 'arc_scores' must be {count + 1} x {count} scores (head, modifier), not {shape}.")
    np.fill_diagonal(arcs[1:], 0.0)
    return arcs


def sealed(array: Floats) -> Floats:
    """An array that nobody writes to; those that came from another process have lost that mark."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def _not_in_order(kept: tuple[int, ...], count: int) -> str | None:
    if all(1 <= word <= count for word in kept) and all(a < b for a, b in pairwise(kept)):
        return None
    return f"the kept words must be different ones from 1 to {count}, in order."


def _check_tree(name: str, kept: tuple[int, ...], heads: tuple[int, ...]) -> None:
    why = no_tree(kept, heads)
    if why is not None:
        raise InputError(f"field {name!r} is no tree: {why}")


def no_tree(kept: tuple[int, ...], heads: tuple[int, ...]) -> str | None:
    """Why heads are no tree over the kept words with one word below the root symbol; None if they are."""
    if len(heads) != len(kept):
        return f"there are {len(heads)} heads for {len(kept)} kept words."
    rank = {0: 0, **{word: index for index, word in enumerate(kept, 1)}}
    for word, head in zip(kept, heads, strict=True):
        if head not in rank:
            return f"word {head}, the head of word {word}, is not kept."
    if kept and heads.count(0) != 1:
        return f"{heads.count(0)} words hang from the root symbol, not 1."
    lost = lost_word([rank[head] for head in heads])
    return None if lost is None else f"word {kept[lost - 1]} is in a cycle or below one."


def objective(instance: CompressionInstance, compression: Compression) -> float:
    """Eq. 1: tokens, arcs, and bigrams of words that are neighbours after compression."""
    kept, heads = compression
    tokens, bigrams, arcs = instance.token_scores.item, instance.bigram_scores.item, instance.arc_scores.item
    total = 0.0
    before = 0
    for word, head in zip(kept, heads, strict=True):
        total += tokens(word - 1) + arcs(head, word - 1) + bigrams(before, word)
        before = word
    return total + bigrams(before, instance.number_of_words + 1)


def broken(instance: CompressionInstance, compression: Compression) -> str | None:
    """Why a compression is not feasible."""
    kept, heads = compression
    why = _not_in_order(kept, instance.number_of_words) or no_tree(kept, heads)
    if why is not None:
        return why
    if len(kept) != instance.length:
        return f"{len(kept)} words are kept, not {instance.length}."
    if instance.projective:
        rank = {0: 0, **{word: index for index, word in enumerate(kept, 1)}}
        crossing = crossing_word([rank[head] for head in heads])
        if crossing is not None:
            return f"the tree is not projective: the words below word {kept[crossing - 1]} have others among them."
    return None
