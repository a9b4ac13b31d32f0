"""Versions of solvers. One that somebody else wrote is asked in a worker, since `version` and `unavailable` are its code."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from problems.errors import shortened
from problems.registration import BUILT_IN
from solvers.registry import registry

from ..experiments.experiment import Experiment
from ..experiments.plan import Plan
from ..experiments.plugins import loaded_plugins
from ..records.provenance import LONGEST_REASON, UNAVAILABLE, solver_version
from .supervisor import Death, Supervisor

VERSION_SECONDS = 20.0  # a cold library may be imported for it
VERSION_MEMORY = 2**32


def solver_versions(names: Iterable[str]) -> dict[str, str]:
    """Each solver's version, or why it cannot be used: "unavailable: ..."."""
    found = dict.fromkeys(names, "")
    strangers = [name for name in found if registry.origin(name) != BUILT_IN]
    return found | {name: solver_version(name) for name in found if name not in strangers} | _asked(strangers)


def planned(
    experiment: Experiment, announce: Callable[[str], None] = lambda text: None, most: int | None = None
) -> Plan:
    """The plan of an experiment."""
    return Plan(experiment, solver_versions(spec.name for spec in experiment.solvers), announce, most)


def _asked(names: list[str]) -> dict[str, str]:
    """What a worker says; one that a solver has ended or held up is replaced for the next."""
    found: dict[str, str] = {}
    worker: Supervisor | None = None
    try:
        for name in names:
            worker = worker or _started()
            answer = worker.ask("version", {"solver": name}, "version", VERSION_SECONDS, VERSION_MEMORY)
            if isinstance(answer, Death):
                found[name] = UNAVAILABLE + shortened(f"asked for its version, {_cause(answer)}", LONGEST_REASON)
                worker.close()
                worker = None
            else:
                found[name] = answer["version"]
    finally:
        if worker is not None:
            worker.close()
    return found


def _started() -> Supervisor:
    """A worker that knows the plug-ins; if it did not start, the first question will tell."""
    worker = Supervisor(threading.Event())
    worker.set_up("", "graph", {str(plugin.path): plugin.digest for plugin in loaded_plugins()}, ())
    return worker


def _cause(death: Death) -> str:
    why = {"timeout": f"it did not answer within {VERSION_SECONDS:g} s", "memout": "it used too much memory"}
    return why.get(death.kind, f"it ended ({death.message})")
