"""Example outputs: for a few instances of each task, what every solver answered, equal answers shown once."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from problems.errors import InputError

from ...experiments.sources import task_named
from ...records.frame import Records
from ...runner.handover import tuples
from ..escaping import html_text
from ..units import measured
from .catalog import Catalog, listed, number
from .parts import words_part

PER_SIZE = 3
LONGEST = 60  # lines of one output


def examples_part(records: Records, instances: Mapping[str, Any], catalog: Catalog) -> str:
    """One block per instance; removed words are struck out."""
    answered = records[records["structure"].notna()]
    if answered.empty:
        return '<p class="note">No cell has an answer to show.</p>'
    names = answered[["task", "size", "instance", "instance_digest"]].drop_duplicates("instance_digest")
    known = names[names["instance_digest"].isin(list(instances))]
    chosen: list[Any] = known.groupby(["task", "size"], sort=False).head(PER_SIZE).to_dict("records")
    if not chosen:
        return (
            '<p class="note">The instances of this run cannot be had again here, so that answers cannot be shown.</p>'
        )
    blocks = [
        f'<p class="note">The first {PER_SIZE} instances of each task and size at most. Removed words are struck out. '
        "Solvers with the same answer are named together.</p>"
    ]
    for place, row in enumerate(chosen):
        cells = answered[answered["instance_digest"] == row["instance_digest"]]
        blocks.append(_instance(row, cells, instances[row["instance_digest"]], catalog, opened=place == 0))
    return "\n".join(blocks)


def _instance(row: dict[str, Any], cells: Records, instance: Any, catalog: Catalog, opened: bool) -> str:
    outputs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    first: list[Any] = cells.sort_values("traced", kind="stable").drop_duplicates("label").to_dict("records")
    for cell in first:
        complaint = "" if cell["audit"] in ("", "ok") else cell["audit"]
        outputs.setdefault((json.dumps(cell["structure"]), complaint), []).append(cell)
    ordered = sorted(outputs.items(), key=lambda output: -_objective(output[1][0]))
    shown = "".join(_output(row["task"], instance, complaint, same, catalog) for (_, complaint), same in ordered)
    task, size = catalog.tasks.index(row["task"]), catalog.sizes.index(row["size"])
    title = " · ".join(html_text(part) for part in (row["task"], row["size"], row["instance"]) if part)
    return (
        f'<details data-of-task="{task}" data-of-size="{size}"{" open" if opened else ""}>'
        f"<summary>{title}</summary>{shown}</details>"
    )


def _output(task: str, instance: Any, complaint: str, same: list[dict[str, Any]], catalog: Catalog) -> str:
    labels = [cell["label"] for cell in same]
    facts = [f"objective {number(_objective(same[0]), 6)}"] if math.isfinite(_objective(same[0])) else []
    statuses = listed(list(dict.fromkeys(cell["status"] for cell in same)))
    facts += [statuses, *(measured(name, value, number) for name, value in same[0]["metrics"].items())]
    wrong = f'<p class="bad">{html_text(complaint)}</p>' if complaint else ""
    indices = " ".join(str(catalog.labels.index(label)) for label in labels)
    return (
        f'<div class="output" data-of-task="{catalog.tasks.index(task)}" data-of-label="{indices}">'
        f"<h4>{html_text(listed(labels, most=12))}</h4>"
        f'<p class="note">{html_text(" · ".join(facts))}</p>{wrong}{_lines(task, instance, same[0]["structure"])}</div>'
    )


def _lines(task: str, instance: Any, structure: Any) -> str:
    try:
        lines = task_named(task).marked(instance, tuples(structure))
    except (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # a wrong structure has a record too
        return f'<p class="bad">This structure cannot be shown ({html_text(type(error).__name__)}: {html_text(str(error))}).</p>'
    if not lines:
        return '<p class="note">(an empty structure)</p>'
    shown = "".join(f"<p>{words_part(line)}</p>" for line in lines[:LONGEST])
    if any(str(line[0][0]).startswith(" ") for line in lines[:LONGEST] if line):
        shown = f'<div class="tree">{shown}</div>'
    return shown + (f'<p class="note">… {len(lines) - LONGEST} more lines</p>' if len(lines) > LONGEST else "")


def _objective(cell: dict[str, Any]) -> float:
    value = cell["objective"]
    return -math.inf if value is None or math.isnan(value) else float(value)
