"""What parse, compress and summarize print of people's files; the UD project's own validator is the oracle."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner
from udtools import Validator

from bench.applications.compress import compress_text
from bench.applications.parse import parse_text, read_input
from bench.applications.summarize import summarize_folder
from bench.cli import app
from bench.learning.compression.training import Training as CompressionTraining
from bench.learning.loop import SILENT, Watcher
from bench.learning.parsing.data import read_sentences
from bench.learning.parsing.training import Evaluation, Training
from problems import get_task
from problems.errors import InputError
from problems.parsing.corpora import read_corpus
from problems.parsing.model import ParserModel
from problems.summarization.words import shortened
from problems.text.conll import EMPTY_NODE, read_treebank
from problems.text.raw import split_text
from problems.text.spacing import restored, surface_tokens
from problems.text.treebank import Sentence
from tests.problems.test_plain_text import NASTY

TEXT = """Send an e-mail to joe.b@x-y.com or see http://www.a-b.com/x_y now.  My iPhone can't do
so-called\t"well-known" stuff... Dr. Smith's phone is 713-853-3989!\r
\r
 He wouldn't buy a mid-range X-ray\u00a0unit (PG&E's) in the U.S.
"""
GIVEN = """# newdoc id = d
# sent_id = s/1
# text = He can't go, John's cat.
# my own comment
1\tHe\the\tPRON\tPRP\tCase=Nom\t4\tnsubj\t4:nsubj\tMine=1
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tMine=2
2\tca\tcan\tAUX\tMD\tVerbForm=Fin\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\tSpaceAfter=No
5\t,\t,\tPUNCT\t,\t_\t4\tpunct\t4:punct\t_
6-7\tJohn's\t_\t_\t_\t_\t_\t_\t_\t_
6\tJohn\tJohn\tPROPN\tNNP\tNumber=Sing\t8\tnmod:poss\t8:nmod:poss\t_
7\t's\t's\tPART\tPOS\t_\t6\tcase\t6:case\t_
7.1\tgo\tgo\tVERB\t_\t_\t_\t_\t0:root\t_
8\tcat\tcat\tNOUN\tNN\tNumber=Sing\t4\tvocative\t4:vocative\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\tSpacesAfter=\\n

"""
CYCLE = (
    "1\tA\t_\tNOUN\tNN\t_\t2\tdep\t_\t_\n2\tb\t_\tNOUN\tNN\t_\t1\tdep\t_\t_\n3\tc\t_\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
)


def small_treebank() -> list[Sentence]:
    words = (("the", "dog", "saw", "girls", "."), ("a", "cat", "met", "her", "!"))
    coarse, fine = ("DET", "NOUN", "VERB", "NOUN", "PUNCT"), ("DT", "NN", "VBD", "NNS", ".")
    labels = ("det", "nsubj", "root", "obj", "punct")
    return [Sentence(f"s{n}", words[n % 2], coarse, fine, (2, 3, 0, 3, 3), labels) for n in range(6)]


@pytest.fixture(scope="module")
def model() -> ParserModel:
    settings = Training(order="1", epochs=2, bits=12, classifier_bits=12, pruner_folds=1, classifier_epochs=2)
    return settings.fit(small_treebank())[0]


@pytest.fixture(scope="module")
def files(model: ParserModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A parser and a compressor."""
    folder = tmp_path_factory.mktemp("models")
    model.write(folder / "parser")
    CompressionTraining(limit=10, epochs=1).run(folder / "compressor", False, SILENT)
    return folder


def complaints(path: Path) -> list[str]:
    """What the UD validator says of a file, levels 1 and 2: format, tree and text."""
    state = Validator(lang="ud", level=2, output=None).validate_files([str(path)])
    return [f"{one.testid}: {one.message}" for one in state.error_tracker if one.is_error()]


def parsed(text: str, name: str, model: ParserModel, folder: Path, **options: object) -> Path:
    """A file with the parse of a text."""
    source, out = folder / name, folder / f"out-{name}.conllu"
    source.write_bytes(text.encode())
    out.write_text(parse_text(source, model, **options), encoding="utf-8", newline="\n")  # type: ignore[arg-type]
    return out


