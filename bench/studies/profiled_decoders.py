"""The decoders whose profiles are taken, with their phases as functions of ours, and the sizes of their sentences; and the clock of phases.

Where the CPU time of a call goes: functions of our own are wrapped by clocks while it is measured.
A phase is a name and the functions that count for it. Time counts for the innermost phase, so that shares add up to one with the rest,
which is called `python`. A clock costs about a microsecond per call: what is called thousands of times must not be a phase.
"""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

REST = "python"
Phases = Mapping[str, Sequence[str]]
"""From a phase to functions, each as `module:name` or `module:Class.name`."""


class PhaseClock:
    """CPU seconds by phase since it was made."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._running: list[str] = [REST]
        self._since = time.process_time()

    def stop(self) -> dict[str, float]:
        """What each phase has taken."""
        self._count()
        return dict(self.seconds)

    def _count(self) -> None:
        now, phase = time.process_time(), self._running[-1]
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._since
        self._since = now

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            self._count()
            self._running.append(phase)
            try:
                return function(*arguments, **options)
            finally:
                self._count()
                self._running.pop()

        return wrapped


@contextmanager
def clocked(phases: Phases) -> Iterator[PhaseClock]:
    """All functions of the phases are wrapped; afterwards they are what they were. Names that this version lacks are left out."""
    places = [(phase, *_resolve(name)) for phase, names in phases.items() for name in names]
    known = [(phase, owner, name, vars(owner)[name]) for phase, owner, name in places if owner and name in vars(owner)]
    clock = PhaseClock()
    try:
        for phase, owner, name, function in known:
            setattr(owner, name, clock.timed(phase, function))
        yield clock
    finally:
        for _, owner, name, function in known:
            setattr(owner, name, function)


def _resolve(name: str) -> tuple[Any, str]:
    """The module or class that has a function, and the function's name there."""
    module, path = name.split(":")
    owner: Any = importlib.import_module(module)
    *classes, attribute = path.split(".")
    for one in classes:
        owner = getattr(owner, one, None)
    return owner, attribute


JUDGES = (
    "conclude",
    "beam",
    "rerank",
    "subgradient",
    "ad3",
    "dynamic.dp_mst",
    "dynamic.dp_eisner",
    "dynamic.compression",
    "dynamic.dp_bigram",
    "dynamic.dp_tree",
    "dynamic.transduction_exact",
    "dynamic.dp_transduction",
    "dynamic.ngram_paths",
)
CONCLUDING: Phases = {"check and score": tuple(f"solvers.{module}:judge" for module in JUDGES)}
DUAL: Phases = {
    "layout": ("problems.parsing.task:build_graph", "problems.compression.task:build_graph"),
    "graph": ("problems.transduction.task:build_graph",),
    "consensus": ("solvers.ad3_engine:Engine.__init__", "solvers.subgradient_engine:SubgradientEngine.__init__"),
    "iterations": ("problems.kernels.ad3:iterate", "problems.kernels.subgradient:descend"),
    "bound": ("problems.kernels.ad3:dual_value",),
    "rounding": tuple(
        f"problems.{task}.task:{task.title()}Task.{method}"
        for task in ("parsing", "compression", "transduction")
        for method in ("structure", "round")
    ),
    **CONCLUDING,
}
PROGRAMS: Phases = {
    "tables": ("solvers.dynamic.tables:FastTables.__init__", "solvers.dynamic.tables:PaperTables.__init__"),
    "all lengths": ("solvers.dynamic.tables:FastTables.score", "solvers.dynamic.tables:PaperTables.score"),
    "traceback": ("solvers.dynamic.tables:FastTables.decode", "solvers.dynamic.tables:PaperTables.decode"),
    "relaxed program": ("solvers.dynamic.relaxation:Relaxation.maximize",),
    "max-marginals": ("solvers.dynamic.relaxation:Relaxation.max_marginals",),
    "path": ("problems.kernels.compression_models:best_path",),
    "subtree": ("problems.kernels.compression_models:best_subtree",),
    "tree": (
        "problems.parsing.decode:_arborescence",
        "problems.kernels.eisner:eisner_first",
        "problems.kernels.eisner:eisner_siblings",
    ),
    "bound": ("solvers.dynamic.dp_mst:most_of_others", "solvers.dynamic.dp_eisner:covered_score"),
    "features": ("solvers.crf:features", "solvers.crf:_features"),
    **CONCLUDING,
}
FORESTS: Phases = {
    "fill": ("problems.kernels.transduction_exact:fill",),
    "trace": ("problems.kernels.transduction_exact:trace",),
    "search": ("problems.kernels.transduction_beam:search",),
    "program": (
        "problems.kernels.transduction_models:best_transduction",
        "problems.kernels.transduction_models:best_bigram_path",
        "problems.kernels.transduction_models:best_trigram_path",
    ),
    "arrays": (
        "solvers.dynamic.transduction:rules_of",
        "solvers.beam:rules_of",
        "solvers.dynamic.transduction_exact:rules_of",
    ),
    "structure": ("solvers.beam:transduction_of", "solvers.dynamic.transduction_exact:transduction_of"),
    "derivations": ("solvers.rerank:derive", "solvers.dynamic.ngram_paths:derive", "solvers.rerank:best_derivations"),
    "first stage": ("solvers.deletion_model:DeletionModel.log_odds",),
    "candidates": ("solvers.rerank:candidates",),
    "second stage": ("solvers.rerank:facts_of", "solvers.rerank:Facts.of"),
    **CONCLUDING,
}


