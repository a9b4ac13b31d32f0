"""The runner's connection to a Dask scheduler: nothing here waits for ever, and what goes wrong is one sentence."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import queue
import threading
import uuid
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from problems.errors import InputError

from .node import CORE, describe
from .security import Credentials

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 20.0
DESCRIBE_SECONDS = 10.0
FAREWELL_SECONDS = 10.0
SHORT_LOGS = {"distributed.admin.low-level-log-length": 20}  # Dask keeps its last messages, which hold whole instances


class Connection:
    def __init__(self, address: str, credentials: Credentials | None = None) -> None:
        import dask
        from distributed import Client

        self._address = address
        _be_quiet()
        try:
            dask.config.set(SHORT_LOGS)
            security = credentials.security() if credentials else None
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
        except Exception as error:  # Dask asserts what it has no message for, on a busy machine
            shown = f" to the certificates in {credentials.folder}" if credentials and credentials.folder else ""
            raise InputError(f"no Dask scheduler answers{shown} at {address} ({_short(error)}).") from None

    @staticmethod
    def check_packages(*names: str) -> None:
        for name in names:
            if importlib.util.find_spec(name) is None:
                raise InputError(f"option '--dask' needs the package {name}: pip install 'dualbench[dask]'.")

    def workers(self) -> set[str]:
        """The addresses of all workers now."""
        try:
            return set(self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER_SECONDS))
        except Exception as error:
            raise InputError(
                f"the Dask scheduler at {self._address} is gone ({_short(error)}); everything recorded is kept, "
                "continue with --resume."
            ) from None

    def described(self, address: str) -> dict[str, Any] | BaseException:
        """What a worker says of itself, or why it does not."""
        found: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.describe_soon(address, lambda _, facts: found.put(facts))
        try:
            return found.get(timeout=DESCRIBE_SECONDS)
        except queue.Empty:
            return TimeoutError(f"no answer within {DESCRIBE_SECONDS:g} s")

    def describe_soon(self, address: str, tell: Callable[[str, Any], object]) -> None:
        """Ask a worker what it is; `tell` gets its address and the facts, or an exception."""

        def ask() -> None:
            try:
                tell(address, self._client.run(describe, workers=[address], on_error="return")[address])
            except Exception as error:
                tell(address, error)

        threading.Thread(target=ask, daemon=True).start()

    def submit(self, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function on a worker as soon as it has a free core."""
        return self._client.submit(
            function,
            *arguments,
            key=f"dualbench-{uuid.uuid4().hex}",
            workers=[address],
            allow_other_workers=False,
            resources={CORE: 1},
            retries=0,
            pure=False,
        )

    def outcome(self, future: Any) -> Any:
        """What a finished task returned or raised."""
        try:
            return future.result(timeout=ANSWER_SECONDS)
        except Exception as error:
            return error
        except BaseException as error:  # asyncio's CancelledError is none of the above
            if type(error).__name__.endswith("CancelledError"):
                return error
            raise

    def is_loss(self, error: BaseException) -> bool:
        """Was it the worker that went away, rather than something that failed there?"""
        from distributed import KilledWorker

        return isinstance(error, (KilledWorker, OSError, TimeoutError)) or type(error).__name__.endswith(
            "CancelledError"
        )

    def cancel(self, futures: Sequence[Any]) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel(list(futures), force=True)

    def tell(self, addresses: Sequence[str], function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function beside the tasks of these workers; a worker that hangs is not waited for."""

        def ask() -> None:
            with contextlib.suppress(Exception):
                self._client.run(function, *arguments, workers=list(addresses), on_error="ignore")

        if addresses:
            thread = threading.Thread(target=ask, daemon=True)
            thread.start()
            thread.join(FAREWELL_SECONDS)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=FAREWELL_SECONDS)


def _be_quiet() -> None:
    """Dask tells the terminal of every lost worker and connection; the runner says what a user must know."""
    warnings.filterwarnings("ignore", module="distributed")
    for name in ["distributed", "tornado", "asyncio", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _short(error: BaseException) -> str:
    said = " ".join(str(error).split())
    return said[:300] or type(error).__name__
