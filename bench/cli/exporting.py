"""`dualbench export`: an instance as a file that other programs read.

mps and lp hold the 0/1 program of the instance's factor graph (its first columns are the graph's variables). MPS files
minimise the negated objective, as not all readers know another sense; LP files say Maximize. fg is AD3's text format; wcsp and
cfn are toulbar2's, with whole and with decimal costs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from problems import task_of
from problems.errors import InputError, nearest
from problems.files import replacing
from problems.formats.cfn_writer import write_cfn
from problems.formats.fg_writer import write_fg
from problems.formats.wcsp_writer import write_wcsp
from problems.library import PREFIX
from solvers.linear.lp_format import write_lp
from solvers.linear.mps import write_mps

from ..experiments.instances import is_known, load_instance
from ..records.log import writing

OF_PROGRAMS = {"mps": write_mps, "lp": write_lp}
OF_GRAPHS = {"fg": write_fg, "wcsp": write_wcsp, "cfn": write_cfn}
FORMATS = ("json", *OF_PROGRAMS, *OF_GRAPHS)
STANDARD_OUTPUT = "-"


def export_instance(path: Path, form: str, out: Path | None = None, evidence: Path | None = None) -> Path | str:
    """Write the instance of `path` in a format, by default beside it; `-` returns the text instead of a path."""
    if form not in FORMATS:
        raise InputError(f"unknown format {form!r}: {nearest(form, FORMATS)}")
    beside = Path(str(path).removeprefix(PREFIX) + "." + form) if is_known(path) else path.with_suffix("." + form)
    target = beside if out is None else out
    if str(target) != STANDARD_OUTPUT and _same(target, path):
        raise InputError(f"{target}: this would overwrite the instance itself; name another file with --out.")
    instance = load_instance(path, evidence)
    if str(target) == STANDARD_OUTPUT:
        with tempfile.TemporaryDirectory(prefix="dualbench-export-") as folder:
            file = Path(folder) / f"instance.{form}"
            _write(instance, form, file, path)
            return file.read_text(encoding="utf-8")
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            _write(instance, form, temporary, path)
    return target


def _write(instance: Any, form: str, file: Path, source: Path) -> None:
    task = task_of(instance)
    if form == "json":
        if task.name == "graph":
            raise InputError(f"{source}: a bare graph has no JSON form; expected another format.")
        task.save(instance, file)
        return
    graph = task.graph(instance)
    try:
        if form in OF_GRAPHS:
            OF_GRAPHS[form](graph, file)
        else:
            OF_PROGRAMS[form](graph.linear_program(), file)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def _same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one of them does not exist
        return False
