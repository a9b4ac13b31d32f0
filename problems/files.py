"""The one way in which files are opened: regular ones only, read up to a size that fits the reader, replaced as a whole.

A pipe or a device would stall its reader, or never end; of a link, what it points to counts. What is wrong is an OSError
whose `strerror` fits into the reader's own sentence about the file.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

LARGEST = 256 << 20  # bytes of a file: a graph of a million variables has some 50 MB
CHUNK = 1 << 20


def open_regular(path: str | Path, most: int | None = None) -> io.BufferedReader:
    """Open a regular file of at most so many bytes for reading; waits for nobody."""
    _check(os.stat(path), most)  # before it is opened, which some devices take as a command
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        _check(os.fstat(descriptor), most)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """What is in a regular file."""
    with open_regular(path, most) as file:
        pieces, room = [], most
        while piece := file.read(CHUNK):
            pieces.append(piece)
            room -= len(piece)
            if room < 0:  # it grows, or its size was not told, as in /proc
                raise _too_large(most)
    return b"".join(pieces)


def read_text(path: str | Path, most: int = LARGEST, encoding: str = "utf-8") -> str:
    """The same as text, every end of line a newline."""
    return read_bytes(path, most).decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def check_regular(path: str | Path, most: int | None = None) -> None:
    """Refuse what is there and is no regular file of at most so many bytes."""
    with contextlib.suppress(FileNotFoundError):
        _check(os.stat(path), most)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of a file once it is complete; of a link, the file that it points to."""
    target = Path(os.path.realpath(path))
    check_regular(target)
    descriptor, name = tempfile.mkstemp(".part", ".dualbench-", target.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _check(state: os.stat_result, most: int | None) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    if most is not None and state.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> OSError:
    return OSError(errno.EFBIG, f"larger than {most >> 20} MB")
