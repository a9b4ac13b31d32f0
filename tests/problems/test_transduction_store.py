"""The task's trained models in the cache folder: a model file, the same after reading, made again where it is damaged."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from problems.language import NgramModel, estimate
from problems.language.stored import LEVELS, from_arrays, to_arrays
from problems.models.model_file import read_model, write_model
from problems.transduction import store, trained
from problems.transduction.models import Models, models
from problems.transduction.store import Parts, kept_in_cache

TEXT = [("a", "b", "c"), ("b", "c"), ("a", "c", "b", "a")]


def assert_same(one: NgramModel, other: NgramModel) -> None:
    assert one.vocabulary == other.vocabulary
    for part in LEVELS:
        for first, second in zip(getattr(one, part), getattr(other, part), strict=True):
            assert first.dtype == second.dtype
            np.testing.assert_array_equal(first, second)


def test_trained_models_come_back_as_they_were(tmp_path: Path) -> None:
    made = models()
    write_model(tmp_path / "some.model", "some", *made.parts())
    found = Models.of(*read_model(tmp_path / "some.model", "some"))
    for part in ("rules", "learnt", "_totals", "_kept", "_children"):
        assert list(getattr(found.grammar, part).items()) == list(getattr(made.grammar, part).items())
    assert found.discriminative.numbers == made.discriminative.numbers
    np.testing.assert_array_equal(found.discriminative.weights, made.discriminative.weights)
    assert_same(found.bigrams, made.bigrams)
    assert_same(found.trigrams, made.trigrams)


def test_the_trained_file_is_what_training_makes() -> None:
    """`python -m problems.transduction.trained` writes it anew where the generator or the training has changed."""
    assert len(trained.FILE.read_bytes()) < 200_000
    document = json.loads(lzma.decompress(trained.FILE.read_bytes()))
    assert document == json.loads(json.dumps(trained.trained_anew()))


@pytest.mark.parametrize("damage", [None, b"", b"not a model", b"PK\x03\x04"])
def test_what_is_damaged_in_the_cache_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None
) -> None:
    monkeypatch.setattr("problems.kernels.cache.cache_directory", lambda: tmp_path / "kernels")
    calls: list[int] = []

    def make() -> NgramModel:
        calls.append(1)
        return estimate(TEXT, 2)

    def parts(model: NgramModel) -> Parts:
        return {"words": list(model.vocabulary)}, to_arrays("text", model)

    def kept() -> NgramModel:
        return kept_in_cache("some", make, parts, lambda header, arrays: from_arrays("text", header["words"], arrays))

    first = kept()
    (path,) = tmp_path.glob("some-*.model")
    if damage is not None:
        path.write_bytes(damage)
    assert_same(kept(), first)
    assert len(calls) == (1 if damage is None else 2)
    assert_same(kept(), first)
    assert len(calls) == (1 if damage is None else 2)
    assert list(tmp_path.iterdir()) == [path]


def test_a_forged_cache_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays that would be read beyond their end by the kernels are not taken over."""
    monkeypatch.setattr("problems.kernels.cache.cache_directory", lambda: tmp_path / "kernels")
    model = estimate(TEXT, 2)
    arrays = to_arrays("text", model)
    arrays["text.starts.0"] = arrays["text.starts.0"] + 10**6
    path = tmp_path / f"some-{store._source_hash()}.model"
    write_model(path, "some", {"words": list(model.vocabulary)}, arrays)
    found = kept_in_cache(
        "some",
        lambda: model,
        lambda made: ({"words": list(made.vocabulary)}, to_arrays("text", made)),
        lambda header, read: from_arrays("text", header["words"], read),
    )
    assert found is model
