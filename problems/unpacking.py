"""Compressed files are unpacked with a limit: a few bytes can claim to be gigabytes."""

from __future__ import annotations

import zlib
from pathlib import Path

from .errors import InputError
from .files import LARGEST, read_bytes

GZIP = b"\x1f\x8b"
ARRAYS = 256 << 20  # bytes that any packed file of arrays may unpack to
TEXT = 16 << 20  # the same of text, which takes many times the room once it is split
RATIO = 64  # beyond that, so many times its size; text and weights have less than 20, zeros a thousand


def read_packed(path: Path) -> bytes:
    """A file's bytes, unpacked if it is gzipped."""
    try:
        data = read_bytes(path, LARGEST)
    except (OSError, ValueError) as error:  # a ValueError: a NUL in the path
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    return _gunzipped(data, path) if data[:2] == GZIP else data


def _gunzipped(data: bytes, path: Path) -> bytes:
    most, found = TEXT + RATIO * len(data), []
    room = most
    try:
        while data:  # a file may be several members, one after the other
            member = zlib.decompressobj(wbits=31)
            found.append(member.decompress(data, room + 1))
            room -= len(found[-1])
            if room < 0:
                raise InputError(f"{path}: unpacks to more than {most >> 20} MB, too much for a file of its size.")
            if not member.eof:
                raise InputError(f"{path}: a broken gzip file: its end is missing.")
            data = member.unused_data.lstrip(b"\0")
    except zlib.error:
        raise InputError(f"{path}: a broken gzip file.") from None
    return b"".join(found)
