"""The language model: against a slow model with dictionaries, as a distribution, and through ARPA files."""

from __future__ import annotations

import gzip
import math
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_ngram import SlowModel

from problems.errors import InputError
from problems.language import NgramModel, bigram_table, estimate, read_arpa, trigram_table, write_arpa
from problems.language.estimate import FALLBACK, discounts

Sentences = list[list[str]]
texts = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", "<unk>"]), max_size=6), min_size=1, max_size=12)


def zipf_text(seed: int, sentences: int = 300, vocabulary: int = 60) -> Sentences:
    random = np.random.default_rng(seed)
    shares = 1.0 / np.arange(1, vocabulary + 1)
    drawn = random.choice(vocabulary, size=(sentences, 9), p=shares / shares.sum())
    return [[f"w{word}" for word in row[: random.integers(1, 10)]] for row in drawn.tolist()]


def every_context(model: NgramModel) -> list[tuple[str, ...]]:
    """All contexts that can occur, seen or not: `</s>` ends a sentence, and `<s>` only begins it."""
    words = [word for word in model.vocabulary if word not in ("<s>", "</s>")]
    starts = ["<s>", *words]
    return [(), *((word,) for word in starts), *product(starts, words)]


@settings(max_examples=60, deadline=None)
@given(texts, st.sampled_from([1, 2, 3]))
def test_probabilities_are_those_of_the_definition(sentences: Sentences, order: int) -> None:
    model, slow = estimate(sentences, order), SlowModel(sentences, order)
    for context in every_context(model):
        for word in slow.words:
            expected = slow.probability(word, context)
            assert math.exp(model.log_probability(word, context)) == pytest.approx(expected, rel=1e-12)


def test_natural_counts_have_discounts_of_their_own() -> None:
    """Without this the tests above might only ever see the fallback."""
    sentences = zipf_text(0)
    model, slow = estimate(sentences), SlowModel(sentences, 3)
    assert all(slow.discounts[order] != list(FALLBACK) for order in (2, 3))
    random = np.random.default_rng(1)
    words = [*slow.words, "<s>"]
    for _ in range(3000):
        u, v, w = (words[number] for number in random.integers(len(words), size=3))
        if "<s>" not in (v, w):
            assert math.exp(model.log_probability(w, (u, v))) == pytest.approx(slow.probability(w, (u, v)), rel=1e-12)


def test_discounts_by_hand() -> None:
    """n1 = 4, n2 = 2, n3 = 1, n4 = 1: Y = 1/2; 1 - 2Y/2, 2 - 3Y/2, 3 - 4Y."""
    assert discounts(np.array([1, 1, 1, 1, 2, 2, 3, 4])).tolist() == [0.5, 1.25, 1.0]
    assert discounts(np.array([1, 1, 2])).tolist() == list(FALLBACK)
    assert discounts(np.array([1, 2, 3, 3, 3, 3, 3])).tolist() == list(FALLBACK)  # D2 would be negative


@settings(max_examples=60, deadline=None)
@given(texts, st.sampled_from([1, 2, 3]))
def test_every_context_sums_to_one(sentences: Sentences, order: int) -> None:
    model = estimate(sentences, order)
    every = np.arange(len(model.vocabulary))
    for context in every_context(model):
        first, second = ([-1, -1, *model.encode(context).tolist()])[-2:]
        logs = model.score(np.full(len(every), first), np.full(len(every), second), every)
        assert np.exp(logs).sum() == pytest.approx(1.0, abs=1e-12)
        assert logs[model.numbers["<s>"]] == -np.inf
        assert np.isfinite(np.delete(logs, model.numbers["<s>"])).all()


def test_vocabulary_makes_unknown_words() -> None:
    model = estimate([["a", "x"], ["a", "y"], ["b"]], vocabulary={"a", "b"})
    same = estimate([["a", "<unk>"], ["a", "<unk>"], ["b"]])
    assert model.vocabulary == same.vocabulary
    assert model.log_probability("never seen", ("a",)) == same.log_probability("<unk>", ("a",))


def test_sentence_is_the_sum_of_its_words() -> None:
    model = estimate(zipf_text(2))
    parts = [("w0", ["<s>"]), ("w3", ["<s>", "w0"]), ("w1", ["w0", "w3"]), ("</s>", ["w3", "w1"])]
    expected = sum(model.log_probability(word, context) for word, context in parts)
    assert model.sentence(["w0", "w3", "w1"]) == pytest.approx(expected)


def test_tables_score_what_is_left_of_a_sentence() -> None:
    model = estimate(zipf_text(3))
    words = ["w4", "w0", "new", "w1", "w0"]
    trigrams = trigram_table(model, words)
    assert trigrams.shape == (7, 7, 7)
    for kept in ([1, 2, 3, 4, 5], [2, 4], [5]):
        path = [0, 0, *kept, 6]
        total = sum(trigrams[path[at], path[at + 1], path[at + 2]] for at in range(len(path) - 2))
        assert total == pytest.approx(model.sentence([words[word - 1] for word in kept]))
    bigrams = bigram_table(model, words)
    assert bigrams[2, 4] == model.log_probability("w1", ["w0"])
    assert bigrams[0, 6] == model.log_probability("</s>", ["<s>"])
    assert not np.tril(bigrams).any()


