"""What there is here (list), and what this machine can run (doctor): solvers, their versions, and the environment they run in."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer
from rich.table import Table
from rich.text import Text

from problems import get_task, task_names
from problems import registry as tasks
from problems.errors import InputError, nearest
from problems.library import library
from problems.registration import BUILT_IN
from solvers import solver_class, solver_names
from solvers.registry import registry as solvers

from ..experiments.experiment import built_in, read_experiment
from ..experiments.plugins import load_plugins
from ..output.tables import print_whole
from ..records.provenance import UNAVAILABLE, machine
from ..runner.launching import protection
from ..runner.solver_versions import solver_versions
from . import completion
from .arguments import Plugins, console

PROSE = {"tasks", "options", "from", "sizes", "roundings", "corpora", "about", "paper", "proved by", "version"}
"""Columns that may be wrapped; names and numbers are there to be copied."""


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=heading not in PROSE)
    return table


def solvers_table() -> Table:
    table = _table("solver", "exact", "tasks", "options", "from")
    for name in sorted(solver_names()):
        origin = Text(solvers.origin(name))
        try:
            chosen = solver_class(name)
            solved = "all" if chosen.tasks is None else ", ".join(sorted(chosen.tasks))
            options = ", ".join(f"{key}={value}" for key, value in chosen().options.items())
            if solvers.origin(name) == BUILT_IN and chosen.unavailable():
                origin.append(" (not available: see `dualbench doctor`)")
        except (Exception, SystemExit):  # someone else's code
            table.add_row(name, "?", "?", Text("cannot be loaded: see `dualbench doctor`"), origin)
            continue
        table.add_row(name, "yes" if chosen.exact else "no", solved, Text(options), origin)
    return table


def tasks_table() -> Table:
    table = _table("task", "sizes", "roundings", "corpora", "from")
    for name in task_names():
        try:
            task = get_task(name)
        except (Exception, SystemExit):
            table.add_row(name, "?", "?", "?", Text(tasks.origin(name) + ": see `dualbench doctor`"))
            continue
        parts = (", ".join(part) for part in (task.sizes, task.roundings, task.corpora))
        table.add_row(name, *parts, Text(tasks.origin(name)))
    return table


def experiments_table() -> Table:
    """What `run` knows by name; those whose records `reproduce` uses are marked with its piece."""
    table = _table("experiment", "about", "piece")
    for name in built_in():
        piece = MADE_BY.get(name, name if name.startswith("compare-") else "")
        table.add_row(name, Text(read_experiment(name).title), Text(piece))
    return table


def pieces_table() -> Table:
    """What `reproduce` knows by name."""
    from ..reproduction.report import PIECES

    table = _table("piece", "paper", "where", "about")
    for piece in PIECES.values():
        table.add_row(piece.name, Text(piece.paper), Text(piece.where), Text(piece.title))
    return table


def library_table() -> Table:
    """Instances with known optima, for `export library:NAME` and `solve library:NAME`."""
    table = _table("instance", "class", "objective", "bound", "fastest proof", "proved by")
    for known in library().values():
        seconds = "" if known.seconds is None else f"{known.seconds:.3g} s"
        values = (f"{known.objective:.6f}", f"{known.bound:.6f}" if not known.is_proved else "", seconds)
        table.add_row(known.name, known.difficulty, *values, Text(", ".join(known.proved_by)))
    return table


MADE_BY = {
    "summarization-runtimes": "am-table3",
    "extraction-runtimes": "am-table3",
    "summarization-systems": "am-table2",
    "extraction-systems": "am-table2",
}  # the pieces that run experiments of another name
LISTS = {
    "solvers": solvers_table,
    "tasks": tasks_table,
    "experiments": experiments_table,
    "pieces": pieces_table,
    "library": library_table,
}


class SolverHealth(NamedTuple):
    name: str
    version: str
    problem: str | None


def solver_health() -> list[SolverHealth]:
    """Each solver's version, or why it cannot be used; someone else's broken package is a row, not the end."""
    versions = solver_versions(sorted(solver_names()))
    missing = {name: why.removeprefix(UNAVAILABLE) for name, why in versions.items() if why.startswith(UNAVAILABLE)}
    found = [SolverHealth(name, "" if name in missing else versions[name], missing.get(name)) for name in versions]
    return found + [SolverHealth(name, "", why) for name, why in solvers.shadowed()]


def task_health() -> list[SolverHealth]:
    """The same for tasks of plug-ins and installed packages."""
    found = []
    for name in (name for name in tasks.names() if tasks.origin(name) != BUILT_IN):
        try:
            get_task(name)
            problem = None
        except (Exception, SystemExit) as error:
            problem = str(error)
        found.append(SolverHealth(f"task {name}", tasks.origin(name), problem))
    return found + [SolverHealth(f"task {name}", "", why) for name, why in tasks.shadowed()]


def kernel_cache() -> dict[str, str]:
    """Where compiled kernels are kept and how large they are."""
    from problems.kernels.cache import cache_directory

    directory = cache_directory()
    files = [path for path in directory.glob("*") if path.is_file()] if directory.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 2**20
    return {"kernel cache": str(directory), "compiled": f"{len(files)} files, {size:.1f} MiB"}


def list_names(
    what: Annotated[
        str, typer.Argument(help="solvers, tasks, experiments, pieces or library", autocompletion=completion.lists)
    ],
    plugin: Plugins = None,
) -> None:
    """List solvers, tasks, experiments, pieces or library instances."""
    load_plugins(plugin or ())
    if what not in LISTS:
        raise InputError(f"cannot list {what!r}: {nearest(what, LISTS)}")
    print_whole(LISTS[what](), console)


def doctor() -> None:
    """Show which solvers are usable here, their versions, and the machine."""
    table = _table("solver", "usable", "version")
    for health in [*solver_health(), *task_health()]:
        usable = Text("no", style="red") if health.problem else Text("yes", style="green")
        table.add_row(health.name, usable, Text(health.problem or health.version))
    print_whole(table, console)
    facts = {**machine(), "isolation": protection(), **kernel_cache()}
    for name, fact in facts.items():
        console.print(f"{name:13s} {fact}", markup=False, soft_wrap=True)
