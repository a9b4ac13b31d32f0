"""What is trained once and kept in the cache folder, under a hash of the sources that make it."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

Made = TypeVar("Made")


def kept_in_cache(name: str, kind: type[Made], make: Callable[[], Made]) -> Made:
    """What `make` returns, from the cache folder if it is there."""
    from ..kernels.cache import cache_directory

    path = cache_directory().parent / f"{name}-{_source_hash()}.pickle"
    try:
        found = pickle.loads(path.read_bytes())
        if isinstance(found, kind):
            return found
    except Exception:  # not there, cut off, or of another version: all mean that it has to be made
        pass
    made = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(made))
        unfinished.replace(path)
    except OSError:
        pass  # a cache that cannot be written is no reason to fail
    return made


@cache
def _source_hash() -> str:
    digest = hashlib.sha256(np.__version__.encode())
    here = Path(__file__).parent
    for path in [*sorted(here.glob("*.py")), *sorted((here.parent / "language").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
