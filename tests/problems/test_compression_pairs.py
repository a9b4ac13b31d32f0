"""Alignment of compressions with their sentences, and the readers of pairs."""

from __future__ import annotations

import os
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems.compression.alignment import align, is_word, tokenise
from problems.compression.corpora import ParsedPair, generated_pairs, one_root, parse_pairs, parsed_corpus
from problems.compression.pairs import Pair, read_pairs
from problems.compression.trees import is_subtree
from problems.errors import InputError
from problems.text.sentence import ParsedSentence

DATA = Path(os.environ["DUALBENCH_DATA"])


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("a b c", "a c", (1, 3)),
        ("The mayor resigned, he said.", "the Mayor resigned.", (1, 2, 3, 7)),  # case; the full stop is the last one
        ("a b a b", "a b", (3, 4)),  # a tie goes to the right
        ("a x a b", "a b", (3, 4)),  # one run rather than two
        ("a b c a", "a b c", (1, 2, 3)),
        ("a , b c", "a b ; c", (1, 3, 4)),  # a mark that is not there is left out
        ("Presidents' Day", "Presidents ' Day", (1, 2, 3)),
        ("a b c", "a d", None),
        ("a b c", "c a", None),
        ("it cost 1,200.50 euros", "it cost 1,200.50", (1, 2, 3)),
        (", a", ",", (1,)),
        ("a b", "; a", (1,)),
    ],
)
def test_alignment(source, target, kept):
    assert align(tokenise(source), tokenise(target)) == kept


def all_alignments(source: str, target: str) -> set[tuple[int, int, int, tuple[int, ...]]]:
    """Every alignment of all words and some marks, with its value."""
    found = set()
    marks = [index for index, token in enumerate(target) if not is_word(token)]
    for count in range(len(marks) + 1):
        for gone in combinations(marks, count):
            wanted = [token for index, token in enumerate(target) if index not in gone]
            for kept in combinations(range(1, len(source) + 1), len(wanted)):
                if all(source[place - 1] == token for place, token in zip(kept, wanted, strict=True)):
                    runs = sum(b - a > 1 for a, b in pairwise(kept)) + bool(kept)
                    found.add((len(marks) - count, -runs, sum(kept), kept))
    return found


@settings(max_examples=300)
@given(st.text("ab,", min_size=1, max_size=8), st.text("ab,", min_size=1, max_size=4))
def test_alignment_is_the_best_of_all(source, target):
    options = all_alignments(source, target)
    kept = align(source, target)
    assert (kept is None) == (not options)
    if kept is not None:
        assert kept in {option[3] for option in options if option[:3] == max(options)[:3]}


