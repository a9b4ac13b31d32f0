"""Corpora of the user's own, by option: `reproduce --treebank`, `--pairs` and `--topics`, in the forms of `docs/own-data.md`.

They are gathered in one data folder, in which each takes the place of the usual corpora of its kind, as in a folder that `--data` names.
Folders are links. A file without parts is dealt out into a training and a test part, by a hash of each sentence.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from problems.compression.pair_files import ENDINGS as PAIR_FILES
from problems.compression.pair_files import is_pair_file, lines_of, read_pair_file
from problems.errors import InputError
from problems.parsing.corpora import ENDINGS as TREEBANK_FILES
from problems.text.conll import is_conll, read_treebank
from problems.text.splits import Dealing
from problems.text.topic_folders import own_topics

from ..records.log import writing
from .context import one_at_a_time, stamp
from .real_data import NEEDED, has_pairs, has_parts, has_topics, has_trees

DEALING = Dealing(0.2)
"""One fifth of a file's sentences are for testing."""
TREES, PAIRS, TOPICS = "treebanks", "compression", "summarization"

Dealt = Iterable[tuple[str, str]]  # the text that decides on the part, and what is written


@dataclass(frozen=True)
class OwnCorpora:
    """What the options name."""

    treebanks: tuple[Path, ...] = ()
    pairs: Path | None = None
    topics: Path | None = None

    def gathered(self, home: Path, data: Path | None) -> Path:
        """A data folder below `home` with these corpora, and those of other kinds in `data`; other corpora have another one."""
        given = {TREES: list(self.treebanks), PAIRS: _some(self.pairs), TOPICS: _some(self.topics)}
        for kind, paths in given.items():
            for path in paths:
                _check(kind, path)
            names = [_name(path) for path in paths]
            if twice := next((name for name in names if names.count(name) > 1), ""):
                raise InputError(
                    f"option '--treebank': two of the treebanks are named {twice!r}; expected different names."
                )
        state = {kind: [[str(path.resolve()), stamp(path)] for path in paths] for kind, paths in given.items()}
        digest = hashlib.sha256(json.dumps([state, str(data and data.resolve())]).encode()).hexdigest()[:10]
        folder = home / digest
        with writing(home), one_at_a_time(home):
            if not folder.is_dir():
                new = home / f".{digest}.new"
                shutil.rmtree(new, ignore_errors=True)
                for kind, paths in given.items():
                    _fill(new / kind, kind, paths, data)
                new.rename(folder)
        return folder


NONE = OwnCorpora()


def _some(path: Path | None) -> list[Path]:
    return [] if path is None else [path]


def _name(path: Path) -> str:
    """By which tables know it: the folder's name, or the file's without its endings."""
    path = path.resolve()
    return path.name if path.is_dir() else path.name.partition(".")[0]


def _check(kind: str, path: Path) -> None:
    """One sentence about what is wrong with a corpus; files are read whole."""
    option, is_corpus, is_file, what = OPTIONS[kind]
    if path.is_file() and is_file is not None and is_file(path):
        return
    if path.is_file() or not path.exists():
        kinds = f"a file {' or '.join(ENDINGS[kind])}, or " if is_file else ""
        found = "no such file or folder" if not path.exists() else "a file of another kind"
        raise InputError(f"{path}: {found}; option '{option}' names {kinds}{what}.")
    if not is_corpus(path.resolve()):
        raise InputError(f"{path}: option '{option}' names {what}, which this folder is not.")
    if kind == TOPICS:
        _check_topics(path.resolve())


def _check_topics(path: Path) -> None:
    """Each topic has documents and a reference: pieces measure ROUGE."""
    for split in NEEDED if has_parts(path) else NEEDED[:1]:  # without parts all are read
        try:
            for _ in own_topics(path, split):
                pass
        except InputError as error:
            raise InputError(f"{path}: option '--topics': {error}") from None


def _fill(folder: Path, kind: str, paths: list[Path], data: Path | None) -> None:
    """One kind of corpora: one's own, or else those of the data folder."""
    if not paths:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if data is not None and (data / kind).is_dir():
            folder.symlink_to((data / kind).resolve(), target_is_directory=True)
        return
    folder.mkdir(parents=True)
    for path in paths:
        if path.is_dir():
            (folder / _name(path)).symlink_to(path.resolve(), target_is_directory=True)
        elif kind == TREES:
            _deal(folder / _name(path), ".conllu" if ".conllu" in path.name else ".conll", "\n\n", _trees(path), path)
        else:
            _deal(folder / _name(path), path.suffix.lower(), "\n", _lines(path), path)


def _trees(path: Path) -> Dealt:
    return ((" ".join(sentence.words), "\n".join(sentence.lines)) for sentence in read_treebank(path))


def _lines(path: Path) -> Dealt:
    return ((" ".join(pair.words), line) for pair, line in zip(read_pair_file(path), lines_of(path), strict=True))


def _deal(folder: Path, ending: str, end: str, items: Dealt, path: Path) -> None:
    """Two files, `train` and `test`, in the order of the one."""
    parts: dict[str, list[str]] = {split: [] for split in NEEDED}
    for text, written in items:
        split = next(split for split in NEEDED if DEALING.holds(split, text.casefold()))
        parts[split].append(written + end)
    if empty := next((split for split, part in parts.items() if not part), ""):
        raise InputError(f"{path}: too few sentences for a training and a test part (the {empty} part is empty).")
    folder.mkdir()
    for split, part in parts.items():
        (folder / f"{split}{ending}").write_text("".join(part), encoding="utf-8")


Test = Callable[[Path], bool]
OPTIONS: dict[str, tuple[str, Test, Test | None, str]] = {
    TREES: (
        "--treebank",
        has_trees,
        is_conll,
        "a folder with the files train and test of a treebank (CoNLL) that is none of ours",
    ),
    PAIRS: ("--pairs", has_pairs, is_pair_file, "a folder with the files train and test of sentence pairs"),
    TOPICS: ("--topics", has_topics, None, "a folder of topics, or of topics in folders train and test"),
}
ENDINGS = {TREES: TREEBANK_FILES, PAIRS: PAIR_FILES}
