"""Instances and structures of sentence compression by tree transduction (Yao, Wan & Xiao 2014, Eq. 1 and 3).

The only place that says what a compression is worth: the rules of its derivation, its n-grams, and a reward per kept word.
Conventions:

- Words are numbered from 1; 0 is the start symbol of n-grams, n + 1 the end symbol.
- `forest` packs all derivations of the source tree. Literal j - 1 says that word j is kept. Only an item that is derived from
  the axiom alone turns a literal on (it is the word), and the words of an edge's first tail all stand before those of its
  second. So an item's words lie in an interval of the sentence, and no derivation uses an item twice.
- `trigram_scores[0, 0, j]` is the score of j as the first kept word, `[0, i, j]` of the second, `[i, j, n + 1]` of the end.
- The empty compression is forbidden: log-probabilities alone prefer it. `reward` makes up for that where length is free.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..checks import LARGEST_MAGNITUDE, Floats, magnitude, number
from ..display import InNotebooks, many, short_line
from ..errors import InputError, quoted
from ..factors.derivation import NONE, Forest, check_forest

Transduction = tuple[tuple[int, ...], tuple[int, ...]]
"""The kept words in order, and the edges of the forest that the derivation uses, in order."""


@dataclass(frozen=True, eq=False)
class TransductionInstance(InNotebooks):
    """A sentence with the packed forest of its derivations and the scores of n-grams over kept words."""

    task: ClassVar[str] = "transduction"

    name: str
    words: tuple[str, ...]
    forest: Forest
    bigram_scores: Floats | None = None  # (n + 2, n + 2): [i, j] where i and j, i < j, become neighbours
    trigram_scores: Floats | None = None  # (n + 2, n + 2, n + 2); exactly one of the two is given
    reward: float = 0.0  # per kept word
    length: int | None = None  # words to keep; None where the reward decides
    rule_weight: float = 1.0  # of the forest's scores
    ngram_weight: float = 1.0
    edge_rules: tuple[str, ...] = ()  # the rule that an edge applies, "" for edges that only join the parts of a rule
    source_tree: str = ""  # in brackets
    source_heads: tuple[int, ...] | None = None  # of all words; for grammatical relations
    gold_kept: tuple[int, ...] | None = None
    magnitude: float = field(init=False, repr=False)  # the sum of all absolute scores

    def __repr__(self) -> str:
        kept = "" if self.length is None else f"{self.length} to keep"
        return short_line(self, self.name, many(len(self.words), "word"), kept)

    def __post_init__(self) -> None:
        count = len(self.words)
        if not count:
            raise InputError("field 'words' must have at least one word.")
        for name in ("reward", "rule_weight", "ngram_weight"):
            weight = number(getattr(self, name), f"field {name!r}")
            if abs(weight) > LARGEST_MAGNITUDE:
                raise InputError(f"field {name!r} must be at most {LARGEST_MAGNITUDE:g}, not {weight:g}.")
            object.__setattr__(self, name, weight)
        self._check_length(count)
        check_forest(self.forest, count)
        _check_order(self.forest)
        edges = len(self.forest.tails)
        if len(self.edge_rules) not in (0, edges):
            raise InputError(f"field 'edge_rules' must have one entry for each of the {edges} edges, or none.")
        if (self.bigram_scores is None) == (self.trigram_scores is None):
            raise InputError("exactly one of the fields 'bigram_scores' and 'trigram_scores' must be given.")
        scores = _ngrams(self.bigram_scores, self.trigram_scores, count)
        object.__setattr__(self, "bigram_scores" if scores.ndim == 2 else "trigram_scores", scores)
        object.__setattr__(self, "forest", Forest(*map(_sealed, self.forest)))
        if self.source_heads is not None:
            _check_heads(self.source_heads, count)
        if self.gold_kept is not None and (_not_in_order(self.gold_kept, count) or not self.gold_kept):
            raise InputError(
                f"field 'gold_kept' must hold different words from 1 to {count}, in order, and at least one."
            )
        magnitude(self.forest.scores, scores.ravel())  # so that no product overflows
        total = magnitude(
            self.rule_weight * self.forest.scores, self.ngram_weight * scores.ravel(), np.full(count, self.reward)
        )
        object.__setattr__(self, "magnitude", total)

    def _check_length(self, count: int) -> None:
        length = self.length
        if length is None:
            return
        if isinstance(length, bool) or not isinstance(length, (int, np.integer)):
            raise InputError(f"field 'length' must be a whole number, not {quoted(length)}.")
        if not 1 <= length <= count:
            raise InputError(f"field 'length' must be from 1 to {count}, the words of the sentence, not {length}.")
        object.__setattr__(self, "length", int(length))

    @property
    def number_of_words(self) -> int:
        return len(self.words)

    @property
    def ngram_scores(self) -> Floats:
        """The bigram or the trigram scores, whichever are given."""
        scores = self.trigram_scores if self.bigram_scores is None else self.bigram_scores
        assert scores is not None
        return scores

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TransductionInstance):
            return NotImplemented
        alike = all(np.array_equal(a, b) for a, b in zip(self.forest, other.forest, strict=True))
        names = [each.name for each in fields(self) if each.name != "forest"]
        return alike and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((self.name, self.length, self.magnitude))


def _ngrams(bigrams: ArrayLike | None, trigrams: ArrayLike | None, count: int) -> Floats:
    """A checked copy, zero where no n-gram can be."""
    name = "trigram_scores" if bigrams is None else "bigram_scores"
    try:
        scores = np.array(trigrams if bigrams is None else bigrams, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"field {name!r} must hold numbers.") from None
    side = count + 2
    shape = (side,) * (3 if bigrams is None else 2)
    if scores.shape != shape:
        found = " x ".join(map(str, scores.shape))
        raise InputError(f"field {name!r} must be {' x '.join(map(str, shape))} scores, not {found}.")
    possible = possible_ngrams(count, len(shape))
    if not np.isfinite(scores[possible]).all():
        raise InputError(f"field {name!r} must hold finite numbers.")
    return _sealed(np.where(possible, scores, 0.0))


def possible_ngrams(count: int, order: int) -> np.ndarray:
    """Which n-grams of kept words there can be: growing positions, but a trigram may start with two start symbols."""
    place = np.arange(count + 2)
    pairs = place[:, None] < place
    pairs[0, -1] = False  # the empty compression
    if order == 2:
        return pairs
    triples = pairs[:, :, None] & pairs
    triples[0, 0, 1:-1] = True
    return triples


def _check_order(forest: Forest) -> None:
    """Refuse a forest in which an item that is no word turns on a literal, or an edge's tails are out of order."""
    links, first_edge = forest.links, np.concatenate([[0], np.cumsum(forest.edge_counts)])
    linked = links[:, 0] != NONE
    if (links[:, 1] != NONE).any() or forest.tails[np.repeat(linked, forest.edge_counts)].any():
        raise InputError(
            "field 'forest': only an item that is derived from the axiom may turn on a literal, and only one."
        )
    big = int(links.max()) + 2
    low, high = [big] * len(links), [-1] * len(links)  # of the words below each item
    tails, starts = forest.tails.tolist(), first_edge.tolist()
    for item in range(1, len(links)):
        if linked[item]:
            low[item] = high[item] = int(links[item, 0])
        for edge in range(starts[item], starts[item + 1]):
            one, two = tails[edge]
            if one and two and not high[one] < low[two]:
                raise InputError(
                    f"field 'forest': the words of edge {edge}'s first tail must all be before the second's."
                )
            low[item] = min(low[item], low[one], low[two])
            high[item] = max(high[item], high[one], high[two])


