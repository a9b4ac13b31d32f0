"""Dependency treebanks in CoNLL-U and CoNLL-X: ten columns separated by tabs, a blank line after each sentence.

Both have ID FORM LEMMA UPOS/CPOSTAG XPOS/POSTAG FEATS HEAD DEPREL and two more. Multiword ranges (`3-4`) and empty nodes
(`5.1`) of CoNLL-U carry no head in the basic tree and are not words; `#` lines are comments. Sentences may have several
roots, and even cycles (a word that is its own head): that is for the caller to judge. Files may be gzipped.

CoNLL-U (a file named so, or with comments) is UTF-8 by definition. A CoNLL-X file may be latin-1: it is, if it is not
UTF-8 and no line with other than ASCII characters could be UTF-8. Its sentences say so in `encoding`, and so does a message.
A caller may name another encoding (`encodings`). A blind file has `_` for heads: only a caller that asks for them gets its sentences.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, quoted
from ..formats import whole_number
from ..unpacking import read_packed
from .encodings import decoded, wrong_bytes

COLUMNS = 10
FORM, LEMMA, COARSE, FINE, FEATURES, HEAD, RELATION, ENHANCED = 1, 2, 3, 4, 5, 6, 7, 8
NOT_A_WORD = re.compile(r"\d+[-.]\d+")
EMPTY_NODE = re.compile(r"\d+\.\d+")
OPEN = "_"


CONLL_ENDINGS = (".conllu", ".conll", ".conllx", ".conll06", ".conll07")


def is_conll(path: str | Path) -> bool:
    """Does a file's name say that it is CoNLL-U or CoNLL-X?"""
    return Path(path).name.lower().removesuffix(".gz").endswith(CONLL_ENDINGS)


def looks_like_conll(text: str) -> bool:
    """Does a text begin with the columns of a first word?"""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    columns = next(lines, "").split("\t")
    is_first = columns[0] == "1" or columns[0].startswith("1-")
    return len(columns) == COLUMNS and is_first and (columns[HEAD] == OPEN or columns[HEAD].isdigit())


@dataclass(frozen=True)
class ConllSentence:
    """One sentence: its words in order, and its lines as they stand in the file (comments, ranges and all)."""

    name: str  # the sentence's own `sent_id`, or file name and number
    words: tuple[str, ...]
    coarse_tags: tuple[str, ...]  # UPOS or CPOSTAG
    fine_tags: tuple[str, ...]  # XPOS or POSTAG
    heads: tuple[int, ...]  # none in a blind file
    relations: tuple[str, ...]
    lines: tuple[str, ...]
    encoding: str = "utf-8"

    def column(self, number: int) -> Iterator[str]:
        """What stands in a column of each word."""
        for line in self.lines:
            columns = line.split("\t")
            if not line.startswith("#") and not NOT_A_WORD.fullmatch(columns[0]):
                yield columns[number]

    def with_heads(self, heads: Iterable[int]) -> list[str]:
        """The lines with other heads; relations stay, enhanced dependencies go."""
        wanted = iter(heads)
        changed = []
        for line in self.lines:
            columns = line.split("\t")
            if not line.startswith("#") and not NOT_A_WORD.fullmatch(columns[0]):
                columns[HEAD] = str(next(wanted))
                columns[ENHANCED] = OPEN
            changed.append("\t".join(columns))
        return changed


def read_treebank(path: str | Path, encoding: str = "", blind: bool = False) -> Iterator[ConllSentence]:
    """All sentences of a file; a broken line is an InputError that names file and line.

    With `blind` heads may be `_`: a sentence in which one is has no heads at all.
    """
    path = Path(path)
    count = 0
    text, encoding = _text(path, encoding)
    for lines in _blocks(text):
        sentence = _sentence(path, lines, count + 1, encoding, blind)
        if sentence is not None:
            count += 1
            yield sentence
    if not count:
        raise InputError(f"{path}: no sentence in it; expected CoNLL-U or CoNLL-X.")


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """The lines of each sentence, with their numbers. A block of comments belongs to the next sentence, or at the end to the last."""
    block: list[tuple[int, str]] = []
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line.strip():
            lines.append((number, line))
        elif _has_words(lines):
            if block:
                yield block
            block, lines = lines, []
    if block and _has_words(lines):
        yield block
        block = []
    if block or lines:
        yield block + lines


