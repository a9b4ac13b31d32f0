"""Reading treebanks: both formats, what is skipped, what is refused, and the counts of every real file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from problems.errors import InputError
from problems.parsing.trees import nonprojective_words, unreachable
from problems.text.conll import is_conll, looks_like_conll, read_treebank, write_treebank

CONLLU = """# sent_id = dev-7
# text = Vamos ao mar
1\tVamos\tir\tVERB\tv\t_\t0\troot\t0:root\t_
2-3\tao\t_\t_\t_\t_\t_\t_\t_\t_
2\ta\ta\tADP\tprp\t_\t4\tcase\t4:case\t_
3\to\to\tDET\tart\t_\t4\tdet\t4:det\t_
4\tmar\tmar\tNOUN\tn\t_\t1\tobl\t1:obl\tSpaceAfter=No
4.1\tfomos\tir\tVERB\tv\t_\t_\t_\t1:conj\t_

# a comment between sentences

1\tSim\tsim\tINTJ\tin\t_\t0\troot\t_\t_
"""
CONLLX = (
    "1\tHan\thun\tP\tPP\t_\t2\tsubj\t_\t_\n2\tgår\tgå\tV\tVA\t_\t0\troot\t_\t_\n3\tnu\t_\tR\tRG\t_\t0\troot\t_\t_\n"
)

# file: sentences, tokens, longest, non-projective sentences, share of non-projective arcs in %; of shared/data/README.md
COUNTS = {
    "en_ewt-ud-train": (12544, 204577, 159, 288, 0.17),
    "en_ewt-ud-dev": (2001, 25147, 75, 31, 0.14),
    "en_ewt-ud-test": (2077, 25094, 81, 26, 0.11),
    "pt_bosque-ud-train": (7018, 171776, 201, 610, 0.50),
    "pt_bosque-ud-dev": (1172, 28447, 132, 102, 0.47),
    "pt_bosque-ud-test": (1167, 27604, 101, 115, 0.53),
    "nl_lassysmall-ud-train": (6641, 88929, 133, 1952, 6.38),
    "nl_lassysmall-ud-dev": (350, 4616, 61, 110, 6.50),
    "nl_lassysmall-ud-test": (350, 4562, 68, 107, 6.14),
    "nl_alpino-ud-dev": (718, 11541, 62, 68, 0.76),
    "nl_alpino-ud-test": (596, 11046, 67, 85, 1.17),
    "da_ddt-ud-dev": (564, 10332, 73, 104, 1.29),
    "da_ddt-ud-test": (565, 10023, 75, 91, 1.11),
    "sl_ssj-ud-dev": (1250, 26500, 232, 152, 0.80),
    "sl_ssj-ud-test": (1282, 25442, 92, 139, 0.75),
    "cs_cac-ud-dev": (603, 10912, 103, 52, 0.58),
    "cs_cac-ud-test": (628, 10862, 84, 73, 0.77),
    "cs_cltt-ud-train": (467, 13894, 332, 45, 0.37),
    "cs_cltt-ud-dev": (316, 10710, 523, 49, 0.59),
    "cs_cltt-ud-test": (338, 11409, 260, 44, 0.50),
    "de_gsd-ud-dev": (799, 12480, 47, 48, 0.42),
    "de_gsd-ud-test": (977, 16499, 63, 93, 0.72),
    "af_afribooms-ud-train": (1315, 33878, 95, 105, 0.41),
    "af_afribooms-ud-dev": (194, 5317, 97, 6, 0.17),
    "af_afribooms-ud-test": (425, 10063, 65, 18, 0.32),
}


def test_conllu_skips_what_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "pt-ud-dev.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    first, second = read_treebank(path)
    assert first.name == "dev-7"
    assert first.words == ("Vamos", "a", "o", "mar")
    assert first.heads == (0, 4, 4, 1)
    assert first.coarse_tags == ("VERB", "ADP", "DET", "NOUN")
    assert first.fine_tags == ("v", "prp", "art", "n")
    assert first.relations == ("root", "case", "det", "obl")
    assert (second.name, second.words) == ("pt-ud-dev-2", ("Sim",))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_conllx_in_latin1_with_several_roots_and_gzip(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "danish.conll.gz"
    path.write_bytes(gzip.compress(CONLLX.replace("\n", ending).encode("latin-1")))
    (sentence,) = read_treebank(path)
    assert sentence.words == ("Han", "går", "nu")
    assert sentence.heads == (2, 0, 0)
    assert sentence.encoding == "latin-1"
    assert capsys.readouterr().err == f"dualbench: {path} is not in UTF-8 and read as latin-1.\n"


@pytest.mark.parametrize("name", ["pt.conllu", "pt.conllu.gz", "danish.conll", "comments.conll"])
def test_one_bad_byte_does_not_make_a_file_latin1(name: str, tmp_path: Path) -> None:
    """In CoNLL-U nothing is latin-1; in CoNLL-X a file with lines in UTF-8 is not."""
    text = CONLLX.replace("nu", "n\xfc")
    if name == "comments.conll":
        text = "# sent_id = 1\n" + CONLLX
    data = text.encode("utf-8").replace("å".encode(), b"\xe5", 1)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    at = 3 if name == "comments.conll" else 2
    with pytest.raises(InputError) as caught:
        list(read_treebank(path))
    assert str(caught.value) == (
        f"{path}, line {at}: expected text in UTF-8; name the file's encoding with --encoding, for example latin-1, "
        "or mixed if its lines differ."
    )
    words = [word for sentence in read_treebank(path, encoding="mixed") for word in sentence.words]
    assert words == ["Han", "g\xe5r", "nu" if name == "comments.conll" else "n\xfc"]
    (sentence,) = read_treebank(path, encoding="latin-1")
    assert sentence.words[1] == "g\xe5r"


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex", "a\0b", "u" * 300])
def test_an_encoding_that_is_none_is_named(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text(CONLLX, encoding="utf-8")
    with pytest.raises(InputError, match="option '--encoding' must be an encoding that Python knows"):
        list(read_treebank(path, encoding=encoding))


def test_a_blind_file_is_for_those_who_ask(tmp_path: Path) -> None:
    path = tmp_path / "blind.conllu"
    path.write_text(CONLLU.replace("\t0\troot", "\t_\t_"), encoding="utf-8")
    with pytest.raises(InputError, match="line 3: the head must be a whole number, not '_'"):
        list(read_treebank(path))
    first, second = read_treebank(path, blind=True)
    assert (first.heads, second.heads) == ((), ())
    assert first.words == ("Vamos", "a", "o", "mar")
    path.write_text(CONLLU.replace("n\t_\t1\tobl", "n\t_\t7\tobl"), encoding="utf-8")
    with pytest.raises(InputError, match="line 7: the head must be from 0 to 4, not 7"):
        list(read_treebank(path, blind=True))


def test_a_byte_order_mark_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_bytes(b"\xef\xbb\xbf" + CONLLX.encode())
    assert next(read_treebank(path)).words[0] == "Han"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("3\to\to", "3 o\to", "line 6: expected 10 columns separated by tabs, not 9"),
        ("3\to\to", "5\to\to", "line 6: the word's number must be 3, not '5'"),
        ("n\t_\t1\tobl", "n\t_\t9\tobl", "line 7: the head must be from 0 to 4, not 9"),
        ("n\t_\t1\tobl", "n\t_\t-1\tobl", "line 7: the head must be a whole number, not '-1'"),
        (
            "n\t_\t1\tobl",
            "n\t_\t_\tobl",
            "line 7: the head must be a whole number, not '_': a gold head is missing; `dualbench parse` reads such files",
        ),
        ("4\tmar\t", "4\t\t", "line 7: the form of '4', in the second column, is empty"),
        ("2-3\tao\t", "2-3\t \t", "line 4: the form of '2-3', in the second column, is empty"),
        ("n\t_\t1\tobl", "n\t_\t+1\tobl", "line 7: the head must be a whole number, not '+1'"),
        ("n\t_\t1\tobl", "n\t_\t\u0661\tobl", "line 7: the head must be a whole number, not '\u0661'"),
        ("in\t_\t0\troot\t_\t_", "in\t_\t0\troot", "line 12: expected 10 columns separated by tabs, not 8"),
    ],
)
def test_a_broken_line_is_named(before: str, after: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.conllu"
    assert before in CONLLU
    path.write_text(CONLLU.replace(before, after), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(read_treebank(path))
    assert str(caught.value) == f"{path}, {said}."


@pytest.mark.parametrize("ending", ["", "\n", "\n\n\n"])
def test_comments_by_themselves_belong_to_the_next_sentence_or_the_last(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    text = "# newdoc\n\n\n# newpar\n\n" + CONLLU + "\n# the end\n\n# sent_id = of none" + ending
    path.write_text(text, encoding="utf-8")
    first, second = read_treebank(path)
    assert first.lines[:3] == ("# newdoc", "# newpar", "# sent_id = dev-7")
    assert first.lines[-1].startswith("4.1\tfomos")
    assert second.lines[0] == "# a comment between sentences"
    assert second.lines[-2:] == ("# the end", "# sent_id = of none")
    assert (first.name, second.name) == ("dev-7", "x-2")
    assert [line for one in (first, second) for line in one.lines] == [line for line in text.split("\n") if line]


@pytest.mark.parametrize("name", ["a.conllu", "a.CONLL", "a.conllx", "a.conll06.gz", "a.b.conll07", "a.conllu.gz"])
def test_names_say_what_is_conll(name: str) -> None:
    assert is_conll(name)
    assert not any(map(is_conll, ("a.txt", "conllu", "a.conllu.txt", "a.conll09")))


def test_columns_say_what_is_conll() -> None:
    for text in (CONLLU, CONLLX, CONLLX.replace("\t2\tsubj", "\t_\t_"), "\n# newdoc\n\n" + CONLLU):
        assert looks_like_conll(text)
    for text in ("", "# 1", "1 a b", CONLLX[2:], CONLLX.replace("\t", " "), CONLLX.replace("\t2\tsubj", "\tx\tsubj")):
        assert not looks_like_conll(text)


def test_files_without_sentences_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_treebank(tmp_path / "missing.conllu"))
    (tmp_path / "empty.conllu").write_text("# nothing\n\n")
    with pytest.raises(InputError, match="no sentence in it"):
        list(read_treebank(tmp_path / "empty.conllu"))
    (tmp_path / "cut.conllu.gz").write_bytes(gzip.compress(CONLLU.encode())[:60])
    with pytest.raises(InputError, match="broken gzip"):
        list(read_treebank(tmp_path / "cut.conllu.gz"))


def test_writing_puts_heads_in_place(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    sentences = list(read_treebank(path))
    write_treebank(tmp_path / "b.conllu", sentences, [(2, 0, 2, 2), (0,)])
    again = list(read_treebank(tmp_path / "b.conllu"))
    assert [sentence.heads for sentence in again] == [(2, 0, 2, 2), (0,)]
    assert "2-3\tao" in (tmp_path / "b.conllu").read_text(encoding="utf-8")
    assert [sentence.words for sentence in again] == [sentence.words for sentence in sentences]


@pytest.mark.parametrize("split", ["dev", "test", pytest.param("train", marks=pytest.mark.slow)])
def test_counts_of_the_real_treebanks(split: str, data_folder: Path) -> None:
    paths = sorted((data_folder / "treebanks").glob(f"*/*-{split}.conllu*"))
    assert {path.name.partition(".")[0] for path in paths} == {name for name in COUNTS if name.endswith(split)}
    for path in paths:
        sentences = list(read_treebank(path))
        trees = [sentence.heads for sentence in sentences if not unreachable(sentence.heads)]
        crossing = [len(nonprojective_words(tree)) for tree in trees]
        tokens = sum(len(sentence.words) for sentence in sentences)
        longest = max(len(sentence.words) for sentence in sentences)
        share = round(100 * sum(crossing) / tokens, 2)
        found = (len(sentences), tokens, longest, sum(count > 0 for count in crossing), share)
        assert found == COUNTS[path.name.partition(".")[0]], path
        assert len(sentences) - len(trees) == (1 if path.name == "nl_lassysmall-ud-train.conllu" else 0), path


def test_a_head_of_thousands_of_digits_is_named_in_short(tmp_path: Path) -> None:
    path = tmp_path / "broken.conllu"
    path.write_text(CONLLU.replace("n\t_\t1\tobl", f"n\t_\t{'9' * 5000}\tobl"), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 7: the head must be a whole number, not '9{10,60}\.\.\.9{10,60}'\.$"):
        list(read_treebank(path))
