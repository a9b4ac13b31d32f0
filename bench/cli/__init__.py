"""The command `dualbench`. Bad input ends with one sentence on standard error and exit code 2, a failing solver with 1."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Any

import typer

from problems.errors import InputError

from .arguments import lost_output

HELP = "When does an ILP solver win on NLP decoding problems, and when do combinatorial algorithms?"
COMMANDS = {
    **dict.fromkeys(("solve", "generate", "export"), "instances"),
    **dict.fromkeys(("check-solver", "check-factor", "check-task", "new"), "checking"),
    **dict.fromkeys(("race", "run"), "running"),
    **dict.fromkeys(("table", "plot", "report", "compare", "audit"), "runs"),
    "reproduce": "reproduce",
    "decode": "decode",
    "advise": "advise",
    **dict.fromkeys(("train", "evaluate", "parse", "compress", "summarize"), "learn"),
    **dict.fromkeys(("list", "doctor"), "machine"),
    "data": "data",
}
"""The module of each command. Only that of the one that is asked for is imported."""
PANELS = {
    "Compare solvers": ("race", "run", "table", "plot", "report", "compare", "audit", "reproduce", "advise"),
    "Instances": ("solve", "generate", "export", "decode", "data"),
    "Learn and apply models": ("train", "evaluate", "parse", "compress", "summarize"),
    "Extend": ("new", "check-solver", "check-factor", "check-task"),
    "Look around": ("list", "doctor"),
}
"""How `--help` groups the commands."""
FUNCTIONS = {"list": "list_names"}  # of commands whose functions have another name


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"dualbench {version('dualbench')}")
        raise typer.Exit


def common(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """When does an ILP solver win on NLP decoding problems, and when do combinatorial algorithms?"""


def application(names: Iterable[str]) -> typer.Typer:
    """The command with these subcommands."""
    made = typer.Typer(help=HELP, no_args_is_help=True, pretty_exceptions_enable=False)
    made.callback()(common)
    panels = {name: panel for panel, members in PANELS.items() for name in members}
    for name in sorted(names, key=list(panels).index):
        module = import_module(f".{COMMANDS[name]}", __name__)
        if name == "data":
            made.add_typer(module.app, name=name, rich_help_panel=panels[name])
        else:
            made.command(name=name, rich_help_panel=panels[name])(
                getattr(module, FUNCTIONS.get(name, name.replace("-", "_")))
            )
    return made


def __getattr__(name: str) -> typer.Typer:
    """`app`, with all commands, is made when somebody asks for it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, application(COMMANDS))


UsageError: Any = typer.BadParameter.__base__  # of click, or of the copy of it that typer brings


def main() -> None:
    """Entry point: bad input becomes one sentence and exit code 2, a solver's failure one and exit code 1."""
    if "_DUALBENCH_COMPLETE" in os.environ:
        from .completion import for_shell

        with for_shell():
            application(COMMANDS)(prog_name="dualbench")
    asked = sys.argv[1:2]
    try:
        found = application(asked if asked and asked[0] in COMMANDS else COMMANDS)
        code = found(prog_name="dualbench", standalone_mode=False)
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help
            error.show()
        else:
            print(f"dualbench: {usage_sentence(error)}", file=sys.stderr)
        sys.exit(2)
    except typer.Abort:
        sys.exit(1)
    except InputError as error:
        print(f"dualbench: {error}", file=sys.stderr)
        sys.exit(2)
    except RuntimeError as error:
        if os.environ.get("DUALBENCH_DEBUG"):
            raise
        print(f"dualbench: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
    why = lost_output()
    if why and not code:
        print(f"dualbench: standard output cannot be written ({why}).", file=sys.stderr)
        code = 1
    sys.exit(code)


def usage_sentence(error: Any) -> str:
    """What is wrong with the arguments, and where the right ones are listed."""
    said = " ".join(error.format_message().split())
    said = f"{said[:1].lower()}{said[1:].rstrip('.')}"
    command = error.ctx.command_path if error.ctx is not None else "dualbench"
    return f"{said} See `{command} --help`." if said.endswith("?") else f"{said}; see `{command} --help`."
