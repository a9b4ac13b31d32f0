"""Names that a shell completes. They come from registries and folders: no solver library is imported for a press of the tab key."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from glob import escape, glob

from problems import get_task, library, task_names
from problems.formats import ENDINGS
from solvers import solver_names

from ..data.catalogue import catalogue
from ..experiments.experiment import built_in
from ..experiments.presentation import PLOT_OPTIONS

COLON = ":"  # bash completes what follows it as a word of its own
ASKED = "_DUALBENCH_COMPLETE"
PIECES = (
    *("am-table2", "am-table3", "am-figure2"),
    *("martins-table1", "martins-table2", "martins-table3", "martins-figure2"),
    *("ql-table2", "ql-lagrangian", "yao-table2", "yao-table4"),
    *("compare-summarization", "compare-extraction", "compare-parsing", "compare-compression", "compare-transduction"),
)
"""The names of `reproduction.report.PIECES`, which imports what the pieces need."""
Completer = Callable[[str], list[str]]


def one_of(*names: str) -> Completer:
    """A completer of a few names."""
    return lambda incomplete: _starting(names, incomplete)


lists = one_of("solvers", "tasks", "experiments", "pieces", "library")
templates = one_of("solver", "factor", "task")
table_formats = one_of("terminal", "markdown", "csv", "latex")
export_formats = one_of("json", "mps", "lp", "fg", "wcsp", "cfn")
plots = one_of(*PLOT_OPTIONS)
pieces = one_of(*PIECES)


def solvers(incomplete: str) -> list[str]:
    return _starting(solver_names(), incomplete)


def checked_solvers(incomplete: str) -> list[str]:
    return solvers(incomplete) + files(incomplete, (".py",))


def tasks(incomplete: str) -> list[str]:
    return _starting(task_names(), incomplete)


def sizes(incomplete: str) -> list[str]:
    """Those of the task that the line names."""
    return _starting((size for task in _named(task_names()) for size in get_task(task).sizes), incomplete)


def corpora(incomplete: str) -> list[str]:
    return _starting(catalogue(), incomplete)


def training_corpora(incomplete: str) -> list[str]:
    """Corpora that the line's task can read, and paths."""
    named = ["generated", *(name for task in _named(task_names()) for name in get_task(task).corpora)]
    return _starting(named, incomplete) + files(incomplete)


def experiments(incomplete: str) -> list[str]:
    """Our own by name, and TOML files."""
    return _starting(built_in(), incomplete) + files(incomplete, (".toml",))


def instances_of(incomplete: str) -> list[str]:
    """The generated instances of the experiment that the line names."""
    from ..experiments.experiment import read_experiment

    sources = [read_experiment(name).source for name in _named(built_in())]
    generated = [part.values for source in sources for part in source.parts if part.kind == "generate"]
    names = (f"{size}-{seed}" for values in generated for size in values["sizes"] for seed in values["seeds"])
    return _starting(names, incomplete)


def racers(incomplete: str) -> list[str]:
    """Tasks, which a size follows, instances of the library, and files of instances."""
    task, colon, _ = incomplete.partition(COLON)
    if colon and task in task_names():
        return _starting((f"{task}:{size}" for size in get_task(task).sizes), incomplete)
    named = [] if colon else [f"{name}:" for name in tasks(incomplete)]
    return named + instances(incomplete)


def instances(incomplete: str) -> list[str]:
    """Files, and instances of the library by name."""
    if incomplete.startswith(library.PREFIX):
        return _starting((library.PREFIX + name for name in library.library()), incomplete)
    prefix = _starting([library.PREFIX], incomplete)
    return prefix + files(incomplete, (".json", *ENDINGS))


def files(incomplete: str, endings: tuple[str, ...] = ("",)) -> list[str]:
    """Folders, and files with one of these endings."""
    found = sorted(glob(escape(incomplete) + "*"))
    folders = [path + os.sep for path in found if os.path.isdir(path)]
    return folders + [path for path in found if path.endswith(endings) and path + os.sep not in folders]


@contextmanager
def for_shell() -> Iterator[None]:
    """What bash takes apart at colons is put together before anybody reads it; its answers have only what follows the last colon."""
    if os.environ.get(ASKED) != "complete_bash":
        yield
        return
    words, current = joined(os.environ["COMP_WORDS"].split(" "), int(os.environ["COMP_CWORD"]))
    os.environ |= {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(current)}
    before, colon, _ = (words[current] if current < len(words) else "").rpartition(COLON)
    answers = io.StringIO()
    try:
        with redirect_stdout(answers):
            yield
    finally:
        sys.stdout.write("".join(f"{line.removeprefix(before + colon)}\n" for line in answers.getvalue().splitlines()))


def joined(words: list[str], current: int) -> tuple[list[str], int]:
    """Words without breaks at colons, and which of them is completed: `parsing`, `:`, `sh` are one word."""
    found: list[str] = []
    place = [0] * (len(words) + 1)
    for number, word in enumerate(words):
        if number and COLON in (word, words[number - 1]) and word:
            found[-1] += word
        else:
            found.append(word)
        place[number] = len(found) - 1
    place[len(words)] = len(found)
    return found, place[min(current, len(words))]


def _named(known: Iterable[str]) -> list[str]:
    """The first of these names in the line that is completed; its parameters are not parsed while an option lacks its value."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    names = set(known)
    return [word for word in line.split() if word in names][:1]


def _starting(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))
