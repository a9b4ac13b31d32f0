"""The model that commands use where none is given: what it is trained on, and what people are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.cli.built_in import choice
from bench.learning.options import training


def test_without_data_people_are_told_that_the_model_knows_generated_sentences(tmp_path: Path) -> None:
    options, said = choice("parsing", tmp_path)
    assert options == {}
    assert "generated English sentences and knows little of real ones" in said
    assert "`dualbench data get en_ewt`" in said
    assert "data get" not in choice("compression", tmp_path)[1]


@pytest.mark.parametrize(("files", "split"), [(("dev",), "dev"), (("train", "dev"), "train")])
def test_a_real_treebank_is_taken_where_there_is_one(tmp_path: Path, files: tuple[str, ...], split: str) -> None:
    folder = tmp_path / "treebanks" / "en_ewt"
    folder.mkdir(parents=True)
    for file in files:
        (folder / f"en_ewt-ud-{file}.conllu").write_text("")
    options, said = choice("parsing", tmp_path)
    assert f"en_ewt-ud-{split}.conllu" in said
    made = training("parsing", options)
    assert (made.corpus, made.data, made.split, made.tags) == ("en_ewt", str(tmp_path), split, "jackknifed")  # type: ignore[attr-defined]
