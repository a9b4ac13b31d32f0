"""Topics in folders, in anyone's corpus: documents with model summaries, in the layouts that are in use.

- `FOLDER/TOPIC/documents/*` and `FOLDER/TOPIC/references/*`: a file per document and per reference. `FOLDER/words.txt` may hold the word
  limit.
- TAC and DUC: references named `D0801-A.M.100.A.C` or `D30001.M.100.T.B` (docset, set, limit in words, selector, author), wherever they are
  below FOLDER; documents in folders named after docset, selector and set (`D0801A/D0801A-A`, `d30001t`).
- MultiLing: `SourceTexts/M0001.english` (topic M000, document 1) and `Model_Summaries/English/M000.A.250`.

Texts are plain or in SGML or XML (`markup.py`). A folder may have folders `train`, `dev` and `test`, each with topics in one of these
layouts; otherwise it is taken whole, or dealt out by a seed. Parts must not have a document in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, quoted
from ..files import read_bytes
from .markup import is_marked_up, paragraphs_of
from .splits import NOT_DEALT, SPLITS, Dealing, check_split, split_of, text_hash
from .splitting import sentences_of

DOCUMENTS, REFERENCES = "documents", "references"
TELLING = frozenset({"models", "model_summaries", "sourcetexts"})  # folders that corpora of topics have
LIMIT_FILE, MOST_WORDS = "words.txt", 100_000
_TAC = re.compile(
    r"(?P<docset>[A-Z]+\d+)(?:-(?P<set>[A-Z]))?\.M\.(?P<words>\d{1,6})\.(?P<selector>[A-Z])\.(?P<author>[A-Z])"
)
_MULTILING = re.compile(r"(?P<topic>M\d+)\.(?P<author>[A-Z])\.(?P<words>\d{1,6})", re.IGNORECASE)
_SOURCE = re.compile(r"(?P<topic>M\d+)(?P<document>\d)\.(?P<language>[A-Za-z]+)")


@dataclass(frozen=True)
class Topic:
    """Documents on one topic, each a sequence of sentences, and reference summaries, each a sequence of lines.

    `words` is the limit of a summary, where the corpus has one.
    """

    name: str
    documents: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...] = ()
    words: int | None = None

    def hashes(self) -> set[int]:
        """Of its documents."""
        return {text_hash("".join(document)) for document in self.documents}


class TopicFiles(NamedTuple):
    """A topic's files, not read yet."""

    name: str
    documents: list[Path]
    references: list[Path]
    words: int | None = None


class TopicReading(NamedTuple):
    """With `lines` each line of a plain document is a sentence; a seeded split is for folders without splits."""

    lines: bool = False
    dealing: Dealing = NOT_DEALT


PLAIN = TopicReading()


def own_topics(home: Path, split: str, reading: TopicReading = PLAIN, referenced: bool = True) -> Iterator[Topic]:
    """The topics of a split in the order of their names; with `referenced` each must have a reference."""
    check_split(split, str(home))
    parts = {name: path for name in SPLITS if (path := split_of(home, name, ("",))) is not None and not _is_topic(path)}
    if not parts:
        if reading.dealing.test_share and split == "dev":
            raise InputError(f"{home}: a seeded split has the parts train and test, but 'dev' is asked for.")
        topics = (read_topic(files, reading, referenced) for files in topic_files(home))
        return (topic for topic in topics if reading.dealing.holds(split, " ".join(topic.documents[0]).casefold()))
    if reading.dealing.test_share:
        raise InputError(f"{home}: the folder has splits of its own; 'test_share' is for folders without.")
    if split not in parts:
        raise InputError(f"{home}: expected a folder {split!r} with topics, found {', '.join(parts)}.")
    _check_apart(parts, reading)
    return (read_topic(files, reading, referenced) for files in topic_files(parts[split]))


