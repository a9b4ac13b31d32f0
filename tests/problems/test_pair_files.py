"""Anyone's files of sentence pairs: both forms, several references, splits, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems.compression.corpora import Gold, ParsedPair, bracketed_pairs, has_trees, parse_pairs, parsed_corpus
from problems.compression.pair_files import read_pair_file
from problems.compression.pairs import Pair, Reading, one_by_one, read_pairs
from problems.errors import InputError
from problems.text.sentence import ParsedSentence
from problems.text.splits import Dealing

TOKENISED = Reading(tokenised=True)


def jsonl(path: Path, *documents: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return path


def pair(name: str, source: Any, *compressions: Any) -> dict[str, Any]:
    return {"id": name, "source": source, "compressions": list(compressions)}


def test_raw_text_is_tokenised_and_tokens_stay_as_they_are(tmp_path: Path) -> None:
    raw = jsonl(tmp_path / "raw.jsonl", pair("a", "Ann's dog --- it barked.", "Ann's dog barked."))
    assert read_pairs(str(raw), tmp_path).pairs == [
        Pair("a", ("Ann", "'", "s", "dog", "-", "-", "-", "it", "barked", "."), (1, 2, 3, 4, 9, 10))
    ]
    words = ["Ann", "'s", "dog", "---", "it", "barked", "."]
    expected = [Pair("a", tuple(words), (1, 2, 3, 6, 7))]
    kept = ["Ann", "'s", "dog", "barked", "."]
    tokens = jsonl(tmp_path / "tokens.jsonl", pair("a", words, kept))
    assert read_pairs(str(tokens), tmp_path).pairs == expected
    spaced = jsonl(tmp_path / "spaced.jsonl", pair("a", " ".join(words), " ".join(kept)))
    assert read_pairs(str(spaced), tmp_path, reading=TOKENISED).pairs == expected
    table = tmp_path / "a.tsv"
    table.write_text(f"{' '.join(words)}\t{' '.join(kept)}\n", encoding="utf-8")
    assert read_pairs(str(table), tmp_path, reading=TOKENISED).pairs == [expected[0]._replace(name="a-1")]


def test_several_references_are_kept_apart_from_those_that_cannot_be_aligned(tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_text("a b c d\ta d\tx y\tb c\ta d\ne f\tg\n", encoding="utf-8")
    found = read_pairs(str(table), tmp_path)
    assert found.pairs == [Pair("own-1", ("a", "b", "c", "d"), (1, 4), ((2, 3),))]  # the same one twice counts once
    assert found.dropped == 2
    assert one_by_one(found.pairs) == [
        Pair("own-1", ("a", "b", "c", "d"), (1, 4)),
        Pair("own-1#2", ("a", "b", "c", "d"), (2, 3)),
    ]


@given(st.lists(st.lists(st.text("abc'-", min_size=1, max_size=4), min_size=1, max_size=6), min_size=1, max_size=5))
def test_what_is_written_is_read(sentences: list[list[str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = jsonl(Path(folder, "p.jsonl"), *(pair(str(n), words, words[:1]) for n, words in enumerate(sentences)))
        found = list(read_pair_file(path))
        assert [list(each.words) for each in found] == sentences
        assert [each.name for each in found] == [str(number) for number in range(len(sentences))]
        table = Path(folder, "p.tsv")
        table.write_text("".join(f"{' '.join(words)}\t{words[0]}\n" for words in sentences), encoding="utf-8")
        assert [each.words for each in read_pair_file(table, True)] == [each.words for each in found]


def three(folder: Path) -> Path:
    for split, start in (("train", 0), ("dev", 10), ("test", 20)):
        rows = [pair(f"{split}-{n}", f"word{n} and more", f"word{n} more") for n in range(start, start + 4)]
        jsonl(folder / f"{split}.jsonl", *rows)
    return folder


def test_a_folder_has_a_file_per_split(tmp_path: Path) -> None:
    home = three(tmp_path / "compression" / "mine")
    for corpus in (str(home), "mine"):  # a path, or a name below the data folder
        for split in ("train", "dev", "test"):
            names = [each.name for each in read_pairs(corpus, tmp_path, split).pairs]
            assert [name.partition("-")[0] for name in names] == [split] * 4
    (home / "test.jsonl").unlink()
    with pytest.raises(
        InputError, match=r"expected a file test.jsonl or test.tsv in this folder, found train.jsonl, dev.jsonl"
    ):
        read_pairs(str(home), tmp_path, "test")
    jsonl(home / "test.jsonl", pair("x", "Word2 and MORE", "more"))
    with pytest.raises(InputError, match=r"test.jsonl: sentence 'x' is in train.jsonl too \('train-2'\)"):
        read_pairs(str(home), tmp_path, "train")
    (home / "test.jsonl").unlink()
    (home / "train.tsv").write_text("a b\ta\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"train.jsonl and train.tsv are both the split 'train'"):
        read_pairs(str(home), tmp_path, "train")


def test_a_file_without_splits_is_dealt_out_by_its_sentences(tmp_path: Path) -> None:
    rows = [pair(str(n), f"word{n % 150} and more", "more") for n in range(300)]
    path = jsonl(tmp_path / "all.jsonl", *rows)
    parts = {}
    for seed in (1, 2):
        reading = Reading(dealing=Dealing(0.3, seed))
        test, train = (
            {each.words for each in read_pairs(str(path), tmp_path, s, None, reading).pairs} for s in ("test", "train")
        )
        assert not test & train
        assert len(test | train) == 150
        assert 25 <= len(test) <= 65
        parts[seed] = test
    assert parts[1] != parts[2]
    assert len(read_pairs(str(path), tmp_path, "test").pairs) == 300  # taken whole where nothing is said
    with pytest.raises(InputError, match="a seeded split has the parts train and test"):
        read_pairs(str(path), tmp_path, "dev", None, Reading(dealing=Dealing(0.3)))
    with pytest.raises(
        InputError, match=r"expected a file test.jsonl or test.tsv in this folder, or the option 'test_share'"
    ):
        read_pairs(str(tmp_path), tmp_path, "test")
    found = read_pairs(str(tmp_path), tmp_path, "test", None, Reading(dealing=Dealing(0.3, 1)))
    assert {each.words for each in found.pairs} == parts[1]
    with pytest.raises(InputError, match="the folder has files of its own splits"):
        read_pairs(str(three(tmp_path / "split")), tmp_path, "test", None, Reading(dealing=Dealing(0.3)))


BAD: dict[str, tuple[str, str]] = {
    "not json": ("{", "line 1: not valid JSON"),
    "no object": ("[1]", "line 1: expected a JSON object"),
    "no source": ('{"compressions": ["a"]}', "field 'source' must be a text or a list of tokens"),
    "no list": ('{"source": "a b", "compressions": "a"}', "field 'compressions' must be a list"),
    "no compression": ('{"source": "a b", "compressions": []}', "field 'compressions' must be a list"),
    "number": ('{"source": "a b", "compressions": [3]}', "but compression 1 is a value of another kind"),
    "mixed": ('{"source": ["a", "b"], "compressions": [["a"], "a"]}', "but compression 2 is a text: expected all raw"),
    "space": ('{"source": ["a b"], "compressions": [["a"]]}', "tokens without white space, not 'a b'"),
    "empty token": ('{"source": ["a", ""], "compressions": [["a"]]}', "tokens without white space, not ''"),
    "no words": ('{"source": " ", "compressions": ["a"]}', "the sentence has no words"),
    "empty compression": ('{"source": "a b", "compressions": ["a", ""]}', "compression 2 has no words"),
    "id": ('{"id": ["a"], "source": "a b", "compressions": ["a"]}', "field 'id' must be a text"),
    "twice": (
        '{"id": 1, "source": "a b", "compressions": ["a"]}\n{"id": "1", "source": "a c", "compressions": ["a"]}',
        "line 2: field 'id' is '1', which line 1 has already",
    ),
    "surrogate": ('{"source": "a \\ud800x", "compressions": ["a"]}', "half a character"),
    "blank": (
        '{"source": "a b", "compressions": ["a"]}\n\n{"source": "a c", "compressions": ["a"]}',
        "line 2: expected a sentence",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named(case: str, tmp_path: Path) -> None:
    text, said = BAD[case]
    path = tmp_path / "bad.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_pairs(str(path), tmp_path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}, line ")
    assert "\n" not in str(error.value)


def chain(texts: Any) -> list[ParsedSentence]:
    """A stand-in for a parser: every word hangs from the word before it."""
    return [
        ParsedSentence(text, ("X",) * len(text), tuple(range(len(text))), ("root", *["dep"] * (len(text) - 1)))
        for text in texts
    ]


def test_every_reference_is_parsed_and_kept_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from problems.kernels import cache

    monkeypatch.setattr(cache, "cache_directory", lambda: tmp_path / "kernels")
    pairs = [Pair("one", ("a", "b", "c", "d"), (2, 4), ((1, 3, 4),)), Pair("two", ("e", "f"), (1,))]
    (one, two) = parse_pairs(pairs, chain)
    assert one.references == (
        Gold((2, 4), (0, 2), ("root", "dep")),
        Gold((1, 3, 4), (0, 1, 3), ("root", "dep", "dep")),
    )
    assert two == ParsedPair("two", chain([("e", "f")])[0], (1,), (0,), ("root",))
    parser = tmp_path / "parser.model"
    parser.write_bytes(b"one")
    assert parsed_corpus(pairs, chain, parser) == [one, two]
    assert parsed_corpus(pairs, lambda texts: pytest.fail("it is in the cache"), parser) == [one, two]


SOURCE = "(ROOT (S (NP (DT The) (JJ old) (NN bridge)) (, ,) (VP (VBD fell) (PP (IN on) (NP (NNP Monday)))) (. .)))"
CLAUSE = "(S (NP (NN bridge)) (VP (VBD fell)))"
TARGET = "(ROOT (S (NP (DT the) (NN bridge)) (VP (VBD fell)) (. !)))"


def test_trees_in_brackets_take_the_place_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    row = {"id": "a", "tree": SOURCE, "trees": [TARGET, "(S (NP (DT a)))", CLAUSE]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    found = read_pairs(str(path), tmp_path)
    (one,) = found.pairs
    assert (one.words[3], one.kept, one.others, found.dropped) == (",", (1, 3, 5), ((3, 5),), 1)
    assert one.trees == (SOURCE, TARGET, CLAUSE)  # those of the references that could be aligned
    assert [each.trees for each in one_by_one([one])] == [(SOURCE, TARGET), (SOURCE, CLAUSE)]
    (parsed,) = bracketed_pairs([one])
    assert parsed.sentence.tags == ("DT", "JJ", "NN", ",", "VBD", "IN", "NNP", ".")
    assert parsed.sentence.heads == (3, 3, 5, 5, 0, 5, 6, 5)
    assert parsed.sentence.labels == ("DT", "JJ", "NP", ",", "ROOT", "PP", "NP", ".")
    assert (parsed.heads, parsed.labels) == ((3, 5, 0), ("DT", "NP", "ROOT"))  # the mark that was not found is left out
    assert parsed.others[0][:2] == ((3, 5), (5, 0))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"tree": SOURCE, "compressions": ["The bridge fell"]}, "cannot both be given"),
        ({"tree": SOURCE}, "field 'trees' must be a list"),
        ({"tree": SOURCE, "trees": [3]}, "must have texts in brackets"),
        ({"tree": "(S (NP", "trees": [TARGET]}, "2 brackets are not closed"),
        ({"tree": "(" * 300 + "A" + ")" * 300, "trees": [TARGET]}, "300 levels, expected at most 200"),
    ],
)
def test_broken_trees_are_refused(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_pairs(str(path), tmp_path)


def test_all_pairs_have_trees_or_none(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    rows = [{"tree": SOURCE, "trees": [TARGET]}, {"source": "It fell .", "compressions": ["It fell"]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="'own-2' has no tree, but others do"):
        has_trees(read_pairs(str(path), tmp_path).pairs)
