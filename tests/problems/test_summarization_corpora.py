"""Parsed topics in the cache, and sentence pairs of google_eval: made-up data in the same form, and the real one where present."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest

from problems.errors import InputError
from problems.summarization.compression_corpus import google_pairs
from problems.summarization.corpora import Unparsed, flat_tree, parsed_sentences, parsed_topic
from problems.summarization.words import word_places
from problems.text.sentence import ParsedSentence
from problems.text.topics import Topic, read_topics


class Counting(Unparsed):
    """A parser that counts what it is asked for."""

    def __init__(self, fingerprint: str = "counting") -> None:
        self.fingerprint = fingerprint
        self.calls = 0

    def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
        self.calls += 1
        return super().parse(sentences)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("problems.kernels.cache.cache_directory", lambda: tmp_path / "kernels")
    return tmp_path / "parsed"


def test_topics_are_parsed_once(own_cache: Path) -> None:
    topic = Topic("rain", (("It rained.", "..."), (), ("It pours, Ana said.",)), (("It rained.",),))
    parser = Counting()
    first = parsed_topic(topic, parser)
    assert parser.calls == 1
    assert parsed_topic(topic, parser) == first
    assert parser.calls == 1, "from the cache"
    assert [len(document) for document in first.documents] == [2, 0, 1]
    assert first.documents[2][0].words == ("It", "pours", ",", "Ana", "said", ".")
    assert first.references == topic.references
    parsed_topic(topic, Counting("another model"))
    assert len(list(own_cache.iterdir())) == 2, "another parser is another entry"
    for path in own_cache.iterdir():
        path.write_bytes(gzip.compress(b'[[["It"')[:-3])
    assert parsed_topic(topic, parser) == first
    assert parser.calls == 2, "a file that was cut off is made again"


def test_a_parser_must_answer_for_every_sentence() -> None:
    class Lazy(Unparsed):
        fingerprint = "lazy"

        def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
            return []

    with pytest.raises(InputError, match="returned 0 trees for 1 sentences"):
        parsed_sentences(["It rained."], Lazy())


def test_flat_trees() -> None:
    assert flat_tree(("a", "b", "c")).heads == (0, 1, 1)
    assert flat_tree(()) == ParsedSentence((), (), (), ())


def google(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    home = folder / "compression" / "google_eval"
    home.mkdir(parents=True)
    filled = [("The test set.", "Test.")] * 1000 + pairs
    (home / "sentence_en.txt").write_text("\n".join(source for source, _ in filled) + "\n", encoding="utf-8")
    (home / "compression_en.txt").write_text("\n".join(target for _, target in filled) + "\n", encoding="utf-8")
    return folder


def test_pairs_leave_the_test_set_alone(tmp_path: Path) -> None:
    pairs = [
        ("On Friday, it rained hard.", "It rained."),
        ("It snowed.", "It hailed."),
        ("Mr Ott left us.", "Ott left."),
    ]
    found = google_pairs(google(tmp_path, pairs), Unparsed(), 10)
    assert [(pair.name, pair.kept) for pair in found] == [("google-1001", (3, 4)), ("google-1003", (2, 3))]
    assert [pair.name for pair in google_pairs(tmp_path, Unparsed(), 1)] == ["google-1001"]
    path = tmp_path / "compression" / "google_eval" / "compression_en.txt"
    path.write_text("It rained.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"compression_en.txt: 1 lines, expected 1003, one per sentence"):
        google_pairs(tmp_path, Unparsed(), 1)
    path.unlink()
    with pytest.raises(InputError, match=r"compression_en.txt: no such file"):
        google_pairs(tmp_path, Unparsed(), 1)


def test_real_pairs_are_nearly_all_subsequences(data_folder: Path) -> None:
    found = google_pairs(data_folder, Unparsed(), 100)
    assert len(found) >= 95
    for pair in found:
        assert len(pair.kept) <= len(word_places(pair.sentence.words))


def test_real_topics(data_folder: Path) -> None:
    topic = next(iter(read_topics("multiling2011", data_folder)))
    assert len(topic.documents) == 10
    assert len(topic.references) == 3
    with pytest.raises(InputError, match="unknown corpus of topics 'duc'"):
        read_topics("duc", data_folder)