@dataclass(frozen=True)
class Decoder:
    """A solver with its options on the sentences of a family; `sizes` has the words of the typical and the large ones."""

    name: str
    family: str
    solver: str
    phases: Phases
    options: dict[str, Any] = field(default_factory=dict)
    variant: str = ""
    sizes: tuple[int, ...] = (25, 100)


PUBLISHED = {"algorithm": "paper", "search": "subgradient", "repair": False}  # by Qian & Liu
DECODERS = (
    *(Decoder(f"ad3, order {order}", "parsing", "ad3", DUAL, variant=order) for order in ("1", "2", "2+", "3")),
    Decoder("ad3, order 3, short", "parsing", "ad3", DUAL, variant="3", sizes=(6,)),
    Decoder("ad3, order 2, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "2 all", (15, 30)),
    Decoder("ad3, order 3, no pruning", "parsing", "ad3", DUAL, {"max_iterations": 50}, "3 all", (15, 30)),
    Decoder("subgradient, order 3", "parsing", "subgradient", DUAL, {"max_iterations": 200}, "3"),
    Decoder("dp-mst", "parsing", "dp-mst", PROGRAMS, variant="1", sizes=(25, 200)),
    Decoder("dp-eisner, order 1", "parsing", "dp-eisner", PROGRAMS, {"order": 1}, "1 projective"),
    Decoder("dp-eisner, siblings", "parsing", "dp-eisner", PROGRAMS, variant="2 projective"),
    Decoder("dp-exact", "compression", "dp-exact", PROGRAMS),
    Decoder("dp-exact, given length", "compression", "dp-exact", PROGRAMS, {"lengths": "given"}),
    Decoder("dp-exact, paper", "compression", "dp-exact", PROGRAMS, {"algorithm": "paper"}, sizes=(25, 60)),
    Decoder("dp-lagrangian", "compression", "dp-lagrangian", PROGRAMS),
    Decoder("dp-lagrangian, as published", "compression", "dp-lagrangian", PROGRAMS, PUBLISHED, sizes=(25, 60)),
    Decoder("dp-bigram", "compression", "dp-bigram", PROGRAMS),
    Decoder("dp-tree", "compression", "dp-tree", PROGRAMS),
    Decoder("ad3, compression", "compression", "ad3", DUAL, sizes=(25, 60)),
    Decoder("dp-exact, transduction", "transduction", "dp-exact", FORESTS),
    Decoder("dp-exact, fixed length", "transduction", "dp-exact", FORESTS, variant="fixed", sizes=(25, 60)),
    Decoder("dp-transduction", "transduction", "dp-transduction", FORESTS),
    Decoder("dp-ngram, trigrams", "transduction", "dp-ngram", FORESTS, variant="trigram"),
    Decoder("beam", "transduction", "beam", FORESTS),
    Decoder("rerank", "transduction", "rerank", FORESTS),
    Decoder("ad3, transduction", "transduction", "ad3", DUAL),
    Decoder("subgradient, transduction", "transduction", "subgradient", DUAL),
)
