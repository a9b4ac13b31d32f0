"""Hashed rows of features against dense matrices, and the hash against values that must never change."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from problems.models.hashing import feature_hash, slot
from problems.models.sparse import RowBuilder, SparseRows

BITS = 5
names = st.text(max_size=3)
rows = st.lists(st.dictionaries(names, st.integers(-8, 8), max_size=5), max_size=6)


def dense(rows: SparseRows) -> np.ndarray:
    matrix = np.zeros((len(rows), 1 << BITS))
    for row in range(len(rows)):
        for entry in range(rows.starts[row], rows.starts[row + 1]):
            matrix[row, rows.indices[entry]] += rows.values[entry]
    return matrix


@given(rows, st.integers(0, 1000))
def test_rows_are_a_matrix(contents: list[dict[str, int]], seed: int) -> None:
    builder = RowBuilder(BITS)
    assert [builder.add(row) for row in contents] == list(range(len(contents)))
    built = builder.build()
    matrix = dense(built)
    for row, content in enumerate(contents):
        expected = np.zeros(1 << BITS)
        for name, value in content.items():
            expected[slot(name, BITS)] += value
        np.testing.assert_array_equal(matrix[row], expected)
    rng = np.random.default_rng(seed)
    weights = rng.integers(-9, 9, 1 << BITS).astype(float)
    np.testing.assert_array_equal(built.scores(weights), matrix @ weights)
    coefficients = rng.integers(-1, 2, len(contents)).astype(float)
    indices, values = built.combine(coefficients)
    assert len(set(indices.tolist())) == len(indices)
    found = np.zeros(1 << BITS)
    found[indices] = values
    np.testing.assert_array_equal(found, coefficients @ matrix)


def test_names_alone_count_once_each() -> None:
    builder = RowBuilder(20)
    builder.add(["a", "b", "a"])
    builder.add(iter(["c"]))
    built = builder.build()
    assert built.values.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert built.starts.tolist() == [0, 3, 4]
    assert built.scores(np.ones(1 << 20)).tolist() == [3.0, 1.0]


def test_the_hash_is_the_same_forever() -> None:
    """Models in files depend on it."""
    assert feature_hash("head=the") == 0xC0196A26A9C75881
    assert feature_hash("ü") == 0x372F39C1F59DF155
    assert slot("head=the", 8) == 0x81