def _has_words(lines: list[tuple[int, str]]) -> bool:
    return any(not line.startswith("#") for _, line in lines)


def _text(path: Path, encoding: str) -> tuple[str, str]:
    """A file's text and its encoding."""
    data = read_packed(path)
    if encoding:
        return decoded(data, path, encoding), encoding
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError as error:
        broken = error.start
    others = [line for line in data.split(b"\n") if not line.isascii()]
    if ".conllu" in path.name.lower() or data.startswith(b"#") or b"\n#" in data or any(map(_is_utf8, others)):
        raise wrong_bytes(data, path, broken)
    print(f"dualbench: {path} is not in UTF-8 and read as latin-1.", file=sys.stderr, flush=True)
    return data.decode("latin-1"), "latin-1"


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _sentence(
    path: Path, lines: list[tuple[int, str]], number: int, encoding: str, blind: bool
) -> ConllSentence | None:
    name = f"{path.name.partition('.')[0]}-{number}"
    words: list[str] = []
    coarse, fine, heads, relations, where = [], [], [], [], []
    ranges: list[tuple[int, int]] = []  # of multiword tokens: the line, and the last word
    for at, line in lines:
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            if key.strip() == "sent_id" and value.strip() and not words:
                name = value.strip()
            continue
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            raise InputError(f"{path}, line {at}: expected {COLUMNS} columns separated by tabs, not {len(columns)}.")
        if not columns[FORM].strip():
            raise InputError(f"{path}, line {at}: the form of {quoted(columns[0])}, in the second column, is empty.")
        if NOT_A_WORD.fullmatch(columns[0]):
            if not EMPTY_NODE.fullmatch(columns[0]):
                ranges.append((at, _range(path, at, columns[0], len(words) + 1, ranges)))
            continue
        if columns[0] != str(len(words) + 1):
            raise InputError(
                f"{path}, line {at}: the word's number must be {len(words) + 1}, not {quoted(columns[0])}."
            )
        is_open = blind and columns[HEAD] == OPEN
        head = -1 if is_open else whole_number(columns[HEAD])
        if head is None or not (is_open or columns[HEAD].isdigit()):
            said = ": a gold head is missing; `dualbench parse` reads such files" if columns[HEAD] == OPEN else ""
            raise InputError(f"{path}, line {at}: the head must be a whole number, not {quoted(columns[HEAD])}{said}.")
        words.append(columns[FORM])
        coarse.append(columns[COARSE])
        fine.append(columns[FINE])
        heads.append(head)
        relations.append(columns[RELATION])
        where.append(at)
    for head, at in zip(heads, where, strict=True):  # an open one is -1
        if head > len(words):
            raise InputError(f"{path}, line {at}: the head must be from 0 to {len(words)}, not {head}.")
    for at, last in ranges:
        if last > len(words):
            raise InputError(
                f"{path}, line {at}: the range must end at a word of the sentence, which has {len(words)}."
            )
    if not words:  # comments only
        return None
    if -1 in heads:
        heads = []
    texts = tuple(line for _, line in lines)
    tags = tuple(coarse), tuple(fine)
    return ConllSentence(name, tuple(words), *tags, tuple(heads), tuple(relations), texts, encoding)


def _range(path: Path, at: int, text: str, first: int, before: list[tuple[int, int]]) -> int:
    """The last word of a multiword token before whose first word we are."""
    start, end = map(whole_number, text.split("-"))
    if start != first or end is None or end < first or any(last >= first for _, last in before):
        raise InputError(
            f"{path}, line {at}: a range must begin with the next word, {first}, and overlap with no other, not {quoted(text)}."
        )
    return end


def write_treebank(path: str | Path, sentences: Iterable[ConllSentence], trees: Iterable[Iterable[int]]) -> None:
    """Write sentences with predicted heads in place of their own."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for sentence, heads in zip(sentences, trees, strict=True):
            file.write("\n".join(sentence.with_heads(heads)) + "\n\n")