@pytest.mark.parametrize("name", ["model.arpa", "model.arpa.gz"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_arpa_there_and_back(tmp_path: Path, name: str, order: int) -> None:
    model = estimate(zipf_text(4), order)
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name)
    assert again.vocabulary == model.vocabulary
    for one, two in zip(again.words + again.starts, model.words + model.starts, strict=True):
        assert np.array_equal(one, two)
    for one, two in zip(
        again.log_probabilities + again.back_offs, model.log_probabilities + model.back_offs, strict=True
    ):
        assert np.allclose(one, two, rtol=1e-11, atol=1e-11)
    assert (tmp_path / name).read_bytes()[:2] == (b"\x1f\x8b" if name.endswith("gz") else b"\\d")


ARPA = """made by hand

\\data\\
ngram 1=4
ngram 2=3
ngram 3=1

\\1-grams:
-99\t<s>\t-0.5
-1\t</s>
-0.4 a -0.25
-0.7\tb\t-0.125

\\2-grams:
-0.3\t<s> a\t-0.0625
-0.2\ta b
-0.6\tb a

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


def test_arpa_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "hand.arpa"
    path.write_text(ARPA)
    model = read_arpa(path)
    ten = math.log(10)
    for word, context, expected in [
        ("b", ("<s>", "a"), -0.1),
        ("a", ("<s>", "a"), -0.0625 - 0.25 - 0.4),  # no bigram `a a`
        ("a", ("a", "b"), -0.6),
        ("</s>", ("a", "b"), -0.125 - 1),
        ("b", ("<s>",), -0.5 - 0.7),
        ("strange", (), -100),
    ]:
        assert model.log_probability(word, context) == pytest.approx(expected * ten), (word, context)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("\\data\\", "data", 23, "not an ARPA file"),
        ("ngram 2=3", "ngram 4=3", 5, "expected the count of 2-grams"),
        ("ngram 2=3", "ngram 2=2", 19, "2 2-grams were announced, but there are 3"),
        ("-0.2\ta b", "-0.2\ta c", 16, "word 'c' has no unigram"),
        ("-0.2\ta b", "0.2\ta b", 16, "above 0"),
        ("-0.2\ta b", "x\ta b", 16, "finite number, found 'x'"),
        ("-0.2\ta b", "-0.2\tb a", 17, "is there twice"),
        ("-0.2\ta b", "-0.2\ta", 16, "2 words"),
        ("-0.1\t<s> a b", "-0.1\ta a b", 20, "has no 2-gram 'a a'"),
        ("\\2-grams:", "\\3-grams:", 14, r"expected '\\2-grams:'"),
        ("\\end\\", "", 23, "found the end of the file"),
        ("-1\t</s>", "-1\tc", 22, "no unigram '</s>'"),
    ],
)
def test_broken_arpa_names_file_and_line(tmp_path: Path, old: str, new: str, line: int, why: str) -> None:
    path = tmp_path / "broken.arpa"
    path.write_text(ARPA.replace(old, new))
    with pytest.raises(InputError, match=why) as error:
        read_arpa(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")


def test_broken_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.arpa.gz"
    path.write_bytes(gzip.compress(ARPA.encode())[:40])
    with pytest.raises(InputError, match="broken gzip"):
        read_arpa(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_arpa(tmp_path / "none.arpa")


@pytest.mark.parametrize("sentences", [[], [["a b"]], [["<s>"]], [[""]]])
def test_text_that_cannot_be_modelled_is_refused(sentences: Sentences) -> None:
    with pytest.raises(InputError):
        estimate(sentences)


@pytest.mark.parametrize("order", [0, 4])
def test_orders_out_of_range_are_refused(order: int) -> None:
    with pytest.raises(InputError, match="order"):
        estimate([["a"]], order)


@pytest.mark.parametrize("count", ["9" * 5000, str(2**63), "\u0664"], ids=["digits", "64 bits", "other digits"])
def test_counts_that_no_file_has(tmp_path: Path, count: str) -> None:
    path = tmp_path / "forged.arpa"
    path.write_text(ARPA.replace("ngram 1=4", f"ngram 1={count}"), encoding="utf-8")
    assert count in path.read_text(encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_arpa(path)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("number", ["-1e308", "1e308", "nan", "inf", "9" * 5000], ids=lambda text: text[:6])
def test_numbers_beyond_use(tmp_path: Path, number: str) -> None:
    path = tmp_path / "forged.arpa"
    write_arpa(estimate([["a", "b"]], 2), path)
    path.write_text(re.sub(r"(\ta\t)\S+", rf"\g<1>{number}", path.read_text(), count=1))
    with pytest.raises(InputError, match="expected a finite number, found"):
        read_arpa(path)
