"""One file from the network: resumed where it stopped, verified, and put in its place as a whole.

What has arrived is kept in `FILE.part`. A download goes on from there with an HTTP range; a server that ignores ranges sends
everything, and the file begins anew. A file of another size or SHA-256 than the catalogue's is deleted and refused. `urllib` takes
proxies from the environment (http_proxy, https_proxy, no_proxy).
"""

from __future__ import annotations

import hashlib
import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from problems.errors import InputError

CHUNK = 1 << 16
TIMEOUT_SECONDS = 30.0
ATTEMPTS = 4  # each goes on where the one before stopped
PAUSE_SECONDS = 0.5  # before the second attempt; twice as long before each further one
LARGEST = 1 << 30  # bytes of a file whose size nobody knows: an archive

Told = Callable[[int], None]
"""Called with the bytes that have arrived since the last call; negative where some were thrown away."""


class Refused(InputError):
    """What the server has is not what the catalogue says."""


def fetch(url: str, target: Path, size: int | None, sha256: str | None, told: Told = lambda count: None) -> None:
    """Fetch a file of this size and content (None: unknown, of an archive whose members are verified instead)."""
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(ATTEMPTS):
        try:
            _receive(url, part, size, told)
            break
        except urllib.error.HTTPError as error:
            if error.code == 416:  # nothing is left beyond what is there, or it is another file
                told(-_length(part))
                part.unlink()
            elif error.code < 500 or attempt + 1 == ATTEMPTS:
                raise InputError(f"{url}: the server answers {error.code} ({error.reason}).") from None
        except (OSError, http.client.HTTPException) as error:
            if attempt + 1 == ATTEMPTS:
                why = getattr(error, "reason", None) or error
                raise InputError(
                    f"{url}: cannot be fetched ({why}); the same command continues where it stopped."
                ) from None
        time.sleep(PAUSE_SECONDS * 2**attempt)
    _verify(url, part, size, sha256)
    os.replace(part, target)


def _receive(url: str, part: Path, size: int | None, told: Told) -> None:
    """Append what is missing; an OSError where the connection ends early."""
    have = _length(part)
    if size is not None and have == size:
        return
    if size is not None and have > size:
        part.unlink()
        have = 0
    request = urllib.request.Request(url, headers={"User-Agent": "dualbench", "Accept-Encoding": "identity"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    with urllib.request.build_opener().open(request, timeout=TIMEOUT_SECONDS) as answer:
        resumed = answer.status == 206 and str(answer.headers.get("Content-Range", "")).startswith(f"bytes {have}-")
        if have and not resumed:
            told(-have)
        have = have if resumed else 0
        expected = answer.headers.get("Content-Length")
        most = LARGEST if size is None else size
        with open(part, "ab" if resumed else "wb") as file:
            received = 0
            while chunk := answer.read(CHUNK):
                received += len(chunk)
                if have + received > most:
                    break  # longer than it may be, which `_verify` tells
                file.write(chunk)
                told(len(chunk))
            file.flush()
            os.fsync(file.fileno())
        if have + received > most:
            part.unlink()
            raise Refused(f"{url}: longer than the {most:,} bytes of the catalogue; nothing was installed.")
        if expected is not None and received < int(expected):
            raise ConnectionError(f"the connection ended after {received:,} of {int(expected):,} bytes")


def _verify(url: str, part: Path, size: int | None, sha256: str | None) -> None:
    have = _length(part)
    if size is not None and have != size:
        part.unlink()
        raise Refused(f"{url}: has {have:,} bytes, expected {size:,}; nothing was installed.")
    if sha256 is not None and (found := checksum(part)) != sha256:
        part.unlink()
        raise Refused(f"{url}: its SHA-256 is {found}, expected {sha256}; nothing was installed.")


def checksum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
