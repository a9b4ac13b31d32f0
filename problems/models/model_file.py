"""A trained model is one file: a zip archive of `model.json` and one `.npy` array per member. Nothing in it is executed.

`model.json` has the fields `format` ("dualbench model"), `version` (1), `kind` (what the model is, such as "parser"), `header`
(settings, as the kind defines them) and `arrays` (name -> "dense", or the length of an array that is stored as the pair of
members `NAME.indices.npy` and `NAME.values.npy` because most of it is zero). `NAME.npy` is numpy's own format, without pickles.
The archive's checksums tell a damaged file from a good one.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest

FORMAT = "dualbench model"
VERSION = 1
SPARSE_BELOW = 0.4  # share of non-zeros
LARGEST = 4 << 30  # bytes of a member: more than any model of ours, less than what a forged file could ask for

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
    temporary = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("model.json", json.dumps(document, ensure_ascii=False, allow_nan=False))
            for name, array in members.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}).") from None


def read_model(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and arrays of a model of this kind; anything else is an InputError that names the file."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            document = _document(path, archive, kind)
            return document["header"], {name: _array(archive, name, how) for name, how in document["arrays"].items()}
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; expected a model of kind {kind!r}.") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: not a complete model file of dualbench ({_reason(error)}).") from None
    except (OSError, NotImplementedError, RuntimeError) as error:  # also what zipfile says of encrypted members
        raise InputError(f"{path}: cannot be read ({_reason(error)}).") from None


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or (error.args[0] if error.args else "") or type(error).__name__
    return str(text).splitlines()[0].rstrip(".")


def _document(path: Path, archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    document = json.loads(_member(archive, "model.json"))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"model.json lacks the field 'format' with {FORMAT!r}")
    if document.get("version") != VERSION:
        raise InputError(f"{path}: field 'version' is {document.get('version')!r}, this dualbench reads {VERSION}.")
    if document.get("kind") != kind:
        found = str(document.get("kind"))
        raise InputError(f"{path}: a model of kind {found!r}, expected {kind!r}. {nearest(found, (kind,))}".rstrip())
    for field in ("header", "arrays"):
        if not isinstance(document.get(field), dict):
            raise ValueError(f"field {field!r} of model.json must be an object")
    return document


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST:
        raise ValueError(f"member {name!r} is larger than {LARGEST >> 30} GB")
    return archive.read(name)


def _load(archive: zipfile.ZipFile, name: str) -> Array:
    array = np.lib.format.read_array(io.BytesIO(_member(archive, f"{name}.npy")), allow_pickle=False)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"array {name!r} is not numeric")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"array {name!r} has values that are not finite")
    return array


def _array(archive: zipfile.ZipFile, name: str, how: Any) -> Array:
    if how == "dense":
        return _load(archive, name)
    if isinstance(how, bool) or not isinstance(how, int) or not 0 <= how * 8 <= LARGEST:
        raise ValueError(f"field 'arrays' says {how!r} of {name!r}")
    places, values = _load(archive, f"{name}.indices"), _load(archive, f"{name}.values")
    if places.dtype.kind != "u" or places.shape != values.shape or (len(places) and int(places.max()) >= how):
        raise ValueError(f"the sparse array {name!r} does not fit together")
    array = np.zeros(how, dtype=values.dtype)
    array[places] = values
    return array
