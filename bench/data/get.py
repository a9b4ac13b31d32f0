"""A corpus of the catalogue: fetched, verified file by file, and put where its readers look."""

from __future__ import annotations

import hashlib
import os
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from problems.files import replacing

from ..records.log import writing
from .catalogue import Corpus, File
from .download import Refused, Told, checksum, fetch

GITHUB = "https://raw.githubusercontent.com"
MIRROR = "DUALBENCH_MIRROR"
AT_ONCE = 4  # files


def mirror() -> str:
    """The server that has OWNER/REPOSITORY/COMMIT/PATH: GitHub, or what the variable DUALBENCH_MIRROR names."""
    return os.environ.get(MIRROR) or GITHUB


def get(corpus: Corpus, folder: Path, told: Told = lambda count: None) -> list[File]:
    """Fetch what is missing or wrong and return it. Files that arrived stay where another one fails."""
    home = corpus.home(folder)
    with writing(home):
        home.mkdir(parents=True, exist_ok=True)
        missing = [file for file in corpus.files if not is_installed(home, file)]
        if missing and corpus.archive:
            _unpack(corpus, home, missing, told)
        elif missing:
            _fetch_all(corpus, home, missing, told)
    return missing


def is_installed(home: Path, file: File) -> bool:
    path = home / file.path
    return path.is_file() and path.stat().st_size == file.size and checksum(path) == file.sha256


def _fetch_all(corpus: Corpus, home: Path, files: list[File], told: Told) -> None:
    """Several at once; after all have ended, the first complaint."""
    lock = threading.Lock()

    def tell(count: int) -> None:
        with lock:
            told(count)

    def one(file: File) -> None:
        url = corpus.url(mirror(), corpus.path_of(file))
        try:
            fetch(url, home / file.path, file.size, file.sha256, tell)
        except Refused as error:
            raise Refused(f"{error} {corpus.note}".strip()) from None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        complaints = [future.exception() for future in [pool.submit(one, file) for file in files]]
    for complaint in complaints:
        if complaint is not None:
            raise complaint


def _unpack(corpus: Corpus, home: Path, files: list[File], told: Told) -> None:
    """The archive's own content is not pinned; every member that is taken is."""
    archive = home / Path(corpus.archive).name
    url = corpus.url(mirror(), corpus.archive)
    fetch(url, archive, None, None, told)
    try:
        with zipfile.ZipFile(archive) as opened:
            for file, content in _members(url, opened, files):
                target = home / file.path
                target.parent.mkdir(parents=True, exist_ok=True)
                with replacing(target) as temporary:
                    temporary.write_bytes(content)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise Refused(f"{url}: no zip file that can be read ({error}); nothing was installed.") from None
    finally:
        archive.unlink()


def _members(url: str, opened: zipfile.ZipFile, files: list[File]) -> Iterator[tuple[File, bytes]]:
    """The files and their contents, verified; members may lie in any folder of the archive."""
    for file in files:
        found = [info for info in opened.infolist() if f"/{info.filename}".endswith(f"/{file.path}")]
        found = [info for info in found if info.file_size == file.size and "__MACOSX" not in info.filename]
        contents = [opened.read(info) for info in found]
        good = [content for content in contents if hashlib.sha256(content).hexdigest() == file.sha256]
        if not good:
            raise Refused(f"{url}: has no {file.path} of {file.size:,} bytes with the SHA-256 {file.sha256}.")
        yield file, good[0]
