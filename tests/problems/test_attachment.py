"""Attachment scores by hand, and against the official UD scorer on real files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from problems import get_task
from problems.errors import InputError
from problems.metrics.attachment import count_attachment, is_unicode_punctuation, official_scores, total
from problems.text.conll import read_treebank, write_treebank


def test_scores_by_hand() -> None:
    words, tags = ("He", "``", "said", "$", "."), ("PRP", "``", "VBD", "$", ".")
    gold, predicted = (3, 4, 0, 3, 3), (3, 3, 0, 3, 1)
    counts = count_attachment(gold, predicted, words, tags)
    scores = counts.scores()
    assert scores["UAS"] == 3 / 5
    assert scores["UAS-ptb"] == 3 / 3  # without `` and .
    assert scores["UAS-unicode"] == 3 / 4  # ` is a symbol (category S), $ is one too, . is punctuation
    assert scores["exact match"] == 0.0
    assert scores["non-projective recall"] == 0.0  # 4 -> 2 passes over 3


def test_punctuation_by_unicode() -> None:
    assert [is_unicode_punctuation(word) for word in (",", "...", "«", "„", "-", "a.", "$", "``", "")] == [
        True, True, True, True, True, False, False, False, False,
    ]  # fmt: skip


def test_a_corpus_is_scored_by_words() -> None:
    counts = total([count_attachment((0,), (0,), ("a",)), count_attachment((0, 1, 1), (2, 0, 2), ("a", "b", "c"))])
    assert counts.scores() == {"UAS": 1 / 4, "UAS-unicode": 1 / 4, "exact match": 1 / 2}
    with pytest.raises(InputError, match="equally many"):
        count_attachment((0,), (0, 1), ("a",))


def test_task_evaluates_against_gold() -> None:
    task = get_task("parsing")
    instance = task.generate(5, "20")
    best = task.evaluate(instance, instance.gold)
    assert best["UAS"] == best["UAS-ptb"] == best["UAS-unicode"] == best["exact match"] == 1.0
    assert best["words"] == best["correct heads"] == 20
    assert set(best) <= set(task.metrics)
    import dataclasses

    assert task.evaluate(dataclasses.replace(instance, gold=()), instance.gold) == {}


@pytest.mark.parametrize(
    "name", ["en_ewt/en_ewt-ud-dev", "de_gsd/de_gsd-ud-dev", "nl_lassysmall_v1.4/nl_lassysmall-ud-test"]
)
def test_equal_to_the_official_scorer(name: str, data_folder: Path, tmp_path: Path) -> None:
    path = data_folder / "treebanks" / f"{name}.conllu"
    sentences = list(read_treebank(path))[:300]
    rng = random.Random(3)
    trees = []
    for sentence in sentences:  # a fifth of the words depend on the root's word instead
        root = sentence.heads.index(0) + 1
        moved = [root if rng.random() < 0.2 and word != root else head for word, head in enumerate(sentence.heads, 1)]
        trees.append(moved)
    write_treebank(tmp_path / "gold.conllu", sentences, [sentence.heads for sentence in sentences])
    write_treebank(tmp_path / "system.conllu", sentences, trees)
    ours = total(count_attachment(s.heads, tree, s.words) for s, tree in zip(sentences, trees, strict=True)).scores()
    theirs = official_scores(tmp_path / "gold.conllu", tmp_path / "system.conllu")
    assert ours["UAS"] < 0.95
    assert theirs["UAS"] == pytest.approx(ours["UAS"], abs=1e-12)
    assert theirs["LAS"] == pytest.approx(ours["UAS"], abs=1e-12)  # relations are gold
    assert "ELAS" not in theirs


def test_official_scorer_refuses_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_text("1\tx\n\n")
    with pytest.raises(InputError, match=r"bad.conllu: the UD scorer cannot read it"):
        official_scores(tmp_path / "bad.conllu", tmp_path / "bad.conllu")
