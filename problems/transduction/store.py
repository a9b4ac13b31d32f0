"""What is trained once and kept in the cache folder as a model file, under a hash of the sources that make it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError
from ..models.model_file import Array, read_model, write_model
from ..models.reading import reading

Made = TypeVar("Made")
Parts = tuple[dict[str, Any], dict[str, Array]]
"""The header and the arrays of a model file."""


def kept_in_cache(
    kind: str, make: Callable[[], Made], parts_of: Callable[[Made], Parts], restore: Callable[..., Made]
) -> Made:
    """What `make` returns, from the cache folder if it is there; `restore` takes what `parts_of` gave."""
    from ..kernels.cache import cache_directory

    path = cache_directory().parent / f"{kind}-{_source_hash()}.model"
    with contextlib.suppress(InputError):  # not there, cut off, or of another version: all mean that it has to be made
        header, arrays = read_model(path, kind)
        with reading(path, f"a model of kind {kind!r}"):
            return restore(header, arrays)
    made = make()
    unfinished = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(InputError, OSError):  # a cache that cannot be written is no reason to fail
        write_model(unfinished, kind, *parts_of(made))
        unfinished.replace(path)
    return made


@cache
def _source_hash() -> str:
    digest = hashlib.sha256(np.__version__.encode())
    here = Path(__file__).parent
    folders = (here, here / "learned", here.parent / "language", here.parent / "models")
    for path in [*(path for folder in folders for path in sorted(folder.glob("*.py"))), *sorted(here.glob("*.xz"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
