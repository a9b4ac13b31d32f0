"""What a job needs to know of the run that it works for."""

from __future__ import annotations

import threading
from typing import Protocol

from ..experiments.experiment import Experiment


class Session(Protocol):
    """A run, here or on another machine."""

    experiment: Experiment
    jobs: int  # cells at the same time on this machine
    stop: threading.Event
    plugins: dict[str, str]  # paths of plug-ins and the digests of their content when the run began
    sources: dict[str, bytes] | None  # what they contain, away from the runner's machine: then versions are checked
