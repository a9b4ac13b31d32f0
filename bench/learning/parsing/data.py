"""Sentences to train the parser on, and to test it on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from problems.errors import InputError
from problems.parsing.corpora import SPLITS, TREEBANKS, own_home, treebank_file
from problems.parsing.trees import unreachable
from problems.text.conll import read_treebank
from problems.text.splits import text_hash
from problems.text.treebank import Sentence, from_conll, generated_treebank

from ..options import GENERATED

GENERATED_SENTENCES = {"train": 150, "dev": 50, "test": 50}
NAMED = 5  # sentences of those left out
Say = Callable[[str], None]


def read_sentences(
    corpus: str, folder: str, split: str, limit: int | None, seed: int, encoding: str = "", say: Say | None = None
) -> list[Sentence]:
    """The sentences of a treebank by name, of a CoNLL file or of the generator.

    Some are no trees or lack tags: a parser can be tested on them. `say` is for a training, which leaves them out and says how many.
    """
    if corpus == GENERATED:
        first = SPLITS.index(split)
        return list(generated_treebank(10 * seed + first, limit or GENERATED_SENTENCES[split]))
    if corpus not in TREEBANKS and own_home(corpus, Path(folder)) is None:
        known = ", ".join((GENERATED, *TREEBANKS))
        raise InputError(f"option 'corpus' is {corpus!r}: expected a CoNLL file, a folder of them, or one of {known}.")
    path = treebank_file(corpus, Path(folder), split)
    found: list[Sentence] = []
    left_out: dict[str, list[str]] = {}
    for sentence in map(from_conll, read_treebank(path, encoding)):
        if say is not None and (why := why_no_example(sentence)):
            left_out.setdefault(why, []).append(sentence.name)
        else:
            found.append(sentence)
        if limit is not None and len(found) >= limit:
            break
    count = len(found) + sum(map(len, left_out.values()))
    for why, names in left_out.items():
        more = ", ..." if len(names) > NAMED else ""
        assert say is not None
        say(f"{path}: {len(names)} of {count} sentences {why} left out of training ({', '.join(names[:NAMED])}{more}).")
    return found


def why_no_example(sentence: Sentence) -> str:
    """Why no parser can learn from a sentence; empty if one can."""
    if unreachable(sentence.heads):
        return "are no trees and"
    return "" if sentence.has_tags else "have words without a tag and are"


def sentence_hash(sentence: Sentence) -> int:
    return text_hash("".join(sentence.words))
