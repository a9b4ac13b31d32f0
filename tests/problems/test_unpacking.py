"""Gzipped files: several members are one text, what is cut off or unpacks without end is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from problems.errors import InputError
from problems.unpacking import TEXT, read_packed


def test_plain_and_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"", b"plain", b"\x1f"):
        path.write_bytes(data)
        assert read_packed(path) == data
    path.write_bytes(gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 8)
    assert read_packed(path) == b"one two"


def test_every_truncation_is_noticed(tmp_path: Path) -> None:
    path, whole = tmp_path / "file.gz", gzip.compress(bytes(range(256)) * 4)
    for length in range(2, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="broken gzip"):
            read_packed(path)


@pytest.mark.parametrize("members", [1, 3])
def test_a_file_that_unpacks_without_end(tmp_path: Path, members: int) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"\0" * (2 * TEXT // members), 9) * members)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_packed(path)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "nul\0"):
        with pytest.raises(InputError, match="cannot be read"):
            read_packed(path)
