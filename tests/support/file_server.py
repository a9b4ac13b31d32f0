"""A server on 127.0.0.1 that has some files, and the faults of real ones: broken connections, ignored ranges, errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


class FileServer:
    """`files` by path. The counts and flags below make it misbehave; `asked` are the paths and ranges of all requests."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.breaks = 0  # so many answers end in their middle
        self.errors = 0  # so many answers are 503
        self.ranges = True
        self.url = ""

    def ranges_asked(self) -> list[str]:
        return [given for _, given in self.asked if given]


@contextmanager
def serving() -> Iterator[FileServer]:
    state = FileServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)  # a proxy is asked for a whole address
            given = self.headers.get("Range", "")
            state.asked.append((path, given))
            if state.errors:
                state.errors -= 1
                self.send_error(503)
                return
            if path not in state.files:
                self.send_error(404)
                return
            content, first = state.files[path], 0
            if given and state.ranges:
                first = int(given.removeprefix("bytes=").removesuffix("-"))
                if first >= len(content):
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
            else:
                self.send_response(200)
            sent = content[first:]
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            if state.breaks:
                state.breaks -= 1
                sent = sent[: len(sent) // 2]
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
