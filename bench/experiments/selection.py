"""A part of an experiment: `dualbench run --solver PATTERN --instance PATTERN --repetitions N`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from problems.errors import InputError, nearest, quoted

from .experiment import Experiment, check_cells
from .presentation import baselines, named_by


def select(
    experiment: Experiment, solvers: Sequence[str] = (), instances: Sequence[str] = (), repetitions: int | None = None
) -> Experiment:
    """The experiment with the solvers (by label or name) and instances (by name) that a pattern names; all where none is given."""
    known = {spec.label: spec.name for spec in experiment.solvers}
    wanted: set[str] = set()
    for pattern in solvers:
        found = named_by(pattern, known)
        if not found:
            raise InputError(
                f"option '--solver': {experiment.name!r} has no solver {quoted(pattern)}: {nearest(pattern, known)}"
            )
        wanted |= set(found)
    kept = tuple(spec for spec in experiment.solvers if not solvers or spec.label in wanted)
    if repetitions is not None and repetitions < 1:
        raise InputError(f"option '--repetitions' must be at least 1, not {repetitions}.")
    fewer = repetitions is not None and repetitions < experiment.repetitions
    part = {"solvers": [*solvers], "instances": [*instances], "repetitions": [str(repetitions)] if fewer else []}
    chosen = replace(
        experiment,
        solvers=kept,
        source=replace(experiment.source, only=tuple(instances)),
        repetitions=repetitions or experiment.repetitions,
        table=_layout(experiment.table, {spec.label: spec.name for spec in kept}),
        part={name: given for name, given in part.items() if given},
    )
    check_cells(chosen, chosen.source.count or 1, chosen.name)
    return chosen


def _layout(layout: dict[str, Any], solvers: dict[str, str]) -> dict[str, Any]:
    """The layout of the table, without baselines that take no part."""
    left = [pattern for pattern in baselines(layout) if named_by(pattern, solvers)]
    if left == baselines(layout):
        return layout
    columns = [name for name in layout.get("columns", []) if left or name != "xbaseline"]
    plain = {key: value for key, value in layout.items() if key not in ("baseline", "columns")}
    return plain | ({"baseline": left} if left else {}) | ({"columns": columns} if columns else {})
