"""Model files: what is written comes back; what is damaged, foreign or forged is refused in one sentence."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from fuzz_values import HEADERS
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from problems.errors import InputError
from problems.models.model_file import read_model, write_model

floats = arrays(np.float64, st.integers(0, 40), elements=st.sampled_from([0.0, 0.0, 0.0, 1.5, -2.0]))


@given(floats, st.integers(-5, 5))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, weights: np.ndarray, number: int) -> None:
    path = tmp_path_factory.mktemp("models") / "some.model"
    written = {"weights": weights, "table": np.arange(6, dtype=np.int32).reshape(2, 3)}
    write_model(path, "parser", {"number": number, "labels": ["ä"]}, written)
    header, found = read_model(path, "parser")
    assert header == {"number": number, "labels": ["ä"]}
    assert found.keys() == written.keys()
    for name, array in written.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def refused(path: Path, kind: str = "parser") -> str:
    with pytest.raises(InputError) as error:
        read_model(path, kind)
    sentence = str(error.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "some.model"
    write_model(path, "parser", {}, {"weights": np.random.default_rng(1).normal(size=500)})
    return path


def test_other_kinds_are_refused(model: Path) -> None:
    assert "kind 'parser', expected 'summarizer'" in refused(model, "summarizer")


def test_missing_file(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "none.model")


def test_every_truncation_is_noticed(model: Path) -> None:
    whole = model.read_bytes()
    for length in range(0, len(whole), 97):
        model.write_bytes(whole[:length])
        refused(model)


def test_flipped_bytes_never_change_a_weight(model: Path) -> None:
    whole = model.read_bytes()
    _, good = read_model(model, "parser")
    for place in range(0, len(whole), 61):
        model.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            _, found = read_model(model, "parser")
        except InputError:
            continue
        np.testing.assert_array_equal(found["weights"], good["weights"])  # a date or another field that means nothing


def forge(path: Path, document: object, **members: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", json.dumps(document))
        for name, content in members.items():
            archive.writestr(name.replace("_", ".") + ".npy", content)


def npy(array: np.ndarray, pickled: bool = False) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=pickled)
    return stream.getvalue()


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('executed')",)


def test_nothing_is_executed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.model"
    content = {
        "format": "dualbench model",
        "version": 1,
        "kind": "parser",
        "header": {},
        "arrays": {"weights": "dense"},
    }
    forge(path, content, weights=npy(np.array([Bomb()], dtype=object), pickled=True))
    refused(path)
    forge(path, content, weights=pickle.dumps(Bomb()))
    refused(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "format"),
        ({"version": 2}, "version"),
        ({"header": 3}, "header"),
        ({"arrays": {"weights": -1}}, "weights"),
        ({"arrays": {"weights": True}}, "weights"),
        ({"arrays": {"weights": 10**18}}, "weights"),
        ({"arrays": {"weights": 3}}, "does not fit"),
        ({"arrays": {"others": "dense"}}, "others"),
    ],
)
def test_forged_documents(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "forged.model"
    content = {"format": "dualbench model", "version": 1, "kind": "parser", "header": {}, "arrays": {}}
    places = npy(np.array([7], dtype=np.uint32))
    forge(path, content | change, weights_indices=places, weights_values=npy(np.ones(1)))
    assert said in refused(path)


def test_infinite_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "infinite.model"
    write_model(path, "parser", {}, {"weights": np.array([1.0, np.inf])})
    assert "not finite" in refused(path)


def content(**arrays: object) -> dict[str, object]:
    return {"format": "dualbench model", "version": 1, "kind": "parser", "header": {}, "arrays": arrays}


@pytest.mark.parametrize("header", HEADERS)
def test_headers_that_claim_something_else(tmp_path: Path, header: str) -> None:
    path, text = tmp_path / "forged.model", header.encode() + b"\n"
    forge(
        path,
        content(weights="dense"),
        weights=b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0" * 24,
    )
    assert "weights" in refused(path)


def test_arrays_that_are_cut_off(tmp_path: Path) -> None:
    path, whole = tmp_path / "cut.model", npy(np.arange(10.0))
    for length in range(len(whole)):
        forge(path, content(weights="dense"), weights=whole[:length])
        refused(path)


def test_small_files_that_unpack_to_gigabytes(tmp_path: Path) -> None:
    """Each member is small enough; together they are not. Nothing is unpacked to find out."""
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("model.json", json.dumps(content(**{f"a{number}": "dense" for number in range(7)})))
        for number in range(7):
            with archive.open(f"a{number}.npy", "w") as member:
                for _ in range(70):
                    member.write(b"\0" * (1 << 20))
    assert path.stat().st_size < 3_000_000
    assert "unpack to 490 MB, too much" in refused(path)


def test_large_headers_of_small_files(tmp_path: Path) -> None:
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", "[" + "[]," * 8_000_000 + "[]]")
    assert "model.json unpacks to 22 MB, too much" in refused(path)


def test_what_python_2_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.model"
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (3L,), }\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + np.arange(3.0).tobytes()
    forge(path, content(weights="dense"), weights=array)
    assert read_model(path, "parser")[1]["weights"].tolist() == [0.0, 1.0, 2.0]
