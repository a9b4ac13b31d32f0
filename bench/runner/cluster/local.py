"""A Dask cluster on this machine for `--dask local:N`: `python -m bench.runner.cluster.local N` in a process of its own.

In a session of its own no Ctrl-C reaches it; it ends when its standard input does, so it cannot outlive the runner. It listens
on the loopback interface only, and only to those who hold its certificate, which the runner gets through a pipe.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from typing import Any

from problems.errors import InputError

from ..launching import python_command, with_our_code
from ..processes import descendants, kill
from .client import SHORT_LOGS
from .node import CORE
from .security import Credentials, temporary_credentials

START_SECONDS = 120.0
END_SECONDS = 10.0
SETTINGS = {
    **{f"distributed.worker.memory.{name}": False for name in ("target", "spill", "pause", "terminate")},
    "distributed.worker.profile.enabled": False,  # its samples would take a part of the cores that cells run on
    "distributed.scheduler.work-stealing": False,
    "distributed.deploy.lost-worker-timeout": "1 day",  # else a worker that takes longer to come back is given up for ever
    **{f"distributed.{role}.http.routes": [] for role in ("scheduler", "worker")},
    **{f"distributed.{role}.preload": [f"{__package__}.local"] for role in ("scheduler", "worker")},  # see `dask_setup`
    "distributed.admin.log-length": 1000,  # what Dask keeps for its dashboard, which nobody looks at
    "distributed.admin.system-monitor.log-length": 600,
    **SHORT_LOGS,
}


class LocalCluster:
    """The runner's end of it; `address` is the scheduler's, `credentials` are what it asks of its clients."""

    def __init__(self, workers: int) -> None:
        self._process = subprocess.Popen(
            [*python_command("bench.runner.cluster.local"), str(workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=with_our_code(dict(os.environ)),
            start_new_session=True,
        )
        try:
            told = self._first_line()
            self.address = str(told.pop("address"))
            self.credentials = Credentials(**told)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def _first_line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_SECONDS)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            raise InputError(f"the local Dask cluster did not start within {START_SECONDS:g} s.")
        return json.loads(line)

    def close(self) -> None:
        """Let it end by itself, and see to it that all of it has."""
        assert self._process.stdin is not None
        below = descendants(self.pid)
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            below = [*below, *descendants(self.pid)]
            self._process.kill()
            self._process.wait()
            kill(below)
        if self._process.stdout is not None:
            self._process.stdout.close()


def dask_setup(server: Any) -> None:
    """Called by Dask in the scheduler and in every worker: close the HTTP port, which knows no certificates."""
    server.http_server.stop()


def serve(workers: int) -> None:
    import dask
    from distributed import LocalCluster as Cluster

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    dask.config.set(SETTINGS)
    credentials = temporary_credentials()
    with (
        tempfile.TemporaryDirectory(prefix="dualbench-dask-") as folder,
        Cluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            protocol="tls://",
            security=credentials.security(),
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            local_directory=folder,
            resources={CORE: 1},
        ) as cluster,
    ):
        print(json.dumps({"address": cluster.scheduler_address, **vars(credentials)}), flush=True)
        sys.stdin.buffer.read()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
