"""Sentences with their compressions as plain text: `google_eval`, `turkcorpus`, and anyone's files of pairs (`pair_files.py`).

`google_eval`: two parallel files; the first 1000 pairs are the test set, the other 9000 are for training. `turkcorpus`: of
the eight rewrites of each sentence those that only delete words, and at least one; `train` is its tuning set.

A path instead of a name is a file, taken whole, or a folder with files `train`, `dev` and `test` (`.jsonl` or `.tsv`); so is the name of a
folder below `compression` in the data folder. A file, or a folder without such files, can be dealt out by a seed. Parts must not have a
sentence in common. Compressions with a word that the sentence does not have in that order cannot be had by deletion: they are left out
and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, nearest, quoted, to_get
from ..text.splits import NOT_DEALT, SPLITS, Dealing, check_split, split_of, text_hash
from .alignment import align, tokenise
from .pair_files import ENDINGS, TokenPair, is_pair_file, lines_of, read_pair_file

CORPORA = ("google_eval", "turkcorpus")
NAMED_SPLITS = ("train", "test")  # of these
TEST_PAIRS = 1000  # the first ones of google_eval
REWRITES = 8
TURK_FILES = {"train": "tune.8turkers.tok", "test": "test.8turkers.tok"}
HOME = "compression"  # the folder of these corpora within the data folder


class Pair(NamedTuple):
    """A tokenised sentence, and the positions (from 1) of the words that its compression keeps; `others` are further references."""

    name: str
    words: tuple[str, ...]
    kept: tuple[int, ...]
    others: tuple[tuple[int, ...], ...] = ()
    trees: tuple[str, ...] = ()  # in brackets, of the sentence and of each reference, where the corpus has them

    @property
    def hash(self) -> int:
        """Of the sentence."""
        return text_hash("".join(self.words))


class Pairs(NamedTuple):
    """What a corpus has, and how many compressions of it were left out."""

    pairs: list[Pair]
    dropped: int


class Reading(NamedTuple):
    """How files of pairs are read: strings split at spaces alone, and a seeded split."""

    tokenised: bool = False
    dealing: Dealing = NOT_DEALT


PLAIN = Reading()


def read_pairs(
    corpus: str, folder: Path, split: str = "train", limit: int | None = None, reading: Reading = PLAIN
) -> Pairs:
    """The pairs of a corpus below the data folder, or of a path, in their order; at most `limit`, the dropped ones included."""
    check_split(split, corpus, NAMED_SPLITS if corpus in CORPORA else SPLITS)
    if corpus in CORPORA and reading != PLAIN:
        raise InputError(f"corpus {corpus!r} has its own tokens and split: 'tokenised' and 'test_share' are for files.")
    if corpus in CORPORA and not (folder / HOME / corpus).is_dir():
        home = folder / HOME / corpus
        raise InputError(f"{home}: no such folder; expected the corpus {corpus!r} there; {to_get(corpus)}")
    if corpus == "turkcorpus":
        return _turk(folder / HOME / corpus, split, limit)
    found = (
        _google(folder / HOME / corpus, split)
        if corpus == "google_eval"
        else own_token_pairs(corpus, folder, split, reading)
    )
    pairs: list[Pair] = []
    dropped = 0
    for count, given in enumerate(found):
        if limit is not None and count >= limit:
            break
        aligned = [align(given.words, each) for each in given.compressions]
        trees = given.trees[1:] or [""] * len(aligned)
        kept = {each: tree for each, tree in reversed(list(zip(aligned, trees, strict=True))) if each}
        first, *others = [each for each in dict.fromkeys(aligned) if each] or [()]
        dropped += sum(not each for each in aligned)
        if first:
            own = (given.trees[0], *(kept[each] for each in (first, *others))) if given.trees else ()
            pairs.append(Pair(given.name, given.words, first, tuple(others), own))
    return Pairs(pairs, dropped)


def one_by_one(pairs: Iterable[Pair]) -> list[Pair]:
    """Every reference as a pair of its own, for training."""
    found = []
    for pair in pairs:
        found.append(pair._replace(others=(), trees=pair.trees[:2]))
        for number, kept in enumerate(pair.others, 2):
            trees = (pair.trees[0], pair.trees[number]) if pair.trees else ()
            found.append(Pair(f"{pair.name}#{number}", pair.words, kept, trees=trees))
    return found


def has_split(corpus: str, folder: Path, split: str) -> bool:
    """Does a folder of files have this part?"""
    home = own_home(corpus, folder)
    return home is not None and home.is_dir() and split_of(home, split, ENDINGS) is not None


def own_home(corpus: str, folder: Path) -> Path | None:
    """The file or folder of a corpus that has no reader of its own; None where there is none."""
    if corpus in CORPORA:
        return None
    candidates = (Path(corpus), folder / HOME / corpus)
    return next((path for path in candidates if path.is_file() or path.is_dir()), None)


def own_token_pairs(corpus: str, folder: Path, split: str, reading: Reading = PLAIN) -> Iterable[TokenPair]:
    """The pairs of a corpus that has no reader of its own, as tokens."""
    home = own_home(corpus, folder)
    if home is None:
        raise InputError(
            f"unknown corpus {quoted(corpus)}: {nearest(corpus, CORPORA)} A file of pairs ({', '.join(ENDINGS)}) or a folder of "
            "them can be named, too."
        )
    if home.is_file():
        return _dealt(home, (home,), split, reading)
    files = {name: path for name in SPLITS if (path := split_of(home, name, ENDINGS)) is not None}
    if not files:
        everything = [path for path in sorted(home.iterdir()) if is_pair_file(path)]
        if not everything or not reading.dealing.test_share:
            raise InputError(
                f"{home}: expected a file {split}.jsonl or {split}.tsv in this folder"
                + (", or the option 'test_share' for a seeded split of its files." if everything else ".")
            )
        return _dealt(home, everything, split, reading)
    if reading.dealing.test_share:
        raise InputError(f"{home}: the folder has files of its own splits; 'test_share' is for files without.")
    if split not in files:
        raise InputError(
            f"{home}: expected a file {split}.jsonl or {split}.tsv in this folder, found {', '.join(map(_name, files.values()))}."
        )
    _check_apart(files, reading)
    return read_pair_file(files[split], reading.tokenised)


def _name(path: Path) -> str:
    return path.name


def _dealt(home: Path, files: Sequence[Path], split: str, reading: Reading) -> Iterator[TokenPair]:
    """What a seeded split gives to a part; all of it where there is no such split."""
    if reading.dealing.test_share and split == "dev":
        raise InputError(f"{home}: a seeded split has the parts train and test, but 'dev' is asked for.")
    for path in files:
        for pair in read_pair_file(path, reading.tokenised):
            if reading.dealing.holds(split, "".join(pair.words).casefold()):
                yield pair if len(files) == 1 else pair._replace(name=f"{path.stem}: {pair.name}")


def _check_apart(files: dict[str, Path], reading: Reading) -> None:
    """No sentence may be in two parts."""
    seen: dict[int, tuple[Path, str]] = {}
    for path in files.values():
        own: dict[int, tuple[Path, str]] = {}
        for pair in read_pair_file(path, reading.tokenised, sources_only=True):
            key = text_hash("".join(pair.words))
            if key in seen:
                other, name = seen[key]
                raise InputError(
                    f"{path}: sentence {quoted(pair.name)} is in {other.name} too ({quoted(name)}); "
                    "expected parts that have no sentence in common."
                )
            own[key] = path, pair.name
        seen |= own


def _checked(path: Path, number: int, text: str) -> str:
    if not text.strip():
        raise InputError(f"{path}, line {number}: expected a sentence, found an empty line.")
    return text


def _parallel(one: Path, other: Path) -> Iterator[tuple[int, str, str]]:
    first, second = lines_of(one), lines_of(other)
    if len(first) != len(second):
        raise InputError(f"{other}: {len(second)} lines, expected {len(first)}, as many as in {one.name}.")
    for number, (source, target) in enumerate(zip(first, second, strict=True), 1):
        yield number, _checked(one, number, source), _checked(other, number, target)


def _google(home: Path, split: str) -> Iterator[TokenPair]:
    for number, source, target in _parallel(home / "sentence_en.txt", home / "compression_en.txt"):
        if (number <= TEST_PAIRS) == (split == "test"):
            yield TokenPair(f"google-{number}", tokenise(source), (tokenise(target),))


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
