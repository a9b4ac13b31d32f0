"""`dualbench data`: the catalogue, downloads that stop, lie or go through a proxy, and what is said where data is missing."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from file_server import FileServer, serving

from bench.data import download
from bench.data.catalogue import HOMES, Corpus, File, catalogue, corpus_named
from bench.data.download import fetch
from bench.data.folder import data_folder as default_folder
from bench.data.get import MIRROR, get
from bench.data.pin import rows
from problems import get_task
from problems.compression.pairs import CORPORA as PAIR_CORPORA
from problems.compression.pairs import read_pairs
from problems.errors import InputError
from problems.parsing.corpora import TREEBANKS
from problems.text.topics import BUDGETS

ROOT = Path(__file__).parents[2]
CONTENT = bytes(range(256)) * 2000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def _quick_and_direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSE_SECONDS", 0.0)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with serving() as found:
        found.files["/a.bin"] = CONTENT
        monkeypatch.setenv(MIRROR, found.url)
        yield found


def test_every_corpus_that_readers_know_is_in_the_catalogue() -> None:
    assert set(catalogue()) == {*TREEBANKS, *PAIR_CORPORA, *BUDGETS}
    for corpus in catalogue().values():
        assert corpus.licence
        assert corpus.title
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", corpus.origin)
        assert re.fullmatch(r"[0-9a-f]{12,40}", corpus.commit)
        assert corpus.files
        for file in corpus.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert file.size > 0
            assert not Path(file.path).is_absolute()
            assert ".." not in Path(file.path).parts
    with pytest.raises(InputError, match="unknown corpus 'en_ewd': did you mean 'en_ewt'"):
        corpus_named("en_ewd")


def test_the_catalogue_pins_the_copies_that_our_numbers_come_from(data_folder: Path) -> None:
    written = [
        (name, file.path, file.size, file.sha256, file.source)
        for name, corpus in catalogue().items()
        for file in corpus.files
    ]
    assert written == list(rows(data_folder))


def test_a_whole_file(server: FileServer, tmp_path: Path) -> None:
    seen: list[int] = []
    fetch(f"{server.url}/a.bin", tmp_path / "deep" / "a.bin", len(CONTENT), SHA256, seen.append)
    assert (tmp_path / "deep" / "a.bin").read_bytes() == CONTENT
    assert sum(seen) == len(CONTENT)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.bin"]


def test_a_broken_connection_is_resumed(server: FileServer, tmp_path: Path) -> None:
    server.breaks = 2
    seen: list[int] = []
    fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256, seen.append)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    half = len(CONTENT) // 2
    assert server.ranges_asked() == [f"bytes={half}-", f"bytes={half + half // 2}-"]
    assert sum(seen) == len(CONTENT)


def test_a_later_command_goes_on(server: FileServer, tmp_path: Path) -> None:
    server.breaks = download.ATTEMPTS
    with pytest.raises(
        InputError, match=r"cannot be fetched \(the connection ended after .*\); the same command continues"
    ):
        fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256)
    assert not (tmp_path / "a.bin").exists()
    have = (tmp_path / "a.bin.part").stat().st_size
    assert 0 < have < len(CONTENT)
    fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256)
    assert server.ranges_asked()[-1] == f"bytes={have}-"
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_a_server_without_ranges_sends_all_again(server: FileServer, tmp_path: Path) -> None:
    server.breaks, server.ranges = 1, False
    seen: list[int] = []
    fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256, seen.append)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert sum(seen) == len(CONTENT)


def test_errors_of_the_server(server: FileServer, tmp_path: Path) -> None:
    server.errors = 2
    fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256)
    with pytest.raises(InputError, match=r"b\.bin: the server answers 404 \(Not Found\)"):
        fetch(f"{server.url}/b.bin", tmp_path / "b.bin", 1, SHA256)
    assert len([path for path, _ in server.asked if path == "/b.bin"]) == 1
    (tmp_path / "c.bin.part").write_bytes(CONTENT)  # a rest of something longer: the server has nothing beyond it
    server.files["/c.bin"] = CONTENT[:10]
    fetch(f"{server.url}/c.bin", tmp_path / "c.bin", None, None)
    assert (tmp_path / "c.bin").read_bytes() == CONTENT[:10]


@pytest.mark.parametrize(
    ("served", "complaint"),
    [
        (CONTENT[:-1] + b"?", "its SHA-256 is [0-9a-f]{64}, expected " + SHA256),
        (CONTENT[:-1], "has 511,999 bytes, expected 512,000"),
        (CONTENT + b"?", "longer than the 512,000 bytes of the catalogue"),
    ],
)
def test_another_content_is_refused(served: bytes, complaint: str, server: FileServer, tmp_path: Path) -> None:
    """What was there before stays, and nothing of the download is left that a second attempt would build on."""
    (tmp_path / "a.bin").write_bytes(b"before")
    server.files["/a.bin"] = served
    with pytest.raises(InputError, match=complaint):
        fetch(f"{server.url}/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"before"


def test_a_proxy_is_used(server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.files["/far/a.bin"] = CONTENT
    monkeypatch.setenv("http_proxy", server.url)
    fetch("http://corpora.invalid/far/a.bin", tmp_path / "a.bin", len(CONTENT), SHA256)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def small(contents: dict[str, bytes], **facts: str) -> Corpus:
    files = tuple(File(path, len(content), hashlib.sha256(content).hexdigest()) for path, content in contents.items())
    described = {"task": "parsing", "title": "t", "licence": "l", "origin": "o/r", "commit": "0" * 12, **facts}
    return Corpus("demo", **described, files=files)


def test_a_corpus_is_fetched_where_readers_look(server: FileServer, tmp_path: Path) -> None:
    contents = {"a one.txt": b"1", "deep/two.txt": b"22"}
    corpus = small(contents, root="the root")
    server.files |= {f"/o/r/{'0' * 12}/the root/{path}": content for path, content in contents.items()}
    assert len(get(corpus, tmp_path)) == 2
    home = tmp_path / HOMES["parsing"] / "demo"
    assert {path: (home / path).read_bytes() for path in contents} == contents
    assert corpus.is_complete(tmp_path)
    before = len(server.asked)
    assert get(corpus, tmp_path) == []
    assert len(server.asked) == before
    (home / "a one.txt").write_bytes(b"2")  # damaged: same size
    assert [file.path for file in get(corpus, tmp_path)] == ["a one.txt"]
    assert (home / "a one.txt").read_bytes() == b"1"


def test_what_arrived_stays_where_another_file_is_refused(server: FileServer, tmp_path: Path) -> None:
    corpus = small({"good.txt": b"1", "bad.txt": b"2"}, note="How it was assembled.")
    server.files |= {f"/o/r/{'0' * 12}/{name}": b"1" for name in ("good.txt", "bad.txt")}
    with pytest.raises(InputError, match=r"bad\.txt: its SHA-256 .* nothing was installed\. How it was assembled\."):
        get(corpus, tmp_path)
    assert [path.name for path in corpus.home(tmp_path).iterdir()] == ["good.txt"]


def zipped(contents: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(memory := io.BytesIO(), "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return memory.getvalue()


def test_an_archive_is_unpacked_and_its_members_are_verified(server: FileServer, tmp_path: Path) -> None:
    corpus = small({"topics/a.txt": b"first", "b.txt": b"second"}, archive="all.zip")
    url = f"/o/r/{'0' * 12}/all.zip"
    wrong = {"x/topics/a.txt": b"first", "b.txt": b"seconD"}
    server.files[url] = zipped(wrong)
    with pytest.raises(InputError, match=r"all\.zip: has no b\.txt of 6 bytes with the SHA-256"):
        get(corpus, tmp_path)
    server.files[url] = zipped(
        {**wrong, "x/b.txt": b"second", "../../evil.txt": b"evil", "__MACOSX/x/b.txt": b"second"}
    )
    get(corpus, tmp_path)
    home = corpus.home(tmp_path)
    assert sorted(path.name for path in home.iterdir()) == ["b.txt", "topics"]
    assert (home / "b.txt").read_bytes() == b"second"
    assert not list(tmp_path.rglob("evil.txt"))
    server.files[url] = b"no archive"
    with pytest.raises(InputError, match="no zip file that can be read"):
        get(replace(corpus, name="other"), tmp_path)


def test_where_data_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DUALBENCH_DATA", raising=False)
    if sys.platform.startswith("linux"):
        assert default_folder() == tmp_path / "home" / "dualbench" / "data"
    (tmp_path / "data").mkdir()
    assert default_folder() == Path("data")
    monkeypatch.setenv("DUALBENCH_DATA", "/elsewhere")
    assert default_folder() == Path("/elsewhere")


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_a_missing_corpus_is_told_with_the_command_that_gets_it(name: str, tmp_path: Path) -> None:
    task = get_task("parsing" if name in TREEBANKS else "extraction")
    with pytest.raises(InputError) as caught:
        list(read_pairs(name, tmp_path) if name in PAIR_CORPORA else task.read_corpus(name, tmp_path))
    said = str(caught.value)
    assert f"`dualbench data get {name}`" in said
    assert "--data" in said
    assert "DUALBENCH_DATA" in said


def dualbench(*arguments: str, where: Path, code: int = 0, **variables: str) -> str:
    environment = {**os.environ, "COLUMNS": "200", **variables}
    command = [sys.executable, "-m", "bench.cli", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=where, env=environment)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def documented() -> list[list[str]]:
    """The `dualbench data` commands of README and docs/."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    found = re.findall(r"^(?:    |\$ )dualbench (data .+)$", text, re.MULTILINE)
    return [shlex.split(re.split(r"\s+#", command)[0]) for command in found]


