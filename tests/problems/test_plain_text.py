"""Plain text as sentences: nothing of it is lost, nothing is added, and tokens are those of UD English."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems.text.conll import read_treebank
from problems.text.detokenize import kept_text, tokens_within
from problems.text.raw import split_text
from problems.text.spacing import escaped, gaps_of, misc_of, restored, surface_tokens, text_line, unescaped
from problems.text.tokens import tokens_in

NASTY = [
    "Send an e-mail to joe.b@x-y.com, or see http://www.a-b.com/x_y. My iPhone can't.",
    "http://www.a-b.com/x_y (www.b-c.org/d?e=f&g=h#i) ftp://x.y/z, <https://q.r/s>",
    "I can't, won't, shouldn't've; it's John's and the dogs'. CANNOT DON'T O'Connell's rock'n'roll ain\u2019t",
    "\"Oh,\" he said, 'why?' \u201cReally\u201d \u2018so\u2019 ``quoted'' \u00abhier\u00bb",
    "Well... so.. yes\u2026 no!!! what?! --- a--b a -- b \u2013 \u2014 ***",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f44d\U0001f3fd\u2764\ufe0f 1\ufe0f\u20e3 \U0001f1e9\U0001f1ea\U0001f1e9\U0001f1ea :-) ;) <3",
    "non\u00a0breaking\u00a0 spaces \u2003and\u3000others\u200bwith\u200b\u200bzero\u2028width\x85x\x0b\x0cy\x1cz",
    "tab\tand\t\ttabs\t",
    "CRLF\r\nhere.\r\n\r\nAnd there.\rAnd\n\r\nhere\r",
    "_under_ __score__ a_b _ ___ snake_case_name",
    "   leading and trailing   ",
    "\n\n\nempty\n\n\n\nlines\n \n\t\n",
    "e\u0301 a\u0308\u0323x \u0301 \u0301\u0301 o\u0302\u2019s",
    "- a\n- b-\n-c -d- well-known co-op-like anti-American-led 713-853-3989 345-9945 1969-1970 F-102 2005-03-09",
    "and/or w/o 9/11 b/c 1/2/2003 / // AT&T R & D x&y &amp;",
    "$100 100% #1 #tag @handle 3.14 1,000,000 10:30 3pm $$$ C++ C# .NET f(x)=y^2|z \\ \\n \\s \\p",
    "U.S. Dr. Smith etc. Ph.D. e.g. i.e. J. R. R. Tolkien. end.Next one. The U.S.",
    "report_1-2.doc a-b.pdf; Node.js",
    "?",
    "\u00ad soft\u00adhyphen hyphen\u2010ated non\u2011breaking hyphen-\nated",
    "\u0600 \u0600a \x00 \x07 \ufeff a\ufeffb",
]
TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aAbzZ019 \t\n\r._-'\u2019\"/@:&!?()\u00a0\u200b\u200d\u0301\ufe0f\U0001f44d|\\"),
    ),
    max_size=60,
)


def check(text: str, lines: bool = False) -> None:
    found = list(split_text(text, lines=lines))
    surfaces = [surface_tokens(sentence.lines) for sentence in found]
    assert restored(surfaces) == text
    for sentence, tokens in zip(found, surfaces, strict=True):
        assert sentence.lines[1] == f"# text = {text_line(tokens)}"
        assert [word for token in tokens for word in token.words] == list(range(1, len(sentence.words) + 1))
        for token in tokens:
            assert token.form == "".join(sentence.words[word - 1] for word in token.words)
            assert not any(character.isspace() or character == "\u200b" for character in token.form)
            assert not (token.after + token.before).strip().strip("\u200b")
        rows = [line.split("\t") for line in sentence.lines[2:]]
        assert {len(row) for row in rows} == {10}
        assert not any(character.isspace() for row in rows for column in row for character in column)


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_restored(text: str, lines: bool) -> None:
    check(text, lines)
    check(f"{text} {text}\n{text}", lines)


@given(TEXTS, st.booleans())
def test_any_text_is_restored(text: str, lines: bool) -> None:
    if any(True for _ in tokens_in(text)):
        check(text, lines)
    else:
        assert not text.replace("\u200b", "").strip()
        assert list(split_text(text, lines=lines)) == []


@given(TEXTS)
def test_gaps_survive_their_column(gap: str) -> None:
    assert unescaped(escaped(gap)) == gap
    assert gaps_of(misc_of(gap, gap)) == (gap, gap)


def test_gaps_are_written_as_udpipe_does() -> None:
    assert misc_of("") == "SpaceAfter=No"
    assert misc_of(" ") == "_"
    assert misc_of("\r\n \t|\\") == r"SpacesAfter=\r\n\s\t\p\\"
    assert misc_of("\u00a0", "  ") == r"SpacesAfter=\u00A0|SpacesBefore=\s\s"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("an e-mail", "an e-mail"),
        ("http://www.a-b.com/x_y.", "http://www.a-b.com/x_y ."),
        ("(see www.a-b.com)", "( see www.a-b.com )"),
        ("my iPhone, eBay", "my iPhone , eBay"),
        ("a so-called mid-July re-run", "a so - called mid-July re-run"),
        ("state-of-the-art", "state - of - the - art"),
        ("an anti-American-led", "an anti-American - led"),
        ("713-853-3989 or 345-9945, 3-4", "713-853-3989 or 345-9945 , 3 - 4"),
        ("and/or w/o 9/11", "and / or w/o 9/11"),
        ("can't cannot I'd've John\u2019s O'Neill 60's", "ca n't can not I 'd 've John \u2019s O'Neill 60's"),
        ("wow!!! so... -- 'em", "wow !!! so ... -- 'em"),
        ("joe_b.c@x-y.com: hi", "joe_b.c@x-y.com : hi"),
        ("PG&E's x_y $1,000.50 20%", "PG&E 's x_y $ 1,000.50 20 %"),
    ],
)
def test_words_are_those_of_english_treebanks(text: str, words: str) -> None:
    (sentence,) = split_text(text, lines=True)
    assert " ".join(sentence.words) == words


def test_most_sentences_of_the_english_treebank_have_its_words(data_folder: Path) -> None:
    """The test part: rules were looked up in the others."""
    same = common = ours = theirs = 0
    treebank = list(read_treebank(data_folder / "treebanks/en_ewt/en_ewt-ud-test.conllu"))
    for sentence in treebank:
        tokens = surface_tokens(sentence.lines)
        (found,) = split_text(text_line(tokens), lines=True)
        same += found.words == sentence.words
        ends = []
        for forms in (tokens, surface_tokens(found.lines)):
            lengths = [len(token.form) for token in forms]
            ends.append({(sum(lengths[:place]), length) for place, length in enumerate(lengths)})
        common, ours, theirs = common + len(ends[0] & ends[1]), ours + len(ends[1]), theirs + len(ends[0])
    assert 2 * common / (ours + theirs) > 0.99
    assert same / len(treebank) > 0.9


def test_treebanks_say_their_own_text(data_folder: Path) -> None:
    """`# text` of real files, by other people's tools, is what we make of forms, ranges and SpaceAfter."""
    for path in sorted((data_folder / "treebanks").glob("*/*-dev.conllu")):
        for sentence in read_treebank(path):
            text = next((line for line in sentence.lines if line.startswith("# text = ")), "")
            if not text:
                assert path.name.startswith(("af_afribooms", "nl_lassysmall")), path  # of UD 1, without texts
                continue
            assert " ".join(text[9:].split()) == text_line(surface_tokens(sentence.lines)), (path, sentence.name)


