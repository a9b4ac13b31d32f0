"""What `dualbench reproduce --brief` leaves out of experiments: rows that only we have and that take long, and instances that no verdict needs.

The papers' rows stay, and so do the fastest rivals and the numbers of instances that verdicts were planned with
(docs/reproducing.md). The page names what is left out, piece by piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..experiments.experiment import Experiment


class LeftOut(NamedTuple):
    """Patterns of labels, and how many instances of each size stay; None: all."""

    labels: tuple[str, ...] = ()
    instances: int | None = None


SLOW_RIVALS = ("ilp-cpsat*", "ilp-xpress*")
UNREDUCED = ("ilp-cpsat", "ilp-glpk", "ilp-highs", "lp-highs", "ilp-xpress*")  # slower than their reduced programs
LEFT_OUT: Mapping[str, LeftOut] = {
    "summarization-runtimes": LeftOut(SLOW_RIVALS),
    "extraction-runtimes": LeftOut((*SLOW_RIVALS, "ilp-glpk, tuned")),
    "parsing-orders": LeftOut(("ilp-*", "lp-clp")),  # about LP and ILP the paper says nothing
    "compression-systems": LeftOut(("TM13, projective trees: ilp-highs *",)),  # they reach the limit; GLPK does not
    "compression-lagrangian": LeftOut(instances=10),
    "transduction-systems": LeftOut(instances=147),
    "compare-summarization": LeftOut(UNREDUCED),
    "summarization-bounds": LeftOut(
        ("ad3", "ad3, as published", "lp-clp", "lp-gurobi", "lp-xpress")
    ),  # traces, and slower LPs
    "compare-extraction": LeftOut(UNREDUCED),
    "compare-parsing": LeftOut(("lp-highs", "ilp-xpress"), 6),
    "compare-compression": LeftOut(("lp-highs", "ilp-xpress"), 6),
    "compare-transduction": LeftOut(("ilp-highs", "ilp-xpress")),
}
"""By experiment; others are run whole."""


def shortened(experiment: Experiment) -> tuple[Experiment, str]:
    """The part of an experiment that a brief run has, and in words what is left out."""
    labels, instances = LEFT_OUT.get(experiment.name, LeftOut())
    gone = [spec.label for spec in experiment.solvers if any(fnmatchcase(spec.label, each) for each in labels)]
    said = [f"rows {', '.join(map(repr, gone))}"] if gone else []
    before, source = experiment.source.count, experiment.source
    if instances is not None:
        source = source.shortened(instances)
        gone_instances = (before or 0) - (source.count or 0)
        said += [f"{gone_instances} of {before} instances"] if gone_instances else []
    solvers = tuple(spec for spec in experiment.solvers if spec.label not in gone)
    return replace(experiment, solvers=solvers, source=source), "; ".join(said)
