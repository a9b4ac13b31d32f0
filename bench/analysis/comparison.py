"""Two runs of the same cells: is the second slower, or worse, than the first?"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from problems.errors import InputError
from solvers.base import tolerance

from ..records.damage import told
from ..records.fields import FAILURES
from ..records.marks import processors
from .audit import with_audit
from .groups import fields_of, grouped
from .noise import label_spreads, noise
from .statistics.cells import reduce_cells
from .statistics.values import SHORTEST, Interval, median, ratio_interval

THRESHOLD = 0.05
ALL = "all"
FEWEST = 6
NEAR = 0.01  # objectives within this share of each other are equally good
LEVELS = {"optimal": 0, "feasible": 1, "relaxed": 2, "infeasible": 2}
"""How much a status says, from much to little; failures say nothing (3), and a wrong answer is worse than none (4)."""


class Change(NamedTuple):
    """Something that differs beyond noise and rounding: `time` of a label or of all, or `objective`, `status`, `solved` of a cell."""

    kind: str
    label: str
    instance: str  # of times: the task and size where there are several
    text: str


class Speed(NamedTuple):
    """The times of one label in both runs, over the instances of one size where both ended with equally good answers."""

    group: tuple[str, ...]  # task and size, where there are several
    label: str
    pairs: int
    first: float  # median seconds
    second: float
    ratio: Interval  # second / first
    margin: float  # the relative change that counts: the threshold, or the spread of repetitions where that is larger
    change: str  # "slower", "faster" or ""


@dataclass(frozen=True)
class Comparison:
    """What changed from the first run to the second."""

    names: tuple[str, str]
    fields: tuple[str, ...]  # what groups differ in
    time: str
    threshold: float
    speeds: list[Speed]
    regressions: list[Change]
    improvements: list[Change]
    pairs: int
    only_first: dict[str, int] = field(default_factory=dict)  # cells by label
    only_second: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """1 if and only if something got worse."""
        return int(bool(self.regressions))


def compare(
    first: pd.DataFrame,
    second: pd.DataFrame,
    time: str = "cpu",
    threshold: float = THRESHOLD,
    names: tuple[str, str] = ("the first run", "the second run"),
) -> Comparison:
    """Pair the cells of two runs by task, instance and label (else by solver and options), and compare them.

    Repetitions are reduced to their median, as in all statistics. A solver got slower (faster) if the 95 % interval of
    its median ratio lies wholly above 1 + margin (below its inverse); one instance alone is never enough to tell. The
    margin is the threshold, or the spread of the solver's repetitions within a run where that is larger: the interval is
    over instances and knows nothing of a machine that was busier during one run. Sizes and tasks are compared one by one, and
    only where both answers are equally good; other answers are changes of their own.
    The last row of a size is of its instances: the geometric mean over the labels of each.
    """
    if threshold < 0:
        raise InputError(f"the threshold must be at least 0, not {threshold}.")
    cells = [reduce_cells(with_audit(records), time) for records in (first, second)]
    paired, alone = _pair(cells[0], cells[1], _options(first), _options(second))
    if not len(paired):
        raise InputError(
            f"nothing to compare: {names[0]} has {len(cells[0])} cells, {names[1]} has {len(cells[1])}, and no instance "
            "was solved by the same solver in both."
        )
    margins, sized = _margins(first, second, threshold), paired.assign(size=paired["size_first"])
    speeds = [speed for name, part in grouped(sized).items() for speed in _speeds(name, part, margins, threshold)]
    worse, better = _cell_changes(paired)
    for speed in speeds:
        if speed.change:
            span = f"[{speed.ratio.low:.3g}, {speed.ratio.high:.3g}]"
            text = f"{speed.change}, x {speed.ratio.value:.3g} {span}."
            change = Change("time", speed.label, " ".join(speed.group), text)
            (worse if speed.change == "slower" else better).append(change)
    fields, warnings = fields_of(sized), _warnings(first, second, paired)
    return Comparison(names, fields, time, threshold, speeds, worse, better, len(paired), *alone, warnings)


def _options(records: pd.DataFrame) -> dict[str, str]:
    """The solver and options behind each label."""
    return {
        str(label): json.dumps([solver, options], sort_keys=True, default=str)
        for label, solver, options in zip(records["label"], records["solver"], records["options"], strict=True)
    }


def _pair(
    first: pd.DataFrame, second: pd.DataFrame, options_first: dict[str, str], options_second: dict[str, str]
) -> tuple[pd.DataFrame, tuple[dict[str, int], dict[str, int]]]:
    """The cells of both runs side by side, and how many of each label are only in one."""
    twins = {said: label for label, said in options_first.items() if label not in options_second}
    renamed = {
        label: twins[said] for label, said in options_second.items() if label not in options_first and said in twins
    }
    other = second.assign(own_label=second["label"], label=second["label"].map(lambda label: renamed.get(label, label)))
    other["same"] = other["label"].map(options_first) == other["own_label"].map(options_second)
    both = first.merge(
        other,
        how="outer",
        on=["task", "instance_digest", "label"],
        suffixes=("_first", "_second"),
        indicator=True,
        sort=False,
    )
    order = {label: place for place, label in enumerate(dict.fromkeys([*first["label"], *other["label"]]))}
    both = both.sort_values("label", key=lambda labels: labels.map(order), kind="stable")
    paired = both[both["_merge"] == "both"].reset_index(drop=True)
    lost, gained = both[both["_merge"] == "left_only"], both[both["_merge"] == "right_only"]
    return paired, (dict(Counter(lost["label"])), dict(Counter(gained["own_label"])))


def _margins(first: pd.DataFrame, second: pd.DataFrame, threshold: float) -> dict[str, float]:
    """By label, the change that counts; the one of all labels together is that of the median of their spreads."""
    runs = [label_spreads(first), label_spreads(second)]
    margins = {label: max([threshold, *(run[label] for run in runs if label in run)]) for run in runs for label in run}
    margins[ALL] = max([threshold, *(median(list(run.values())) for run in runs if run)])
    return margins


def _speeds(group: tuple[str, ...], paired: pd.DataFrame, margins: dict[str, float], threshold: float) -> list[Speed]:
    """A row per label, and one over all instances of the group if there are several labels."""

    def speed(label: str, frame: pd.DataFrame) -> Speed:
        ratio = ratio_interval(frame["seconds_second"], frame["seconds_first"])
        margin = margins.get(label, threshold)
        slower, faster = ratio.low > 1 + margin, ratio.high < 1 / (1 + margin)  # never true of NaN
        change = "slower" if slower else "faster" if faster else ""
        middles = median(frame["seconds_first"]), median(frame["seconds_second"])
        return Speed(group, label, len(frame), *middles, ratio, margin, change)

    ended = paired[paired["ended_first"].astype(bool) & paired["ended_second"].astype(bool)]
    ended = ended[ended["seconds_first"].notna() & ended["seconds_second"].notna()]
    ended = ended[np.array([_equal(cell) for cell in ended.to_dict("records")], dtype=bool)]
    labels = list(dict.fromkeys(paired["label"]))
    rows = [speed(label, ended[ended["label"] == label]) for label in labels]
    if len(labels) > 1:
        times = ended[["instance_digest", "seconds_first", "seconds_second"]].set_index("instance_digest")
        logs = times.clip(lower=SHORTEST).apply(np.log)
        rows.append(speed(ALL, logs.groupby(level=0).mean().apply(np.exp)))
    return rows


def _cell_changes(paired: pd.DataFrame) -> tuple[list[Change], list[Change]]:
    """Cells whose answer changed: solved or not, the status, the objective."""
    worse: list[Change] = []
    better: list[Change] = []
    for cell in paired.to_dict("records"):
        before, after = _level(cell, "first"), _level(cell, "second")
        said = f"{_state(cell, 'first')} -> {_state(cell, 'second')}"
        name = (cell["label"], cell["instance_first"])
        if before != after:
            kind = "solved" if 0 in (before, after) else "status"
            (worse if after > before else better).append(Change(kind, *name, f"{said}."))
        old, new = cell["objective_first"], cell["objective_second"]
        magnitude = max(cell["magnitude_first"], cell["magnitude_second"])
        if abs(new - old) > tolerance(old, new, magnitude):  # never true of NaN
            (worse if new < old else better).append(Change("objective", *name, f"objective {old:.9g} -> {new:.9g}."))
    return worse, better


def _equal(cell: dict[Any, Any]) -> bool:
    """Are both answers equally good: of the same level, and within a per cent of each other?"""
    values = cell["objective_first"], cell["objective_second"]
    far = abs(values[0] - values[1]) > NEAR * max(map(abs, values))  # never true of NaN
    return _level(cell, "first") == _level(cell, "second") and not far


def _level(cell: dict[Any, Any], run: str) -> int:
    status = cell[f"status_{run}"]
    if status in FAILURES:
        return 3
    return LEVELS.get(status, 3) if cell[f"audit_{run}"] in ("ok", "") else 4


def _state(cell: dict[Any, Any], run: str) -> str:
    status, audit = str(cell[f"status_{run}"]), cell[f"audit_{run}"]
    return f"{status} (wrong: {str(audit).rstrip('.')})" if _level(cell, run) == 4 else status


def _processors(run: pd.DataFrame) -> str:
    """The processors that cells ran on, or else the one of the machine that the run was started from."""
    found = sorted({processor for each in processors(run).values() for processor in each})
    own = (getattr(run, "provenance", None) or {}).get("machine", {}).get("processor", "")
    return ", ".join(found) or str(own)


def _warnings(first: pd.DataFrame, second: pd.DataFrame, paired: pd.DataFrame) -> list[str]:
    """What makes times of the two runs hard to compare."""
    runs = (("first", first), ("second", second))
    warnings = [said for _, run in runs for said in told(getattr(run, "damage", None) or [], most=3)]
    machines = [_processors(run) for _, run in runs]
    nodes = [sorted({str(node) for node in run["node"] if node}) for _, run in runs]
    if all(machines) and machines[0] != machines[1]:
        warnings.append(f"the runs are from different processors ({machines[0]}; {machines[1]}): times do not compare.")
    elif all(nodes) and nodes[0] != nodes[1]:
        warnings.append(f"the runs are from different machines ({', '.join(nodes[0])}; {', '.join(nodes[1])}).")
    for name, run in runs:
        found = noise(run)
        if found.level == "noisy":
            warnings.append(f"the times of the {name} run are noisy. {found.sentence}")
    jobs = [int(run["jobs"].max()) for _, run in runs]
    if jobs[0] != jobs[1]:
        warnings.append(f"{jobs[0]} and {jobs[1]} cells ran at the same time.")
    changed = paired[~paired["same"].astype(bool)]
    if len(changed):
        labels = ", ".join(dict.fromkeys(changed["label"]))
        warnings.append(f"the same label stands for other options in the two runs: {labels}.")
    if paired[["repetitions_first", "repetitions_second"]].to_numpy().min() < 2:
        warnings.append("cells that ran once do not show how far times can be trusted; set repetitions = 3 or more.")
    few = paired.groupby(["task", "size_first", "label"], sort=False).size()
    if (few < FEWEST).any():
        names = ", ".join(dict.fromkeys(str(name[-1]) for name in few[few < FEWEST].index))
        warnings.append(f"an interval over fewer than {FEWEST} instances is little more than their range: {names}.")
    moved = paired[paired["limit_first"].notna() & paired["limit_second"].notna()]
    if (moved["limit_first"] != moved["limit_second"]).any():
        warnings.append("time limits differ.")
    return warnings
