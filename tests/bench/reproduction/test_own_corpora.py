"""`reproduce --data` with corpora of the user's own: what takes the place of the usual ones, and a piece on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.applications.parse import to_conllu
from bench.cli import app
from bench.learning.summarization.data import only_pairs
from bench.reproduction.models import model_folder, own_setting, pair_corpus, treebank_name
from bench.reproduction.piece import Context
from bench.reproduction.pieces.compression import PIECES
from bench.reproduction.real_data import OPINIONS, PAIRS, TOPICS, has_parts, own_topics_in
from problems.text.treebank import generated_treebank


def own_data(home: Path, sentences: int = 12) -> Path:
    """A treebank, pairs and topics under names of one's own."""
    for number, split in enumerate(("train", "test")):
        bank = home / "treebanks" / "mine" / f"{split}.conllu"
        bank.parent.mkdir(parents=True, exist_ok=True)
        bank.write_text(to_conllu(generated_treebank(60 + number, sentences)), encoding="utf-8")
        pairs = home / "compression" / "ours" / f"{split}.jsonl"
        pairs.parent.mkdir(parents=True, exist_ok=True)
        rows = [(list(one.words), list(one.words[::2])) for one in generated_treebank(70 + number, sentences)]
        lines = [json.dumps({"source": source, "compressions": [target]}) for source, target in rows]
        pairs.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for topic in ("one", "two"):
        for kind in ("documents", "references"):
            path = home / "summarization" / "news" / topic / kind / "a.txt"
            path.parent.mkdir(parents=True)
            path.write_text(f"The bridge of {topic} fell. Nobody came.\n", encoding="utf-8")
    return home


def test_the_only_other_corpus_takes_the_place_of_the_usual_one(tmp_path: Path) -> None:
    context = Context(tmp_path / "out", data=own_data(tmp_path / "data"))
    assert context.data is not None
    assert (pair_corpus(context), treebank_name(context)) == ("ours", "mine")
    assert TOPICS.locate(context.data) == OPINIONS.locate(context.data) == own_topics_in(context.data)
    assert not has_parts(context.data / "summarization" / "news")
    assert only_pairs(context.data) == "ours"
    assert (own_setting(context, "news").budget, own_setting(context, "news").folds) == (7, 0)
    assert PIECES[0].missing(context) is None
    key = PIECES[0].key(context)
    (context.data / "compression" / "ours" / "dev.tsv").write_text("a b\ta\n", encoding="utf-8")
    assert PIECES[0].key(context) != key
    usual = context.data / "compression" / "google_eval"
    usual.mkdir()
    assert pair_corpus(context) == "google_eval"
    assert only_pairs(context.data) == ""


def test_models_of_another_parser_or_of_other_data_have_another_folder(tmp_path: Path) -> None:
    parsers = [tmp_path / "one.model", tmp_path / "other.model"]
    for parser in parsers:
        parser.write_text(parser.name)
    given = [(tmp_path, parsers[0]), (tmp_path, parsers[1]), (tmp_path, None), (tmp_path / "data", None)]
    folders = [model_folder(Context(tmp_path / "out", data=data, parser=parser), "some") for data, parser in given]
    assert len(set(folders)) == len(given)
    parsers[0].write_text("another parser")
    assert model_folder(Context(tmp_path / "out", data=tmp_path, parser=parsers[0]), "some") not in folders


def test_several_that_could_take_its_place_are_none(tmp_path: Path) -> None:
    data = own_data(tmp_path / "data")
    other = data / "compression" / "theirs"
    other.mkdir()
    for split in ("train", "test"):
        (other / f"{split}.tsv").write_text(f"a b {split}\ta\n", encoding="utf-8")
    assert PAIRS.locate(data) is None
    said = PIECES[0].missing(Context(tmp_path, data=data))
    assert said is not None
    assert "google_eval: not there; expected the evaluation part" in said
    assert f"or one corpus of your own in {data / 'compression'}, for ql-table2" in said


@pytest.mark.slow
def test_a_piece_on_own_pairs(tmp_path: Path) -> None:
    data = own_data(tmp_path / "data", 30)
    arguments = [
        "reproduce",
        "ql-table2",
        "--quick",
        "--data",
        str(data),
        "--out",
        str(tmp_path / "out"),
        "--jobs",
        "1",
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    table = (tmp_path / "out" / "pieces" / "ql-table2" / "table.md").read_text(encoding="utf-8")
    assert "Test pairs of ours" in table
    assert "Exact, fast" in table
