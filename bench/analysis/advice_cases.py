"""From run folders to the table that advice on solvers rests on (`solvers.advice.table`).

Every run of the runner will do. Its instances are made again, since a record does not tell all that a profile says; those that cannot be
made again (a corpus that is not here) are left out and counted. An answer in which the audit finds something wrong counts as refused, and
so does a crash: nobody is advised to use such a solver there. Of `auto` nothing is kept: it is what asks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from problems import task_names, task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError, quoted
from solvers.advice.table import Candidate, Case, Cell, Table, case_name

from ..records.frame import Records
from ..records.log import load_run
from .audit import instances_for, with_audit
from .statistics.cells import best_known, reduce_cells

ASKS = "auto"
OF_THE_RUN = ("seed", "time_limit", "trace")  # options that are the run's affair, not part of a choice


class Found(NamedTuple):
    table: Table
    left_out: int  # instances that cannot be made again


def table_of_runs(folders: Iterable[Path]) -> Found:
    """The cases of all runs; of a cell that two runs have, the later one counts."""
    table, left_out = Table(()), 0
    for folder in folders:
        records = load_run(folder)
        task = records.experiment.get("task", "")
        if task not in ("", BareGraphTask.name, *task_names()):
            raise InputError(
                f"{folder}: nothing here knows its task {quoted(task)}; name the task's file with --plugin."
            )
        found = cases_of(records)
        if not found.table.cases:
            raise InputError(f"{folder}: no cell of this run has an instance that can be made again.")
        table, left_out = table.extended(found.table), left_out + found.left_out
    return Found(table, left_out)


def cases_of(records: Records) -> Found:
    """The cases of one run."""
    candidates = _candidates(records)
    audited = with_audit(records)
    cells, best = reduce_cells(audited), best_known(audited)
    worked = audited.groupby(["label", "instance_digest"])["cpu_seconds"].max()
    instances = instances_for(records)
    cases, left_out = [], 0
    for digest, own in cells.groupby("instance_digest", sort=False):
        instance = instances.get(str(digest))
        if instance is None:
            left_out += 1
            continue
        rows = [row for row in own.to_dict("records") if row["label"] in candidates]
        made = {
            candidates[row["label"]]: _cell(row, best.get(str(digest)), worked.get((row["label"], digest)))
            for row in rows
        }
        if made:
            first = rows[0]
            profile = task_of(instance).profile(instance)
            cases.append(Case(profile, case_name(str(first["instance"]), str(digest)), str(first["size"]), made))
    return Found(Table(tuple(cases), (_provenance(records),)), left_out)


def _candidates(records: Records) -> dict[str, Candidate]:
    """What each label stands for: the solver and the options that the experiment sets."""
    specs = records.experiment.get("solvers")
    if not isinstance(specs, list) or not all(isinstance(each, dict) for each in specs) or not specs:
        raise InputError(f"{records.folder}: its experiment.json names no solvers; expected the folder of a run.")
    found = {}
    for spec in specs:
        options = {name: value for name, value in spec.get("options", {}).items() if name not in OF_THE_RUN}
        if spec.get("name") != ASKS:
            found[spec.get("label", spec.get("name"))] = Candidate.of(str(spec.get("name")), options)
    return found


def _cell(row: dict[Any, Any], best: float | None, worked: float | None) -> Cell:
    loss = _loss(row["objective"], best)
    if row["status"] == "timeout" or row["limited"]:
        spent = worked if worked is not None and worked > 0 else row["limit"]
        return Cell(float(spent), "stopped", loss)
    if not row["answered"] or math.isnan(row["seconds"]):
        return Cell(0.0, "refused")
    if row["status"] == "infeasible":  # a proof as well
        return Cell(float(row["seconds"]), "optimal", 0.0)
    return Cell(float(row["seconds"]), "optimal" if row["status"] == "optimal" else "feasible", loss)


def _loss(objective: float, best: float | None) -> float | None:
    """How far an answer is below the best known one, relative to the larger of them."""
    if best is None or math.isnan(objective):
        return None
    scale = max(abs(objective), abs(best))
    return max(best - objective, 0.0) / scale if scale else 0.0


def _provenance(records: Records) -> dict[str, Any]:
    facts: dict[str, Any] = records.provenance
    sessions = [session for session in facts.get("sessions", []) if isinstance(session, dict)]
    last = sessions[-1] if sessions else {}
    code, machine = facts.get("code", {}), facts.get("machine", {})
    return {
        "experiment": records.experiment.get("name", records.folder.name),
        "task": records.experiment.get("task", ""),
        "commit": code.get("commit", ""),
        "changed": code.get("changed", []),
        "command": last.get("command", []),
        "started": last.get("started", ""),
        "load_start": last.get("load_start"),
        "load_end": last.get("load_end"),
        **{name: machine.get(name, "") for name in ("processor", "cores", "memory", "Python", "system")},
        "cells": len(pd.DataFrame(records)),
    }
