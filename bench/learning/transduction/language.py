"""The language models of a transduction model: of the training pairs, of a text file, or an ARPA file that somebody else has made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from problems.compression.alignment import tokenise
from problems.compression.corpora import ParsedPair
from problems.errors import InputError
from problems.files import read_text
from problems.language import NgramModel, estimate, read_arpa

ORDERS = {"bigram": 2, "trigram": 3}
LEAST_WORD_COUNT = 2  # rarer words are the unknown word
ARPA_ENDINGS = (".arpa", ".lm")


def language_models(pairs: Sequence[ParsedPair], path: str = "") -> dict[str, NgramModel]:
    """Both orders. `path` is an ARPA file, gzipped or not, or a text with one sentence per line; without it, the training pairs.

    An ARPA file serves both orders: contexts that are shorter, or that it does not know, are backed off from.
    """
    if not path:
        return _estimated(_texts_of(pairs))
    file = Path(path)
    if file.name.removesuffix(".gz").endswith(ARPA_ENDINGS):
        return dict.fromkeys(ORDERS, read_arpa(file))
    return _estimated(_sentences(file))


def _texts_of(pairs: Sequence[ParsedPair]) -> list[list[str]]:
    """The training sentences and their compressions, in lower case."""
    texts = []
    for pair in pairs:
        words = [word.lower() for word in pair.sentence.words]
        texts += [words, [words[place - 1] for place in pair.kept]]
    return texts


def _sentences(file: Path) -> list[list[str]]:
    try:
        lines = read_text(file).splitlines()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: byte {error.start} is not UTF-8.") from None
    texts = [list(tokenise(line.lower())) for line in lines if line.strip()]
    if not texts:
        raise InputError(f"{file}: expected a text with one sentence per line, found none.")
    return texts


def _estimated(texts: Sequence[Sequence[str]]) -> dict[str, NgramModel]:
    counts = Counter(word for text in texts for word in text)
    known = {word for word, count in counts.items() if count >= LEAST_WORD_COUNT}
    return {name: estimate(texts, order, known) for name, order in ORDERS.items()}
