"""A trained model is one file: a zip archive of `model.json` and one `.npy` array per member. Nothing in it is executed.

`model.json` has the fields `format` ("dualbench model"), `version` (1), `kind` (what the model is, such as "parser"), `header`
(settings, as the kind defines them) and `arrays` (name -> "dense", or the length of an array that is stored as the pair of
members `NAME.indices.npy` and `NAME.values.npy` because most of it is zero). `NAME.npy` is numpy's own format, without pickles.
The archive's checksums tell a damaged file from a good one.

`seen.npy`, where it is there, has the hashes of what the model was trained on: sorted numbers of 64 bits (`remember`).
"""

from __future__ import annotations

import json
import math
import shutil
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest, quoted, shortened
from ..files import open_regular, replacing
from ..unpacking import ARRAYS, RATIO, TEXT

FORMAT = "dualbench model"
VERSION = 1
SPARSE_BELOW = 0.4  # share of non-zeros
LARGEST = (
    4 << 30
)  # bytes of all arrays in memory: more than any model of ours, less than what a forged file could ask for
CHUNK = 1 << 20
SEEN = "seen"

Array = NDArray[Any]


def write_model(path: str | Path, kind: str, header: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write a model; an older file stays until the new one is complete."""
    path = Path(path)
    stored: dict[str, str | int] = {}
    members: dict[str, Array] = {}
    for name, array in arrays.items():
        if array.ndim == 1 and array.dtype.kind == "f" and np.count_nonzero(array) < SPARSE_BELOW * array.size:
            stored[name] = len(array)
            places = np.flatnonzero(array)
            members[f"{name}.indices"] = places.astype(np.uint32 if len(array) < 1 << 32 else np.uint64)
            members[f"{name}.values"] = array[places]
        else:
            stored[name] = "dense"
            members[name] = array
    document = {"format": FORMAT, "version": VERSION, "kind": kind, "header": header, "arrays": stored}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            replacing(path) as temporary,
            zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            archive.writestr("model.json", json.dumps(document, ensure_ascii=False, allow_nan=False))
            for name, array in members.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}).") from None


def remember(path: Path, hashes: Iterable[int]) -> None:
    """Put the hashes of the training data into a model's file, whatever its kind."""
    seen = np.unique(np.fromiter(hashes, dtype=np.uint64))
    try:
        with replacing(path) as temporary:
            shutil.copyfile(path, temporary)
            with zipfile.ZipFile(temporary, "a") as archive, archive.open(f"{SEEN}.npy", "w") as member:
                np.lib.format.write_array(member, seen, allow_pickle=False)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}).") from None


def remembered(path: str | Path) -> frozenset[int]:
    """The hashes of what a model was trained on; none where its file has none."""
    path = Path(path)
    with _reading(path), open_regular(path) as file, zipfile.ZipFile(file) as archive:
        if f"{SEEN}.npy" not in archive.namelist():
            return frozenset()
        _check_sizes(path, archive)
        seen = _load(archive, SEEN)
        if seen.ndim != 1 or seen.dtype != np.uint64:
            raise ValueError(f"array {SEEN!r} must have whole numbers of 64 bits")
        return frozenset(seen.tolist())


def read_model(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and arrays of a model of this kind; anything else is an InputError that names the file."""
    path = Path(path)
    with _reading(path, f" of kind {kind!r}"), open_regular(path) as file, zipfile.ZipFile(file) as archive:
        _check_sizes(path, archive)
        document = _document(path, archive, kind)
        _check_lengths(document["arrays"])
        return document["header"], {name: _array(archive, name, how) for name, how in document["arrays"].items()}


@contextmanager
def _reading(path: Path, what: str = "") -> Iterator[None]:
    """Whatever is wrong with a file is an InputError that names it."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; expected a model{what}.") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: not a complete model file of dualbench ({_reason(error)}).") from None
    except MemoryError:
        raise InputError(f"{path}: its arrays need more memory than there is.") from None
    except (OSError, NotImplementedError, RuntimeError) as error:  # also what zipfile says of encrypted members
        raise InputError(f"{path}: cannot be read ({_reason(error)}).") from None


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or (error.args[0] if error.args else "") or type(error).__name__
    return shortened(" ".join(str(text).split()).rstrip("."), 150)


