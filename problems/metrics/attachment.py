"""Attachment scores of dependency trees: UAS under each punctuation convention, exact match, non-projective recall.

- `UAS` counts every word
- `UAS-ptb` leaves out words whose (gold) tag is punctuation in the Penn Treebank: `` '' , . :
- `UAS-unicode` leaves out words that consist of Unicode punctuation (category P) only, as the CoNLL shared tasks did

Non-projective recall: of the gold arcs h -> d with a word between h and d that h does not dominate, the share found.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from ..errors import InputError
from ..files import LARGEST, read_text
from ..parsing.trees import nonprojective_words

PTB_PUNCTUATION = frozenset({"``", "''", ",", ".", ":"})


def is_unicode_punctuation(word: str) -> bool:
    """Does the word consist of characters of Unicode's category P only?"""
    return bool(word) and all(unicodedata.category(character).startswith("P") for character in word)


@dataclass
class Attachment:
    """Counts, which add up over sentences, so that a corpus is scored by words and not by sentences."""

    words: int = 0
    correct: int = 0
    ptb_words: int = 0
    ptb_correct: int = 0
    unicode_words: int = 0
    unicode_correct: int = 0
    nonprojective: int = 0
    nonprojective_found: int = 0
    sentences: int = 0
    exact: int = 0

    def __add__(self, other: Attachment) -> Attachment:
        return Attachment(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))

    def scores(self) -> dict[str, float]:
        """The measures as shares of 1; one that nothing was counted for is left out."""
        shares = {
            "UAS": (self.correct, self.words),
            "UAS-ptb": (self.ptb_correct, self.ptb_words),
            "UAS-unicode": (self.unicode_correct, self.unicode_words),
            "exact match": (self.exact, self.sentences),
            "non-projective recall": (self.nonprojective_found, self.nonprojective),
        }
        return {name: found / total for name, (found, total) in shares.items() if total}


def count_attachment(
    gold: Sequence[int], predicted: Sequence[int], words: Sequence[str], tags: Sequence[str] = ()
) -> Attachment:
    """The counts of one sentence; without tags nothing is punctuation by tag, and `UAS-ptb` is not counted."""
    if not len(gold) == len(predicted) == len(words) or len(tags) not in (0, len(words)):
        raise InputError("gold heads, predicted heads, words and tags must be equally many.")
    right = [head == other for head, other in zip(gold, predicted, strict=True)]
    by_tag = [right[index] for index, tag in enumerate(tags) if tag not in PTB_PUNCTUATION]
    by_form = [right[index] for index, word in enumerate(words) if not is_unicode_punctuation(word)]
    crossing = [right[word - 1] for word in nonprojective_words(gold)]
    return Attachment(
        len(right), sum(right), len(by_tag), sum(by_tag), len(by_form), sum(by_form), len(crossing), sum(crossing), 1,
        int(all(right)),
    )  # fmt: skip


def total(counts: Iterable[Attachment]) -> Attachment:
    """The counts of a corpus."""
    result = Attachment()
    for count in counts:
        result += count
    return result


def official_scores(gold_file: str | Path, system_file: str | Path) -> dict[str, float]:
    """F1 of the official UD scorer (package `udtools`) for two CoNLL-U files, as shares of 1.

    The measures of enhanced dependencies are left out: a tree says nothing of them.
    """
    from udtools.udeval import UDError, evaluate, load_conllu

    loaded = []
    for path in (gold_file, system_file):
        try:
            loaded.append(load_conllu(io.StringIO(read_text(path, LARGEST)), str(path), {}))
        except (UDError, OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: the UD scorer cannot read it ({' '.join(str(error).split())}).") from None
    try:
        result = evaluate(*loaded)
    except UDError as error:
        raise InputError(f"{system_file}: the UD scorer refuses it ({' '.join(str(error).split())}).") from None
    return {name: float(score.f1) for name, score in result.items() if name not in ("ELAS", "EULAS")}
