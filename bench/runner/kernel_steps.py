"""What has to be compiled for solvers on a task, in steps that several processes can take side by side.

First come steps that solvers share: the drivers of dual decomposition, the rounding of the task, and each kind of factor
that its graphs may have. Then every solver solves something small; it finds most of its kernels compiled.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from problems import TASKS
from problems.errors import InputError
from problems.registration import BUILT_IN
from solvers import solver_class
from solvers.base import Solver, load_kernels
from solvers.registry import registry

from ..experiments.experiment import Experiment
from ..experiments.sources import task_named

WHAT = "compiling kernels"
DRIVER, ROUNDING, KIND, SOLVER, GENERATOR = "driver", "rounding", "kind", "solver", "generator"
LINEAR = "solvers.linear."
COMPILING = ("ilp-highs", "lp-highs")
"""The linear solvers that compile for all others, where they are installed."""
TRAINED = ("crf", "rerank")
FOR_OTHERS = ("ad3", "subgradient")
"""Between them they use the kernels of every factor; compiled for solvers that are not ours."""


class Step(NamedTuple):
    """One step: a driver (`module:function`), the rounding of a task, a kind of factor, a solver on a task, or a task's generator."""

    sort: str
    name: str
    task: str = ""

    @property
    def marker(self) -> Path:
        """A file that says: this version has been compiled here."""
        from problems.kernels.cache import cache_directory

        parts = [self.sort, *filter(None, [self.task]), self.name.replace(":", "-")]
        return cache_directory() / "-".join(["warm", *parts, platform.python_version(), metadata.version("numba")])


def all_steps(task: str, solvers: Iterable[str]) -> list[Step]:
    """Every step for these solvers, also for some that are not ours; those who need what is shared come last.

    Solvers that hand a program to a library have the task's kernels only, the same ones: one ILP and one LP solver compile them for
    all, the same in every run, so that no run takes a step again. Solvers that train a model at first use do so when their worker
    warms up; here it would be in vain.
    """
    names = list(solvers)
    if any(registry.origin(name) != BUILT_IN for name in names):
        names += FOR_OTHERS
    ours = dict.fromkeys(name for name in names if registry.origin(name) == BUILT_IN)
    usable = [name for name in ours if _is_usable(name, task)]
    linear = [name for name in usable if _found(name, task).__module__.startswith(LINEAR)]
    first: dict[str, str] = {}
    for name in linear:
        first.setdefault(name.partition("-")[0], name)
    first |= {kind: name for name in COMPILING if (kind := name.partition("-")[0]) in first and _is_usable(name, task)}
    others = [name for name in usable if name not in linear and name not in TRAINED]
    own = [Step(SOLVER, name, task) for name in [*first.values(), *_dual_decomposition_last(others, task)]]
    return [*shared_steps(task, usable), *own]


def steps_of(experiment: Experiment, solving: bool = True) -> list[Step]:
    """Every step for the instances and the solvers of an experiment; for its instances alone where nothing is solved."""
    generates = bool(experiment.source.seeds) and experiment.task in TASKS  # plug-ins do it in their own time
    generating = [Step(GENERATOR, "instances", experiment.task)] if generates else []
    names = [spec.name for spec in experiment.solvers] if solving else []
    return [*generating, *all_steps(experiment.task, names)]


def _dual_decomposition_last(names: list[str], task: str) -> list[str]:
    """They need what is shared."""
    return sorted(names, key=lambda name: bool(_found(name, task).drivers))


def shared_steps(task: str, solvers: Sequence[str]) -> list[Step]:
    """The steps before those of single solvers; the longest first."""
    from problems.factors.loading import known_kinds

    steps = [*dict.fromkeys(step for name in solvers for step in driver_steps(_found(name, task), task))]
    if steps:
        with contextlib.suppress(InputError):  # a plug-in's task, which only workers have loaded
            steps += [Step(KIND, kind) for kind in known_kinds(task_named(task).factor_kinds)]
    return steps


def driver_steps(solver: type[Solver], task: str) -> list[Step]:
    """What a solver by dual decomposition needs, whatever graph it gets; nothing for all others."""
    steps = [Step(DRIVER, driver) for driver in solver.drivers]
    return [*steps, Step(ROUNDING, "all", task)] if steps else []


def load_step(step: Step) -> None:
    """Load (or compile) the kernels of a step that is not a solver's."""
    if step.sort == DRIVER:
        load_kernels(step.name)
    elif step.sort == ROUNDING:
        task_named(step.task).prepare()
    elif step.sort == KIND:
        from problems.factors.loading import load_kinds

        load_kinds([step.name])
    elif step.sort == GENERATOR:
        task = task_named(step.task)
        task.graph(task.generate(0, task.default_size))


def _found(name: str, task: str) -> type[Solver]:
    return solver_class(name, None if task == "graph" else task)


def _is_usable(name: str, task: str) -> bool:
    try:
        return _found(name, task).unavailable() is None
    except Exception:
        return False
