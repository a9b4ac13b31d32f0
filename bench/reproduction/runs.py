"""Experiments as parts of pieces: run by the runner, gone on with where they were left, audited, and shown as they always are.

`cells.csv`: what a run's records say, in one row per solver and instance. Small enough to be committed; tables are made from it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from rich.console import Console

from problems.errors import InputError

from ..analysis.audit import audit, with_audit
from ..analysis.statistics.cells import best_known, current, reduce_cells
from ..analysis.statistics.progress import primal_gap, progress_table
from ..experiments.experiment import Experiment
from ..output.plots import make_plot
from ..output.report import write_report
from ..records.frame import Records
from ..records.log import RECORDS, load_run
from ..records.marks import run_facts
from ..runner.runner import prepare
from ..runner.watched import Prepared
from .brief import shortened
from .context import Context, one_at_a_time

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Change = Callable[[Experiment], Experiment]


def run_experiment(name: str, context: Context, change: Change | None = None) -> Records:
    """The records of one of our experiments, with its interactive report beside them unless the run is quick."""
    experiment = prepare(name)
    if change is not None:
        experiment = change(experiment)
    if context.repetitions is not None:
        experiment = replace(experiment, repetitions=min(experiment.repetitions, context.repetitions))
    experiment, left_out = shortened(experiment) if context.brief else (experiment, "")
    folder = context.run_folder(experiment.name)
    with one_at_a_time(folder):  # two pieces may show the same run
        records = audited_run(experiment, folder, context.console, not context.quick)
    origin = {"experiment": experiment.name, "repetitions": experiment.repetitions}
    origin |= {"left_out": left_out} if left_out else {}
    origin["settings"] = decisive_settings(records)
    context.runs.append(origin | run_facts(records.provenance, records["started"]))
    return records


def decisive_settings(records: Records) -> str:
    """What could decide a verdict: instances, seeds, limits, options, caps on iterations, and how many cells ended at each."""
    cells = reduce_cells(records)
    sizes = ", ".join(
        f"{own['instance_digest'].nunique()} of size {size}" for size, own in cells.groupby("size", sort=False)
    )
    limit, limited = cells["limit"].max(), int((~cells["ended"].astype(bool) | cells["limited"].astype(bool)).sum())
    seeds = records.provenance.get("seeds") or []
    parts = [
        f"{records.experiment['name']}: {sizes}" + (f" (generated, {seeds_text(seeds)})" if seeds else ""),
        f"limit {limit:g} s ({limited} of {len(cells)} cells reached it)",
    ]
    given = {spec["label"]: spec.get("options") or {} for spec in records.experiment.get("solvers", [])}
    first = current(records).drop_duplicates(["label", "instance_digest"])
    for label, own in first.groupby("label", sort=False):
        caps = [options.get("max_iterations") for options in own["options"]]
        if not all(caps):  # the labels of the others tell what is special about them
            continue
        options = {name: each for name, each in given.get(label, {}).items() if name not in (*PATHS, "max_iterations")}
        said = "".join(f"{name}={value}, " for name, value in sorted(options.items()))
        reached = int((own["iterations"] >= caps).sum())
        parts.append(f"{label}: {said}at most {max(caps):,} iterations ({reached} of {len(own)} reached them)")
    return "; ".join(parts)


PATHS = ("model", "sentences")  # options that name a file of this machine


def seeds_text(seeds: list[int]) -> str:
    """Of seeds that follow each other, the ends only."""
    ordered = sorted(set(seeds))
    whole = len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1
    return f"seeds {ordered[0]} to {ordered[-1]}" if whole else f"seeds {', '.join(map(str, ordered))}"


def audited_run(experiment: Experiment, folder: Path, console: Console, paged: bool = True) -> Records:
    """Run what is missing in a folder; the records, unless the audit finds an error. `paged`: with the run's own page."""
    prepared, page = Prepared(experiment, folder, resume=True), folder / "report.html"
    prepared.run(console)
    records = load_run(folder)
    known = not prepared.missing and is_newer(page, folder / RECORDS)  # another piece has made it
    findings = write_report(records, page) if paged and not known else audit(records)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        first = errors[0]
        raise InputError(f"{folder}: the audit found {len(errors)} errors: {first.instance}: {first.text}")
    return records


