"""A long run on a local Dask cluster in which everything goes wrong: nothing may be lost, left over, or grow.

    python -m bench.studies.soak [FOLDER] [--minutes 30] [--workers 2]

Rounds of good solvers and of solvers that crash, hang, eat memory or lie, one run after the other on one cluster, while Dask
workers and solver processes are killed at random. Afterwards every cell must have exactly one record with a status that its
solver or a kill accounts for, nothing that the soak started may be alive, and the memory of runner, scheduler and Dask
workers must be flat. Exit code 1 if not.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..experiments.plan import Plan
from ..output.tables import Table
from ..records.log import RECORDS, read_lines
from ..runner.cluster.executor import DaskExecutor
from ..runner.runner import execute, prepare
from ..runner.solver_versions import planned
from .harness_solvers import EXPECTED
from .soak_watch import Watch, processes_with
from .study import Study

PLUGIN = Path(__file__).with_name("harness_solvers.py")
GOOD = ("greedy", "ad3", "ilp-highs")
MARK = "DUALBENCH_SOAK"
STUDY = Study(
    "soak", "Does a long run in which everything goes wrong lose a record, leave a process behind, or grow?", GOOD
)
QUICK_MINUTES = 1.0
COUNT = 8  # instances of a round
LIMITS = {"seconds": 3.0, "memory_gb": 0.6, "grace_seconds": 0.2}


@dataclass
class Findings:
    """What the records of all rounds say."""

    rounds: int = 0
    cells: int = 0
    again: int = 0
    killed: int = 0  # cells that fell to a kill from outside rather than to their solver
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, plan: Plan, folder: Path) -> None:
        """One round: exactly one record for each planned cell, and no other."""
        planned = [cell.key for cell in plan]
        found = list(read_lines(folder / RECORDS))
        times = Counter(record["key"] for record in found)
        self.rounds += 1
        self.cells += len(planned)
        for what, keys in (
            ("without a record", set(planned) - set(times)),
            ("with several records", {key for key, many in times.items() if many > 1}),
            ("recorded but not planned", set(times) - set(planned)),
        ):
            if keys:
                self.problems.append(f"round {self.rounds}: {len(keys)} cells {what}")
        for record in found:
            self._judge(record)

    def _judge(self, record: dict[str, Any]) -> None:
        label, status = record["label"], record["status"]
        self.again += record["attempt"] > 1
        self.statuses[label, status] += 1
        wanted = {EXPECTED[label]} if label in EXPECTED else {"optimal", "feasible", "relaxed"}
        by_kill = status == "crash" and ("SIGKILL" in record["message"] or "lost 2 times" in record["message"])
        if status in wanted:
            return
        if by_kill:
            self.killed += 1
        elif not (label == "ad3" and status == "timeout") and record["limit_hit"] != "time":
            self.problems.append(f"{label} on {record['instance']}: {status} ({record['message'][:200]})")


def experiment(number: int) -> dict[str, Any]:
    """A round; other instances in each."""
    return {
        "name": f"soak-{number}",
        "task": "extraction",
        "instances": {"generate": {"size": "tiny", "seed": 1 + number * COUNT, "count": COUNT}},
        "solvers": [{"name": name} for name in (*GOOD, *EXPECTED)],
        "limits": LIMITS,
    }


def _run(described: dict[str, Any], out: Path, executor: DaskExecutor) -> Plan:
    plan = planned(prepare(described, executor=executor, plugins=[PLUGIN]))
    execute(plan, out, executor, False, False, lambda cell, record: None)
    return plan


def soak(minutes: float, workers: int, seed: int = 1) -> tuple[Findings, Watch, list[int]]:
    """Rounds until the time is over; what was found, what was watched, and who is still alive afterwards."""
    token = os.environ[MARK] = uuid.uuid4().hex  # inherited by everything that is started from here
    findings = Findings()
    end = time.monotonic() + 60 * minutes
    with DaskExecutor(f"local:{workers}") as executor, tempfile.TemporaryDirectory() as folder:
        quiet = {**experiment(0), "solvers": [{"name": GOOD[0]}]}
        _run(quiet, Path(folder) / "quiet", executor)  # loads what every round needs, before memory is looked at
        with Watch(executor.cluster_pid, random.Random(seed)) as watch:
            while time.monotonic() < end:
                out = Path(folder) / str(findings.rounds)
                findings.add(_run(experiment(findings.rounds), out, executor), out)
                said = f"{findings.rounds} rounds, {findings.cells} cells, {findings.again} run again"
                print(f"{said}, {watch.kills['Dask worker']} + {watch.kills['solver process']} kills", flush=True)
    deadline = time.monotonic() + 20
    while (left := processes_with(MARK, token)) and time.monotonic() < deadline:
        time.sleep(0.2)
    if left:
        findings.problems.append(f"{len(left)} processes are left over: {left}")
    if findings.killed > sum(watch.kills.values()):
        findings.problems.append(f"{findings.killed} cells fell to {sum(watch.kills.values())} kills")
    findings.problems += watch.growth()
    return findings, watch, left


def table(findings: Findings, watch: Watch, minutes: float) -> Table:
    rows = [
        ["rounds", str(findings.rounds)],
        ["cells, each with exactly one record", str(findings.cells)],
        ["Dask workers killed", str(watch.kills["Dask worker"])],
        ["solver processes killed", str(watch.kills["solver process"])],
        ["cells run again", str(findings.again)],
        ["cells that a kill made a crash", str(findings.killed)],
    ]
    for role, line in watch.lines().items():
        rows.append([f"{role}: MB at first, at last", f"{line.first:.0f}, {line.last:.0f}"])
        rows.append([f"{role}: MB per hour", f"{line.slope:+.1f}"])
    statuses = ", ".join(f"{label} {status} {many}" for (label, status), many in sorted(findings.statuses.items()))
    notes = [
        f"{minutes:g} minutes on a local Dask cluster. Memory: resident size, after the first fifth of the time.",
        f"Statuses: {statuses}.",
        "Problems: " + ("; ".join(findings.problems) or "none") + ".",
    ]
    return Table("Soak", ["what", "how much"], rows, notes)


def main(arguments: list[str] | None = None) -> int:
    problems: list[str] = []

    def measure(folder: Path, quick: bool, minutes: float, workers: int) -> Table:
        minutes = min(minutes, QUICK_MINUTES) if quick else minutes
        findings, watch, _ = soak(minutes, workers)
        thinned = [{name: round(value, 1) for name, value in each.items()} for each in watch.samples[::10]]
        (folder / "samples.json").write_text(json.dumps(thinned) + "\n")
        problems.extend(findings.problems)
        return table(findings, watch, minutes)

    STUDY.main(measure, arguments, minutes=30.0, workers=2)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
