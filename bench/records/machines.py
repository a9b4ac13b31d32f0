"""Which machines a run's times come from. Times of different machines are not put side by side unless that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from problems.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


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
