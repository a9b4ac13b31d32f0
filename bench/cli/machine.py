"""What there is here: list, doctor."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from problems.errors import InputError, nearest

from .arguments import Plugins, console, load_plugins


def register(app: typer.Typer) -> None:
    app.command(name="list")(list_names)
    app.command()(doctor)


def list_names(
    what: Annotated[str, typer.Argument(help="solvers, tasks, experiments, pieces or library")], plugin: Plugins = None
) -> None:
    """List what there is."""
    from .listing import LISTS

    load_plugins(plugin)
    if what not in LISTS:
        raise InputError(f"cannot list {what!r}: {nearest(what, LISTS)}")
    console.print(LISTS[what]())


def doctor() -> None:
    """Show which solvers are usable here, their versions, and the machine."""
    from ..records.this_machine import machine
    from ..runner.launching import protection
    from .health import kernel_cache, solver_health, task_health

    table = Table(box=None, pad_edge=False)
    for heading in ("solver", "usable", "version"):
        table.add_column(heading)
    for health in [*solver_health(), *task_health()]:
        usable = Text("no", style="red") if health.problem else Text("yes", style="green")
        table.add_row(health.name, usable, Text(health.problem or health.version))
    console.print(table)
    facts = {**machine(), "isolation": protection(), **kernel_cache()}
    for name, fact in facts.items():
        console.print(f"{name:13s} {fact}", markup=False, soft_wrap=True)
