"""Features are named by text and stored by number: a stable hash, the same in every process, platform and version."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=1 << 20)
def feature_hash(name: str) -> int:
    """64 bits that depend on the name alone (Python's own `hash` changes from process to process)."""
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def slot(name: str, bits: int) -> int:
    """Where the weight of a feature lies in an array of 2^bits weights."""
    return feature_hash(name) & ((1 << bits) - 1)
