"""`reproduce --data` with corpora of the user's own: what takes the place of the usual ones, and a piece on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench.applications.parse import to_conllu
from bench.cli import app
from bench.learning.summarization.data import only_pairs
from bench.reproduction.context import Context
from bench.reproduction.corpora import _test_topics, sentences_file, topics_said, treebanks
from bench.reproduction.models import model_folder, own_setting, pair_corpus, treebank_name
from bench.reproduction.own_corpora import OwnCorpora
from bench.reproduction.pieces.compression import PIECES
from bench.reproduction.real_data import OPINIONS, PAIRS, TOPICS, has_parts, own_topics_in
from bench.reproduction.report import PIECES as REPRODUCED
from problems.errors import InputError
from problems.summarization.corpora import Unparsed
from problems.text.conll import read_treebank
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
    topics(home / "summarization" / "news")
    return home


def topics(home: Path) -> Path:
    for topic in ("one", "two"):
        for kind in ("documents", "references"):
            path = home / topic / kind / "a.txt"
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
    assert f"or one corpus of your own in {data / 'compression'} (option '--pairs'), for ql-table2" in said


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


def banks(home: Path, names: tuple[str, ...], sentences: int = 12) -> list[Path]:
    parts = [(name, split) for name in names for split in ("train", "test")]
    for number, (name, split) in enumerate(parts):
        path = home / name / f"{split}.conllu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(to_conllu(generated_treebank(60 + number, sentences)), encoding="utf-8")
    return [home / name for name in names]


def test_options_gather_own_corpora_beside_those_of_the_data_folder(tmp_path: Path) -> None:
    data = own_data(tmp_path / "data")
    usual = data / "treebanks" / "en_ewt"
    usual.mkdir()
    two = banks(tmp_path / "mine", ("ptb", "danish_ddt"))
    found = OwnCorpora(treebanks=tuple(two)).gathered(tmp_path / "corpora", data)
    context = Context(tmp_path / "out", data=found)
    assert [(each.name, each.language, each.split, each.made) for each in treebanks(context)] == [
        ("danish_ddt", "Danish", "train", False),
        ("ptb", "English", "train", False),
    ]
    assert [treebank.tested for treebank in treebanks(replace(context, quick=True))] == [20, 20]
    assert REPRODUCED["martins-table3"].missing(context) is None
    assert sentences_file(context, treebanks(context)[0]) == found / "treebanks" / "danish_ddt" / "test.conllu"
    assert (treebank_name(context), pair_corpus(context)) == ("danish_ddt", "ours")
    assert OwnCorpora(treebanks=tuple(two)).gathered(tmp_path / "corpora", data) == found
    assert OwnCorpora(treebanks=(two[0],)).gathered(tmp_path / "corpora", data) != found
    assert OwnCorpora(treebanks=tuple(two)).gathered(tmp_path / "corpora", None) != found
    (two[0] / "test.conllu").write_text(to_conllu(generated_treebank(8, 3)), encoding="utf-8")
    assert OwnCorpora(treebanks=tuple(two)).gathered(tmp_path / "corpora", data) != found  # so that no model is stale


def test_own_topics_have_their_own_limit_and_name(tmp_path: Path) -> None:
    """That of `words.txt`, else the mean length of a topic's references; the table names the corpus. No number caps the topics."""
    for split in ("train", "test"):
        home = topics(tmp_path / "news" / split)
        for topic in ("one", "two"):
            (home / topic / "documents" / "a.txt").write_text(f"The {split} of {topic} is late.\n", encoding="utf-8")
    found = OwnCorpora(topics=tmp_path / "news").gathered(tmp_path / "corpora", None)
    context = Context(tmp_path / "out", data=found)
    clusters = [(topic.name, words) for topic, words in _test_topics(context, Unparsed(), None)]
    assert clusters == [("one", 7), ("two", 7)]
    (tmp_path / "news" / "test" / "words.txt").write_text("20\n")
    assert [words for _, words in _test_topics(context, Unparsed(), None)] == [20, 20]
    assert topics_said(context) == "topics of news, scores learned on its training part"
    undivided = Context(tmp_path / "out", data=own_data(tmp_path / "data"))
    assert topics_said(undivided) == "topics of news, scores learned on the other half of them"


