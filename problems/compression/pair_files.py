"""Files of sentences with their compressions, in two forms.

JSONL, a pair per line: `{"id": "a-1", "source": "...", "compressions": ["...", ...]}`. A list of tokens instead of a string is taken
as it is. `id` may be left out. Constituency trees in brackets may take the place of texts: `{"tree": "(S ...)", "trees": ["(S ...)", ...]}`.

TSV (any other name), a pair per line: the sentence, a tab, its compression, and further compressions behind further tabs.

Strings are tokenised (`alignment.tokenise`), or, where the file is said to be tokenised, split at spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, quoted
from ..files import read_text
from ..storage import parse_document
from .alignment import tokenise
from .bracketed import words_of

ENDINGS = (".jsonl", ".tsv")
LONGEST_ID = 200  # characters

Tokens = tuple[str, ...]


class TokenPair(NamedTuple):
    """A sentence with its compressions, all as tokens."""

    name: str
    words: Tokens
    compressions: tuple[Tokens, ...]
    text: str = ""  # the sentence as it stands in the file
    trees: tuple[str, ...] = ()  # in brackets, of the sentence and of each compression, where the file has them


def is_pair_file(path: str | Path) -> bool:
    return Path(path).suffix.lower() in ENDINGS


def read_pair_file(path: Path, tokenised: bool = False, sources_only: bool = False) -> Iterator[TokenPair]:
    """The pairs of a file in its order. With `sources_only` compressions need not be there, and are not read."""
    read = _json_pair if path.suffix.lower() == ".jsonl" else _tab_pair
    seen: dict[str, int] = {}
    for number, line in enumerate(lines_of(path), 1):
        where = f"{path}, line {number}"
        if not line.strip():
            raise InputError(f"{where}: expected a sentence, found an empty line.")
        try:
            pair = read(line, f"{path.stem}-{number}", tokenised, sources_only)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if pair.name in seen:
            raise InputError(f"{where}: field 'id' is {quoted(pair.name)}, which line {seen[pair.name]} has already.")
        seen[pair.name] = number
        yield pair


def lines_of(path: Path) -> list[str]:
    try:
        text = read_text(path, encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8.") from None
    return text.removesuffix("\n").split("\n")


def _tab_pair(line: str, name: str, tokenised: bool, sources_only: bool) -> TokenPair:
    source, *targets = line.split("\t")
    if not sources_only and (not targets or not all(part.strip() for part in (source, *targets))):
        fields = len(targets) + 1
        raise InputError(
            f"expected a sentence and its compression, separated by a tab (and further compressions behind further "
            f"tabs), found {fields} field{'s' if fields != 1 else ''}{', one of them empty' if targets else ''}."
        )
    cut = _split if tokenised else tokenise
    return _checked(name, source, cut(source), () if sources_only else tuple(map(cut, targets)))


def _json_pair(line: str, name: str, tokenised: bool, sources_only: bool) -> TokenPair:
    document = _parsed(line)
    given = document.get("id", name)
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) < 2**63:
        given = str(given)
    if not isinstance(given, str) or not given.strip() or not given.isprintable() or len(given) > LONGEST_ID:
        raise InputError(
            f"field 'id' must be a text of at most {LONGEST_ID} printable characters, not {quoted(given)}."
        )
    if "tree" in document:
        return _tree_pair(document, given, sources_only)
    source = _tokens(document.get("source"), "source", tokenised)
    text = document["source"] if isinstance(document["source"], str) else " ".join(source)
    if sources_only:
        return _checked(given, text, source, ())
    targets = document.get("compressions")
    if not isinstance(targets, list) or not targets:
        raise InputError("field 'compressions' must be a list of at least one text or list of tokens.")
    mixed = next((number for number, each in enumerate(targets, 1) if type(each) is not type(document["source"])), 0)
    if mixed and not tokenised:
        raise InputError(
            f"field 'source' is a {_kind(document['source'])}, but compression {mixed} is a {_kind(targets[mixed - 1])}: "
            "expected all raw or all tokenised."
        )
    return _checked(
        given,
        text,
        source,
        tuple(_tokens(each, f"compressions[{place}]", tokenised) for place, each in enumerate(targets)),
    )


def _tree_pair(document: dict[str, Any], name: str, sources_only: bool) -> TokenPair:
    """Trees instead of texts: their words are the tokens."""
    both = next((field for field in ("source", "compressions") if field in document), "")
    if both:
        raise InputError(f"fields 'tree' and {both!r} cannot both be given: a tree has its words.")
    trees = [document["tree"], *([] if sources_only else _listed(document.get("trees")))]
    if not all(isinstance(tree, str) for tree in trees):
        raise InputError("fields 'tree' and 'trees' must have texts in brackets.")
    words = [words_of(tree, f"tree {number}" if number else "field 'tree'") for number, tree in enumerate(trees)]
    return _checked(name, " ".join(words[0]), words[0], tuple(words[1:]))._replace(trees=tuple(trees))


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError("field 'trees' must be a list of at least one tree in brackets.")
    return value


def _parsed(line: str) -> dict[str, Any]:
    try:
        return parse_document(line, "")
    except InputError as error:
        raise InputError(str(error).removeprefix(": ")) from None


def _kind(value: object) -> str:
    return (
        "list of tokens" if isinstance(value, list) else "text" if isinstance(value, str) else "value of another kind"
    )


def _tokens(value: object, field: str, tokenised: bool) -> Tokens:
    if isinstance(value, str):
        return _split(value) if tokenised else tokenise(value)
    if not isinstance(value, list):
        raise InputError(f"field '{field}' must be a text or a list of tokens, not {quoted(value)}.")
    for token in value:
        if not isinstance(token, str) or not token or token.split() != [token]:
            raise InputError(f"field '{field}' must have tokens without white space, not {quoted(token)}.")
    return tuple(value)


def _split(text: str) -> Tokens:
    return tuple(text.split())


def _checked(name: str, text: str, words: Tokens, compressions: tuple[Tokens, ...]) -> TokenPair:
    if not words:
        raise InputError("the sentence has no words.")
    empty = next((number for number, each in enumerate(compressions, 1) if not each), 0)
    if empty:
        raise InputError(f"compression {empty} has no words.")
    try:
        "".join(token for each in (words, *compressions) for token in each).encode()
    except UnicodeEncodeError:
        raise InputError("the text has half a character (a lone surrogate).") from None
    return TokenPair(name, words, compressions, text)