def write(folder: Path, sentences: list[str], compressions: list[str]) -> Path:
    home = folder / "compression" / "google_eval"
    home.mkdir(parents=True)
    (home / "sentence_en.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    (home / "compression_en.txt").write_text("\n".join(compressions) + "\n", encoding="utf-8")
    return home


def test_google_splits_and_dropped_pairs(tmp_path):
    sentences = [f"Sentence {number} is here." for number in range(1, 1004)]
    compressions = [f"Sentence {number}." for number in range(1, 1004)]
    compressions[1001] = "Another text."
    write(tmp_path, sentences, compressions)
    test, train = (read_pairs("google_eval", tmp_path, split) for split in ("test", "train"))
    assert (len(test.pairs), test.dropped) == (1000, 0)
    assert [pair.name for pair in train.pairs] == ["google-1001", "google-1003"]
    assert train.dropped == 1
    assert train.pairs[0] == Pair("google-1001", ("Sentence", "1001", "is", "here", "."), (1, 2, 5))
    assert read_pairs("google_eval", tmp_path, "train", 2).pairs == train.pairs[:1]


def test_bad_lines_are_named(tmp_path):
    home = write(tmp_path, ["one two", "", "three"], ["one", "two", "three"])
    with pytest.raises(InputError, match=r"sentence_en.txt, line 2: expected a sentence, found an empty line"):
        read_pairs("google_eval", tmp_path, "test")
    (home / "sentence_en.txt").write_text("one two\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"compression_en.txt: 3 lines, expected 1"):
        read_pairs("google_eval", tmp_path, "test")
    (home / "sentence_en.txt").write_bytes(b"\xff\xfe bad")
    with pytest.raises(InputError, match="byte 0 is not UTF-8"):
        read_pairs("google_eval", tmp_path, "test")
    own = tmp_path / "own.tsv"
    own.write_text("a b c\ta c\nno tab here\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own.tsv, line 2: expected a sentence and its compression"):
        read_pairs(str(own), tmp_path)
    with pytest.raises(InputError, match="did you mean 'google_eval'"):
        read_pairs("google_evil", tmp_path)
    with pytest.raises(InputError, match="unknown split 'dev'"):
        read_pairs("google_eval", tmp_path, "dev")


def test_turkcorpus_takes_deletions_only(tmp_path):
    home = tmp_path / "compression" / "turkcorpus"
    home.mkdir(parents=True)
    (home / "test.8turkers.tok.norm").write_text("a b c d\ne f\n", encoding="utf-8")
    for rewriter in range(8):
        texts = {0: "a c d\ne f\n", 1: "a x d\nf\n"}.get(rewriter, "a b c d\ng\n")
        (home / f"test.8turkers.tok.turk.{rewriter}").write_text(texts, encoding="utf-8")
    found = read_pairs("turkcorpus", tmp_path, "test")
    assert found.pairs == [
        Pair("turk-test-1-0", ("a", "b", "c", "d"), (1, 3, 4)),
        Pair("turk-test-2-1", ("e", "f"), (2,)),
    ]


def chain(texts):
    """A stand-in for a parser: every word hangs from the word before it."""
    return [
        ParsedSentence(text, ("X",) * len(text), tuple(range(len(text))), ("root", *["dep"] * (len(text) - 1)))
        for text in texts
    ]


def test_parsed_pairs_and_their_cache(tmp_path, monkeypatch):
    from problems.kernels import cache

    monkeypatch.setattr(cache, "cache_directory", lambda: tmp_path / "kernels")
    pairs = [Pair("one", ("a", "b", "c", "d"), (2, 4))]
    expected = ParsedPair("one", chain([("a", "b", "c", "d")])[0], (2, 4), (0, 2), ("root", "dep"))
    assert parse_pairs(pairs, chain) == [expected]
    parser = tmp_path / "parser.model"
    parser.write_bytes(b"one")
    assert parsed_corpus(pairs, chain, parser) == [expected]
    assert parsed_corpus(pairs, lambda texts: pytest.fail("it is in the cache"), parser) == [expected]
    stored = next((tmp_path / "compression-pairs").iterdir())
    stored.write_bytes(stored.read_bytes()[:20])
    assert parsed_corpus(pairs, chain, parser) == [expected]
    parser.write_bytes(b"another")
    with pytest.raises(ZeroDivisionError):
        parsed_corpus(pairs, lambda texts: [1 / 0], parser)


def test_several_roots_become_one():
    assert one_root((0, 1, 0, 3)) == (0, 1, 1, 3)


def test_generated_pairs_are_the_same_every_time():
    assert generated_pairs([3, 4]) == generated_pairs([3, 4])
    for pair in generated_pairs(range(20)):
        assert pair.heads.count(0) == 1
        assert set(pair.heads) <= {0, *pair.kept}


@pytest.mark.skipif(not (DATA / "compression").is_dir(), reason="no real corpora here")
def test_real_corpora_have_the_known_numbers_of_pairs():
    test = read_pairs("google_eval", DATA, "test")
    assert (len(test.pairs), test.dropped) == (997, 3)
    turk = read_pairs("turkcorpus", DATA, "test")
    assert (len(turk.pairs), len({pair.name.rsplit("-", 1)[0] for pair in turk.pairs})) == (272, 215)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.sets(st.integers(1, 6)))
def test_subtrees_are_what_deleting_subtrees_leaves(drawn, chosen):
    heads = tuple(min(head, word) for word, head in enumerate(drawn))  # heads stand before their modifiers: a forest
    words = range(1, len(heads) + 1)
    kept = {word for word in chosen if word in words}
    below = {word: {other for other in words if word in above(other, heads)} for word in words}
    possible = set()
    for cuts in product((False, True), repeat=len(heads)):
        gone = set().union(*(below[word] for word, cut in zip(words, cuts, strict=True) if cut))
        possible.add(frozenset(words) - gone)
    assert is_subtree(kept, heads) == (frozenset(kept) in possible)


def above(word, heads):
    """A word and its ancestors."""
    found = []
    while word:
        found.append(word)
        word = heads[word - 1]
    return found
