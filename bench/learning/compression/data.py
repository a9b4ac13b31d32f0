"""Pairs for training and testing compression (generated ones, or a corpus whose sentences a trained parser has read), and what outputs are
worth: rate, unigram F1, relation F1, exact match, for each sentence.

Relations are found as in the papers: a parser reads each system's output, and the gold compression, as a sentence of its own.
Relations are labelled arcs between words, compared by the words' positions in the source sentence. Without a parser
(generated sentences) a kept word hangs from its nearest kept ancestor in the source tree, by its own label.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np

from problems.compression.corpora import Parse, ParsedPair, file_hash, generated_pairs, parsed_corpus
from problems.compression.model import LengthRule
from problems.compression.pairs import read_pairs
from problems.errors import InputError
from problems.linear_program import Floats
from problems.metrics.compression import f1
from problems.metrics.transduction import reattached

from ..loop import Watcher
from ..options import GENERATED, BaseEvaluation, BaseTraining
from ..parsing.parse import parser_of

TRAINING_SEEDS, TEST_SEEDS = 3_000_000_000, 3_500_000_000  # far from those that anybody uses by accident
GENERATED_PAIRS = {"train": 300, "test": 100}
DEVELOPMENT_SHARE = 0.1


@dataclass(frozen=True)
class Data:
    """Pairs with trees, the number of pairs that could not be aligned, and the parser (None for generated pairs)."""

    pairs: list[ParsedPair]
    dropped: int = 0
    parse: Parse | None = None
    parser: str = ""
    parser_hash: str = ""

    def divided(self, development: int | None) -> tuple[list[ParsedPair], list[ParsedPair]]:
        """Pairs to learn from, and the last ones, held out for every choice."""
        count = max(1, round(DEVELOPMENT_SHARE * len(self.pairs))) if development is None else development
        if count >= len(self.pairs):
            raise InputError(f"{count} pairs are to be held out, but there are only {len(self.pairs)}.")
        return self.pairs[: len(self.pairs) - count], self.pairs[len(self.pairs) - count :]


def load(corpus: str, folder: str, split: str, limit: int | None, parser: str) -> Data:
    """The pairs of one split."""
    if corpus == GENERATED:
        count = GENERATED_PAIRS[split] if limit is None else limit
        start = TRAINING_SEEDS if split == "train" else TEST_SEEDS
        return Data(generated_pairs(range(start, start + count)))
    found = read_pairs(corpus, Path(folder), split, limit)
    if not found.pairs:
        raise InputError(f"corpus {corpus!r} has no pair whose compression only deletes words.")
    if not parser:
        raise InputError(f"corpus {corpus!r} has no trees: option 'parser' must name a trained parser's file.")
    path = Path(parser)
    parse = parser_of(path)
    pairs = parsed_corpus(found.pairs, parse, path)
    return Data(pairs, found.dropped, parse, str(path), file_hash(path))


@dataclass(kw_only=True)
class PairTraining(BaseTraining):
    """A training on sentence pairs. `development` is the number of pairs held out for every choice (left out: a tenth)."""

    parser: str = ""
    bits: int = 22
    development: int | None = None

    def check_options(self) -> None:
        self.require("bits", 8 <= self.bits <= 28, "from 8 to 28")
        self.require_least(1, "development")

    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        return self.fit(load(self.corpus, self.data, "train", self.limit, self.parser), out, resume, watcher)

    @abstractmethod
    def fit(self, data: Data, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        """Train on pairs that are there already."""


@dataclass(kw_only=True)
class PairEvaluation(BaseEvaluation):
    """`length`: words to keep by the model's rule, as many as the gold has, or as many as the system likes."""

    split: Literal["train", "test"] = "test"
    parser: str = ""  # left out: the one that the model was trained with
    length: Literal["rule", "gold", "free"] = "rule"

    def load(self, trained_with: str) -> Data:
        return load(self.corpus, self.data, self.split, self.limit, self.parser or trained_with)

    def wanted(self, rule: LengthRule, pair: ParsedPair) -> int | None:
        if self.length == "free":
            return None
        return len(pair.kept) if self.length == "gold" else rule.length(len(pair.sentence))


MEASURES = ("compression rate", "unigram F1", "relation F1", "exact match")
Kept = tuple[int, ...]
Relation = tuple[int, int, str]


def measured(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> dict[str, Floats]:
    """Each measure, a value per pair."""
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for pair, kept, relations in zip(pairs, outputs, output_relations(pairs, outputs, parse), strict=True):
        found["compression rate"].append(len(kept) / len(pair.sentence))
        found["unigram F1"].append(f1(set(kept), set(pair.kept)))
        found["relation F1"].append(f1(relations, gold_relations(pair, parse is not None)))
        found["exact match"].append(float(kept == pair.kept))
    return {name: np.array(values) for name, values in found.items()}


def mean_f1(pairs: Sequence[ParsedPair], outputs: Sequence[Kept]) -> float:
    """The mean of unigram and relation F1, by which everything is chosen; no output is parsed for it."""
    found = measured(pairs, outputs, None)
    return 0.5 * float(found["unigram F1"].mean() + found["relation F1"].mean())


def gold_rate(pairs: Sequence[ParsedPair]) -> float:
    return fmean(len(pair.kept) / len(pair.sentence) for pair in pairs)


def gold_relations(pair: ParsedPair, parsed: bool) -> set[Relation]:
    if not parsed:
        return _contracted(pair, pair.kept)
    return {(head, word, label) for word, head, label in zip(pair.kept, pair.heads, pair.labels, strict=True) if head}


def output_relations(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> list[set[Relation]]:
    """The relations of each output; those of the gold words are the gold ones, and need no parse."""
    if parse is None:
        return [_contracted(pair, kept) for pair, kept in zip(pairs, outputs, strict=True)]
    texts = [
        tuple(pair.sentence.words[word - 1] for word in kept)
        for pair, kept in zip(pairs, outputs, strict=True)
        if kept and kept != pair.kept
    ]
    trees = iter(parse(texts))
    found = []
    for pair, kept in zip(pairs, outputs, strict=True):
        if kept == pair.kept:
            found.append(gold_relations(pair, True))
        elif not kept:
            found.append(set())
        else:
            tree, place = next(trees), (0, *kept)
            arcs = zip(kept, tree.heads, tree.labels, strict=True)
            found.append({(place[head], word, label) for word, head, label in arcs if head})
    return found


def _contracted(pair: ParsedPair, kept: Kept) -> set[Relation]:
    heads = reattached(kept, pair.sentence.heads)
    return {(head, word, pair.sentence.labels[word - 1]) for word, head in zip(kept, heads, strict=True) if head}
