"""Splits of a corpus: files (or folders) that are named after them, or sentences and topics dealt out by a seed.

A seeded split goes by a hash of the text, so that equal texts are always on the same side, whatever their order and names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, nearest, quoted

SPLITS = ("train", "dev", "test")


class Dealing(NamedTuple):
    """A seeded split: the share of the test part, and the seed. A share of 0 is no split."""

    test_share: float = 0.0
    seed: int = 1

    def holds(self, split: str, text: str) -> bool:
        """Is a text in this part? There are two, `train` and `test`."""
        if not self.test_share:
            return True
        digest = hashlib.sha256(f"{self.seed}\n{text}".encode("utf-8", "surrogatepass")).digest()
        return (int.from_bytes(digest[:8], "big") < self.test_share * 2**64) == (split == "test")


NOT_DEALT = Dealing()


def check_split(split: str, corpus: str, known: Iterable[str] = SPLITS) -> None:
    names = tuple(known)
    if split not in names:
        raise InputError(f"unknown split {quoted(split)} of corpus {quoted(corpus)}: {nearest(split, names)}")


def named(home: Path, split: str, endings: Sequence[str]) -> list[Path]:
    """What is in a folder for a split: `train.tsv`, or also `en-ud-train.conllu`; an ending "" is a folder."""
    found = []
    for ending in endings:
        name = f"{split}{ending}"
        exact = home / name
        if exact.is_dir() if not ending else exact.is_file():
            found.append(exact)
        elif ending:
            found += sorted(path for path in home.glob(f"*-{name}") if path.is_file())
    return found


def split_of(home: Path, split: str, endings: Sequence[str]) -> Path | None:
    """The one file or folder of a split; None where there is none, an InputError where there are several."""
    found = named(home, split, endings)
    if len(found) > 1:
        raise InputError(f"{home}: {found[0].name} and {found[1].name} are both the split {split!r}; expected one.")
    return found[0] if found else None


def text_hash(text: str) -> int:
    """64 bits of a text, without its white space and case: tokens and raw text of a sentence have the same."""
    plain = "".join(text.split()).casefold()
    return int.from_bytes(hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest()[:8], "big")