def topic_files(home: Path) -> list[TopicFiles]:
    """The topics below a folder, in the first layout that has any; their files are not read."""
    if not home.is_dir():
        raise InputError(f"{home}: no such folder; expected a folder of topics.")
    found = _plain_layout(home) or _tac_layout(home) or _multiling_layout(home)
    if not found:
        raise InputError(
            f"{home}: no topics; expected TOPIC/{DOCUMENTS} and TOPIC/{REFERENCES}, or references named as those of TAC and DUC "
            "(D0801-A.M.100.A.C), or SourceTexts and Model_Summaries as in MultiLing."
        )
    return found


def is_topic_corpus(folder: Path) -> bool:
    """Has a folder topics, rather than the documents of one? Where it has files, only folders of known names say so."""
    if not folder.is_dir():
        return False
    if files_in(folder) and not any(path.is_dir() and path.name.lower() in TELLING for path in folder.iterdir()):
        return bool(_plain_layout(folder))
    return bool(_plain_layout(folder) or _tac_layout(folder) or _multiling_layout(folder))


def _is_topic(folder: Path) -> bool:
    return (folder / DOCUMENTS).is_dir()


def files_in(folder: Path) -> list[Path]:
    """The files of a folder by name, without hidden ones."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))


def _plain_layout(home: Path) -> list[TopicFiles]:
    folders = (
        [home] if _is_topic(home) else sorted(path for path in home.iterdir() if path.is_dir() and _is_topic(path))
    )
    limit = _limit(home / LIMIT_FILE)
    return [TopicFiles(path.name, files_in(path / DOCUMENTS), files_in(path / REFERENCES), limit) for path in folders]


def _limit(path: Path) -> int | None:
    if not path.is_file():
        return None
    text = read_text_file(path, "the word limit").strip()
    if not re.fullmatch(r"\d{1,6}", text) or not 1 <= int(text) <= MOST_WORDS:
        raise InputError(f"{path}: expected a number of words from 1 to {MOST_WORDS}, found {quoted(text)}.")
    return int(text)


def _tac_layout(home: Path) -> list[TopicFiles]:
    """References tell the topics; their documents are in the folder that is named after docset, selector and set."""
    references: dict[tuple[str, str, str], list[Path]] = {}
    limits: dict[tuple[str, str, str], int] = {}
    folders: dict[str, Path] = {}
    for path in sorted(home.rglob("*")):
        if path.is_dir():
            folders.setdefault(path.name.lower(), path)
        elif (match := _TAC.fullmatch(path.name)) is not None:
            key = match["docset"], match["selector"], match["set"] or ""
            references.setdefault(key, []).append(path)
            limits[key] = int(match["words"])
    found = []
    for (docset, selector, update), paths in references.items():
        end = f"-{update}" if update else ""
        names = [f"{docset}{selector}{end}", f"{docset}{end}"]
        home_of = next((folders[name.lower()] for name in names if name.lower() in folders), None)
        if home_of is None:
            raise InputError(
                f"{paths[0]}: expected the documents of this reference in a folder {' or '.join(names)} below {home}."
            )
        key = docset, selector, update
        found.append(TopicFiles(f"{docset}{end}", files_in(home_of), paths, limits[key]))
    return found


def _multiling_layout(home: Path) -> list[TopicFiles]:
    references: dict[tuple[str, str], list[Path]] = {}
    sources: dict[tuple[str, str], list[Path]] = {}
    limits: dict[tuple[str, str], int] = {}
    for path in sorted(home.rglob("*")):
        if (model := _MULTILING.fullmatch(path.name)) is not None:
            key = model["topic"], path.parent.name.lower()
            references.setdefault(key, []).append(path)
            limits[key] = int(model["words"])
        elif (source := _SOURCE.fullmatch(path.name)) is not None:
            sources.setdefault((source["topic"], source["language"].lower()), []).append(path)
    languages = {language for _, language in sources}
    found = []
    for (topic, language), paths in references.items():
        documents = sources.get((topic, language)) or (
            sources.get((topic, next(iter(languages)))) if len(languages) == 1 else None
        )
        if not documents:
            raise InputError(
                f"{paths[0]}: expected documents {topic}0.{language}, {topic}1.{language} ... below {home}."
            )
        name = topic if len(languages) == 1 else f"{topic}-{language}"
        found.append(TopicFiles(name, documents, paths, limits[topic, language]))
    return found


def read_topic(files: TopicFiles, reading: TopicReading = PLAIN, referenced: bool = True) -> Topic:
    """A topic from its files; with `referenced` it must have a reference."""
    if not files.documents:
        raise InputError(f"topic {quoted(files.name)} has no documents; expected a file per document.")
    if referenced and not files.references:
        raise InputError(
            f"topic {quoted(files.name)} has no reference summary; expected a file per reference, beside {files.documents[0].parent}."
        )
    headed = _SOURCE.fullmatch(files.documents[0].name) is not None
    documents = tuple(_document(path, reading.lines, headed) for path in files.documents)
    references = tuple(_reference(path) for path in files.references)
    return Topic(files.name, documents, references, files.words)


def _document(path: Path, lines: bool, headed: bool) -> tuple[str, ...]:
    """The sentences of a document; the first line of one of MultiLing is its headline."""
    text = read_text_file(path, "a document")
    if headed and not is_marked_up(text):
        _, _, text = text.partition("\n")
    if lines and not is_marked_up(text):
        sentences = [sentence for line in text.splitlines() if (sentence := " ".join(line.split()))]
    else:
        sentences = [sentence for part in paragraphs_of(text, path) for sentence in sentences_of(part)]
    if not any(character.isalnum() for sentence in sentences for character in sentence):
        raise InputError(f"{path}: the document is empty; expected text.")
    return tuple(sentences)


def _reference(path: Path) -> tuple[str, ...]:
    """A reference, a sentence per line."""
    text = read_text_file(path, "a reference summary")
    parts = paragraphs_of(text, path) if is_marked_up(text) else text.splitlines()
    lines = tuple(sentence for part in parts for sentence in sentences_of(part))
    if not any(character.isalnum() for line in lines for character in line):
        raise InputError(f"{path}: the reference summary is empty; expected text.")
    return lines


def _check_apart(parts: dict[str, Path], reading: TopicReading) -> None:
    """No document may be in two parts."""
    seen: dict[int, tuple[str, str]] = {}
    for split, path in parts.items():
        own: dict[int, tuple[str, str]] = {}
        for files in topic_files(path):
            for document in read_topic(files, reading, False).documents:
                key = text_hash("".join(document))
                if key in seen:
                    raise InputError(
                        f"{path}: topic {quoted(files.name)} has a document of topic {quoted(seen[key][1])} in {seen[key][0]!r}; "
                        "expected parts that have no document in common."
                    )
                own[key] = split, files.name
        seen |= own


def common_limit(topics: Sequence[Topic]) -> int:
    """The word limit of a corpus: that of its topics, or the mean length of their references."""
    limits = {topic.words for topic in topics}
    if len(limits) > 1:
        said = ", ".join(str(limit) for limit in sorted(limits, key=str))
        raise InputError(f"the topics have several word limits ({said}): option 'budget' must say which.")
    (limit,) = limits
    return limit or mean_length(reference for topic in topics for reference in topic.references)


def mean_length(references: Iterable[Sequence[str]]) -> int:
    lengths = [sum(len(line.split()) for line in reference) for reference in references]
    return max(1, round(sum(lengths) / max(1, len(lengths))))


def read_text_file(path: Path, what: str) -> str:
    """A text in UTF-8 or else, as some of opinosis are, in Windows' cp1252."""
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; expected {what}.") from None
    except OSError as error:
        raise InputError(f"{path}: {what} cannot be read ({error.strerror}).") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
