"""Anyone's topics through `train`, `evaluate` and `summarize`, in two layouts; treebanks as a folder of splits."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.applications.parse import to_conllu
from bench.cli import app
from problems.errors import InputError
from problems.models.model_file import remembered
from problems.text.newswire import generate_cluster
from problems.text.render import as_sentence
from problems.text.treebank import generated_treebank


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def options(*given: str) -> list[str]:
    return [part for each in given for part in ("--option", each)]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("treebank")
    for number, split in enumerate(("train", "dev", "test")):
        (home / f"{split}.conllu").write_text(to_conllu(generated_treebank(40 + number, 15)), encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def parser(treebank: Path) -> Path:
    path = treebank / "parser.model"
    run("train", "parsing", "--out", path, "--corpus", treebank, *options("epochs=1", "order=1", "bits=16"))
    return path


def test_a_treebank_is_a_folder_of_splits(treebank: Path, parser: Path) -> None:
    assert "UAS" in run("evaluate", "parsing", parser, "--corpus", treebank)
    with pytest.raises(InputError, match="were in the model's training data"):
        run("evaluate", "parsing", parser, "--corpus", treebank / "train.conllu")
    assert "UAS" in run("evaluate", "parsing", parser, "--corpus", treebank / "train.conllu", *options("overlap=keep"))
    (treebank / "test.conllu").rename(treebank / "mine-ud-test.conllu")
    assert "UAS" in run("evaluate", "parsing", parser, "--corpus", treebank, *options("limit=3"))
    (treebank / "mine-ud-test.conllu").rename(treebank / "test.conllu")


def texts(seed: int) -> tuple[list[str], list[str]]:
    """Two documents and two references, generated."""
    cluster = generate_cluster(seed, documents=2, sentences_per_document=5, references=2)
    documents = ["\n".join(as_sentence(sentence.words) for sentence in document) for document in cluster.documents]
    return documents, ["\n".join(reference) for reference in cluster.references]


def plain(home: Path, *seeds: int) -> Path:
    for seed in seeds:
        for kind, found in zip(("documents", "references"), texts(seed), strict=True):
            folder = home / f"topic-{seed}" / kind
            folder.mkdir(parents=True)
            for number, text in enumerate(found):
                (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return home


def tac(home: Path, *seeds: int) -> Path:
    for seed in seeds:
        documents, references = texts(seed)
        folder = home / "docs" / f"D{seed:04d}A" / f"D{seed:04d}A-A"
        folder.mkdir(parents=True)
        (home / "models").mkdir(exist_ok=True)
        for number, text in enumerate(documents):
            marked = f"<DOC><HEADLINE>No.</HEADLINE><TEXT>\n<P>\n{text}\n</P>\n</TEXT></DOC>"
            (folder / f"APW.{number}").write_text(marked, encoding="utf-8")
        for author, text in zip("AB", references, strict=True):
            (home / "models" / f"D{seed:04d}-A.M.40.A.{author}").write_text(text, encoding="utf-8")
    return home


def rows(folder: Path) -> list[dict[str, str]]:
    with open(folder / "table.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def trained(out: Path, corpus: Path, parser: Path, *more: str) -> Path:
    small = (f"parser={parser}", "epochs=1", "bits=12", "regularization=1", "iterations=30", *more)
    run("train", "summarization", "--out", out, "--corpus", corpus, *options(*small))
    return out


@pytest.mark.parametrize("layout", [plain, pytest.param(tac, marks=pytest.mark.slow)])
def test_train_and_evaluate_topics(layout: object, tmp_path: Path, parser: Path) -> None:
    assert callable(layout)
    train, test = layout(tmp_path / "a", 1, 2), layout(tmp_path / "b", 3, 4)
    model = trained(tmp_path / "m", train, parser, "system=single-task")
    assert len(remembered(model)) == 4  # documents
    run("evaluate", "summarization", model, "--corpus", test, *options("iterations=50"), "--out", tmp_path / "out")
    found = {row["system"]: row for row in rows(tmp_path / "out")}
    assert set(found) == {"coverage", "unlearned", "single-task"}
    limit = 40 if layout is tac else 1000
    for row in found.values():
        assert row["topics"] == "2"
        assert 0 <= float(row["ROUGE-2"]) <= float(row["ROUGE-2, best reference"]) <= 1
        assert 0 <= float(row["ROUGE-SU4"]) <= 1
        assert float(row["words"]) <= limit
    with pytest.raises(InputError, match=r"2 of 2 topics of .* have documents of the model's training topics"):
        run("evaluate", "summarization", model, "--corpus", train)


def test_an_overlap_is_refused_or_dropped_and_pairs_come_from_files(tmp_path: Path, parser: Path) -> None:
    train, test = plain(tmp_path / "a", 1, 2), plain(tmp_path / "b", 3, 2)
    pairs = tmp_path / "pairs.tsv"
    words = [as_sentence(sentence.words).split() for sentence in generated_treebank(5, 12)]
    pairs.write_text("".join(f"{' '.join(each)}\t{' '.join(each[:4])}\n" for each in words), encoding="utf-8")
    model = trained(tmp_path / "m", train, parser, f"pair_corpus={pairs}", "system=multi-task", "budget=30")
    with pytest.raises(InputError, match=r"1 of 2 topics of .* the first is 'topic-2'"):
        run("evaluate", "summarization", model, "--corpus", test)
    run(
        "evaluate",
        "summarization",
        model,
        "--corpus",
        test,
        *options("overlap=drop", "iterations=50"),
        "--out",
        tmp_path,
    )
    assert {row["topics"] for row in rows(tmp_path)} == {"1"}
    with pytest.raises(InputError, match="google_eval"):
        trained(tmp_path / "n", train, parser, "system=multi-task", f"data={tmp_path}")


def test_summarize_takes_a_corpus_of_topics(tmp_path: Path) -> None:
    home = tac(tmp_path / "tac", 1, 2)
    printed = run("summarize", home)
    assert [line for line in printed.splitlines() if line.startswith("#")] == ["# D0001-A", "# D0002-A"]
    found = json.loads(run("summarize", home, "--words", 25, "--format", "json"))
    assert {name: summary["words"] <= 25 for name, summary in found.items()} == {"D0001-A": True, "D0002-A": True}
    run("summarize", home, "--out", tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert 0 < len(path.read_text(encoding="utf-8").split()) <= 40  # the limit of the references' names
    one = plain(tmp_path / "plain", 1)
    assert run("summarize", one / "topic-1").startswith("# topic-1\n")
