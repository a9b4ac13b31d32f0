"""train, evaluate, parse, compress and summarize as a person types them; bad input gets one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.cli import app
from problems.errors import InputError

TEXT = "The minister closed the old bridge. Two workers were injured near the river.\n"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    small = ("--option", "limit=20", "--option", "epochs=1")
    printed = run("train", "parsing", "--out", folder / "parser", *small, "--option", "order=1", "--option", "bits=16")
    assert "epoch   1   loss" in printed
    run("train", "compression", "--out", folder / "compressor", *small)
    return folder


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_evaluate_prints_and_writes_a_table(models: Path, tmp_path: Path) -> None:
    printed = run("evaluate", "parsing", models / "parser", "--option", "limit=5", "--out", tmp_path / "table")
    assert "UAS" in printed
    assert "UAS" in (tmp_path / "table" / "table.md").read_text(encoding="utf-8")


def test_parse_gives_a_tree_of_every_sentence(models: Path, text: Path, tmp_path: Path) -> None:
    sentences = run("parse", text, "--model", models / "parser").strip().split("\n\n")
    assert len(sentences) == 2
    rows = [line.split("\t") for line in sentences[0].splitlines() if not line.startswith("#")]
    assert [row[1] for row in rows] == ["The", "minister", "closed", "the", "old", "bridge", "."]
    assert [row[6] for row in rows].count("0") == 1
    out = tmp_path / "parsed.json"
    run("parse", text, "--model", models / "parser", "--format", "json", "--out", out)
    assert [len(each["heads"]) for each in json.loads(out.read_text(encoding="utf-8"))] == [7, 8]


def test_compress_keeps_the_share_that_was_asked_for(models: Path, text: Path) -> None:
    arguments = ("compress", text, "--model", models / "compressor", "--parser", models / "parser", "--format", "json")
    for solver in ("dp-exact", "dp-lagrangian"):
        found = json.loads(run(*arguments, "--rate", 0.5, "--solver", solver))
        assert [len(each["kept"]) for each in found] == [4, 4]


def test_summarize_stays_within_its_words(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    summary = run("summarize", tmp_path, "--words", 8)
    assert 0 < len(summary.split()) <= 8
    assert json.loads(run("summarize", tmp_path, "--words", 8, "--format", "json"))["system"] == "coverage"


def spoilt(models: Path, tmp_path: Path) -> Path:
    path = tmp_path / "spoilt.model"
    path.write_bytes((models / "parser").read_bytes()[:-100])
    return path


def empty(folder: Path) -> Path:
    (folder / "empty.txt").write_text(" \n", encoding="utf-8")
    return folder


BAD: dict[str, tuple[Callable[[Path, Path, Path], tuple[object, ...]], str]] = {
    "task": (lambda models, text, tmp: ("train", "cooking", "--out", tmp / "m"), "task 'cooking' has nothing to train"),
    "option": (
        lambda models, text, tmp: ("train", "parsing", "--out", tmp / "m", "--option", "ordr=3"),
        "unknown option 'ordr' of the training of task 'parsing': did you mean 'order'",
    ),
    "value": (
        lambda models, text, tmp: ("train", "parsing", "--out", tmp / "m", "--option", "epochs=0"),
        "option 'epochs' of the training of task 'parsing' must be at least 1",
    ),
    "folder": (lambda models, text, tmp: ("train", "parsing", "--out", tmp), "is a folder"),
    "corpus": (
        lambda models, text, tmp: ("train", "parsing", "--out", tmp / "m", "--corpus", "nowhere.conllu"),
        "nowhere.conllu",
    ),
    "spoilt": (
        lambda models, text, tmp: ("parse", text, "--model", spoilt(models, tmp)),
        "spoilt.model: not a complete model file",
    ),
    "kind": (
        lambda models, text, tmp: ("parse", text, "--model", models / "compressor"),
        "a model of kind 'compression'",
    ),
    "rate": (
        lambda models, text, tmp: ("compress", text, "--model", models / "compressor", "--rate", 1.5),
        "must be above 0 and at most 1",
    ),
    "budget": (lambda models, text, tmp: ("summarize", tmp, "--words", 0), "a budget of at least 1 word"),
    "empty": (lambda models, text, tmp: ("summarize", empty(tmp / "docs"), "--words", 9), "the document is empty"),
    "form": (lambda models, text, tmp: ("summarize", tmp, "--format", "xml"), "unknown form 'xml'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_sentence(case: str, models: Path, text: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    make, said = BAD[case]
    with pytest.raises(InputError) as error:
        run(*make(models, text, tmp_path))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