def test_files_are_dealt_out_by_sentence(tmp_path: Path) -> None:
    bank = tmp_path / "mine.conllu"
    bank.write_text(to_conllu(generated_treebank(3, 60)), encoding="utf-8")
    pairs = tmp_path / "sentences.tsv"
    rows = [
        f"The {word} bridge fell\tThe bridge fell"
        for word in ["old", "new", "low", "long", "red", "tall", "wide", "high", "blue", "grey"]
    ]
    pairs.write_text("\n".join([*rows, *rows]) + "\n", encoding="utf-8")
    found = OwnCorpora((bank,), pairs).gathered(tmp_path / "corpora", None)
    parts = [found / "treebanks" / "mine" / f"{split}.conllu" for split in ("train", "test")]
    dealt = [[sentence.lines for sentence in read_treebank(path)] for path in parts]
    assert sorted(dealt[0] + dealt[1]) == sorted(sentence.lines for sentence in read_treebank(bank))
    assert 0 < len(dealt[1]) < len(dealt[0])
    train, test = (
        (found / "compression" / "sentences" / f"{split}.tsv").read_text(encoding="utf-8").splitlines()
        for split in ("train", "test")
    )
    assert sorted(train + test) == sorted(rows + rows)
    assert test
    assert not set(train) & set(test)  # both copies of a sentence are on one side
    assert not (found / "summarization").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"treebanks": ["nowhere"]}, "no such file or folder; option '--treebank' names a file .conllu or"),
        ({"treebanks": ["text.txt"]}, "a file of another kind; option '--treebank'"),
        ({"treebanks": ["empty"]}, "which this folder is not"),
        ({"pairs": "text.txt"}, "a file of another kind; option '--pairs' names a file .jsonl or .tsv, or a folder"),
        ({"pairs": "one.tsv"}, "too few sentences for a training and a test part"),
        ({"topics": "text.txt"}, "option '--topics' names a folder of topics"),
        ({"topics": "news"}, "news: option '--topics': topic 'two' has no reference summary"),
        ({"treebanks": ["a/mine", "b/mine"]}, "two of the treebanks are named 'mine'"),
    ],
)
def test_what_is_no_corpus_is_named(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    (tmp_path / "text.txt").write_text("Some text.\n", encoding="utf-8")
    (tmp_path / "one.tsv").write_text("a b c\ta b\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    topics(tmp_path / "news")
    (tmp_path / "news" / "two" / "references" / "a.txt").unlink()
    banks(tmp_path / "a", ("mine",), 2)
    banks(tmp_path / "b", ("mine",), 2)
    given = [argument for name, value in options.items() for argument in _arguments(name, value, tmp_path)]
    result = CliRunner().invoke(app, ["reproduce", "--quick", "--out", str(tmp_path / "out"), *given])
    assert isinstance(result.exception, InputError)  # one sentence and exit code 2
    assert said in str(result.exception)


def _arguments(name: str, value: str | list[str], home: Path) -> list[str]:
    option = {"treebanks": "--treebank"}.get(name, f"--{name}")
    values = [value] if isinstance(value, str) else value
    return [argument for each in values for argument in (option, str(home / each))]


@pytest.mark.slow
def test_table_3_on_own_treebanks(tmp_path: Path) -> None:
    """Two treebanks side by side, under their own names; of most treebanks they say nothing."""
    given = [argument for path in banks(tmp_path, ("mine", "turkish"), 30) for argument in ("--treebank", str(path))]
    arguments = ["reproduce", "martins-table3", "--quick", *given, "--out", str(tmp_path / "out"), "--jobs", "1"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    piece = tmp_path / "out" / "pieces" / "martins-table3"
    rows = (piece / "table.md").read_text(encoding="utf-8").splitlines()
    assert [row.split("|")[1].strip() for row in rows if row.startswith(("| mine", "| turkish"))] == ["mine"] * 3 + [
        "turkish"
    ] * 3
    beside = (piece / "beside.md").read_text(encoding="utf-8")
    assert "treebanks of your own" in beside
    assert "turkish, trained on 30" in beside
    verdicts = {claim["name"]: claim["ruling"][0] for claim in json.loads((piece / "claims.json").read_text())}
    assert verdicts == dict.fromkeys(verdicts, "not testable")
