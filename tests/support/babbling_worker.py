"""A process that answers a request with the bytes of a file: `python -m babbling_worker FD`.

Bytes that begin with `later:` are written after a right answer, the others instead of one.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
from pathlib import Path

from bench.runner.message_socket import MessageSocket
from bench.runner.messages import encode


def main(descriptor: int) -> None:
    connection = MessageSocket(socket.socket(fileno=descriptor))
    request = pickle.loads(connection.receive())
    message = Path(os.environ["DUALBENCH_TEST_MESSAGE"]).read_bytes()
    if message.startswith(b"later:"):
        connection.send(encode("warm", request["nonce"], 0, {}))
        message = message.removeprefix(b"later:")
    os.write(descriptor, message)
    if len(message) < 24 or int.from_bytes(message[:8], "big") > len(message) - 8:
        return  # half a message: nothing more will come
    time.sleep(600)


if __name__ == "__main__":
    main(int(sys.argv[1]))
