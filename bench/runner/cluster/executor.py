"""The executor behind `run --dask`: connects to a cluster or starts one, and finds the workers that can be used."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from problems.errors import InputError

from ...experiments.plan import code_digest
from ..executors import Work
from ..processes import number_of_cores
from .client import Connection
from .local import LocalCluster
from .nodes import Nodes
from .security import credentials_for
from .session import PATIENCE_SECONDS, Session

ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d+")
NODES_SECONDS = 10.0  # to wait for the first worker


class DaskExecutor:
    """Connects to a scheduler (`tls://host:port`, with the folder of certificates), or starts one here (`local:N`)."""

    def __init__(self, where: str, security: str | Path | None = None) -> None:
        self._where, self._workers = where, _local_workers(where)
        self._credentials = credentials_for(where, security)
        self._cluster: LocalCluster | None = None
        self.jobs = self._workers or 1
        self.warnings: Sequence[str] = ()

    @property
    def facts(self) -> dict[str, Any]:
        return {"jobs": self.jobs, "dask": self._where}

    @property
    def memory_gb(self) -> float:
        return self._nodes.memory_gb

    @property
    def cluster_pid(self) -> int:
        """The process of a local cluster's scheduler; 0 if there is none."""
        return self._cluster.pid if self._cluster else 0

    def __enter__(self) -> DaskExecutor:
        Connection.check_packages("distributed")
        address, credentials = self._where, self._credentials
        with ExitStack() as opened:
            if self._workers:
                Connection.check_packages("cryptography")
                self._cluster = LocalCluster(self._workers)
                opened.callback(self._cluster.close)
                address, credentials = self._cluster.address, self._cluster.credentials
            self._connection = Connection(address, credentials)
            opened.callback(self._connection.close)
            self._nodes = Nodes(code_digest(()))
            self._find_nodes()
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def _find_nodes(self) -> None:
        """The workers that are there now; all that a local cluster must have."""
        deadline = time.monotonic() + (PATIENCE_SECONDS if self._workers else NODES_SECONDS)
        while True:
            for address in set(self._connection.workers()) - {*self._nodes.by_address, *self._nodes.refused}:
                self._nodes.add(address, self._connection.described(address))
            if len(self._nodes.lanes) >= max(self._workers, 1):
                break
            if self._nodes.refused or time.monotonic() > deadline:
                raise InputError(self._nobody())
            time.sleep(0.1)
        self.jobs = len(self._nodes.lanes)
        self.warnings = [f"Not used: {address} {why}." for address, why in self._nodes.refused.items()]

    def _nobody(self) -> str:
        if not self._nodes.refused:
            return f"the Dask cluster at {self._where} has no workers; start some with --resources core=1."
        address, why = next(iter(self._nodes.refused.items()))
        return f"no worker of the Dask cluster at {self._where} can be used: {address} {why}."

    def work(self, run: Work) -> None:
        Session(self._connection, self._nodes, self._where, run).work()


def _local_workers(where: str) -> int:
    """The N of `local:N`; 0 for an address."""
    kind, _, number = where.partition(":")
    if kind == "local":
        cores = number_of_cores()
        if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= cores:
            raise InputError(
                f"option '--dask' must be local:N with N between 1 and {cores} (the cores of this machine), not {where!r}."
            )
        return int(number)
    if not ADDRESS.fullmatch(where):
        raise InputError(f"option '--dask' must be local:N or an address such as tls://host:8786, not {where!r}.")
    return 0
