"""Pairs of sentences and compressions with trees: what compression models are trained on and tested with.

The source sentence is parsed (tags, heads, labels), and so is the compression, as a sentence of its own: its tree is the gold tree
of the joint model, as in Qian & Liu (2014, section 4.1). Trees that are not projective are lifted, for the paper's
model has projective trees only. Generated pairs need no parser: their trees are known. Parses are kept in the cache folder, by a hash
of the text and of the parser's file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import InputError, quoted
from ..files import open_regular
from ..text.sentence import ParsedSentence, fits_together
from ..unpacking import read_packed
from .bracketed import read_sentence, read_target
from .gold import gold_compression, source_sentence
from .pairs import Pair, read_pairs

Parse = Callable[[Sequence[tuple[str, ...]]], list[ParsedSentence]]
"""A parser: tokenised sentences in, trees out, in the same order."""

GENERATED_RATE = 0.6
CACHE_VERSION = 1  # of the format below, and of what is made of a parse


class Gold(NamedTuple):
    """A reference: the positions of its words (from 1), and the tree over them."""

    kept: tuple[int, ...]
    heads: tuple[int, ...]  # positions in the sentence, or 0
    labels: tuple[str, ...]


class ParsedPair(NamedTuple):
    """A sentence with its tree, its reference (as in `Gold`), and further references."""

    name: str
    sentence: ParsedSentence
    kept: tuple[int, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...]
    others: tuple[Gold, ...] = ()

    @property
    def references(self) -> tuple[Gold, ...]:
        return (Gold(self.kept, self.heads, self.labels), *self.others)


def parse_pairs(pairs: Sequence[Pair], parse: Parse) -> list[ParsedPair]:
    """Sentences and compressions parsed."""
    sources = parse([pair.words for pair in pairs])
    texts = [tuple(pair.words[word - 1] for word in kept) for pair in pairs for kept in (pair.kept, *pair.others)]
    return _together(pairs, sources, parse(texts))


def bracketed_pairs(pairs: Sequence[Pair]) -> list[ParsedPair]:
    """The same with the corpus's own constituency trees."""
    sources = [read_sentence(pair.trees[0], pair.name) for pair in pairs]
    targets = [
        read_target(tree, [pair.words[word - 1] for word in kept], pair.name)
        for pair in pairs
        for tree, kept in zip(pair.trees[1:], (pair.kept, *pair.others), strict=True)
    ]
    return _together(pairs, sources, targets)


def has_trees(pairs: Sequence[Pair]) -> bool:
    """Do all pairs bring their trees? An InputError where only some do."""
    without = next((pair for pair in pairs if not pair.trees), None)
    if without is not None and any(pair.trees for pair in pairs):
        raise InputError(
            f"sentence {quoted(without.name)} has no tree, but others do: expected trees of all or of none."
        )
    return without is None and bool(pairs)


def _together(
    pairs: Sequence[Pair], sources: Sequence[ParsedSentence], trees: Sequence[ParsedSentence]
) -> list[ParsedPair]:
    targets = iter(trees)
    found = []
    for pair, source in zip(pairs, sources, strict=True):
        first, *others = (_gold(kept, next(targets)) for kept in (pair.kept, *pair.others))
        source = ParsedSentence(source.words, source.tags, one_root(source.heads), source.labels)
        found.append(ParsedPair(pair.name, source, *first, tuple(others)))
    return found


def _gold(kept: tuple[int, ...], tree: ParsedSentence) -> Gold:
    place = (0, *kept)
    return Gold(kept, tuple(place[head] for head in one_root(_projective(tree.heads))), tree.labels)


def _projective(heads: tuple[int, ...]) -> tuple[int, ...]:
    from ..transduction.dependencies import lifted

    return lifted(heads)


def one_root(heads: tuple[int, ...]) -> tuple[int, ...]:
    """Heads with one word below the root symbol: further ones hang from the first, which keeps a projective tree projective."""
    root = heads.index(0) + 1
    return tuple(root if head == 0 and word != root else head for word, head in enumerate(heads, 1))


