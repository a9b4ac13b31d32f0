"""The experiment behind `dualbench race`: instances and solvers named on a command line instead of in a TOML file.

What is raced is a file, `library:NAME`, or `TASK:SIZE`, which is generated. Files have no size of their own, and sizes must not
share a number: files are therefore grouped by the number of variables of their graphs, at most a factor of two in a group.
"""

from __future__ import annotations

import glob
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from problems import library, task_names, task_of
from problems.bare_graph import BareGraphTask
from problems.errors import InputError, nearest, quoted, shortened
from problems.options import check_names
from problems.task import LISTED
from solvers import solver_class, solver_names

from ..records.log import RECORDS
from .experiment import built_in, read_experiment
from .fitting import solves, unavailable
from .instances import load_instance, matching
from .plugins import load_plugins
from .sources import task_named

REPETITIONS, ALONE = (
    3,
    6,
)  # rounds by default; the second where intervals are over rounds, with one instance of each size
COUNT = 6  # generated instances of a size
SECONDS = 20.0
WIDEST = 2.0  # largest over smallest number of variables of files in one group
LONGEST_NAME = 60
KINDS = ("ilp-highs", "ilp-cpsat", "lp-highs", "ad3", "ad3-exact", "subgradient", "wcsp-toulbar2")
"""One or two solvers of each kind that takes any graph, for tasks without an experiment `compare-TASK`."""


class Generated(NamedTuple):
    task: str
    size: str


class File(NamedTuple):
    task: str
    path: str
    variables: int


def race_experiment(
    entries: Sequence[str | Path],
    solvers: Sequence[str] = (),
    *,
    repetitions: int | None = None,
    seconds: float = SECONDS,
    seed: int = 1,
    count: int = COUNT,
    plots: Sequence[dict[str, Any]] = (),
    plugins: Iterable[str | Path] = (),
) -> dict[str, Any]:
    """The experiment that races solvers (names or patterns with options; by default those of `usual_solvers`) on these entries."""
    own = [name for plugin in load_plugins(plugins) for name in plugin.solvers]
    if repetitions is not None and repetitions < 1:
        raise InputError(f"option '--repetitions' must be at least 1, not {repetitions}.")
    if count < 1:
        raise InputError(f"option '--count' must be at least 1, not {count}.")
    found = [each for entry in entries for each in _read(str(entry))]
    found = list(dict.fromkeys(found))
    if not found:
        raise InputError("a race needs at least one instance: a file, library:NAME or TASK:SIZE.")
    tasks = list(dict.fromkeys(each.task for each in found))
    if len(tasks) > 1:
        raise InputError(f"a race has one task, not {' and '.join(tasks)}; start one race for each.")
    (task,) = tasks
    sizes = [each.size for each in found if isinstance(each, Generated)]
    files = [each for each in found if isinstance(each, File)]
    groups = grouped(files)
    several = (count > 1 and bool(sizes)) or any(len(paths) > 1 for _, paths in groups)
    sources: list[dict[str, Any]] = [{"generate": {"size": size, "seed": seed, "count": count}} for size in sizes]
    sources += [{"name": name, "load": [glob.escape(path) for path in paths]} for name, paths in groups]
    chosen = [section for text in solvers for section in named_solvers(text, task)]
    return {
        "name": _name([str(entry) for entry in entries]),
        "title": shortened(f"Race: {', '.join(_short(str(entry)) for entry in entries)}", 200),
        "task": task,
        "repetitions": repetitions if repetitions is not None else REPETITIONS if several else ALONE,
        "trace": any(plot["kind"] == "convergence" for plot in plots),
        "instances": sources,
        "solvers": _once(chosen) if solvers else usual_solvers(task, sizes, own),
        "limits": {"seconds": seconds},
        "plots": list(plots),
    }


def _read(entry: str) -> list[Generated | File]:
    """What an argument names."""
    if entry.startswith(library.PREFIX):
        named = library.matching(entry) or [entry]  # one that is not there is told with the nearest name
        return [_file(name) for name in named]
    task, colon, size = entry.partition(":")
    known = [*task_names(), BareGraphTask.name]
    if not Path(entry).exists() and (colon or task in known):
        if task not in known:
            raise InputError(f"{entry}: no such file, and {quoted(task)} is no task: {nearest(task, known)}")
        chosen = task_named(task)
        if not chosen.sizes:
            raise InputError(f"{entry}: task {task!r} has no generator; name instance files.")
        size = size or chosen.default_size
        if size not in chosen.sizes:
            raise InputError(
                f"{entry}: unknown size {quoted(size)} of task {task!r}: {nearest(size, chosen.sizes, LISTED)}"
            )
        return [Generated(task, size)]
    paths = matching(entry) if not Path(entry).exists() and glob.has_magic(entry) else [entry]
    if not paths:
        raise InputError(f"{entry}: no file matches; expected instance files, library:NAME or TASK:SIZE.")
    return [_file(path) for path in paths]


