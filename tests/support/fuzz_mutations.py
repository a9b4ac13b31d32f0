"""Seeded damage to valid files: bytes, lines, numbers, JSON values, TOML values, and members of model archives."""

from __future__ import annotations

import gzip
import io
import json
import re
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

from fuzz_values import HEADERS, JSON_VALUES, NUMBERS, TOML_VALUES, WORDS

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

Mutation = Callable[[Random, bytes], bytes]


def flip(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 50))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def splice(rng: Random, data: bytes) -> bytes:
    """A piece deleted, doubled, or moved."""
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    end = min(end, start + rng.choice((1, 10, 1000)))
    place = rng.randrange(len(data) + 1)
    return rng.choice(
        (data[:start] + data[end:], data[:end] + data[start:], data[:place] + data[start:end] + data[place:])
    )


def insert(rng: Random, data: bytes) -> bytes:
    odd = (
        b"\0",
        b"\xff",
        b"\xc3\x28",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\r",
        b"\x1a",
        b"\xe2\x80\xa8",
        rng.randbytes(20),
    )
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(odd) + data[place:]


def replace_all(rng: Random, data: bytes) -> bytes:
    """Another file altogether."""
    others = (
        b"",
        b"\n",
        b" ",
        b"\0" * 100,
        b"\xff\xfe",
        rng.randbytes(200),
        b"{}",
        b"[]",
        b"PK\x03\x04",
        b"\x1f\x8b\x08\x00",
    )
    return rng.choice(
        (*others, data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, data + data, gzip.compress(data)[:-9])
    )


def lines(rng: Random, data: bytes) -> bytes:
    """Lines deleted, doubled, swapped, joined, or repeated."""
    found = data.split(b"\n")
    i, j = rng.randrange(len(found)), rng.randrange(len(found))
    what = rng.randrange(6)
    if what == 0:
        del found[i]
    elif what == 1:
        found.insert(j, found[i])
    elif what == 2:
        found[i], found[j] = found[j], found[i]
    elif what == 3:
        found[i : i + 2] = [b" ".join(found[i : i + 2])]
    elif what == 4:
        found.insert(i, b"")
    else:
        found[i:i] = [found[i]] * 300
    return b"\n".join(found)


def numbers(rng: Random, data: bytes) -> bytes:
    """A number becomes a hostile one."""
    text = data.decode("utf-8", "surrogateescape")
    found = list(NUMBER.finditer(text))
    for match in sorted(rng.sample(found, min(len(found), rng.choice((1, 1, 2)))), key=lambda m: -m.start()):
        text = text[: match.start()] + rng.choice(NUMBERS) + text[match.end() :]
    return text.encode("utf-8", "surrogateescape")


def words(rng: Random, data: bytes) -> bytes:
    """Words and white space swapped, dropped, doubled or replaced."""
    parts = re.split(r"(\s+)", data.decode("utf-8", "surrogateescape"))
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    what = rng.randrange(4)
    if what == 0:
        parts[i], parts[j] = parts[j], parts[i]
    elif what == 1:
        del parts[i]
    elif what == 2:
        parts.insert(j, parts[i])
    else:
        parts[i] = rng.choice((*WORDS, *NUMBERS))
    return "".join(parts).encode("utf-8", "surrogateescape")


def json_values(rng: Random, data: bytes) -> bytes:
    """One or two values of a JSON document (or of one of its lines) replaced, dropped, renamed or swapped."""
    rows = data.split(b"\n")
    row = rng.randrange(len(rows))
    try:
        document = json.loads(rows[row] if len(rows) > 2 else data)
    except ValueError:
        return flip(rng, data)
    raw: dict[str, str] = {}
    holder = [document]
    for _ in range(rng.choice((1, 1, 1, 2))):
        _change(rng, holder, raw)
    text = json.dumps(holder[0])
    for mark, value in raw.items():
        text = text.replace(f'"{mark}"', value)
    if len(rows) > 2:
        rows[row] = text.encode()
        return b"\n".join(rows)
    return text.encode()


