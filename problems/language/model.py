"""A back-off model of up to three words in sorted arrays: each n-gram holds the range of the n-grams that extend it.

Probabilities and back-off weights are natural logarithms. Word numbers index `vocabulary`, whose first three entries are
the unknown word and the two sentence symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..linear_program import Floats, Integers

UNKNOWN, START, END = 0, 1, 2
SYMBOLS = ("<unk>", "<s>", "</s>")
LARGEST_ORDER = 3
NEVER = -np.inf


@dataclass(frozen=True)
class NgramModel:
    """Level k holds the n-grams of k words, sorted; `starts[k - 1]` says where the extensions of each begin in level k + 1."""

    vocabulary: tuple[str, ...]
    words: tuple[Integers, ...]  # per level: the last word of each n-gram
    log_probabilities: tuple[Floats, ...]  # per level
    back_offs: tuple[Floats, ...]  # per level but the last
    starts: tuple[Integers, ...]  # per level but the last, one more entry than n-grams
    numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", {word: number for number, word in enumerate(self.vocabulary)})

    @property
    def order(self) -> int:
        return len(self.words)

    @cached_property
    def cased(self) -> bool:
        """Does it know words with capitals?"""
        return any(word != word.lower() for word in self.vocabulary)

    def spelt(self, words: Iterable[str]) -> list[str]:
        """Words as the model knows them."""
        return [word if self.cased else word.lower() for word in words]

    @property
    def counts(self) -> tuple[int, ...]:
        """N-grams per level."""
        return tuple(len(words) for words in self.words)

    def encode(self, words: Iterable[str]) -> Integers:
        """Word numbers; words outside the vocabulary become the unknown word."""
        return np.array([self.numbers.get(word, UNKNOWN) for word in words], dtype=np.int64)

    def arrays(self) -> tuple[Floats, Floats, Integers, Integers, Floats, Floats, Integers, Integers, Floats]:
        """What `kernels.ngram` reads: three levels, those above the order empty."""
        nothing, no_words = np.zeros(0), np.zeros(0, dtype=np.int64)
        back_offs = [*self.back_offs, np.zeros(len(self.words[-1])), nothing, nothing]
        starts = [*self.starts, np.zeros(len(self.words[-1]) + 1, dtype=np.int64), np.zeros(1, dtype=np.int64)]
        words = [*self.words, no_words, no_words]
        worth = [*self.log_probabilities, nothing, nothing]
        return worth[0], back_offs[0], starts[0], words[1], worth[1], back_offs[1], starts[1], words[2], worth[2]

    def log_probability(self, word: str, context: Sequence[str] = ()) -> float:
        """log P(word | context): the last two words of the context count; the sentence starts with `<s>`."""
        known = self.encode([*context[-(LARGEST_ORDER - 1) :], word]).tolist()
        first, second, third = [-1] * (3 - len(known)) + known
        return self.score(np.array([first]), np.array([second]), np.array([third])).item()

    def score(self, first: Integers, second: Integers, third: Integers) -> Floats:
        """log P(third | first second) for arrays of word numbers; -1 where the context is shorter."""
        from ..kernels.ngram import score_many

        found = np.empty(len(third))
        score_many(*self.arrays(), first, second, third, found)
        return found

    def sentence(self, words: Sequence[str]) -> float:
        """log P of a sentence with its end symbol."""
        padded = np.concatenate([[-1, START], self.encode(words), [END]])
        return float(self.score(padded[:-2], padded[1:-1], padded[2:]).sum())


def check_text(words: Iterable[str]) -> str | None:
    """The first word that cannot be in a model: a symbol of ours, or one with white space; None if all can."""
    for word in words:
        if word in SYMBOLS[1:] or not word or len(word.split()) != 1 or word != word.strip():
            return word
    return None


def broken(model: NgramModel) -> str | None:
    """Why arrays from a file are no model that can be searched; None if they are."""
    words, starts, count = model.words, model.starts, len(model.vocabulary)
    if model.vocabulary[: len(SYMBOLS)] != SYMBOLS or len(set(model.vocabulary)) < count:
        return f"the vocabulary must be different words, the first {', '.join(SYMBOLS)}"
    order = len(words)
    if (
        not 1 <= order <= LARGEST_ORDER
        or not len(starts) == len(model.back_offs) == order - 1
        or len(words[0]) != count
    ):
        return "its levels do not fit together"
    if len(model.log_probabilities) != order or any(
        array.ndim != 1 for level in (words, starts, model.back_offs, model.log_probabilities) for array in level
    ):
        return "its levels do not fit together"
    for level in range(order):
        size = len(words[level])
        if len(model.log_probabilities[level]) != size or (
            size and not 0 <= words[level].min() <= words[level].max() < count
        ):
            return f"the {level + 1}-grams do not fit the vocabulary"
        if level < order - 1:
            begin = starts[level]
            fits = len(model.back_offs[level]) == size and len(begin) == size + 1
            if not fits or begin[0] != 0 or begin[-1] != len(words[level + 1]) or (np.diff(begin) < 0).any():
                return f"the {level + 2}-grams do not fit the {level + 1}-grams"
    return None
