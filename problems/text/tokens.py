"""Plain English text to tokens, as UD English EWT has them; the tokens and the gaps between them are the text again.

White space (and the zero-width space) separates; everything else is part of exactly one token:

- addresses of the web and of e-mail, file names, handles, hashtags and numbers are whole, and so is `iPhone`
- `well-known` is three tokens and `e-mail` one: a hyphen splits, but not after a prefix, and not in a telephone number or date
- `and/or` is three tokens, `w/o` and `9/11` are one
- `don't`, `John's` and `cannot` are one token of two words each (do + n't), a multiword token of CoNLL-U
- runs of one mark (`...`, `--`, `!!`) and simple emoticons are one token; other marks stand alone
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import regex

ZERO_WIDTH_SPACE = "\u200b"
_CHUNK = re.compile(rf"[^\s{ZERO_WIDTH_SPACE}]+")  # Python's white space, as the UD validator has it

_WORD = r"[\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]"
_HYPHEN = r"[-\u2010\u2011]"
_APOSTROPHE = r"['\u2019]"
_ENDS = "com|org|net|edu|gov|mil|int|info|biz|io|uk|us|ca|de|fr|nl|eu|au|nz|ie|in|jp|ru|ch"
_FILES = "docx?|xlsx?|pptx?|pdf|txt|html?|php|asp|jpe?g|png|gif|zip|gz|csv|json|xml|py|js|css|mp[34]|exe|conllu?"
_TOKEN = regex.compile(
    rf"""
      (?:(?:https?|ftp)://|www\.)[^<>"\u201c\u201d]*[^<>"\u201c\u201d.,;:!?'\u2019)\]}}]                # web
    | [\w.+%-]{{1,64}}@\w[\w-]{{0,62}}(?:\.\w[\w-]{{0,62}}){{1,8}}                                      # e-mail
    | \w[\w-]{{0,62}}(?:\.\w[\w-]{{0,62}}){{0,8}}\.(?i:{_ENDS})(?!{_WORD})(?:/[^<>"\u201c\u201d]*[^<>"\u201c\u201d.,;:!?'\u2019)\]}}])?
    | \w[\w-]{{0,99}}(?:\.\w[\w-]{{0,99}}){{0,8}}\.(?i:{_FILES})(?!{_WORD})
    | (?<!{_WORD})(?:[:;=]-?[)(DPp]+|\^_+\^|<3)(?!{_WORD})                                              # emoticons
    | (?<!{_WORD}){_APOSTROPHE}(?i:\d0s|\d\d|em|til|tis|twas|cause|s|m|d|re|ve|ll|n)(?!{_WORD})
    | (?<!{_WORD})[@\#][\p{{L}}_]{_WORD}*
    | (?<!{_WORD})(?:(?:\p{{L}}\.){{2,}}|Ph\.D\.|etc\.)(?!{_WORD})                                      # U.S.
    | {_WORD}+(?:
        (?: (?<=[\p{{L}}\p{{N}}]\p{{M}}*){_APOSTROPHE}(?=\p{{L}})
          | \.(?<!\p{{Ll}}\.(?=\p{{Lu}}\p{{Ll}}))(?={_WORD})
          | (?<=\p{{Nd}})[,:/](?=\p{{Nd}})
          | (?<=\b\p{{L}})/(?=\p{{L}}{{1,2}}\b)
          | (?<=\p{{Lu}})&(?=\p{{Lu}})
          | {_HYPHEN}(?={_WORD})
        ){_WORD}+)*
    | [.!?\u2026]{{2,}} | '' | `` | ([-\u2013\u2014=*~\#+<>|^$/\\%&@,;:])\1+
    | \X
    """,
    regex.VERBOSE,
)
_HYPHENS = re.compile(f"({_HYPHEN})")
_CLITIC = regex.compile(rf"(?i)(.*\p{{L}}\p{{M}}*?)(n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|m|d|re|ve|ll))")
_TELEPHONE = re.compile(r"\d{3}-\d{4}|\d+(?:-\d+){2,}")
PREFIXES = frozenset(
    [
        "anti",
        "arch",
        "bi",
        "co",
        "counter",
        "cross",
        "e",
        "ex",
        "extra",
        "hyper",
        "inter",
        "intra",
        "macro",
        "mega",
        "meta",
        "micro",
        "mid",
        "mini",
        "mono",
        "multi",
        "neo",
        "non",
        "over",
        "para",
        "poly",
        "post",
        "pre",
        "pro",
        "proto",
        "pseudo",
        "psycho",
        "quasi",
        "re",
        "semi",
        "socio",
        "sub",
        "super",
        "trans",
        "tri",
        "ultra",
        "un",
        "uni",
    ]
)
FUSED = {"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3}  # where the second word begins


class Token(NamedTuple):
    """A stretch of the text, and the words in it: one, or several of a contraction."""

    start: int
    end: int
    words: tuple[str, ...]


def tokens_in(text: str) -> Iterator[Token]:
    """All tokens, in order; between them there is white space only."""
    for chunk in _CHUNK.finditer(text):
        for found in _TOKEN.finditer(text, chunk.start(), chunk.end()):
            start = found.start()
            for piece in _pieces(found[0]):
                yield Token(start, start + len(piece), words_of(piece))
                start += len(piece)


def _pieces(token: str) -> list[str]:
    """A compound at its hyphens and without the hyphens' neighbours that belong together; other tokens as they are."""
    if not _HYPHENS.search(token) or not (token[0].isalnum() and token[-1].isalnum()) or _is_address(token):
        return [token]
    if _TELEPHONE.fullmatch(token):
        return [token]
    first, *others = _HYPHENS.split(token)
    pieces = [first]
    last = first  # the part before the hyphen
    for hyphen, part in zip(others[::2], others[1::2], strict=True):
        if last.lower() in PREFIXES:
            pieces[-1] += hyphen + part
        else:
            pieces += [hyphen, part]
        last = part
    return pieces


_ADDRESS = re.compile(rf"(?i).*(?:[@/]|\.(?:{_ENDS}|{_FILES})$)|www\.")


def _is_address(token: str) -> bool:
    return _ADDRESS.match(token) is not None


def words_of(token: str) -> tuple[str, ...]:
    """The words of a token: a contraction's are its stem and its clitics."""
    if len(token) > MOST_CONTRACTED:
        return (token,)
    at = FUSED.get(token.lower())
    if at is not None:
        return token[:at], token[at:]
    clitics: list[str] = []
    while found := _CLITIC.fullmatch(token):
        token = found[1]
        clitics.insert(0, found[2])
    return token, *clitics


MOST_CONTRACTED = 64  # characters: beyond that, it is no contraction
