"""The bytes of a CRFsuite model, checked before native code follows the offsets in them.

CRFsuite trusts its files: an offset or number beyond the end is read all the same. A model has a header, features (type, source,
label, weight), two dictionaries of names (hash tables as `cqdb` writes them), and for each label and attribute a list of features.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..linear_program import Integers

CHUNK, DICTIONARY = 12, 24  # bytes before the content
TABLES = 256  # hash tables of a dictionary
FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("label", "<u4"), ("weight", "<f8")])
MOST_LABELS = 2


def check_crf(data: bytes) -> None:
    """An InputError where anything in the model points outside of it."""
    if data[:4] != b"lCRF" or data[8:12] != b"FOMC":
        raise InputError("the CRF is no model of CRFsuite.")
    _, labels, attributes, *starts = _numbers(data, 16, 8).tolist()
    _expect(0 < labels <= MOST_LABELS)
    first = starts[0] + CHUNK
    features = int(_numbers(data, first - 4, 1)[0])  # the header's own number is never set
    _expect(first + features * FEATURE.itemsize <= len(data))
    table = np.frombuffer(data, FEATURE, features, first)
    sources = np.where(table["type"] == 0, attributes, labels)
    _expect(bool(np.isin(table["type"], (0, 1)).all() and np.isfinite(table["weight"]).all()))
    _expect(bool((table["source"] < sources).all() and (table["label"] < labels).all()))
    _check_dictionary(data[starts[1] :], labels)
    _check_dictionary(data[starts[2] :], attributes)
    for start, count in ((starts[3], labels), (starts[4], attributes)):
        for place in _numbers(data, start + CHUNK, count).tolist():
            listed = _numbers(data, place + 4, int(_numbers(data, place, 1)[0]))
            _expect(not len(listed) or int(listed.max()) < features)


def _check_dictionary(data: bytes, count: int) -> None:
    _expect(data[:4] == b"CQDB")
    size, start = _numbers(data, 16, 2).tolist()
    known = {0}
    for place, slots in _numbers(data, DICTIONARY, 2 * TABLES).reshape(TABLES, 2).tolist():
        _expect((place == 0) == (slots == 0))
        if slots:
            entries = _numbers(data, place, 2 * slots).reshape(slots, 2)[:, 1].tolist()
            _expect(0 in entries)  # where a search ends
            for entry in filter(None, entries):
                number, length = _numbers(data, entry, 2).tolist()
                name = data[entry + 8 : entry + 8 + length]
                _expect(number < count and 0 < length == len(name) and name[-1] == 0)
                known.add(entry)
    if start:
        _expect(known.issuperset(_numbers(data, start, size).tolist()))


def _numbers(data: bytes, start: int, count: int) -> Integers:
    _expect(start + 4 * count <= len(data))
    return np.frombuffer(data, "<u4", count, start).astype(np.int64)


def _expect(valid: bool) -> None:
    if not valid:
        raise InputError("the CRF is no complete model of CRFsuite.")
