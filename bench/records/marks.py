"""Which times must be taken with care: those of changed code, of a busy machine, or of too few repetitions.

The facts are the `provenance.json` of a folder of `results/`, which says at least by which command, on which commit, and at which load
its numbers were recorded.

Which machines a run's times come from. Times of different machines are not put side by side unless that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from problems.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

BUSY = 0.25  # of each core, by other programs
REPETITIONS = 3  # of a time that needs no mark
NAMED = 3  # changed files that a mark tells


def marks(facts: Mapping[str, Any]) -> list[str]:
    """Why the times of a folder are marked; nothing where they need not be."""
    code, load = facts.get("code") or {}, load_per_core(facts)
    found = []
    if not code.get("commit") and not code.get("sources"):
        found.append("recorded on an unknown commit")
    elif code.get("dirty"):
        found.append(f"recorded with uncommitted changes ({_named(code.get('changed') or ['unknown files'])})")
    if load is None:
        found.append("recorded at an unknown load")
    elif load > BUSY:
        found.append(f"recorded at load {load:.2f} per core")
    if facts.get("repetitions", REPETITIONS) < REPETITIONS:
        found.append(f"recorded with fewer than {REPETITIONS} repetitions")
    if facts.get("quick"):
        found.append("a quick run")
    return found


def _named(files: list[str]) -> str:
    more = len(files) - NAMED
    return ", ".join(files[:NAMED]) + (f" and {more} more" if more > 0 else "")


def load_per_core(facts: Mapping[str, Any]) -> float | None:
    """The share of each core that other programs took during the run; None where it is not known.

    Where it was not measured, their load over one minute, before or after, whichever is higher. Afterwards our own
    processes are a part of the load: as many as `own` says are taken off.
    """
    load = facts.get("load")
    if not isinstance(load, Mapping):
        return None
    if load.get("others") is not None:
        return float(load["others"])
    if not load.get("before") or not load.get("after"):
        return None
    cores = str((facts.get("machine") or {}).get("cores", ""))
    if not cores.isdigit() or not int(cores):
        return None
    return float(max(load["before"][0], load["after"][0] - load.get("own", 1), 0.0)) / int(cores)


def run_facts(provenance: Mapping[str, Any], started: Iterable[str]) -> dict[str, Any]:
    """Those of a run, at the worst of the sessions that its records come from; `started`: when each record began."""
    machine = provenance.get("machine") or {}
    parts = [
        {
            "started": each["started"],
            "ended": each.get("ended"),
            "code": each.get("code") or provenance.get("code") or {},
            "load": {
                "before": each.get("load_start"),
                "after": each.get("load_end"),
                "own": each.get("jobs", 1),
                "others": each.get("others"),
            },
            "machine": machine,
        }
        for each in _sessions(provenance.get("sessions") or [], started)
    ]
    return {**at_worst(parts), "machine": machine}


def at_worst(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Times, code and load of what was recorded in several parts: changed code of any of them, and the highest load."""
    codes = [part.get("code") or {} for part in parts]
    commits = list(dict.fromkeys(str(code.get("commit") or "") for code in codes))
    loads = [(load_per_core(part), part.get("load") or {}) for part in parts]
    unknown = [load for share, load in loads if share is None]
    highest = max((each for each in loads if each[0] is not None), key=lambda each: each[0] or 0.0, default=(None, {}))
    return {
        "started": min((part["started"] for part in parts if part.get("started")), default=None),
        "ended": max((part["ended"] for part in parts if part.get("ended")), default=None),
        "code": {
            "commit": commits[-1] if commits else "",
            "dirty": any(code.get("dirty") for code in codes),
            "changed": list(dict.fromkeys(name for code in codes for name in code.get("changed") or [])),
            **({"commits": commits} if len(commits) > 1 else {}),
        },
        "load": unknown[0] if unknown else highest[1],
    }


def _sessions(sessions: list[dict[str, Any]], started: Iterable[str]) -> list[dict[str, Any]]:
    """Those in which one of these moments lies: one without cells, or with none that still counts, says nothing."""
    ran = [each.get("started") and (each.get("cells") or not each.get("ended")) for each in sessions]
    begun = [(each["started"], place) for place, each in enumerate(sessions) if ran[place]]
    places = {max((each for each in begun if each[0] <= moment), default=None) for moment in set(started)}
    return [sessions[each[1]] for each in sorted(found for found in places if found is not None)]


def processors(records: pd.DataFrame) -> dict[str, list[str]]:
    """The nodes of these records, and the processors that each has had in the sessions of their runs, where that is known."""
    found: dict[str, list[str]] = {str(node): [] for node in sorted(set(records["node"])) if node}
    for name, facts in nodes(records):
        processor = str(facts.get("processor", ""))
        if processor and name in found and processor not in found[name]:
            found[name].append(processor)
    return found


def nodes(records: pd.DataFrame) -> list[tuple[str, dict[str, Any]]]:
    """The names and facts of all nodes by session; sessions that ended without a cell have measured nothing."""
    provenance = getattr(records, "provenance", None) or {}
    return [
        (str(name), facts)
        for session in provenance.get("sessions") or []
        if session.get("cells") or not session.get("ended")
        for name, facts in (session.get("nodes") or {}).items()
    ]


def machines(records: pd.DataFrame) -> list[str]:
    """The machines as a reader knows them; the processor is told where machines differ in it."""
    found = processors(records)
    if len({processor for each in found.values() for processor in each}) < 2:
        return list(found)
    return [f"{node}: {processor}" for node, each in found.items() for processor in each or ["processor unknown"]]


def one_node(records: pd.DataFrame, mix_nodes: bool = False) -> None:
    """Refuse times of several machines side by side unless that is wanted."""
    found = machines(records)
    if len(found) > 1 and not mix_nodes:
        raise InputError(
            f"the records come from several machines ({', '.join(found)}), whose times cannot be compared; "
            "choose the runs of one, or set mix_nodes = true (--mix-machines)."
        )
