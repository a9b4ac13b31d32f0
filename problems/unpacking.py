"""Compressed files are unpacked with a limit: a few bytes can claim to be gigabytes."""

from __future__ import annotations

import zlib
from pathlib import Path

from .errors import InputError

GZIP = b"\x1f\x8b"
ALWAYS = 64 << 20  # bytes that any packed file may unpack to
RATIO = 64  # beyond that, so many times its size; text and weights have less than 20, zeros a thousand


def most_unpacked(packed: int) -> int:
    """The bytes that so many packed ones may stand for."""
    return ALWAYS + RATIO * packed


def read_packed(path: Path) -> bytes:
    """A file's bytes, unpacked if it is gzipped."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # a ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    return _gunzipped(data, path) if data[:2] == GZIP else data


def _gunzipped(data: bytes, path: Path) -> bytes:
    room, found = most_unpacked(len(data)), []
    try:
        while data:  # a file may be several members, one after the other
            member = zlib.decompressobj(wbits=31)
            found.append(member.decompress(data, room + 1))
            room -= len(found[-1])
            if room < 0:
                most = most_unpacked(path.stat().st_size) >> 20
                raise InputError(f"{path}: unpacks to more than {most} MB, which no file of this kind does.")
            if not member.eof:
                raise InputError(f"{path}: a broken gzip file: its end is missing.")
            data = member.unused_data.lstrip(b"\0")
    except zlib.error:
        raise InputError(f"{path}: a broken gzip file.") from None
    return b"".join(found)