@pytest.mark.parametrize(
    ("text", "deleted", "left"),
    [
        ("The well-known man's e-mail, sent late, can't help.", ("sent", "late"), "The well-known man's e-mail,, can't help."),
        ("He (a well-known man) left.", ("a", "man"), "He (well-known) left."),
        ('She said "no way" twice.', ("no",), 'She said "way" twice.'),
        ('She said "no way" twice.', ("way",), 'She said "no" twice.'),
        ("The old dog's bone.", ("dog",), "The old's bone."),
        ("I cannot go.", ("can",), "I not go."),
        ("I can't go.", ("n't",), "I ca go."),
        ("I can't go.", ("ca",), "I n't go."),
        ("A so-called iPhone.", ("so", "-"), "A called iPhone."),
        ("http://a-b.com/x_y is an e-mail\u00a0-  no.", ("is",), "http://a-b.com/x_y an e-mail - no."),
    ],
)  # fmt: skip
def test_what_is_left_keeps_its_spelling(text: str, deleted: tuple[str, ...], left: str) -> None:
    (sentence,) = split_text(text, lines=True)
    kept = {number for number, word in enumerate(sentence.words, 1) if word not in deleted}
    assert kept_text(surface_tokens(sentence.lines), sentence.words, kept) == left
    assert kept_text(tokens_within(" ".join(text.split()), sentence.words), sentence.words, kept) == left


@given(TEXTS, st.data())
def test_no_deletion_adds_or_changes_a_character(text: str, data: st.DataObject) -> None:
    tokens = list(tokens_in(text))
    if not tokens:
        return
    for sentence in split_text(text):
        kept = data.draw(st.sets(st.integers(1, len(sentence.words))))
        surface = surface_tokens(sentence.lines)
        left = kept_text(surface, sentence.words, kept)
        assert left.replace(" ", "") == "".join(sentence.words[word - 1] for word in sorted(kept))
        assert kept_text(surface, sentence.words, set(range(1, len(sentence.words) + 1))) == text_line(surface)
        line = text_line(surface)
        assert text_line(tokens_within(line, sentence.words)) == line
