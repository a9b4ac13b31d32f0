"""ARPA files, the exchange format of n-gram models: log10 probabilities and back-off weights, plain or gzipped.

Read leniently where tools differ (white space, text before `\\data\\`, back-off weights left out), strictly where a number
would be wrong: counts, repeated n-grams, words without a unigram and n-grams without their context are refused. A model
without `<unk>` gives unknown words a log10 probability of -100, as KenLM does.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..checks import LARGEST_MAGNITUDE
from ..errors import InputError, quoted
from ..formats import whole_number
from ..linear_program import Integers
from ..unpacking import read_packed
from .model import END, LARGEST_ORDER, NEVER, START, SYMBOLS, UNKNOWN, NgramModel

TEN = math.log(10.0)
NEVER_WRITTEN = -99.0  # by convention: the log10 probability of what is never predicted, such as <s>
UNKNOWN_MISSING = -100.0
COUNT = re.compile(r"ngram\s+([0-9]+)\s*=\s*([0-9]+)")
Entries = dict[tuple[int, ...], tuple[float, float]]


def write_arpa(model: NgramModel, path: str | Path) -> None:
    """Write a model; gzipped where the name ends in .gz (without a time stamp, so that equal models make equal files)."""
    text = "\n".join(_lines(model)) + "\n"
    data = text.encode()
    path = Path(path)
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _lines(model: NgramModel) -> Iterator[str]:
    yield "\\data\\"
    for level, count in enumerate(model.counts, 1):
        yield f"ngram {level}={count}"
    prefixes = [""]
    for level in range(model.order):
        yield ""
        yield f"\\{level + 1}-grams:"
        names = [model.vocabulary[word] for word in model.words[level].tolist()]
        if level:
            repeats = np.diff(model.starts[level - 1])
            contexts = np.repeat(np.arange(len(repeats)), repeats).tolist()
            names = [f"{prefixes[context]} {name}" for context, name in zip(contexts, names, strict=True)]
        worth = np.maximum(model.log_probabilities[level] / TEN, NEVER_WRITTEN).tolist()
        if level == model.order - 1:
            yield from (f"{value:.12g}\t{name}" for value, name in zip(worth, names, strict=True))
        else:
            weights = (model.back_offs[level] / TEN).tolist()
            for value, name, weight in zip(worth, names, weights, strict=True):
                yield f"{value:.12g}\t{name}\t{weight:.12g}"
        prefixes = names
    yield ""
    yield "\\end\\"


def read_arpa(path: str | Path) -> NgramModel:
    """Read a model of up to three words; what is wrong is an InputError that names file and line."""
    path = Path(path)
    return _Reader(path, _text(path).split("\n")).model()


def _text(path: Path) -> str:
    try:
        return read_packed(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start}).") from None


class _Reader:
    def __init__(self, path: Path, lines: list[str]) -> None:
        self.path, self.lines, self.at = path, lines, 0
        self.names: list[str] = list(SYMBOLS)
        self.numbers = {name: number for number, name in enumerate(SYMBOLS)}

    def refuse(self, why: str) -> NoReturn:
        raise InputError(f"{self.path}, line {min(self.at, len(self.lines))}: {why}")

    def next_line(self) -> str | None:
        """The next line that is not blank."""
        while self.at < len(self.lines):
            self.at += 1
            line = self.lines[self.at - 1].strip()
            if line:
                return line
        return None

    def model(self) -> NgramModel:
        while (line := self.next_line()) != "\\data\\":
            if line is None:
                self.refuse("there is no line '\\data\\': not an ARPA file.")
        counts: list[int] = []
        while (line := self.next_line()) is not None and (found := COUNT.fullmatch(line)):
            level, count = map(whole_number, found.groups())
            if level != len(counts) + 1 or count is None:
                self.refuse(f"expected the count of {len(counts) + 1}-grams, found {quoted(line)}.")
            counts.append(count)
        if not 1 <= len(counts) <= LARGEST_ORDER:
            self.refuse(f"models of order 1 to {LARGEST_ORDER} can be read, not {len(counts)}.")
        levels: list[Entries] = []
        for level, count in enumerate(counts, 1):
            if line != f"\\{level}-grams:":
                self.refuse(f"expected '\\{level}-grams:', found {_found(line)}.")
            entries: Entries = {}
            while (line := self.next_line()) is not None and not (line[0] == "\\" and not line[1:2].isspace()):
                self._entry(line, level, level == len(counts), entries, levels)
            if len(entries) != count:
                self.refuse(f"{count} {level}-grams were announced, but there are {len(entries)}.")
            levels.append(entries)
        if line != "\\end\\":
            self.refuse(f"expected '\\end\\', found {_found(line)}.")
        return self._packed(levels)

    def _entry(self, line: str, level: int, last: bool, entries: Entries, levels: list[Entries]) -> None:
        columns = line.split()
        if len(columns) not in ((level + 1,) if last else (level + 1, level + 2)):
            also = "" if last else " and at most a back-off weight"
            self.refuse(f"expected a log probability, {level} word{'s' * (level > 1)}{also}, found {quoted(line)}.")
        worth = self._number(columns[0])
        weight = self._number(columns[level + 1]) if len(columns) == level + 2 else 0.0
        if worth > 0:
            self.refuse(f"the log probability {quoted(columns[0])} is above 0.")
        words = columns[1 : level + 1]
        if level == 1 and words[0] not in self.numbers:
            self.numbers[words[0]] = len(self.names)
            self.names.append(words[0])
        for word in words:
            if level > 1 and (self.numbers.get(word, -1),) not in levels[0]:
                self.refuse(f"word {quoted(word)} has no unigram.")
        key = tuple(self.numbers[word] for word in words)
        if key in entries:
            self.refuse(f"the {level}-gram {quoted(' '.join(words))} is there twice.")
        if level > 2 and key[:-1] not in levels[level - 2]:
            self.refuse(
                f"the {level}-gram {quoted(' '.join(words))} has no {level - 1}-gram {quoted(' '.join(words[:-1]))}."
            )
        entries[key] = (worth * TEN if worth > NEVER_WRITTEN else NEVER, weight * TEN)

    def _number(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST_MAGNITUDE:
            self.refuse(f"expected a finite number, found {quoted(text)}.")
        return value

    def _packed(self, levels: list[Entries]) -> NgramModel:
        if (END,) not in levels[0]:
            self.refuse("the model has no unigram '</s>'.")
        levels[0].setdefault((START,), (NEVER, 0.0))
        levels[0].setdefault((UNKNOWN,), (UNKNOWN_MISSING * TEN, 0.0))
        words, worth, weights, starts = [], [], [], []
        above: list[tuple[int, ...]] = []
        for entries in levels:
            keys = sorted(entries)
            words.append(np.array([key[-1] for key in keys], dtype=np.int64))
            worth.append(np.array([entries[key][0] for key in keys], dtype=np.float64))
            weights.append(np.array([entries[key][1] for key in keys], dtype=np.float64))
            if above:
                starts.append(_starts(above, keys))
            above = keys
        return NgramModel(tuple(self.names), tuple(words), tuple(worth), tuple(weights[:-1]), tuple(starts))


def _found(line: str | None) -> str:
    return "the end of the file" if line is None else quoted(line)


def _starts(contexts: list[tuple[int, ...]], keys: list[tuple[int, ...]]) -> Integers:
    """Where the extensions of each context begin among the sorted keys."""
    rank = {context: number for number, context in enumerate(contexts)}
    of_key = np.array([rank[key[:-1]] for key in keys], dtype=np.int64)
    return np.searchsorted(of_key, np.arange(len(contexts) + 1)).astype(np.int64)