def _check_heads(heads: tuple[int, ...], count: int) -> None:
    if len(heads) != count:
        raise InputError(f"field 'source_heads' must have one head for each of the {count} words, not {len(heads)}.")
    for word in range(1, count + 1):
        above, steps = word, 0
        while above and steps <= count:
            above, steps = heads[above - 1], steps + 1
            if not 0 <= above <= count:
                raise InputError(f"field 'source_heads' must hold numbers from 0 to {count}, not {above}.")
        if above:
            raise InputError(f"field 'source_heads' is no tree: word {word} is in a cycle or below one.")


def _sealed(array: np.ndarray) -> np.ndarray:
    array = np.array(array, order="C")
    array.flags.writeable = False
    return array


def _not_in_order(kept: tuple[int, ...], count: int) -> bool:
    return not all(1 <= word <= count for word in kept) or not all(a < b for a, b in pairwise(kept))


def objective(instance: TransductionInstance, transduction: Transduction) -> float:
    """Eq. 1 or 3 from the derivation: rules, n-grams of the words that it keeps, and the reward for them."""
    kept, derivation = transduction
    rules = sum(map(instance.forest.scores.item, derivation))
    return (
        instance.rule_weight * rules + instance.ngram_weight * path_score(instance, kept) + instance.reward * len(kept)
    )


def path_score(instance: TransductionInstance, kept: tuple[int, ...]) -> float:
    """The n-grams of the kept words between start and end symbols, without their weight."""
    end = instance.number_of_words + 1
    if instance.bigram_scores is not None:
        bigrams = instance.bigram_scores.item
        return sum(bigrams(i, j) for i, j in pairwise((0, *kept, end)))
    path = (0, 0, *kept, end)
    trigrams = instance.ngram_scores.item
    return sum(trigrams(i, j, k) for i, j, k in zip(path, path[1:], path[2:], strict=False))


def broken(instance: TransductionInstance, transduction: Transduction) -> str | None:
    """Why a compression is not feasible."""
    kept, derivation = transduction
    if not kept:
        return "no word is kept."
    if _not_in_order(kept, instance.number_of_words):
        return f"the kept words must be different ones from 1 to {instance.number_of_words}, in order."
    found = yield_of(instance.forest, derivation)
    if found is None:
        return "the edges are no derivation of the goal."
    if found != kept:
        return f"the derivation keeps the words {' '.join(map(str, found)) or 'of nothing'}, not these."
    if instance.length is not None and len(kept) != instance.length:
        return f"{len(kept)} words are kept, not {instance.length}."
    return None


def yield_of(forest: Forest, derivation: tuple[int, ...]) -> tuple[int, ...] | None:
    """The words that a derivation keeps; None if the edges are not exactly those of one derivation of the goal."""
    edges = len(forest.tails)
    if not all(0 <= edge < edges for edge in derivation):
        return None
    ends = np.cumsum(forest.edge_counts)
    derived = np.searchsorted(ends, np.array(derivation, dtype=np.int64), side="right").tolist()
    below = dict(zip(derived, derivation, strict=True))
    if len(below) != len(derivation):
        return None
    kept, used, stack = [], 0, [len(forest.edge_counts) - 1]
    while stack:
        item = stack.pop()
        if item not in below:
            return None
        used += 1
        if forest.links[item, 0] != NONE:
            kept.append(int(forest.links[item, 0]) + 1)
        stack += [tail for tail in forest.tails[below[item]].tolist() if tail]
    return tuple(sorted(kept)) if used == len(derivation) else None
