"""Sentence pairs, parsed, for the compression task: those of `google_eval` (news sentences with their compression), the rewrites of
`turkcorpus` that only delete words, or anyone's files.

The first 1,000 pairs of google_eval are the usual test set and are never read here, nor is the test part of turkcorpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from ..compression.pairs import own_token_pairs, read_pairs
from ..errors import InputError, to_get
from ..files import read_text
from .corpora import Parser, parsed_sentences
from .pairs import CompressionPair, align
from .words import is_word, word_places

HOME = Path("compression") / "google_eval"
TEST_PAIRS = 1000
BATCH = 500  # sentences per file of the cache


def google_pairs(folder: Path, parser: Parser, count: int | None) -> list[CompressionPair]:
    """The pairs among the first `count` (all) after the test set whose compression is a subsequence of the sentence's words."""
    sources = _lines(folder / HOME / "sentence_en.txt")
    targets = _lines(folder / HOME / "compression_en.txt")
    if len(sources) != len(targets):
        raise InputError(
            f"{folder / HOME / 'compression_en.txt'}: {len(targets)} lines, expected {len(sources)}, one per sentence."
        )
    end = len(sources) if count is None else min(len(sources), TEST_PAIRS + count)
    chosen = range(TEST_PAIRS, end)
    pairs = []
    for start in range(chosen.start, chosen.stop, BATCH):
        numbers = range(start, min(start + BATCH, chosen.stop))
        trees = parsed_sentences([sources[number] for number in numbers], parser)
        for number, tree in zip(numbers, trees, strict=True):
            words = [tree.words[place - 1] for place in word_places(tree.words)]
            kept = align(words, [token for token in parser.tokens(targets[number]) if is_word(token)])
            if kept is not None:
                pairs.append(CompressionPair(f"google-{number + 1}", tree, kept))
    return pairs


def own_pairs(corpus: str, folder: Path, parser: Parser, count: int | None) -> list[CompressionPair]:
    """The same of the training part of a file or folder of pairs (`compression/pairs.py`), each compression a pair."""
    given = islice(own_token_pairs(corpus, folder, "train"), count)
    return _aligned(
        [(each.name, each.text, [" ".join(words) for words in each.compressions]) for each in given], parser
    )


def turk_pairs(folder: Path, parser: Parser, count: int | None = None) -> list[CompressionPair]:
    """The same of turkcorpus: of its tuning part, the rewrites that only delete words."""
    found = read_pairs("turkcorpus", folder, "train", count).pairs
    return _aligned(
        [(each.name, " ".join(each.words), [" ".join(each.words[word - 1] for word in each.kept)]) for each in found],
        parser,
    )


def _aligned(given: Sequence[tuple[str, str, Sequence[str]]], parser: Parser) -> list[CompressionPair]:
    """Names, sentences and their compressions as pairs: those that are subsequences of the sentence's words."""
    pairs = []
    for start in range(0, len(given), BATCH):
        chosen = given[start : start + BATCH]
        for (name, _, targets), tree in zip(
            chosen, parsed_sentences([text for _, text, _ in chosen], parser), strict=True
        ):
            words = [tree.words[place - 1] for place in word_places(tree.words)]
            for number, target in enumerate(targets, 1):
                kept = align(words, [token for token in parser.tokens(target) if is_word(token)])
                if kept is not None:
                    pairs.append(CompressionPair(f"{name}#{number}", tree, kept))
    return pairs


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).splitlines()
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file; expected sentences of the corpus google_eval; {to_get(HOME.name)}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error}).") from None