def _check_sizes(path: Path, archive: zipfile.ZipFile) -> None:
    """Before anything is unpacked: what the members say they unpack to, which zipfile never exceeds."""
    total = sum(member.file_size for member in archive.infolist())
    if total > min(LARGEST, ARRAYS + RATIO * path.stat().st_size):
        raise ValueError(f"its members unpack to {total >> 20} MB, too much for a file of its size")


def _check_lengths(arrays: dict[str, Any]) -> None:
    """The lengths of sparse arrays, which take room of their own."""
    room = LARGEST // 8
    for name, how in arrays.items():
        if how == "dense":
            continue
        if isinstance(how, bool) or not isinstance(how, int) or not 0 <= how <= room:
            raise ValueError(
                f"field 'arrays' says {quoted(how)} of {quoted(name)}, neither 'dense' nor a length in memory"
            )
        room -= how


def _document(path: Path, archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    member = _member(archive, "model.json")
    if member.file_size > TEXT + RATIO * member.compress_size:
        raise ValueError(f"model.json unpacks to {member.file_size >> 20} MB, too much for its size")
    document = json.loads(archive.read(member))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"model.json lacks the field 'format' with {FORMAT!r}")
    if document.get("version") != VERSION:
        found = quoted(document.get("version"))
        raise InputError(f"{path}: field 'version' is {found}, this dualbench reads {VERSION}.")
    if document.get("kind") != kind:
        found = str(document.get("kind"))
        raise InputError(
            f"{path}: a model of kind {quoted(found)}, expected {kind!r}. {nearest(found, (kind,))}".rstrip()
        )
    for field in ("header", "arrays"):
        if not isinstance(document.get(field), dict):
            raise ValueError(f"field {field!r} of model.json must be an object")
    return document


def _member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    try:
        return archive.getinfo(name)
    except KeyError:
        raise ValueError(f"member {quoted(name)} is missing") from None


def _load(archive: zipfile.ZipFile, name: str) -> Array:
    """An array of numbers; its header must describe exactly the bytes that follow before room is made for them."""
    member = _member(archive, f"{name}.npy")
    with archive.open(member) as file:
        shape, in_columns, dtype = _npy_header(file, name)
        start = file.tell()
        if dtype.kind not in "fiub" or math.prod(shape) * dtype.itemsize != member.file_size - start:
            raise ValueError(f"the header of array {quoted(name)} does not describe the numbers that follow")
        data, filled = memoryview(bytearray(member.file_size - start)), 0
        while piece := file.read(CHUNK):
            data[filled : filled + len(piece)] = piece
            filled += len(piece)
        if filled < len(data):
            raise ValueError(f"array {quoted(name)} is cut off")
    array: Array = np.ndarray(shape, dtype, data, order="F" if in_columns else "C")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"array {quoted(name)} has values that are not finite")
    return array


def _npy_header(file: Any, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of headers that Python 2 wrote
            return read(file)
    except Exception:  # also errors of Python's tokenizer and parser, through which numpy sends the header
        raise ValueError(f"array {quoted(name)} has no header of numpy's") from None


def _array(archive: zipfile.ZipFile, name: str, how: Any) -> Array:
    if how == "dense":
        return _load(archive, name)
    places, values = _load(archive, f"{name}.indices"), _load(archive, f"{name}.values")
    if places.ndim != 1 or places.dtype.kind != "u" or places.shape != values.shape or values.dtype.kind != "f":
        raise ValueError(f"the sparse array {quoted(name)} does not fit together")
    if len(places) and int(places.max()) >= how:
        raise ValueError(f"the sparse array {quoted(name)} does not fit its length of {how}")
    array = np.zeros(how, dtype=values.dtype)
    array[places] = values
    return array