def parsed_corpus(pairs: Sequence[Pair], parse: Parse, parser: Path) -> list[ParsedPair]:
    """The same, from the cache folder where they have been parsed before by this parser."""
    parser_hash = file_hash(parser)
    known = parsed_before(pairs, parser_hash)
    if known is not None:
        return known
    found, path = parse_pairs(pairs, parse), _cache_file(pairs, parser_hash)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(gzip.compress(json.dumps(list(map(_plain, found))).encode(), 1))
        unfinished.replace(path)
    except OSError:
        pass  # a cache that cannot be written is no reason to fail
    return found


def parsed_before(pairs: Sequence[Pair], parser_hash: str) -> list[ParsedPair] | None:
    """The pairs as the parser with this hash read them, if they are in the cache folder."""
    try:
        return _read(_cache_file(pairs, parser_hash))
    except (ValueError, TypeError, RecursionError):  # not there, cut off, or of another form
        return None


def _cache_file(pairs: Sequence[Pair], parser_hash: str) -> Path:
    from ..kernels.cache import cache_directory

    state = hashlib.sha256(f"{CACHE_VERSION}\n{parser_hash}\n".encode())
    state.update(json.dumps([pair[:4] if pair.others else pair[:3] for pair in pairs]).encode())
    return cache_directory().parent / "compression-pairs" / f"{state.hexdigest()[:24]}.json.gz"


def read_corpus(name: str, folder: Path, split: str, parser_hash: str, model: Path) -> list[ParsedPair]:
    """The pairs of a corpus for experiments, with the trees that training or evaluation left in the cache folder.

    Parsing needs a solver, and tasks know none: so trees are made by the commands, and only read here.
    """
    pairs = read_pairs(name, folder, split).pairs
    found = bracketed_pairs(pairs) if has_trees(pairs) else parsed_before(pairs, parser_hash)
    if found is None:
        raise InputError(
            f"the trees of corpus {name!r}, split {split!r}, by the parser of {model} are not in the cache folder: "
            f"`dualbench evaluate TASK {model} --corpus {name} --option split={split}` makes them."
        )
    return found


def file_hash(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None


def _plain(pair: ParsedPair) -> list[object]:
    sentence = pair.sentence
    parts = [sentence.words, sentence.tags, sentence.heads, sentence.labels]
    return [pair.name, parts, pair.kept, pair.heads, pair.labels, *([pair.others] if pair.others else [])]


def _read(path: Path) -> list[ParsedPair]:
    """What `_plain` wrote; anything else is a ValueError or TypeError."""
    found = []
    for name, sentence, kept, heads, labels, *more in json.loads(read_packed(path)):
        others = tuple(Gold(*map(tuple, each)) for rest in more for each in rest)
        pair = ParsedPair(name, ParsedSentence(*map(tuple, sentence)), tuple(kept), tuple(heads), tuple(labels), others)
        if (
            not fits_together(pair.sentence)
            or not isinstance(name, str)
            or not all(_fits(pair, each) for each in pair.references)
        ):
            raise ValueError("a pair that does not fit together")
        found.append(pair)
    return found


def _fits(pair: ParsedPair, gold: Gold) -> bool:
    places = (*gold.kept, *gold.heads)
    return (
        len(gold.kept) == len(gold.heads) == len(gold.labels)
        and all(type(place) is int and 0 <= place <= len(pair.sentence) for place in places)
        and all(isinstance(label, str) for label in gold.labels)
    )


def generated_pairs(seeds: Iterable[int]) -> list[ParsedPair]:
    """News sentences of the generator with compressions that drop constituents, most of them adjuncts."""
    found = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 2014, 8])
        sentence = source_sentence(seed, rng, 5, 100, natural=True)
        length = max(1, round(len(sentence) * min(0.9, max(0.3, rng.normal(GENERATED_RATE, 0.1)))))
        kept, heads = gold_compression(sentence, length, rng)
        labels = tuple(sentence.labels[word - 1] for word in kept)
        found.append(ParsedPair(f"generated-{seed}", sentence, kept, heads, labels))
    return found