def is_newer(path: Path, other: Path) -> bool:
    """Was a file written after another one? Not if it is not there."""
    return path.exists() and path.stat().st_mtime_ns > other.stat().st_mtime_ns


def run_figures(records: Records) -> Iterator[tuple[str, Figure]]:
    """The experiment's plots by stem; one without data is left out."""
    kinds: Counter[str] = Counter()
    for plot in records.experiment.get("plots", []):
        kind = plot["kind"]
        kinds[kind] += 1
        options = {name: value for name, value in plot.items() if name != "kind"}
        try:
            yield kind if kinds[kind] == 1 else f"{kind}-{kinds[kind]}", make_plot(records, kind, **options)
        except InputError:
            continue


CELLS = "cells.csv"
NEAR = 0.01  # of the best known objective: what `to_target` is the time of
TEXTS = ("task", "size", "instance", "instance_digest", "solver", "label", "status")
FLAGS = ("ended", "limited", "answered")
NUMBERS = ("seconds", "limit", "objective", "best", "share", "bound", "memory", "to_target", "instance_size", "length")


class Cells(NamedTuple):
    """Reduced cells, and the best known objective of each instance by its digest."""

    frame: pd.DataFrame
    best: dict[str, float]


def run_cells(records: Records) -> Cells:
    """The cells of a run, with the seconds until each came within 1 % of the best known objective."""
    records = with_audit(records)
    frame, best = reduce_cells(records), best_known(records)
    found = progress_table(records, within=NEAR)
    traced = found.set_index(["label", "instance_digest"])["time_to_target"].to_dict() if len(found) else {}
    gaps = [
        primal_gap(value, best.get(digest, np.nan)) if value == value else np.nan
        for value, digest in zip(frame["objective"], frame["instance_digest"], strict=True)
    ]
    frame["share"] = 100 * (1 - np.asarray(gaps, dtype=float))
    frame["best"] = frame["instance_digest"].map(best).astype(float)
    ends = np.where(np.asarray(gaps) <= NEAR, frame["runtime"], np.inf)  # of a cell without a trace: when it ended
    keys = zip(frame["label"], frame["instance_digest"], ends, strict=True)
    frame["to_target"] = [traced.get((label, digest), end) for label, digest, end in keys]
    return Cells(_ordered(frame, [solver["label"] for solver in records.experiment.get("solvers", [])]), best)


def _ordered(frame: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """By size and instance as they came, and then by the experiment's order of solvers."""
    orders = {"size": list(dict.fromkeys(frame["size"])), "instance": sorted(set(frame["instance"])), "label": labels}
    places = {name: {value: place for place, value in enumerate(order)} for name, order in orders.items()}
    return frame.sort_values(list(orders), kind="stable", key=lambda column: column.map(places[str(column.name)]))


def write_cells(cells: Cells, path: Path) -> None:
    """What other programs may read as well; numbers have ten digits."""
    measures = [name for name in cells.frame.columns if str(name).startswith("metrics.")]
    cells.frame[[*TEXTS, "repetitions", *FLAGS, *NUMBERS, *measures]].to_csv(
        path, index=False, float_format="%.10g", lineterminator="\n"
    )


def read_cells(path: Path) -> Cells:
    """The cells of a file that `write_cells` wrote."""
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        for name in frame.columns:
            if name in FLAGS:
                frame[name] = frame[name] == str(True)
            elif name not in TEXTS:
                frame[name] = frame[name].where(frame[name] != "", "nan").astype(float)
        frame["runtime"] = frame["seconds"].where(frame["ended"], frame["limit"])
        known = frame[frame["best"].notna()]
        return Cells(frame, dict(zip(known["instance_digest"], known["best"].astype(float), strict=True)))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: not a file of cells ({error}).") from None
