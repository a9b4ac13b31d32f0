"""Decode a corpus: what is missing in the output is decoded and appended, in the order of the corpus."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from problems.errors import InputError
from problems.files import check_regular
from problems.registration import BUILT_IN
from solvers import make_solver
from solvers.registry import registry

from ..experiments.plan import code_digest, plain
from ..experiments.plugins import load_plugins
from ..records.fields import FAILURES
from ..records.log import read_json, unwritable
from ..records.provenance import UNAVAILABLE, code_state, command, machine, now
from ..runner.compilation import Announce, compile_kernels, tell_nobody
from ..runner.executors import LocalExecutor, check_positive
from ..runner.kernel_steps import all_steps
from ..runner.launching import digests
from ..runner.runner import MEMORY_SHARE
from ..runner.solver_versions import solver_versions
from .corpus import Corpus, Entry
from .output import JsonLines, Output, Parquet
from .pool import Assignment, Pool

Tell = Callable[[dict[str, Any]], None]
KEPT_MESSAGE = 300  # characters of why a row failed
IDENTITY = ("task", "solver", "options", "solver_version", "code", "metrics")
"""What must be the same for an output to be gone on with."""


class Decoding:
    """One call of `decode`. `counts` tells the statuses so far, `before` how many rows were there already.

    `failed` counts rows without an answer, also those from before; `first_failure` says why the first one has none.
    """

    def __init__(
        self,
        corpus: Corpus,
        solver: str,
        options: dict[str, Any] | None = None,
        *,
        jobs: int = 1,
        seconds: float = 300.0,
        memory_gb: float | None = None,
        metrics: bool = True,
        plugins: Sequence[Path] = (),
        strict: bool = False,
        announce: Announce = tell_nobody,
    ) -> None:
        share = LocalExecutor(jobs).memory_gb
        check_positive(timeout=seconds, memory=memory_gb)
        loaded = [plugin.path for plugin in load_plugins(plugins)]
        task = None if corpus.task == "graph" else corpus.task
        made = make_solver(solver, task, options or {})
        version = solver_versions([solver])[solver]
        why = version.removeprefix(UNAVAILABLE) if version.startswith(UNAVAILABLE) else ""
        if registry.origin(solver) == BUILT_IN:  # of solvers that share a name, the task's own one
            why = type(made).unavailable() or ""
        if why:
            raise InputError(f"solver {solver!r} cannot be used: {why.rstrip('.')}.")
        self.corpus, self.strict, self.counts, self.before = corpus, strict, Counter[str](), 0
        self.failed, self.first_failure = 0, ""
        memory = memory_gb or round(MEMORY_SHARE * share, 1)
        trusted = registry.origin(solver) == BUILT_IN
        job = Assignment(corpus.task, solver, options or {}, digests(loaded), seconds, memory, metrics, trusted)
        pinned = sorted(os.sched_getaffinity(0)) if jobs > 1 and hasattr(os, "sched_getaffinity") else []
        self.pool = Pool(job, jobs, pinned)
        self._steps = all_steps(corpus.task, [solver]) if trusted else []
        self._plugins, self._announce = loaded, announce
        self.about = {
            "task": corpus.task,
            "solver": solver,
            "options": {name: plain(value) for name, value in made.options.items()},
            "solver_version": version,
            "code": code_digest(tuple(loaded)),
            "metrics": metrics,
            "corpus": {"where": corpus.where, "kind": corpus.kind, "split": corpus.split, "model": corpus.model},
            "limits": {"seconds": seconds, "memory_gb": memory},
            "jobs": jobs,
            "command": command(),
            "checkout": code_state(),
            "machine": machine(),
            "started": now(),
        }

    def to_stream(self, tell: Tell = lambda row: None) -> None:
        """Rows as JSON lines to standard output."""
        self._into(JsonLines(None), self.corpus.entries(), tell)

    def to_file(self, path: Path, resume: bool = False, tell: Tell = lambda row: None) -> None:
        """Rows into a file, JSON lines or Parquet by its ending. `tell` gets each row once it is handed over."""
        if path.suffix not in (".jsonl", ".ndjson", ".parquet"):
            raise InputError(f"{path}: rows are written to .jsonl or .parquet files, or to - (standard output).")
        with _claimed(path, self.about, resume):
            output: Output = Parquet(path) if path.suffix == ".parquet" else JsonLines(path)
            self._into(output, self._missing(output) if resume else self.corpus.entries(), tell)

    def _into(self, output: Output, entries: Iterator[Entry], tell: Tell) -> None:
        complete = False
        try:
            compile_kernels(self._steps, self._plugins, self.pool.stop, self._announce)
            with contextlib.closing(self.pool.rows(entries)) as rows:  # type: ignore[type-var]
                for row in rows:
                    self._note(row["name"], row["status"], row["message"])
                    if self.strict and self.failed:
                        raise InputError(f"{self.first_failure}.")
                    output.append(row)
                    self.counts[row["status"]] += 1
                    tell(row)
            complete = True
        finally:
            output.close(complete)

    def _missing(self, output: Output) -> Iterator[Entry]:
        """The entries without a row. Those that have one must be the same as then."""
        entries = self.corpus.entries()
        for expected, (position, digest, *answer) in enumerate(output.done()):
            entry = next(entries, None)
            if position != expected:
                raise InputError(f"{self.corpus.where}: row {expected} of the output is of position {position}.")
            if entry is None:
                raise InputError(f"{self.corpus.where}: has {expected} instances, but the output has more rows.")
            if entry.digest != digest:
                raise InputError(
                    f"{entry.name}: is not what was decoded before (position {position}); choose another --out."
                )
            self.before += 1
            self._note(*answer)
        yield from entries

    def _note(self, name: str, status: str, message: str) -> None:
        """Whether a row has an answer."""
        if status in FAILURES:
            self.failed += 1
            said = " ".join(message.removeprefix(f"{name}: ").split())[:KEPT_MESSAGE].rstrip(".")
            self.first_failure = self.first_failure or f"{name}: {status} ({said})"


@contextlib.contextmanager
def _claimed(path: Path, about: dict[str, Any], resume: bool) -> Iterator[None]:
    """Beside the output: what it was made with, which a later call must agree with, and a lock against two at a time."""
    beside, parts = path.with_name(path.name + ".about.json"), path.with_name(path.name + ".parts")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_regular(beside)
        lock = open(beside, "a+", encoding="utf-8")  # noqa: SIM115 (closed below)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{path}: another decoding is being written there.") from None
    except OSError as error:
        raise unwritable(path, error) from None
    with lock:
        there = path.exists() or parts.exists()
        if there and not resume:
            raise InputError(f"{path}: exists already; add --resume to continue it, or choose another --out.")
        known = read_json(beside) if there else about
        for name in IDENTITY:
            if known.get(name) != about[name]:
                raise InputError(
                    f"{path}: was decoded with another {name} ({_in_words(known.get(name))}, not {_in_words(about[name])}); "
                    "choose another --out."
                )
        if not there:
            lock.truncate(0)
            lock.write(json.dumps(about, indent=1) + "\n")
            lock.flush()
        yield


def _in_words(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."
