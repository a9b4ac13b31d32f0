"""ROUGE as ROUGE-1.5.5 prints it (Lin 2004), to the fifth decimal.

The counting is `rouge-metric`'s; what it is fed with (`rouge_text`) and how its numbers are rounded and combined follow
the original. ROUGE-1.5.5 rounds recall and precision to five decimals before it computes F from them, and does not
jackknife: several references are combined by one of two formulas.

- A: hits and counts are summed over the references, so a long reference weighs more than a short one;
- B: the reference with the best recall alone, chosen for each measure apart.

Two consequences of the original surprise at first sight. ROUGE-SU4 never counts the last token's unigram, so two equal
texts of one word have ROUGE-SU4 = 0 (and ROUGE-2 = 0, having no bigram). A reference without any word is not an error:
it has nothing to recall and scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from numbers import Integral
from typing import Any

from problems.errors import InputError
from problems.metrics.rouge_text import read_text

Scores = dict[str, dict[str, float]]
Text = list[list[str]]  # sentences of tokens

_MEASURES = {"ROUGE-1": "rouge-1", "ROUGE-2": "rouge-2", "ROUGE-L": "rouge-l", "ROUGE-SU4": "rouge-su4"}
_FORMULAS = ("A", "B")
_DECIMALS = 5
_ALPHA = 0.5


def rouge(
    system_lines: Sequence[str],
    references: Sequence[Sequence[str]],
    stem: bool = False,
    remove_stopwords: bool = False,
    length_words: int | None = None,
    formula: str = "A",
) -> Scores:
    """Recall R, precision P and F of ROUGE-1, -2, -L and -SU4, all rounded to the five decimals that 1.5.5 prints.

    `system_lines` and each reference are lists of lines, one sentence per line (only ROUGE-L looks at the lines).
    `length_words` keeps only that many whitespace-separated words of the summary, *and of every reference*.
    """
    system = _lines(system_lines, "the system summary")
    models = _references(references)
    if formula not in _FORMULAS:
        raise InputError(
            f"rouge: formula {formula!r} is unknown; use 'A' (sum over references) or 'B' (best reference)."
        )
    if length_words is not None and (
        isinstance(length_words, bool) or not isinstance(length_words, Integral) or length_words <= 0
    ):
        raise InputError(f"rouge: length_words must be a positive whole number or None, not {length_words!r}.")

    peer = read_text(system, stem, remove_stopwords, length_words)
    texts = [read_text(model, stem, remove_stopwords, length_words) for model in models]
    if formula == "A":
        summed = _count(peer, texts)
        return {name: _printed(**summed[key]) for name, key in _MEASURES.items()}
    single = [_count(peer, [text]) for text in texts]
    return {name: _printed(**_best([scores[key] for scores in single], key)) for name, key in _MEASURES.items()}


def _references(references: object) -> list[list[str]]:
    """The references as lists of lines; the two usual slips (none at all, a single unwrapped one) are named."""
    if isinstance(references, str) or not isinstance(references, Iterable):
        raise InputError("rouge: the references must be a list of references, each a list of lines.")
    models = list(references)
    if not models:
        raise InputError("rouge: there is no reference; give at least one list of lines.")
    return [_lines(model, f"reference {number}") for number, model in enumerate(models, 1)]


def _lines(text: object, what: str) -> list[str]:
    if isinstance(text, str):
        raise InputError(f"rouge: {what} is a single string; give a list of lines.")
    if not isinstance(text, Iterable):
        raise InputError(f"rouge: {what} must be a list of lines, not {text!r}.")
    lines = list(text)
    for line in lines:
        if not isinstance(line, str):
            raise InputError(f"rouge: a line of {what} must be a string, not {line!r}.")
    return lines


@cache
def _scorer(**options: Any) -> Any:
    from rouge_metric import PyRouge  # loaded when used: importing problems.metrics stays cheap

    return PyRouge(multi_ref_mode="average", mode="individual", **options)


def _count(peer: Text, texts: list[Text]) -> Scores:
    """Unrounded scores by rouge-metric's own names, hits and counts summed over `texts`.

    Most of the time goes into the LCS tables of ROUGE-L. A reference token that the summary does not have is in no LCS
    and steers no tie either, so those tokens are left out of the tables and put back into the recall's denominator.
    """
    scores: Scores = _scorer(rouge_n=(1, 2), rouge_l=False, rouge_su=True, skip_gap=4).evaluate_tokenized(
        [peer], [texts]
    )[0]
    known = {token for sentence in peer for token in sentence}
    shared = [[[token for token in sentence if token in known] for sentence in text] for text in texts]
    lcs: dict[str, float] = _scorer(rouge_n=(), rouge_l=True).evaluate_tokenized([peer], [shared])[0]["rouge-l"]
    hits = round(lcs["r"] * _size(shared))
    size = _size(texts)
    scores["rouge-l"] = {**lcs, "r": hits / size if size else 0.0}
    return scores


def _size(texts: list[Text]) -> int:
    return sum(len(sentence) for text in texts for sentence in text)


def _best(candidates: list[dict[str, float]], key: str) -> dict[str, float]:
    """The first reference of best recall. The original compares n-gram recalls rounded, but LCS recalls exact.

    This is why rouge-metric's own "best" mode is not used: it compares exact recalls, and two references whose recalls
    agree to five decimals can still differ in precision.
    """
    if key == "rouge-l":
        return max(candidates, key=lambda scores: scores["r"])
    return max(candidates, key=lambda scores: round(scores["r"], _DECIMALS))


def _printed(r: float, p: float, f: float) -> dict[str, float]:
    """The scores as printed: F comes from the rounded R and P, so rouge-metric's own `f` is not used."""
    recall, precision = round(r, _DECIMALS), round(p, _DECIMALS)
    weight = (1 - _ALPHA) * precision + _ALPHA * recall
    f_measure = round(precision * recall / weight, _DECIMALS) if weight > 0 else 0.0
    return {"R": recall, "P": precision, "F": f_measure}
