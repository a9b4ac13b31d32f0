"""What there is: solvers, tasks and experiments, as tables."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from problems import get_task, task_names
from problems import registry as tasks
from problems.registration import BUILT_IN
from solvers import solver_class, solver_names
from solvers.registry import registry as solvers


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, no_wrap=place == 0)  # names are there to be copied
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
    from ..experiments.experiment import built_in, read_experiment

    table = _table("experiment", "about", "piece")
    for name in built_in():
        piece = MADE_BY.get(name, name if name.startswith("compare-") else "")
        table.add_row(name, Text(read_experiment(name).title), Text(piece))
    return table


def pieces_table() -> Table:
    """What `reproduce` knows by name."""
    from ..reproduction.catalog import PIECES

    table = _table("piece", "paper", "where", "about")
    for piece in PIECES.values():
        table.add_row(piece.name, Text(piece.paper), Text(piece.where), Text(piece.title))
    return table


def library_table() -> Table:
    """Instances with known optima, for `export library:NAME` and `solve library:NAME`."""
    from problems.library import library

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
