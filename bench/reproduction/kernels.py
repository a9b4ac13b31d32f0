"""Kernels that pieces share, compiled before the first one: side by side, pieces would wait for each other's."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rich.console import Console

from ..runner.compilation import compile_kernels
from ..runner.compiling_bar import CompilingBar
from ..runner.kernel_steps import GENERATOR, SOLVER, Step, shared_steps
from .context import Context
from .piece import Piece
from .store import reusable

SOLVERS = ("ad3-exact", "ad3", "subgradient")
TASKS = {
    "am": ("extraction", "summarization"),
    "martins": ("parsing",),
    "ql": ("compression",),
    "yao": ("transduction",),
}
"""The tasks of each paper, by the first word of its pieces' names; those of a comparison are in its name."""
SOLVERS_OF_TASK = {
    "extraction": ("greedy", "ilp-highs", "ad3"),
    "summarization": ("ilp-highs", "lp-highs", "ad3", "subgradient"),
    "parsing": ("dp-mst", "dp-eisner", "ilp-highs", "lp-highs", "ad3", "subgradient"),
    "compression": ("dp-exact", "dp-lagrangian", "dp-tree", "dp-bigram", "ilp-highs", "tree-ilp", "ad3"),
    "transduction": (
        *("dp-exact", "dp-transduction", "dp-bigram", "beam", "ilp-highs"),
        *("ad3", "ad3-exact", "subgradient"),
    ),
}
"""What pieces solve each task with, `COMPILING` for all ILP and LP solvers. A run starts processes for a step that is not taken yet."""
TRAINED_TASK = "transduction"  # the task whose generator trains models at its first use


def tasks_of(piece: Piece) -> tuple[str, ...]:
    paper, _, rest = piece.name.partition("-")
    return (rest,) if paper == "compare" else TASKS.get(paper, ())


def steps_for(pieces: Sequence[Piece]) -> list[Step]:
    """What the solvers of these pieces need on their tasks; a run that has others compiles for those."""
    tasks = dict.fromkeys(task for piece in pieces for task in tasks_of(piece))
    shared = dict.fromkeys(step for task in tasks for step in shared_steps(task, SOLVERS))
    own = [Step(SOLVER, name, task) for task in tasks for name in SOLVERS_OF_TASK.get(task, ())]
    first = [Step(GENERATOR, "models", TRAINED_TASK)] if TRAINED_TASK in tasks else []  # what needs it comes last
    return [*first, *shared, *sorted(own, key=lambda step: step.task == TRAINED_TASK)]


def compile_first(pieces: Sequence[Piece], context: Context, console: Console) -> None:
    """Compile for those pieces that are to be made."""
    if all(step.marker.exists() for step in steps_for(pieces)):
        return
    made = [piece for piece in pieces if reusable(context.folder(piece.name), piece.key(context)) is None]
    with CompilingBar(console) as bar:
        compile_kernels(steps_for(made), (), threading.Event(), bar)
