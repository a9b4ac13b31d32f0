"""Sentences with their compressions as plain text: the files of `google_eval` and `turkcorpus`, and any file of pairs.

`google_eval`: two parallel files; the first 1000 pairs are the test set, the other 9000 are for training. `turkcorpus`: of
the eight rewrites of each sentence those that only delete words, and at least one; `train` is its tuning set. A path instead of
a name is a file with one pair per line, sentence and compression separated by a tab. Pairs whose compression has a word that the sentence
does not have in that order cannot be had by deletion: they are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, nearest
from ..files import read_text
from .alignment import align, tokenise

CORPORA = ("google_eval", "turkcorpus")
SPLITS = ("train", "test")
TEST_PAIRS = 1000  # the first ones of google_eval
REWRITES = 8
TURK_FILES = {"train": "tune.8turkers.tok", "test": "test.8turkers.tok"}


class Pair(NamedTuple):
    """A tokenised sentence, and the positions (from 1) of the words that its compression keeps."""

    name: str
    words: tuple[str, ...]
    kept: tuple[int, ...]


class Pairs(NamedTuple):
    """What a corpus has, and how many pairs of it were left out."""

    pairs: list[Pair]
    dropped: int


def read_pairs(corpus: str, folder: Path, split: str = "train", limit: int | None = None) -> Pairs:
    """The pairs of a corpus below the data folder, or of a file, in their order; at most `limit`, the dropped ones included."""
    if split not in SPLITS:
        raise InputError(f"unknown split {split!r} of corpus {corpus!r}: {nearest(split, SPLITS)}")
    if corpus == "google_eval":
        texts = _google(folder / "compression" / corpus, split)
    elif corpus == "turkcorpus":
        return _turk(folder / "compression" / corpus, split, limit)
    elif Path(corpus).is_file():
        texts = _file(Path(corpus))
    else:
        raise InputError(f"unknown corpus {corpus!r}: {nearest(corpus, CORPORA)} A file of pairs can be named, too.")
    pairs: list[Pair] = []
    dropped = 0
    for name, source, target in texts:
        if limit is not None and len(pairs) + dropped >= limit:
            break
        words = tokenise(source)
        kept = align(words, tokenise(target))
        if kept:
            pairs.append(Pair(name, words, kept))
        else:
            dropped += 1
    return Pairs(pairs, dropped)


def _lines(path: Path) -> list[str]:
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8.") from None
    return text.removesuffix("\n").split("\n")


def _checked(path: Path, number: int, text: str) -> str:
    if not text.strip():
        raise InputError(f"{path}, line {number}: expected a sentence, found an empty line.")
    return text


def _parallel(one: Path, other: Path) -> Iterator[tuple[int, str, str]]:
    first, second = _lines(one), _lines(other)
    if len(first) != len(second):
        raise InputError(f"{other}: {len(second)} lines, expected {len(first)}, as many as in {one.name}.")
    for number, (source, target) in enumerate(zip(first, second, strict=True), 1):
        yield number, _checked(one, number, source), _checked(other, number, target)


def _google(home: Path, split: str) -> Iterator[tuple[str, str, str]]:
    for number, source, target in _parallel(home / "sentence_en.txt", home / "compression_en.txt"):
        if (number <= TEST_PAIRS) == (split == "test"):
            yield f"google-{number}", source, target


def _file(path: Path) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(_lines(path), 1):
        parts = _checked(path, number, line).split("\t")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise InputError(
                f"{path}, line {number}: expected a sentence and its compression, separated by one tab, "
                f"found {len(parts)} field{'s' if len(parts) != 1 else ''}."
            )
        yield f"{path.stem}-{number}", parts[0], parts[1]


def _turk(home: Path, split: str, limit: int | None) -> Pairs:
    """Tokens are the file's own. A rewrite that keeps all words is no compression; one with other words is not counted as
    dropped, because most rewrites are paraphrases by design."""
    stem = TURK_FILES[split]
    pairs: list[Pair] = []
    for rewriter in range(REWRITES):
        path = home / f"{stem}.turk.{rewriter}"
        for number, source, target in _parallel(home / f"{stem}.norm", path):
            words, goal = source.split(), target.split()
            kept = align(words, goal) if len(goal) < len(words) and _subsequence(words, goal) else None
            if kept:
                pairs.append(Pair(f"turk-{split}-{number}-{rewriter}", tuple(words), kept))
    pairs.sort(key=lambda pair: [int(part) for part in pair.name.split("-")[2:]])
    return Pairs(pairs[:limit], 0)


def _subsequence(words: Sequence[str], goal: Sequence[str]) -> bool:
    rest = iter(words)
    return all(token in rest for token in goal)
