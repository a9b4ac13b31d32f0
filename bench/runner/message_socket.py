"""Messages over a stream socket: a length, then so many bytes. Reading can be done piece by piece, without ever blocking."""

from __future__ import annotations

import contextlib
import socket
import struct

HEADER = struct.Struct("!Q")
LONGEST = 2**40  # bytes; a longer request is not one of ours
PIECE = 2**16


class MessageSocket:
    def __init__(self, connection: socket.socket, longest: int = LONGEST) -> None:
        self._socket, self.longest = connection, longest
        self._read = bytearray()
        self._piece = memoryview(bytearray(PIECE))  # made once: a new one for each message costs more than the message

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
            self._take(self._socket.recv_into(self._piece))
        return message

    def receive_ready(self) -> bytes | None:
        """The next message if all of it has come; EOFError if the other end is gone, ValueError if it talks nonsense."""
        with contextlib.suppress(BlockingIOError, InterruptedError):
            self._take(self._socket.recv_into(self._piece, 0, socket.MSG_DONTWAIT))
        return self.pending()

    def _take(self, count: int) -> None:
        if not count:
            raise EOFError
        self._read += self._piece[:count]

    def pending(self) -> bytes | None:
        """A message that has been read already: it may have come together with an earlier one."""
        if len(self._read) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self._read)
        if length > self.longest:
            raise ValueError(f"a message of {length} bytes, more than {self.longest}")
        if len(self._read) < HEADER.size + length:
            return None
        message = bytes(self._read[HEADER.size : HEADER.size + length])
        del self._read[: HEADER.size + length]
        return message

    def unread(self) -> bool:
        """Is there anything that nobody has asked for?"""
        with contextlib.suppress(OSError):
            self._socket.setblocking(False)
            self._read += self._piece[: self._socket.recv_into(self._piece)]
        return bool(self._read)

    def close(self) -> None:
        self._socket.close()