def test_the_commands_of_the_documentation(server: FileServer, tmp_path: Path, data_folder: Path) -> None:
    """Every corpus that a page fetches comes from a server that has the copies our numbers are from; readers then read it."""
    commands = documented()
    assert {command[1] for command in commands} == {"list", "get", "path"}
    for name in {name for command in commands if command[1] == "get" for name in command[2:] if name in catalogue()}:
        corpus = corpus_named(name)
        assert not corpus.archive
        for file in corpus.files:
            copy = corpus.home(data_folder) / file.path
            content = copy.read_bytes() if copy.exists() else gzip.decompress(Path(f"{copy}.gz").read_bytes())
            server.files[f"/{corpus.origin}/{corpus.commit}/{corpus.path_of(file)}"] = content
    variables = {MIRROR: server.url, "DUALBENCH_DATA": str(tmp_path / "corpora"), "no_proxy": "127.0.0.1"}
    for command in commands:
        dualbench(*command, where=tmp_path, **variables)
    sentences = get_task("parsing").read_corpus("en_ewt", tmp_path / "corpora", split="train")
    assert next(sentences).words
    listed = dualbench("data", "list", where=tmp_path, **variables)
    assert "en_ewt: parsing, 17.9 MB, here\n" in listed
    assert "opinosis: summarization, 0.7 MB, not here\n" in listed
    assert "UniversalDependencies/UD_English-EWT, commit 15d613d8447b." in " ".join(listed.split())


def test_training_without_data_says_what_to_do(tmp_path: Path) -> None:
    arguments = ("train", "parsing", "--corpus", "en_ewt", "--out", "parser.model")
    said = dualbench(*arguments, where=tmp_path, code=2, DUALBENCH_DATA=str(tmp_path / "none"))
    assert "`dualbench data get en_ewt`" in said


def test_no_path_of_our_machines_is_in_the_package() -> None:
    ours = re.compile(r"/work/|/root/|/tmp/w/|shared/data")
    for package in ("bench", "problems", "solvers"):
        for path in (ROOT / package).rglob("*"):
            if path.suffix in (".py", ".toml", ".csv", ".html", ".css", ".js"):
                assert not ours.search(path.read_text(encoding="utf-8")), path
