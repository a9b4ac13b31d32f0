"""Pipes, devices, endless files and links: no reader waits or runs out of memory, no writer replaces what is no file."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bench import load_run, run
from bench.applications.compress import read_sentences
from bench.applications.parse import read_input
from bench.cli.exporting import export_instance
from bench.decoding.corpus import open_corpus
from bench.decoding.output import JsonLines, Parquet
from bench.experiments.experiment import read_experiment
from bench.experiments.instances import load_instance
from bench.experiments.plugins import load_plugin
from bench.output.report import write_report
from bench.output.tables import Table
from bench.records import log
from bench.records.log import EXPERIMENT, PROVENANCE, RECORDS, TRACES, cut_torn_line, read_json, read_lines
from bench.records.run_folder import LOCK, RunFolder
from bench.runner.estimate import LARGEST_RUN, MOST_READ, Estimator
from problems import get_task
from problems.compression.corpora import file_hash
from problems.compression.pairs import read_pairs
from problems.errors import InputError
from problems.files import read_bytes, read_text, replacing
from problems.language.arpa import read_arpa
from problems.metrics.attachment import official_scores
from problems.models.model_file import read_model, write_model
from problems.storage import write_document
from problems.summarization.compression_corpus import _lines as sentence_lines
from problems.text.conll import read_treebank
from problems.text.topics import read_text_file
from tests.support.damaged_runs import write_run

ENDLESS = 100 << 30


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    """Whoever waits for the other end of a pipe is woken and fails."""

    def wake(number: int, frame: FrameType | None) -> None:
        raise AssertionError("waits")

    before = signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, 30)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def an_endless_file(path: Path) -> None:
    path.touch()
    os.truncate(path, ENDLESS)


def a_link_to_an_endless_file(path: Path) -> None:
    an_endless_file(path.with_name("endless"))
    path.symlink_to("endless")


KINDS = (a_pipe, a_socket, an_endless_file, a_link_to_an_endless_file)
READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "instance": ("x.json", load_instance),
    "graph": ("x.fg", load_instance),
    "uai": ("x.uai", load_instance),
    "experiment": ("x.toml", read_experiment),
    "plug-in": ("x.py", load_plugin),
    "treebank": ("x.conllu", lambda path: list(read_treebank(path))),
    "language model": ("x.arpa", read_arpa),
    "model": ("x.model", lambda path: read_model(path, "parser")),
    "document": ("x.txt", lambda path: read_text_file(path, "a document")),
    "sentences": ("x.txt", sentence_lines),
    "text to parse": ("x.txt", read_input),
    "text to compress": ("x.txt", lambda path: read_sentences(path, "parser")),
    "scored trees": ("x.conllu", lambda path: official_scores(path, path)),
    "JSON": ("x.json", read_json),
    "run": (RECORDS, lambda path: load_run(path.parent)),
    "run to resume": (RECORDS, lambda path: RunFolder(path.parent, resume=True)),
    "provenance": (PROVENANCE, lambda path: RunFolder(path.parent, resume=True)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", sorted(READERS))
def test_readers_refuse_what_is_no_file_or_has_no_end(
    tmp_path: Path, reader: str, kind: Callable[[Path], None]
) -> None:
    name, read = READERS[reader]
    kind(tmp_path / name)
    with pytest.raises(InputError) as refused:
        read(tmp_path / name)
    if reader == "model" and "endless" in kind.__name__:  # its end is looked at, and holds no archive
        assert "not a complete model file" in str(refused.value)
        return
    assert any(str(tmp_path / one) in str(refused.value) for one in (name, "endless"))
    assert ("larger than" if "endless" in kind.__name__ else "not a regular file") in str(refused.value)


@pytest.mark.parametrize("read", [file_hash, lambda path: list(open_corpus(str(path), "extraction").entries())])
def test_what_reads_piece_by_piece_refuses_a_pipe(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    a_pipe(tmp_path / "lines")
    with pytest.raises(InputError, match="not a regular file"):
        read(tmp_path / "lines")


def test_a_pipe_among_instances_is_one_broken_piece(tmp_path: Path) -> None:
    get_task("extraction").save(get_task("extraction").generate(3, "tiny"), tmp_path / "a.json")
    a_pipe(tmp_path / "b.json")
    an_endless_file(tmp_path / "c.json")
    found = list(open_corpus(str(tmp_path), "extraction").entries())
    assert [piece.form for piece in found] == ["json", "broken", "broken"]


def test_a_corpus_of_pairs_that_has_no_end(tmp_path: Path) -> None:
    an_endless_file(tmp_path / "pairs.tsv")
    with pytest.raises(InputError, match="larger than"):
        read_pairs(str(tmp_path / "pairs.tsv"), tmp_path)


def test_links_and_ends_of_lines(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"one\r\ntwo\rthree\n")
    (tmp_path / "link").symlink_to("text")
    assert read_text(tmp_path / "link") == "one\ntwo\nthree\n" == (tmp_path / "text").read_text()
    assert read_bytes(tmp_path / "text", 15) == b"one\r\ntwo\rthree\n"
    with pytest.raises(OSError, match="larger"):
        read_bytes(tmp_path / "text", 14)


def test_a_file_that_does_not_tell_its_size() -> None:
    assert Path("/proc/self/status").stat().st_size == 0
    assert b"Pid" in read_bytes("/proc/self/status")
    with pytest.raises(OSError, match="larger"):
        read_bytes("/proc/self/status", 20)


def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.records.damage.LONGEST_LINE", 5000)
    monkeypatch.setattr(log, "LONGEST_LINE", 5000)
    path = write_run(tmp_path / "run") / RECORDS
    whole = path.read_bytes()
    count = whole.count(b"\n")
    path.write_bytes(b'{"key": "' + b"x" * 12_000 + b'"}\n' + whole + b"\0" * 12_000)
    damage: list[Any] = []
    assert len(list(read_lines(path, damage))) == count
    assert [(one.line, "longer than" in one.text) for one in damage] == [(1, True), (count + 2, True)]
    cut_torn_line(path)
    assert path.read_bytes().endswith(whole)


def test_a_file_of_bad_lines_only_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_DAMAGE", 10)
    (tmp_path / RECORDS).write_text("{}\n" * 11)
    with pytest.raises(InputError, match="more than 10 of its lines"):
        load_run(tmp_path)


def test_neighbours_stall_no_run(tmp_path: Path) -> None:
    write_run(tmp_path / "good")
    expected = Estimator("extraction").learn_runs(tmp_path)
    assert expected > 0
    for kind in (a_pipe, a_socket, an_endless_file):
        (tmp_path / kind.__name__).mkdir()
        kind(tmp_path / kind.__name__ / RECORDS)
    large = tmp_path / "large"
    large.mkdir()
    (large / RECORDS).write_bytes((tmp_path / "good" / RECORDS).read_bytes())
    assert Estimator("extraction").learn_runs(tmp_path) == 2 * expected
    os.truncate(large / RECORDS, LARGEST_RUN + 1)
    assert Estimator("extraction").learn_runs(tmp_path) == expected


def test_the_latest_neighbours_are_read_until_it_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_READ >= LARGEST_RUN
    for name in ("a", "b"):
        write_run(tmp_path / name)
    kept = (tmp_path / "a" / RECORDS).read_text().splitlines(keepends=True)
    (tmp_path / "a" / RECORDS).write_text("".join(kept[:3]))
    os.utime(tmp_path / "b" / RECORDS, (1, 1))
    monkeypatch.setattr("bench.runner.estimate.MOST_READ", (tmp_path / "b" / RECORDS).stat().st_size + 1)
    assert Estimator("extraction").learn_runs(tmp_path) == 3


@pytest.mark.parametrize("name", [RECORDS, TRACES, LOCK, EXPERIMENT, PROVENANCE])
def test_a_run_is_not_written_into_a_pipe(tmp_path: Path, name: str) -> None:
    a_pipe(tmp_path / name)
    experiment = {
        "name": "made",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny"}},
        "solvers": [{"name": "greedy"}],
    }
    with pytest.raises(InputError, match="not a regular file"):
        run(experiment, out=tmp_path)
    assert (tmp_path / name).is_fifo()


WRITERS: dict[str, Callable[[Path], Any]] = {
    "report": lambda path: write_report(load_run(path.parent / "run"), path),
    "export": lambda path: export_instance(path.parent / "instance-3.json", "lp", path),
    "document": lambda path: write_document(path, {}),
    "model": lambda path: write_model(path, "parser", {}, {}),
    "rows": lambda path: Parquet(path).close(complete=True),
}


@pytest.mark.parametrize("writer", sorted(WRITERS))
@pytest.mark.parametrize("kind", [a_pipe, a_socket])
def test_writers_replace_files_only(tmp_path: Path, writer: str, kind: Callable[[Path], None]) -> None:
    write_run(tmp_path / "run")
    kind(tmp_path / "out")
    (tmp_path / "link").symlink_to("out")
    for name in ("out", "link"):
        before = os.lstat(tmp_path / name)
        with pytest.raises(InputError, match=r"cannot be written \(not a regular file\)"):
            WRITERS[writer](tmp_path / name)
        assert os.lstat(tmp_path / name).st_ino == before.st_ino
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("writer", sorted(WRITERS.keys() - {"rows"}))
@pytest.mark.parametrize("there", [True, False])
def test_of_a_link_the_file_is_written(tmp_path: Path, writer: str, there: bool) -> None:
    write_run(tmp_path / "run")
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    link.symlink_to("elsewhere/file")
    if there:
        target.write_text("old")
    WRITERS[writer](link)
    assert link.is_symlink()
    assert target.read_bytes() not in (b"", b"old")
    assert sorted(path.name for path in target.parent.iterdir()) == ["file"]


def test_a_failed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with pytest.raises(UnicodeEncodeError), replacing(target) as temporary:
        temporary.write_text("half\ud800", encoding="utf-8")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize(
    "write",
    [JsonLines, lambda path: Table("", ["a"], [], []).write(path.parent, ["csv"], stem=path.stem)],
)
def test_nobody_waits_for_a_reader_of_what_is_written(tmp_path: Path, write: Callable[[Path], Any]) -> None:
    a_pipe(tmp_path / "rows.csv")
    with pytest.raises(InputError, match="not a regular file"):
        write(tmp_path / "rows.csv")


def test_plots_are_not_drawn_into_a_pipe(tmp_path: Path) -> None:
    from bench.output.plots import draw

    records = load_run(write_run(tmp_path / "run"))
    (tmp_path / "plots").mkdir()
    drawn = draw(records, [{"kind": "profile"}], tmp_path / "plots")
    drawn[0].unlink()
    a_pipe(drawn[0])
    with pytest.raises(InputError, match="not a regular file"):
        draw(records, [{"kind": "profile"}], tmp_path / "plots")


def test_a_link_beside_a_file_is_not_written_through(tmp_path: Path) -> None:
    """Nobody can foresee what the new file is called until it is complete."""
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "page.html.part").symlink_to("victim")
    with replacing(tmp_path / "page.html") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "victim").read_text() == "precious"
    assert (tmp_path / "page.html").read_text() == "new"


def test_a_new_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    for _ in range(2):
        with replacing(tmp_path / "new") as temporary:
            temporary.write_text("x")
        assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode
    os.chmod(tmp_path / "new", 0o600)
    with replacing(tmp_path / "new") as temporary:
        temporary.write_text("y")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600
