"""Messages stay one short line, whatever the user's values are."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problems.errors import LONGEST_MESSAGE, LONGEST_QUOTE, InputError, nearest, quoted, shortened

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(plain)
def test_quotes_are_short(value: object) -> None:
    said = quoted(value)
    assert 0 < len(said) <= LONGEST_QUOTE
    assert "\n" not in said


@pytest.mark.parametrize("value", ["text", "it's", 3, -1.5, None, True, [1, 2], {"a": 1}, "", "a\nb", "x" * 55])
def test_short_values_are_quoted_in_full(value: object) -> None:
    assert quoted(value) == repr(value)


ENDLESS = {"digits": 10**5000, "list": [10**5000], "text": "x" * 10**6, "texts": ["x" * 10**6] * 10**4}


@pytest.mark.parametrize("value", ENDLESS.values(), ids=ENDLESS.keys())
def test_values_without_end(value: object) -> None:
    assert len(quoted(value)) <= LONGEST_QUOTE


def test_deep_values() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(quoted(deep)) <= LONGEST_QUOTE


@given(st.text(), st.integers(10, 100))
def test_shortened_keeps_both_ends(text: str, longest: int) -> None:
    said = shortened(text, longest)
    assert len(said) <= longest
    assert said == text or (len(text) > longest and text.startswith(said.split("...")[0]) and text[-1] == said[-1])


@given(st.text(max_size=3000))
def test_messages_are_one_line_and_survive_pickling(text: str) -> None:
    error = InputError(text)
    assert len(str(error).splitlines()) <= 1
    assert len(str(error)) <= LONGEST_MESSAGE
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@given(st.text(max_size=200) | st.integers() | st.none(), st.lists(st.text(max_size=50)))
def test_nearest_is_short(name: object, valid: list[str]) -> None:
    assert len(nearest(name, valid)) < LONGEST_MESSAGE


def test_nearest_of_a_long_name_is_found_at_once() -> None:
    assert nearest("x" * 10**7, ["ad3", "greedy"]) == "valid names are ad3, greedy."


def test_of_many_names_the_nearest_few_are_told() -> None:
    names = [f"short-{number}" for number in range(100)]
    said = nearest("zhor", names, "dualbench list tasks")
    assert (
        said == "100 names are valid, such as short-9, short-8, short-7, short-6, short-5; see `dualbench list tasks`."
    )
    assert nearest("?", names).startswith("100 names are valid, such as short-0, ")
    assert len(nearest("?", [f"x{'y' * 50}{number}" for number in range(1000)])) < 400
