"""Messages over a stream socket: a length, then so many bytes. Reading can be done piece by piece, without ever blocking."""

from __future__ import annotations

import contextlib
import socket
import struct

HEADER = struct.Struct("!Q")
LONGEST = 2**40  # bytes; a longer message is not one of ours
PIECE = 2**20


class FrameSocket:
    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._read = bytearray()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, message: bytes, seconds: float | None = None) -> None:
        """Send a whole message; OSError if the other end is gone or takes nothing for so long."""
        self._socket.settimeout(seconds)
        self._socket.sendall(HEADER.pack(len(message)) + message)

    def receive(self) -> bytes:
        """The next message, however long it takes; EOFError if the other end is gone."""
        while (message := self.pending()) is None:
            self._socket.settimeout(None)
            self._take(self._socket.recv(PIECE))
        return message

    def receive_ready(self) -> bytes | None:
        """The next message if all of it has come; EOFError if the other end is gone, ValueError if it talks nonsense."""
        with contextlib.suppress(BlockingIOError, InterruptedError):
            self._take(self._socket.recv(PIECE, socket.MSG_DONTWAIT))
        return self.pending()

    def _take(self, piece: bytes) -> None:
        if not piece:
            raise EOFError
        self._read += piece

    def pending(self) -> bytes | None:
        """A message that has been read already: it may have come together with an earlier one."""
        if len(self._read) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self._read)
        if length > LONGEST:
            raise ValueError("a message of impossible length")
        if len(self._read) < HEADER.size + length:
            return None
        message = bytes(self._read[HEADER.size : HEADER.size + length])
        del self._read[: HEADER.size + length]
        return message

    def close(self) -> None:
        self._socket.close()
