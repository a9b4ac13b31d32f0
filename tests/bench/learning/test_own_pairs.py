"""Anyone's sentence pairs through `train`, `evaluate` and `compress`: splits, several references, overlap, tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from bench.cli import app
from bench.learning.compression import data
from bench.learning.compression.data import Data, gold_length, load, means, measured, sentence_hash
from bench.learning.compression.training import Evaluation
from problems.compression.corpora import Gold, ParsedPair
from problems.errors import InputError
from problems.models.model_file import read_model, remembered
from problems.text.sentence import ParsedSentence
from problems.text.treebank import generated_treebank


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parser") / "parser.model"
    small = ("limit=20", "epochs=1", "order=1", "bits=16")
    run("train", "parsing", "--out", path, *(part for each in small for part in ("--option", each)))
    return path


def documents(start: int, count: int) -> list[dict[str, Any]]:
    """Sentences of the generator; one reference keeps every second word, another the first half."""
    found = []
    for number, sentence in enumerate(generated_treebank(7 + start, count)):
        words = list(sentence.words)
        compressions = [words[::2], words[: max(1, len(words) // 2)]]
        found.append({"id": f"s-{start}-{number}", "source": words, "compressions": compressions})
    return found


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def table(folder: Path) -> list[dict[str, str]]:
    with open(folder / "table.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def options(*given: str) -> list[str]:
    return [part for each in given for part in ("--option", each)]


def trained(out: Path, corpus: object, parser: Path, *more: str, task: str = "compression") -> Path:
    small = (f"parser={parser}", "epochs=1", "bits=14", *more)
    run("train", task, "--out", out, "--corpus", corpus, *options(*small))
    return out


def test_train_and_evaluate_on_two_files(tmp_path: Path, parser: Path) -> None:
    train, test = write(tmp_path / "train.jsonl", documents(0, 12)), write(tmp_path / "test.jsonl", documents(1, 5))
    model = trained(tmp_path / "joint.model", train, parser)
    assert len(remembered(model)) == 12
    read_model(model, "compression")  # what is remembered is in nobody's way
    printed = run("evaluate", "compression", model, "--corpus", test, "--out", tmp_path / "out")
    (row,) = table(tmp_path / "out")
    assert (row["system"], row["pairs"], row["dropped"]) == ("joint", "5", "0")
    for name in ("rate", "unigram F1", "relation F1"):
        assert 0 <= float(row[name]) <= 1
        assert name in printed
    assert float(row["unigram F1, best reference"]) >= float(row["unigram F1"])


def test_overlap_of_training_and_test_is_refused(tmp_path: Path, parser: Path) -> None:
    rows = documents(0, 10)
    model = trained(tmp_path / "m", write(tmp_path / "train.jsonl", rows), parser)
    with pytest.raises(InputError, match=r"10 of 10 sentences of .*train.jsonl were in the model's training data"):
        run("evaluate", "compression", model, "--corpus", tmp_path / "train.jsonl")
    spoilt = [row | {"id": f"new {row['id']}"} for row in rows[:1]] + documents(2, 3)
    spoilt[0]["source"] = [word.upper() for word in spoilt[0]["source"]]  # neither ids nor case hide it
    test = write(tmp_path / "test.jsonl", spoilt)
    with pytest.raises(InputError, match=r"1 of 4 sentences of .* leave them out with the option overlap=drop"):
        run("evaluate", "compression", model, "--corpus", test)
    for how, pairs in (("drop", "3"), ("keep", "4")):
        run("evaluate", "compression", model, "--corpus", test, *options(f"overlap={how}"), "--out", tmp_path / how)
        assert table(tmp_path / how)[0]["pairs"] == pairs


def test_a_folder_of_splits_chooses_on_its_development_part(tmp_path: Path, parser: Path) -> None:
    home = tmp_path / "mine"
    for number, split in enumerate(("train", "dev", "test")):
        write(home / f"{split}.jsonl", documents(number, 6))
    data = load(str(home), str(tmp_path), "train", None, str(parser), training=True)
    learn, held_out = data.divided(None)
    assert (len(learn), len(held_out)) == (12, 6)  # each of two references is learned from
    assert {pair.name.partition("#")[0] for pair in learn} == {f"s-0-{number}" for number in range(6)}
    with pytest.raises(InputError, match="the corpus has a part 'dev'"):
        data.divided(2)
    model = trained(tmp_path / "m", home, parser)
    assert len(remembered(model)) == 12  # sentences of train and dev
    run("evaluate", "compression", model, "--corpus", home, "--out", tmp_path / "out")
    assert table(tmp_path / "out")[0]["pairs"] == "6"
    with pytest.raises(InputError, match="6 of 6 sentences"):
        run("evaluate", "compression", model, "--corpus", home, *options("split=dev"))


def test_a_seeded_split_of_one_file(tmp_path: Path, parser: Path) -> None:
    path = write(tmp_path / "all.jsonl", documents(0, 30))
    model = trained(tmp_path / "m", path, parser, "test_share=0.4", "split_seed=5")
    run(
        "evaluate",
        "compression",
        model,
        "--corpus",
        path,
        *options("test_share=0.4", "split_seed=5"),
        "--out",
        tmp_path,
    )
    assert int(table(tmp_path)[0]["pairs"]) + len(remembered(model)) == 30
    with pytest.raises(InputError, match="were in the model's training data"):
        run("evaluate", "compression", model, "--corpus", path, *options("test_share=0.4", "split_seed=6"))
    with pytest.raises(InputError, match="option 'test_share' must be at least 0 and below 1"):
        run("evaluate", "compression", model, "--corpus", path, *options("test_share=1.5"))


def test_transduction_takes_the_same_files(tmp_path: Path, parser: Path) -> None:
    train, test = tmp_path / "train.tsv", tmp_path / "test.tsv"
    for path, start in ((train, 0), (test, 1)):
        rows = [(row["source"], row["compressions"][1]) for row in documents(start, 8)]
        path.write_text("".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in rows), encoding="utf-8")
    model = trained(tmp_path / "t3.model", train, parser, "tokenised=true", task="transduction")
    arguments = ("evaluate", "transduction", model, "--corpus", test, *options("tokenised=true", "length=rule"))
    run(*arguments, "--out", tmp_path / "out")
    assert {"system", "rate", "unigram F1", "relation F1"} <= set(table(tmp_path / "out")[0])
    with pytest.raises(InputError, match="8 of 8 sentences"):
        run(*arguments[:4], train, *options("tokenised=true", "length=rule"))


def test_compress_takes_files_of_pairs_and_leaves_tokens_alone(tmp_path: Path, parser: Path) -> None:
    model = trained(tmp_path / "m", write(tmp_path / "train.jsonl", documents(0, 12)), parser)
    raw = {"id": "raw", "source": "Ann's  dog --- it barked."}
    tokens = {"id": "given", "source": ["Ann", "'s", "dog", "---", "it", "barked", "."]}
    path = write(tmp_path / "own.jsonl", [raw, tokens])
    found = json.loads(run("compress", path, "--model", model, "--rate", 1, "--format", "json"))
    assert [each["name"] for each in found] == ["raw", "given"]
    assert [each["text"] for each in found] == ["Ann's dog --- it barked.", "Ann 's dog --- it barked ."]
    assert found[0]["words"] == ["Ann", "'", "s", "dog", "-", "-", "-", "it", "barked", "."]
    assert found[1]["words"] == tokens["source"]
    plain = tmp_path / "own.txt"
    plain.write_text("Ann 's dog ---\n\nit  barked .\n", encoding="utf-8")
    found = json.loads(run("compress", plain, "--model", model, "--rate", 1, "--format", "json", "--tokenised"))
    assert [each["words"] for each in found] == [["Ann", "'s", "dog", "---"], ["it", "barked", "."]]
    with pytest.raises(InputError, match="options '--lines' and '--encoding' are for plain text"):
        run("compress", path, "--model", model, "--lines")


SENTENCE = ParsedSentence(("a", "b", "c", "d"), ("X",) * 4, (0, 1, 2, 3), ("root", "x", "y", "z"))


def test_scores_are_means_over_references_with_the_best_beside_them() -> None:
    first, second = Gold((1, 2), (0, 1), ("root", "x")), Gold((1, 2, 3, 4), (0, 1, 2, 3), ("root", "x", "y", "z"))
    several = ParsedPair("one", SENTENCE, *first, (second,))
    found = measured([several], [(1, 2)], None)
    # words: F1 of {1,2} is 1 and 2 * 2 / (2 + 4); arcs: 1 and 2 * 1 / (1 + 3)
    assert found["unigram F1"] == pytest.approx([(1 + 2 / 3) / 2])
    assert found["relation F1"] == pytest.approx([(1 + 1 / 2) / 2])
    assert found["unigram F1, best reference"] == found["relation F1, best reference"] == found["exact match"] == [1.0]
    assert found["compression rate"] == [0.5]
    assert gold_length(several) == 3
    assert "unigram F1, best reference" not in measured([ParsedPair("one", SENTENCE, *first)], [(1, 2)], None)
    assert means({"x": np.array([1.0, 2.0])}) == {"x": 1.5}


def test_pairs_of_a_sentence_are_held_out_together() -> None:
    other = ParsedSentence(("e", "f"), ("X",) * 2, (0, 1), ("root", "x"))
    pairs = [ParsedPair("o", other, (1,), (0,), ("root",))]
    pairs += [ParsedPair(f"s{number}", SENTENCE, (1,), (0,), ("root",)) for number in range(4)]
    learn, held_out = Data(pairs).divided(2)
    assert ([pair.name for pair in learn], len(held_out)) == (["o"], 4)


def test_official_splits_may_share_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """google_eval has one test sentence in its training part: it is left out, and nothing is refused."""
    pairs = [
        ParsedPair(f"p{number}", ParsedSentence((f"w{number}",), ("X",), (0,), ("root",)), (1,), (0,), ("root",))
        for number in range(200)
    ]
    monkeypatch.setattr(data, "load", lambda *given: Data(pairs))
    evaluation = Evaluation(corpus="google_eval", data="nowhere")
    for count, left in ((1, 199), (2, 198)):
        evaluation._seen = frozenset(sentence_hash(pair) for pair in pairs[:count])
        assert len(evaluation.load("").pairs) == left
    evaluation._seen = frozenset(map(sentence_hash, pairs[:3]))
    with pytest.raises(InputError, match="3 of 200 sentences of google_eval"):
        evaluation.load("")
    evaluation = Evaluation(corpus="mine.jsonl", data="nowhere")
    evaluation._seen = frozenset(map(sentence_hash, pairs[:1]))
    with pytest.raises(InputError, match=r"1 of 200 sentences of mine.jsonl"):
        evaluation.load("")


@pytest.mark.parametrize("task", ["compression", "transduction"])
def test_pairs_with_trees_in_brackets_need_no_parser(tmp_path: Path, task: str) -> None:
    """Sentences "the big dog NUMBER ran": the adjective is always dropped, and a model of a few sentences knows it."""

    def rows(numbers: range) -> list[dict[str, Any]]:
        source = "(S (NP (DT the) (JJ big) (NN dog{0})) (VP (VBD ran) (PP (IN to) (NP (NN it)))))"
        target = "(S (NP (DT the) (NN dog{0})) (VP (VBD ran) (PP (IN to) (NP (NN it)))))"
        return [{"tree": source.format(number), "trees": [target.format(number)]} for number in numbers]

    train, test = write(tmp_path / "train.jsonl", rows(range(20))), write(tmp_path / "test.jsonl", rows(range(20, 25)))
    small = options("epochs=2", "bits=14", "development=4")
    run("train", task, "--out", tmp_path / "m", "--corpus", train, *small)
    run("evaluate", task, tmp_path / "m", "--corpus", test, "--out", tmp_path / "out")
    found = {row["system"]: row for row in table(tmp_path / "out")}
    right = found["joint" if task == "compression" else "Pure Tree-Transduction"]
    assert (right["pairs"], right["unigram F1"], right["relation F1"]) == ("5", "1", "1")
    assert right["relation F1, low"] == right["relation F1, high"] == "1"
