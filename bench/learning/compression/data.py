"""Pairs for training and testing compression: generated ones, or a corpus whose sentences a trained parser has read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from problems.compression.corpora import Parse, ParsedPair, file_hash, generated_pairs, parsed_corpus
from problems.compression.pairs import read_pairs
from problems.errors import InputError

from ..options import GENERATED

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
    from ..parsing.trees import parser_of

    parse = parser_of(path)
    pairs = parsed_corpus(found.pairs, parse, path)
    return Data(pairs, found.dropped, parse, str(path), file_hash(path))
