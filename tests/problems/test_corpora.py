"""Reading real corpora: a made-up one in the same form, the real ones where present, and what is said of missing files."""

from __future__ import annotations

import itertools
import math
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.extraction.corpora import from_sentences
from problems.text.splitting import is_date, sentences_of, tokens_of
from solvers import get_solver

TASK = get_task("extraction")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met George W. Bush. Then he left.", ["He met George W. Bush.", "Then he left."]),
        ("The U.S. Senate sat. In the U.S. The law", ["The U.S. Senate sat.", "In the U.S.", "The law"]),
        ("On Dec. 4 it rose 3.5. Analysts agreed.", ["On Dec. 4 it rose 3.5.", "Analysts agreed."]),
        ('"It is chaos." They said no. Nobody came.', ['"It is chaos."', "They said no.", "Nobody came."]),
        (
            "At 5 p.m. Monday Gen. Lee, Sgt. Low and Mr. Ott met.",
            ["At 5 p.m. Monday Gen. Lee, Sgt. Low and Mr. Ott met."],
        ),
        (
            '"What?" he asked. So did I. Who knew... Nobody?',
            ['"What?" he asked.', "So did I.", "Who knew...", "Nobody?"],
        ),
        ("See wikinews.org. More (really.) Then.", ["See wikinews.org.", "More (really.)", "Then."]),
        ("It cost 12 ft. of rope! 7 men held it.", ["It cost 12 ft. of rope!", "7 men held it."]),
        ("He joined Acme Inc. in May. She did not.", ["He joined Acme Inc. in May.", "She did not."]),
        ("  one\n two\tthree ", ["one two three"]),
        ("", []),
        (" \n", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences_of(text) == expected


@given(st.text(alphabet="abI .!?\"'U.S.Mr\n(”“", max_size=60))
def test_splitting_loses_no_word(text: str) -> None:
    parts = sentences_of(text)
    assert " ".join(parts).split() == text.split()
    assert all(part == " ".join(part.split()) and part for part in parts)


@pytest.mark.parametrize(
    "text", ["." * 10**5, "a" * 10**5 + ". B", "A. " * 10**5, "a.'" * 10**5, ".)" * 10**5, "x. B" * 10**5]
)
def test_splitting_takes_linear_time(text: str) -> None:
    """Seconds where time is quadratic in a paragraph, a word or a row of periods."""
    start = time.process_time()
    assert " ".join(sentences_of(text)).split() == text.split()
    assert time.process_time() - start < 5.0


def test_tokens_and_dates() -> None:
    tokens = tokens_of("It's 3.5 million, well-known (U.S.).")
    assert " ".join(tokens) == "It's 3.5 million , well-known ( U.S . ) ."
    assert is_date("Saturday, January 8, 2005")
    assert is_date(" January 8 2005 ")
    assert not is_date("On January 8, 2005 it rained")


def multiling(folder: Path) -> Path:
    """Ten topics of ten documents: topic t has the fact "river floods" in t + 1 documents."""
    home = folder / "summarization" / "multiling2011"
    (home / "SourceTexts").mkdir(parents=True)
    (home / "Model_Summaries" / "English").mkdir(parents=True)
    for topic in range(10):
        for document in range(10):
            fact = "The river floods Ghent." if document <= topic else "Nothing happens."
            text = (
                f"Headline river floods\n\nFriday, May {document + 1}, 2009\n\n{fact} It is noted in No. {document}.\n"
            )
            (home / "SourceTexts" / f"M00{topic}{document}.english").write_text(text, encoding="utf-8")
        for author in "ABC":
            path = home / "Model_Summaries" / "English" / f"M00{topic}.{author}.250"
            path.write_text(f"The river floods Ghent. {author} said so.\n", encoding="utf-8")
    return folder


def test_news_topics(tmp_path: Path) -> None:
    instances = list(TASK.read_corpus("multiling2011", multiling(tmp_path)))
    assert [instance.name for instance in instances] == [f"multiling2011-M00{topic}" for topic in range(10)]
    third = instances[2]
    assert third.budget == 250
    assert third.texts[:2] == ("The river floods Ghent.", "It is noted in No. 0.")
    assert len(third.texts) == 20, "neither headlines nor dates are sentences"
    assert third.lengths[:2] == (4, 6)
    assert third.references == tuple(("The river floods Ghent.", f"{author} said so.") for author in "ABC")
    scores = {concept.name: concept for concept in third.concepts}
    river = scores["river flood"]
    assert river.sentences == (0, 2, 4)
    assert river.score == pytest.approx(math.sqrt(3) * 1.25)  # three documents, first sentence, two content words
    assert scores["the river"].score == pytest.approx(math.sqrt(3) * 0.8 * 1.25)
    assert "headlin river" not in scores
    assert not any(concept.name == "river flood" for concept in instances[0].concepts), "one document is no concept"
    solution = get_solver("ilp-highs").solve(third)
    assert TASK.evaluate(third, solution.structure)["ROUGE-1"] > 0.3


def test_limits_are_lazy(tmp_path: Path) -> None:
    folder = multiling(tmp_path)
    (folder / "summarization" / "multiling2011" / "SourceTexts" / "M0015.english").unlink()
    assert len(list(TASK.read_corpus("multiling2011", folder, limit=1))) == 1
    with pytest.raises(InputError, match=r"M0015.english: no such file; expected document 5 of topic M001"):
        list(TASK.read_corpus("multiling2011", folder, limit=2))


def test_a_missing_reference_is_named(tmp_path: Path) -> None:
    folder = multiling(tmp_path)
    (folder / "summarization" / "multiling2011" / "Model_Summaries" / "English" / "M000.B.250").unlink()
    with pytest.raises(InputError, match=r"M000.B.250: no such file; expected reference summary B of topic M000"):
        list(TASK.read_corpus("multiling2011", folder))


def opinosis(folder: Path) -> Path:
    home = folder / "summarization" / "opinosis"
    (home / "topics").mkdir(parents=True)
    for topic in ("battery", "zoom"):
        lines = b"The battery life is great .\r\n\r\n Battery life isn\x92t long .\r\nA caf\xe9 .\r\n"
        (home / "topics" / f"{topic}.txt.data").write_bytes(lines)
        gold = home / "summaries-gold" / topic
        gold.mkdir(parents=True)
        for number in (1, 2):
            (gold / f"{topic}.{number}.gold").write_bytes(b"Great battery life.  \r\nNot for all.\r\n")
    return folder


def test_opinion_topics(tmp_path: Path) -> None:
    first, second = TASK.read_corpus("opinosis", opinosis(tmp_path))
    assert (first.name, second.name) == ("opinosis-battery", "opinosis-zoom")
    assert first.budget == 25
    assert first.texts == ("The battery life is great .", "Battery life isn\u2019t long .", "A café .")
    assert first.lengths == (6, 5, 3)
    assert first.references == (("Great battery life.", "Not for all."),) * 2
    (shared,) = [concept for concept in first.concepts if concept.name == "batteri life"]
    assert shared.sentences == (0, 1)
    assert shared.score == pytest.approx(math.sqrt(2) * 1.25)  # each sentence counts as a document
    gold = tmp_path / "summarization" / "opinosis" / "summaries-gold" / "zoom"
    for path in gold.iterdir():
        path.unlink()
    with pytest.raises(InputError, match=r"zoom.1.gold: no such file; expected a reference summary of topic zoom"):
        list(TASK.read_corpus("opinosis", tmp_path))


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown corpus 'opinoses' of task 'extraction': did you mean 'opinosis'"):
        TASK.read_corpus("opinoses", tmp_path)
    with pytest.raises(
        InputError,
        match=r"opinosis: no such folder; expected the corpus 'opinosis' there; get it with `dualbench data get opinosis`",
    ):
        TASK.read_corpus("opinosis", tmp_path)
    with pytest.raises(InputError, match="corpus 'opinosis' has no splits, but split 'test' is asked for"):
        TASK.read_corpus("opinosis", tmp_path, split="test")
    with pytest.raises(InputError, match="takes no model"):
        TASK.read_corpus("opinosis", tmp_path, model="weights.npz")
    with pytest.raises(InputError, match="limit on a corpus must be a whole number of at least 1, not 0"):
        TASK.read_corpus("opinosis", tmp_path, limit=0)
    with pytest.raises(InputError, match="task 'summarization' reads no corpora"):
        get_task("summarization").read_corpus("opinosis", tmp_path)
    (tmp_path / "summarization" / "opinosis" / "topics").mkdir(parents=True)
    with pytest.raises(InputError, match=r"topics: no file \*.txt.data; expected one per topic"):
        list(TASK.read_corpus("opinosis", tmp_path))


def test_concepts_are_where_they_say() -> None:
    """Against a plain re-count: a concept occurs in a sentence if its two stems follow one another there."""
    from problems.text.words import stem

    documents = [["Rain fell on Ghent.", "Dry, rain fell."], ["Heavy rain fell on us.", "Rain, fell."]]
    instance = from_sentences("made", documents, [], 10)
    sentences = [sentence for document in documents for sentence in document]
    for concept in instance.concepts:
        first, second = concept.name.split()
        found = []
        for index, sentence in enumerate(sentences):
            tokens = [stem(token) for token in tokens_of(sentence)]
            if (first, second) in itertools.pairwise(tokens):
                found.append(index)
        assert concept.sentences == tuple(found)
    assert {concept.name for concept in instance.concepts} == {"rain fell", "fell on"}


def test_the_real_multiling(data_folder: Path) -> None:
    instances = list(TASK.read_corpus("multiling2011", data_folder))
    assert len(instances) == 10
    words = [sum(instance.lengths) for instance in instances]
    assert 3400 < sum(words) / 10 < 3606, "all words but those of headlines and dates (see the data's README)"
    for instance in instances:
        assert all(241 <= sum(len(line.split()) for line in reference) <= 250 for reference in instance.references)
        assert len(instance.references) == 3
        assert not any(is_date(text) for text in instance.texts)
    solution = get_solver("ilp-highs").solve(instances[0])
    assert solution.status == "optimal"
    assert sum(instances[0].lengths[index] for index in solution.structure) <= 250
    assert TASK.evaluate(instances[0], solution.structure)["ROUGE-2"] > 0.1


def test_the_real_opinosis(data_folder: Path) -> None:
    instances = list(TASK.read_corpus("opinosis", data_folder))
    assert len(instances) == 51
    assert sum(len(instance.references) for instance in instances) == 238
    assert sum(len(instance.lengths) for instance in instances) / 51 == pytest.approx(138.9, abs=0.05)
    assert not any("\ufffd" in text for instance in instances for text in instance.texts)
