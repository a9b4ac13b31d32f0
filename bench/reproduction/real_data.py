"""The corpora that pieces need, and what takes their place where the user has brought others (`--data`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from problems.compression.pair_files import ENDINGS as PAIR_FILES
from problems.parsing.corpora import ENDINGS as TREEBANK_FILES
from problems.parsing.corpora import TREEBANKS
from problems.text.splits import Dealing, split_of
from problems.text.topic_folders import TopicReading, is_topic_corpus


@dataclass(frozen=True)
class Corpus:
    """A part of the real data that a piece needs: a path below the data folder, what it is, and what one's own has instead.

    Where it is not there, the only corpus beside that path that `own` says is one takes its place, or the first of `several`.
    """

    path: str
    what: str
    own: Callable[[Path], bool] | None = None
    several: bool = False
    option: str = ""  # of `dualbench reproduce`, which names one's own

    def owned(self, data: Path) -> list[Path]:
        """What could take its place, by name; none where it is there itself."""
        path = data / self.path
        if path.exists() or self.own is None or not path.parent.is_dir():
            return []
        return [each for each in sorted(path.parent.iterdir()) if each.is_dir() and self.own(each)]

    def locate(self, data: Path) -> Path | None:
        """Where it is; None where it is not, or where it is not clear which takes its place."""
        path = data / self.path
        if path.exists():
            return path
        found = self.owned(data)
        return found[0] if len(found) == 1 or (found and self.several) else None

    def name_in(self, data: Path) -> str:
        """The name by which readers know it."""
        return (self.locate(data) or data / self.path).name

    @property
    def name(self) -> str:
        """What `dualbench data get` calls it: the folder below that of its task."""
        return Path(self.path).parts[:2][-1]


NEEDED = ("train", "test")
DEALT = TopicReading(dealing=Dealing(0.5))
"""Own topics without splits: one half trains the summarizer whose scores the other half gets."""


def has_pairs(folder: Path) -> bool:
    return all(split_of(folder, split, PAIR_FILES) is not None for split in NEEDED)


def has_trees(folder: Path) -> bool:
    """A treebank of one's own, with both parts."""
    return folder.name not in TREEBANKS and all(split_of(folder, split, TREEBANK_FILES) for split in NEEDED)


def has_parts(folder: Path) -> bool:
    """Are topics in folders `train` and `test`?"""
    return all((folder / split).is_dir() and is_topic_corpus(folder / split) for split in NEEDED)


def has_topics(folder: Path) -> bool:
    return has_parts(folder) or is_topic_corpus(folder)


def treebank_corpus(name: str, what: str) -> Corpus:
    """A treebank; any number of one's own may take its place."""
    return Corpus(f"treebanks/{name}", f"{what} in CoNLL-U", has_trees, several=True, option="--treebank")


TREEBANK = treebank_corpus("en_ewt", "the English Web Treebank (train, dev and test)")
PAIRS = Corpus(
    "compression/google_eval",
    "the evaluation part of the Google compression corpus (two text files)",
    has_pairs,
    option="--pairs",
)
TOPICS, OPINIONS = (
    Corpus(f"summarization/{name}", f"the topics of {said} with their references", has_topics, option="--topics")
    for name, said in (("multiling2011", "MultiLing 2011"), ("opinosis", "Opinosis"))
)
CORPORA: dict[str, tuple[Corpus, ...]] = {
    "parsing": (TREEBANK,),
    "compression": (TREEBANK, PAIRS),
    "transduction": (TREEBANK, PAIRS),
    "summarization": (TREEBANK, PAIRS, TOPICS, OPINIONS),
    "extraction": (TREEBANK, PAIRS, TOPICS, OPINIONS),
}


def own_topics_in(data: Path) -> Path | None:
    """The folder of one's own topics, where it takes the place of MultiLing's."""
    found = TOPICS.locate(data)
    return None if found is None or found.name == Path(TOPICS.path).name else found
