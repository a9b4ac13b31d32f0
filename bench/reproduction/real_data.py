"""The corpora that pieces need, and what takes their place where the user has brought others (`--data`)."""

from __future__ import annotations

from pathlib import Path

from problems.compression.pair_files import ENDINGS as PAIR_FILES
from problems.parsing.corpora import ENDINGS as TREEBANK_FILES
from problems.text.splits import Dealing, split_of
from problems.text.topic_folders import TopicReading, is_topic_corpus

from .piece import Corpus

NEEDED = ("train", "test")
DEALT = TopicReading(dealing=Dealing(0.5))
"""Own topics without splits: one half trains the summarizer whose scores the other half gets."""


def _has_pairs(folder: Path) -> bool:
    return all(split_of(folder, split, PAIR_FILES) is not None for split in NEEDED)


def _has_trees(folder: Path) -> bool:
    return all(split_of(folder, split, TREEBANK_FILES) is not None for split in NEEDED)


def has_parts(folder: Path) -> bool:
    """Are topics in folders `train` and `test`?"""
    return all((folder / split).is_dir() and is_topic_corpus(folder / split) for split in NEEDED)


def _has_topics(folder: Path) -> bool:
    return has_parts(folder) or is_topic_corpus(folder)


TREEBANK = Corpus("treebanks/en_ewt", "the English Web Treebank in CoNLL-U (train, dev and test)", _has_trees)
PAIRS = Corpus(
    "compression/google_eval", "the evaluation part of the Google compression corpus (two text files)", _has_pairs
)
TOPICS = Corpus("summarization/multiling2011", "the topics of MultiLing 2011 with their references", _has_topics)
OPINIONS = Corpus("summarization/opinosis", "the topics of Opinosis with their references", _has_topics)
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