def test_the_validator_can_complain(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    broken = GIVEN.replace("go, John", "go , John").replace("go\tVERB\tVB\t", "go\tverb\tVB\t").replace("s/1", "s/1/2")
    path.write_text(broken, encoding="utf-8")
    said = "\n".join(complaints(path))
    for test in ("text-form-mismatch", "unknown-upos", "slash-in-sent-id"):
        assert test in said


@pytest.mark.parametrize("lines", [False, True])
def test_parsed_text_is_valid_and_the_same_text(model: ParserModel, lines: bool, tmp_path: Path) -> None:
    out = parsed(TEXT, "my story.txt", model, tmp_path, lines=lines)
    assert complaints(out) == []
    assert restored(surface_tokens(sentence.lines) for sentence in read_treebank(out)) == TEXT
    words = [word for sentence in read_treebank(out) for word in sentence.words]
    for whole in ("e-mail", "joe.b@x-y.com", "http://www.a-b.com/x_y", "iPhone", "713-853-3989", "mid-range"):
        assert whole in words
    assert [sentence.name for sentence in read_treebank(out)] == [f"my_story-{n}" for n in range(1, 4 if lines else 5)]
    again = parsed(out.read_text(encoding="utf-8"), "again.conllu", model, tmp_path)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_parsed_and_restored(text: str, model: ParserModel, tmp_path: Path) -> None:
    out = parsed(text, "x.txt", model, tmp_path)
    assert restored(surface_tokens(sentence.lines) for sentence in read_treebank(out)) == text.removeprefix("\ufeff")
    found = [said for said in complaints(out) if "unicode-normalization" not in said]  # characters are kept as they are
    assert found == []
    document = json.loads(parse_text(tmp_path / "x.txt", model, form="json"))
    tokens = [token for sentence in document for token in sentence["tokens"]]
    assert "".join(token["before"] + token["form"] + token["after"] for token in tokens) == text


def test_what_is_in_a_conllu_file_stays(model: ParserModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = parsed(GIVEN, "given.conllu", model, tmp_path)
    assert complaints(out) == []
    said = capsys.readouterr().err
    assert "the enhanced dependencies of 9 words and 1 empty nodes are left out" in said
    given, found = (
        [line.split("\t") for line in text.splitlines() if not line.startswith("7.1")]
        for text in (GIVEN, out.read_text(encoding="utf-8"))
    )
    for old, new in zip(given, found, strict=True):
        assert old[:6] == new[:6]
        assert old[9:] == new[9:]
        assert new[8:9] in ([], ["_"])


def test_a_blind_file_is_parsed_tagged_and_named(model: ParserModel, tmp_path: Path) -> None:
    """Without comments, tags and heads; FEATS and XPOS of a word are kept where they are."""
    lines = [
        "1\tA\t_\t_\tDT\t_\t_\t_\t_\t_",
        "2\tcat\tcat\t_\t_\tX=Y\t_\t_\t_\tSpaceAfter=No",
        "3\t!\t_\t_\t_\t_\t_\t_\t_\t_",
    ]
    out = parsed("\n".join([*lines, "", "# sent_id = blind-1", *lines, ""]), "blind.conll", model, tmp_path)
    assert complaints(out) == []
    text = out.read_text(encoding="utf-8")
    assert "# sent_id = blind-1x\n# text = A cat!\n1\tA\t_\tDET\tDT\t_\t" in text
    assert "# sent_id = blind-1\n# text = A cat!" in text
    assert "\n2\tcat\tcat\tNOUN\tNN\tX=Y\t" in text


def test_comments_by_themselves_are_kept(model: ParserModel, tmp_path: Path) -> None:
    out = parsed(f"# newdoc id = d\n\n{GIVEN}# the end\n", "x.conllu", model, tmp_path)
    text = out.read_text(encoding="utf-8")
    assert text.startswith("# newdoc id = d\n")
    assert text.count("# the end\n") == 1
    assert complaints(out) == []


@pytest.mark.parametrize("options", [{}, {"lines": True}, {"tokenised": True}])
def test_conll_files_of_other_names_are_not_taken_for_plain_text(options: dict[str, bool], tmp_path: Path) -> None:
    source = tmp_path / "x.conllx"
    source.write_text(CYCLE)
    (sentence,) = read_input(source)
    assert sentence.words == ("A", "b", "c")
    source = source.rename(tmp_path / "x.tab")
    with pytest.raises(
        InputError, match=r"x\.tab: it looks like CoNLL-U or CoNLL-X; let its name end in one of \.conllu,"
    ):
        read_input(source, **options)  # type: ignore[arg-type]
    source.write_text(" \n\u200b\n")
    with pytest.raises(InputError, match=f"{re.escape(str(source))}: there is no text in it"):
        read_input(source)


def test_lines_and_encodings_are_checked(model: ParserModel, tmp_path: Path) -> None:
    source = tmp_path / "x.txt"
    source.write_bytes("Caf\xe9.\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"x\.txt, line 1: expected text in UTF-8; name .* with --encoding"):
        parse_text(source, model)
    assert "Caf\xe9" in parse_text(source, model, encoding="latin-1")
    assert "Caf\xe9" in parse_text(source, model, encoding="mixed")
    with pytest.raises(InputError, match="expected text in ascii"):
        parse_text(source, model, encoding="ascii")
    source.rename(tmp_path / "x.conllu")
    with pytest.raises(InputError, match="'--lines' is for plain text"):
        parse_text(tmp_path / "x.conllu", model, lines=True)


def test_commands_take_the_options(files: Path, tmp_path: Path) -> None:
    source = tmp_path / "x.txt"
    source.write_bytes("One two. Three\ncaf\xe9 four\n".encode("latin-1"))
    model, common = str(files / "parser"), ["--lines", "--encoding", "latin-1"]
    done = CliRunner().invoke(app, ["parse", str(source), "--model", model, *common])
    assert done.stdout.count("# text = ") == 2, done.output
    assert "# text = caf\xe9 four" in done.stdout
    compressor = str(files / "compressor")
    done = CliRunner().invoke(
        app, ["compress", str(source), "--model", compressor, "--parser", model, "--rate", "1", *common]
    )
    assert done.stdout == "One two. Three\ncaf\xe9 four\n"
    for command in ("parse", "compress"):
        told = " ".join(CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "300"}).output.split())
        assert "Each line of plain text is one sentence." in told
        assert "else latin-1." in told


def test_standard_output_is_utf8_whatever_the_locale(files: Path, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Caf\xe9 \u2603.\n", encoding="utf-8")
    command = [sys.executable, "-m", "bench.cli", "parse", "x.txt", "--model", str(files / "parser")]
    locale = {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env={**os.environ, **locale})
    assert "# text = Caf\xe9 \u2603.\n" in done.stdout.decode("utf-8")
    assert done.stdout.decode("utf-8") == parse_text(tmp_path / "x.txt", files / "parser")


def test_compressions_are_tokens_of_the_text(files: Path, tmp_path: Path) -> None:
    source = tmp_path / "x.txt"
    source.write_bytes(TEXT.encode())
    known = {word for sentence in split_text(TEXT) for word in sentence.words}
    options = {"parser": str(files / "parser")}
    whole = compress_text(source, files / "compressor", rate=1.0, **options)
    assert " ".join(whole.split()) == " ".join(TEXT.split())
    for rate in (0.3, 0.6, 0.9):
        out = tmp_path / "out.conllu"
        out.write_text(
            compress_text(source, files / "compressor", rate=rate, form="conllu", **options), encoding="utf-8"
        )
        printed = compress_text(source, files / "compressor", rate=rate, **options).splitlines()
        for sentence, line in zip(read_treebank(out, blind=True), printed, strict=True):
            assert set(sentence.words) <= known
            assert f"# text = {line}" in sentence.lines
            assert line.replace(" ", "") == "".join(sentence.words)
        assert not [said for said in complaints(out) if said.startswith(("text-", "missing-", "word-"))]


def test_a_blind_file_is_compressed_with_a_parser(files: Path, tmp_path: Path) -> None:
    source = tmp_path / "x.conllu"
    source.write_text(
        "1\tHello\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\t!\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8"
    )
    assert compress_text(source, files / "compressor", rate=1.0, parser=str(files / "parser")) == "Hello!\n"
    with pytest.raises(InputError, match="sentence 'x-1' has no heads; name a trained parser"):
        compress_text(source, files / "compressor")


def test_summaries_are_sentences_of_the_documents(tmp_path: Path) -> None:
    sentence = 'The iPhone\u2019s e-mail (see http://www.a-b.com/x_y) isn\'t "well-known" in the U.S. Senate...'
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{sentence}\n\nNothing else happened.\n", encoding="utf-8")
    found = summarize_folder(tmp_path, 30)
    assert found.text().splitlines()[0] == sentence
    (tmp_path / "b.txt").write_bytes(sentence.encode("utf-16"))
    assert summarize_folder_error(tmp_path).startswith(f"{tmp_path / 'b.txt'}, line 1: expected text in utf-8")


@pytest.mark.parametrize(
    ("documents", "words", "said"),
    [
        (["The river flooded the town. People left their homes."], 100, "pairs of words that several documents have in common"),
        (["The river flooded the town."] * 2, 3, "its shortest sentence has 5 words, and 3 are allowed"),
        (["The river flooded the town."] * 2, 5, ""),
    ],
)  # fmt: skip
def test_an_empty_summary_says_why(
    documents: list[str], words: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, text in enumerate(documents):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    summary = summarize_folder(tmp_path, words)
    told = capsys.readouterr().err
    assert bool(summary.sentences) == (not said)
    assert told.startswith(f"dualbench: the summary of {tmp_path.name} is empty: " if said else "")
    assert said in told


def summarize_folder_error(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        summarize_folder(folder, 30, encoding="utf-8")
    return str(caught.value)


def test_shortened_sentences_keep_their_spelling() -> None:
    line = "My iPhone can't send a so-called e-mail, John's way."
    (sentence,) = split_text(line, lines=True)
    words = [place for place, word in enumerate([w for w in sentence.words if any(map(str.isalnum, w))], 1)]
    assert shortened(line, sentence.words, words) == line
    assert shortened(line, sentence.words, words[1:]) == "iPhone can't send a so-called e-mail, John's way."
    assert shortened(line, sentence.words, [1, 2, 5, 9, 10, 11]) == "My iPhone send e-mail, John's."


def test_sentences_that_are_no_trees_are_scored_and_counted(model: ParserModel, tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text("# sent_id = good\n" + CYCLE.replace("\t1\tdep", "\t3\tdep") + "# sent_id = bad\n" + CYCLE)
    said: list[str] = []

    class Listener(Watcher):
        def say(self, text: str) -> None:
            said.append(text)

    row = Evaluation(corpus=str(path)).row(model, Listener())
    assert (row["sentences"], row["tokens"]) == (2, 6)
    assert said.pop() == "1 of 2 gold sentences are no trees; their heads are scored like the others."
    trained = read_sentences(str(path), "", "train", None, 1, "", said.append)
    assert [sentence.name for sentence in trained] == ["good"]
    assert said == [f"{path}: 1 of 2 sentences are no trees and left out of training (bad)."]


@pytest.mark.parametrize("scored", [False, True])
def test_experiments_have_sentences_that_are_no_trees(scored: bool, model: ParserModel, tmp_path: Path) -> None:
    home = tmp_path / "treebanks" / "en_ewt"
    home.mkdir(parents=True)
    loop = "1\tA\t_\tNOUN\tNN\t_\t1\tdep\t_\t_\n2\tb\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    (home / "en_ewt-ud-test.conllu").write_text(CYCLE + loop, encoding="utf-8")
    model.write(tmp_path / "p")
    task = get_task("parsing")
    found = list(read_corpus("en_ewt", tmp_path, model=tmp_path / "p" if scored else None))
    assert [instance.gold for instance in found] == [(2, 1, 0), (1, 0)]
    assert task.evaluate(found[0], (2, 3, 0))["UAS"] == pytest.approx(2 / 3)
    task.save(found[0], tmp_path / "x.json")
    assert task.load(tmp_path / "x.json") == found[0]


@pytest.mark.parametrize("treebank", ["en_ewt", "pt_bosque", "cs_cac"])
def test_real_treebanks_are_parsed_valid_and_unchanged(
    treebank: str, model: ParserModel, data_folder: Path, tmp_path: Path
) -> None:
    (path,) = (data_folder / "treebanks" / treebank).glob("*-dev.conllu")
    text = "\n\n".join(path.read_text(encoding="utf-8").split("\n\n")[:120]) + "\n\n"
    out = parsed(text, "x.conllu", model, tmp_path)
    assert complaints(out) == []
    given, found = kept_columns(text), kept_columns(out.read_text(encoding="utf-8"))
    for old, new in zip(given, found, strict=True):
        if "-" not in old[0] and old[4:5] == ["_"]:  # a fine tag that was missing is predicted
            assert new[4] in {fine for _, fine in model.tags}
            new[4] = "_"
    assert given == found
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    blind = ["\t".join([*row[:2], *["_"] * 7, row[9]]) if len(row) > 1 else "" for row in rows]
    out = parsed("\n".join(blind) + "\n", "blind.conllu", model, tmp_path)
    assert complaints(out) == []
    texts = [
        [line for line in each.splitlines() if line.startswith("# text =")]
        for each in (text, out.read_text(encoding="utf-8"))
    ]
    assert texts[0] == texts[1]
    assert all(sentence.heads.count(0) == 1 for sentence in read_treebank(out))


def kept_columns(text: str) -> list[list[str]]:
    """All lines but those of empty nodes, without HEAD, DEPREL and DEPS."""
    rows = [line.split("\t") for line in text.splitlines()]
    return [row[:6] + row[9:] for row in rows if not EMPTY_NODE.fullmatch(row[0])]
