"""Pairs for training and testing compression (generated ones, or a corpus whose sentences a trained parser has read), and what outputs are
worth: rate, unigram F1, relation F1, exact match, for each sentence.

Relations are found as in the papers: a parser reads each system's output, and the gold compression, as a sentence of its own.
Relations are labelled arcs between words, compared by the words' positions in the source sentence. Without a parser
(generated sentences) a kept word hangs from its nearest kept ancestor in the source tree, by its own label.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Literal

import numpy as np

from problems.compression.corpora import (
    Gold,
    Parse,
    ParsedPair,
    bracketed_pairs,
    file_hash,
    generated_pairs,
    has_trees,
    parsed_corpus,
)
from problems.compression.model import LengthRule
from problems.compression.pairs import CORPORA, PLAIN, Pair, Reading, has_split, one_by_one, read_pairs
from problems.errors import InputError, quoted
from problems.linear_program import Floats
from problems.metrics.compression import f1
from problems.metrics.transduction import reattached
from problems.models.model_file import remember, remembered
from problems.text.splits import Dealing, text_hash

from ...analysis.statistics.values import mean_interval
from ..loop import Watcher
from ..options import GENERATED, BaseEvaluation, BaseTraining
from ..parsing.parse import parser_of

if TYPE_CHECKING:
    import pandas as pd

TRAINING_SEEDS, TEST_SEEDS = 3_000_000_000, 3_500_000_000  # far from those that anybody uses by accident
GENERATED_PAIRS = {"train": 300, "test": 100}
DEVELOPMENT_SHARE = 0.1
BY_CHANCE = 0.01  # of the test sentences of an official split may be in its training part: google_eval has one


@dataclass(frozen=True)
class Data:
    """Pairs with trees, the number of compressions that could not be aligned, and the parser (None for generated pairs).

    `held_out` is the corpus's own development part; None where it has none.
    """

    pairs: list[ParsedPair]
    dropped: int = 0
    parse: Parse | None = None
    parser: str = ""
    parser_hash: str = ""
    held_out: list[ParsedPair] | None = None

    def divided(self, development: int | None) -> tuple[list[ParsedPair], list[ParsedPair]]:
        """Pairs to learn from, and those held out for every choice: the development part, or the last ones.

        Pairs of the same sentence stay together.
        """
        if self.held_out is not None:
            if development is not None:
                raise InputError("the corpus has a part 'dev' for every choice: option 'development' cannot be given.")
            return self.pairs, self.held_out
        count = max(1, round(DEVELOPMENT_SHARE * len(self.pairs))) if development is None else development
        if count >= len(self.pairs):
            raise InputError(f"{count} pairs are to be held out, but there are only {len(self.pairs)}.")
        start = len(self.pairs) - count
        while start > 1 and self.pairs[start].sentence.words == self.pairs[start - 1].sentence.words:
            start -= 1
        return self.pairs[:start], self.pairs[start:]

    def hashes(self) -> set[int]:
        """Of all sentences that a training sees."""
        return {sentence_hash(pair) for pair in (*self.pairs, *(self.held_out or ()))}


def sentence_hash(pair: ParsedPair) -> int:
    return text_hash("".join(pair.sentence.words))


def load(
    corpus: str,
    folder: str,
    split: str,
    limit: int | None,
    parser: str,
    reading: Reading = PLAIN,
    training: bool = False,
) -> Data:
    """The pairs of one split; for a training each reference is a pair, and the development part comes with them."""
    if corpus == GENERATED:
        if split not in GENERATED_PAIRS:
            raise InputError(f"generated pairs have the splits {' and '.join(GENERATED_PAIRS)}, not {split!r}.")
        count = GENERATED_PAIRS[split] if limit is None else limit
        start = TRAINING_SEEDS if split == "train" else TEST_SEEDS
        return Data(generated_pairs(range(start, start + count)))
    found = read_pairs(corpus, Path(folder), split, limit, reading)
    if not found.pairs:
        raise InputError(f"corpus {corpus!r} has no pair whose compression only deletes words.")
    own_trees = has_trees(found.pairs)
    if not parser and not own_trees:
        raise InputError(f"corpus {corpus!r} has no trees: option 'parser' must name a trained parser's file.")
    path, parse = Path(parser), parser_of(Path(parser)) if parser else None

    def parsed(pairs: list[Pair]) -> list[ParsedPair]:
        if has_trees(pairs):
            return bracketed_pairs(pairs)
        if parse is None:
            raise InputError(f"the part 'dev' of corpus {corpus!r} has no trees, but 'train' has.")
        return parsed_corpus(pairs, parse, path)

    chosen = one_by_one(found.pairs) if training else found.pairs
    data = Data(parsed(chosen), found.dropped, parse, parser and str(path), file_hash(path) if parser else "")
    if training and has_split(corpus, Path(folder), "dev"):
        held_out = read_pairs(corpus, Path(folder), "dev", None, reading)
        if not held_out.pairs:
            raise InputError(f"corpus {corpus!r} has no pair in its part 'dev' whose compression only deletes words.")
        return replace(data, held_out=parsed(held_out.pairs))
    return data


@dataclass(kw_only=True)
class PairFiles:
    """How one's own files of pairs are read. `tokenised`: strings are split at spaces alone. `test_share`: of a file without
    splits, the share of sentences that are for testing; `split_seed` says which.
    """

    tokenised: bool = False
    test_share: float = 0.0
    split_seed: int = 1

    def reading(self) -> Reading:
        if not 0 <= self.test_share < 1:
            raise InputError(f"option 'test_share' must be at least 0 and below 1, not {self.test_share!r}.")
        return Reading(self.tokenised, Dealing(self.test_share, self.split_seed))


@dataclass(kw_only=True)
class PairTraining(PairFiles, BaseTraining):
    """A training on sentence pairs. `development` is the number of pairs held out for every choice (left out: the corpus's part
    `dev`, or else a tenth).
    """

    parser: str = ""
    bits: int = 22
    development: int | None = None

    def check_options(self) -> None:
        self.require("bits", 8 <= self.bits <= 28, "from 8 to 28")
        self.require_least(1, "development")

    def run(self, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        data = load(self.corpus, self.data, "train", self.limit, self.parser, self.reading(), training=True)
        figures = self.fit(data, out, resume, watcher)
        if self.corpus != GENERATED:
            remember(out, data.hashes())
        return figures

    @abstractmethod
    def fit(self, data: Data, out: Path, resume: bool, watcher: Watcher) -> dict[str, float]:
        """Train on pairs that are there already."""


@dataclass(kw_only=True)
class PairEvaluation(PairFiles, BaseEvaluation):
    """`length`: words to keep by the model's rule, by the model's price (`rate`, see `lengths`), as many as the gold has, or as many as
    the system likes. `overlap`: what is
    done about sentences that the model was trained on; the official splits of named corpora share a few, which are dropped.
    """

    split: Literal["train", "dev", "test"] = "test"
    parser: str = ""  # left out: the one that the model was trained with
    length: Literal["rule", "rate", "gold", "free"] = "rule"
    overlap: Literal["refuse", "drop", "keep"] = "refuse"
    _seen: frozenset[int] = field(default=frozenset(), init=False, repr=False)

    def run(self, model: Path, watcher: Watcher) -> pd.DataFrame:
        self._seen = remembered(model)
        return super().run(model, watcher).rename(columns={"compression rate": "rate"})

    def load(self, trained_with: str) -> Data:
        parser = self.parser or trained_with
        data = load(self.corpus, self.data, self.split, self.limit, parser, self.reading())
        seen = [pair for pair in data.pairs if sentence_hash(pair) in self._seen] if self._seen else []
        if not seen or self.overlap == "keep":
            return data
        by_chance = self.corpus in CORPORA and len(seen) <= BY_CHANCE * len(data.pairs)
        if self.overlap == "refuse" and not by_chance:
            raise InputError(
                f"{len(seen)} of {len(data.pairs)} sentences of {self.corpus} were in the model's training data, the first is "
                f"{quoted(seen[0].name)}: test on others, or leave them out with the option overlap=drop."
            )
        left = [pair for pair in data.pairs if sentence_hash(pair) not in self._seen]
        if not left:
            raise InputError(f"all {len(seen)} sentences of {self.corpus} were in the model's training data.")
        return replace(data, pairs=left)

    def wanted(self, rule: LengthRule, pair: ParsedPair) -> int | None:
        if self.length in ("free", "rate"):
            return None
        return gold_length(pair) if self.length == "gold" else rule.length(len(pair.sentence))


def gold_length(pair: ParsedPair) -> int:
    """The mean over the references."""
    return round(fmean(len(gold.kept) for gold in pair.references))


MEASURES = ("compression rate", "unigram F1", "relation F1", "exact match")
BEST = ("unigram F1, best reference", "relation F1, best reference")
Kept = tuple[int, ...]
Relation = tuple[int, int, str]


def measured(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> dict[str, Floats]:
    """Each measure, a value per pair: F1 is the mean over the references, and, where a sentence has several, also the highest."""
    found: dict[str, list[float]] = {name: [] for name in (*MEASURES, *BEST)}
    for pair, kept, relations in zip(pairs, outputs, output_relations(pairs, outputs, parse), strict=True):
        found["compression rate"].append(len(kept) / len(pair.sentence))
        words = [f1(set(kept), set(gold.kept)) for gold in pair.references]
        arcs = [f1(relations, gold_relations(pair, gold, parse is not None)) for gold in pair.references]
        for name, best, values in zip(MEASURES[1:3], BEST, (words, arcs), strict=True):
            found[name].append(fmean(values))
            found[best].append(max(values))
        found["exact match"].append(float(any(kept == gold.kept for gold in pair.references)))
    several = any(pair.others for pair in pairs)
    return {name: np.array(values) for name, values in found.items() if several or name not in BEST}


def means(found: dict[str, Floats]) -> dict[str, float]:
    """Of each measure over the pairs."""
    return {name: float(values.mean()) for name, values in found.items()}


def intervals(found: dict[str, Floats]) -> dict[str, float]:
    """Of both F1: the ends of the 95 % intervals of their means over the pairs."""
    ends: dict[str, float] = {}
    for name in MEASURES[1:3]:
        _, low, high = mean_interval(found[name])
        ends |= {f"{name}, low": low, f"{name}, high": high}
    return ends


def mean_f1(pairs: Sequence[ParsedPair], outputs: Sequence[Kept]) -> float:
    """The mean of unigram and relation F1, by which everything is chosen; no output is parsed for it."""
    found = measured(pairs, outputs, None)
    return 0.5 * float(found["unigram F1"].mean() + found["relation F1"].mean())


def gold_rate(pairs: Sequence[ParsedPair]) -> float:
    return fmean(len(gold.kept) / len(pair.sentence) for pair in pairs for gold in pair.references)


def gold_relations(pair: ParsedPair, gold: Gold, parsed: bool) -> set[Relation]:
    if not parsed:
        return _contracted(pair, gold.kept)
    return {(head, word, label) for word, head, label in zip(gold.kept, gold.heads, gold.labels, strict=True) if head}


def output_relations(pairs: Sequence[ParsedPair], outputs: Sequence[Kept], parse: Parse | None) -> list[set[Relation]]:
    """The relations of each output; those of a reference's words are the reference's, and need no parse."""
    if parse is None:
        return [_contracted(pair, kept) for pair, kept in zip(pairs, outputs, strict=True)]
    known = [
        next((gold for gold in pair.references if gold.kept == kept), None)
        for pair, kept in zip(pairs, outputs, strict=True)
    ]
    texts = [
        tuple(pair.sentence.words[word - 1] for word in kept)
        for pair, kept, gold in zip(pairs, outputs, known, strict=True)
        if kept and gold is None
    ]
    trees = iter(parse(texts))
    found = []
    for pair, kept, gold in zip(pairs, outputs, known, strict=True):
        if gold is not None:
            found.append(gold_relations(pair, gold, True))
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
