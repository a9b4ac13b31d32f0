"""Anyone's topics: three layouts, plain text and markup, word limits, splits, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems import get_task
from problems.errors import InputError
from problems.text.markup import is_marked_up, paragraphs_of
from problems.text.splits import Dealing
from problems.text.topic_folders import Topic, TopicReading, common_limit, is_topic_corpus, own_topics
from problems.text.topics import read_topics

NEWS = """<DOC id="XIN_ENG_20041113.0001" type="story" >
<DOCNO> XIN_ENG_20041113.0001 </DOCNO>
<HEADLINE>
Bridge closed
</HEADLINE>
<DATELINE> LONDON, Nov. 13 </DATELINE>
<TEXT>
<P>
The minister closed the old
bridge on Monday.  Nobody was hurt.
</P>
<P>
Johnson &AMP; Sons built it in 1901, the agency said.
</P>
</TEXT>
</DOC>
"""
SENTENCES = (
    "The minister closed the old bridge on Monday.",
    "Nobody was hurt.",
    "Johnson & Sons built it in 1901, the agency said.",
)


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def plain(home: Path, *names: str, references: int = 2) -> Path:
    for name in names:
        put(home / name / "documents" / "one.txt", f"The bridge of {name} fell\ndown. It was old.\n\nNobody came.\n")
        put(home / name / "documents" / "two.txt", f"People saw {name}.")
        for number in range(references):
            put(
                home / name / "references" / f"{number}.txt",
                f"The bridge of {name} fell.\nNobody came to see {number}.\n",
            )
    return home


def test_a_folder_per_topic(tmp_path: Path) -> None:
    found = list(own_topics(plain(tmp_path, "beta", "alpha"), "test"))
    assert [topic.name for topic in found] == ["alpha", "beta"]
    assert found[0] == Topic(
        "alpha",
        (("The bridge of alpha fell down.", "It was old.", "Nobody came."), ("People saw alpha.",)),
        (
            ("The bridge of alpha fell.", "Nobody came to see 0."),
            ("The bridge of alpha fell.", "Nobody came to see 1."),
        ),
    )
    assert common_limit(found) == 10  # the mean length of the references
    put(tmp_path / "words.txt", "25\n")
    assert {topic.words for topic in own_topics(tmp_path, "test")} == {25}
    by_lines = next(own_topics(tmp_path, "test", TopicReading(lines=True)))
    assert by_lines.documents[0] == ("The bridge of alpha fell", "down. It was old.", "Nobody came.")


def tac(home: Path) -> Path:
    """As TAC 2008 has it: two sets of documents of one docset, and peers beside the models."""
    for update in "AB":
        put(
            home / "docs" / "D0801A" / f"D0801A-{update}" / f"XIN_ENG_{update}.0001",
            NEWS.replace("Nobody", f"Nobody {update}"),
        )
        for author in "CD":
            put(
                home / "models" / f"D0801-{update}.M.100.A.{author}",
                f"The bridge was closed, {author} said of {update}.\n",
            )
    put(home / "peers" / "D0801-A.M.100.A.14", "A system's summary.")
    return home


def test_the_layout_of_tac(tmp_path: Path) -> None:
    one, two = own_topics(tac(tmp_path), "test")
    assert (one.name, two.name) == ("D0801-A", "D0801-B")
    assert one.documents == ((SENTENCES[0], "Nobody A was hurt.", SENTENCES[2]),)
    assert one.references == tuple((f"The bridge was closed, {author} said of A.",) for author in "CD")
    assert common_limit([one, two]) == 100


def test_the_layout_of_duc(tmp_path: Path) -> None:
    put(tmp_path / "docs" / "d30001t" / "APW19981016.0240", NEWS)
    put(
        tmp_path / "eval" / "models" / "D30001.M.100.T.A",
        '<SUM DOCSET="d30001t" SIZE="100">\nThe bridge\nwas closed.\n</SUM>\n',
    )
    (topic,) = own_topics(tmp_path, "test")
    assert topic == Topic("D30001", (SENTENCES,), (("The bridge was closed.",),), 100)


def test_the_layout_of_multiling(tmp_path: Path) -> None:
    for number in range(2):
        put(
            tmp_path / "SourceTexts" / f"M000{number}.english",
            f"2005-01-08 A headline\n\nThe flood number {number} came.\n",
        )
    put(tmp_path / "Model_Summaries" / "English" / "M000.A.250", "A flood came.\n")
    (topic,) = own_topics(tmp_path, "test")
    documents = (("The flood number 0 came.",), ("The flood number 1 came.",))
    assert topic == Topic("M000", documents, (("A flood came.",),), 250)


def test_the_real_multiling_by_its_path_is_that_by_its_name(data_folder: Path) -> None:
    named = list(read_topics("multiling2011", data_folder))
    by_path = list(read_topics(str(data_folder / "summarization" / "multiling2011"), data_folder))
    assert [f"multiling2011-{topic.name}" for topic in by_path] == [topic.name for topic in named]
    assert [topic.references for topic in by_path] == [topic.references for topic in named]
    assert {topic.words for topic in by_path} == {250}
    for one, other in zip(by_path, named, strict=True):
        assert len(one.documents) == len(other.documents) == 10
        words = [sum(len(line.split()) for each in topic.documents for line in each) for topic in (one, other)]
        assert words[0] == pytest.approx(words[1], rel=0.02)  # dates are lines of their own in the one


def test_splits_are_folders_without_common_documents(tmp_path: Path) -> None:
    for split in ("train", "test"):
        plain(tmp_path / split, f"{split}-1", f"{split}-2")
    assert [topic.name for topic in own_topics(tmp_path, "train")] == ["train-1", "train-2"]
    with pytest.raises(InputError, match="expected a folder 'dev' with topics, found train, test"):
        own_topics(tmp_path, "dev")
    with pytest.raises(InputError, match="'test_share' is for folders without"):
        own_topics(tmp_path, "test", TopicReading(dealing=Dealing(0.5)))
    copied = (tmp_path / "train" / "train-2" / "documents" / "two.txt").read_text(encoding="utf-8")
    put(tmp_path / "test" / "test-1" / "documents" / "three.txt", copied.upper())
    with pytest.raises(InputError, match="topic 'test-1' has a document of topic 'train-2' in 'train'"):
        own_topics(tmp_path, "train")


def test_topics_are_dealt_out_by_a_seed(tmp_path: Path) -> None:
    home = plain(tmp_path, *(f"t{number:02d}" for number in range(30)))
    parts = [
        {topic.name for topic in own_topics(home, split, TopicReading(dealing=Dealing(0.4, seed)))}
        for seed in (1, 2)
        for split in ("train", "test")
    ]
    assert not parts[0] & parts[1]
    assert len(parts[0] | parts[1]) == 30
    assert 5 <= len(parts[1]) <= 20
    assert parts[1] != parts[3]
    assert len(list(own_topics(home, "test"))) == 30


def spoilt(home: Path, case: str) -> None:
    plain(home, "alpha")
    if case == "nothing":
        for path in sorted((home / "alpha").rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    elif case == "no documents":
        for path in (home / "alpha" / "documents").iterdir():
            path.unlink()
    elif case == "no references":
        for path in (home / "alpha" / "references").iterdir():
            path.unlink()
    elif case == "empty document":
        put(home / "alpha" / "documents" / "one.txt", " \n")
    elif case == "empty reference":
        put(home / "alpha" / "references" / "0.txt", "\n")
    elif case == "no text":
        put(home / "alpha" / "documents" / "one.txt", "<DOC><HEADLINE>Only this</HEADLINE></DOC>")
    elif case == "limit":
        put(home / "words.txt", "many")
    elif case == "tac without documents":
        (home / "alpha" / "documents").rename(home / "elsewhere")
        put(home / "models" / "D0801-A.M.100.A.C", "A summary.")


REFUSED = {
    "nothing": "no topics; expected TOPIC/documents and TOPIC/references",
    "no documents": "topic 'alpha' has no documents",
    "no references": "topic 'alpha' has no reference summary",
    "empty document": "one.txt: the document is empty",
    "empty reference": "0.txt: the reference summary is empty",
    "no text": "one.txt: the element <DOC> has no <TEXT>",
    "limit": "words.txt: expected a number of words from 1 to 100000, found 'many'",
    "tac without documents": "in a folder D0801A-A or D0801-A below",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_missing_is_named(case: str, tmp_path: Path) -> None:
    spoilt(tmp_path, case)
    with pytest.raises(InputError) as error:
        list(own_topics(tmp_path, "test"))
    assert REFUSED[case] in str(error.value)
    assert "\n" not in str(error.value)


def test_several_limits_need_a_choice() -> None:
    topics = [Topic("a", (("x",),), (("y z",),), 100), Topic("b", (("x",),), (("y z",),), 250)]
    with pytest.raises(InputError, match=r"several word limits \(100, 250\): option 'budget'"):
        common_limit(topics)


@given(st.text("<>/PTEXDOC a&;\n", max_size=60))
def test_markup_never_stays_and_plain_text_is_never_lost(text: str) -> None:
    try:
        found = paragraphs_of(text)
    except InputError:
        assert "<DOC" in text
        return
    if not is_marked_up(text):
        assert "".join("".join(found).split()) == "".join(text.split())
    assert all(part and part == " ".join(part.split()) for part in found)


def test_less_than_is_no_markup() -> None:
    assert paragraphs_of("It is < 5 and > 3.\n\nSee <b>.") == ["It is < 5 and > 3.", "See <b>."]


def test_own_topics_are_a_corpus_of_extraction(tmp_path: Path) -> None:
    home = plain(tmp_path, "alpha", "beta")
    task = get_task("extraction")
    instances = list(task.read_corpus(str(home), tmp_path))
    assert [(each.name, each.budget) for each in instances] == [("alpha", 10), ("beta", 10)]
    assert is_topic_corpus(home)
    assert is_topic_corpus(home / "alpha")
    assert not is_topic_corpus(home / "alpha" / "documents")


def test_files_beside_folders_are_documents_unless_the_folders_have_known_names(tmp_path: Path) -> None:
    put(tmp_path / "one.txt", "A document.")
    put(tmp_path / "more" / "D0801-A.M.100.A.C", "A file of that name.")
    assert not is_topic_corpus(tmp_path)
    put(tac(tmp_path / "tac") / "README", "What this is.")
    assert is_topic_corpus(tmp_path / "tac")