def _change(rng: Random, holder: list[Any], raw: dict[str, str]) -> None:
    """Change something below `holder`; hostile values are marks that `raw` spells out, as Python may not hold them."""
    place, key = holder, 0
    while isinstance(place[key], (dict, list)) and place[key] and (rng.random() < 0.8 or place is holder):
        place = place[key]  # type: ignore[assignment]
        key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))  # type: ignore[assignment]
    what = rng.random()
    if place is holder or what < 0.6:
        mark = f"@@{len(raw)}@@"
        raw[mark] = rng.choice(JSON_VALUES)
        place[key] = mark
    elif what < 0.7:
        del place[key]
    elif what < 0.8 and isinstance(place, dict):
        place[rng.choice(("", "x", f"{key}s", "x" * 1000, "\ud800"))] = place.pop(key)
    elif what < 0.9 and isinstance(place, list):
        place.insert(rng.randrange(len(place) + 1), place[key])
    else:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        other = rng.choice(keys)
        place[key], place[other] = place[other], place[key]


def toml_values(rng: Random, data: bytes) -> bytes:
    """The value of a key, or of a key of an inline table, replaced."""
    text = data.decode()
    found = list(re.finditer(r"= *([^,}\n]+)", text))
    match = rng.choice(found)
    return (text[: match.start(1)] + rng.choice(TOML_VALUES) + " " + text[match.end(1) :]).encode()


def archive(rng: Random, data: bytes) -> bytes:
    """Members of a zip archive changed inside, dropped, doubled or renamed; checksums are right again."""
    with zipfile.ZipFile(io.BytesIO(data)) as given:
        members = [(name, given.read(name)) for name in given.namelist()]
    place = 0 if rng.random() < 0.5 else rng.randrange(len(members))
    name, content = members[place]
    what = rng.random()
    if what < 0.75:
        changed = json_values(rng, content) if name.endswith(".json") else npy(rng, content)
        members[place] = name, changed
    elif what < 0.82:
        del members[place]
    elif what < 0.88:
        members.append((name, content))
    elif what < 0.93:
        members[place] = rng.choice(("", "../x", "x" * 1000, name.upper())), content
    else:
        members.append((f"{rng.randrange(9)}.npy", b"\0" * (300_000_000 if rng.random() < 0.03 else 1)))
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        warnings.simplefilter("ignore", UserWarning)  # two members of one name
        for name, content in members:
            out.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def npy(rng: Random, data: bytes) -> bytes:
    """An array's header with other claims, or its bytes damaged."""
    if rng.random() < 0.5:
        header = rng.choice(HEADERS).encode() + b"\n"
        return data[:8] + len(header).to_bytes(2, "little") + header + data[10 + int.from_bytes(data[8:10], "little") :]
    values = (b"\xff" * 8, b"\0\0\0\0\0\0\xf8\x7f", b"\0\0\0\0\0\0\xf0\x7f", b"\xff\xff\xff\x7f", b"\x7f" * 8)
    place = rng.randrange(128, len(data) + 1) // 8 * 8 if len(data) > 128 else len(data)
    overwritten = data[:place] + rng.choice(values) + data[place + 8 :]
    return rng.choice((overwritten, cut(rng, data), flip(rng, data), data + data, data[:128]))


BYTES: tuple[Mutation, ...] = (flip, cut, splice, insert, replace_all)
TEXT: tuple[Mutation, ...] = (*BYTES, lines, lines, numbers, numbers, numbers, words, words)
JSON: tuple[Mutation, ...] = (*BYTES, numbers, json_values, json_values, json_values, json_values, json_values)
TOML: tuple[Mutation, ...] = (*TEXT, toml_values, toml_values, toml_values, toml_values)
ARCHIVE: tuple[Mutation, ...] = (*BYTES, archive, archive, archive, archive, archive, archive)


def mutated(rng: Random, data: bytes, mutations: tuple[Mutation, ...]) -> bytes:
    """One mutation, or a few on top of each other."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = _tried(rng.choice(mutations), rng, data)
    return data


def _tried(mutation: Mutation, rng: Random, data: bytes) -> bytes:
    """A mutation that needs a well-formed file falls back on bytes where an earlier one has broken it."""
    try:
        return mutation(rng, data)
    except Exception:  # whatever zipfile, json and zlib say of broken files
        return flip(rng, data)
