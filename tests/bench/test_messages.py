"""Messages of workers: what is no answer to this very request is refused, whatever it looks like."""

from __future__ import annotations

import json
import os
import random
import struct
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.runner.messages import ANSWERS, NotAnAnswer, decode, encode, new_nonce
from bench.runner.supervisor import Death, Supervisor

SUPPORT = Path(__file__).parent.parent / "support"
NONCE = "0123456789abcdef" * 2
VALUES: dict[type, Any] = {str: "text", dict: {"a": 1}, list: [1], int: 1, float: 1.5, bytes: b"{}\n"}


def fields_of(kind: str) -> dict[str, Any]:
    """Fields of the right types for a kind of answer."""
    wanted = ANSWERS[kind].items()
    return {name: VALUES[types[0] if isinstance(types, tuple) else types] for name, types in wanted}


@pytest.mark.parametrize("kind", sorted(ANSWERS))
def test_answers_arrive_as_they_were_sent(kind: str) -> None:
    fields = fields_of(kind)
    assert decode(encode(kind, NONCE, 3, fields), kind, NONCE, 3) == fields


@pytest.mark.parametrize("kind", sorted(ANSWERS))
def test_any_change_to_an_answer_is_refused(kind: str) -> None:
    line, newline, attached = encode(kind, NONCE, 0, fields_of(kind)).partition(b"\n")
    good = json.loads(line)
    changes: list[dict[str, Any]] = [
        {**good, "nonce": new_nonce()},
        {**good, "nonce": None},
        {**good, "nonce": "\udc80"},
        {**good, "number": 1},
        {**good, "number": "0"},
        {**good, "kind": "other"},
        {**good, "kind": ["solved"]},
        {**good, "extra": 1},
        *({name: value for name, value in good.items() if name != left_out} for left_out in good),
        *({**good, name: object_of_another_type(value)} for name, value in fields_of(kind).items() if name in good),
    ]
    for changed in changes:
        with pytest.raises(NotAnAnswer):
            decode(json.dumps(changed).encode(errors="surrogatepass") + newline + attached, kind, NONCE, 0)
    if newline:
        with pytest.raises(NotAnAnswer):
            decode(line, kind, NONCE, 0)
    else:
        with pytest.raises(NotAnAnswer):
            decode(line + b"\nmore", kind, NONCE, 0)


def object_of_another_type(value: Any) -> Any:
    return None if not isinstance(value, (int, float)) else "1"


@given(st.binary(max_size=200))
def test_bytes_are_refused_or_refused(message: bytes) -> None:
    with pytest.raises(NotAnAnswer):
        decode(message, "solved", NONCE, 0)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda part: st.lists(part) | st.dictionaries(st.text(), part)))  # fmt: skip
def test_json_is_refused(document: Any) -> None:
    with pytest.raises(NotAnAnswer):
        decode(json.dumps(document).encode(), "warm", NONCE, 0)


def test_deep_and_long_numbers_are_refused() -> None:
    for message in (b"[" * 100_000, b'{"nonce": ' + b"9" * 5000 + b"}", b"\xff\xfe", b""):
        with pytest.raises(NotAnAnswer):
            decode(message, "warm", NONCE, 0)


def some_message(generator: random.Random, nonce: str) -> bytes:
    """Something that a solver may write to the connection: noise, half a message, or a forged one."""
    forged = {"kind": generator.choice(list(ANSWERS)), "nonce": generator.choice([nonce[::-1], "", nonce[:-1]])}
    forged |= {"number": generator.choice([0, 1, -1, None]), **generator.choice([{}, {"claim": {}}, {"facts": {}}])}
    payload = generator.choice(
        [
            json.dumps(forged).encode(),
            json.dumps(generator.choice([[], 3, None, "x", {}, {"kind": "solved"}, True])).encode(),
            generator.randbytes(generator.randrange(200)),
            pickled_like(generator),
        ]
    )
    length = generator.choice([len(payload)] * 4 + [2**62, 2**27, 0])
    return generator.choice([struct.pack("!Q", length) + payload, b"\xff" * 16 + payload])


def pickled_like(generator: random.Random) -> bytes:
    return b"\x80\x04cos\nsystem\n(S'touch /tmp/owned'\ntR." + generator.randbytes(4)


def harmed_by(message: bytes, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Any:
    """What the supervisor says of a process that answers its first request with these bytes."""
    path = folder / "message"
    path.write_bytes(message)
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("DUALBENCH_TEST_MESSAGE", str(path))
    worker = Supervisor(threading.Event(), "babbling_worker")
    try:
        return worker.ask("warm up", {}, "warm", 20.0)
    finally:
        worker.close()


def assert_refused(seeds: range, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for seed in seeds:
        message = some_message(random.Random(seed), NONCE)
        death = harmed_by(message, monkeypatch, folder)
        assert isinstance(death, Death), (seed, message)
        assert death.kind == "crash", (seed, message, death)
    assert not os.path.exists("/tmp/owned")


def test_supervisors_refuse_forged_messages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert_refused(range(20), monkeypatch, tmp_path)


@pytest.mark.slow
def test_supervisors_refuse_a_thousand_forged_messages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert_refused(range(1000, 2000), monkeypatch, tmp_path)


def test_bytes_that_nobody_asked_for_end_a_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A message that comes after an answer is not taken for the answer to the next request."""
    (tmp_path / "message").write_bytes(b"later:" + struct.pack("!Q", 2) + b"[]")
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("DUALBENCH_TEST_MESSAGE", str(tmp_path / "message"))
    worker = Supervisor(threading.Event(), "babbling_worker")
    try:
        assert worker.ask("warm up", {}, "warm", 20.0) == {}
        while not worker._connection.unread():
            pass
        death = worker.ask("warm up", {}, "warm", 20.0)
        assert isinstance(death, Death)
        assert death.message == "it wrote to the runner's connection unasked"
    finally:
        worker.close()
