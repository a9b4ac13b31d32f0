"""Messages over a socket: whole, in order, and never waited for longer than asked."""

from __future__ import annotations

import socket
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.runner.message_socket import MessageSocket


def pair() -> tuple[MessageSocket, MessageSocket, socket.socket]:
    ours, theirs = socket.socketpair()
    return MessageSocket(ours), MessageSocket(theirs), theirs


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_messages_come_whole_and_in_order(messages: list[bytes]) -> None:
    ours, theirs, _ = pair()
    for message in messages:
        theirs.send(message)
    assert [ours.receive_ready() if index == 0 else ours.pending() for index in range(len(messages))] == messages
    assert ours.pending() is None
    ours.close(), theirs.close()


def test_a_message_in_pieces_is_there_only_when_all_of_it_is() -> None:
    ours, theirs, raw = pair()
    frame = struct.pack("!Q", 5) + b"hello"
    for byte in frame[:-1]:
        raw.sendall(bytes([byte]))
        assert ours.receive_ready() is None
    raw.sendall(frame[-1:])
    assert ours.receive_ready() == b"hello"
    ours.close(), theirs.close()


def test_large_messages_do_not_block_the_reader() -> None:
    ours, theirs, _ = pair()
    message = bytes(range(256)) * 40_000
    writer = threading.Thread(target=theirs.send, args=(message,))
    writer.start()
    assert ours.receive() == message
    writer.join()
    ours.close(), theirs.close()


def test_a_writer_without_a_reader_gives_up() -> None:
    ours, theirs, _ = pair()
    with pytest.raises(OSError, match="timed out"):
        theirs.send(b"x" * 10**8, seconds=0.1)
    ours.close(), theirs.close()


def test_ends_and_nonsense_are_told() -> None:
    ours, theirs, raw = pair()
    raw.sendall(b"\xff" * 8)
    with pytest.raises(ValueError, match=r"a message of .* bytes, more than"):
        ours.receive_ready()
    theirs.close()
    other, gone, _ = pair()
    gone.close()
    with pytest.raises(EOFError):
        other.receive()
    ours.close(), other.close()
