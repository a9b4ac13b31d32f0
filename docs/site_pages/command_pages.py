"""The command line, from typer's own description of it: one page for each command."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer.main

from bench.cli import app

from .markdown import table

FOLDER = "reference/commands"
HIDDEN = {"help", "install_completion", "show_completion"}


def command_pages() -> dict[str, str]:
    """An overview, and a page for each command."""
    program = typer.main.get_command(app)
    found = dict(_commands(program, "dualbench"))
    rows = [[f"[`{path}`]({_file(path)})", _about(command)[0]] for path, command in found.items()]
    overview = [
        "# Command line",
        "Each command has its own page. `dualbench COMMAND --help` prints the same text.",
        table(["command", "what it does"], rows),
        "Bad input ends with one sentence and exit code 2, a failing solver with exit code 1.",
    ]
    pages = {f"{FOLDER}/index.md": "\n\n".join(overview) + "\n"}
    pages |= {f"{FOLDER}/{_file(path)}": _page(path, command) for path, command in found.items()}
    return pages


def _commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands below a group, by their full name."""
    for key, command in sorted(group.commands.items()):
        path = f"{name} {key}"
        if hasattr(command, "commands"):
            yield from _commands(command, path)
        else:
            yield path, command


def _file(path: str) -> str:
    return f"{path.removeprefix('dualbench ').replace(' ', '-')}.md"


def _about(command: Any) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")


def _page(path: str, command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name not in HIDDEN]
    usage = " ".join([path, "[OPTIONS]" if options else "", *(_metavar(each) for each in arguments)])
    parts = [f"# {path}", *_about(command), f"```text\n{' '.join(usage.split())}\n```"]
    if arguments:
        rows = [[f"`{_metavar(each)}`", getattr(each, "help", None) or ""] for each in arguments]
        parts += ["## Arguments", table(["argument", "meaning"], rows)]
    if options:
        context = command.make_context(path, [], resilient_parsing=True)
        parts += ["## Options", table(["option", "meaning"], (_option(each, context) for each in options))]
    return "\n\n".join(parts) + "\n"


def _metavar(argument: Any) -> str:
    name = argument.name.upper()
    if argument.nargs == -1:
        name += " ..."
    return name if argument.required else f"[{name}]"


def _option(option: Any, context: Any) -> list[str]:
    """Its names with what it takes, and its meaning with its default, as `--help` has them."""
    names, meaning = option.get_help_record(context)
    names = re.sub(r"<list\[(\w+)\]>", r"<\1>", names).replace("<Path>", "<path>")
    return [f"`{names}`", meaning.replace("[", "\\[")]