def _file(path: str) -> File:
    instance = load_instance(Path(path))
    task = task_of(instance)
    name = path if path.startswith(library.PREFIX) else str(Path(path).resolve())
    return File(task.name, name, task.graph(instance).number_of_variables)


def grouped(files: Sequence[File]) -> list[tuple[str, list[str]]]:
    """Files that may share a number, with the name of their size: by variables, from the smallest on."""
    groups: list[list[File]] = []
    for file in sorted(files, key=lambda each: (each.variables, each.path)):
        if groups and file.variables <= WIDEST * max(groups[-1][0].variables, 1):
            groups[-1].append(file)
        else:
            groups.append([file])
    return [(_size(group), [file.path for file in group]) for group in groups]


def _size(group: list[File]) -> str:
    least, most = group[0].variables, group[-1].variables
    return f"{least} variables" if least == most else f"{least}-{most} variables"


def named_solvers(text: str, task: str) -> list[dict[str, Any]]:
    """The solvers that `NAME` or `PATTERN[:option=value,...]` names; those of a pattern that cannot run here are left out."""
    name, colon, given = text.partition(":")
    options = dict(_option(part, text) for part in _parts(given)) if colon else {}
    label = {"label": " ".join(["{name}", *(f"{key}={{{key}}}" for key in options)])} if options else {}
    names = [name]
    if glob.has_magic(name):
        names = [known for known in solver_names() if fnmatchcase(known, name) and solves(known, task)]
        if not names:
            raise InputError(
                f"no solver of task {task!r} has a name like {quoted(name)}; see `dualbench list solvers`."
            )
        usable = [known for known in names if not unavailable(known)]
        if not usable:
            raise InputError(f"no solver like {quoted(name)} can be used here; see `dualbench doctor`.")
        names = usable
    else:
        _check_usable(name, task)
    for known in names:
        check_names(solver_class(known, None if task == BareGraphTask.name else task), options, f"solver {known!r}")
    return [
        {"name": known, **{key: value.replace("{name}", known) for key, value in label.items()}, **options}
        for known in names
    ]


def _check_usable(name: str, task: str) -> None:
    solver_class(name)  # an unknown name is told with the nearest one
    if not solves(name, task):
        raise InputError(f"solver {name!r} does not solve task {task!r}; see `dualbench list solvers`.")
    why = unavailable(name)
    if why:
        raise InputError(f"solver {name!r} cannot be used here: {why.rstrip('.')}.")


def _parts(text: str) -> list[str]:
    """`a=1,b=[2,3]` at the commas between options: a comma that no `key=` follows belongs to a value."""
    return re.split(r",(?=\s*\w+=)", text) if text else []


def _option(part: str, text: str) -> tuple[str, Any]:
    key, equals, value = part.strip().partition("=")
    if not equals or not key.isidentifier():
        raise InputError(f"solver {quoted(text)}: options have the form NAME:key=value,key=value.")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError):
        return key, value


def usual_solvers(task: str, sizes: Sequence[str] = (), own: Sequence[str] = ()) -> list[dict[str, Any]]:
    """One or more solvers of each kind that can be used here, and the plug-ins' `own`.

    Those of the task's experiment `compare-TASK`, which leaves out what never ends; a solver that it restricts to some
    sizes (by a licence, or because it is slow) takes part on these only. Other tasks and bare graphs: `KINDS`.
    """
    compared = f"compare-{task}"
    found: list[dict[str, Any]] = [{"name": name} for name in KINDS]
    if compared in built_in():
        found = []
        for spec in read_experiment(compared).solvers:
            shared = [size for size in sizes if size in spec.sizes]
            if not spec.sizes or shared:
                kept: dict[str, Any] = {"sizes": shared} if spec.sizes else {}
                kept |= {} if spec.bound_within is None else {"bound_within": spec.bound_within}
                found.append({"name": spec.name, "label": _literal(spec.label), **kept, **spec.options})
    found = [section for section in found if solves(section["name"], task) and not unavailable(section["name"])]
    return _once([*found, *({"name": name} for name in own if solves(name, task))])


def _literal(label: str) -> str:
    return label.replace("{", "{{").replace("}", "}}")


def _once(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the second of two that are the same but for their label, as patterns overlap."""
    found: list[dict[str, Any]] = []
    for section in sections:
        if not any(_bare(section) == _bare(other) for other in found):
            found.append(section)
    return found


def _bare(section: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in section.items() if key != "label"}


def _short(entry: str) -> str:
    """A file without its folder and ending."""
    return Path(entry).stem if Path(entry).exists() else entry


def _name(entries: list[str]) -> str:
    """The name of a run's folder: what is raced, as far as it fits."""
    text = re.sub(r"[^A-Za-z0-9.+]+", "-", " ".join(map(_short, entries))).strip("-.")
    return f"race-{text[:LONGEST_NAME].rstrip('-.') or 'instances'}"


def free_folder(folder: Path) -> Path:
    """The folder, or the first of FOLDER-2, FOLDER-3, ... that holds no run."""
    others = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(2))
    return next(name for name in itertools.chain([folder], others) if not (name / RECORDS).exists())
