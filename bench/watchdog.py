"""The dead man's switch: if the runner is killed, nothing that it started goes on.

A process of its own that reads from the runner's pipe. A farewell ends it; if the pipe closes without one, the runner is
gone, and every process that carries the run's mark is killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from .processes import MARK, kill_marked
from .supervision import python_command, with_our_code

FAREWELL = b"farewell"


class Watchdog:
    """The runner's end of it."""

    def __init__(self, mark: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name != MARK}
        self._process = subprocess.Popen(
            [*python_command("bench.watchdog"), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=with_our_code(environment),
            start_new_session=True,
        )

    def close(self) -> None:
        try:
            self._process.communicate(FAREWELL, timeout=10)
        except (subprocess.TimeoutExpired, OSError):
            self._process.kill()
            self._process.wait()


def main(mark: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.stdin.buffer.read() != FAREWELL:
        kill_marked(mark)


if __name__ == "__main__":
    main(sys.argv[1])
