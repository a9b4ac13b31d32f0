"""The parent of the suite's process: nothing below it outlives the command that started it, however that ends.

    python -S -P -m bench.conformance.guard LIFELINE COMMAND...

LIFELINE is the reading end of a pipe whose other end only the command's own process holds. When it closes, or when COMMAND
has ended, everything below the guard is killed; the guard then ends as COMMAND did.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence

from ..processes import adopt_orphans, kill_descendants

LOOK_SECONDS = 0.05


def main(lifeline: int, command: Sequence[str]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.set_inheritable(lifeline, False)
    adopt_orphans()
    process = subprocess.Popen(command, close_fds=False, preexec_fn=_default_signals)
    while (code := process.poll()) is None and not select.select([lifeline], [], [], LOOK_SECONDS)[0]:
        pass
    kill_descendants(os.getpid())
    if code is not None and code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(1 if code is None else code)


def _default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
